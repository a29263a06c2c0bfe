// SPDX-License-Identifier: GPL-2.0-only
/* Backend inject against a driver that answers as it is told. */
#include <pthread.h>
#include <time.h>

#include "clock.h"
#include "device.h"
#include "unit.h"

#define STAMP_AHEAD 3	/* the driver stamps so much later than the program notes */

static struct device dev;
static unsigned int busy, calls;
static int error;
static uint64_t injected;
static uint64_t noted;	/* stamp of the event while the driver has it */

static int answer(struct delivery *d, uint32_t vector, struct msilat_inject *in)
{
	(void)d;
	assert_int_equal(vector, 3);
	calls++;
	noted = fired_oldest(&dev.fired, injected, atomic_load(&dev.fired.count));
	if (busy) {
		busy--;
		return -EBUSY;
	}
	if (error)
		return error;
	*in = (struct msilat_inject){ .sent = noted + STAMP_AHEAD, .sequence = ++injected };
	return 0;
}

static const struct delivery_ops ops = { .inject = answer };

static int setup(void **state)
{
	const struct device_config cfg = { .bdf = "0000:03:00.0", .vector = 3 };
	struct reason why = { 0 };

	(void)state;
	memset(&dev, 0, sizeof(dev));
	dev.ops = &device_inject;
	dev.cfg = cfg;
	dev.delivery.ops = &ops;
	busy = calls = 0;
	error = 0;
	injected = noted = 0;
	return device_inject.open(&dev, &cfg, &why);
}

static void what_it_can_do(void **state)
{
	(void)state;
	assert_true(dev.caps.sent && dev.caps.late && !dev.caps.timer);
	assert_non_null(dev.caps.no_timer);
	assert_true(device_inject.needs_ours);
	assert_null(device_inject.schedule);
}

static void the_driver_has_the_last_word_on_the_stamp(void **state)
{
	struct observation o;
	uint64_t i;

	(void)state;
	for (i = 1; i <= 100; i++) {
		assert_int_equal(device_inject.fire(&dev), 0);
		assert_int_equal(device_inject.sequence(&dev), i);
		assert_true(fired_settled(&dev.fired, i));
		device_inject.observe(&dev, clock_read(), i - 1, &o);
		assert_true(o.seq == i && o.sent == noted + STAMP_AHEAD);
	}
	assert_int_equal(calls, 100);
}

/* While the one before is under way the event is not sent, whoever looks. */
static void a_busy_vector_is_waited_for(void **state)
{
	uint64_t before;

	(void)state;
	assert_int_equal(device_inject.fire(&dev), 0);
	before = clock_read();
	busy = 5;
	assert_int_equal(device_inject.fire(&dev), 0);
	assert_int_equal(calls, 7);
	assert_int_equal(device_inject.sequence(&dev), 2);
	/* Its stamp is of the call that worked. */
	assert_true(fired_oldest(&dev.fired, 1, 2) > before + STAMP_AHEAD);
}

static void *watch(void *arg)
{
	const struct timespec pause = { .tv_nsec = 20000000 };
	struct observation *o = arg;

	nanosleep(&pause, NULL);
	device_inject.observe(&dev, clock_read(), 1, o);
	return NULL;
}

static void one_that_is_never_handled_ends_it(void **state)
{
	struct observation o = { 9, 9 };
	pthread_t thread;

	(void)state;
	assert_int_equal(device_inject.fire(&dev), 0);
	busy = UINT32_MAX;
	assert_int_equal(pthread_create(&thread, NULL, watch, &o), 0);
	assert_reason(device_inject.fire(&dev), -EBUSY, &dev.why, "not handled within 1000 ms");
	pthread_join(thread, NULL);
	/* Nothing was sent, then or since. */
	assert_int_equal(o.seq, 1);
	assert_int_equal(device_inject.sequence(&dev), 1);
}

static void a_refusal_is_no_event(void **state)
{
	(void)state;
	error = -EOPNOTSUPP;
	assert_reason(device_inject.fire(&dev), -EOPNOTSUPP, &dev.why, "cannot inject");
	assert_int_equal(device_inject.sequence(&dev), 0);
	error = -ENOTTY;
	assert_reason(device_inject.fire(&dev), -ENOTTY, &dev.why, "from the same release");
	error = 0;
	assert_int_equal(device_inject.fire(&dev), 0);
	assert_int_equal(device_inject.sequence(&dev), 1);
}

static void a_strange_count_is_noticed(void **state)
{
	(void)state;
	injected = 7;
	assert_reason(device_inject.fire(&dev), -EPROTO, &dev.why, "counts 8 interrupts");
}

static void it_needs_our_driver(void **state)
{
	struct device stock = { .ops = &device_inject, .vfio.fn.driver = "vfio-pci" };
	const struct device_config cfg = { .bdf = "0000:03:00.0" };
	struct reason why = { 0 };

	(void)state;
	assert_reason(device_inject.open(&stock, &cfg, &why), -ENODEV, &why,
		      "bound to vfio-pci; use: msilat bind 0000:03:00.0");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(what_it_can_do, setup),
		cmocka_unit_test_setup(the_driver_has_the_last_word_on_the_stamp, setup),
		cmocka_unit_test_setup(a_busy_vector_is_waited_for, setup),
		cmocka_unit_test_setup(one_that_is_never_handled_ends_it, setup),
		cmocka_unit_test_setup(a_refusal_is_no_event, setup),
		cmocka_unit_test_setup(a_strange_count_is_noticed, setup),
		cmocka_unit_test(it_needs_our_driver),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
