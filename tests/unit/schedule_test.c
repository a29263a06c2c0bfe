// SPDX-License-Identifier: GPL-2.0-only
#include <pthread.h>
#include <time.h>

#include "schedule.h"
#include "unit.h"

static unsigned int stores, timers;
static int timer_error, fire_error;

static int fire(struct device *dev)
{
	(void)dev;
	stores++;
	return fire_error;
}

static int start_timer(struct device *dev, uint64_t *due)
{
	(void)dev;
	if (timer_error)
		return timer_error;
	*due = 1000 + ++timers;
	return 0;
}

static const struct device_ops ops = { .name = "counter", .fire = fire, .schedule = start_timer };
static struct device device = { .ops = &ops };
static _Atomic int stop;
static struct schedule s;

static int setup(void **state)
{
	(void)state;
	stores = timers = 0;
	timer_error = fire_error = 0;
	atomic_store(&stop, 0);
	s = (struct schedule){
		.device = &device, .interval_ns = 1000, .random = 1, .burst = 1, .stop = &stop,
	};
	return 0;
}

static uint64_t now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * 1000000000 + (uint64_t)ts.tv_nsec;
}

/* First numbers of xorshift64* from state 1, worked out apart from the program. */
static void the_generator_is_the_published_one(void **state)
{
	uint64_t x = 1;

	(void)state;
	assert_true(schedule_random(&x) == 5180492295206395165u);
	assert_true(schedule_random(&x) == 12380297144915551517u);
	assert_true(schedule_random(&x) == 13389498078930870103u);
}

static void a_seed_repeats_and_another_differs(void **state)
{
	uint64_t a = 12345, b = 12345, c = 12346;
	int i, same = 0;

	(void)state;
	for (i = 0; i < 1000; i++) {
		uint64_t x = schedule_random(&a);

		assert_true(x == schedule_random(&b));
		same += x == schedule_random(&c);
	}
	assert_int_equal(same, 0);
}

static void the_count_ends_it(void **state)
{
	int n = 0;

	(void)state;
	s.count = 10;
	s.burst = 4;
	while (!schedule_wait(&s)) {
		assert_int_equal(schedule_send(&s), 0);
		n++;
	}
	assert_int_equal(n, 3);
	assert_int_equal(stores, 10);
	assert_int_equal(atomic_load(&s.fired), 10);
	assert_int_equal(schedule_wait(&s), 1);
}

static void without_a_count_it_goes_on_until_stopped(void **state)
{
	int i;

	(void)state;
	for (i = 0; i < 100; i++) {
		assert_int_equal(schedule_wait(&s), 0);
		assert_int_equal(schedule_send(&s), 0);
	}
	assert_int_equal(stores, 100);
	atomic_store(&stop, 1);
	assert_int_equal(schedule_wait(&s), 1);
	assert_int_equal(stores, 100);
}

static void a_pause_is_at_least_the_interval(void **state)
{
	uint64_t start;
	int i;

	(void)state;
	s.interval_ns = 2000000;
	for (i = 0; i < 10; i++) {
		start = now_ns();
		assert_int_equal(schedule_wait(&s), 0);
		assert_true(now_ns() - start >= 2000000);
	}
}

/* The sum of many pauses tells the jitter: its mean is half of the most. */
static void jitter_is_added_and_spreads(void **state)
{
	const unsigned int n = 200;
	uint64_t start = now_ns(), elapsed, least = UINT64_MAX, most = 0, x = 99, sum = 0, pause;
	unsigned int i;

	(void)state;
	s.interval_ns = 100000;
	s.jitter_ns = 1000000;
	s.random = 99;
	for (i = 0; i < n; i++) {
		pause = schedule_random(&x) % (s.jitter_ns + 1);
		sum += pause + s.interval_ns;
		least = pause < least ? pause : least;
		most = pause > most ? pause : most;
		assert_int_equal(schedule_wait(&s), 0);
	}
	elapsed = now_ns() - start;
	assert_true(x == s.random);
	assert_true(elapsed >= sum);
	assert_true(least < s.jitter_ns / 10 && most > s.jitter_ns / 10 * 9);
}

static void without_jitter_the_generator_rests(void **state)
{
	(void)state;
	s.random = 5;
	assert_int_equal(schedule_wait(&s), 0);
	assert_int_equal(s.random, 5);
}

static void *stop_soon(void *arg)
{
	const struct timespec pause = { .tv_nsec = 20000000 };

	(void)arg;
	nanosleep(&pause, NULL);
	atomic_store(&stop, 1);
	return NULL;
}

static void a_long_pause_ends_when_stopped(void **state)
{
	uint64_t start = now_ns();
	pthread_t thread;

	(void)state;
	s.interval_ns = 60000000000ull;
	assert_int_equal(pthread_create(&thread, NULL, stop_soon, NULL), 0);
	assert_int_equal(schedule_wait(&s), 1);
	pthread_join(thread, NULL);
	assert_true(now_ns() - start < 5000000000ull);
}

static void the_device_timer_fires_instead_of_a_store(void **state)
{
	(void)state;
	s.timer = true;
	assert_int_equal(schedule_send(&s), 0);
	assert_int_equal(timers, 1);
	assert_int_equal(stores, 0);
	assert_int_equal(s.due, 1001);
}

static void a_timer_that_fails_ends_it(void **state)
{
	(void)state;
	s.timer = true;
	timer_error = -EIO;
	assert_int_equal(schedule_send(&s), -EIO);
	assert_int_equal(atomic_load(&s.fired), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(the_generator_is_the_published_one, setup),
		cmocka_unit_test_setup(a_seed_repeats_and_another_differs, setup),
		cmocka_unit_test_setup(the_count_ends_it, setup),
		cmocka_unit_test_setup(without_a_count_it_goes_on_until_stopped, setup),
		cmocka_unit_test_setup(a_pause_is_at_least_the_interval, setup),
		cmocka_unit_test_setup(jitter_is_added_and_spreads, setup),
		cmocka_unit_test_setup(without_jitter_the_generator_rests, setup),
		cmocka_unit_test_setup(a_long_pause_ends_when_stopped, setup),
		cmocka_unit_test_setup(the_device_timer_fires_instead_of_a_store, setup),
		cmocka_unit_test_setup(a_timer_that_fails_ends_it, setup),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
