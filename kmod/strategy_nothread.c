// SPDX-License-Identifier: GPL-2.0-only
/*
 * Strategy "nothread": the signal in hard IRQ. What a patch for vfio-pci proposed in 2017.
 *
 * Context: IRQF_NO_THREAD exempts the handler from forced threading: hard IRQ on every kernel.
 * Wakes by: eventfd_signal(), in hard IRQ.
 * Locks: the eventfd's wait-queue lock in hard IRQ, and all that hangs behind it (epoll, KVM).
 * On RT: NOT allowed. The wait-queue lock is a sleeping lock there. Contended, it schedules in
 *	hard IRQ, or spins with interrupts enabled, or waits for the very task it interrupted; and
 *	a task interrupted inside eventfd code makes the recursion guard drop the event. It is
 *	here to be measured and to show what it breaks, see strategy.c for the gate.
 * On other kernels the lock is a raw spinlock that is never held with interrupts enabled, and this
 * is how vfio-pci works without threadirqs: allowed.
 */
#include "deliver.h"
#include "strategy.h"

static irqreturn_t nothread_handler(int irq, void *arg)
{
	struct msilat_vector_ctx *vec = arg;
	u64 n = msilat_deliver_isr(vec);

	WRITE_ONCE(vec->threads, vec->threads + 1);
	/* The guard refuses inside eventfd_signal(), silently after its first warning. */
	if (unlikely(!eventfd_signal_allowed()))
		WRITE_ONCE(vec->guarded, vec->guarded + 1);

	vec->consumed = n + 1;
	msilat_deliver_signal(vec, 0, n, n);
	return IRQ_HANDLED;
}

const struct msilat_strategy_ops msilat_strategy_nothread = {
	.id = MSILAT_STRATEGY_NOTHREAD,
	.name = "nothread",
	.wake = MSILAT_WAKE_EVENTFD,
	.action = {
		.handler = nothread_handler,
		.irqflags = IRQF_NO_THREAD,
	},
	.unsafe_on_rt = true,
};
