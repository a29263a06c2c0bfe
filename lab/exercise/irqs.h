/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The Linux interrupts behind a device's vectors, as sysfs and /proc show them: the same for every
 * driver.
 */
#ifndef IRQS_H
#define IRQS_H

#include <stdint.h>

/**
 * irqs_taken - hard interrupts the kernel has taken for a device
 * @bdf: the device
 *
 * Counts those of vectors that are allocated now: what was counted for a vector is forgotten when
 * it is freed.
 *
 * Return: the number; 0 when no vector is allocated.
 */
uint64_t irqs_taken(const char *bdf);

/** irqs_spread - bind a device's interrupts to the CPUs in turn: the first to CPU 0, and so on */
void irqs_spread(const char *bdf);

#endif
