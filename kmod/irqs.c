// SPDX-License-Identifier: GPL-2.0-only
/*
 * VFIO_DEVICE_SET_IRQS: MSI and MSI-X are delivered by this driver, everything about them that a
 * VFIO program can see is as on vfio-pci of the same kernel.
 *
 * The core must never see a call about MSI while this driver owns it: it would free vectors that
 * have our handlers. It reads the header from user memory once more, which the user can change in
 * between. So INTx, which stays with the core, is passed on only while MSI is not ours, under a
 * lock (gate) that keeps it so; the error and request interrupts (trigger.c) are not passed on at
 * all. A user who swaps the index during a call about INTx makes the core own MSI: it then works
 * as on vfio-pci, and for us it is in use until the device is closed.
 *
 * While MSI is ours, core.irq_type says so: INTx is refused by it, and the core's emulation of the
 * MSI capability leaves the enable bit alone when the user writes to the control word. The latter
 * also needs core.msi_qmax.
 */
#include <linux/file.h>
#include <linux/pci.h>
#include <linux/pm_runtime.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/uaccess.h>
#include <linux/vfio.h>

#include "compat.h"
#include "device.h"
#include "irqs.h"
#include "memory.h"
#include "region.h"
#include "trigger.h"
#include "vector.h"

static int irqs_count(struct msilat_device *dev, u32 index)
{
	switch (index) {
	case VFIO_PCI_INTX_IRQ_INDEX:
		return dev->core.vconfig[PCI_INTERRUPT_PIN] ? 1 : 0;
	case VFIO_PCI_MSI_IRQ_INDEX:
		return dev->msi_count;
	case VFIO_PCI_MSIX_IRQ_INDEX:
		return dev->msix_count;
	case VFIO_PCI_ERR_IRQ_INDEX:
		return compat_has_err_irq(&dev->core) ? 1 : 0;
	case VFIO_PCI_REQ_IRQ_INDEX:
		return 1;
	default:
		return 0;
	}
}

static bool irqs_own(struct msilat_device *dev, u32 index)
{
	return dev->owned && dev->core.irq_type == index;
}

/* Enables MSI or MSI-X. Returns 0, -errno, or the number of vectors to be had if it is too low. */
static int irqs_enable(struct msilat_device *dev, u32 index, unsigned int nvec)
{
	struct vfio_pci_core_device *core = &dev->core;
	bool msix = index == VFIO_PCI_MSIX_IRQ_INDEX;
	int ret;
	u16 cmd;

	cmd = msilat_memory_lock(core);
	ret = pci_alloc_irq_vectors(core->pdev, 1, nvec, msix ? PCI_IRQ_MSIX : PCI_IRQ_MSI);
	if (ret > 0 && ret < nvec)
		pci_free_irq_vectors(core->pdev);
	msilat_memory_unlock(core, cmd);
	if (ret < 0 || ret < nvec)
		return ret;

	core->irq_type = index;
	/* log2 of the vectors, rounded up: the value of the capability's enable field. */
	if (!msix)
		core->msi_qmax = fls(nvec * 2 - 1) - 1;
	dev->allocated = nvec;
	dev->owned = true;
	return 0;
}

static void irqs_disable(struct msilat_device *dev)
{
	struct vfio_pci_core_device *core = &dev->core;
	unsigned int i;
	u16 cmd;

	for (i = 0; i < dev->nvec; i++)
		msilat_vector_disarm(&dev->vectors[i]);

	cmd = msilat_memory_lock(core);
	pci_free_irq_vectors(core->pdev);
	msilat_memory_unlock(core, cmd);

	/* Disabling MSI enables INTx: not for a device whose INTx is broken. */
	if (core->nointx)
		pci_intx(core->pdev, 0);

	dev->owned = false;
	dev->allocated = 0;
	core->irq_type = VFIO_PCI_NUM_IRQS;
}

/* Arms (fd >= 0) or disarms each vector of a range. On error the whole range so far is disarmed. */
static int irqs_set_block(struct msilat_device *dev, const struct vfio_irq_set *hdr,
			  const s32 *fds)
{
	bool msix = hdr->index == VFIO_PCI_MSIX_IRQ_INDEX;
	unsigned int i, j;
	int ret = 0;

	if (compat_vectors_bounded() &&
	    (hdr->start >= dev->allocated || hdr->start + hdr->count > dev->allocated))
		return -EINVAL;

	for (i = 0; i < hdr->count; i++) {
		struct msilat_vector_ctx *vec = &dev->vectors[hdr->start + i];

		msilat_vector_disarm(vec);
		if (fds[i] < 0)
			continue;
		ret = msilat_vector_arm(vec, fds[i], msix);
		if (ret)
			goto err_disarm;
	}
	return 0;

err_disarm:
	for (j = 0; j < i; j++)
		msilat_vector_disarm(&dev->vectors[hdr->start + j]);
	return ret;
}

/* Before anything changes: waits that are cancelled are told from those that begin after it. */
static void irqs_new_generation(struct msilat_device *dev)
{
	msilat_vector_new_generation(dev);
	msilat_region_rearmed(dev);
}

static int irqs_set_eventfds(struct msilat_device *dev, const struct vfio_irq_set *hdr,
			     const s32 *fds)
{
	int ret;

	if (irqs_own(dev, hdr->index)) {
		irqs_new_generation(dev);
		return irqs_set_block(dev, hdr, fds);
	}

	ret = irqs_enable(dev, hdr->index, hdr->start + hdr->count);
	if (ret)
		return ret;

	irqs_new_generation(dev);
	ret = irqs_set_block(dev, hdr, fds);
	if (ret)
		irqs_disable(dev);
	return ret;
}

