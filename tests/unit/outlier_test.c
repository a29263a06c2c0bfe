// SPDX-License-Identifier: GPL-2.0-only
#include "outlier.h"
#include "unit.h"

static struct outliers o;

static void record(uint64_t seq, uint64_t latency)
{
	const struct outlier event = { .seq = seq, .latency = latency, .stamps = { seq * 2 } };

	outliers_record(&o, &event);
}

static int setup(void **state)
{
	(void)state;
	memset(&o, 0, sizeof(o));
	return 0;
}

static int slowest_first(const void *a, const void *b)
{
	const struct outlier *x = a, *y = b;

	if (x->latency != y->latency)
		return x->latency > y->latency ? -1 : 1;
	return x->seq < y->seq ? -1 : 1;
}

/* Against a sort of everything, few distinct latencies so that there are many equals. */
static void the_slowest_exactly(void **state)
{
	static struct outlier all[5000];
	uint64_t seed = 11;
	unsigned int n, i;

	(void)state;
	for (n = 0; n < ARRAY_SIZE(all); n++) {
		all[n] = (struct outlier){ .seq = n + 1, .latency = unit_random(&seed) % 400,
					   .stamps = { (n + 1) * 2 } };
		record(all[n].seq, all[n].latency);
	}
	qsort(all, n, sizeof(all[0]), slowest_first);
	assert_int_equal(o.count, OUTLIERS);
	for (i = 0; i < OUTLIERS; i++)
		assert_memory_equal(&o.row[i], &all[i], sizeof(all[i]));
}

static void fewer_events_than_rows(void **state)
{
	(void)state;
	record(1, 10);
	record(2, 30);
	record(3, 20);
	assert_int_equal(o.count, 3);
	assert_true(o.row[0].seq == 2 && o.row[1].seq == 3 && o.row[2].seq == 1);
}

static void of_equals_the_earlier_stays(void **state)
{
	uint64_t i;

	(void)state;
	for (i = 1; i <= 2 * OUTLIERS; i++)
		record(i, 5);
	for (i = 0; i < OUTLIERS; i++)
		assert_int_equal(o.row[i].seq, i + 1);
}

static void a_falling_and_a_rising_series(void **state)
{
	uint64_t i;

	(void)state;
	for (i = 1; i <= 100; i++)
		record(i, 1000 - i);
	assert_true(o.row[0].seq == 1 && o.row[OUTLIERS - 1].seq == OUTLIERS);
	memset(&o, 0, sizeof(o));
	for (i = 1; i <= 100; i++)
		record(i, i);
	assert_true(o.row[0].seq == 100 && o.row[OUTLIERS - 1].seq == 101 - OUTLIERS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(the_slowest_exactly, setup),
		cmocka_unit_test_setup(fewer_events_than_rows, setup),
		cmocka_unit_test_setup(of_equals_the_earlier_stays, setup),
		cmocka_unit_test_setup(a_falling_and_a_rising_series, setup),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
