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

/*
 * The head is loaded before the stamp, so that every isr record consumed here has an earlier
 * stamp. A primary that publishes between its predecessor's wake-up and that load is consumed at
 * once, and the run it asked for finds nothing left: it does not signal.
 */
static irqreturn_t split_thread(int irq, void *arg)
{
	struct msilat_vector_ctx *vec = arg;
	u64 head = smp_load_acquire(&vec->isrs); /* pairs with msilat_ring_put_isr() */
	u64 entry = msilat_clock();
	u64 first = vec->consumed;

	WRITE_ONCE(vec->threads, vec->threads + 1);
	msilat_probe_thread(vec);
	if (unlikely(head == first))
		return IRQ_HANDLED;

	vec->consumed = head;
	msilat_deliver_signal(vec, entry, first, head - 1);
	return IRQ_HANDLED;
}

const struct msilat_strategy_ops msilat_strategy_split = {
	.id = MSILAT_STRATEGY_SPLIT,
	.name = "split",
	.handler = split_primary,
	.thread_fn = split_thread,
	.irqflags = IRQF_ONESHOT,
};
