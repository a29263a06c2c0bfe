/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Contenders: threads that take the locks of the eventfds over and over, so that interrupts find
 * them held by a task that runs, held by one that does not, and promised to one that waits.
 *
 * On each CPU one contender of the lowest ordinary priority never rests, and one under SCHED_FIFO,
 * below the waiters, comes in short bouts: it finds a lock held by the task it has preempted. Each
 * works through the same list: an entry added to and removed from the wait queue by epoll and by
 * poll, and a read() that takes what the waiter would have taken, into the same books. Where the
 * subject wakes by MSILAT_WAIT they call that too, and interrupt the waiter by a signal.
 */
#ifndef STORM_H
#define STORM_H

#include "lanes.h"

/** storm_start - start the contenders on the first lanes of @l */
void storm_start(struct lanes *l);

/** storm_stop - end them; returns how many times they went through their list */
uint64_t storm_stop(void);

#endif
