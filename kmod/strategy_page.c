// SPDX-License-Identifier: GPL-2.0-only
/*
 * Strategy "page": a primary of our own in hard IRQ counts in memory that the waiter spins on.
 *
 * Context: hard IRQ on every kernel: IRQF_NO_THREAD with MSILAT_SELECT_NO_EVENTFD; else
 *	IRQF_ONESHOT with an IRQ thread, which does nothing but signal the eventfd.
 * Wakes by: a store to msilat_vector.page_events in the mapped region. Nobody is woken: the waiter
 *	runs all the time.
 * Locks: none in the primary. The eventfd's wait-queue lock in the IRQ thread, if there is one.
 * On RT: allowed. The primary stores to memory that the kernel owns and user space can only read.
 * On other kernels: allowed, and the same.
 *
 * A waiter that spins above the trigger, or above the IRQ thread, on the same CPU never sees an
 * end: that is for the program to avoid.
 */
#include "deliver.h"
#include "strategy.h"

/* Returns true if the event has been published. */
static __always_inline bool page_deliver(struct msilat_vector_ctx *vec)
{
	u64 n = msilat_deliver_isr(vec);

	WRITE_ONCE(vec->threads, vec->threads + 1);
	if (!msilat_deliver_record(vec, 0, n, n))
		return false;
	msilat_ring_publish_event(vec);
	return true;
}

static irqreturn_t page_primary(int irq, void *arg)
{
	return page_deliver(arg) ? IRQ_WAKE_THREAD : IRQ_HANDLED;
}

static irqreturn_t page_thread(int irq, void *arg)
{
	msilat_deliver_eventfd(arg);
	return IRQ_HANDLED;
}

static irqreturn_t page_alone(int irq, void *arg)
{
	page_deliver(arg);
	return IRQ_HANDLED;
}

const struct msilat_strategy_ops msilat_strategy_page = {
	.id = MSILAT_STRATEGY_PAGE,
	.name = "page",
	.wake = MSILAT_WAKE_PAGE,
	.action = {
		.handler = page_primary,
		.thread_fn = page_thread,
		.irqflags = IRQF_ONESHOT,
	},
	.alone = {
		.handler = page_alone,
		.irqflags = IRQF_NO_THREAD,
	},
};
