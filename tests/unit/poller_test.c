// SPDX-License-Identifier: GPL-2.0-only
/* The poller against a device that is nothing but a list of what was fired. */
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

#include "clock.h"
#include "poller.h"
#include "target.h"
#include "unit.h"

static const struct device_ops ops = {
	.name = "noted",
	.sequence = device_noted_sequence,
	.observe = device_noted_observe,
};
static struct device device = { .ops = &ops };
static const struct sched_want want = { .name = "poller", .cpu = -1 };
static struct poller p;
static struct ring ring;
static struct wait_target on;
static int done;

static void start_with(const struct wait_ops *mode, uint64_t records)
{
	struct reason why = { 0 };

	memset(&p, 0, sizeof(p));
	memset(&device.fired, 0, sizeof(device.fired));
	on = target_open(mode);
	done = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	assert_int_equal(ring_init(&ring, records), 0);
	p.device = &device;
	p.ring = &ring;
	p.done = done;
	assert_int_equal(wait_open(&p.wait, mode, &on, &p.stop, &why), 0);
	assert_int_equal(poller_start(&p, &want, &why), 0);
}

static void start(const struct wait_ops *mode)
{
	start_with(mode, 1024);
}

static void finish(void)
{
	wait_close(&p.wait);
	target_close();
	close(done);
	ring_free(&ring);
}

static void fire(void)
{
	fired_note(&device.fired, clock_read());
	target_signal();
}

static bool seen(uint64_t seq)
{
	const struct timespec pause = { .tv_nsec = 100000 };
	int i;

	for (i = 0; i < 50000 && atomic_load(&p.seen) < seq; i++)
		nanosleep(&pause, NULL);
	return atomic_load(&p.seen) == seq;
}

static void one_by_one(const struct wait_ops *mode)
{
	uint64_t i, last = 0;
	struct sample s;

	start(mode);
	for (i = 1; i <= 100; i++) {
		fire();
		assert_true(seen(i));
	}
	poller_stop(&p);
	/* What ends the wait is no event. */
	assert_int_equal(poller_wakes(&p), 100);
	assert_int_equal(atomic_load(&p.values), 100);
	assert_int_equal(atomic_load(&p.error), 0);
	assert_int_equal(atomic_load(&p.finished), 1);
	for (i = 1; i <= 100; i++) {
		assert_true(ring_pop(&ring, &s));
		assert_int_equal(s.seq, i);
		assert_int_equal(s.progress, 1);
		assert_int_equal(s.values, 1);
		assert_true(s.sent > last && s.user > s.sent && s.done >= s.user);
		assert_int_equal(s.done > s.user, mode->two_calls);
		last = s.user;
	}
	assert_false(ring_pop(&ring, &s));
	finish();
}

static void each_event_is_a_sample_in_each_mode(void **state)
{
	unsigned int i;

	(void)state;
	for (i = 0; wait_mode(i); i++)
		one_by_one(wait_mode(i));
}

/* Values that come with the kick that ends the wait are events all the same. */
static void nothing_is_lost_at_the_end(void **state)
{
	uint64_t fired = 0, i;
	unsigned int mode, round, n;

	(void)state;
	for (mode = 0; wait_mode(mode); mode++)
		for (round = 0; round < 50; round++) {
			start(wait_mode(mode));
			n = round % 7;
			for (i = 0; i < n; i++)
				fire();
			fired = n;
			poller_stop(&p);
			assert_int_equal(atomic_load(&p.values), fired);
			assert_int_equal(atomic_load(&p.seen), fired);
			assert_true(poller_wakes(&p) <= fired);
			finish();
		}
}

static void several_events_of_one_wake(void **state)
{
	struct sample s;
	uint64_t first;

	(void)state;
	start(&wait_read);
	first = clock_read();
	fired_note(&device.fired, first);
	fired_note(&device.fired, clock_read());
	fired_note(&device.fired, clock_read());
	eventfd_write(on.eventfd, 2);
	assert_true(seen(3));
	poller_stop(&p);
	assert_true(ring_pop(&ring, &s));
	assert_true(s.seq == 3 && s.progress == 3 && s.values == 2 && s.sent == first);
	finish();
}

static void a_signal_without_event_makes_no_progress(void **state)
{
	const struct timespec pause = { .tv_nsec = 1000000 };
	struct sample s;
	int i;

	(void)state;
	start(&wait_read);
	fire();
	assert_true(seen(1));
	eventfd_write(on.eventfd, 1);
	for (i = 0; i < 5000 && poller_wakes(&p) < 2; i++)
		nanosleep(&pause, NULL);
	poller_stop(&p);
	assert_true(ring_pop(&ring, &s) && ring_pop(&ring, &s));
	assert_true(s.seq == 1 && s.progress == 0 && s.values == 1 && s.sent == 0);
	finish();
}

/* An event due after the wake, such as the device's timer, belongs to a later wake. */
static void an_event_that_is_not_due_is_not_seen(void **state)
{
	struct sample s;

	(void)state;
	start(&wait_read);
	fired_note(&device.fired, clock_read());
	fired_note(&device.fired, clock_read() + (1ull << 50));
	eventfd_write(on.eventfd, 1);
	assert_true(seen(1));
	poller_stop(&p);
	assert_true(ring_pop(&ring, &s));
	assert_true(s.seq == 1 && s.progress == 1);
	finish();
}

static void a_full_ring_is_a_counted_loss(void **state)
{
	uint64_t i;

	(void)state;
	start_with(&wait_read, 2);
	for (i = 1; i <= 5; i++) {
		fire();
		assert_true(seen(i));
	}
	poller_stop(&p);
	assert_int_equal(atomic_load(&ring.drops), 3);
	assert_int_equal(poller_wakes(&p), 5);
	finish();
}

static void an_error_ends_it_and_says_so(void **state)
{
	const struct wait_target none = { .eventfd = -1 };
	const struct timespec pause = { .tv_nsec = 1000000 };
	struct reason why = { 0 };
	eventfd_t value = 0;
	int i;

	(void)state;
	memset(&p, 0, sizeof(p));
	p.device = &device;
	p.ring = &ring;
	p.done = done = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	assert_int_equal(ring_init(&ring, 2), 0);
	assert_int_equal(wait_open(&p.wait, &wait_read, &none, &p.stop, &why), 0);
	assert_int_equal(poller_start(&p, &want, &why), 0);
	for (i = 0; i < 5000 && !atomic_load(&p.finished); i++)
		nanosleep(&pause, NULL);
	assert_int_equal(atomic_load(&p.error), -EBADF);
	poller_stop(&p);
	assert_int_equal(eventfd_read(done, &value), 0);
	assert_int_equal(value, 1);
	wait_close(&p.wait);
	close(done);
	ring_free(&ring);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_event_is_a_sample_in_each_mode),
		cmocka_unit_test(nothing_is_lost_at_the_end),
		cmocka_unit_test(several_events_of_one_wake),
		cmocka_unit_test(a_signal_without_event_makes_no_progress),
		cmocka_unit_test(an_event_that_is_not_due_is_not_seen),
		cmocka_unit_test(a_full_ring_is_a_counted_loss),
		cmocka_unit_test(an_error_ends_it_and_says_so),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
