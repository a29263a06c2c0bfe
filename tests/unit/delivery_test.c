// SPDX-License-Identifier: GPL-2.0-only
#include <pthread.h>

#include "region.h"
#include "unit.h"

static struct region r;

static int setup(void **state)
{
	(void)state;
	region_init(&r);
	return 0;
}

static void without_a_region_nothing_is_known(void **state)
{
	const struct delivery stock = { 0 };
	struct msilat_delivery d;
	struct msilat_isr isr;

	(void)state;
	assert_int_equal(delivery_isr(&stock, 0, 0, &isr), -EAGAIN);
	assert_int_equal(delivery_record(&stock, 0, 0, &d), -EAGAIN);
	assert_int_equal(delivery_head(&stock, 0), 0);
}

static void a_vector_the_region_lacks(void **state)
{
	struct msilat_delivery d;
	struct msilat_isr isr;

	(void)state;
	assert_int_equal(delivery_isr(&r.delivery, REGION_VECTORS, 0, &isr), -EAGAIN);
	assert_int_equal(delivery_record(&r.delivery, REGION_VECTORS, 0, &d), -EAGAIN);
	assert_int_equal(delivery_head(&r.delivery, REGION_VECTORS), 0);
}

static void records_are_found_by_number(void **state)
{
	struct msilat_delivery d;
	struct msilat_isr isr;
	uint64_t i;

	(void)state;
	for (i = 0; i < REGION_RECORDS; i++) {
		assert_int_equal(region_isr(&r, 1, 1000 + i), i);
		assert_int_equal(region_delivery(&r, 1, 2000 + i, 3000 + i, i, i + 1, 0), i);
	}
	assert_int_equal(delivery_head(&r.delivery, 1), REGION_RECORDS);
	assert_int_equal(delivery_head(&r.delivery, 0), 0);
	for (i = 0; i < REGION_RECORDS; i++) {
		assert_int_equal(delivery_isr(&r.delivery, 1, i, &isr), 0);
		assert_true(isr.seq == i + 1 && isr.isr == 1000 + i);
		assert_int_equal(delivery_record(&r.delivery, 1, i, &d), 0);
		assert_true(d.thread == 2000 + i && d.signal == 3000 + i);
		assert_true(d.first_isr == i && d.last_isr == i + 1);
	}
}

static void a_record_not_yet_written(void **state)
{
	struct msilat_delivery d;
	struct msilat_isr isr;

	(void)state;
	assert_int_equal(delivery_isr(&r.delivery, 0, 0, &isr), -EAGAIN);
	assert_int_equal(delivery_record(&r.delivery, 0, 0, &d), -EAGAIN);
	region_isr(&r, 0, 5);
	assert_int_equal(delivery_isr(&r.delivery, 0, 0, &isr), 0);
	assert_int_equal(delivery_isr(&r.delivery, 0, 1, &isr), -EAGAIN);
	assert_int_equal(delivery_isr(&r.delivery, 0, UINT64_MAX, &isr), -EAGAIN);
}

static void an_overwritten_record_is_noticed(void **state)
{
	struct msilat_delivery d;
	struct msilat_isr isr;
	uint64_t i;

	(void)state;
	for (i = 0; i < 3 * REGION_RECORDS; i++) {
		region_isr(&r, 0, 1000 + i);
		region_delivery(&r, 0, 0, 3000 + i, i, i, 0);
	}
	for (i = 0; i < 2 * REGION_RECORDS; i++) {
		assert_int_equal(delivery_isr(&r.delivery, 0, i, &isr), -ESTALE);
		assert_int_equal(delivery_record(&r.delivery, 0, i, &d), -ESTALE);
	}
	for (; i < 3 * REGION_RECORDS; i++) {
		assert_int_equal(delivery_isr(&r.delivery, 0, i, &isr), 0);
		assert_int_equal(isr.isr, 1000 + i);
	}
}

static void a_record_being_overwritten_is_noticed(void **state)
{
	struct msilat_isr isr;
	uint64_t i;

	(void)state;
	for (i = 0; i < REGION_RECORDS; i++)
		region_isr(&r, 0, 1000 + i);
	r.block[0].isr[3].seq = 0;
	assert_int_equal(delivery_isr(&r.delivery, 0, 3, &isr), -ESTALE);
	assert_int_equal(delivery_isr(&r.delivery, 0, 2, &isr), 0);
}

#define WRITES 2000000

static void *writer(void *arg)
{
	uint64_t i;

	(void)arg;
	for (i = 0; i < WRITES; i++)
		region_isr(&r, 0, i * 7);
	return NULL;
}

/* The ring is small, so the writer overwrites under the reader's hands all the time. */
static void no_torn_copy_is_accepted(void **state)
{
	uint64_t good = 0, stale = 0, head = 0, n;
	struct msilat_isr isr;
	pthread_t thread;
	int ret;

	(void)state;
	assert_int_equal(pthread_create(&thread, NULL, writer, NULL), 0);
	while (head < WRITES) {
		head = __atomic_load_n(&r.block[0].vector.isr_head, __ATOMIC_ACQUIRE);
		for (n = head > REGION_RECORDS ? head - REGION_RECORDS : 0; n < head; n++) {
			ret = delivery_isr(&r.delivery, 0, n, &isr);
			if (ret) {
				assert_int_equal(ret, -ESTALE);
				stale++;
				continue;
			}
			assert_true(isr.seq == n + 1 && isr.isr == n * 7);
			assert_true(isr.reserved == ~isr.isr);
			good++;
		}
	}
	pthread_join(thread, NULL);
	printf("# %llu whole, %llu overwritten\n", (unsigned long long)good,
	       (unsigned long long)stale);
	assert_true(good > 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(without_a_region_nothing_is_known, setup),
		cmocka_unit_test_setup(a_vector_the_region_lacks, setup),
		cmocka_unit_test_setup(records_are_found_by_number, setup),
		cmocka_unit_test_setup(a_record_not_yet_written, setup),
		cmocka_unit_test_setup(an_overwritten_record_is_noticed, setup),
		cmocka_unit_test_setup(a_record_being_overwritten_is_noticed, setup),
		cmocka_unit_test_setup(no_torn_copy_is_accepted, setup),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
