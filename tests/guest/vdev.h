/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A VFIO device, as plain as a test can hold it: every call is one ioctl and returns what the
 * kernel said. Nothing of the program under test is used, so that a mistake there cannot hide.
 */
#ifndef VDEV_H
#define VDEV_H

#include <linux/vfio.h>
#include <stddef.h>
#include <stdint.h>

#include "msilat.h"

#define VDEV_MSI  VFIO_PCI_MSI_IRQ_INDEX
#define VDEV_MSIX VFIO_PCI_MSIX_IRQ_INDEX

#define VDEV_EVENTFD (VFIO_IRQ_SET_DATA_EVENTFD | VFIO_IRQ_SET_ACTION_TRIGGER)
#define VDEV_NONE    (VFIO_IRQ_SET_DATA_NONE | VFIO_IRQ_SET_ACTION_TRIGGER)
#define VDEV_BOOL    (VFIO_IRQ_SET_DATA_BOOL | VFIO_IRQ_SET_ACTION_TRIGGER)

/**
 * struct vdev - an open device
 * @bdf: its address.
 * @container: VFIO container, type1v2.
 * @group: its IOMMU group.
 * @fd: the device itself.
 * @config: offset of its configuration space in @fd.
 * @bar: BAR 0, mapped.
 * @bar_size: its size.
 * @region: msilat's ring region, mapped; NULL until vdev_map_region().
 * @region_offset: its offset in @fd.
 * @region_size: its size.
 */
struct vdev {
	const char *bdf;
	int container;
	int group;
	int fd;
	uint64_t config;
	volatile uint32_t *bar;
	size_t bar_size;
	const struct msilat_region *region;
	uint64_t region_offset;
	size_t region_size;
};

/**
 * vdev_open - open a device that is bound to a VFIO driver, as bus master with BAR 0 mapped
 *
 * Return: 0, or -errno when VFIO does not give the device; any other trouble ends the program.
 */
int vdev_open(struct vdev *d, const char *bdf);

/** vdev_close - unmap and close everything */
void vdev_close(struct vdev *d);

/** vdev_config16 - read 16 bits of the configuration space */
uint16_t vdev_config16(struct vdev *d, unsigned int offset);

/** vdev_set_config16 - write 16 bits of the configuration space */
void vdev_set_config16(struct vdev *d, unsigned int offset, uint16_t value);

/** vdev_region_info - VFIO_DEVICE_GET_REGION_INFO; 0 or -errno */
int vdev_region_info(struct vdev *d, uint32_t index, struct vfio_region_info *info);

/** vdev_irq_info - VFIO_DEVICE_GET_IRQ_INFO; 0 or -errno */
int vdev_irq_info(struct vdev *d, uint32_t index, struct vfio_irq_info *info);

/**
 * vdev_set_irqs - VFIO_DEVICE_SET_IRQS
 * @flags: VDEV_* or any other
 * @data: @count eventfds or bools, as @flags say; NULL for none
 *
 * Return: what the kernel returned, -errno for an error.
 */
int vdev_set_irqs(struct vdev *d, uint32_t index, uint32_t flags, uint32_t start, uint32_t count,
		  const void *data);

/** vdev_arm - @count eventfds on the vectors from 0 of an index; 0 or -errno */
int vdev_arm(struct vdev *d, uint32_t index, uint32_t count, const int *fds);

/** vdev_disarm - disable an index; 0 or -errno */
int vdev_disarm(struct vdev *d, uint32_t index);

/** vdev_ctl - MSILAT_CTL with everything about @op filled in by the caller; 0 or -errno */
int vdev_ctl(struct vdev *d, uint32_t op, struct msilat_ctl *ctl);

/** vdev_select - MSILAT_OP_STRATEGY; @out may be NULL; 0 or -errno */
int vdev_select(struct vdev *d, uint32_t strategy, struct msilat_select *out);

/** vdev_select_with - the same with MSILAT_SELECT_* flags */
int vdev_select_with(struct vdev *d, uint32_t strategy, uint32_t flags, struct msilat_select *out);

/** vdev_wait - MSILAT_WAIT; what the kernel returned, -errno for an error */
int vdev_wait(struct vdev *d, uint32_t vector, uint32_t generation);

/** vdev_query - MSILAT_OP_QUERY; ends the program when refused */
struct msilat_query vdev_query(struct vdev *d);

/** vdev_counters - MSILAT_OP_COUNTERS; ends the program when refused */
struct msilat_counters vdev_counters(struct vdev *d, uint32_t vector);

/** vdev_map_region - find msilat's region and map it; ends the program when there is none */
void vdev_map_region(struct vdev *d);

/** vdev_drain - what a non-blocking eventfd holds now, 0 when nothing */
uint64_t vdev_drain(int fd);

/**
 * vdev_settle - @us of time, and then what is pending on any CPU
 *
 * A CPU of a busy host may stand still for longer than any pause. So the caller, who must not be
 * real-time, visits all of them, twice: interrupts taken there and real-time threads woken by them
 * have run before it does, and what they woke elsewhere has, too.
 */
void vdev_settle(unsigned int us);

/** vdev_await - wait for a non-blocking eventfd and take its value; 0 when @ms ran out */
uint64_t vdev_await(int fd, int ms);

#endif
