/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the parts of the program "wait" share: one device, and threads that wait for its vectors.
 * What cannot be done ends the program.
 */
#ifndef WAITER_H
#define WAITER_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "card.h"

#define PATIENCE_MS 60000

/** struct waiter - a thread in one call of MSILAT_WAIT; @result: what that returned */
struct waiter {
	uint32_t vector;
	uint32_t generation;
	pthread_t thread;
	_Atomic int tid;
	atomic_bool returned;
	int result;
};

extern struct card card;
extern struct vdev *const dev;	/* the card's */
extern int fd;			/* eventfd of vector 0 */
extern char what[64];		/* strategy and flags under test, for the names of cases */

/** begin - returns when the thread sleeps in its call, or has come back from it */
void begin(struct waiter *w, uint32_t vector, uint32_t generation);

/** still_waits - given time to return, it has not */
bool still_waits(struct waiter *w);

/** ended - what the call returned, once it has */
int ended(struct waiter *w);

/** end_by_loopback - end a call that nothing else has ended; true if it took that */
bool end_by_loopback(struct waiter *w);

/** loopback - a loopback trigger of a vector */
void loopback(uint32_t vector);

/** generation - the one in force */
uint32_t generation(void);

/** select_with - put a strategy into force */
void select_with(uint32_t strategy, uint32_t flags);

/** arm - the strategy under test, vector 0 armed, nothing pending */
void arm(uint32_t strategy, uint32_t flags);

/** fire - vector 0; the driver has counted it on return, and has had time for what it does next */
void fire(void);

/** over - the program's modes: what ends waits for good, or needs a reset; wait_over.c */
void over(const char *mode);

#endif
