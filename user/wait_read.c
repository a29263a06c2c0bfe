// SPDX-License-Identifier: GPL-2.0-only
/* Wait mode read: sleeps in read() on the eventfd, which also consumes the event. */
#include <errno.h>
#include <unistd.h>

#include "clock.h"
#include "wait.h"

static int read_open(struct wait *w)
{
	(void)w;
	return 0;
}

static int read_wait(struct wait *w, struct wake *wake)
{
	if (read(w->fd, &wake->value, sizeof(wake->value)) != sizeof(wake->value))
		return -errno;
	wake->user = clock_read();
	wake->done = wake->user;
	return 0;
}

static void read_close(struct wait *w)
{
	(void)w;
}

const struct wait_ops wait_read = {
	.name = "read",
	.summary = "blocking read() of the eventfd",
	.open = read_open,
	.wait = read_wait,
	.close = read_close,
};
