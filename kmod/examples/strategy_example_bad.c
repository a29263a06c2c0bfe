// SPDX-License-Identifier: GPL-2.0-only
/*
 * Strategy "example-bad": strategy_example.c with the mistake that is easiest to make: the lock in
 * the primary is a spinlock_t. It works on every kernel without PREEMPT_RT, and on RT too for as
 * long as nobody else holds the lock. It is here to be reported.
 *
 * Context: hard IRQ, then an IRQ thread, as "example".
 * Wakes by: eventfd_signal(), in the thread.
 * Locks: a spinlock_t in the primary. The eventfd's wait-queue lock in the thread.
 * On RT: NOT allowed. spinlock_t is a sleeping lock there.
 */
#include <linux/spinlock.h>

#include "deliver.h"
#include "strategy.h"

static DEFINE_SPINLOCK(example_bad_lock);
static u64 example_bad_last;
static u64 example_bad_shortest = U64_MAX;

static void example_bad_note(u64 now)
{
	spin_lock(&example_bad_lock);
	if (example_bad_last && now > example_bad_last)
		example_bad_shortest = min(example_bad_shortest, now - example_bad_last);
	example_bad_last = max(example_bad_last, now);
	spin_unlock(&example_bad_lock);
}

static irqreturn_t example_bad_primary(int irq, void *arg)
{
	msilat_deliver_isr(arg);
	example_bad_note(msilat_clock());
	return IRQ_WAKE_THREAD;
}

static irqreturn_t example_bad_thread(int irq, void *arg)
{
	msilat_deliver_due(arg);
	return IRQ_HANDLED;
}

const struct msilat_strategy_ops msilat_strategy_example_bad = {
	.id = MSILAT_STRATEGY_OWN,
	.name = "example-bad",
	.wake = MSILAT_WAKE_EVENTFD,
	.action = {
		.handler = example_bad_primary,
		.thread_fn = example_bad_thread,
		.irqflags = IRQF_ONESHOT,
	},
};
