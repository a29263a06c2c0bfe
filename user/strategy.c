// SPDX-License-Identifier: GPL-2.0-only
#include <stddef.h>
#include <string.h>

#include "../kmod/uapi/msilat.h"
#include "strategy.h"

#define OURS "msilat-vfio-pci"

static const struct strategy strategies[] = {
	{ "stock", MSILAT_STRATEGY_STOCK, "vfio-pci",
	  STRATEGY_WAKE_EVENTFD, STRATEGY_THREAD_IRQ, false, true,
	  "plain vfio-pci: forced IRQ thread, eventfd" },
	{ "thread", MSILAT_STRATEGY_THREAD, OURS,
	  STRATEGY_WAKE_EVENTFD, STRATEGY_THREAD_IRQ, false, true,
	  "the same in our driver; must equal stock" },
	{ "split", MSILAT_STRATEGY_SPLIT, OURS,
	  STRATEGY_WAKE_EVENTFD, STRATEGY_THREAD_IRQ, true, true,
	  "primary in hard IRQ, eventfd from our IRQ thread" },
	{ "kthread", MSILAT_STRATEGY_KTHREAD, OURS,
	  STRATEGY_WAKE_EVENTFD, STRATEGY_THREAD_KTHREAD, true, true,
	  "primary in hard IRQ, eventfd from a FIFO kthread" },
	{ "irqwork", MSILAT_STRATEGY_IRQWORK, OURS,
	  STRATEGY_WAKE_EVENTFD, STRATEGY_THREAD_IRQ_WORK, true, true,
	  "primary in hard IRQ, eventfd from an irq_work" },
	{ "nothread", MSILAT_STRATEGY_NOTHREAD, OURS,
	  STRATEGY_WAKE_EVENTFD, STRATEGY_THREAD_NONE, true, false,
	  "eventfd from hard IRQ: unsafe on PREEMPT_RT" },
	{ "thread-direct", MSILAT_STRATEGY_THREAD_DIRECT, OURS,
	  STRATEGY_WAKE_WAIT, STRATEGY_THREAD_IRQ, false, true,
	  "forced IRQ thread wakes the wait ioctl" },
	{ "direct", MSILAT_STRATEGY_DIRECT, OURS,
	  STRATEGY_WAKE_WAIT, STRATEGY_THREAD_NONE, true, true,
	  "hard IRQ wakes the wait ioctl" },
	{ "page", MSILAT_STRATEGY_PAGE, OURS,
	  STRATEGY_WAKE_PAGE, STRATEGY_THREAD_NONE, true, true,
	  "hard IRQ publishes in a mapped page" },
};

static const char *const wakes[STRATEGY_WAKES] = {
	[STRATEGY_WAKE_EVENTFD] = "eventfd",
	[STRATEGY_WAKE_WAIT] = "wait ioctl",
	[STRATEGY_WAKE_PAGE] = "page",
};

static const char *const threads[] = {
	[STRATEGY_THREAD_NONE] = "none",
	[STRATEGY_THREAD_IRQ] = "IRQ thread",
	[STRATEGY_THREAD_KTHREAD] = "kthread",
	[STRATEGY_THREAD_IRQ_WORK] = "irq_work thread",
};

const struct strategy *strategy_at(unsigned int i)
{
	return i < sizeof(strategies) / sizeof(strategies[0]) ? &strategies[i] : NULL;
}

const char *strategy_name(unsigned int i)
{
	const struct strategy *s = strategy_at(i);

	return s ? s->name : NULL;
}

const struct strategy *strategy_find(const char *name)
{
	const struct strategy *s;
	unsigned int i;

	for (i = 0; (s = strategy_at(i)); i++)
		if (!strcmp(s->name, name))
			return s;
	return NULL;
}

bool strategy_ours(const struct strategy *s)
{
	return !strcmp(s->driver, OURS);
}

const char *strategy_wake_name(enum strategy_wake wake)
{
	return wakes[wake];
}

const char *strategy_thread_name(enum strategy_thread thread)
{
	return threads[thread];
}
