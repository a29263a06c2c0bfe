/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef MSILAT_VFIO_H
#define MSILAT_VFIO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "pci.h"
#include "reason.h"

/**
 * struct vfio - an open VFIO device
 * @container: file descriptor of the container; likewise @group and @device.
 * @fn: the function, as sysfs described it.
 * @irq_index: VFIO index of the vectors armed (MSI or MSI-X), ~0 while none is.
 * @vectors: number of vectors the preferred index has.
 */
struct vfio {
	int container;
	int group;
	int device;
	struct pci_function fn;
	uint32_t irq_index;
	uint32_t vectors;
};

/**
 * vfio_open - open a function through its IOMMU group
 * @v: receives the descriptors.
 * @bdf: canonical address; the function must be bound to a VFIO driver.
 *
 * Takes type1v2, or type1 where the kernel has no v2. Opening resets the device.
 *
 * Return: 0; -ENODEV (not bound, no IOMMU), -EBUSY (group or device in use, group not viable),
 * -EACCES, or another -errno. @why names the remedy.
 */
int vfio_open(struct vfio *v, const char *bdf, struct reason *why);
void vfio_close(struct vfio *v);

/**
 * vfio_map_bar - map a memory BAR
 * @base: receives the address.
 * @size: receives the size.
 *
 * Return: 0, -ENOTSUP if the kernel does not let it be mapped, or -errno.
 */
int vfio_map_bar(struct vfio *v, unsigned int bar, volatile void **base, size_t *size,
		 struct reason *why);

/**
 * vfio_map_region - map a device-specific region read-only
 * @index: VFIO region index.
 *
 * Return: 0 or -errno.
 */
int vfio_map_region(struct vfio *v, uint32_t index, const void **base, size_t *size,
		    struct reason *why);

/**
 * vfio_bus_master - let the device write to memory; an MSI is such a write
 *
 * Return: 0 or -errno.
 */
int vfio_bus_master(struct vfio *v, struct reason *why);

/**
 * vfio_map_dma - make a page-aligned buffer of ours visible to the device
 * @iova: address the device uses.
 *
 * Return: 0 or -errno.
 */
int vfio_map_dma(struct vfio *v, void *buffer, size_t size, uint64_t iova, struct reason *why);

/**
 * vfio_arm - connect vectors 0 … @count - 1 to eventfds
 * @fds: one eventfd per vector; -1 leaves a vector unconnected.
 *
 * MSI-X where the device has it, else MSI.
 *
 * Return: 0, -ENOTSUP (neither), -EINVAL (more vectors than there are), or -errno.
 */
int vfio_arm(struct vfio *v, const int *fds, uint32_t count, struct reason *why);

/** vfio_disarm - disable the vectors armed by vfio_arm() */
void vfio_disarm(struct vfio *v);

/**
 * vfio_trigger - loopback trigger: signal an armed vector without the device
 *
 * Any thread, also while another one waits. Return: 0, -EINVAL (not armed) or -errno.
 */
int vfio_trigger(struct vfio *v, uint32_t vector);

#endif
