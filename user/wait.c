// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "clock.h"
#include "wait.h"

/* The first mode that a wake has is its default. */
static const struct wait_ops *const modes[] = {
	&wait_read,
	&wait_poll,
	&wait_epoll,
	&wait_spin,
	&wait_direct,
	&wait_page,
};

const struct wait_ops *wait_mode(unsigned int i)
{
	return i < sizeof(modes) / sizeof(modes[0]) ? modes[i] : NULL;
}

const struct wait_ops *wait_find(const char *name)
{
	const struct wait_ops *ops;
	unsigned int i;

	for (i = 0; (ops = wait_mode(i)); i++)
		if (!strcmp(ops->name, name))
			return ops;
	return NULL;
}

const struct wait_ops *wait_default(const struct strategy *strategy)
{
	unsigned int i = 0;

	while (wait_mode(i)->wake != strategy->wake)
		i++;
	return wait_mode(i);
}

int wait_open(struct wait *w, const struct wait_ops *ops, const struct wait_target *on,
	      const _Atomic int *stop, struct reason *why)
{
	int ret = 0;

	*w = (struct wait){
		.ops = ops,
		.on = *on,
		.aux = -1,
		.stop = stop,
	};
	if (ops->open)
		ret = ops->open(w);
	if (ret)
		return reason_set(why, ret, "wait mode %s: %s", ops->name, strerror(-ret));
	return 0;
}

void wait_close(struct wait *w)
{
	if (w->ops->close)
		w->ops->close(w);
}

int wait_nonblock(struct wait *w)
{
	int flags = fcntl(w->on.eventfd, F_GETFL);

	if (flags < 0 || fcntl(w->on.eventfd, F_SETFL, flags | O_NONBLOCK) < 0)
		return -errno;
	return 0;
}

int wait_consume(struct wait *w, struct wake *wake)
{
	if (read(w->on.eventfd, &wake->value, sizeof(wake->value)) != sizeof(wake->value))
		return -errno;
	wake->done = clock_read();
	return 0;
}

uint64_t wait_kick_eventfd(struct wait *w)
{
	return !eventfd_write(w->on.eventfd, 1);
}

uint64_t wait_take_eventfd(struct wait *w)
{
	eventfd_t rest = 0;

	if (!wait_nonblock(w))
		eventfd_read(w->on.eventfd, &rest);
	return rest;
}
