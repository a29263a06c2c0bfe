// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "device.h"

static const struct device_ops *const backends[] = {
	&device_edu,
	&device_inject,
	&device_sim,
};

const struct device_ops *device_backend(unsigned int i)
{
	return i < sizeof(backends) / sizeof(backends[0]) ? backends[i] : NULL;
}

const char *device_backend_name(unsigned int i)
{
	const struct device_ops *ops = device_backend(i);

	return ops ? ops->name : NULL;
}

const struct device_ops *device_find(const char *name)
{
	const struct device_ops *ops;
	unsigned int i;

	for (i = 0; (ops = device_backend(i)); i++)
		if (!strcmp(ops->name, name))
			return ops;
	return NULL;
}

const struct device_ops *device_best(const struct pci_function *fn)
{
	const struct device_ops *ops;
	unsigned int i;

	for (i = 0; (ops = device_backend(i)); i++)
		if (ops->matches && ops->matches(fn))
			return ops;
	return NULL;
}

int device_open(struct device *dev, const struct device_ops *ops, const struct device_config *cfg,
		struct reason *why)
{
	int ret;

	memset(dev, 0, sizeof(*dev));
	dev->ops = ops;
	dev->cfg = *cfg;
	dev->noted = ops->observe == device_noted_observe;
	if (!ops->matches)
		return ops->open(dev, cfg, why);
	ret = vfio_open(&dev->vfio, cfg->bdf, why);
	if (ret)
		return ret;
	if (!ops->matches(&dev->vfio.fn)) {
		ret = reason_set(why, -ENODEV, "%s: backend %s does not know device %04x:%04x",
				 cfg->bdf, ops->name, dev->vfio.fn.vendor, dev->vfio.fn.device);
		goto close_vfio;
	}
	if (cfg->vector >= dev->vfio.vectors) {
		ret = reason_set(why, -EINVAL, "%s: vector %u: the device has %u", cfg->bdf,
				 cfg->vector, dev->vfio.vectors);
		goto close_vfio;
	}
	ret = delivery_open(&dev->delivery, &dev->vfio, why);
	if (ret)
		goto close_vfio;
	ret = vfio_bus_master(&dev->vfio, why);
	if (ret)
		goto close_delivery;
	ret = ops->open(dev, cfg, why);
	if (ret)
		goto close_delivery;
	return 0;

close_delivery:
	delivery_close(&dev->delivery);
close_vfio:
	vfio_close(&dev->vfio);
	return ret;
}

void device_close(struct device *dev)
{
	dev->ops->close(dev);
	if (!dev->ops->matches)
		return;
	delivery_close(&dev->delivery);
	vfio_close(&dev->vfio);
}

int device_arm(struct device *dev, int fd, struct reason *why)
{
	uint32_t count = dev->cfg.vector + 1 + dev->cfg.sharing, i;
	int *fds, ret;

	if (dev->ops->arm)
		return dev->ops->arm(dev, fd, why);
	fds = malloc(count * sizeof(*fds));
	if (!fds)
		return -ENOMEM;
	for (i = 0; i < count; i++)
		fds[i] = i < dev->cfg.vector ? -1 : fd;
	ret = vfio_arm(&dev->vfio, fds, count, why);
	free(fds);
	return ret;
}

void device_disarm(struct device *dev)
{
	if (dev->ops->disarm)
		dev->ops->disarm(dev);
	else
		vfio_disarm(&dev->vfio);
}

unsigned int device_irq(struct device *dev)
{
	unsigned int irqs[4096];
	struct msilat_counters c;
	int n;

	if (!dev->ops->matches)
		return 0;
	if (dev->delivery.ops && !dev->delivery.ops->counters(&dev->delivery, dev->cfg.vector, &c))
		return c.irq;
	/* Plain vfio-pci: vectors get their numbers in ascending order. */
	n = pci_irqs(dev->cfg.bdf, irqs, (int)(sizeof(irqs) / sizeof(irqs[0])));
	return n > (int)dev->cfg.vector ? irqs[dev->cfg.vector] : 0;
}

uint64_t device_noted_sequence(struct device *dev)
{
	return atomic_load_explicit(&dev->fired.count, memory_order_acquire);
}

void device_noted_observe(struct device *dev, uint64_t user, uint64_t seen, struct observation *o)
{
	fired_observe(&dev->fired, user, seen, o);
}
