// SPDX-License-Identifier: GPL-2.0-only
/*
 * Contender vector: a second vector of the device signals the poller's eventfd. The driver injects
 * its interrupts, on the contender's CPU. Two vectors on one eventfd on two CPUs is what crashed
 * the patch of 2017 (strategy nothread).
 */
#include <errno.h>
#include <string.h>

#include "contender.h"
#include "irq.h"

static int vector_available(const struct device *dev, struct reason *why)
{
	if (!dev->delivery.ops || !dev->delivery.ops->inject)
		return reason_set(why, -ENOTSUP, "needs msilat-vfio-pci, which injects interrupts");
	if (dev->vfio.vectors < dev->cfg.vector + 2)
		return reason_set(why, -ENOTSUP, "the device has no vector after vector %u",
				  dev->cfg.vector);
	return 0;
}

static int vector_open(struct contender *c, struct reason *why)
{
	struct delivery *d = &c->device->delivery;
	struct msilat_counters counters;
	int ret;

	ret = d->ops->counters(d, c->vector + 1, &counters);
	if (ret || !counters.irq)
		return reason_set(why, ret ? ret : -ENODEV, "contender vector: vector %u is not armed",
				  c->vector + 1);
	return irq_route(c->knobs, counters.irq, c->cpu, why);
}

static int vector_step(struct contender *c)
{
	struct delivery *d = &c->device->delivery;
	struct msilat_inject in;
	int ret = d->ops->inject(d, c->vector + 1, &in);

	if (ret == -EBUSY)
		return 0;
	return ret ? ret : 1;
}

const struct contender_ops contender_vector = {
	.name = "vector",
	.summary = "a second vector signals the same eventfd",
	.shares = true,
	.vectors = 1,
	.available = vector_available,
	.open = vector_open,
	.step = vector_step,
};
