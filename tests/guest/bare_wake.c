// SPDX-License-Identifier: GPL-2.0-only
/*
 * bare_wake BDF COUNT STRATEGY [alone]: bare.c for our driver: the shortest path from edu's MSI to
 * a poller that waits as the strategy wants it, in cycles. alone: with MSILAT_SELECT_NO_EVENTFD. A
 * poller that spins fires itself.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
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
static uint32_t strategy;
static int efd;

static void fire(void)
{
	_mm_lfence();
	sent = __rdtsc();
	edu_fire(&device);
}

static void arrived(void)
{
	uint64_t user;

	_mm_lfence();
	user = __rdtsc() - sent;
	if (user < best)
		best = user;
}

static void *poll_eventfd(void *arg)
{
	long left = *(long *)arg;
	uint64_t value;

	for (; left; left--) {
		if (read(efd, &value, sizeof(value)) != sizeof(value))
			check_die("read");
		arrived();
	}
	return NULL;
}

static void *poll_wait(void *arg)
{
	long left = *(long *)arg;

	for (; left; left--) {
		if (vdev_wait(&device, 0, 0) != 1)
			check_die("MSILAT_WAIT");
		arrived();
	}
	return NULL;
}

static void *poll_page(void *arg)
{
	const struct msilat_vector *v =
		(const void *)((const char *)device.region + device.region->vector_offset);
	long left = *(long *)arg;
	uint64_t seen = __atomic_load_n(&v->page_events, __ATOMIC_ACQUIRE);

	for (; left; left--) {
		fire();
		while (__atomic_load_n(&v->page_events, __ATOMIC_ACQUIRE) == seen)
			;
		arrived();
		seen++;
	}
	return NULL;
}

static void *trigger_events(void *arg)
{
	const struct timespec pause = { .tv_nsec = 1000000 };
	long left = *(long *)arg;

	for (; left; left--) {
		nanosleep(&pause, NULL);
		fire();
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

static void *(*poller(void))(void *)
{
	switch (strategy) {
	case MSILAT_STRATEGY_THREAD_DIRECT:
	case MSILAT_STRATEGY_DIRECT:
		return poll_wait;
	case MSILAT_STRATEGY_PAGE:
		return poll_page;
	default:
		return poll_eventfd;
	}
}

int main(int argc, char **argv)
{
	uint32_t flags = argc > 4 ? MSILAT_SELECT_NO_EVENTFD : 0;
	long count = argc > 2 ? atol(argv[2]) : 0;
	pthread_t thread, trigger;

	strategy = argc > 3 ? (uint32_t)atoi(argv[3]) : 0;
	efd = eventfd(0, EFD_CLOEXEC);
	mlockall(MCL_CURRENT | MCL_FUTURE);
	if (count < 1 || vdev_open(&device, argv[1]) ||
	    vdev_select_with(&device, strategy, flags, NULL) ||
	    vdev_arm(&device, VDEV_MSI, 1, &efd))
		check_die("usage: bare_wake BDF COUNT STRATEGY [alone]");
	vdev_map_region(&device);
	thread = start(poller(), SCHED_FIFO, POLLER_PRIORITY, &count);
	if (strategy != MSILAT_STRATEGY_PAGE) {
		trigger = start(trigger_events, SCHED_OTHER, 0, &count);
		pthread_join(trigger, NULL);
	}
	pthread_join(thread, NULL);
	printf("strategy %u%s %llu\n", strategy, flags ? " alone" : "", (unsigned long long)best);
	return 0;
}
