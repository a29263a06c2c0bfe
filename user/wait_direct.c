// SPDX-License-Identifier: GPL-2.0-only
/*
 * Wait mode direct: sleeps in MSILAT_WAIT, whose return value is the number of events and consumes
 * them. The generation of the moment it was opened goes along: a re-arm in between would mean that
 * something else than this run has its hands on the device, and ends the wait with ECANCELED.
 */
#include <errno.h>

#include "wait.h"

static int direct_open(struct wait *w)
{
	const struct delivery *d = w->on.delivery;

	if (!d || !d->region || !d->ops || !d->ops->wait)
		return -ENOTSUP;
	w->arg = MSILAT_WAIT_ARG(w->on.vector,
				 __atomic_load_n(&d->region->generation, __ATOMIC_ACQUIRE));
	return 0;
}

static int direct_wait(struct wait *w, struct wake *wake)
{
	int n = w->on.delivery->ops->wait(w->on.delivery, w->arg, &wake->user);

	if (__builtin_expect(n < 0, 0))
		return n;
	wake->value = (uint64_t)n;
	wake->done = wake->user;
	return 0;
}

/* Fails only when the vector is not armed any more, and then no wait sleeps either. */
static uint64_t direct_kick(struct wait *w)
{
	return !w->on.delivery->ops->trigger(w->on.delivery, w->on.vector);
}

/* There is no way to ask without sleeping, but behind an event of one's own there is no sleep. */
static uint64_t direct_take(struct wait *w)
{
	uint64_t user;
	int n;

	if (!direct_kick(w))
		return 0;
	n = w->on.delivery->ops->wait(w->on.delivery, w->arg, &user);
	return n > 0 ? (uint64_t)n - 1 : 0;
}

const struct wait_ops wait_direct = {
	.name = "direct",
	.summary = "the wait ioctl of our driver",
	.wake = STRATEGY_WAKE_WAIT,
	.open = direct_open,
	.wait = direct_wait,
	.kick = direct_kick,
	.take = direct_take,
};
