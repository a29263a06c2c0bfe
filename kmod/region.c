// SPDX-License-Identifier: GPL-2.0-only
/*
 * The region with the rings: pages that the kernel writes and user space only reads.
 *
 * Layout (uapi/msilat.h): header, then one block for each vector of the device: heads, isr ring,
 * delivery ring. Sized at open from the device's vector count. The pages live from open to close;
 * the core calls our release when it disables the device, and by then no handler is left. What
 * user space has mapped it keeps: mappings hold the pages.
 */
#include <linux/build_bug.h>
#include <linux/cache.h>
#include <linux/log2.h>
#include <linux/mm.h>
#include <linux/moduleparam.h>
#include <linux/uaccess.h>
#include <linux/vmalloc.h>

#include "clock.h"
#include "compat.h"
#include "device.h"
#include "region.h"
#include "strategy.h"
#include "vector.h"

#define REGION_MAX		(16UL << 20)
#define REGION_RECORDS_MIN	64U
#define REGION_RECORDS_MAX	131072U		/* one vector then fits into REGION_MAX */
#define REGION_ALIGN		64U

static unsigned int ring_records = 1024;

static int region_records_set(const char *val, const struct kernel_param *kp)
{
	unsigned int records;
	int ret;

	ret = kstrtouint(val, 0, &records);
	if (ret)
		return ret;
	if (!is_power_of_2(records) || records < REGION_RECORDS_MIN ||
	    records > REGION_RECORDS_MAX) {
		pr_err("ring_records=%u: must be a power of two from %u to %u\n", records,
		       REGION_RECORDS_MIN, REGION_RECORDS_MAX);
		return -EINVAL;
	}
	ring_records = records;
	return 0;
}

static const struct kernel_param_ops region_records_ops = {
	.set = region_records_set,
	.get = param_get_uint,
};

module_param_cb(ring_records, &region_records_ops, &ring_records, 0444);
MODULE_PARM_DESC(ring_records,
		 "Records in each ring, fewer if the region would exceed 16 MiB (default 1024)");

static size_t region_isr_bytes(unsigned int records)
{
	return records * sizeof(struct msilat_isr);
}

static size_t region_stride(unsigned int records)
{
	return ALIGN(sizeof(struct msilat_vector) + region_isr_bytes(records) +
		     records * sizeof(struct msilat_delivery), REGION_ALIGN);
}

static size_t region_bytes(unsigned int nvec, unsigned int records)
{
	return PAGE_ALIGN(ALIGN(sizeof(struct msilat_region), REGION_ALIGN) +
			  nvec * region_stride(records));
}

static ssize_t region_rw(struct vfio_pci_core_device *core, char __user *buf, size_t count,
			 loff_t *ppos, bool iswrite)
{
	struct msilat_device *dev = container_of(core, struct msilat_device, core);
	loff_t pos = *ppos & VFIO_PCI_OFFSET_MASK;

	if (iswrite || pos >= dev->region_size)
		return -EINVAL;

	count = min_t(size_t, count, dev->region_size - pos);
	if (copy_to_user(buf, (void *)dev->region + pos, count))
		return -EFAULT;
	*ppos += count;
	return count;
}

static int region_mmap(struct vfio_pci_core_device *core, struct vfio_pci_region *region,
		       struct vm_area_struct *vma)
{
	struct msilat_device *dev = container_of(core, struct msilat_device, core);
	unsigned long pgoff;

	if (vma->vm_flags & (VM_WRITE | VM_EXEC))
		return -EACCES;
	compat_vm_flags_clear(vma, VM_MAYWRITE | VM_MAYEXEC);

	/* Checks the range against the size of the allocation. */
	pgoff = vma->vm_pgoff & ((1UL << (VFIO_PCI_OFFSET_SHIFT - PAGE_SHIFT)) - 1);
	return remap_vmalloc_range(vma, dev->region, pgoff);
}

static void region_release(struct vfio_pci_core_device *core, struct vfio_pci_region *region)
{
	struct msilat_device *dev = container_of(core, struct msilat_device, core);

	vfree(dev->region);
	dev->region = NULL;
}

static const struct vfio_pci_regops region_ops = {
	.rw = region_rw,
	.release = region_release,
	.mmap = region_mmap,
};

static void region_fill(struct msilat_device *dev, unsigned int records)
{
	struct msilat_region *region = dev->region;
	unsigned int i;

	*region = (struct msilat_region){
		.magic = MSILAT_REGION_MAGIC,
		.version = MSILAT_UAPI_VERSION,
		.header_size = sizeof(*region),
		.vectors = dev->nvec,
		.vector_offset = ALIGN(sizeof(*region), REGION_ALIGN),
		.vector_stride = region_stride(records),
		.ring_records = records,
		.isr_offset = sizeof(struct msilat_vector),
		.delivery_offset = sizeof(struct msilat_vector) + region_isr_bytes(records),
		.clock = MSILAT_CLOCK,
		.generation = dev->generation,
		.strategy = dev->strategy->id,
		.clock_hz = msilat_clock_hz(),
		.select_flags = dev->select_flags,
	};

	for (i = 0; i < dev->nvec; i++) {
		struct msilat_vector_ctx *vec = &dev->vectors[i];
		void *block = (void *)region + region->vector_offset + i * region->vector_stride;

		vec->block = block;
		vec->isr_records = block + region->isr_offset;
		vec->delivery_records = block + region->delivery_offset;
		vec->mask = records - 1;
	}
}

/**
 * msilat_region_init() - makes the region of a device that is being opened
 * @dev: device, its vectors initialised
 *
 * Between vfio_pci_core_enable() and vfio_pci_core_finish_enable(). The core frees the region when
 * it disables the device.
 *
 * Return: 0 or -ENOMEM.
 */
int msilat_region_init(struct msilat_device *dev)
{
	struct vfio_pci_core_device *core = &dev->core;
	unsigned int records = ring_records;
	int ret;

	while (records > REGION_RECORDS_MIN && region_bytes(dev->nvec, records) > REGION_MAX)
		records /= 2;

	dev->region_size = region_bytes(dev->nvec, records);
	dev->region = vmalloc_user(dev->region_size);
	if (!dev->region)
		return -ENOMEM;
	region_fill(dev, records);

	dev->region_index = VFIO_PCI_NUM_REGIONS + core->num_regions;
	ret = vfio_pci_core_register_dev_region(core, MSILAT_REGION_TYPE, MSILAT_REGION_SUBTYPE,
						&region_ops, dev->region_size,
						VFIO_REGION_INFO_FLAG_READ |
						VFIO_REGION_INFO_FLAG_MMAP, NULL);
	if (ret)
		goto err_free_pages;
	return 0;

err_free_pages:
	vfree(dev->region);
	dev->region = NULL;
	return ret;
}

/**
 * msilat_region_rearmed() - shows in the header what a re-arm has put into force
 * @dev: open device, its generation raised; igate held
 */
void msilat_region_rearmed(struct msilat_device *dev)
{
	struct msilat_region now = {
		.generation = dev->generation,
		.strategy = dev->strategy->id,
	};

	/* ABI, and what makes one store of the two possible. */
	BUILD_BUG_ON(offsetof(struct msilat_region, generation) != 40);
	BUILD_BUG_ON(offsetof(struct msilat_region, strategy) != 44);
	BUILD_BUG_ON(offsetof(struct msilat_region, in_force) != 40);
	BUILD_BUG_ON(sizeof(struct msilat_region) != 64);

	WRITE_ONCE(dev->region->select_flags, dev->select_flags);
	smp_store_release(&dev->region->in_force, now.in_force);
}
