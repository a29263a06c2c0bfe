// SPDX-License-Identifier: GPL-2.0-only
#include "stage.h"
#include "unit.h"

#define BIT(stamp) (1u << (stamp))

static struct stages s;

static void check(unsigned int present, const char *const *want, unsigned int n)
{
	unsigned int i;

	stages_init(&s, present);
	assert_int_equal(s.count, n);
	for (i = 0; i < n; i++)
		assert_string_equal(s.stage[i].name, want[i]);
}

#define CHECK(present, ...) do {						\
	static const char *const want_[] = { __VA_ARGS__ };			\
	check(present, want_, ARRAY_SIZE(want_));				\
} while (0)

/* Masks that strategies and wait modes really have. */
static void the_stages_of_each_strategy(void **state)
{
	const unsigned int stock = BIT(STAMP_SENT) | BIT(STAMP_USER);
	const unsigned int thread = stock | BIT(STAMP_THREAD) | BIT(STAMP_SIGNAL);
	const unsigned int split = thread | BIT(STAMP_ISR);
	const unsigned int nothread = stock | BIT(STAMP_ISR) | BIT(STAMP_SIGNAL);

	(void)state;
	CHECK(stock, "sent-user");
	CHECK(stock | BIT(STAMP_DONE), "sent-user", "user-done");
	CHECK(thread, "sent-user", "sent-thread", "thread-signal", "signal-user");
	CHECK(split, "sent-user", "sent-isr", "isr-thread", "thread-signal", "signal-user");
	CHECK(split | BIT(STAMP_DONE), "sent-user", "sent-isr", "isr-thread", "thread-signal",
	      "signal-user", "user-done");
	CHECK(nothread, "sent-user", "sent-isr", "isr-signal", "signal-user");
	CHECK(BIT(STAMP_SIGNAL) | BIT(STAMP_USER), "signal-user");
	CHECK(BIT(STAMP_USER) | BIT(STAMP_DONE), "user-done");
	stages_init(&s, BIT(STAMP_USER));
	assert_int_equal(s.count, 0);
}

/* Every mask: the whole first, inner stages only where there is an inner stamp, done last. */
static void the_stages_of_every_mask(void **state)
{
	unsigned int present, stamps[STAMPS], n, i, at;
	enum stamp stamp;

	(void)state;
	for (present = 0; present < BIT(STAMPS); present++) {
		if (!(present & BIT(STAMP_USER)))
			continue;
		stages_init(&s, present);
		for (n = 0, stamp = STAMP_SENT; stamp <= STAMP_USER; stamp++)
			if (present & BIT(stamp))
				stamps[n++] = stamp;
		at = 0;
		if (n > 1) {
			assert_int_equal(s.stage[0].from, stamps[0]);
			assert_int_equal(s.stage[0].to, STAMP_USER);
			at++;
		}
		for (i = 0; n > 2 && i + 1 < n; i++, at++) {
			assert_int_equal(s.stage[at].from, stamps[i]);
			assert_int_equal(s.stage[at].to, stamps[i + 1]);
		}
		if (present & BIT(STAMP_DONE)) {
			assert_string_equal(s.stage[at].name, "user-done");
			at++;
		}
		assert_int_equal(s.count, at);
	}
}

static void inner_stages_add_up_to_the_whole(void **state)
{
	uint64_t stamps[STAMPS], seed = 5, at;
	unsigned int present, i;
	unsigned __int128 sum;
	int event;

	(void)state;
	for (present = 0; present < BIT(STAMPS); present++) {
		if (!(present & BIT(STAMP_USER)) || !(present & (BIT(STAMP_USER) - 1)))
			continue;
		stages_init(&s, present);
		for (event = 0; event < 20; event++) {
			at = 1000;
			for (i = 0; i < STAMPS; i++)
				stamps[i] = present >> i & 1 ?
					(at += unit_random(&seed) % 5000) : 0;
			assert_int_equal(stages_record(&s, stamps),
					 stamps[STAMP_USER] - stamps[s.stage[0].from]);
		}
		for (sum = 0, i = 1; i < s.count; i++)
			if (s.stage[i].to <= STAMP_USER)
				sum += s.stage[i].histogram.sum;
		for (i = 0; i < s.count; i++)
			assert_int_equal(s.stage[i].histogram.count, 20);
		assert_true(s.count == 1 || s.stage[1].from == STAMP_USER ||
			    sum == s.stage[0].histogram.sum);
		assert_int_equal(s.disordered, 0);
	}
}

