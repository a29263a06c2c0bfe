/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The region with the rings.
 */
#ifndef _MSILAT_REGION_H
#define _MSILAT_REGION_H

struct msilat_device;

int msilat_region_init(struct msilat_device *dev);
void msilat_region_rearmed(struct msilat_device *dev);

#endif /* _MSILAT_REGION_H */
