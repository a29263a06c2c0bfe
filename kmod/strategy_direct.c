// SPDX-License-Identifier: GPL-2.0-only
/*
 * Strategy "direct": a primary of our own in hard IRQ wakes the waiter itself.
 *
 * Context: hard IRQ on every kernel: IRQF_NO_THREAD with MSILAT_SELECT_NO_EVENTFD; else
 *	IRQF_ONESHOT with an IRQ thread, which does nothing but signal the eventfd.
 * Wakes by: MSILAT_WAIT, in hard IRQ.
 * Locks: the raw ones of a wake-up. The eventfd's wait-queue lock in the IRQ thread, if there is
 *	one.
 * On RT: allowed. rcuwait_wake_up() takes the waiter's raw pi_lock and a run queue's, never a
 *	sleeping lock, and wakes one task: the work is bounded, whoever waits.
 * On other kernels: allowed, and the same.
 *
 * No thread lies between device and waiter, no eventfd either: the shortest safe way to sleep.
 */
#include "deliver.h"
#include "strategy.h"

/* Returns true if the waiter has been woken. */
static __always_inline bool direct_deliver(struct msilat_vector_ctx *vec)
{
	u64 n = msilat_deliver_isr(vec);

	WRITE_ONCE(vec->threads, vec->threads + 1);
	if (!msilat_deliver_record(vec, 0, n, n))
		return false;
	msilat_wait_post(&vec->wait);
	return true;
}

static irqreturn_t direct_primary(int irq, void *arg)
{
	return direct_deliver(arg) ? IRQ_WAKE_THREAD : IRQ_HANDLED;
}

static irqreturn_t direct_thread(int irq, void *arg)
{
	msilat_deliver_eventfd(arg);
	return IRQ_HANDLED;
}

static irqreturn_t direct_alone(int irq, void *arg)
{
	direct_deliver(arg);
	return IRQ_HANDLED;
}

const struct msilat_strategy_ops msilat_strategy_direct = {
	.id = MSILAT_STRATEGY_DIRECT,
	.name = "direct",
	.wake = MSILAT_WAKE_WAIT,
	.action = {
		.handler = direct_primary,
		.thread_fn = direct_thread,
		.irqflags = IRQF_ONESHOT,
	},
	.alone = {
		.handler = direct_alone,
		.irqflags = IRQF_NO_THREAD,
	},
};
