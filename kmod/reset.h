/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Resets and errors of the device, whoever causes them.
 */
#ifndef _MSILAT_RESET_H
#define _MSILAT_RESET_H

#include <linux/atomic.h>

#include "device.h"

struct pci_error_handlers;

extern const struct pci_error_handlers msilat_reset_err_handlers;

void msilat_reset_begin(struct msilat_device *dev);
void msilat_reset_end(struct msilat_device *dev);

/**
 * msilat_reset_pending() - is a reset going on, or about to begin?
 * @dev: device
 *
 * Any context. The answer is old at once, unless memory_lock is held and the reset one of VFIO's.
 *
 * Return: true if so.
 */
static inline bool msilat_reset_pending(struct msilat_device *dev)
{
	return atomic_read(&dev->resets);
}

#endif /* _MSILAT_RESET_H */
