// SPDX-License-Identifier: GPL-2.0-only
/*
 * Waits that are over: the device is reset, or its driver unbound, or the waiter killed.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "check.h"
#include "waiter.h"

#define RACES 20
#define RESET_US 200000	/* a reset lasts less */

static void *reset_by_sysfs(void *arg)
{
	int file = open(arg, O_WRONLY);

	if (file < 0 || write(file, "1", 1) != 1)
		check_die("%s", (const char *)arg);
	close(file);
	return NULL;
}

/* Is a caller who names this generation told that it is over, once there are no events? */
static bool is_over(uint32_t g)
{
	struct waiter w;

	do {
		waiter_begin(&w, 0, g);
		if (waiter_stays(&w)) {
			waiter_end(&w);
			return false;
		}
	} while (waiter_result(&w) > 0);
	return w.result == -ECANCELED;
}

/*
 * Re-arms at all times of a reset that somebody else asked for. A device that has lost what was
 * written to it after the re-arm was reset behind the new generation, which must not wait.
 */
static void reset_and_rearm(void)
{
	unsigned int during = 0, told = 0, i;
	pthread_t thread;
	char path[128];
	uint32_t g;

	snprintf(path, sizeof(path), "/sys/bus/pci/devices/%s/reset", dev->bdf);
	for (i = 0; i < RACES; i++) {
		if (pthread_create(&thread, NULL, reset_by_sysfs, path))
			check_die("reset");
		usleep(i * RESET_US / RACES);
		waiter_select(MSILAT_STRATEGY_DIRECT, 0);
		g = waiter_generation();
		card_enable(&card);
		pthread_join(thread, NULL);
		if (!card_is_enabled(&card)) {
			during++;
			told += is_over(g);
		}
		card_prepare(&card);
	}
	check(during, "some re-arms came while a reset lasted");
	check_is(told, during, "%u of %u, and their generation is over with it", during, i);
}

static void reset(void)
{
	struct waiter w;
	uint32_t g;

	snprintf(what, sizeof(what), "direct");
	waiter_arm(MSILAT_STRATEGY_DIRECT, 0);
	g = waiter_generation();
	waiter_begin(&w, 0, 0);
	check_is(ioctl(dev->fd, VFIO_DEVICE_RESET) ? -errno : 0, 0, "the device is reset");
	check_is(waiter_result(&w), -ECANCELED, "a reset cancels");
	check_is(waiter_generation(), g, "it is no re-arm");
	waiter_begin(&w, 0, g);
	check_is(waiter_result(&w), -ECANCELED,
			 "a call that names the generation before it is cancelled");
	card_prepare(&card);
	waiter_begin(&w, 0, 0);
	check(waiter_stays(&w), "one that names none waits");
	waiter_fire();
	check_is(waiter_result(&w), 1, "and gets the next event");
	waiter_select(MSILAT_STRATEGY_DIRECT, 0);
	waiter_begin(&w, 0, g + 1);
	check_is(waiter_result(&w), 1, "after a re-arm a generation works again: the catch-up");
	waiter_begin(&w, 0, g + 1);
	check(waiter_end(&w), "and waits");
	check_is(ioctl(dev->fd, VFIO_DEVICE_PCI_HOT_RESET, NULL) ? -errno : 0, -EFAULT,
		 "a hot reset that is refused");
	waiter_begin(&w, 0, g + 1);
	check(waiter_end(&w), "cancels nothing");
	reset_and_rearm();
}

/* The script unbinds when it reads the line. The counts are read before the device goes. */
static void unbind(void)
{
	struct waiter w;
	uint32_t g;

	snprintf(what, sizeof(what), "direct");
	waiter_arm(MSILAT_STRATEGY_DIRECT, 0);
	g = waiter_generation();
	waiter_begin(&w, 0, 0);
	puts("waiting");
	check_is(waiter_result(&w), -ENODEV, "unbinding ends a call");
	check_is(vdev_wait(dev, 0, 0), -ENODEV, "and each call after it");
	check_is(vdev_wait(dev, 0, g), -ENODEV, "whatever it names");
	waiter_fire();
	check_is(vdev_wait(dev, 0, 0), -ENODEV, "an event that comes later is for nobody");
	waiter_select(MSILAT_STRATEGY_THREAD_DIRECT, 0);
	check_is(vdev_wait(dev, 0, g), -ENODEV, "nor is the catch-up of a re-arm");
	check_is(vdev_wait(dev, 0, g), -ENODEV, "and changes nothing about it");
	vdev_disarm(dev, card.index);
	check_is(vdev_wait(dev, 0, 0), -ENODEV, "nor does disarming");
	check_is(vdev_wait(dev, card.vectors, 0), -EINVAL, "there are no more vectors than before");
}

/* The script unbinds when it reads the line, as above. No call is under way then. */
static void rest(void)
{
	int request = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);

	snprintf(what, sizeof(what), "direct");
	waiter_arm(MSILAT_STRATEGY_DIRECT, 0);
	waiter_fire();
	waiter_fire();
	vdev_disarm(dev, card.index);
	if (vdev_set_irqs(dev, VFIO_PCI_REQ_IRQ_INDEX, VDEV_EVENTFD, 0, 1, &request))
		check_die("request interrupt");
	check_is(vdev_wait(dev, 0, 0), -EINVAL, "pending, but not armed");
	puts("waiting");
	check(vdev_await(request, PATIENCE_MS), "the device is wanted back");
	check_is(vdev_wait(dev, 0, 0), 2, "what had arrived comes first, armed or not");
	check_is(vdev_wait(dev, 0, 0), -ENODEV, "then it is over");
	close(request);
}

/* The script kills it. */
static void forever(void)
{
	waiter_arm(MSILAT_STRATEGY_DIRECT, MSILAT_SELECT_NO_EVENTFD);
	puts("waiting");
	while (vdev_wait(dev, 0, 0) > 0)
		;
	check_die("a call failed");
}

void waiter_over(const char *mode)
{
	if (!strcmp(mode, "reset"))
		reset();
	else if (!strcmp(mode, "unbind"))
		unbind();
	else if (!strcmp(mode, "rest"))
		rest();
	else if (!strcmp(mode, "forever"))
		forever();
	else
		check_die("no such mode: %s", mode);
}
