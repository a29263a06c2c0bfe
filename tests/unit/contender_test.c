// SPDX-License-Identifier: GPL-2.0-only
/* Contenders on an eventfd that nobody else uses. */
#include <fcntl.h>
#include <sched.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

#include "contender.h"
#include "switches.h"
#include "unit.h"

static const struct device_ops backend = {
	.name = "noted",
	.sequence = device_noted_sequence,
	.observe = device_noted_observe,
};
static struct device device;
static struct shared shared;
static struct contender c;
static int fd;

static void start(const struct contender_ops *ops, int flags)
{
	struct reason why = { 0 };

	memset(&device, 0, sizeof(device));
	memset(&shared, 0, sizeof(shared));
	device.ops = &backend;
	device.noted = true;
	shared_begin(&shared, &device, 0);
	fd = eventfd(0, EFD_CLOEXEC | flags);
	c = (struct contender){
		.ops = ops, .device = &device, .eventfd = fd, .shared = &shared,
		.cpu = sched_getcpu(),
	};
	if (contender_start(&c, &why))
		fail_msg("%s", why.text);
}

static bool operates(uint64_t more)
{
	const struct timespec pause = { .tv_nsec = 100000 };
	uint64_t end = atomic_load(&c.operations) + more;
	int i;

	for (i = 0; i < 50000 && atomic_load(&c.operations) < end; i++)
		nanosleep(&pause, NULL);
	return atomic_load(&c.operations) >= end;
}

static void finish(void)
{
	contender_stop(&c);
	assert_int_equal(atomic_load(&c.error), 0);
	close(fd);
}

static uint64_t left(void)
{
	eventfd_t value = 0;

	fcntl(fd, F_SETFL, O_NONBLOCK);
	eventfd_read(fd, &value);
	return value;
}

/* They come and go, whether there is something to read or not, and leave it alone. */
static void storms_take_nothing(void **state)
{
	const struct contender_ops *const storms[] = { &contender_poll, &contender_epoll };
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(storms); i++) {
		start(storms[i], 0);
		/* A run that begins now finds it at work. */
		assert_true(atomic_load(&c.operations) > 0);
		assert_true(operates(100));
		eventfd_write(fd, 3);
		assert_true(operates(100));
		assert_int_equal(left(), 3);
		finish();
	}
}

static void a_reader_counts_what_it_takes(void **state)
{
	const int flags[] = { 0, EFD_NONBLOCK };
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(flags); i++) {
		start(&contender_reader, flags[i]);
		fired_note(&device.fired, 1);
		eventfd_write(fd, 3);
		assert_true(operates(1));
		fired_note(&device.fired, 2);
		eventfd_write(fd, 2);
		assert_true(operates(0) && operates(atomic_load(&c.operations) < 2));
		contender_stop(&c);
		assert_int_equal(shared.taken + left(), 5);
		assert_int_equal(shared.takes, 2);
		assert_int_equal(shared_seen(&shared, 0), 2);
		assert_int_equal(c.operations, 2);
		close(fd);
	}
}

/* It ends although nothing comes, again and again: no race with a call about to block is lost. */
static void a_blocked_reader_ends(void **state)
{
	int i;

	(void)state;
	for (i = 0; i < 50; i++) {
		start(&contender_reader, i % 2 ? EFD_NONBLOCK : 0);
		finish();
		assert_int_equal(shared.taken, 0);
	}
}

/* KVM takes what is signalled while it is attached, and nothing is left of it in the end. */
static void an_irqfd_comes_and_goes(void **state)
{
	struct reason why;
	int i;

	(void)state;
	if (contender_irqfd.available(&device, &why)) {
		print_message("# no KVM here: %s\n", why.text);
		skip();
	}
	start(&contender_irqfd, 0);
	for (i = 1; i <= 50; i++) {
		fired_note(&device.fired, 1);
		eventfd_write(fd, 1);
		assert_true(operates(1));
	}
	/* The attachment after it: nobody waits for an event that KVM may have taken. */
	assert_true(operates(1));
	assert_int_equal(shared_seen(&shared, 0), 50);
	contender_stop(&c);
	assert_int_equal(c.error, 0);
	assert_in_range(left(), 0, 1);
	assert_int_equal(shared.takes, 0);
	close(fd);
}

static void its_thread_has_a_name(void **state)
{
	(void)state;
	start(&contender_poll, 0);
	assert_true(operates(1));
	assert_true(switches_thread(CONTENDER_THREAD) > 0);
	finish();
	assert_int_equal(switches_thread(CONTENDER_THREAD), 0);
}

static void names_are_found(void **state)
{
	unsigned int i;

	(void)state;
	for (i = 0; contender_at(i); i++)
		assert_ptr_equal(contender_find(contender_at(i)->name), contender_at(i));
	assert_null(contender_find("none"));
	assert_true(i == 5);
}

static void a_second_vector_needs_a_driver_that_injects(void **state)
{
	struct reason why;

	(void)state;
	memset(&device, 0, sizeof(device));
	assert_reason(contender_vector.available(&device, &why), -ENOTSUP, &why, "msilat-vfio-pci");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(storms_take_nothing),
		cmocka_unit_test(a_reader_counts_what_it_takes),
		cmocka_unit_test(a_blocked_reader_ends),
		cmocka_unit_test(an_irqfd_comes_and_goes),
		cmocka_unit_test(its_thread_has_a_name),
		cmocka_unit_test(names_are_found),
		cmocka_unit_test(a_second_vector_needs_a_driver_that_injects),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
