/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The control ioctl.
 */
#ifndef _MSILAT_CTL_H
#define _MSILAT_CTL_H

struct msilat_device;

long msilat_ctl_ioctl(struct msilat_device *dev, unsigned long arg);

#endif /* _MSILAT_CTL_H */
