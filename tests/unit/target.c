// SPDX-License-Identifier: GPL-2.0-only
#include <sys/eventfd.h>
#include <unistd.h>

#include "device.h"
#include "target.h"
#include "unit.h"

static struct device dev;
static const struct strategy *strategy;
static int fd;

/* The first of our strategies that wakes so. */
static const struct strategy *strategy_for(enum strategy_wake wake)
{
	const struct strategy *s;
	unsigned int i;

	for (i = 0; (s = strategy_at(i)); i++)
		if (strategy_ours(s) && s->wake == wake)
			return s;
	fail_msg("no strategy wakes by the %s", strategy_wake_name(wake));
	return NULL;
}

struct wait_target target_open(const struct wait_ops *ops)
{
	const struct device_config cfg = { .sim = "" };
	struct reason why = { 0 };

	strategy = strategy_for(ops->wake);
	fd = eventfd(0, EFD_CLOEXEC);
	assert_true(fd >= 0);
	assert_int_equal(device_open(&dev, &device_sim, &cfg, &why), 0);
	target_rearm();
	assert_int_equal(device_arm(&dev, fd, &why), 0);
	return (struct wait_target){ .eventfd = fd, .delivery = &dev.delivery };
}

void target_signal(void)
{
	assert_int_equal(dev.delivery.ops->trigger(&dev.delivery, 0), 0);
}

void target_rearm(void)
{
	struct reason why = { 0 };

	assert_int_equal(dev.delivery.ops->select(&dev.delivery, strategy, 0, &why), 0);
}

void target_close(void)
{
	device_disarm(&dev);
	device_close(&dev);
	close(fd);
}
