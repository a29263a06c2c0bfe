/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef MSILAT_POLLER_H
#define MSILAT_POLLER_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#include "device.h"
#include "ring.h"
#include "sched.h"
#include "schedule.h"
#include "shared.h"
#include "wait.h"

/**
 * struct poller - the thread whose wake-up is measured
 * @device: observed after each wake.
 * @wait: how it waits.
 * @ring: where its samples go.
 * @schedule: set in scenario self, where the poller fires; else NULL.
 * @shared: set when others signal or read the eventfd too; else NULL.
 * @done: eventfd that is written when the thread ends by itself, or -1.
 * @seen: newest event it has seen.
 * @values: sum of what the waits returned, kicks excluded.
 * @stop: set to end the thread.
 * @unrecorded: what the last wait returned after @stop was set.
 * @finished: the thread has ended (scenario self: everything is fired).
 * @error: -errno that ended the thread, 0 while there is none.
 */
struct poller {
	struct device *device;
	struct wait wait;
	struct ring *ring;
	struct schedule *schedule;
	struct shared *shared;
	int done;
	_Alignas(64) _Atomic uint64_t seen;
	_Atomic uint64_t values;
	_Alignas(64) _Atomic int stop;
	uint64_t unrecorded;
	_Atomic int finished;
	_Atomic int error;
	pthread_t thread;
};

/**
 * poller_start - start the thread; everything in @p but the results must be set
 *
 * Return: 0 or -errno, with @why.
 */
int poller_start(struct poller *p, const struct sched_want *want, struct reason *why);

/**
 * poller_wakes - waits that returned with a value
 *
 * Any thread. Each left a sample in the ring, or found it full.
 */
static inline uint64_t poller_wakes(const struct poller *p)
{
	return atomic_load_explicit(&p->ring->head, memory_order_relaxed) +
	       atomic_load_explicit(&p->ring->drops, memory_order_relaxed);
}

/**
 * poller_seen - newest event that the poller has seen, or another reader of its eventfd
 *
 * Any thread.
 */
static inline uint64_t poller_seen(const struct poller *p)
{
	uint64_t seen = atomic_load_explicit(&p->seen, memory_order_acquire);

	return p->shared ? shared_seen(p->shared, seen) : seen;
}

/**
 * poller_stop - end the thread and wait for it
 *
 * Kicks the wait, so that a sleeping one ends; what the kick adds is taken off the account.
 */
void poller_stop(struct poller *p);

#endif
