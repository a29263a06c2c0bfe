// SPDX-License-Identifier: GPL-2.0-only
/* Wait mode poll: sleeps in poll(), then reads. */
#include <errno.h>
#include <poll.h>

#include "clock.h"
#include "wait.h"

static int poll_open(struct wait *w)
{
	return wait_nonblock(w);
}

static int poll_wait(struct wait *w, struct wake *wake)
{
	struct pollfd p = { .fd = w->fd, .events = POLLIN };

	if (poll(&p, 1, -1) != 1)
		return -errno;
	wake->user = clock_read();
	return wait_consume(w, wake);
}

static void poll_close(struct wait *w)
{
	(void)w;
}

const struct wait_ops wait_poll = {
	.name = "poll",
	.summary = "poll(), then read()",
	.two_calls = true,
	.open = poll_open,
	.wait = poll_wait,
	.close = poll_close,
};
