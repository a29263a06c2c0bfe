// SPDX-License-Identifier: GPL-2.0-only
/*
 * Resets and errors of the device.
 *
 * A reset comes from the user (VFIO_DEVICE_RESET; VFIO_DEVICE_PCI_HOT_RESET, of this device or of
 * another one behind the same bridge), from the core when it closes the last device of a set, or
 * from an administrator through sysfs. Resets that this device's user did not ask for are heard of
 * in reset_prepare alone, which the core may call with memory_lock held for writing: nothing here
 * may take igate or memory_lock.
 */
#include <linux/pci.h>

#include "mark.h"
#include "device.h"
#include "reset.h"
#include "wait.h"

static struct msilat_device *reset_device_of(struct pci_dev *pdev)
{
	struct vfio_pci_core_device *core = dev_get_drvdata(&pdev->dev);

	return container_of(core, struct msilat_device, core);
}

/**
 * msilat_reset_begin() - the device is about to be reset
 * @dev: device, open or not
 *
 * Called before the call that asks for a reset is passed to the core, and again from
 * reset_prepare: calls nest. The reset may yet be refused. Process context, memory_lock held or
 * not.
 */
void msilat_reset_begin(struct msilat_device *dev)
{
	msilat_mark_block(dev);
}

/**
 * msilat_reset_end() - the reset is over, or has been refused
 * @dev: device
 *
 * One for each msilat_reset_begin(). Process context, memory_lock held or not.
 */
void msilat_reset_end(struct msilat_device *dev)
{
	msilat_mark_unblock(dev);
}

/*
 * The PCI core holds the device lock: the driver stays bound. A reset that got here takes place,
 * one that is refused does not get here: waits are cancelled here and in reset_done alone.
 */
static void reset_prepare(struct pci_dev *pdev)
{
	struct msilat_device *dev = reset_device_of(pdev);

	msilat_reset_begin(dev);
	msilat_wait_cancel_all(dev);
}

/* Once more: what was armed while it lasted has been reset too. */
static void reset_done(struct pci_dev *pdev)
{
	struct msilat_device *dev = reset_device_of(pdev);

	msilat_wait_cancel_all(dev);
	msilat_reset_end(dev);
}

static pci_ers_result_t reset_error_detected(struct pci_dev *pdev, pci_channel_state_t state)
{
	struct msilat_device *dev = reset_device_of(pdev);

	/* Not armed again while the channel is not normal: pci_channel_offline() tells. */
	msilat_mark_block(dev);
	msilat_mark_unblock(dev);
	return vfio_pci_core_aer_err_detected(pdev, state);
}

const struct pci_error_handlers msilat_reset_err_handlers = {
	.error_detected	= reset_error_detected,
	.reset_prepare	= reset_prepare,
	.reset_done	= reset_done,
};
