/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The two devices of the lab that send an interrupt when told to: QEMU's edu, one MSI, and its igb
 * (82576), ten MSI-X vectors, each raised by its bit in EICS.
 */
#ifndef CARD_H
#define CARD_H

#include <stdbool.h>

#include "vdev.h"

/**
 * struct card - an open device that can fire
 * @dev: the device.
 * @index: VFIO IRQ index of its vectors.
 * @vectors: how many it has there.
 * @edu: it is the edu, else an igb.
 */
struct card {
	struct vdev dev;
	uint32_t index;
	unsigned int vectors;
	bool edu;
};

/** card_open - as vdev_open(); an unknown device ends the program */
int card_open(struct card *c, const char *bdf);

/** card_close - make it silent and close it */
void card_close(struct card *c);

/** card_prepare - make it able to fire; after each enabling of its vectors and each reset */
void card_prepare(struct card *c);

/** card_enable - the part of card_prepare() that is registers of the device: needs its BAR alone */
void card_enable(struct card *c);

/** card_is_enabled - it has not been reset since card_enable(); igb only */
bool card_is_enabled(struct card *c);

/**
 * card_forget - drop causes that were raised and not sent
 *
 * A cause that is pending is not raised again. A reset between the registers that card_enable()
 * writes may leave one that is never sent.
 */
void card_forget(struct card *c);

/** card_fire - send the interrupt of one vector; it is on its way on return. Any thread. */
void card_fire(struct card *c, unsigned int vector);

#endif
