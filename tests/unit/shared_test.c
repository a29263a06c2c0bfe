// SPDX-License-Identifier: GPL-2.0-only
/* An eventfd that others use: what the poller sees of it. */
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

#include "account.h"
#include "poller.h"
#include "region.h"
#include "shared.h"
#include "unit.h"

static const struct device_ops backend = {
	.name = "noted",
	.sequence = device_noted_sequence,
	.observe = device_noted_observe,
};
static struct device device;
static struct region region;
static struct shared shared;
static struct observation o;

static int set_up(void **state)
{
	(void)state;
	memset(&device, 0, sizeof(device));
	memset(&shared, 0, sizeof(shared));
	region_init(&region);
	device.ops = &backend;
	device.noted = true;
	device.delivery = region.delivery;
	/* Signals from before do not count. */
	region_delivery(&region, 1, 1, 1, 0, 0, 0);
	shared_begin(&shared, &device, 1);
	return 0;
}

static void fire(uint64_t sent)
{
	fired_note(&device.fired, sent);
}

static void signal_one(void)
{
	region_delivery(&region, 1, 1, 1, 0, 0, 0);
}

static void observe(uint64_t user, uint64_t seen)
{
	device_observe(&device, user, seen, &o);
}

static void a_wake_before_the_signal_is_not_the_events(void **state)
{
	(void)state;
	fire(100);
	observe(150, 0);
	assert_int_equal(o.seq, 0);
	assert_int_equal(o.sent, 0);
	signal_one();
	observe(200, 0);
	assert_int_equal(o.seq, 1);
	assert_int_equal(o.sent, 100);
}

/* The wake was another's; the signal came between it and the look at the records. */
static void a_signal_after_the_wake_is_not_the_wakes(void **state)
{
	(void)state;
	fire(100);
	region_delivery(&region, 1, 140, 150, 0, 0, 0);
	observe(149, 0);
	assert_int_equal(o.seq, 0);
	assert_int_equal(o.sent, 0);
	fire(160);
	region_delivery(&region, 1, 240, 250, 0, 0, 0);
	observe(200, 0);
	assert_int_equal(o.seq, 1);
	assert_int_equal(o.sent, 100);
	observe(250, 1);
	assert_int_equal(o.seq, 2);
	assert_int_equal(o.sent, 160);
}

static void a_signal_of_another_vector_says_nothing(void **state)
{
	(void)state;
	fire(100);
	region_delivery(&region, 0, 1, 1, 0, 0, 0);
	observe(150, 0);
	assert_int_equal(o.seq, 0);
}

static void several_events_count_with_the_oldest(void **state)
{
	(void)state;
	fire(100);
	fire(110);
	fire(120);
	signal_one();
	signal_one();
	observe(200, 0);
	assert_int_equal(o.seq, 2);
	assert_int_equal(o.sent, 100);
}

static void what_was_taken_is_seen(void **state)
{
	(void)state;
	fire(100);
	signal_one();
	assert_int_equal(shared_seen(&shared, 0), 0);
	shared_take(&shared, &device, 1);
	assert_int_equal(shared_seen(&shared, 0), 1);
	assert_int_equal(shared_seen(&shared, 5), 5);
	assert_int_equal(shared.taken, 1);
	assert_int_equal(shared.takes, 1);
	/* In flight: not what was taken. */
	fire(200);
	shared_take(&shared, &device, 3);
	assert_int_equal(shared_seen(&shared, 0), 1);
	assert_int_equal(shared.taken, 4);
	shared_pass(&shared, 7);
	shared_pass(&shared, 6);
	assert_int_equal(shared_seen(&shared, 0), 7);
}

static void without_records_what_was_fired_counts(void **state)
{
	(void)state;
	memset(&device.delivery, 0, sizeof(device.delivery));
	fire(100);
	observe(150, 0);
	assert_int_equal(o.seq, 1);
	assert_int_equal(o.sent, 100);
}

