// SPDX-License-Identifier: GPL-2.0-only
#include <fcntl.h>
#include <pthread.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

#include "clock.h"
#include "target.h"
#include "unit.h"
#include "wait.h"

static _Atomic int stop;
static struct wait w;
static struct wait_target on;

static void open_mode(const struct wait_ops *ops)
{
	struct reason why = { 0 };

	atomic_store(&stop, 0);
	on = target_open(ops);
	assert_int_equal(wait_open(&w, ops, &on, &stop, &why), 0);
	assert_ptr_equal(w.ops, ops);
}

static void close_mode(void)
{
	wait_close(&w);
	target_close();
}

static void six_modes_in_order(void **state)
{
	static const struct {
		const char *name;
		enum strategy_wake wake;
		bool busy, two_calls;
	} modes[] = {
		{ "read", STRATEGY_WAKE_EVENTFD, false, false },
		{ "poll", STRATEGY_WAKE_EVENTFD, false, true },
		{ "epoll", STRATEGY_WAKE_EVENTFD, false, true },
		{ "spin", STRATEGY_WAKE_EVENTFD, true, false },
		{ "direct", STRATEGY_WAKE_WAIT, false, false },
		{ "page", STRATEGY_WAKE_PAGE, true, false },
	};
	unsigned int i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(modes); i++) {
		assert_string_equal(wait_mode(i)->name, modes[i].name);
		assert_ptr_equal(wait_find(modes[i].name), wait_mode(i));
		assert_int_equal(wait_mode(i)->wake, modes[i].wake);
		assert_int_equal(wait_mode(i)->busy, modes[i].busy);
		assert_int_equal(wait_mode(i)->two_calls, modes[i].two_calls);
	}
	assert_null(wait_mode(i));
	assert_null(wait_find("select"));
	assert_null(wait_find(""));
}

static void every_strategy_has_a_mode_of_its_own(void **state)
{
	const struct strategy *s;
	unsigned int i;

	(void)state;
	for (i = 0; (s = strategy_at(i)); i++)
		assert_int_equal(wait_default(s)->wake, s->wake);
	assert_ptr_equal(wait_default(strategy_find("stock")), &wait_read);
	assert_ptr_equal(wait_default(strategy_find("thread-direct")), &wait_direct);
	assert_ptr_equal(wait_default(strategy_find("direct")), &wait_direct);
	assert_ptr_equal(wait_default(strategy_find("page")), &wait_page);
}

static void what_is_there_is_consumed(void **state)
{
	const struct wait_ops *ops;
	struct wake wake;
	uint64_t before;
	unsigned int i;
	int n;

	(void)state;
	for (i = 0; (ops = wait_mode(i)); i++) {
		open_mode(ops);
		for (n = 0; n < 7; n++)
			target_signal();
		before = clock_read();
		assert_int_equal(ops->wait(&w, &wake), 0);
		assert_int_equal(wake.value, 7);
		assert_true(wake.user >= before && wake.user <= wake.done);
		assert_true(wake.done <= clock_read());
		assert_int_equal(wake.done > wake.user, ops->two_calls);
		assert_int_equal(ops->take(&w), 0);
		close_mode();
	}
}

static uint64_t signalled;

static void *signal_soon(void *arg)
{
	const struct timespec pause = { .tv_nsec = 20000000 };

	(void)arg;
	nanosleep(&pause, NULL);
	signalled = clock_read();
	target_signal();
	return NULL;
}

static void a_wait_that_goes_on_is_ended_by_an_event(void **state)
{
	const struct wait_ops *ops;
	struct wake wake;
	pthread_t thread;
	unsigned int i;
	int round;

	(void)state;
	for (i = 0; (ops = wait_mode(i)); i++) {
		open_mode(ops);
		for (round = 0; round < 3; round++) {
			assert_int_equal(pthread_create(&thread, NULL, signal_soon, NULL), 0);
			assert_int_equal(ops->wait(&w, &wake), 0);
			pthread_join(thread, NULL);
			assert_int_equal(wake.value, 1);
			assert_true(wake.user >= signalled);
		}
		close_mode();
	}
}

static uint64_t kicks;

static void *kick_soon(void *arg)
{
	const struct timespec pause = { .tv_nsec = 20000000 };

	(void)arg;
	nanosleep(&pause, NULL);
	atomic_store(&stop, 1);
	kicks = w.ops->kick(&w);
	return NULL;
}