static void a_missing_stamp_leaves_its_stages_out(void **state)
{
	const uint64_t no_isr[STAMPS] = { 100, 0, 300, 400, 500, 0 };
	const uint64_t no_sent[STAMPS] = { 0, 200, 300, 400, 500, 600 };

	(void)state;
	stages_init(&s, BIT(STAMPS) - 1);
	assert_int_equal(stages_record(&s, no_isr), 400);
	assert_int_equal(s.stage[0].histogram.count, 1);
	assert_int_equal(s.stage[1].histogram.count, 0);
	assert_int_equal(s.stage[2].histogram.count, 0);
	assert_int_equal(s.stage[3].histogram.sum, 100);
	assert_int_equal(s.stage[5].histogram.count, 0);
	assert_true(stages_record(&s, no_sent) == UINT64_MAX);
	assert_int_equal(s.stage[0].histogram.count, 1);
	assert_int_equal(s.stage[2].histogram.sum, 100);
	assert_int_equal(s.stage[5].histogram.sum, 100);
}

static void disorder_is_counted_once_an_event_and_recorded_nowhere(void **state)
{
	/* The isr stamp comes from a CPU whose counter is behind, the thread's too. */
	const uint64_t stamps[STAMPS] = { 100, 90, 80, 400, 500, 0 };

	(void)state;
	stages_init(&s, BIT(STAMP_DONE) - 1);
	assert_int_equal(stages_record(&s, stamps), 400);
	assert_int_equal(s.disordered, 1);
	assert_int_equal(s.stage[1].histogram.count, 0);
	assert_int_equal(s.stage[2].histogram.count, 0);
	assert_int_equal(s.stage[3].histogram.count, 1);
	assert_int_equal(s.stage[4].histogram.count, 1);
}

static void a_latency_that_would_be_negative_is_none(void **state)
{
	const uint64_t stamps[STAMPS] = { 600, 0, 0, 0, 500, 0 };

	(void)state;
	stages_init(&s, BIT(STAMP_SENT) | BIT(STAMP_USER));
	assert_true(stages_record(&s, stamps) == UINT64_MAX);
	assert_int_equal(s.stage[0].histogram.count, 0);
	assert_int_equal(s.disordered, 1);
}

static void user_to_done_is_no_latency(void **state)
{
	const uint64_t stamps[STAMPS] = { 0, 0, 0, 0, 500, 600 };

	(void)state;
	stages_init(&s, BIT(STAMP_USER) | BIT(STAMP_DONE));
	assert_true(stages_record(&s, stamps) == UINT64_MAX);
	assert_int_equal(s.stage[0].histogram.sum, 100);
}

static void paths_are_kept_too(void **state)
{
	uint64_t stamps[STAMPS] = { 100, 0, 0, 0, 500, 0 };

	(void)state;
	stages_init(&s, BIT(STAMP_SENT) | BIT(STAMP_USER));
	stages_record(&s, stamps);
	stages_record(&s, stamps);
	stamps[STAMP_USER] = 501;
	stages_record(&s, stamps);
	assert_int_equal(s.stage[0].paths.used, 2);
	assert_int_equal(s.stage[0].paths.row[0].length, 400);
	assert_int_equal(s.stage[0].paths.row[0].count, 2);
}

static void names(void **state)
{
	(void)state;
	assert_string_equal(stamp_name(STAMP_SENT), "sent");
	assert_string_equal(stamp_name(STAMP_ISR), "isr");
	assert_string_equal(stamp_name(STAMP_THREAD), "thread");
	assert_string_equal(stamp_name(STAMP_SIGNAL), "signal");
	assert_string_equal(stamp_name(STAMP_USER), "user");
	assert_string_equal(stamp_name(STAMP_DONE), "done");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_stages_of_each_strategy),
		cmocka_unit_test(the_stages_of_every_mask),
		cmocka_unit_test(inner_stages_add_up_to_the_whole),
		cmocka_unit_test(a_missing_stamp_leaves_its_stages_out),
		cmocka_unit_test(disorder_is_counted_once_an_event_and_recorded_nowhere),
		cmocka_unit_test(a_latency_that_would_be_negative_is_none),
		cmocka_unit_test(user_to_done_is_no_latency),
		cmocka_unit_test(paths_are_kept_too),
		cmocka_unit_test(names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
