// SPDX-License-Identifier: GPL-2.0-only
/* The recorder against a region made by hand: which driver record belongs to which wake. */
#include <time.h>
#include <unistd.h>

#include "recorder_model.h"
#include "unit.h"

static void expect_stages(uint64_t count)
{
	static const uint64_t cycles[] = { 100, 10, 20, 30, 40, 5 };
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(cycles); i++) {
		assert_int_equal(stage(i)->count, count);
		assert_true(!count || (stage(i)->min == cycles[i] && stage(i)->max == cycles[i]));
	}
}

static void every_wake_finds_its_records(void **state)
{
	uint64_t i;

	(void)state;
	for (i = 1; i <= 100; i++) {
		wake(i, interrupt(0), 1, 1);
		recorder_drain(&r);
	}
	expect_stages(100);
	assert_int_equal(r.now.samples, 100);
	assert_int_equal(r.now.signals, 100);
	assert_int_equal(r.now.progress, 100);
	assert_int_equal(r.now.merged + r.now.unattributed + r.now.unstamped, 0);
	assert_int_equal(r.now.outliers.count, OUTLIERS);
}

static void records_from_before_the_run_are_passed_over(void **state)
{
	(void)state;
	interrupt(0);
	interrupt(0);
	recorder_init(&r, &ring, &region.delivery, 0, NULL, ALL);
	wake(1, interrupt(0), 1, 1);
	recorder_drain(&r);
	expect_stages(1);
}

static void the_vector_counts(void **state)
{
	uint64_t isr = region_isr(&region, 1, 1510), sent = 1500;

	(void)state;
	/* Vector 0 has other records of the same numbers. */
	interrupt(0);
	now = sent;
	region_delivery(&region, 1, 1530, 1560, isr, isr, 0);
	recorder_init(&r, &ring, &region.delivery, 1, NULL, ALL);
	r.next = 0;
	wake(1, sent, 1, 1);
	recorder_drain(&r);
	expect_stages(1);
}

static void stock_has_the_whole_only(void **state)
{
	const struct delivery none = { 0 };

	(void)state;
	recorder_init(&r, &ring, &none, 0, NULL, 1u << STAMP_SENT | 1u << STAMP_USER);
	now = 5000;
	wake(1, 5000, 1, 1);
	wake(2, 5020, 1, 1);
	recorder_drain(&r);
	assert_int_equal(stage(0)->count, 2);
	assert_int_equal(stage(0)->sum, 180);
	assert_int_equal(r.now.unstamped, 0);
}

static void a_merged_wake_counts_with_its_oldest_event(void **state)
{
	uint64_t first;

	(void)state;
	first = interrupt(0);
	interrupt(0);
	interrupt(0);
	wake(3, first, 3, 3);
	wake(4, interrupt(0), 1, 1);
	recorder_drain(&r);
	/* No stages for the merged one, and the next is not thrown off. */
	assert_int_equal(stage(0)->count, 2);
	assert_int_equal(stage(0)->max, 2100);
	assert_int_equal(stage(SENT_ISR)->count, 1);
	assert_int_equal(stage(SIGNAL_USER)->min, 40);
	assert_int_equal(r.now.merged, 1);
	assert_int_equal(r.now.signals, 4);
	assert_int_equal(r.now.outliers.row[0].seq, 1);
	assert_int_equal(r.now.outliers.row[0].stamps[STAMP_ISR], 0);
	assert_int_equal(r.now.outliers.row[1].seq, 4);
}

/* Two isr records in one delivery: progress can still be 1 if the first was seen before. */
static void a_delivery_of_two_isrs_gives_no_stages(void **state)
{
	uint64_t sent = now += 1000, first, last;

	(void)state;
	first = region_isr(&region, 0, sent + 10);
	last = region_isr(&region, 0, sent + 20);
	region_delivery(&region, 0, sent + 30, sent + 60, first, last, 0);
	wake(1, sent, 1, 1);
	wake(2, interrupt(0), 1, 1);
	recorder_drain(&r);
	assert_int_equal(stage(0)->count, 2);
	assert_int_equal(stage(SENT_ISR)->count, 1);
	assert_int_equal(stage(THREAD_SIGNAL)->count, 1);
	assert_int_equal(r.now.unstamped, 0);
}

