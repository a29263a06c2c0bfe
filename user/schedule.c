// SPDX-License-Identifier: GPL-2.0-only
#include <time.h>

#include "clock.h"
#include "schedule.h"

#define SECOND 1000000000ull
#define SLICE (SECOND / 10)	/* longest sleep without a look at @stop */

uint64_t schedule_random(uint64_t *state)
{
	uint64_t x = *state;

	x ^= x >> 12;
	x ^= x << 25;
	x ^= x >> 27;
	*state = x;
	return x * 0x2545f4914f6cdd1dull;
}

static int sleep_until(struct schedule *s, uint64_t end)
{
	uint64_t now = clock_monotonic(), slice;
	struct timespec ts;

	while (now < end) {
		slice = end - now > SLICE ? now + SLICE : end;
		ts.tv_sec = (time_t)(slice / SECOND);
		ts.tv_nsec = (long)(slice % SECOND);
		clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &ts, NULL);
		if (atomic_load_explicit(s->stop, memory_order_relaxed))
			return 1;
		now = slice;
	}
	return 0;
}

int schedule_wait(struct schedule *s)
{
	uint64_t pause = s->interval_ns;

	if (atomic_load_explicit(s->stop, memory_order_relaxed) ||
	    (s->count && s->fired >= s->count))
		return 1;
	if (s->jitter_ns)
		pause += schedule_random(&s->random) % (s->jitter_ns + 1);
	return sleep_until(s, clock_monotonic() + pause);
}

int schedule_send(struct schedule *s)
{
	uint64_t n = s->burst, i;
	int ret;

	if (s->count && s->count - s->fired < n)
		n = s->count - s->fired;
	for (i = 0; i < n; i++) {
		if (s->timer)
			ret = s->device->ops->schedule(s->device, &s->due);
		else
			ret = s->device->ops->fire(s->device);
		if (ret)
			return ret;
	}
	/* One writer; noted only now so that firing itself stays short. */
	atomic_store_explicit(&s->fired, s->fired + n, memory_order_release);
	return 0;
}
