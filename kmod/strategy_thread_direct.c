// SPDX-License-Identifier: GPL-2.0-only
/*
 * Strategy "thread-direct": the kernel's own IRQ thread, but the waiter without an eventfd.
 *
 * Context: as "thread": the handler asks for nothing, so PREEMPT_RT (or threadirqs) moves it into
 *	the IRQ thread; other kernels run it in hard IRQ.
 * Wakes by: MSILAT_WAIT, then eventfd_signal() unless MSILAT_SELECT_NO_EVENTFD is set.
 * Locks: the raw ones of a wake-up; then the eventfd's wait-queue lock and what hangs behind it
 *	(epoll, KVM), in the IRQ thread, unless MSILAT_SELECT_NO_EVENTFD is set.
 * On RT: allowed. A sleeping lock may be taken where the kernel chose to run the handler.
 * On other kernels: allowed, without the thread (its stamp is 0), as vfio-pci without threadirqs.
 *
 * With "thread" it tells what the eventfd costs, with "direct" what the thread costs. The hard-IRQ
 * primary is the kernel's own, so there is no isr record and no hazard probe.
 */
#include "deliver.h"
#include "strategy.h"

/* The waiter first: a waiter above the IRQ thread then runs at once, and not into the eventfd. */
static __always_inline void thread_direct_deliver(struct msilat_vector_ctx *vec, bool eventfd)
{
	u64 entry = msilat_deliver_entry(vec);

	if (!msilat_deliver_record(vec, entry, MSILAT_NO_ISR, MSILAT_NO_ISR))
		return;
	msilat_wait_post(&vec->wait);
	if (eventfd)
		msilat_deliver_eventfd(vec);
}

static irqreturn_t thread_direct_handler(int irq, void *arg)
{
	thread_direct_deliver(arg, true);
	return IRQ_HANDLED;
}

static irqreturn_t thread_direct_alone(int irq, void *arg)
{
	thread_direct_deliver(arg, false);
	return IRQ_HANDLED;
}

const struct msilat_strategy_ops msilat_strategy_thread_direct = {
	.id = MSILAT_STRATEGY_THREAD_DIRECT,
	.name = "thread-direct",
	.wake = MSILAT_WAKE_WAIT,
	.action = {
		.handler = thread_direct_handler,
	},
	.alone = {
		.handler = thread_direct_alone,
	},
};
