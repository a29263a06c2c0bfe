// SPDX-License-Identifier: GPL-2.0-only
/*
 * Strategy "thread": what vfio-pci does, with stamps.
 *
 * Context: the handler asks for nothing, so PREEMPT_RT (or threadirqs) moves it into the IRQ
 *	thread; other kernels run it in hard IRQ.
 * Wakes by: eventfd_signal().
 * Locks: the eventfd's wait-queue lock, in the IRQ thread; what hangs behind it (epoll, KVM).
 * On RT: allowed. A sleeping lock may be taken where the kernel chose to run the handler.
 *
 * The hard-IRQ primary is the kernel's own, so there is no isr record and no hazard probe.
 */
#include "deliver.h"
#include "strategy.h"

static irqreturn_t thread_handler(int irq, void *arg)
{
	struct msilat_vector_ctx *vec = arg;
	u64 entry = msilat_deliver_entry(vec);

	msilat_deliver_signal(vec, entry, MSILAT_NO_ISR, MSILAT_NO_ISR);
	return IRQ_HANDLED;
}

const struct msilat_strategy_ops msilat_strategy_thread = {
	.id = MSILAT_STRATEGY_THREAD,
	.name = "thread",
	.wake = MSILAT_WAKE_EVENTFD,
	.action = {
		.handler = thread_handler,
	},
	.bypass = true,
};