static int irqs_loopback(struct msilat_device *dev, const struct vfio_irq_set *hdr,
			 const u8 *bools)
{
	unsigned int i;

	if (compat_vectors_bounded() && hdr->start + hdr->count > dev->allocated)
		return -EINVAL;

	for (i = 0; i < hdr->count; i++) {
		if (!bools || bools[i])
			msilat_vector_loopback(&dev->vectors[hdr->start + i]);
	}
	return 0;
}

/* @hdr has been validated: range and data type are good, @data is as long as they say. */
static int irqs_set_msi(struct msilat_device *dev, const struct vfio_irq_set *hdr, void *data)
{
	if ((hdr->flags & VFIO_IRQ_SET_ACTION_TYPE_MASK) != VFIO_IRQ_SET_ACTION_TRIGGER)
		return -ENOTTY;

	if (irqs_own(dev, hdr->index) && !hdr->count && (hdr->flags & VFIO_IRQ_SET_DATA_NONE)) {
		irqs_new_generation(dev);
		irqs_disable(dev);
		return 0;
	}

	if (!irqs_own(dev, hdr->index) && dev->core.irq_type != VFIO_PCI_NUM_IRQS)
		return -EINVAL;

	if (hdr->flags & VFIO_IRQ_SET_DATA_EVENTFD)
		return irqs_set_eventfds(dev, hdr, data);

	if (!irqs_own(dev, hdr->index))
		return -EINVAL;

	return irqs_loopback(dev, hdr, data);
}

/* What the core answers about INTx while MSI is in use. */
static int irqs_refuse_intx(const struct vfio_irq_set *hdr)
{
	switch (hdr->flags & VFIO_IRQ_SET_ACTION_TYPE_MASK) {
	case VFIO_IRQ_SET_ACTION_MASK:
	case VFIO_IRQ_SET_ACTION_UNMASK:
	case VFIO_IRQ_SET_ACTION_TRIGGER:
		return -EINVAL;
	default:
		return -ENOTTY;
	}
}

static int irqs_set_intx(struct msilat_device *dev, const struct vfio_irq_set *hdr,
			 unsigned long arg)
{
	int ret;

	mutex_lock(&dev->gate);
	if (dev->owned)
		ret = irqs_refuse_intx(hdr);
	else
		ret = vfio_pci_core_ioctl(&dev->core.vdev, VFIO_DEVICE_SET_IRQS, arg);
	mutex_unlock(&dev->gate);
	return ret;
}

/**
 * msilat_irqs_ioctl() - VFIO_DEVICE_SET_IRQS
 * @dev: open device
 * @arg: user address of a struct vfio_irq_set
 *
 * Return: 0, -errno, or for want of vectors the number there are, as vfio-pci does.
 */
long msilat_irqs_ioctl(struct msilat_device *dev, unsigned long arg)
{
	struct vfio_irq_set __user *uarg = (void __user *)arg;
	struct vfio_irq_set hdr;
	size_t data_size = 0;
	void *data = NULL;
	int ret;

	if (copy_from_user(&hdr, uarg, offsetofend(struct vfio_irq_set, count)))
		return -EFAULT;

	ret = vfio_set_irqs_validate_and_prepare(&hdr, irqs_count(dev, hdr.index),
						 VFIO_PCI_NUM_IRQS, &data_size);
	if (ret)
		return ret;

	if (data_size) {
		data = memdup_user(&uarg->data, data_size);
		if (IS_ERR(data))
			return PTR_ERR(data);
	}

	if (hdr.index == VFIO_PCI_INTX_IRQ_INDEX) {
		ret = irqs_set_intx(dev, &hdr, arg);
		goto out_free_data;
	}

	mutex_lock(&dev->gate);
	mutex_lock(&dev->core.igate);
	if (hdr.index == VFIO_PCI_MSI_IRQ_INDEX || hdr.index == VFIO_PCI_MSIX_IRQ_INDEX)
		ret = irqs_set_msi(dev, &hdr, data);
	else
		ret = msilat_trigger_set(&dev->core, &hdr, data);
	mutex_unlock(&dev->core.igate);
	mutex_unlock(&dev->gate);

out_free_data:
	kfree(data);
	return ret;
}

/**
 * msilat_irqs_close() - gives MSI and MSI-X back before the core closes the device
 * @dev: device that is being closed
 *
 * No handler of ours runs after return. The device may sleep, may be firing, may have its memory
 * decoding off.
 */
void msilat_irqs_close(struct msilat_device *dev)
{
	struct pci_dev *pdev = dev->core.pdev;
	int ret;

	ret = pm_runtime_resume_and_get(&pdev->dev);
	/*
	 * The user may have put it to sleep through its own registers, of which runtime power
	 * management knows nothing. Masking an MSI-X vector would then touch a BAR that does not
	 * answer. The core restores the configuration afterwards.
	 */
	down_write(&dev->core.memory_lock);
	pci_set_power_state(pdev, PCI_D0);
	up_write(&dev->core.memory_lock);
	pci_clear_master(pdev);

	mutex_lock(&dev->core.igate);
	if (dev->owned)
		irqs_disable(dev);
	mutex_unlock(&dev->core.igate);

	if (!ret)
		pm_runtime_put(&pdev->dev);
}

/**
 * msilat_irqs_index() - index that is enabled
 * @dev: open device; igate held
 *
 * Return: VFIO IRQ index of MSI or MSI-X if this driver has it enabled, else ~0.
 */
u32 msilat_irqs_index(struct msilat_device *dev)
{
	return dev->owned ? dev->core.irq_type : ~0U;
}
