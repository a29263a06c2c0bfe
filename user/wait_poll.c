// SPDX-License-Identifier: GPL-2.0-only
/* Wait mode poll: sleeps in poll(), then reads. */
#include <errno.h>
#include <poll.h>

#include "clock.h"
#include "wait.h"

static int poll_wait(struct wait *w, struct wake *wake)
{
	struct pollfd p = { .fd = w->on.eventfd, .events = POLLIN };

	if (poll(&p, 1, -1) != 1)
		return -errno;
	wake->user = clock_read();
	return wait_consume(w, wake);
}

const struct wait_ops wait_poll = {
	.name = "poll",
	.summary = "poll(), then read()",
	.wake = STRATEGY_WAKE_EVENTFD,
	.two_calls = true,
	.open = wait_nonblock,
	.wait = poll_wait,
	.kick = wait_kick_eventfd,
	.take = wait_take_eventfd,
};
