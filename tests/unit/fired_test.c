// SPDX-License-Identifier: GPL-2.0-only
#include <pthread.h>

#include "fired.h"
#include "unit.h"

static struct fired f;

static int setup(void **state)
{
	(void)state;
	memset(&f, 0, sizeof(f));
	return 0;
}

static struct observation observe(uint64_t user, uint64_t seen)
{
	struct observation o = { 99, 99 };

	fired_observe(&f, user, seen, &o);
	return o;
}

static void nothing_fired(void **state)
{
	struct observation o = observe(1000, 0);

	(void)state;
	assert_true(o.seq == 0 && o.sent == 0);
}

static void sequence_numbers_begin_with_one(void **state)
{
	(void)state;
	assert_int_equal(fired_note(&f, 10), 1);
	assert_int_equal(fired_note(&f, 20), 2);
}

static void the_oldest_new_event_gives_the_stamp(void **state)
{
	struct observation o;

	(void)state;
	fired_note(&f, 10);
	fired_note(&f, 20);
	fired_note(&f, 30);
	o = observe(100, 0);
	assert_true(o.seq == 3 && o.sent == 10);
	o = observe(100, 1);
	assert_true(o.seq == 3 && o.sent == 20);
	o = observe(100, 3);
	assert_true(o.seq == 3 && o.sent == 0);
}

static void an_event_sent_after_the_wake_is_not_seen(void **state)
{
	struct observation o;

	(void)state;
	fired_note(&f, 10);
	fired_note(&f, 200);
	fired_note(&f, 300);
	o = observe(100, 0);
	assert_true(o.seq == 1 && o.sent == 10);
	o = observe(100, 1);
	assert_true(o.seq == 1 && o.sent == 0);
	o = observe(200, 1);
	assert_true(o.seq == 2 && o.sent == 200);
}

static void an_event_without_stamp_counts(void **state)
{
	struct observation o;

	(void)state;
	fired_note(&f, 0);
	o = observe(100, 0);
	assert_true(o.seq == 1 && o.sent == 0);
}

static void an_overwritten_stamp_is_not_given(void **state)
{
	struct observation o;
	uint64_t i;

	(void)state;
	for (i = 1; i <= FIRED_RECORDS + 10; i++)
		fired_note(&f, i);
	o = observe(UINT64_MAX, 0);
	assert_true(o.seq == FIRED_RECORDS + 10 && o.sent == 0);
	o = observe(UINT64_MAX, 10);
	assert_true(o.seq == FIRED_RECORDS + 10 && o.sent == 0);
	/* One record of the ring may be under way: FIRED_RECORDS - 1 are sure. */
	o = observe(UINT64_MAX, 11);
	assert_true(o.seq == FIRED_RECORDS + 10 && o.sent == 12);
}

static void an_event_that_is_not_sent_yet_is_not_seen(void **state)
{
	struct observation o;

	(void)state;
	fired_note(&f, 10);
	fired_note(&f, 20);
	fired_restamp(&f, FIRED_NOT_YET);
	o = observe(UINT64_MAX - 1, 0);
	assert_true(o.seq == 1 && o.sent == 10);
	fired_restamp(&f, 50);
	o = observe(49, 1);
	assert_true(o.seq == 1 && o.sent == 0);
	o = observe(50, 1);
	assert_true(o.seq == 2 && o.sent == 50);
}

static void a_stamp_is_settled_afterwards(void **state)
{
	(void)state;
	fired_note(&f, 10);
	assert_false(fired_settled(&f, 1));
	fired_settle(&f, 14);
	assert_true(fired_settled(&f, 1) && !fired_settled(&f, 2));
	assert_int_equal(fired_oldest(&f, 0, 1), 14);
	fired_note(&f, 20);
	assert_false(fired_settled(&f, 2));
}

static void what_could_not_be_sent_is_withdrawn(void **state)
{
	struct observation o;

	(void)state;
	fired_note(&f, 10);
	fired_note(&f, 20);
	fired_withdraw(&f);
	o = observe(100, 0);
	assert_true(o.seq == 1 && o.sent == 10);
	assert_int_equal(fired_note(&f, 30), 2);
}

#define NOTES 1000000

static void *writer(void *arg)
{
	uint64_t i;

	(void)arg;
	for (i = 1; i <= NOTES; i++)
		fired_note(&f, i * 5);
	return NULL;
}

static void an_observer_never_finds_a_number_without_its_stamp(void **state)
{
	struct observation o = { 0, 0 };
	pthread_t thread;

	(void)state;
	assert_int_equal(pthread_create(&thread, NULL, writer, NULL), 0);
	while (o.seq < NOTES) {
		o = observe(UINT64_MAX, 0);
		/* The slot of event seq holds its own stamp, or by now a later one. */
		assert_true(atomic_load(&f.sent[o.seq % FIRED_RECORDS]) >= o.seq * 5);
	}
	pthread_join(thread, NULL);
	assert_int_equal(atomic_load(&f.count), NOTES);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(nothing_fired, setup),
		cmocka_unit_test_setup(sequence_numbers_begin_with_one, setup),
		cmocka_unit_test_setup(the_oldest_new_event_gives_the_stamp, setup),
		cmocka_unit_test_setup(an_event_sent_after_the_wake_is_not_seen, setup),
		cmocka_unit_test_setup(an_event_without_stamp_counts, setup),
		cmocka_unit_test_setup(an_overwritten_stamp_is_not_given, setup),
		cmocka_unit_test_setup(an_event_that_is_not_sent_yet_is_not_seen, setup),
		cmocka_unit_test_setup(a_stamp_is_settled_afterwards, setup),
		cmocka_unit_test_setup(what_could_not_be_sent_is_withdrawn, setup),
		cmocka_unit_test_setup(an_observer_never_finds_a_number_without_its_stamp, setup),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