static bool reaches(struct poller *p, uint64_t seq)
{
	const struct timespec pause = { .tv_nsec = 100000 };
	int i;

	for (i = 0; i < 50000 && atomic_load(&p->seen) < seq; i++)
		nanosleep(&pause, NULL);
	return atomic_load(&p->seen) == seq;
}

/* The second event is the poller's, the first was taken: it is no part of the second's latency. */
static void a_taken_event_does_not_age_the_next(void **state)
{
	const struct sched_want want = { .name = "poller", .cpu = -1 };
	struct wait_target target = { .delivery = &device.delivery };
	struct reason why = { 0 };
	static struct poller p;
	static struct ring ring;
	struct sample s;

	(void)state;
	memset(&p, 0, sizeof(p));
	target.eventfd = eventfd(0, EFD_CLOEXEC);
	p.done = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	assert_int_equal(ring_init(&ring, 64), 0);
	p.device = &device;
	p.ring = &ring;
	p.shared = &shared;
	assert_int_equal(wait_open(&p.wait, &wait_read, &target, &p.stop, &why), 0);
	fire(100);
	signal_one();
	shared_take(&shared, &device, 1);
	assert_int_equal(poller_start(&p, &want, &why), 0);
	fire(200);
	signal_one();
	eventfd_write(target.eventfd, 1);
	assert_true(reaches(&p, 2));
	assert_int_equal(poller_seen(&p), 2);
	poller_stop(&p);
	assert_true(ring_pop(&ring, &s));
	assert_int_equal(s.seq, 2);
	assert_int_equal(s.sent, 200);
	assert_int_equal(s.progress, 1);
	assert_false(ring_pop(&ring, &s));
	wait_close(&p.wait);
	ring_free(&ring);
	close(target.eventfd);
	close(p.done);
}

static const struct account_in all_came = {
	.fired = 1000, .driver = true, .primary = true, .isr = 1000, .threads = 1000,
	.signals = 1000, .wake = "eventfd", .values = 1000, .wakes = 1000, .seen = 1000,
};
static struct account a;

static void closes(const struct account_in *in, uint64_t merged, uint64_t lost,
		   uint64_t unexplained)
{
	account_close(&a, in);
	assert_true(a.wake == merged);
	assert_true(a.lost == lost);
	assert_true(a.unexplained == unexplained);
	assert_int_equal(a.valid, !lost && !unexplained);
}

/* What another reader took reached somebody; what another vector signalled came from somebody. */
static void an_eventfd_that_is_shared(void **state)
{
	struct account_in in = all_came;

	(void)state;
	in.values = in.wakes = 600;
	in.taken = 400;
	in.takes = 390;
	closes(&in, 10, 0, 0);
	assert_string_equal(a.text, "1000 fired = 600 wakes + 390 of another reader + 10 merged "
				    "(10 eventfd); none lost");
	/* One that nobody took is lost all the same. */
	in.taken--;
	closes(&in, 9, 1, 0);

	in = all_came;
	in.foreign = 50;
	in.values = 1050;
	in.wakes = 1020;
	closes(&in, 30, 0, 0);
	assert_string_equal(a.text, "1000 fired + 50 of another vector = 1020 wakes + 30 merged "
				    "(30 eventfd); none lost");
	in.values++;
	in.wakes++;
	closes(&in, 30, 0, 1);

	in = all_came;
	in.driver = in.primary = false;
	in.values = in.wakes = 700;
	in.taken = in.takes = 300;
	closes(&in, 0, 0, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(a_wake_before_the_signal_is_not_the_events, set_up),
		cmocka_unit_test_setup(a_signal_after_the_wake_is_not_the_wakes, set_up),
		cmocka_unit_test_setup(a_signal_of_another_vector_says_nothing, set_up),
		cmocka_unit_test_setup(several_events_count_with_the_oldest, set_up),
		cmocka_unit_test_setup(what_was_taken_is_seen, set_up),
		cmocka_unit_test_setup(without_records_what_was_fired_counts, set_up),
		cmocka_unit_test_setup(a_taken_event_does_not_age_the_next, set_up),
		cmocka_unit_test(an_eventfd_that_is_shared),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
