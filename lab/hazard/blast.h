/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef BLAST_H
#define BLAST_H

#include <stdbool.h>
#include <stdint.h>

#include "card.h"

#define BLAST_VECTORS 2

/**
 * struct blast - interrupts of two vectors that signal one eventfd, each on a CPU of its own
 * @card: the device, open; its strategy is selected
 * @inject: interrupts are raised by MSILAT_OP_INJECT, else by the device
 * @count: how many to raise in all
 * @seed: of the pauses between them
 * @fd: the eventfd, a reader waits in read()
 */
struct blast {
	struct card *card;
	bool inject;
	uint64_t count;
	uint32_t seed;
	int fd;
};

/** blast_arm - both vectors on one eventfd, their interrupts on CPU 0 and 1, a reader on CPU 0 */
void blast_arm(struct blast *b);

/**
 * blast_raise - raise the interrupts, marking each on the channel, until @count or a complaint
 *
 * Call blast_counted() meanwhile; blast_wait() ends it.
 */
void blast_raise(struct blast *b);

/** blast_raised - interrupts raised so far; any thread */
uint64_t blast_raised(void);

/** blast_going - are there interrupts left to raise, and no complaint? */
bool blast_going(const struct blast *b);

/** blast_finish - wait for those who raise, and for the reader; disarm; returns what it has read */
uint64_t blast_finish(struct blast *b);

#endif
