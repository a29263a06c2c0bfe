// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

#include "clock.h"
#include "wait.h"

static const struct wait_ops *const modes[] = {
	&wait_read,
	&wait_poll,
	&wait_epoll,
	&wait_spin,
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

int wait_open(struct wait *w, const struct wait_ops *ops, int fd, const _Atomic int *stop,
	      struct reason *why)
{
	int ret;

	w->ops = ops;
	w->fd = fd;
	w->aux = -1;
	w->stop = stop;
	ret = ops->open(w);
	if (ret)
		return reason_set(why, ret, "wait mode %s: %s", ops->name, strerror(-ret));
	return 0;
}

void wait_close(struct wait *w)
{
	w->ops->close(w);
}

int wait_nonblock(struct wait *w)
{
	int flags = fcntl(w->fd, F_GETFL);

	if (flags < 0 || fcntl(w->fd, F_SETFL, flags | O_NONBLOCK) < 0)
		return -errno;
	return 0;
}

int wait_consume(struct wait *w, struct wake *wake)
{
	if (read(w->fd, &wake->value, sizeof(wake->value)) != sizeof(wake->value))
		return -errno;
	wake->done = clock_read();
	return 0;
}
