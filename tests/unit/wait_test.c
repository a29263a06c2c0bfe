// SPDX-License-Identifier: GPL-2.0-only
#include <fcntl.h>
#include <pthread.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

#include "clock.h"
#include "unit.h"
#include "wait.h"

static _Atomic int stop;
static struct wait w;
static int fd;

static void open_mode(const struct wait_ops *ops)
{
	struct reason why = { 0 };

	atomic_store(&stop, 0);
	fd = eventfd(0, EFD_CLOEXEC);
	assert_true(fd >= 0);
	assert_int_equal(wait_open(&w, ops, fd, &stop, &why), 0);
	assert_ptr_equal(w.ops, ops);
}

static void close_mode(void)
{
	wait_close(&w);
	close(fd);
}

static void four_modes_in_order(void **state)
{
	static const char *const names[] = { "read", "poll", "epoll", "spin" };
	unsigned int i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(names); i++) {
		assert_string_equal(wait_mode(i)->name, names[i]);
		assert_ptr_equal(wait_find(names[i]), wait_mode(i));
		assert_int_equal(wait_mode(i)->busy, !strcmp(names[i], "spin"));
		assert_int_equal(wait_mode(i)->two_calls, strstr(names[i], "poll") != NULL);
	}
	assert_null(wait_mode(i));
	assert_null(wait_find("select"));
	assert_null(wait_find(""));
}

static void a_value_that_is_there_is_consumed(void **state)
{
	const struct wait_ops *ops;
	struct wake wake;
	uint64_t before;
	eventfd_t rest;
	unsigned int i;

	(void)state;
	for (i = 0; (ops = wait_mode(i)); i++) {
		open_mode(ops);
		eventfd_write(fd, 3);
		eventfd_write(fd, 4);
		before = clock_read();
		assert_int_equal(ops->wait(&w, &wake), 0);
		assert_int_equal(wake.value, 7);
		assert_true(wake.user >= before && wake.user <= wake.done);
		assert_true(wake.done <= clock_read());
		assert_int_equal(wake.done > wake.user, ops->two_calls);
		assert_int_equal(wait_nonblock(&w), 0);
		assert_int_equal(eventfd_read(fd, &rest), -1);
		assert_int_equal(errno, EAGAIN);
		close_mode();
	}
}

static uint64_t written;

static void *write_soon(void *arg)
{
	const struct timespec pause = { .tv_nsec = 20000000 };

	(void)arg;
	nanosleep(&pause, NULL);
	written = clock_read();
	eventfd_write(fd, 1);
	return NULL;
}

static void a_sleeping_wait_is_woken(void **state)
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
			assert_int_equal(pthread_create(&thread, NULL, write_soon, NULL), 0);
			assert_int_equal(ops->wait(&w, &wake), 0);
			pthread_join(thread, NULL);
			assert_int_equal(wake.value, 1);
			assert_true(wake.user >= written);
		}
		close_mode();
	}
}

static void *stop_soon(void *arg)
{
	const struct timespec pause = { .tv_nsec = 20000000 };

	(void)arg;
	nanosleep(&pause, NULL);
	atomic_store(&stop, 1);
	return NULL;
}

static void a_spin_ends_when_stopped(void **state)
{
	struct wake wake;
	pthread_t thread;

	(void)state;
	open_mode(&wait_spin);
	assert_int_equal(pthread_create(&thread, NULL, stop_soon, NULL), 0);
	assert_int_equal(wait_spin.wait(&w, &wake), -EINTR);
	pthread_join(thread, NULL);
	close_mode();
}

static void a_closed_descriptor_is_an_error(void **state)
{
	const struct wait_ops *ops;
	struct reason why = { 0 };
	struct wake wake;
	unsigned int i;

	(void)state;
	for (i = 0; (ops = wait_mode(i)); i++) {
		if (ops != &wait_read) {
			/* These set it up first. */
			assert_reason(wait_open(&w, ops, -1, &stop, &why), -EBADF, &why, ops->name);
			continue;
		}
		open_mode(ops);
		close(fd);
		assert_int_equal(ops->wait(&w, &wake), -EBADF);
	}
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
		cmocka_unit_test(four_modes_in_order),
		cmocka_unit_test(a_value_that_is_there_is_consumed),
		cmocka_unit_test(a_sleeping_wait_is_woken),
		cmocka_unit_test(a_spin_ends_when_stopped),
		cmocka_unit_test(a_closed_descriptor_is_an_error),
		cmocka_unit_test(modes_leak_no_descriptor),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
