// SPDX-License-Identifier: GPL-2.0-only
/* Backend sim does what its options say, so that other tests can rely on it as the truth. */
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

#include "device.h"
#include "unit.h"

static struct device dev;
static struct reason why;
static int fd;

static int open_sim(const char *options)
{
	const struct device_config cfg = { .sim = options };

	memset(&why, 0, sizeof(why));
	return device_open(&dev, &device_sim, &cfg, &why);
}

static void start(const char *options)
{
	assert_int_equal(open_sim(options), 0);
	fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	assert_int_equal(device_arm(&dev, fd, &why), 0);
}

static void finish(void)
{
	device_disarm(&dev);
	device_close(&dev);
	close(fd);
}

static struct msilat_counters counters(void)
{
	struct msilat_counters c;

	assert_int_equal(dev.delivery.ops->counters(&dev.delivery, 0, &c), 0);
	return c;
}

/* Fire a batch at once and wait until the driver has dealt with it. */
static void fire(unsigned int n, uint64_t signals)
{
	const struct timespec pause = { .tv_nsec = 1000000 };
	int i;

	while (n--)
		device_sim.fire(&dev);
	for (i = 0; i < 5000 && counters().signals < signals; i++)
		nanosleep(&pause, NULL);
	nanosleep(&pause, NULL);
	assert_int_equal(counters().signals, signals);
}

static uint64_t values(void)
{
	eventfd_t value = 0;

	if (eventfd_read(fd, &value))
		assert_int_equal(errno, EAGAIN);
	return value;
}

static void bad_options(void **state)
{
	static const struct {
		const char *options, *part;
	} bad[] = {
		{ "rubbish", "rubbish: must be merge=" },
		{ "merge", "merge: must be merge=" },
		{ "merge=", "must be device, thread, wake or none" },
		{ "merge=ring", "merge=ring: must be device" },
		{ "withhold=", "not a number" },
		{ "withhold=x", "withhold=x: not a number" },
		{ "withhold=-1", "not a number" },
		{ "withhold= -1", "not a number" },
		{ "lose=1x", "not a number" },
		{ "stop=99999999999999999999", "not a number" },
		{ "delay=5,speed=3", "speed: must be merge=" },
		{ "=5", "must be merge=" },
	};
	char too_long[600];
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(bad); i++) {
		if (!open_sim(bad[i].options)) {
			device_close(&dev);
			fail_msg("\"%s\" is not refused", bad[i].options);
		}
		assert_text(why.text, bad[i].part);
		assert_text(why.text, "--sim");
	}
	memset(too_long, 'd', sizeof(too_long) - 1);
	too_long[sizeof(too_long) - 1] = '\0';
	assert_reason(open_sim(too_long), -EINVAL, &why, "too long");
}

static void good_options(void **state)
{
	static const char *const good[] = {
		"", "merge=none", "delay=0", "merge=device,withhold=5,lose=7,stop=9,delay=1",
	};
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(good); i++) {
		assert_int_equal(open_sim(good[i]), 0);
		device_close(&dev);
	}
}

static void it_has_one_vector_and_no_timer(void **state)
{
	struct device_config cfg = { .sim = "", .vector = 1 };
	struct msilat_counters c;

	(void)state;
	assert_int_equal(device_open(&dev, &device_sim, &cfg, &why), 0);
	assert_reason(device_arm(&dev, 0, &why), -EINVAL, &why, "vector 1");
	assert_false(dev.caps.timer);
	assert_non_null(dev.caps.no_timer);
	assert_true(dev.caps.sent);
	assert_int_equal(dev.delivery.ops->counters(&dev.delivery, 1, &c), -EINVAL);
	assert_int_equal(device_irq(&dev), 0);
	device_close(&dev);
}

static void one_event_one_signal(void **state)
{
	struct msilat_delivery d;
	struct msilat_isr isr;
	uint64_t i;

	(void)state;
	start("");
	for (i = 1; i <= 50; i++) {
		fire(1, i);
		assert_int_equal(values(), 1);
	}
	assert_int_equal(device_sim.sequence(&dev), 50);
	assert_int_equal(counters().isr, 50);
	assert_int_equal(counters().threads, 50);
	for (i = 0; i < 50; i++) {
		assert_int_equal(delivery_record(&dev.delivery, 0, i, &d), 0);
		assert_true(d.first_isr == i && d.last_isr == i);
		assert_int_equal(delivery_isr(&dev.delivery, 0, i, &isr), 0);
		assert_true(isr.isr <= d.thread && d.thread <= d.signal);
	}
	finish();
}

static void merges_where_it_is_told(void **state)
{
	struct msilat_delivery d;

	(void)state;
	start("merge=device,delay=20000");
	fire(5, 1);
	assert_true(counters().isr == 1 && counters().threads == 1 && values() == 1);
	finish();
	start("merge=thread,delay=20000");
	fire(5, 1);
	assert_true(counters().isr == 5 && counters().threads == 1 && values() == 1);
	assert_int_equal(delivery_record(&dev.delivery, 0, 0, &d), 0);
	assert_true(d.first_isr == 0 && d.last_isr == 4);
	finish();
	start("merge=wake,delay=20000");
	fire(5, 5);
	assert_true(counters().isr == 5 && counters().threads == 5 && values() == 5);
	finish();
}

static void withholds_one_signal(void **state)
{
	struct msilat_delivery d;
	uint64_t i;

	(void)state;
	start("withhold=3");
	for (i = 1; i <= 5; i++) {
		fire(1, i);
		assert_int_equal(values(), i != 3);
		assert_int_equal(delivery_record(&dev.delivery, 0, i - 1, &d), 0);
		assert_int_equal(d.flags, i == 3 ? MSILAT_DELIVERY_WITHHELD : 0);
	}
	assert_int_equal(counters().withheld, 1);
	finish();
}

