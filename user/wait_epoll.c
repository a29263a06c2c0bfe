// SPDX-License-Identifier: GPL-2.0-only
/*
 * Wait mode epoll: sleeps in epoll_wait(), then reads. Level-triggered, as event loops use it. On
 * the waking side this nests the epoll instance's own lock inside the eventfd's.
 */
#include <errno.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "clock.h"
#include "wait.h"

static int epoll_open(struct wait *w)
{
	struct epoll_event event = { .events = EPOLLIN };
	int ret;

	ret = wait_nonblock(w);
	if (ret)
		return ret;
	w->aux = epoll_create1(EPOLL_CLOEXEC);
	if (w->aux < 0)
		return -errno;
	if (epoll_ctl(w->aux, EPOLL_CTL_ADD, w->on.eventfd, &event)) {
		ret = -errno;
		close(w->aux);
		return ret;
	}
	return 0;
}

static int epoll_do_wait(struct wait *w, struct wake *wake)
{
	struct epoll_event event;

	if (epoll_wait(w->aux, &event, 1, -1) != 1)
		return -errno;
	wake->user = clock_read();
	return wait_consume(w, wake);
}

static void epoll_close(struct wait *w)
{
	close(w->aux);
}

const struct wait_ops wait_epoll = {
	.name = "epoll",
	.summary = "epoll_wait(), then read()",
	.wake = STRATEGY_WAKE_EVENTFD,
	.two_calls = true,
	.open = epoll_open,
	.wait = epoll_do_wait,
	.kick = wait_kick_eventfd,
	.take = wait_take_eventfd,
	.close = epoll_close,
};
