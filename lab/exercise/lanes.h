/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Lanes: eventfds, the vectors that signal them and the threads that wait; and the thread that
 * makes the device fire.
 *
 * A device with more than one vector has two of them on one eventfd, on two CPUs: the arrangement
 * in which two signals meet at one lock. Every other vector has an eventfd of its own. Waiters use
 * read(), poll() and epoll_wait() in turn; under a strategy that also wakes by MSILAT_WAIT or by
 * the page, each vector has a waiter of that kind as well.
 */
#ifndef LANES_H
#define LANES_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "subject.h"

#define LANES_MAX 16

/**
 * struct lane - one eventfd
 * @fd: the eventfd.
 * @how: by which call its waiter waits.
 * @waiter: the thread.
 * @fired: interrupts the device was told to send to it; counted before each.
 * @seen: @fired when somebody last took something from @fd.
 * @values: sum of what was taken from @fd.
 */
struct lane {
	int fd;
	unsigned int how;
	pthread_t waiter;
	_Atomic uint64_t fired;
	_Atomic uint64_t seen;
	_Atomic uint64_t values;
};

/**
 * struct vector - one vector
 * @index: its number.
 * @lane: where it signals.
 * @waiter: the thread in MSILAT_WAIT.
 * @fired: interrupts the device was told to send; counted before each.
 * @seen: @fired when an event was last taken by MSILAT_WAIT or off the page.
 * @waited: events that MSILAT_WAIT returned.
 * @page: count on the page when it was last looked at.
 * @paged: events seen on the page.
 */
struct vector {
	unsigned int index;
	struct lane *lane;
	pthread_t waiter;
	_Atomic uint64_t fired;
	_Atomic uint64_t seen;
	_Atomic uint64_t waited;
	uint64_t page;
	_Atomic uint64_t paged;
};

/**
 * struct lanes - all of a device
 * @subject: whose.
 * @vectors: how many vectors.
 * @lanes: how many lanes.
 * @vector: the vectors.
 * @lane: the lanes.
 */
struct lanes {
	struct subject *subject;
	unsigned int vectors;
	unsigned int lanes;
	struct vector vector[LANES_MAX];
	struct lane lane[LANES_MAX];
};

/** lanes_make - eventfds for all vectors of the device */
void lanes_make(struct lanes *l, struct subject *s);

/** lanes_arm - arm all vectors of the device with them, and make it able to fire */
void lanes_arm(struct lanes *l);

/** lanes_wait - start the waiters: those of the eventfds, and those of the subject's own wake */
void lanes_wait(struct lanes *l);

/** lanes_unwait - end the waiters, having taken what there is; the device must be silent */
void lanes_unwait(struct lanes *l);

/** lanes_drain - take what is there, device silent and waiters at rest */
void lanes_drain(struct lanes *l);

/** lanes_fire - start firing at all vectors, at random from a seed */
void lanes_fire(struct lanes *l, unsigned int seed);

/** lanes_cease - stop firing and let what is under way arrive */
void lanes_cease(void);

/** lanes_fire_one - one interrupt of one vector, by the caller; nobody else fires */
void lanes_fire_one(struct lanes *l, struct vector *v);

/** lanes_take - take what a lane's eventfd holds now into the books; any thread; returns it */
uint64_t lanes_take(struct lane *lane);

/** lanes_take_waited - take one vector's events from MSILAT_WAIT, waiting or not; 0 or -errno */
int lanes_take_waited(struct lanes *l, struct vector *v, bool block);

/** lanes_kick - a signal to the waiter of one vector, which ends its wait with EINTR */
void lanes_kick(struct lanes *l, struct vector *v);

#endif