static void a_strategy_without_primary_has_thread_and_signal(void **state)
{
	uint64_t sent = now += 1000;

	(void)state;
	region_delivery(&region, 0, sent + 30, sent + 60, NO_ISR, NO_ISR, 0);
	wake(1, sent, 1, 1);
	recorder_drain(&r);
	assert_int_equal(stage(SENT_ISR)->count, 0);
	assert_int_equal(stage(ISR_THREAD)->count, 0);
	assert_int_equal(stage(THREAD_SIGNAL)->sum, 30);
	assert_int_equal(stage(SIGNAL_USER)->sum, 40);
}

static void a_catch_up_has_no_event(void **state)
{
	(void)state;
	now += 1000;
	region_delivery(&region, 0, 0, now + 60, NO_ISR, NO_ISR, MSILAT_DELIVERY_CATCHUP);
	wake(0, 0, 1, 0);
	wake(1, interrupt(0), 1, 1);
	recorder_drain(&r);
	expect_stages(1);
	assert_int_equal(r.now.samples, 2);
	assert_int_equal(r.now.unattributed, 1);
}

/* A device that tells the stamp afterwards: the sample waits for it, and those behind it too. */
static void a_stamp_that_comes_late_is_waited_for(void **state)
{
	static struct fired late;
	uint64_t sent;

	(void)state;
	memset(&late, 0, sizeof(late));
	recorder_init(&r, &ring, &region.delivery, 0, &late, ALL);
	sent = interrupt(0);
	fired_note(&late, sent - 7);
	wake(1, sent - 7, 1, 1);
	recorder_drain(&r);
	assert_int_equal(r.now.samples, 0);
	fired_settle(&late, sent);
	recorder_drain(&r);
	expect_stages(1);
	/* A wake without a new event has no stamp to wait for. */
	now += 1000;
	region_delivery(&region, 0, 0, now + 60, NO_ISR, NO_ISR, MSILAT_DELIVERY_CATCHUP);
	wake(1, 0, 1, 0);
	recorder_drain(&r);
	assert_int_equal(r.now.samples, 2);
	/* At the end nothing stays in the ring, settled or not. */
	sent = interrupt(0);
	fired_note(&late, sent);
	wake(2, sent, 1, 1);
	recorder_drain(&r);
	assert_int_equal(r.now.samples, 2);
	recorder_stop(&r);
	assert_int_equal(r.now.samples, 3);
}

/* The driver was busy: the event was sent only after the wake that seemed to see it. */
static void an_event_sent_after_the_wake_belongs_to_the_next(void **state)
{
	static struct fired late;
	uint64_t first, second;

	(void)state;
	memset(&late, 0, sizeof(late));
	recorder_init(&r, &ring, &region.delivery, 0, &late, ALL);
	first = interrupt(0);
	fired_note(&late, first);
	fired_settle(&late, first);
	fired_note(&late, first + 50);
	wake(2, first, 1, 2);
	fired_restamp(&late, FIRED_NOT_YET);
	recorder_drain(&r);
	assert_int_equal(r.now.samples, 0);
	second = interrupt(0);
	fired_settle(&late, second);
	wake(2, 0, 1, 0);
	recorder_drain(&r);
	expect_stages(2);
	assert_int_equal(r.now.merged + r.now.unattributed, 0);
}

