/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef MSILAT_IRQ_H
#define MSILAT_IRQ_H

#include <stdint.h>

#include "knob.h"

/**
 * irq_count - hard IRQs of an interrupt, as the kernel counts them on all CPUs
 * @irq: Linux IRQ number, 0 for none.
 *
 * Return: the count, UINT64_MAX if it is not known.
 */
uint64_t irq_count(unsigned int irq);

/**
 * irq_cpu - CPU an interrupt is delivered to
 *
 * Return: the CPU, -1 if it is not known or there are several.
 */
int irq_cpu(unsigned int irq);

/**
 * irq_route - send an interrupt to one CPU
 * @knobs: remembers where it went before.
 *
 * Return: 0 or -errno, with @why.
 */
int irq_route(struct knobs *knobs, unsigned int irq, int cpu, struct reason *why);

#endif
