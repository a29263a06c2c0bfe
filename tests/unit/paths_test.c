// SPDX-License-Identifier: GPL-2.0-only
#include "paths.h"
#include "unit.h"

static struct paths p;

static int setup(void **state)
{
	(void)state;
	paths_init(&p);
	return 0;
}

static void empty(void **state)
{
	uint64_t count = 7;

	(void)state;
	assert_int_equal(paths_commonest(&p, &count), 0);
	assert_int_equal(count, 0);
	assert_int_equal(paths_commonest(&p, NULL), 0);
}

static void rows_are_sorted_and_counted(void **state)
{
	uint64_t seed = 3, want[64] = { 0 }, i;

	(void)state;
	for (i = 0; i < 10000; i++) {
		uint64_t length = unit_random(&seed) % 64;

		want[length]++;
		paths_record(&p, length * 11);
	}
	assert_int_equal(p.used, 64);
	assert_int_equal(p.beyond, 0);
	for (i = 0; i < 64; i++) {
		assert_int_equal(p.row[i].length, i * 11);
		assert_int_equal(p.row[i].count, want[i]);
	}
}

static void commonest_of_equals_is_the_shorter(void **state)
{
	uint64_t count;

	(void)state;
	paths_record(&p, 900);
	paths_record(&p, 100);
	paths_record(&p, 500);
	paths_record(&p, 900);
	paths_record(&p, 500);
	assert_int_equal(paths_commonest(&p, &count), 500);
	assert_int_equal(count, 2);
	paths_record(&p, 900);
	assert_int_equal(paths_commonest(&p, &count), 900);
	assert_int_equal(count, 3);
}

static void full_table_counts_what_it_cannot_hold(void **state)
{
	uint64_t i;

	(void)state;
	for (i = 0; i < PATHS_MAX; i++)
		paths_record(&p, 10 + 2 * i);
	paths_record(&p, 5);
	paths_record(&p, 11);
	paths_record(&p, UINT64_MAX);
	paths_record(&p, 10);
	assert_int_equal(p.used, PATHS_MAX);
	assert_int_equal(p.beyond, 3);
	assert_int_equal(p.row[0].length, 10);
	assert_int_equal(p.row[0].count, 2);
	assert_int_equal(p.row[PATHS_MAX - 1].length, 10 + 2 * (PATHS_MAX - 1));
}

static void extremes(void **state)
{
	(void)state;
	paths_record(&p, UINT64_MAX);
	paths_record(&p, 0);
	assert_true(p.row[0].length == 0 && p.row[1].length == UINT64_MAX);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(empty, setup),
		cmocka_unit_test_setup(rows_are_sorted_and_counted, setup),
		cmocka_unit_test_setup(commonest_of_equals_is_the_shorter, setup),
		cmocka_unit_test_setup(full_table_counts_what_it_cannot_hold, setup),
		cmocka_unit_test_setup(extremes, setup),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
