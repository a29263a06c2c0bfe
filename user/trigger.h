/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef MSILAT_TRIGGER_H
#define MSILAT_TRIGGER_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#include "poller.h"
#include "recorder.h"
#include "sched.h"
#include "schedule.h"

#define TRIGGER_GIVE_UP 3

/**
 * struct trigger - the thread that fires and sees to it that each event arrives
 * @schedule: what is fired when.
 * @poller: who must see it.
 * @recorder: drained after each event by this thread; NULL if the recorder has its own thread.
 * @timeout_ns: how long an event may take to be seen.
 * @done: eventfd that is written when the thread ends.
 * @overdue: events that were not seen in time and still not when the next was fired, and that a
 *	later wake covered: nothing ever woke the poller for them.
 * @late: events seen after the time-out but before the next was fired.
 * @dead: set when TRIGGER_GIVE_UP bursts in a row were not seen: the device stopped interrupting.
 * @error: -errno that ended the thread.
 * @finished: set when the thread has ended.
 */
struct trigger {
	struct schedule *schedule;
	struct poller *poller;
	struct recorder *recorder;
	uint64_t timeout_ns;
	int done;
	_Atomic uint64_t overdue;
	_Atomic uint64_t late;
	_Atomic int dead;
	_Atomic int error;
	_Atomic int finished;
	pthread_t thread;
};

/** trigger_start - start the thread; 0 or -errno, with @why */
int trigger_start(struct trigger *t, const struct sched_want *want, struct reason *why);

/** trigger_join - wait for the thread; it ends by its schedule or the schedule's stop flag */
void trigger_join(struct trigger *t);

/**
 * trigger_await - wait until the poller has seen event @seq
 * @stop: ends the wait when set.
 *
 * Any thread that may sleep. Return: true if it has within @timeout_ns.
 */
bool trigger_await(struct poller *p, uint64_t seq, uint64_t timeout_ns, const _Atomic int *stop);

#endif