static void loses_one_interrupt(void **state)
{
	(void)state;
	start("lose=2");
	fire(1, 1);
	fire(1, 1);
	fire(1, 2);
	assert_int_equal(values(), 2);
	assert_int_equal(counters().isr, 2);
	assert_int_equal(device_sim.sequence(&dev), 3);
	finish();
}

static void stops(void **state)
{
	(void)state;
	start("stop=4");
	fire(10, 4);
	assert_int_equal(values(), 4);
	fire(3, 4);
	assert_int_equal(device_sim.sequence(&dev), 13);
	finish();
}

static void nothing_arrives_while_disarmed(void **state)
{
	(void)state;
	start("");
	fire(1, 1);
	device_disarm(&dev);
	fire(3, 1);
	assert_int_equal(values(), 1);
	finish();
}

static void a_strategy_is_put_in_force(void **state)
{
	uint32_t generation;

	(void)state;
	start("");
	generation = dev.delivery.region->generation;
	assert_int_equal(dev.delivery.ops->select(&dev.delivery, strategy_find("nothread"), 0,
						   &why), 0);
	assert_int_equal(dev.delivery.region->strategy, MSILAT_STRATEGY_NOTHREAD);
	assert_true(dev.delivery.region->generation != generation);
	finish();
}

/* What every strategy of ours leaves behind: records, counts, and who is woken by what. */
static void plays(const struct strategy *s, uint32_t flags)
{
	const bool eventfd = s->wake == STRATEGY_WAKE_EVENTFD;
	const bool beside = !eventfd && !flags;
	const __u64 *page = delivery_page(&dev.delivery, 0);
	struct msilat_delivery d;
	uint64_t user = 0;

	assert_int_equal(dev.delivery.ops->select(&dev.delivery, s, flags, &why), 0);
	fire(1, 1);
	assert_int_equal(values(), eventfd || beside);
	assert_int_equal(counters().eventfds, beside);
	assert_int_equal(*page, s->wake == STRATEGY_WAKE_PAGE);
	assert_int_equal(counters().isr, s->primary);
	assert_int_equal(delivery_record(&dev.delivery, 0, 0, &d), 0);
	assert_true(d.first_isr == (s->primary ? 0 : UINT64_MAX) && d.first_isr == d.last_isr);
	assert_int_equal(d.thread == 0, s->thread == STRATEGY_THREAD_NONE);
	if (s->wake == STRATEGY_WAKE_WAIT) {
		assert_int_equal(dev.delivery.ops->wait(&dev.delivery, 0, &user), 1);
		assert_true(user > d.signal);
	}
}

static void every_strategy_of_ours(void **state)
{
	const struct strategy *s;
	unsigned int i;

	(void)state;
	for (i = 0; (s = strategy_at(i)); i++) {
		start("");
		if (strategy_ours(s))
			plays(s, 0);
		else
			assert_reason(dev.delivery.ops->select(&dev.delivery, s, 0, &why), -EINVAL,
				      &why, s->name);
		finish();
		if (s->wake == STRATEGY_WAKE_EVENTFD)
			continue;
		start("");
		plays(s, MSILAT_SELECT_NO_EVENTFD);
		finish();
	}
}

static void a_loopback_trigger_leaves_no_record(void **state)
{
	(void)state;
	start("");
	assert_int_equal(dev.delivery.ops->trigger(&dev.delivery, 0), 0);
	assert_int_equal(values(), 1);
	assert_int_equal(counters().signals, 0);
	assert_int_equal(delivery_head(&dev.delivery, 0), 0);
	assert_int_equal(dev.delivery.ops->trigger(&dev.delivery, 1), -EINVAL);
	device_disarm(&dev);
	assert_int_equal(dev.delivery.ops->trigger(&dev.delivery, 0), -EINVAL);
	finish();
}

static void backends_by_name(void **state)
{
	const struct pci_function edu = { .vendor = 0x1234, .device = 0x11e8 };
	const struct pci_function other = { .vendor = 0x8086, .caps_known = true };
	const struct pci_function msi = { .vendor = 0x8086, .caps_known = true, .msi = 1 };
	const struct pci_function hidden = { .vendor = 0x8086 };
	const struct pci_function bridge = { .caps_known = true, .msi = 1, .bridge = true };

	(void)state;
	assert_ptr_equal(device_find("edu"), &device_edu);
	assert_ptr_equal(device_find("sim"), &device_sim);
	assert_null(device_find(""));
	assert_null(device_find("ed"));
	assert_ptr_equal(device_best(&edu), &device_edu);
	assert_ptr_equal(device_best(&msi), &device_inject);
	/* An ordinary user does not see whether it has MSI. */
	assert_ptr_equal(device_best(&hidden), &device_inject);
	assert_null(device_best(&other));
	assert_null(device_best(&bridge));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bad_options),
		cmocka_unit_test(good_options),
		cmocka_unit_test(it_has_one_vector_and_no_timer),
		cmocka_unit_test(one_event_one_signal),
		cmocka_unit_test(merges_where_it_is_told),
		cmocka_unit_test(withholds_one_signal),
		cmocka_unit_test(loses_one_interrupt),
		cmocka_unit_test(stops),
		cmocka_unit_test(nothing_arrives_while_disarmed),
		cmocka_unit_test(a_strategy_is_put_in_force),
		cmocka_unit_test(every_strategy_of_ours),
		cmocka_unit_test(a_loopback_trigger_leaves_no_record),
		cmocka_unit_test(backends_by_name),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
