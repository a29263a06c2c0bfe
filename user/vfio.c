// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <fcntl.h>
#include <linux/pci_regs.h>
#include <linux/vfio.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "sysfs.h"
#include "vfio.h"

static int open_container(struct vfio *v, struct reason *why)
{
	char path[SYSFS_PATH_MAX];
	int ret;

	ret = sysfs_path(path, "/dev/vfio/vfio");
	if (ret)
		return ret;
	v->container = open(path, O_RDWR | O_CLOEXEC);
	if (v->container < 0 && errno == EACCES)
		return reason_set(why, -EACCES, "%s: no permission; run as root", path);
	if (v->container < 0)
		return reason_set(why, -errno, "%s: %s; load the vfio driver: modprobe vfio-pci",
				  path, strerror(errno));
	if (ioctl(v->container, VFIO_GET_API_VERSION) != VFIO_API_VERSION) {
		close(v->container);
		return reason_set(why, -EPROTO, "%s: speaks another VFIO version", path);
	}
	return 0;
}

static int open_group(struct vfio *v, struct reason *why)
{
	struct vfio_group_status status = { .argsz = sizeof(status) };
	char path[SYSFS_PATH_MAX], peers[256];
	int ret;

	ret = sysfs_path(path, "/dev/vfio/%d", v->fn.group);
	if (ret)
		return ret;
	v->group = open(path, O_RDWR | O_CLOEXEC);
	if (v->group < 0) {
		ret = -errno;
		if (ret == -EBUSY)
			return reason_set(why, ret,
					  "%s: IOMMU group %d is in use by another process (fuser %s)",
					  v->fn.bdf, v->fn.group, path);
		if (ret == -EACCES)
			return reason_set(why, ret,
					  "%s: no permission on %s; run as root or chown it",
					  v->fn.bdf, path);
		return reason_set(why, ret, "%s: %s: %s; bind it first: msilat bind %s",
				  v->fn.bdf, path, strerror(-ret), v->fn.bdf);
	}
	if (ioctl(v->group, VFIO_GROUP_GET_STATUS, &status) < 0) {
		ret = reason_set(why, -errno, "%s: VFIO_GROUP_GET_STATUS: %s", path,
				 strerror(errno));
	} else if (!(status.flags & VFIO_GROUP_FLAGS_VIABLE)) {
		pci_group_peers(&v->fn, peers, sizeof(peers));
		ret = reason_set(why, -EBUSY,
				 "%s: IOMMU group %d is not viable: bind or unbind its other functions: %s",
				 v->fn.bdf, v->fn.group, peers[0] ? peers : "(see dmesg)");
	}
	if (ret)
		close(v->group);
	return ret;
}

static int set_iommu(struct vfio *v, struct reason *why)
{
	int type = VFIO_TYPE1v2_IOMMU;

	if (ioctl(v->container, VFIO_CHECK_EXTENSION, type) <= 0)
		type = VFIO_TYPE1_IOMMU;
	if (ioctl(v->group, VFIO_GROUP_SET_CONTAINER, &v->container) < 0)
		return reason_set(why, -errno, "%s: group cannot join a container: %s",
				  v->fn.bdf, strerror(errno));
	if (ioctl(v->container, VFIO_SET_IOMMU, type) < 0)
		return reason_set(why, -errno,
				  "%s: the IOMMU driver refused: %s (modprobe vfio_iommu_type1)",
				  v->fn.bdf, strerror(errno));
	return 0;
}

static int vectors_of(struct vfio *v, uint32_t index)
{
	struct vfio_irq_info info = { .argsz = sizeof(info), .index = index };

	if (ioctl(v->device, VFIO_DEVICE_GET_IRQ_INFO, &info) < 0 ||
	    !(info.flags & VFIO_IRQ_INFO_EVENTFD))
		return 0;
	return (int)info.count;
}

