// SPDX-License-Identifier: GPL-2.0-only
#include <sys/eventfd.h>
#include <time.h>

#include "clock.h"
#include "trigger.h"

#define SECOND 1000000000ull
#define LOOK_NS 50000	/* pause between two looks at the poller */

bool trigger_await(struct poller *p, uint64_t seq, uint64_t timeout_ns, const _Atomic int *stop)
{
	struct timespec pause = { .tv_nsec = LOOK_NS };
	uint64_t end;

	/* On one CPU the poller has run before the store that fired returned. */
	if (poller_seen(p) >= seq)
		return true;
	end = clock_monotonic() + timeout_ns;
	while (clock_monotonic() < end) {
		nanosleep(&pause, NULL);
		if (poller_seen(p) >= seq)
			return true;
		if (atomic_load_explicit(stop, memory_order_relaxed))
			return false;
	}
	return poller_seen(p) >= seq;
}

/* Sleep past the moment the device's timer fires, so that the CPU is idle (or busy) then. */
static void sleep_over_timer(struct trigger *t)
{
	uint64_t ns = t->schedule->device->caps.timer_ns + 2000000;
	struct timespec pause = {
		.tv_sec = (time_t)(ns / SECOND),
		.tv_nsec = (long)(ns % SECOND),
	};

	if (t->schedule->timer)
		nanosleep(&pause, NULL);
}

/*
 * Events that were not seen in time form a gap. It is closed by whatever is seen next: before the
 * next burst is fired they were late; after it a later wake covered them and they are overdue. A
 * gap that is open at the end of the run shows in the difference between fired and seen.
 */
struct gap {
	uint64_t first;		/* first event not seen, 0 while there is no gap */
	uint64_t last;		/* newest event fired before the gap was looked at */
};

static void close_gap(struct gap *gap, uint64_t seen, _Atomic uint64_t *account)
{
	uint64_t covered = seen < gap->last ? seen : gap->last;

	if (!gap->first || seen < gap->first)
		return;
	atomic_fetch_add(account, covered - gap->first + 1);
	gap->first = covered < gap->last ? covered + 1 : 0;
}

/* Fire one burst and wait until it is seen. Returns 1 when the device is given up. */
static int fire_one(struct trigger *t, struct gap *gap, unsigned int *misses)
{
	struct schedule *s = t->schedule;
	uint64_t target, before;
	bool in_time;
	int ret;

	close_gap(gap, poller_seen(t->poller), &t->late);
	before = poller_seen(t->poller);
	ret = schedule_send(s);
	if (ret)
		return ret;
	sleep_over_timer(t);
	target = s->device->ops->sequence(s->device);
	in_time = trigger_await(t->poller, target, t->timeout_ns, s->stop);
	close_gap(gap, poller_seen(t->poller), &t->overdue);
	gap->last = target;
	if (!in_time && !gap->first)
		gap->first = poller_seen(t->poller) + 1;
	*misses = in_time || poller_seen(t->poller) > before ? 0 : *misses + 1;
	return *misses == TRIGGER_GIVE_UP;
}

static void *trigger_main(void *arg)
{
	struct trigger *t = arg;
	struct gap gap = { 0 };
	unsigned int misses = 0;
	int ret = 0;

	while (!ret && !schedule_wait(t->schedule)) {
		ret = fire_one(t, &gap, &misses);
		if (t->recorder)
			recorder_drain(t->recorder);
	}
	if (ret > 0)
		atomic_store(&t->dead, 1);
	if (ret < 0)
		atomic_store(&t->error, ret);
	atomic_store(&t->finished, 1);
	eventfd_write(t->done, 1);
	return NULL;
}

int trigger_start(struct trigger *t, const struct sched_want *want, struct reason *why)
{
	return sched_start(&t->thread, want, trigger_main, t, why);
}

void trigger_join(struct trigger *t)
{
	pthread_join(t->thread, NULL);
}