/* A kick ends the wait, and what the waits return in all is too much by exactly what it says. */
static void a_kick_ends_the_wait_and_adds_what_it_says(void **state)
{
	const struct wait_ops *ops;
	struct wake wake;
	pthread_t thread;
	unsigned int i;
	uint64_t sum;
	int ret;

	(void)state;
	for (i = 0; (ops = wait_mode(i)); i++) {
		open_mode(ops);
		assert_int_equal(pthread_create(&thread, NULL, kick_soon, NULL), 0);
		ret = ops->wait(&w, &wake);
		pthread_join(thread, NULL);
		assert_true(!ret || (ret == -EINTR && ops->busy));
		sum = ret ? 0 : wake.value;
		target_signal();
		target_signal();
		sum += ops->take(&w);
		assert_int_equal(sum, 2 + kicks);
		assert_int_equal(ops->take(&w), 0);
		close_mode();
	}
}

static void a_kick_before_the_wait_is_not_lost(void **state)
{
	const struct wait_ops *ops;
	struct wake wake;
	unsigned int i;
	int ret;

	(void)state;
	for (i = 0; (ops = wait_mode(i)); i++) {
		open_mode(ops);
		atomic_store(&stop, 1);
		kicks = ops->kick(&w);
		ret = ops->wait(&w, &wake);
		assert_true(kicks ? !ret && wake.value == 1 : ret == -EINTR);
		close_mode();
	}
}

static void an_event_comes_before_the_end_of_a_busy_wait(void **state)
{
	struct wake wake;

	(void)state;
	open_mode(&wait_page);
	target_signal();
	atomic_store(&stop, 1);
	assert_int_equal(wait_page.wait(&w, &wake), 0);
	assert_int_equal(wake.value, 1);
	assert_int_equal(wait_page.wait(&w, &wake), -EINTR);
	close_mode();
}

static void a_wait_of_before_a_re_arm_is_cancelled(void **state)
{
	struct wake wake;

	(void)state;
	open_mode(&wait_direct);
	target_rearm();
	assert_int_equal(wait_direct.wait(&w, &wake), -ECANCELED);
	assert_int_equal(wait_direct.take(&w), 0);
	close_mode();
}

static void a_closed_descriptor_is_an_error(void **state)
{
	const struct wait_target none = { .eventfd = -1 };
	const struct wait_ops *ops;
	struct reason why = { 0 };
	struct wake wake;
	unsigned int i;

	(void)state;
	for (i = 0; (ops = wait_mode(i)); i++) {
		if (ops->open) {
			/* These set it up first. */
			assert_reason(wait_open(&w, ops, &none, &stop, &why),
				      ops->wake == STRATEGY_WAKE_EVENTFD ? -EBADF : -ENOTSUP,
				      &why, ops->name);
			continue;
		}
		assert_int_equal(wait_open(&w, ops, &none, &stop, &why), 0);
		assert_int_equal(ops->wait(&w, &wake), -EBADF);
		assert_int_equal(ops->kick(&w), 0);
		assert_int_equal(ops->take(&w), 0);
	}
}

/* On stock vfio-pci there is neither the wait ioctl nor the page. */
static void our_waits_need_our_driver(void **state)
{
	struct delivery stock = { 0 };
	const struct wait_target target = { .eventfd = -1, .delivery = &stock };
	struct reason why = { 0 };

	(void)state;
	assert_reason(wait_open(&w, &wait_direct, &target, &stop, &why), -ENOTSUP, &why, "direct");
	assert_reason(wait_open(&w, &wait_page, &target, &stop, &why), -ENOTSUP, &why, "page");
}

static unsigned int open_descriptors(void)
{
	unsigned int n = 0;
	int i;

	for (i = 0; i < 256; i++)
		n += fcntl(i, F_GETFD) >= 0;
	return n;
}

static void modes_leak_no_descriptor(void **state)
{
	unsigned int before = open_descriptors(), i;
	const struct wait_ops *ops;

	(void)state;
	for (i = 0; (ops = wait_mode(i)); i++) {
		open_mode(ops);
		close_mode();
	}
	assert_int_equal(open_descriptors(), before);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(six_modes_in_order),
		cmocka_unit_test(every_strategy_has_a_mode_of_its_own),
		cmocka_unit_test(what_is_there_is_consumed),
		cmocka_unit_test(a_wait_that_goes_on_is_ended_by_an_event),
		cmocka_unit_test(a_kick_ends_the_wait_and_adds_what_it_says),
		cmocka_unit_test(a_kick_before_the_wait_is_not_lost),
		cmocka_unit_test(an_event_comes_before_the_end_of_a_busy_wait),
		cmocka_unit_test(a_wait_of_before_a_re_arm_is_cancelled),
		cmocka_unit_test(a_closed_descriptor_is_an_error),
		cmocka_unit_test(our_waits_need_our_driver),
		cmocka_unit_test(modes_leak_no_descriptor),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
