// SPDX-License-Identifier: GPL-2.0-only
/*
 * example-vfio-pci: a small vfio-pci variant driver, for "Judging your own module" in
 * kmod/README.md. For kernels from 6.19 on; the judge's is one.
 *
 * It is vfio-pci, and it watches a device while it is open: from a timer in hard IRQ it looks every
 * few milliseconds whether the device still answers on the bus. The file example_watch of the
 * device in sysfs says how often it looked and how often there was no answer.
 *
 * What the timer does is allowed in hard IRQ on PREEMPT_RT: configuration space is read under a raw
 * spinlock of the PCI core, and the counts are guarded by a raw spinlock of ours. With the
 * parameter sleeping_lock=1 they are guarded by a spinlock_t, which is not allowed: so that one
 * sees what the judge says to that.
 */
#include <linux/hrtimer.h>
#include <linux/ktime.h>
#include <linux/module.h>
#include <linux/pci.h>
#include <linux/spinlock.h>
#include <linux/sysfs.h>
#include <linux/vfio_pci_core.h>

#define EXAMPLE_PERIOD_MS 5

static bool sleeping_lock;
module_param(sleeping_lock, bool, 0444);
MODULE_PARM_DESC(sleeping_lock, "Guard the counts by a sleeping lock, wrongly (default 0)");

/**
 * struct example_device - vfio-pci core device and the watch over it
 * @core: the core's device; first, as vfio_alloc_device() demands
 * @timer: runs from open to close
 * @lock: guards the counts
 * @wrong_lock: guards them with sleeping_lock=1
 * @looks: how often the timer has looked at the device since the driver was bound
 * @silent: how often there was no answer
 */
struct example_device {
	struct vfio_pci_core_device core;
	struct hrtimer timer;
	raw_spinlock_t lock; /* see above */
	spinlock_t wrong_lock; /* see above */
	u64 looks;
	u64 silent;
};

static struct example_device *example_of(struct vfio_device *vdev)
{
	return container_of(vdev, struct example_device, core.vdev);
}

static void example_count(struct example_device *dev, bool answered)
{
	unsigned long flags;

	if (sleeping_lock)
		spin_lock(&dev->wrong_lock);
	else
		raw_spin_lock_irqsave(&dev->lock, flags);
	dev->looks++;
	dev->silent += !answered;
	if (sleeping_lock)
		spin_unlock(&dev->wrong_lock);
	else
		raw_spin_unlock_irqrestore(&dev->lock, flags);
}

/* Hard IRQ. A device that sleeps or is being reset is left alone. */
static enum hrtimer_restart example_look(struct hrtimer *timer)
{
	struct example_device *dev = container_of(timer, struct example_device, timer);
	struct pci_dev *pdev = dev->core.pdev;
	u16 vendor;

	if (pdev->current_state == PCI_D0 && !pdev->block_cfg_access) {
		pci_read_config_word(pdev, PCI_VENDOR_ID, &vendor);
		example_count(dev, !PCI_POSSIBLE_ERROR(vendor));
	}
	hrtimer_forward_now(timer, ms_to_ktime(EXAMPLE_PERIOD_MS));
	return HRTIMER_RESTART;
}

static ssize_t example_watch_show(struct device *device, struct device_attribute *attr, char *buf)
{
	struct vfio_pci_core_device *core = dev_get_drvdata(device);
	struct example_device *dev = example_of(&core->vdev);
	u64 looks, silent;

	raw_spin_lock_irq(&dev->lock);
	looks = dev->looks;
	silent = dev->silent;
	raw_spin_unlock_irq(&dev->lock);
	return sysfs_emit(buf, "%llu %llu\n", looks, silent);
}
static DEVICE_ATTR_RO(example_watch);

static struct attribute *example_attrs[] = {
	&dev_attr_example_watch.attr,
	NULL,
};
ATTRIBUTE_GROUPS(example);

