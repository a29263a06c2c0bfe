// SPDX-License-Identifier: GPL-2.0-only
/*
 * Wait mode spin: reads the eventfd without blocking until it holds something. Never sleeps, so
 * every thread the event needs must be able to run elsewhere or above it (run_place.c checks).
 */
#include <errno.h>
#include <unistd.h>

#include "clock.h"
#include "wait.h"

static int spin_wait(struct wait *w, struct wake *wake)
{
	while (read(w->on.eventfd, &wake->value, sizeof(wake->value)) != sizeof(wake->value)) {
		if (errno != EAGAIN)
			return -errno;
		if (atomic_load_explicit(w->stop, memory_order_relaxed))
			return -EINTR;
	}
	wake->user = clock_read();
	wake->done = wake->user;
	return 0;
}

const struct wait_ops wait_spin = {
	.name = "spin",
	.summary = "non-blocking read() of it in a loop",
	.wake = STRATEGY_WAKE_EVENTFD,
	.busy = true,
	.open = wait_nonblock,
	.wait = spin_wait,
	.kick = wait_kick_eventfd,
	.take = wait_take_eventfd,
};