/* Several new events: the oldest of them gives the stamp, as settled. */
static void a_merged_wake_takes_the_late_stamp_of_its_oldest(void **state)
{
	static struct fired late;
	uint64_t i, first = 0, sent;

	(void)state;
	memset(&late, 0, sizeof(late));
	recorder_init(&r, &ring, &region.delivery, 0, &late, ALL);
	for (i = 0; i < 3; i++) {
		sent = interrupt(0);
		first = first ? first : sent;
		fired_note(&late, sent - 7);
		fired_settle(&late, sent);
	}
	wake(3, first - 7, 3, 3);
	recorder_drain(&r);
	assert_int_equal(stage(0)->count, 1);
	assert_int_equal(stage(0)->max, 2100);
	assert_int_equal(r.now.outliers.row[0].seq, 1);
}

static void an_event_without_sent_stamp_has_no_latency(void **state)
{
	(void)state;
	interrupt(0);
	wake(1, 0, 1, 1);
	recorder_drain(&r);
	assert_int_equal(stage(0)->count, 0);
	assert_int_equal(r.now.unattributed, 1);
	assert_int_equal(r.now.outliers.count, 0);
}

static void overwritten_records_are_counted(void **state)
{
	uint64_t i, sent[REGION_RECORDS + 5];

	(void)state;
	for (i = 0; i < ARRAY_SIZE(sent); i++)
		sent[i] = interrupt(0);
	for (i = 0; i < ARRAY_SIZE(sent); i++)
		wake(i + 1, sent[i], 1, 1);
	recorder_drain(&r);
	/* The wakes count, the stages of those overwritten do not. */
	assert_int_equal(r.now.unstamped, 5);
	assert_int_equal(stage(0)->count, ARRAY_SIZE(sent));
	assert_int_equal(stage(SENT_ISR)->count, REGION_RECORDS);
	assert_int_equal(stage(SENT_ISR)->max, 10);
}

static void an_isr_record_overwritten_alone(void **state)
{
	uint64_t sent = interrupt(0), i;

	(void)state;
	for (i = 0; i < REGION_RECORDS; i++)
		region_isr(&region, 0, 1);
	wake(1, sent, 1, 1);
	recorder_drain(&r);
	assert_int_equal(r.now.unstamped, 1);
	assert_int_equal(stage(0)->count, 1);
	assert_int_equal(stage(THREAD_SIGNAL)->count, 0);
}

/* The record of a signal that never arrived is skipped; those after it fit again. */
static void a_lost_signal_is_passed_over(void **state)
{
	uint64_t i;

	(void)state;
	for (i = 1; i <= 20; i++) {
		uint64_t sent = interrupt(i == 7 ? MSILAT_DELIVERY_WITHHELD : 0);

		if (i == 7)
			continue;
		wake(i, sent, 1, i == 8 ? 2 : 1);
		recorder_drain(&r);
	}
	assert_int_equal(r.now.samples, 19);
	assert_int_equal(r.now.progress, 20);
	/* Event 8 woke for 7 as well; all others have their own stages, none another's. */
	assert_int_equal(stage(SENT_ISR)->count, 18);
	assert_int_equal(stage(SENT_ISR)->min, 10);
	assert_int_equal(stage(SENT_ISR)->max, 10);
	assert_int_equal(stage(SIGNAL_USER)->min, 40);
	assert_int_equal(stage(SIGNAL_USER)->max, 40);
	assert_int_equal(r.now.stages.disordered, 0);
	assert_int_equal(r.now.unstamped, 0);
}

static uint64_t refused;

static int count_refused(const struct delivery *d, uint32_t vector, struct msilat_counters *c)
{
	(void)d;
	(void)vector;
	*c = (struct msilat_counters){ .guarded = refused };
	return 0;
}

/* It left a record without a mark; only the driver's count tells that it was lost. */
static void a_signal_that_the_guard_refused_is_passed_over(void **state)
{
	static const struct delivery_ops ops = { .counters = count_refused };
	uint64_t i;

	(void)state;
	refused = 3;
	region.delivery.ops = &ops;
	recorder_init(&r, &ring, &region.delivery, 0, NULL, ALL);
	for (i = 1; i <= 5; i++) {
		wake(i, interrupt(0), 1, 1);
		recorder_drain(&r);
	}
	interrupt(0);
	refused++;
	for (i = 7; i <= 9; i++) {
		wake(i, interrupt(0), 1, 1);
		recorder_drain(&r);
	}
	expect_stages(8);
}

