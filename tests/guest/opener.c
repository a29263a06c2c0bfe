// SPDX-License-Identifier: GPL-2.0-only
/*
 * opener BDF: opens a device twice and more in the ways there are, and prints what comes of it. On
 * vfio-pci and on our driver it must print the same.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "card.h"
#include "check.h"

#define RACERS 6
#define RACES 20
#define PATIENCE_MS 5000

static struct card card;
static const char *bdf;
static int event;

static int error(int ret)
{
	return ret < 0 ? -errno : 0;
}

/* One more descriptor of the device, by the group that is open. */
static int open_again(void)
{
	int fd = ioctl(card.dev.group, VFIO_GROUP_GET_DEVICE_FD, bdf);

	return fd < 0 ? -errno : fd;
}

static void tell(const char *what, int ret)
{
	printf("%s: %d\n", what, ret);
}

/* Whether interrupts come, whichever descriptor armed them. */
static void tell_delivery(const char *what)
{
	vdev_drain(event);
	card_fire(&card, 0);
	printf("%s: %s\n", what, vdev_await(event, PATIENCE_MS) ? "arrives" : "does not arrive");
}

static void second_group(void)
{
	struct vdev other;

	tell("the device once more, in full", vdev_open(&other, bdf));
}

static void in_child(const char *what, void (*run)(void))
{
	int status;
	pid_t pid;

	printf("%s\n", what);
	fflush(stdout);
	pid = fork();
	if (!pid) {
		run();
		fflush(stdout);
		_exit(0);
	}
	waitpid(pid, &status, 0);
	tell("child", status);
}

/* The child has all descriptors; it arms, it closes, it exits. */
static void use_inherited(void)
{
	int own = eventfd(0, EFD_NONBLOCK);

	tell("child arms with its eventfd", vdev_arm(&card.dev, card.index, 1, &own));
	card_fire(&card, 0);
	printf("child's event: %s\n", vdev_await(own, PATIENCE_MS) ? "arrives" : "does not arrive");
	close(own);
	tell("child arms with the parent's", vdev_arm(&card.dev, card.index, 1, &event));
	close(card.dev.fd);
	close(card.dev.group);
	close(card.dev.container);
}

static void two_descriptors(void)
{
	struct vfio_device_info info = { .argsz = sizeof(info) };
	struct vdev second = card.dev;
	void *map;

	second.fd = open_again();
	tell("a second descriptor", second.fd < 0 ? second.fd : 0);
	if (second.fd < 0)
		return;
	tell("info through it", error(ioctl(second.fd, VFIO_DEVICE_GET_INFO, &info)));
	tell("armed through the first", vdev_arm(&card.dev, card.index, 1, &event));
	tell_delivery("event");
	tell("disarmed through the second", vdev_disarm(&second, card.index));
	tell("armed through the second", vdev_arm(&second, card.index, 1, &event));
	map = mmap(NULL, 4096, PROT_READ, MAP_SHARED, second.fd, 0);
	tell("BAR 0 mapped through the second", map == MAP_FAILED ? -errno : 0);
	tell("the second closed", error(close(second.fd)));
	tell_delivery("event after that");
	if (map != MAP_FAILED)
		printf("the mapping %s\n", *(volatile uint32_t *)map == card.dev.bar[0] ?
		       "shows BAR 0" : "shows something else");
	munmap(map, 4096);
	tell("disarmed", vdev_disarm(&card.dev, card.index));
}

/* The first descriptor goes, the second stays: the device must not notice. */
static void first_goes(void)
{
	int second = open_again();

	tell("a second descriptor", second < 0 ? second : 0);
	if (second < 0)
		return;
	tell("armed", vdev_arm(&card.dev, card.index, 1, &event));
	close(card.dev.fd);
	card.dev.fd = second;
	tell_delivery("event after the first was closed");
	tell("disarmed", vdev_disarm(&card.dev, card.index));
}

/* --- races ----------------------------------------------------------------------------------- */

static pthread_barrier_t line;
static atomic_uint winners;

static void *race(void *arg)
{
	struct vdev d;

	(void)arg;
	pthread_barrier_wait(&line);
	if (!vdev_open(&d, bdf)) {
		atomic_fetch_add(&winners, 1);
		pthread_barrier_wait(&line);
		vdev_close(&d);
	} else {
		pthread_barrier_wait(&line);
	}
	return NULL;
}

/* A group opens once: of all that try at the same time, one gets it. */
static void races(void)
{
	unsigned int i, n, wrong = 0;
	pthread_t threads[RACERS];

	pthread_barrier_init(&line, NULL, RACERS);
	for (n = 0; n < RACES; n++) {
		atomic_store(&winners, 0);
		for (i = 0; i < RACERS; i++)
			pthread_create(&threads[i], NULL, race, NULL);
		for (i = 0; i < RACERS; i++)
			pthread_join(threads[i], NULL);
		wrong += atomic_load(&winners) != 1;
	}
	printf("%u races, %u not won by exactly one\n", n, wrong);
}

int main(int argc, char **argv)
{
	if (argc < 2 || card_open(&card, argv[1]))
		check_die("usage: opener BDF");
	bdf = argv[1];
	event = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
	card_prepare(&card);
	second_group();
	in_child("another process", second_group);
	two_descriptors();
	first_goes();
	in_child("a process that inherits", use_inherited);
	card_prepare(&card);
	tell_delivery("event armed by the child");
	tell("no such device", error(ioctl(card.dev.group, VFIO_GROUP_GET_DEVICE_FD,
					   "0000:ff:1f.7")));
	tell("a bad address", error(ioctl(card.dev.group, VFIO_GROUP_GET_DEVICE_FD, NULL)));
	tell("container taken away while open", error(ioctl(card.dev.group,
							    VFIO_GROUP_UNSET_CONTAINER)));
	tell_delivery("event after that");
	card_close(&card);
	races();
	if (card_open(&card, bdf))
		check_die("%s: opening it at last", bdf);
	tell("opened at last, armed", vdev_arm(&card.dev, card.index, 1, &event));
	card_prepare(&card);
	tell_delivery("event");
	card_close(&card);
	puts("done");
	return 0;
}
