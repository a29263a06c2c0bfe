/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef MSILAT_CLOCK_H
#define MSILAT_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

#include "reason.h"

/**
 * clock_read - the raw cycle counter of this CPU
 *
 * Ordered: no earlier load or instruction of this thread is still under way when the counter is
 * read. The driver's stamps are the same counter. Any thread; a few tens of cycles.
 *
 * x86: TSC behind LFENCE (Intel SDM vol. 2, RDTSC). arm64: CNTVCT_EL0 behind ISB.
 */
static inline uint64_t clock_read(void)
{
#if defined(__x86_64__)
	uint32_t lo, hi;

	__asm__ volatile("lfence\n\trdtsc" : "=a"(lo), "=d"(hi) : : "memory");
	return (uint64_t)hi << 32 | lo;
#elif defined(__aarch64__)
	uint64_t v;

	__asm__ volatile("isb\n\tmrs %0, cntvct_el0" : "=r"(v) : : "memory");
	return v;
#else
#error "msilat knows the cycle counters of x86-64 and arm64 only"
#endif
}

/**
 * struct clock_point - one reading of both clocks
 * @cycles: cycle counter, middle of the bracket.
 * @ns: CLOCK_MONOTONIC_RAW.
 * @width: cycles that the bracket took: @cycles is right within half of it.
 */
struct clock_point {
	uint64_t cycles;
	uint64_t ns;
	uint64_t width;
};

/**
 * struct clock_rate - what a cycle is worth
 * @hz: cycles in a second of CLOCK_MONOTONIC_RAW.
 * @error_ppm: bound of its error, from the widths of the two brackets.
 * @drift_ppm: difference to the calibration before the run; 0 until there were two.
 */
struct clock_rate {
	double hz;
	double error_ppm;
	double drift_ppm;
};

/**
 * struct clock_health - whether the counter is fit to measure with
 * @name: "tsc" or "cntvct".
 * @source: the kernel's clock source now ("" if unknown).
 * @trusted: the kernel takes the counter to run at one rate, in all idle states, on all CPUs.
 * @steady: nothing measured says otherwise; a run that sees it jump or drift clears this.
 * @text: why one of them is false, or what is not known.
 */
struct clock_health {
	char name[16];
	char source[32];
	bool trusted;
	bool steady;
	char text[128];
};

/** clock_monotonic - CLOCK_MONOTONIC in ns: for pauses and time-outs, never for a latency */
uint64_t clock_monotonic(void);

/**
 * clock_sample - read cycle counter and CLOCK_MONOTONIC_RAW together
 *
 * Takes the narrowest of several brackets, so that a preemption does not count.
 */
void clock_sample(struct clock_point *point);

/**
 * clock_calibrate - rate between two points
 * @rate: receives it; drift_ppm is left at 0.
 *
 * Return: 0, or -ERANGE when the counter stood still or went backwards.
 */
int clock_calibrate(struct clock_rate *rate, const struct clock_point *from,
		    const struct clock_point *to);

/** clock_ns - nanoseconds in a number of cycles */
double clock_ns(const struct clock_rate *rate, uint64_t cycles);

/**
 * clock_check - ask the kernel whether the counter can be used
 *
 * On x86 from the clock sources the kernel offers (it takes the TSC off the list when its watchdog
 * finds it unstable) or, where they are not listed, the CPU flags constant_tsc and nonstop_tsc.
 */
void clock_check(struct clock_health *health);

/** clock_stable - trusted by the kernel, and steady as far as was measured */
static inline bool clock_stable(const struct clock_health *health)
{
	return health->trusted && health->steady;
}

#endif
