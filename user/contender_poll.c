// SPDX-License-Identifier: GPL-2.0-only
/*
 * Contender poll: adds itself to the eventfd's wait queue and removes itself, as fast as it can.
 *
 * poll() with a time-out of 0 would not do: it asks every file for its state and queues nowhere. So
 * the eventfd comes first and behind it a descriptor that is always ready: the call queues at the
 * eventfd (its lock is taken), finds the other ready, leaves the queue (again) and returns.
 */
#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "contender.h"

static int poll_open(struct contender *c, struct reason *why)
{
	c->fd[0] = eventfd(1, EFD_CLOEXEC);
	if (c->fd[0] < 0)
		return reason_set(why, -errno, "contender poll: eventfd: %s", strerror(errno));
	return 0;
}

static int poll_step(struct contender *c)
{
	struct pollfd p[2] = {
		{ .fd = c->eventfd, .events = POLLIN },
		{ .fd = c->fd[0], .events = POLLIN },
	};

	if (poll(p, 2, -1) < 0)
		return errno == EINTR ? 0 : -errno;
	return 1;
}

static void poll_close(struct contender *c)
{
	close(c->fd[0]);
}

const struct contender_ops contender_poll = {
	.name = "poll",
	.summary = "joins and leaves the eventfd's wait queue by poll()",
	.open = poll_open,
	.step = poll_step,
	.close = poll_close,
};
