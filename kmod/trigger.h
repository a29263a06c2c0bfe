/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The error and request interrupts.
 */
#ifndef _MSILAT_TRIGGER_H
#define _MSILAT_TRIGGER_H

struct vfio_irq_set;
struct vfio_pci_core_device;

int msilat_trigger_set(struct vfio_pci_core_device *core, const struct vfio_irq_set *hdr,
		       const void *data);

#endif /* _MSILAT_TRIGGER_H */
