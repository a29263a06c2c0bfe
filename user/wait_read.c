// SPDX-License-Identifier: GPL-2.0-only
/* Wait mode read: sleeps in read() on the eventfd, which also consumes the event. */
#include <errno.h>
#include <unistd.h>

#include "clock.h"
#include "wait.h"

static int read_wait(struct wait *w, struct wake *wake)
{
	if (read(w->on.eventfd, &wake->value, sizeof(wake->value)) != sizeof(wake->value))
		return -errno;
	wake->user = clock_read();
	wake->done = wake->user;
	return 0;
}

const struct wait_ops wait_read = {
	.name = "read",
	.summary = "blocking read() of the eventfd",
	.wake = STRATEGY_WAKE_EVENTFD,
	.wait = read_wait,
	.kick = wait_kick_eventfd,
	.take = wait_take_eventfd,
};
