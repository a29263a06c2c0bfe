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
 * @select: puts a strategy in force for all vectors. @flags: MSILAT_SELECT_*. -EPERM when it is not
 *	permitted; @why names the remedy.
 * @counters: fills the counters of a vector.
 * @wait: MSILAT_WAIT with argument @arg: sleeps until the vector is delivered. @user receives the
 *	cycle count of the return. Number of events or -errno. The poller's hot path.
 * @inject: raises the vector's interrupt without the device; @in receives stamp and count.
 *	-EBUSY while no handler has run for the one before. Any thread.
 * @trigger: a loopback trigger: the waiter is woken once as by an interrupt, by whatever wakes it,
 *	without a record. Any thread. -EINVAL when the vector is not armed.
 */
struct delivery_ops {
	int (*select)(struct delivery *d, const struct strategy *strategy, uint32_t flags,
		      struct reason *why);
	int (*counters)(const struct delivery *d, uint32_t vector, struct msilat_counters *c);
	int (*wait)(struct delivery *d, uint64_t arg, uint64_t *user);
	int (*trigger)(struct delivery *d, uint32_t vector);
	int (*inject)(struct delivery *d, uint32_t vector, struct msilat_inject *in);
};

/**
 * struct delivery - the driver's side of a device: strategy, counters, stamps
 * @ops: NULL on stock vfio-pci, which counts and stamps nothing for us.
 * @region: mapped ring region, NULL on stock.
 * @size: size of the mapping.
 * @vfio: the VFIO device, NULL where there is none.
 * @priv: for the ops.
 */
struct delivery {
	const struct delivery_ops *ops;
	const struct msilat_region *region;
	size_t size;
	struct vfio *vfio;
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

/**
 * delivery_page - what a waiter of strategy page watches
 *
 * Return: the count of events (struct msilat_vector), to be loaded with acquire semantics; NULL
 * without a region.
 */
const __u64 *delivery_page(const struct delivery *d, uint32_t vector);

/** delivery_head - delivery records ever written for a vector; 0 without a region */
uint64_t delivery_head(const struct delivery *d, uint32_t vector);

#endif
