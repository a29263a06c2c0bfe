// SPDX-License-Identifier: GPL-2.0-only
/*
 * The device: what this driver does differently from vfio-pci is msilat_device_ops.
 */
#include <linux/pci.h>
#include <linux/vfio.h>

#include "compat.h"
#include "ctl.h"
#include "device.h"
#include "irqs.h"
#include "mark.h"
#include "region.h"
#include "reset.h"
#include "strategy.h"
#include "vector.h"
#include "wait.h"

static struct msilat_device *device_of(struct vfio_device *vdev)
{
	return container_of(vdev, struct msilat_device, core.vdev);
}

static int device_init(struct vfio_device *vdev)
{
	struct msilat_device *dev = device_of(vdev);
	int ret;

	ret = vfio_pci_core_init_dev(vdev);
	if (ret)
		return ret;

	mutex_init(&dev->gate);
	spin_lock_init(&dev->vectors_lock);
	msilat_mark_init(dev);
	compat_set_pci_ops(&dev->core);
	return 0;
}

static void device_release(struct vfio_device *vdev)
{
	struct msilat_device *dev = device_of(vdev);

	mutex_destroy(&dev->gate);
	vfio_pci_core_release_dev(vdev);
}

static int device_open(struct vfio_device *vdev)
{
	struct msilat_device *dev = device_of(vdev);
	int ret;

	ret = vfio_pci_core_enable(&dev->core);
	if (ret)
		return ret;

	dev->strategy = msilat_strategy_default(dev->core.pdev);
	dev->select_flags = 0;
	dev->generation = 0;
	atomic64_set(&dev->fault_deliveries, 0);
	msilat_mark_open(dev);

	ret = msilat_vector_init_all(dev);
	if (ret)
		goto err_disable;
	ret = msilat_region_init(dev);
	if (ret)
		goto err_uninit_vectors;

	vfio_pci_core_finish_enable(&dev->core);
	return 0;

err_uninit_vectors:
	msilat_vector_uninit_all(dev);
err_disable:
	vfio_pci_core_disable(&dev->core);
	return ret;
}

/* Handlers write to the region, which the core releases. */
static void device_close(struct vfio_device *vdev)
{
	struct msilat_device *dev = device_of(vdev);

	msilat_irqs_close(dev);
	msilat_mark_close(dev);
	vfio_pci_core_close_device(vdev);
	msilat_vector_uninit_all(dev);
	WRITE_ONCE(dev->gone, false);
}

/* Calls that reset: what depends on the device's state hears of it before the core starts. */
static long device_ioctl_reset(struct msilat_device *dev, unsigned int cmd, unsigned long arg)
{
	long ret;

	/* Refused at once, so nothing may change. Of a hot reset the core alone can say. */
	if (cmd == VFIO_DEVICE_RESET && !dev->core.reset_works)
		return vfio_pci_core_ioctl(&dev->core.vdev, cmd, arg);

	msilat_reset_begin(dev);
	ret = vfio_pci_core_ioctl(&dev->core.vdev, cmd, arg);
	msilat_reset_end(dev);
	return ret;
}

static long device_ioctl(struct vfio_device *vdev, unsigned int cmd, unsigned long arg)
{
	struct msilat_device *dev = device_of(vdev);

	switch (cmd) {
	case MSILAT_WAIT:
		return msilat_wait_ioctl(dev, arg);
	case MSILAT_CTL:
		return msilat_ctl_ioctl(dev, arg);
	case VFIO_DEVICE_SET_IRQS:
		return msilat_irqs_ioctl(dev, arg);
	case VFIO_DEVICE_RESET:
	case VFIO_DEVICE_PCI_HOT_RESET:
		return device_ioctl_reset(dev, cmd, arg);
	default:
		return vfio_pci_core_ioctl(vdev, cmd, arg);
	}
}

/* The device is wanted back: who waits for its interrupts must hear of it to let go of it. */
static void device_request(struct vfio_device *vdev, unsigned int count)
{
	msilat_wait_end_all(device_of(vdev));
	vfio_pci_core_request(vdev, count);
}

/* Low power puts the device to sleep as soon as the call has returned. */
static int device_feature(struct vfio_device *vdev, u32 flags, void __user *arg, size_t argsz)
{
	struct msilat_device *dev = device_of(vdev);
	u32 feature = flags & VFIO_DEVICE_FEATURE_MASK;
	int ret;

	if (!(flags & VFIO_DEVICE_FEATURE_SET) || (flags & VFIO_DEVICE_FEATURE_PROBE) ||
	    (feature != VFIO_DEVICE_FEATURE_LOW_POWER_ENTRY &&
	     feature != VFIO_DEVICE_FEATURE_LOW_POWER_ENTRY_WITH_WAKEUP))
		return vfio_pci_core_ioctl_feature(vdev, flags, arg, argsz);

	msilat_mark_block(dev);
	ret = vfio_pci_core_ioctl_feature(vdev, flags, arg, argsz);
	msilat_mark_unblock(dev);
	return ret;
}

static ssize_t device_write(struct vfio_device *vdev, const char __user *buf, size_t count,
			    loff_t *ppos)
{
	struct msilat_device *dev = device_of(vdev);
	ssize_t ret;

	if (!msilat_mark_blocks_config(dev, *ppos, count))
		return vfio_pci_core_write(vdev, buf, count, ppos);

	msilat_mark_block(dev);
	ret = vfio_pci_core_write(vdev, buf, count, ppos);
	msilat_mark_unblock(dev);
	return ret;
}

const struct vfio_device_ops msilat_device_ops = {
	.name		= "msilat-vfio-pci",
	.init		= device_init,
	.release	= device_release,
	.open_device	= device_open,
	.close_device	= device_close,
	.ioctl		= device_ioctl,
	.device_feature	= device_feature,
	.read		= vfio_pci_core_read,
	.write		= device_write,
	.mmap		= vfio_pci_core_mmap,
	.request	= device_request,
	.match		= vfio_pci_core_match,
	COMPAT_VFIO_DEVICE_OPS
};
