// SPDX-License-Identifier: GPL-2.0-only
#include <math.h>

#include "histogram.h"
#include "unit.h"

static struct histogram h;

static int setup(void **state)
{
	(void)state;
	histogram_init(&h);
	return 0;
}

/* The bin a value falls into, found without the code that chose it. */
static unsigned int bin_of(uint64_t value)
{
	struct histogram one;
	unsigned int bin, found = HISTOGRAM_BINS, n = 0;

	histogram_init(&one);
	histogram_record(&one, value);
	for (bin = 0; bin < HISTOGRAM_BINS; bin++)
		if (one.bins[bin]) {
			assert_int_equal(one.bins[bin], 1);
			found = bin;
			n++;
		}
	assert_int_equal(n, 1);
	return found;
}

static void every_edge_falls_into_its_bin(void **state)
{
	unsigned int bin;

	(void)state;
	for (bin = 0; bin < HISTOGRAM_BINS; bin++) {
		assert_int_equal(bin_of(histogram_lower(bin)), bin);
		assert_int_equal(bin_of(histogram_upper(bin)), bin);
	}
}

static void bins_cover_all_64_bits_without_gap(void **state)
{
	unsigned int bin;

	(void)state;
	assert_int_equal(histogram_lower(0), 0);
	for (bin = 0; bin + 1 < HISTOGRAM_BINS; bin++) {
		assert_true(histogram_lower(bin) <= histogram_upper(bin));
		assert_true(histogram_lower(bin + 1) == histogram_upper(bin) + 1);
	}
	assert_true(histogram_upper(HISTOGRAM_BINS - 1) == UINT64_MAX);
}

static void no_bin_is_wider_than_1_in_128(void **state)
{
	uint64_t lower, width;
	unsigned int bin;

	(void)state;
	for (bin = 0; bin < HISTOGRAM_BINS; bin++) {
		lower = histogram_lower(bin);
		width = histogram_upper(bin) - lower;
		assert_true(width <= lower / 128);
	}
	for (bin = 0; bin < 256; bin++)
		assert_true(histogram_lower(bin) == bin && histogram_upper(bin) == bin);
}

static void values_at_every_power_of_two(void **state)
{
	unsigned int bit, bin;
	uint64_t value;
	int off;

	(void)state;
	for (bit = 0; bit < 64; bit++)
		for (off = -1; off <= 1; off++) {
			value = (1ull << bit) + (uint64_t)off;
			bin = bin_of(value);
			assert_true(value >= histogram_lower(bin) && value <= histogram_upper(bin));
		}
}

static void extremes_count_and_sum_are_exact(void **state)
{
	uint64_t seed = 1, value, min = UINT64_MAX, max = 0;
	unsigned __int128 sum = 0;
	unsigned int i;

	(void)state;
	for (i = 0; i < 100000; i++) {
		value = unit_random(&seed) >> (unit_random(&seed) % 64);
		histogram_record(&h, value);
		sum += value;
		min = value < min ? value : min;
		max = value > max ? value : max;
	}
	assert_true(h.min == min && h.max == max && h.count == 100000 && h.sum == sum);
}

static void the_sum_needs_128_bits(void **state)
{
	unsigned int i;

	(void)state;
	for (i = 0; i < 1000; i++)
		histogram_record(&h, UINT64_MAX);
	assert_true(h.sum == (unsigned __int128)UINT64_MAX * 1000);
	assert_true(fabs(histogram_mean(&h) / 0x1p64 - 1) < 1e-12);
	assert_int_equal(h.bins[HISTOGRAM_BINS - 1], 1000);
}

static void empty(void **state)
{
	struct histogram_quantile q;

	(void)state;
	assert_true(h.min == UINT64_MAX && h.max == 0 && h.count == 0 && h.sum == 0);
	assert_true(histogram_mean(&h) == 0);
	assert_false(histogram_quantile(&h, 0.5, &q));
}

static void one_value(void **state)
{
	(void)state;
	histogram_record(&h, 0);
	assert_true(h.min == 0 && h.max == 0 && h.count == 1 && h.bins[0] == 1);
}

static void mean(void **state)
{
	uint64_t i;

	(void)state;
	for (i = 1; i <= 10; i++)
		histogram_record(&h, i * 1000);
	assert_true(histogram_mean(&h) == 5500);
}

static void needed_counts(void **state)
{
	static const struct {
		double p;
		uint64_t n;
	} want[] = {
		{ 0.5, 20 }, { 0.9, 100 }, { 0.99, 1000 }, { 0.999, 10000 }, { 0.9999, 100000 },
		{ 0.99999, 1000000 }, { 0.999999, 10000000 }, { 0.1, 100 }, { 0.01, 1000 },
	};
	struct histogram_quantile q = { 1, 2, 3 };
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(want); i++) {
		assert_int_equal(histogram_needed(want[i].p), want[i].n);
		histogram_init(&h);
		h.min = h.max = 50;
		h.bins[50] = h.count = want[i].n - 1;
		assert_false(histogram_quantile(&h, want[i].p, &q));
		assert_true(q.value == 1 && q.low == 2 && q.high == 3);
		h.bins[50]++;
		h.count++;
		assert_true(histogram_quantile(&h, want[i].p, &q));
		assert_true(q.value == 50 && q.low == 50 && q.high == 50);
		q = (struct histogram_quantile){ 1, 2, 3 };
	}
}

