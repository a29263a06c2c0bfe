/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Resets and errors of the device, whoever causes them.
 */
#ifndef _MSILAT_RESET_H
#define _MSILAT_RESET_H

struct msilat_device;
struct pci_error_handlers;

extern const struct pci_error_handlers msilat_reset_err_handlers;

void msilat_reset_begin(struct msilat_device *dev);
void msilat_reset_end(struct msilat_device *dev);

#endif /* _MSILAT_RESET_H */
