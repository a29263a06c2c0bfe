// SPDX-License-Identifier: GPL-2.0-only
/*
 * Contender reader: a second reader of the eventfd. It takes events that the poller then never
 * sees; what it took is counted, and the account closes.
 */
#include <errno.h>
#include <poll.h>
#include <unistd.h>

#include "contender.h"

static int reader_step(struct contender *c)
{
	struct pollfd p = { .fd = c->eventfd, .events = POLLIN };
	uint64_t value;

	if (read(c->eventfd, &value, sizeof(value)) == sizeof(value)) {
		shared_take(c->shared, c->device, value);
		return 1;
	}
	/* Wait modes with a system call for the wait make the descriptor non-blocking. */
	if (errno == EAGAIN && poll(&p, 1, -1) >= 0)
		return 0;
	return errno == EINTR ? 0 : -errno;
}

const struct contender_ops contender_reader = {
	.name = "reader",
	.summary = "a second reader, which takes events",
	.shares = true,
	.waits = true,
	.step = reader_step,
};