static int ascending(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

/* The value a quantile stands for, from the sorted data: rank ceil(np). */
static uint64_t ranked(const uint64_t *sorted, size_t n, double rank)
{
	size_t at = rank < 1 ? 1 : (size_t)rank;

	return sorted[(at > n ? n : at) - 1];
}

static void check_quantiles(const uint64_t *sorted, size_t n)
{
	static const double shares[] = { 0.001, 0.01, 0.1, 0.5, 0.9, 0.99, 0.999, 0.9999 };
	struct histogram_quantile q;
	uint64_t exact, low, high;
	double half;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(shares); i++) {
		if (n < histogram_needed(shares[i])) {
			assert_false(histogram_quantile(&h, shares[i], &q));
			continue;
		}
		assert_true(histogram_quantile(&h, shares[i], &q));
		exact = ranked(sorted, n, ceil((double)n * shares[i]));
		half = 1.96 * sqrt((double)n * shares[i] * (1 - shares[i]));
		low = ranked(sorted, n, floor((double)n * shares[i] - half));
		high = ranked(sorted, n, ceil((double)n * shares[i] + half));
		/* Never to the flattering side, never more than 1/128 off. */
		assert_true(q.value >= exact && q.value - exact <= exact / 128);
		assert_true(q.low <= low && low - q.low <= low / 128);
		assert_true(q.high >= high && q.high - high <= high / 128);
		assert_true(q.low >= sorted[0] && q.high <= sorted[n - 1]);
	}
}

static void quantiles_against_sorted_data(void **state)
{
	static const size_t sizes[] = { 20, 99, 1000, 12345, 200000 };
	uint64_t *data, seed = 7;
	size_t i, j;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(sizes); i++) {
		data = malloc(sizes[i] * sizeof(*data));
		assert_non_null(data);
		histogram_init(&h);
		for (j = 0; j < sizes[i]; j++) {
			/* All magnitudes, and a heavy tail. */
			data[j] = unit_random(&seed) >> (unit_random(&seed) % 64);
			histogram_record(&h, data[j]);
		}
		qsort(data, sizes[i], sizeof(*data), ascending);
		check_quantiles(data, sizes[i]);
		free(data);
	}
}

static void quantiles_are_cut_to_the_extremes(void **state)
{
	struct histogram_quantile q;
	unsigned int i;

	(void)state;
	for (i = 0; i < 1000; i++)
		histogram_record(&h, 1000001);
	assert_true(histogram_quantile(&h, 0.99, &q));
	assert_true(q.value == 1000001 && q.low == 1000001 && q.high == 1000001);
}

/*
 * How often the 95 % interval holds the true quantile. The distribution spreads over 40 powers of
 * two, so that the width of a bin is nothing beside that of the interval.
 */
static double coverage(double p, unsigned int n, uint64_t *seed)
{
	const unsigned int trials = 2000;
	const uint64_t truth = (uint64_t)exp2(8 + p * 40);
	unsigned int trial, i, hits = 0;
	struct histogram_quantile q;

	for (trial = 0; trial < trials; trial++) {
		histogram_init(&h);
		for (i = 0; i < n; i++)
			histogram_record(&h, (uint64_t)exp2(8 + 40 * ((double)unit_random(seed) /
								      0x1p64)));
		assert_true(histogram_quantile(&h, p, &q));
		hits += q.low <= truth && truth <= q.high;
	}
	return (double)hits / trials;
}

static void intervals_cover_as_often_as_they_claim(void **state)
{
	static const struct {
		double p;
		unsigned int n;
	} cases[] = { { 0.5, 1000 }, { 0.9, 1000 }, { 0.99, 1000 }, { 0.99, 3000 } };
	uint64_t seed = 42;
	double c;
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		c = coverage(cases[i].p, cases[i].n, &seed);
		printf("# p %g of %u values: the interval holds it in %.2f %%\n", cases[i].p,
		       cases[i].n, c * 100);
		/* An interval of any width would reach 1. */
		assert_true(c >= 0.93 && c <= 0.985);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(every_edge_falls_into_its_bin, setup),
		cmocka_unit_test_setup(bins_cover_all_64_bits_without_gap, setup),
		cmocka_unit_test_setup(no_bin_is_wider_than_1_in_128, setup),
		cmocka_unit_test_setup(values_at_every_power_of_two, setup),
		cmocka_unit_test_setup(extremes_count_and_sum_are_exact, setup),
		cmocka_unit_test_setup(the_sum_needs_128_bits, setup),
		cmocka_unit_test_setup(empty, setup),
		cmocka_unit_test_setup(one_value, setup),
		cmocka_unit_test_setup(mean, setup),
		cmocka_unit_test_setup(needed_counts, setup),
		cmocka_unit_test_setup(quantiles_against_sorted_data, setup),
		cmocka_unit_test_setup(quantiles_are_cut_to_the_extremes, setup),
		cmocka_unit_test_setup(intervals_cover_as_often_as_they_claim, setup),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
