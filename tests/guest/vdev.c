// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <fcntl.h>
#include <linux/pci_regs.h>
#include <poll.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "check.h"
#include "vdev.h"

static void open_group(struct vdev *d)
{
	char path[128], link[128];
	ssize_t len;

	snprintf(path, sizeof(path), "/sys/bus/pci/devices/%s/iommu_group", d->bdf);
	len = readlink(path, link, sizeof(link) - 1);
	if (len < 0)
		check_die("%s", path);
	link[len] = '\0';
	snprintf(path, sizeof(path), "/dev/vfio/%s", strrchr(link, '/') + 1);
	d->group = open(path, O_RDWR | O_CLOEXEC);
}

/* Returns 0 or -errno of the one step that a busy device refuses. */
static int open_device(struct vdev *d)
{
	d->container = open("/dev/vfio/vfio", O_RDWR | O_CLOEXEC);
	if (d->container < 0)
		check_die("/dev/vfio/vfio");
	open_group(d);
	if (d->group < 0)
		return -errno;
	if (ioctl(d->group, VFIO_GROUP_SET_CONTAINER, &d->container) ||
	    ioctl(d->container, VFIO_SET_IOMMU, VFIO_TYPE1v2_IOMMU))
		check_die("%s: container", d->bdf);
	d->fd = ioctl(d->group, VFIO_GROUP_GET_DEVICE_FD, d->bdf);
	return d->fd < 0 ? -errno : 0;
}

static void map_bar(struct vdev *d)
{
	struct vfio_region_info info;

	if (vdev_region_info(d, VFIO_PCI_BAR0_REGION_INDEX, &info))
		check_die("%s: BAR 0", d->bdf);
	d->bar_size = info.size;
	d->bar = mmap(NULL, info.size, PROT_READ | PROT_WRITE, MAP_SHARED, d->fd,
		      (off_t)info.offset);
	if (d->bar == MAP_FAILED)
		check_die("%s: mapping BAR 0", d->bdf);
}

int vdev_open(struct vdev *d, const char *bdf)
{
	struct vfio_region_info info;
	int ret;

	*d = (struct vdev){ .bdf = bdf, .container = -1, .group = -1, .fd = -1 };
	ret = open_device(d);
	if (ret) {
		vdev_close(d);
		return ret;
	}
	if (vdev_region_info(d, VFIO_PCI_CONFIG_REGION_INDEX, &info))
		check_die("%s: configuration space", bdf);
	d->config = info.offset;
	vdev_set_config16(d, PCI_COMMAND, vdev_config16(d, PCI_COMMAND) | PCI_COMMAND_MASTER |
			  PCI_COMMAND_MEMORY);
	map_bar(d);
	return 0;
}

void vdev_close(struct vdev *d)
{
	if (d->region)
		munmap((void *)d->region, d->region_size);
	if (d->bar)
		munmap((void *)d->bar, d->bar_size);
	if (d->fd >= 0)
		close(d->fd);
	if (d->group >= 0)
		close(d->group);
	if (d->container >= 0)
		close(d->container);
}

uint16_t vdev_config16(struct vdev *d, unsigned int offset)
{
	uint16_t value;

	if (pread(d->fd, &value, 2, (off_t)d->config + offset) != 2)
		check_die("%s: reading configuration space at %#x", d->bdf, offset);
	return value;
}

void vdev_set_config16(struct vdev *d, unsigned int offset, uint16_t value)
{
	if (pwrite(d->fd, &value, 2, (off_t)d->config + offset) != 2)
		check_die("%s: writing configuration space at %#x", d->bdf, offset);
}

int vdev_region_info(struct vdev *d, uint32_t index, struct vfio_region_info *info)
{
	*info = (struct vfio_region_info){ .argsz = sizeof(*info), .index = index };
	return ioctl(d->fd, VFIO_DEVICE_GET_REGION_INFO, info) ? -errno : 0;
}

int vdev_irq_info(struct vdev *d, uint32_t index, struct vfio_irq_info *info)
{
	*info = (struct vfio_irq_info){ .argsz = sizeof(*info), .index = index };
	return ioctl(d->fd, VFIO_DEVICE_GET_IRQ_INFO, info) ? -errno : 0;
}

