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

/** waiter_begin - returns when the thread sleeps in its call, or has come back from it */
void waiter_begin(struct waiter *w, uint32_t vector, uint32_t generation);

/** waiter_stays - given time to return, it has not */
bool waiter_stays(struct waiter *w);

/** waiter_result - what the call returned, once it has */
int waiter_result(struct waiter *w);

/** waiter_end - end a call that nothing else has ended; true if it took that */
bool waiter_end(struct waiter *w);

/** waiter_loopback - a loopback trigger of a vector */
void waiter_loopback(uint32_t vector);

/** waiter_generation - the one in force */
uint32_t waiter_generation(void);

/** waiter_select - put a strategy into force */
void waiter_select(uint32_t strategy, uint32_t flags);

/** waiter_arm - the strategy under test, vector 0 armed, nothing pending */
void waiter_arm(uint32_t strategy, uint32_t flags);

/** waiter_fire - vector 0; counted on return, and the driver has had time for what is next */
void waiter_fire(void);

/** waiter_over - the program's modes: what ends waits for good, or needs a reset; wait_over.c */
void waiter_over(const char *mode);

#endif
