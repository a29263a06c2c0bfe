/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef MSILAT_HISTOGRAM_H
#define MSILAT_HISTOGRAM_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Log-linear: values below 2^(HISTOGRAM_BITS + 1) have a bin each, above that every power of two
 * is divided into 2^HISTOGRAM_BITS bins, so a bin is never wider than 1/128 of its values. All 64
 * bits have bins: there is no overflow and nothing can be lost.
 */
#define HISTOGRAM_BITS 7
#define HISTOGRAM_BINS ((65 - HISTOGRAM_BITS) << HISTOGRAM_BITS)

/**
 * struct histogram - counts of 64-bit values
 * @min: smallest value recorded, exact; UINT64_MAX while empty.
 * @max: largest value recorded, exact; 0 while empty.
 * @count: number of values.
 * @sum: exact sum; 128 bits hold 2^64 values of 2^64.
 * @bins: counts.
 *
 * No locking: one thread records, readers need the recorder's lock.
 */
struct histogram {
	uint64_t min;
	uint64_t max;
	uint64_t count;
	unsigned __int128 sum;
	uint64_t bins[HISTOGRAM_BINS];
};

/**
 * struct histogram_quantile - a quantile and how well it is known
 * @value: the quantile, cut to the exact extremes.
 * @low: lower end of its 95 % confidence interval.
 * @high: upper end.
 */
struct histogram_quantile {
	uint64_t value;
	uint64_t low;
	uint64_t high;
};

void histogram_init(struct histogram *h);

/** histogram_record - count one value; allocates nothing, takes no lock */
void histogram_record(struct histogram *h, uint64_t value);

/** histogram_mean - arithmetic mean, 0 while empty */
double histogram_mean(const struct histogram *h);

/** histogram_lower - smallest value that falls into a bin */
uint64_t histogram_lower(unsigned int bin);

/** histogram_upper - largest value that falls into a bin */
uint64_t histogram_upper(unsigned int bin);

/**
 * histogram_quantile - value below which a share of the values lies
 * @h: histogram.
 * @p: share, 0 < p < 1.
 * @q: receives the quantile and its interval.
 *
 * The value is the upper edge of the bin that holds the ranked value, so it errs by at most 1/128
 * and never to the flattering side. The interval is that of the order statistic: ranks
 * np ± 1.96 √(np(1-p)) (normal approximation to the binomial, e.g. Conover, Practical
 * Nonparametric Statistics, 3.2), outwards to whole bins.
 *
 * Return: true if the count supports the quantile: at least 10 values are expected on either
 * side of it. Otherwise false and @q is not touched.
 */
bool histogram_quantile(const struct histogram *h, double p, struct histogram_quantile *q);

/**
 * histogram_needed - values needed before histogram_quantile() supports @p
 */
uint64_t histogram_needed(double p);

#endif
