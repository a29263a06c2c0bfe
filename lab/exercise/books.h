/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Books: what the driver says it has sent against what arrived. Signals that are not accounted for
 * would make a silence of lockdep worthless: code that was not run cannot be judged.
 */
#ifndef BOOKS_H
#define BOOKS_H

#include "lanes.h"

/** books_open - begin to count, device silent and waiters at rest */
void books_open(struct lanes *l);

/**
 * books_close - compare, device silent and waiters at rest
 * @l: whose
 * @what: the part of the course, for messages
 *
 * Under our driver what arrived in a lane or by a wake must be what the counters of its vectors
 * say; under any driver the last interrupt must have been followed by a wake.
 *
 * Return: events that are missing or too many.
 */
uint64_t books_close(struct lanes *l, const char *what);

/** books_close_switched - the same after switches of strategy, there and back; ours only */
uint64_t books_close_switched(struct lanes *l, const char *what);

/** books_call - fire each vector once, alone, and wait for it; returns how many did not come */
uint64_t books_call(struct lanes *l, const char *what);

/** books_tell - the facts the books hold, summed over the device's vectors, on stdout */
void books_tell(struct lanes *l);

#endif
