// SPDX-License-Identifier: GPL-2.0-only
/*
 * Strategy "split": a primary of our own in hard IRQ, the signal in our IRQ thread.
 *
 * Context: IRQF_ONESHOT exempts the primary from forced threading, so it runs in hard IRQ on every
 *	kernel. The thread function runs in a normal IRQ thread: unlike a forced one, with
 *	softirqs enabled.
 * Wakes by: eventfd_signal(), in the thread.
 * Locks: none in the primary. The eventfd's wait-queue lock in the thread.
 * On RT: allowed. The primary reads lock words, takes no lock and does a bounded amount of work;
 *	every sleeping lock is taken in the thread.
 *
 * MSI domains are ONESHOT-safe: the kernel does not mask the vector while the thread runs.
 */
#include "deliver.h"
#include "strategy.h"

static irqreturn_t split_primary(int irq, void *arg)
{
	struct msilat_vector_ctx *vec = arg;

	msilat_deliver_isr(vec);
	return IRQ_WAKE_THREAD;
}

static irqreturn_t split_thread(int irq, void *arg)
{
	msilat_deliver_due(arg);
	return IRQ_HANDLED;
}

const struct msilat_strategy_ops msilat_strategy_split = {
	.id = MSILAT_STRATEGY_SPLIT,
	.name = "split",
	.wake = MSILAT_WAKE_EVENTFD,
	.action = {
		.handler = split_primary,
		.thread_fn = split_thread,
		.irqflags = IRQF_ONESHOT,
	},
};
