/* SPDX-License-Identifier: GPL-2.0-only */
/* QEMU's edu device (docs/specs/edu.rst in QEMU): a store to one register sends the MSI. */
#ifndef EDU_H
#define EDU_H

#include "vdev.h"

#define EDU_RAISE 0x60
#define EDU_ACK	  0x64

/** edu_fire - send the MSI; it is on its way when the store has been done */
static inline void edu_fire(struct vdev *d)
{
	d->bar[EDU_RAISE / 4] = 1;
}

/** edu_ack - clear the status, so that nothing but edu_fire() sends an MSI */
static inline void edu_ack(struct vdev *d)
{
	d->bar[EDU_ACK / 4] = ~0u;
}

#endif