/*
 * Overload: the wake belongs to an older signal, but the poller was held up before its stamp, so
 * that the event's own signal came before that. It is no loss, and nobody's record moves.
 */
static void a_wake_stamped_late_moves_no_record(void **state)
{
	uint64_t sent, i;

	(void)state;
	sent = interrupt(0);
	interrupt(0);
	/* Two events seen, one signal taken. */
	wake(2, sent, 1, 2);
	sent = interrupt(0);
	/* The signal of the second, stamped after the third's. */
	wake(3, sent, 1, 1);
	recorder_drain(&r);
	assert_int_equal(r.now.unattributed, 1);
	/* The third's signal, without an event of its own; from here on all is as it was. */
	wake(3, 0, 1, 0);
	for (i = 4; i <= 8; i++) {
		wake(i, interrupt(0), 1, 1);
		recorder_drain(&r);
	}
	assert_int_equal(stage(SENT_ISR)->count, 5);
	assert_int_equal(stage(SENT_ISR)->max, 10);
	assert_int_equal(stage(SIGNAL_USER)->min, 40);
	assert_int_equal(stage(SIGNAL_USER)->max, 40);
	assert_int_equal(r.now.stages.disordered + r.now.unstamped, 0);
}

static void several_lost_signals_in_a_row(void **state)
{
	uint64_t i;

	(void)state;
	for (i = 1; i <= 4; i++)
		interrupt(MSILAT_DELIVERY_WITHHELD);
	now += 1000;
	for (i = 5; i <= 9; i++) {
		wake(i, interrupt(0), 1, 1);
		recorder_drain(&r);
	}
	expect_stages(5);
}

static void the_thread_drains_and_a_snapshot_is_whole(void **state)
{
	const struct sched_want want = { .name = "recorder", .cpu = -1 };
	const struct timespec pause = { .tv_nsec = 100000 };
	static struct recording copy;
	struct reason why = { 0 };
	uint64_t i;

	(void)state;
	assert_int_equal(recorder_start(&r, &want, &why), 0);
	for (i = 1; i <= 2000; i++) {
		wake(i, interrupt(0), 1, 1);
		recorder_snapshot(&r, &copy);
		assert_true(copy.samples <= i && copy.samples == copy.progress);
		assert_int_equal(copy.stages.stage[0].histogram.count, copy.samples);
		if (!(i % 32))
			nanosleep(&pause, NULL);
		while (atomic_load(&ring.head) - atomic_load(&ring.tail) > 32)
			nanosleep(&pause, NULL);
	}
	recorder_stop(&r);
	assert_int_equal(r.now.samples, 2000);
	assert_int_equal(atomic_load(&ring.drops), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(every_wake_finds_its_records),
		TEST(records_from_before_the_run_are_passed_over),
		TEST(the_vector_counts),
		TEST(stock_has_the_whole_only),
		TEST(a_merged_wake_counts_with_its_oldest_event),
		TEST(a_delivery_of_two_isrs_gives_no_stages),
		TEST(a_strategy_without_primary_has_thread_and_signal),
		TEST(a_catch_up_has_no_event),
		TEST(a_stamp_that_comes_late_is_waited_for),
		TEST(an_event_sent_after_the_wake_belongs_to_the_next),
		TEST(a_merged_wake_takes_the_late_stamp_of_its_oldest),
		TEST(an_event_without_sent_stamp_has_no_latency),
		TEST(overwritten_records_are_counted),
		TEST(an_isr_record_overwritten_alone),
		TEST(a_lost_signal_is_passed_over),
		TEST(a_signal_that_the_guard_refused_is_passed_over),
		TEST(a_wake_stamped_late_moves_no_record),
		TEST(several_lost_signals_in_a_row),
		TEST(the_thread_drains_and_a_snapshot_is_whole),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
