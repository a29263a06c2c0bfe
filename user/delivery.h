/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef MSILAT_DELIVERY_H
#define MSILAT_DELIVERY_H

#include <stdint.h>

#include "../kmod/uapi/msilat.h"
#include "reason.h"
#include "strategy.h"
#include "vfio.h"

struct delivery;

/**
 * struct delivery_ops - who delivers the interrupts
 * @select: puts a strategy in force for all vectors. -EPERM when it is not permitted; @why names
 *	the remedy.
 * @counters: fills the counters of a vector.
 */
struct delivery_ops {
	int (*select)(struct delivery *d, const struct strategy *strategy, struct reason *why);
	int (*counters)(struct delivery *d, uint32_t vector, struct msilat_counters *c);
};

/**
 * struct delivery - the driver's side of a device: strategy, counters, stamps
 * @ops: NULL on stock vfio-pci, which counts and stamps nothing for us.
 * @region: mapped ring region, NULL on stock.
 * @size: size of the mapping.
 * @fd: VFIO device file descriptor.
 * @priv: for the ops.
 */
struct delivery {
	const struct delivery_ops *ops;
	const struct msilat_region *region;
	size_t size;
	int fd;
	void *priv;
};

/**
 * delivery_open - find out which driver a VFIO device is bound to
 * @d: filled. @d->ops stays NULL on a driver that does not know MSILAT_CTL.
 *
 * Return: 0, -EPROTO when our driver is of another version, or -errno.
 */
int delivery_open(struct delivery *d, struct vfio *v, struct reason *why);
void delivery_close(struct delivery *d);

/**
 * delivery_isr - copy one isr record
 * @vector: vector.
 * @n: record number, from 0.
 *
 * Any thread; takes no lock. Return: 0, -EAGAIN (not yet written), -ESTALE (overwritten).
 */
int delivery_isr(const struct delivery *d, uint32_t vector, uint64_t n, struct msilat_isr *record);

/** delivery_record - copy one delivery record; as delivery_isr() */
int delivery_record(const struct delivery *d, uint32_t vector, uint64_t n,
		    struct msilat_delivery *record);

/** delivery_head - delivery records ever written for a vector; 0 without a region */
uint64_t delivery_head(const struct delivery *d, uint32_t vector);

#endif