int vdev_set_irqs(struct vdev *d, uint32_t index, uint32_t flags, uint32_t start, uint32_t count,
		  const void *data)
{
	size_t bytes = 0, size;
	struct vfio_irq_set *set;
	int ret;

	if (data && flags & VFIO_IRQ_SET_DATA_EVENTFD)
		bytes = count * sizeof(int32_t);
	else if (data && flags & VFIO_IRQ_SET_DATA_BOOL)
		bytes = count;
	size = sizeof(*set) + bytes;
	set = calloc(1, size);
	if (!set)
		check_die("memory");
	set->argsz = (uint32_t)size;
	set->flags = flags;
	set->index = index;
	set->start = start;
	set->count = count;
	if (bytes)
		memcpy(set->data, data, bytes);
	ret = ioctl(d->fd, VFIO_DEVICE_SET_IRQS, set);
	if (ret < 0)
		ret = -errno;
	free(set);
	return ret;
}

int vdev_arm(struct vdev *d, uint32_t index, uint32_t count, const int *fds)
{
	return vdev_set_irqs(d, index, VDEV_EVENTFD, 0, count, fds);
}

int vdev_disarm(struct vdev *d, uint32_t index)
{
	return vdev_set_irqs(d, index, VDEV_NONE, 0, 0, NULL);
}

int vdev_ctl(struct vdev *d, uint32_t op, struct msilat_ctl *ctl)
{
	ctl->argsz = sizeof(*ctl);
	ctl->op = op;
	return ioctl(d->fd, MSILAT_CTL, ctl) ? -errno : 0;
}

int vdev_select(struct vdev *d, uint32_t strategy, struct msilat_select *out)
{
	return vdev_select_with(d, strategy, 0, out);
}

int vdev_select_with(struct vdev *d, uint32_t strategy, uint32_t flags, struct msilat_select *out)
{
	struct msilat_ctl ctl = { .strategy = { .strategy = strategy, .flags = flags } };
	int ret = vdev_ctl(d, MSILAT_OP_STRATEGY, &ctl);

	if (out)
		*out = ctl.strategy;
	return ret;
}

int vdev_wait(struct vdev *d, uint32_t vector, uint32_t generation)
{
	int ret = ioctl(d->fd, MSILAT_WAIT, MSILAT_WAIT_ARG(vector, generation));

	return ret < 0 ? -errno : ret;
}

struct msilat_query vdev_query(struct vdev *d)
{
	struct msilat_ctl ctl = { 0 };

	if (vdev_ctl(d, MSILAT_OP_QUERY, &ctl))
		check_die("%s: MSILAT_OP_QUERY", d->bdf);
	return ctl.query;
}

struct msilat_counters vdev_counters(struct vdev *d, uint32_t vector)
{
	struct msilat_ctl ctl = { .counters.vector = vector };

	if (vdev_ctl(d, MSILAT_OP_COUNTERS, &ctl))
		check_die("%s: MSILAT_OP_COUNTERS of vector %u", d->bdf, vector);
	return ctl.counters;
}

void vdev_map_region(struct vdev *d)
{
	struct vfio_region_info info;
	void *region;

	if (vdev_region_info(d, vdev_query(d).region, &info))
		check_die("%s: msilat's region", d->bdf);
	region = mmap(NULL, info.size, PROT_READ, MAP_SHARED, d->fd, (off_t)info.offset);
	if (region == MAP_FAILED)
		check_die("%s: mapping msilat's region", d->bdf);
	d->region = region;
	d->region_offset = info.offset;
	d->region_size = info.size;
}

uint64_t vdev_drain(int fd)
{
	uint64_t value;

	return read(fd, &value, sizeof(value)) == sizeof(value) ? value : 0;
}

static void visit(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	/* Returns on that CPU; one that is offline is refused. */
	sched_setaffinity(0, sizeof(set), &set);
}

void vdev_settle(unsigned int us)
{
	cpu_set_t allowed;
	int cpu, round;

	if (sched_getaffinity(0, sizeof(allowed), &allowed))
		check_die("affinity");
	usleep(us);
	for (round = 0; round < 2; round++)
		for (cpu = 0; cpu < CPU_SETSIZE && cpu < sysconf(_SC_NPROCESSORS_CONF); cpu++)
			visit(cpu);
	if (sched_setaffinity(0, sizeof(allowed), &allowed))
		check_die("affinity");
}

uint64_t vdev_await(int fd, int ms)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };

	return poll(&p, 1, ms) == 1 ? vdev_drain(fd) : 0;
}
