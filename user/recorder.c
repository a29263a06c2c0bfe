// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <string.h>
#include <time.h>

#include "recorder.h"
#include "samples.h"

#define PERIOD_NS 2000000
#define PERIOD_EXACT_NS 100000000	/* each of its timers is an interrupt on a measured path */

/* Signals so far that eventfd's recursion guard refused: each left a record, and no value. */
static uint64_t guarded(const struct recorder *r)
{
	const struct delivery *d = r->delivery;
	struct msilat_counters c;

	if (!d->ops || !d->ops->counters || d->ops->counters(d, r->vector, &c))
		return 0;
	return c.guarded;
}

void recorder_init(struct recorder *r, struct ring *ring, const struct delivery *delivery,
		   uint32_t vector, struct fired *late, unsigned int present)
{
	memset(r, 0, sizeof(*r));
	r->ring = ring;
	r->delivery = delivery;
	r->vector = vector;
	r->late = late;
	r->next = delivery_head(delivery, vector);
	r->guarded = guarded(r);
	pthread_mutex_init(&r->lock, NULL);
	stages_init(&r->now.stages, present);
}

/* The record of the next signal. One that was withheld left a record, but no value to read. */
static int next_delivery(struct recorder *r, struct msilat_delivery *d)
{
	int ret;

	do {
		ret = delivery_record(r->delivery, r->vector, r->next++, d);
	} while (!ret && d->flags & MSILAT_DELIVERY_WITHHELD);
	return ret;
}

/*
 * Every signal has a delivery record, in order, and what the waits return adds up to the signals: a
 * wake of value n belongs to the next n records, and the stamps of the first are those of its
 * oldest event.
 */
static int wake_delivery(struct recorder *r, const struct sample *s, struct msilat_delivery *d)
{
	struct msilat_delivery rest;
	int ret = next_delivery(r, d);
	uint64_t i;

	for (i = 1; i < s->values; i++)
		next_delivery(r, &rest);
	return ret;
}

/*
 * The record is of a signal older than the event. Either the event is still under way and the wake
 * belongs to one before it (overload): then it has no latency here. Or the guard refused a signal:
 * then the next record is the event's, and all that follow are one further on. Their stamps alone
 * do not tell the two apart: a poller that was held up between its wake and its stamp saw signals
 * that it was not woken by. Returns true for the latter.
 */
static bool skip_lost(struct recorder *r, const struct sample *s, struct msilat_delivery *d)
{
	struct msilat_delivery next;

	if (delivery_record(r->delivery, r->vector, r->next, &next) || next.signal < s->sent ||
	    next.signal > s->user || guarded(r) <= r->guarded)
		return false;
	r->guarded++;
	r->next++;
	*d = next;
	return true;
}

/*
 * Stamps of the driver. They make sense as stages only if the wake stands for one event, one isr
 * and one signal.
 */
static void driver_stamps(struct recorder *r, const struct sample *s, uint64_t stamps[STAMPS])
{
	struct msilat_delivery d;
	struct msilat_isr isr;
	int ret;

	if (!r->delivery->region)
		return;
	ret = wake_delivery(r, s, &d);
	if (!ret && s->progress && d.signal < s->sent && !skip_lost(r, s, &d)) {
		memset(stamps, 0, STAMPS * sizeof(*stamps));
		return;
	}
	if (s->progress != 1 || s->values != 1 || (!ret && d.flags & MSILAT_DELIVERY_CATCHUP))
		return;
	if (!ret && d.first_isr != UINT64_MAX) {
		if (d.first_isr != d.last_isr)
			return;
		ret = delivery_isr(r->delivery, r->vector, d.first_isr, &isr);
		if (!ret)
			stamps[STAMP_ISR] = isr.isr;
	}
	if (ret) {
		r->now.unstamped++;
		return;
	}
	stamps[STAMP_THREAD] = d.thread;
	stamps[STAMP_SIGNAL] = d.signal;
}

/* The oldest event of a wake. */
static uint64_t oldest(const struct sample *s)
{
	return s->seq - (s->progress ? s->progress - 1 : 0);
}

static void record(struct recorder *r, const struct sample *s)
{
	uint64_t stamps[STAMPS] = {
		[STAMP_SENT] = s->sent,
		[STAMP_USER] = s->user,
		[STAMP_DONE] = s->done,
	};
	struct outlier event = { .seq = oldest(s) };

	driver_stamps(r, s, stamps);
	r->now.samples++;
	r->now.signals += s->values;
	r->now.progress += s->progress;
	r->now.merged += s->progress > 1;
	event.latency = UINT64_MAX;
	if (s->progress)
		event.latency = stages_record(&r->now.stages, stamps);
	if (event.latency == UINT64_MAX) {
		r->now.unattributed++;
	} else {
		memcpy(event.stamps, stamps, sizeof(stamps));
		outliers_record(&r->now.outliers, &event);
	}
	if (r->file && !r->file_error)
		r->file_error = samples_write(r->file, s, stamps);
}

/* Once everything is over no stamp changes any more. */
static bool settled(struct recorder *r, const struct sample *s)
{
	return !r->late || fired_settled(r->late, s->seq) || atomic_load(&r->stop);
}

/*
 * What the poller saw it saw with stamps that were not final: of the oldest event, and of one that
 * turned out to be sent only after the wake. Look again. A recorder that is FIRED_RECORDS events
 * behind finds no stamp any more.
 */
static void look_again(struct recorder *r, struct sample *s)
{
	uint64_t fired = atomic_load_explicit(&r->late->count, memory_order_relaxed);

	if (fired - r->late_seen >= FIRED_RECORDS)
		s->sent = 0;
	else if (s->user)
		fired_observe(r->late, s->user, r->late_seen, &s->observation);
	s->progress = s->seq - r->late_seen;
	r->late_seen = s->seq;
}

void recorder_drain(struct recorder *r)
{
	const struct sample *next;
	struct sample s;

	pthread_mutex_lock(&r->lock);
	while ((next = ring_peek(r->ring)) && settled(r, next)) {
		ring_pop(r->ring, &s);
		if (r->late)
			look_again(r, &s);
		record(r, &s);
	}
	pthread_mutex_unlock(&r->lock);
}

static void *recorder_main(void *arg)
{
	struct recorder *r = arg;
	struct timespec period = { .tv_nsec = r->exact ? PERIOD_EXACT_NS : PERIOD_NS };

	while (!atomic_load(&r->stop)) {
		recorder_drain(r);
		nanosleep(&period, NULL);
	}
	return NULL;
}

int recorder_start(struct recorder *r, const struct sched_want *want, struct reason *why)
{
	int ret = sched_start(&r->thread, want, recorder_main, r, why);

	r->running = !ret;
	return ret;
}

void recorder_stop(struct recorder *r)
{
	atomic_store(&r->stop, 1);
	if (r->running) {
		pthread_join(r->thread, NULL);
		r->running = false;
	}
	recorder_drain(r);
}

void recorder_snapshot(struct recorder *r, struct recording *copy)
{
	pthread_mutex_lock(&r->lock);
	*copy = r->now;
	pthread_mutex_unlock(&r->lock);
}
