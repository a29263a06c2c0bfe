// SPDX-License-Identifier: GPL-2.0-only
#include <stddef.h>
#include <string.h>

#include "../kmod/uapi/msilat.h"
#include "strategy.h"

#define OURS "msilat-vfio-pci"

static const struct strategy strategies[] = {
	{ "stock", MSILAT_STRATEGY_STOCK, "vfio-pci", true, false, true,
	  "plain vfio-pci: forced IRQ thread, eventfd" },
	{ "thread", MSILAT_STRATEGY_THREAD, OURS, true, false, true,
	  "the same in our driver; must equal stock" },
	{ "split", MSILAT_STRATEGY_SPLIT, OURS, true, true, true,
	  "primary handler in hard IRQ, eventfd signalled in our IRQ thread" },
	{ "nothread", MSILAT_STRATEGY_NOTHREAD, OURS, false, true, false,
	  "eventfd signalled in hard IRQ (IRQF_NO_THREAD): unsafe on PREEMPT_RT" },
};

const struct strategy *strategy_at(unsigned int i)
{
	return i < sizeof(strategies) / sizeof(strategies[0]) ? &strategies[i] : NULL;
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
