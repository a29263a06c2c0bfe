/* SPDX-License-Identifier: GPL-2.0-only */
/* The ways to attack a device: hostile.c chooses one. */
#ifndef HOSTILE_H
#define HOSTILE_H

#include "attack.h"

/** hostile_plain - plain VFIO's calls, to be compared between drivers; prints what happened */
void hostile_plain(struct attack_target *t, uint64_t seed, unsigned int calls);

/** hostile_interface - everything in uapi/msilat.h is there: else most of the test is void */
void hostile_interface(struct attack_target *t);

/** hostile_alone - one thread, every result predicted */
void hostile_alone(struct attack_target *t, uint64_t seed, unsigned int calls);

/** hostile_storm - many threads, every result one of those that are documented */
void hostile_storm(struct attack_target *t, uint64_t seed, unsigned int calls);

/** hostile_afterwards - the device works under every strategy, whatever was done to it */
void hostile_afterwards(struct attack_target *t);

#endif
