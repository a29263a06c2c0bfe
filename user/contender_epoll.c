// SPDX-License-Identifier: GPL-2.0-only
/* Contender epoll: adds the eventfd to an epoll instance and removes it, as fast as it can. */
#include <errno.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "contender.h"

static int epoll_open(struct contender *c, struct reason *why)
{
	c->fd[0] = epoll_create1(EPOLL_CLOEXEC);
	if (c->fd[0] < 0)
		return reason_set(why, -errno, "contender epoll: epoll_create1: %s",
				  strerror(errno));
	return 0;
}

static int epoll_step(struct contender *c)
{
	struct epoll_event event = { .events = EPOLLIN };

	if (epoll_ctl(c->fd[0], EPOLL_CTL_ADD, c->eventfd, &event) ||
	    epoll_ctl(c->fd[0], EPOLL_CTL_DEL, c->eventfd, NULL))
		return -errno;
	return 1;
}

static void epoll_close(struct contender *c)
{
	close(c->fd[0]);
}

const struct contender_ops contender_epoll = {
	.name = "epoll",
	.summary = "joins and leaves it by epoll_ctl()",
	.open = epoll_open,
	.step = epoll_step,
	.close = epoll_close,
};
