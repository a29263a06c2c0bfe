/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A PCI function bound to this driver.
 */
#ifndef _MSILAT_DEVICE_H
#define _MSILAT_DEVICE_H

#include <linux/atomic.h>
#include <linux/mutex.h>
#include <linux/spinlock.h>
#include <linux/types.h>
#include <linux/vfio_pci_core.h>
#include <linux/workqueue.h>

#include "uapi/msilat.h"

#define MSILAT_VERSION	"0.1.0"

struct msilat_strategy_ops;
struct msilat_vector_ctx;

/**
 * struct msilat_device - vfio-pci core device and what this driver adds to it
 *
 * Lock order: @gate, then core.igate, then core.memory_lock, then @vectors_lock. The members from
 * @strategy to @fault_deliveries exist from open to close; except for @fault_deliveries they change
 * under igate only.
 *
 * @core: the core's device; first, as vfio_alloc_device() demands
 * @gate: serialises VFIO_DEVICE_SET_IRQS also while the core, which takes igate itself, handles it
 * @gone: the driver is being unbound; from the first request for the device until it is closed
 * @vectors_lock: keeps @vectors, @nvec and @generation as they are for who does not hold igate.
 *	Never taken where an interrupt is delivered
 * @strategy: strategy in force
 * @select_flags: MSILAT_SELECT_* in force
 * @generation: number of re-arms
 * @msi_count: vectors in the MSI capability
 * @msix_count: vectors in the MSI-X capability
 * @nvec: the larger of the two: elements of @vectors and blocks of the region
 * @owned: MSI or MSI-X (core.irq_type says which) is enabled, by this driver
 * @allocated: vectors it was enabled with
 * @vectors: state of each vector
 * @region: the region's pages: struct msilat_region and what follows
 * @region_index: VFIO region index
 * @region_size: bytes, a multiple of the page size
 * @fault_deliveries: see fault.c
 * @mark_epoch: marks whose epoch this is are armed; see mark.c for all of these
 * @mark_blocked: operations under way that MMIO must not meet
 * @mark_state: has anything been armed, and not been disarmed since?
 * @mark_af_cap: offset of the Advanced Features capability, 0 for none
 * @mark_work: says that marks ran away
 * @mark_runaway: vector whose mark did so last
 */
struct msilat_device {
	struct vfio_pci_core_device core;
	struct mutex gate; /* outside igate, see above */
	bool gone;
	spinlock_t vectors_lock; /* see above */

	const struct msilat_strategy_ops *strategy;
	u32 select_flags;
	u32 generation;
	unsigned int msi_count;
	unsigned int msix_count;
	unsigned int nvec;
	bool owned;
	unsigned int allocated;
	struct msilat_vector_ctx *vectors;
	struct msilat_region *region;
	u32 region_index;
	size_t region_size;
	atomic64_t fault_deliveries;
	atomic64_t mark_epoch;
	atomic_t mark_blocked;
	int mark_state;
	u8 mark_af_cap;
	struct work_struct mark_work;
	u32 mark_runaway;
};

extern const struct vfio_device_ops msilat_device_ops;

#endif /* _MSILAT_DEVICE_H */
