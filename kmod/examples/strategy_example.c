// SPDX-License-Identifier: GPL-2.0-only
/*
 * Strategy "example": how a handler of one's own is written, built in and judged. See README.md,
 * "Judging your own handler".
 *
 * Like "split", and its primary also keeps the shortest distance between two interrupts of any
 * vector, which a raw spinlock guards: vectors interrupt on several CPUs.
 *
 * Context: IRQF_ONESHOT keeps the primary in hard IRQ on every kernel; the thread function runs in
 *	an IRQ thread.
 * Wakes by: eventfd_signal(), in the thread.
 * Locks: a raw spinlock in the primary, held for a few instructions. The eventfd's wait-queue lock
 *	in the thread.
 * On RT: allowed. A raw spinlock spins on every kernel.
 */
#include <linux/spinlock.h>

#include "deliver.h"
#include "strategy.h"

static DEFINE_RAW_SPINLOCK(example_lock);
static u64 example_last;
static u64 example_shortest = U64_MAX;

static void example_note(u64 now)
{
	/* Stamps of two CPUs may overtake each other on the way to the lock. */
	raw_spin_lock(&example_lock);
	if (example_last && now > example_last)
		example_shortest = min(example_shortest, now - example_last);
	example_last = max(example_last, now);
	raw_spin_unlock(&example_lock);
}

static irqreturn_t example_primary(int irq, void *arg)
{
	msilat_deliver_isr(arg);
	example_note(msilat_clock());
	return IRQ_WAKE_THREAD;
}

static irqreturn_t example_thread(int irq, void *arg)
{
	msilat_deliver_due(arg);
	return IRQ_HANDLED;
}

const struct msilat_strategy_ops msilat_strategy_example = {
	.id = MSILAT_STRATEGY_OWN,
	.name = "example",
	.wake = MSILAT_WAKE_EVENTFD,
	.action = {
		.handler = example_primary,
		.thread_fn = example_thread,
		.irqflags = IRQF_ONESHOT,
	},
};
