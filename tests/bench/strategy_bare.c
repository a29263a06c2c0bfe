// SPDX-License-Identifier: GPL-2.0-only
/*
 * Strategy "bare": "nothread" without stamps, records and probe. What those cost together is the
 * difference between the two (make bench); it is good for nothing else, and as unsafe.
 *
 * Context: hard IRQ on every kernel.
 * Wakes by: eventfd_signal(), in hard IRQ.
 * Locks: the eventfd's wait-queue lock in hard IRQ.
 * On RT: NOT allowed, as strategy_nothread.c says.
 */
#include "compat.h"
#include "strategy.h"
#include "vector.h"

static irqreturn_t bare_handler(int irq, void *arg)
{
	struct msilat_vector_ctx *vec = arg;

	compat_eventfd_signal(vec->trigger);
	return IRQ_HANDLED;
}

const struct msilat_strategy_ops msilat_strategy_bare = {
	.id = MSILAT_STRATEGY_OWN,
	.name = "bare",
	.wake = MSILAT_WAKE_EVENTFD,
	.action = {
		.handler = bare_handler,
		.irqflags = IRQF_NO_THREAD,
	},
	.unsafe_on_rt = true,
};
