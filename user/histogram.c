// SPDX-License-Identifier: GPL-2.0-only
#include <math.h>
#include <string.h>

#include "histogram.h"

#define SUB (1u << HISTOGRAM_BITS)
#define TAIL 10.0	/* values expected beyond a quantile before it is printed */

void histogram_init(struct histogram *h)
{
	memset(h, 0, sizeof(*h));
	h->min = UINT64_MAX;
}

static unsigned int bin_of(uint64_t value)
{
	unsigned int shift;

	if (value < SUB)
		return (unsigned int)value;
	shift = 63 - __builtin_clzll(value) - HISTOGRAM_BITS;
	return shift * SUB + (unsigned int)(value >> shift);
}

void histogram_record(struct histogram *h, uint64_t value)
{
	h->bins[bin_of(value)]++;
	h->count++;
	h->sum += value;
	if (value < h->min)
		h->min = value;
	if (value > h->max)
		h->max = value;
}

double histogram_mean(const struct histogram *h)
{
	return h->count ? (double)h->sum / (double)h->count : 0;
}

uint64_t histogram_lower(unsigned int bin)
{
	unsigned int shift;

	if (bin < 2 * SUB)
		return bin;
	shift = bin / SUB - 1;
	return (uint64_t)(bin % SUB + SUB) << shift;
}

uint64_t histogram_upper(unsigned int bin)
{
	unsigned int shift;

	if (bin < 2 * SUB)
		return bin;
	shift = bin / SUB - 1;
	return histogram_lower(bin) + ((1ull << shift) - 1);
}

/* Bin of the value with the given rank (1 is the smallest). */
static unsigned int bin_of_rank(const struct histogram *h, uint64_t rank)
{
	uint64_t seen = 0;
	unsigned int bin;

	for (bin = 0; bin < HISTOGRAM_BINS - 1; bin++) {
		seen += h->bins[bin];
		if (seen >= rank)
			break;
	}
	return bin;
}

static uint64_t clamp_rank(const struct histogram *h, double rank)
{
	if (rank < 1)
		return 1;
	if (rank > (double)h->count)
		return h->count;
	return (uint64_t)rank;
}

static uint64_t clamp_value(const struct histogram *h, uint64_t value)
{
	if (value < h->min)
		return h->min;
	return value > h->max ? h->max : value;
}

bool histogram_quantile(const struct histogram *h, double p, struct histogram_quantile *q)
{
	double n = (double)h->count, half;

	if (h->count < histogram_needed(p))
		return false;
	half = 1.96 * sqrt(n * p * (1 - p));
	q->value = clamp_value(h, histogram_upper(
			bin_of_rank(h, clamp_rank(h, ceil(n * p)))));
	q->low = clamp_value(h, histogram_lower(
			bin_of_rank(h, clamp_rank(h, floor(n * p - half)))));
	q->high = clamp_value(h, histogram_upper(
			bin_of_rank(h, clamp_rank(h, ceil(n * p + half)))));
	return true;
}

uint64_t histogram_needed(double p)
{
	double side = p < 0.5 ? p : 1 - p;

	/* 1 - 0.999 is not 0.001: do not ask for one value more because of rounding. */
	return (uint64_t)ceil(TAIL / side * (1 - 1e-9));
}
