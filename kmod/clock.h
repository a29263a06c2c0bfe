/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The clock of all stamps: the CPU's raw cycle counter, which user space can read too.
 */
#ifndef _MSILAT_CLOCK_H
#define _MSILAT_CLOCK_H

#include <linux/types.h>

#include "uapi/msilat.h"

#if defined(CONFIG_X86)

#include <asm/tsc.h>

#define MSILAT_CLOCK	MSILAT_CLOCK_TSC

/**
 * msilat_clock() - reads the raw cycle counter
 *
 * Not before loads that precede it in program order. Any context.
 *
 * Return: the counter.
 */
static __always_inline u64 msilat_clock(void)
{
	return rdtsc_ordered();
}

/**
 * msilat_clock_hz() - frequency of msilat_clock()
 *
 * Return: what the kernel takes it to be, in Hz; 0 if it does not know.
 */
static inline u64 msilat_clock_hz(void)
{
	return tsc_khz * 1000ULL;
}

#elif defined(CONFIG_ARM64)

#include <asm/barrier.h>
#include <asm/sysreg.h>

#define MSILAT_CLOCK	MSILAT_CLOCK_CNTVCT

static __always_inline u64 msilat_clock(void)
{
	isb();
	return read_sysreg(cntvct_el0);
}

static inline u64 msilat_clock_hz(void)
{
	return read_sysreg(cntfrq_el0);
}

#else
#error "no cycle counter that both kernel and user space can read is known for this architecture"
#endif

#endif /* _MSILAT_CLOCK_H */