static int open_device(struct vfio *v, struct reason *why)
{
	int ret;

	v->device = ioctl(v->group, VFIO_GROUP_GET_DEVICE_FD, v->fn.bdf);
	if (v->device < 0) {
		ret = -errno;
		if (ret == -EBUSY)
			return reason_set(why, ret, "%s: in use by another process", v->fn.bdf);
		return reason_set(why, ret, "%s: VFIO does not open it: %s (see dmesg)",
				  v->fn.bdf, strerror(-ret));
	}
	v->vectors = vectors_of(v, VFIO_PCI_MSIX_IRQ_INDEX);
	if (!v->vectors)
		v->vectors = vectors_of(v, VFIO_PCI_MSI_IRQ_INDEX);
	return 0;
}

int vfio_open(struct vfio *v, const char *bdf, struct reason *why)
{
	int ret;

	memset(v, 0, sizeof(*v));
	v->irq_index = ~0u;
	ret = pci_read(&v->fn, bdf, why);
	if (ret)
		return ret;
	if (v->fn.group < 0)
		return reason_set(why, -ENODEV,
				  "%s: no IOMMU group; enable the IOMMU: VT-d or AMD-Vi in the firmware, "
				  "and intel_iommu=on on the kernel command line", bdf);
	if (!strstr(v->fn.driver, "vfio"))
		return reason_set(why, -ENODEV, "%s: bound to %s, not to VFIO; use: msilat bind %s",
				  bdf, v->fn.driver[0] ? v->fn.driver : "no driver", bdf);
	ret = open_container(v, why);
	if (ret)
		return ret;
	ret = open_group(v, why);
	if (ret)
		goto close_container;
	ret = set_iommu(v, why);
	if (ret)
		goto close_group;
	ret = open_device(v, why);
	if (ret)
		goto close_group;
	return 0;

close_group:
	close(v->group);
close_container:
	close(v->container);
	return ret;
}

void vfio_close(struct vfio *v)
{
	vfio_disarm(v);
	close(v->device);
	close(v->group);
	close(v->container);
}

static int map(struct vfio *v, uint32_t index, int prot, void **base, size_t *size,
	       struct reason *why)
{
	struct vfio_region_info info = { .argsz = sizeof(info), .index = index };
	void *p;

	if (ioctl(v->device, VFIO_DEVICE_GET_REGION_INFO, &info) < 0)
		return reason_set(why, -errno, "%s: region %u: %s", v->fn.bdf, index,
				  strerror(errno));
	if (!info.size || !(info.flags & VFIO_REGION_INFO_FLAG_MMAP))
		return reason_set(why, -ENOTSUP, "%s: region %u cannot be mapped", v->fn.bdf,
				  index);
	p = mmap(NULL, info.size, prot, MAP_SHARED, v->device, (off_t)info.offset);
	if (p == MAP_FAILED)
		return reason_set(why, -errno, "%s: mapping region %u: %s", v->fn.bdf, index,
				  strerror(errno));
	*base = p;
	*size = info.size;
	return 0;
}

int vfio_map_bar(struct vfio *v, unsigned int bar, volatile void **base, size_t *size,
		 struct reason *why)
{
	void *p;
	int ret;

	ret = map(v, VFIO_PCI_BAR0_REGION_INDEX + bar, PROT_READ | PROT_WRITE, &p, size, why);
	if (!ret)
		*base = p;
	return ret;
}

int vfio_map_region(struct vfio *v, uint32_t index, const void **base, size_t *size,
		    struct reason *why)
{
	void *p;
	int ret;

	ret = map(v, index, PROT_READ, &p, size, why);
	if (!ret)
		*base = p;
	return ret;
}

