/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * VFIO_DEVICE_SET_IRQS.
 */
#ifndef _MSILAT_IRQS_H
#define _MSILAT_IRQS_H

#include <linux/types.h>

struct msilat_device;

long msilat_irqs_ioctl(struct msilat_device *dev, unsigned long arg);
void msilat_irqs_close(struct msilat_device *dev);
u32 msilat_irqs_index(struct msilat_device *dev);

#endif /* _MSILAT_IRQS_H */
