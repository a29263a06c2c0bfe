// SPDX-License-Identifier: GPL-2.0-only
#include <poll.h>
#include <stdatomic.h>
#include <sys/epoll.h>
#include <time.h>
#include <unistd.h>

#include "check.h"
#include "storm.h"

#define CPUS 2
#define PER_CPU 2
#define BOUT_PRIORITY 30
#define BOUT_ROUNDS 2
#define BOUT_SHARE 6	/* a bout may take every sixth part of the CPU's time */
#define LANES_USED 2
/* Few enough that a waiter in MSILAT_WAIT mostly gets to wait. */
#define ROUNDS_PER_KICK 64

static struct lanes *lanes;
static pthread_t threads[CPUS * PER_CPU];
static atomic_bool stop;
static _Atomic uint64_t rounds;

static void by_epoll(int epoll, int fd)
{
	struct epoll_event event = { .events = EPOLLIN };

	if (epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event) ||
	    epoll_ctl(epoll, EPOLL_CTL_DEL, fd, NULL))
		check_die("epoll");
}

/* A time-out of 0 would not touch the wait queue. */
static void by_poll(int fd)
{
	const struct timespec moment = { .tv_nsec = 1 };
	struct pollfd p = { .fd = fd, .events = POLLIN };

	ppoll(&p, 1, &moment, NULL);
}

/* A second thread in MSILAT_WAIT is refused or gets the events; the first is sent a signal. */
static void by_ioctl(uint64_t round)
{
	struct vector *v = &lanes->vector[round % lanes->vectors];

	if (lanes->subject->wake != WAKE_IOCTL)
		return;
	lanes_take_waited(lanes, v, false);
	if (round % ROUNDS_PER_KICK == 0)
		lanes_kick(lanes, v);
}

static void go_round(int epoll)
{
	unsigned int i, used = lanes->lanes < LANES_USED ? lanes->lanes : LANES_USED;
	uint64_t round = atomic_fetch_add(&rounds, 1);

	for (i = 0; i < used; i++) {
		by_epoll(epoll, lanes->lane[i].fd);
		by_poll(lanes->lane[i].fd);
		lanes_take(&lanes->lane[i]);
	}
	by_ioctl(round);
}

static uint64_t now_us(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000 + (uint64_t)now.tv_nsec / 1000;
}

/* A bout, then a rest in proportion: however slow the kernel, the others get to run. */
static void bout(int epoll)
{
	uint64_t began = now_us();
	unsigned int i;

	for (i = 0; i < BOUT_ROUNDS; i++)
		go_round(epoll);
	usleep((unsigned int)(now_us() - began) * (BOUT_SHARE - 1) + 1);
}

static void *contend(void *arg)
{
	unsigned int number = (unsigned int)(uintptr_t)arg;
	struct sched_param param = { .sched_priority = BOUT_PRIORITY };
	bool bouts = number / CPUS;
	int epoll = epoll_create1(EPOLL_CLOEXEC);
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(number % CPUS % (unsigned int)sysconf(_SC_NPROCESSORS_ONLN), &set);
	if (epoll < 0 || sched_setaffinity(0, sizeof(set), &set) ||
	    (bouts ? sched_setscheduler(0, SCHED_FIFO, &param) : nice(19) < 0))
		check_die("contender %u", number);
	while (!atomic_load(&stop)) {
		if (bouts)
			bout(epoll);
		else
			go_round(epoll);
	}
	close(epoll);
	return NULL;
}

void storm_start(struct lanes *l)
{
	uintptr_t i;

	lanes = l;
	atomic_store(&stop, false);
	atomic_store(&rounds, 0);
	for (i = 0; i < CPUS * PER_CPU; i++)
		if (pthread_create(&threads[i], NULL, contend, (void *)i))
			check_die("contender");
}

uint64_t storm_stop(void)
{
	unsigned int i;

	atomic_store(&stop, true);
	for (i = 0; i < CPUS * PER_CPU; i++)
		pthread_join(threads[i], NULL);
	return atomic_load(&rounds);
}
