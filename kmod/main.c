// SPDX-License-Identifier: GPL-2.0-only
/*
 * msilat-vfio-pci: a vfio-pci variant driver with a choice of MSI delivery strategies.
 *
 * It binds only where driver_override names it: there is no module device table.
 */
#include <linux/module.h>
#include <linux/pci.h>
#include <linux/vfio_pci_core.h>

#include "device.h"
#include "fault.h"
#include "reset.h"
#include "strategy.h"

static bool enable_sriov;
module_param(enable_sriov, bool, 0644);
MODULE_PARM_DESC(enable_sriov,
		 "Let user space create virtual functions of a bound device, as in vfio-pci (default 0)");

/*
 * Devices that vfio-pci refuses because a user who owns one can harm more than the device. Its list
 * is its own, not the core's. The numbers are those of pci_ids.h, which not all kernels have whole.
 */
static const struct pci_device_id main_denied[] = {
	{ PCI_VDEVICE(INTEL, 0x19e2) }, /* QAT C3xxx */
	{ PCI_VDEVICE(INTEL, 0x19e3) }, /* its virtual functions */
	{ PCI_VDEVICE(INTEL, 0x37c8) }, /* QAT C62x */
	{ PCI_VDEVICE(INTEL, 0x37c9) },
	{ PCI_VDEVICE(INTEL, 0x0435) }, /* QAT DH895xCC */
	{ PCI_VDEVICE(INTEL, 0x0443) },
	{ PCI_VDEVICE(INTEL, 0x0b25) }, /* DSA of Sapphire Rapids */
	{ PCI_VDEVICE(INTEL, 0x0cfe) }, /* IAX of Sapphire Rapids */
	{}
};

static int main_probe(struct pci_dev *pdev, const struct pci_device_id *id)
{
	struct msilat_device *dev;
	int ret;

	if (pci_match_id(main_denied, pdev)) {
		pci_warn(pdev, "refused, as by vfio-pci: not safe in the hands of a user\n");
		return -EINVAL;
	}

	dev = vfio_alloc_device(msilat_device, core.vdev, &pdev->dev, &msilat_device_ops);
	if (IS_ERR(dev))
		return PTR_ERR(dev);

	dev_set_drvdata(&pdev->dev, &dev->core);
	ret = vfio_pci_core_register_device(&dev->core);
	if (ret)
		goto err_put_device;
	return 0;

err_put_device:
	vfio_put_device(&dev->core.vdev);
	return ret;
}

static void main_remove(struct pci_dev *pdev)
{
	struct vfio_pci_core_device *core = dev_get_drvdata(&pdev->dev);

	vfio_pci_core_unregister_device(core);
	vfio_put_device(&core->vdev);
}

static int main_sriov_configure(struct pci_dev *pdev, int nr_virtfn)
{
	struct vfio_pci_core_device *core = dev_get_drvdata(&pdev->dev);

	if (!enable_sriov)
		return -ENOENT;
	return vfio_pci_core_sriov_configure(core, nr_virtfn);
}

static const struct pci_device_id main_ids[] = {
	{ PCI_DRIVER_OVERRIDE_DEVICE_VFIO(PCI_ANY_ID, PCI_ANY_ID) },
	{}
};

/* The core forces the name of struct vfio_device_ops on virtual functions: it must be this one. */
static struct pci_driver main_driver = {
	.name			= "msilat-vfio-pci",
	.id_table		= main_ids,
	.probe			= main_probe,
	.remove			= main_remove,
	.sriov_configure	= main_sriov_configure,
	.err_handler		= &msilat_reset_err_handlers,
	.driver_managed_dma	= true,
};

static int __init main_init(void)
{
	int ret;

	ret = msilat_strategy_init();
	if (ret)
		return ret;
	msilat_fault_init();
	return pci_register_driver(&main_driver);
}

static void __exit main_exit(void)
{
	pci_unregister_driver(&main_driver);
	msilat_strategy_exit();
}

module_init(main_init);
module_exit(main_exit);

MODULE_LICENSE("GPL");
MODULE_VERSION(MSILAT_VERSION);
MODULE_AUTHOR("the msilat authors");
MODULE_DESCRIPTION("VFIO PCI driver with a choice of MSI delivery strategies");
