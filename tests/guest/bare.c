// SPDX-License-Identifier: GPL-2.0-only
/*
 * bare BDF COUNT: the least that can measure edu's MSI, to judge msilat run by: a poller that
 * blocks in read(), a SCHED_OTHER trigger, one address space. Prints the shortest path in cycles.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>
#include <x86intrin.h>

#include "check.h"
#include "edu.h"

#define POLLER_PRIORITY 40

static volatile uint64_t sent, best = UINT64_MAX;
static struct vdev device;
static int efd;

static void *poll_events(void *arg)
{
	long left = *(long *)arg;
	uint64_t value, user;

	for (; left; left--) {
		if (read(efd, &value, sizeof(value)) != sizeof(value))
			check_die("read");
		_mm_lfence();
		user = __rdtsc() - sent;
		if (user < best)
			best = user;
	}
	return NULL;
}

static void *trigger_events(void *arg)
{
	const struct timespec pause = { .tv_nsec = 1000000 };
	long left = *(long *)arg;

	for (; left; left--) {
		nanosleep(&pause, NULL);
		_mm_lfence();
		sent = __rdtsc();
		edu_fire(&device);
	}
	return NULL;
}

static pthread_t start(void *(*fn)(void *), int policy, int priority, long *count)
{
	struct sched_param param = { .sched_priority = priority };
	pthread_attr_t attr;
	pthread_t thread;

	pthread_attr_init(&attr);
	pthread_attr_setinheritsched(&attr, PTHREAD_EXPLICIT_SCHED);
	pthread_attr_setschedpolicy(&attr, policy);
	pthread_attr_setschedparam(&attr, &param);
	if (pthread_create(&thread, &attr, fn, count))
		check_die("pthread_create");
	return thread;
}

int main(int argc, char **argv)
{
	long count = argc > 2 ? atol(argv[2]) : 0;
	pthread_t poller, trigger;

	efd = eventfd(0, EFD_CLOEXEC);
	mlockall(MCL_CURRENT | MCL_FUTURE);
	if (count < 1 || vdev_open(&device, argv[1]) || vdev_arm(&device, VDEV_MSI, 1, &efd))
		check_die("usage: bare BDF COUNT");
	poller = start(poll_events, SCHED_FIFO, POLLER_PRIORITY, &count);
	trigger = start(trigger_events, SCHED_OTHER, 0, &count);
	pthread_join(trigger, NULL);
	pthread_join(poller, NULL);
	printf("bare %llu\n", (unsigned long long)best);
	return 0;
}
