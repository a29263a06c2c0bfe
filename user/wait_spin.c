// SPDX-License-Identifier: GPL-2.0-only
/*
 * Wait mode spin: reads the eventfd without blocking until it holds something. Never sleeps, so
 * every thread the event needs must be able to run elsewhere or above it (run.c checks).
 */
#include <errno.h>
#include <unistd.h>

#include "clock.h"
#include "wait.h"

static int spin_open(struct wait *w)
{
	return wait_nonblock(w);
}

static int spin_wait(struct wait *w, struct wake *wake)
{
	while (read(w->fd, &wake->value, sizeof(wake->value)) != sizeof(wake->value)) {
		if (errno != EAGAIN)
			return -errno;
		if (atomic_load_explicit(w->stop, memory_order_relaxed))
			return -EINTR;
	}
	wake->user = clock_read();
	wake->done = wake->user;
	return 0;
}

static void spin_close(struct wait *w)
{
	(void)w;
}

const struct wait_ops wait_spin = {
	.name = "spin",
	.summary = "non-blocking read() in a loop",
	.busy = true,
	.open = spin_open,
	.wait = spin_wait,
	.close = spin_close,
};