int vfio_bus_master(struct vfio *v, struct reason *why)
{
	struct vfio_region_info info = {
		.argsz = sizeof(info),
		.index = VFIO_PCI_CONFIG_REGION_INDEX,
	};
	uint16_t command;
	off_t offset;

	if (ioctl(v->device, VFIO_DEVICE_GET_REGION_INFO, &info) < 0)
		return reason_set(why, -errno, "%s: no configuration space: %s", v->fn.bdf,
				  strerror(errno));
	offset = (off_t)info.offset + PCI_COMMAND;
	if (pread(v->device, &command, 2, offset) != 2)
		return reason_set(why, -EIO, "%s: cannot read PCI_COMMAND", v->fn.bdf);
	command |= PCI_COMMAND_MASTER | PCI_COMMAND_MEMORY;
	if (pwrite(v->device, &command, 2, offset) != 2)
		return reason_set(why, -EIO, "%s: cannot write PCI_COMMAND", v->fn.bdf);
	return 0;
}

int vfio_map_dma(struct vfio *v, void *buffer, size_t size, uint64_t iova, struct reason *why)
{
	struct vfio_iommu_type1_dma_map dma = {
		.argsz = sizeof(dma),
		.flags = VFIO_DMA_MAP_FLAG_READ | VFIO_DMA_MAP_FLAG_WRITE,
		.vaddr = (uintptr_t)buffer,
		.iova = iova,
		.size = size,
	};

	if (ioctl(v->container, VFIO_IOMMU_MAP_DMA, &dma) < 0)
		return reason_set(why, -errno, "%s: mapping %zu bytes for DMA: %s", v->fn.bdf,
				  size, strerror(errno));
	return 0;
}

static int set_irqs(struct vfio *v, uint32_t index, uint32_t flags, const int *fds,
		    uint32_t start, uint32_t count)
{
	size_t size = sizeof(struct vfio_irq_set) + (fds ? count * sizeof(*fds) : 0);
	struct vfio_irq_set *set = calloc(1, size);
	int ret = 0;

	if (!set)
		return -ENOMEM;
	set->argsz = (uint32_t)size;
	set->flags = flags | VFIO_IRQ_SET_ACTION_TRIGGER;
	set->index = index;
	set->start = start;
	set->count = count;
	if (fds)
		memcpy(set->data, fds, count * sizeof(*fds));
	if (ioctl(v->device, VFIO_DEVICE_SET_IRQS, set) < 0)
		ret = -errno;
	free(set);
	return ret;
}

int vfio_arm(struct vfio *v, const int *fds, uint32_t count, struct reason *why)
{
	uint32_t index = VFIO_PCI_MSIX_IRQ_INDEX;
	int vectors, ret;

	vectors = vectors_of(v, index);
	if (!vectors) {
		index = VFIO_PCI_MSI_IRQ_INDEX;
		vectors = vectors_of(v, index);
	}
	if (!vectors)
		return reason_set(why, -ENOTSUP, "%s: has neither MSI nor MSI-X (msilat list)",
				  v->fn.bdf);
	if (count > (uint32_t)vectors)
		return reason_set(why, -EINVAL, "%s: vector %u: it has %d (0 to %d)", v->fn.bdf,
				  count - 1, vectors, vectors - 1);
	ret = set_irqs(v, index, VFIO_IRQ_SET_DATA_EVENTFD, fds, 0, count);
	if (ret)
		return reason_set(why, ret, "%s: enabling %u %s vectors: %s", v->fn.bdf, count,
				  index == VFIO_PCI_MSI_IRQ_INDEX ? "MSI" : "MSI-X",
				  strerror(-ret));
	v->irq_index = index;
	return 0;
}

void vfio_disarm(struct vfio *v)
{
	if (v->irq_index == ~0u)
		return;
	set_irqs(v, v->irq_index, VFIO_IRQ_SET_DATA_NONE, NULL, 0, 0);
	v->irq_index = ~0u;
}

int vfio_trigger(struct vfio *v, uint32_t vector)
{
	if (v->irq_index == ~0u)
		return -EINVAL;
	return set_irqs(v, v->irq_index, VFIO_IRQ_SET_DATA_NONE, NULL, vector, 1);
}