static int example_init_dev(struct vfio_device *vdev)
{
	struct example_device *dev = example_of(vdev);

	raw_spin_lock_init(&dev->lock);
	spin_lock_init(&dev->wrong_lock);
	hrtimer_setup(&dev->timer, example_look, CLOCK_MONOTONIC, HRTIMER_MODE_REL_HARD);
	return vfio_pci_core_init_dev(vdev);
}

static int example_open(struct vfio_device *vdev)
{
	struct example_device *dev = example_of(vdev);
	int ret;

	ret = vfio_pci_core_enable(&dev->core);
	if (ret)
		return ret;
	vfio_pci_core_finish_enable(&dev->core);
	hrtimer_start(&dev->timer, ms_to_ktime(EXAMPLE_PERIOD_MS), HRTIMER_MODE_REL_HARD);
	return 0;
}

static void example_close(struct vfio_device *vdev)
{
	hrtimer_cancel(&example_of(vdev)->timer);
	vfio_pci_core_close_device(vdev);
}

static const struct vfio_device_ops example_ops = {
	.name			= "example-vfio-pci",
	.init			= example_init_dev,
	.release		= vfio_pci_core_release_dev,
	.open_device		= example_open,
	.close_device		= example_close,
	.ioctl			= vfio_pci_core_ioctl,
	.get_region_info_caps	= vfio_pci_ioctl_get_region_info,
	.device_feature		= vfio_pci_core_ioctl_feature,
	.read			= vfio_pci_core_read,
	.write			= vfio_pci_core_write,
	.mmap			= vfio_pci_core_mmap,
	.request		= vfio_pci_core_request,
	.match			= vfio_pci_core_match,
	.match_token_uuid	= vfio_pci_core_match_token_uuid,
	.bind_iommufd		= vfio_iommufd_physical_bind,
	.unbind_iommufd		= vfio_iommufd_physical_unbind,
	.attach_ioas		= vfio_iommufd_physical_attach_ioas,
	.detach_ioas		= vfio_iommufd_physical_detach_ioas,
	.pasid_attach_ioas	= vfio_iommufd_physical_pasid_attach_ioas,
	.pasid_detach_ioas	= vfio_iommufd_physical_pasid_detach_ioas,
};

static const struct vfio_pci_device_ops example_pci_ops = {
	.get_dmabuf_phys = vfio_pci_core_get_dmabuf_phys,
};

static int example_probe(struct pci_dev *pdev, const struct pci_device_id *id)
{
	struct example_device *dev;
	int ret;

	dev = vfio_alloc_device(example_device, core.vdev, &pdev->dev, &example_ops);
	if (IS_ERR(dev))
		return PTR_ERR(dev);

	dev_set_drvdata(&pdev->dev, &dev->core);
	dev->core.pci_ops = &example_pci_ops;
	ret = vfio_pci_core_register_device(&dev->core);
	if (ret)
		goto err_put_device;
	return 0;

err_put_device:
	vfio_put_device(&dev->core.vdev);
	return ret;
}

static void example_remove(struct pci_dev *pdev)
{
	struct vfio_pci_core_device *core = dev_get_drvdata(&pdev->dev);

	vfio_pci_core_unregister_device(core);
	vfio_put_device(&core->vdev);
}

static const struct pci_device_id example_ids[] = {
	{ PCI_DRIVER_OVERRIDE_DEVICE_VFIO(PCI_ANY_ID, PCI_ANY_ID) },
	{}
};

static struct pci_driver example_driver = {
	.name			= "example-vfio-pci",
	.id_table		= example_ids,
	.probe			= example_probe,
	.remove			= example_remove,
	.dev_groups		= example_groups,
	.err_handler		= &vfio_pci_core_err_handlers,
	.driver_managed_dma	= true,
};
module_pci_driver(example_driver);

MODULE_LICENSE("GPL");
MODULE_AUTHOR("the msilat authors");
MODULE_DESCRIPTION("Example of a vfio-pci variant driver");
