// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "check.h"
#include "contend.h"
#include "disturb.h"

#define CONTEND "/dev/msilat-contend"
#define CONTEND_PRIORITY 30	/* below the poller, above everything else */
#define CONTEND_HOLD_NS 20000
#define CONTEND_PAUSE_NS 40000
#define POLL_NS 20000

static int cpus(void)
{
	return (int)sysconf(_SC_NPROCESSORS_ONLN);
}

/* A time-out above 0: with 0, poll() looks without adding itself to the wait queue. */
static void *poll_storm(void *arg)
{
	const struct timespec timeout = { .tv_nsec = POLL_NS };
	struct pollfd p = { .fd = (int)(intptr_t)arg, .events = POLLIN };

	for (;;)
		ppoll(&p, 1, &timeout, NULL);
	return NULL;
}

static void *epoll_storm(void *arg)
{
	struct epoll_event event = { .events = EPOLLIN };
	int fd = (int)(intptr_t)arg, set = epoll_create1(EPOLL_CLOEXEC);

	if (set < 0)
		check_die("epoll");
	for (;;) {
		if (epoll_ctl(set, EPOLL_CTL_ADD, fd, &event) ||
		    epoll_ctl(set, EPOLL_CTL_DEL, fd, NULL))
			check_die("epoll_ctl");
	}
	return NULL;
}

static void start(int cpu, void *(*function)(void *), int fd)
{
	pthread_attr_t attr;
	pthread_t thread;
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	pthread_attr_init(&attr);
	pthread_attr_setaffinity_np(&attr, sizeof(set), &set);
	errno = pthread_create(&thread, &attr, function, (void *)(intptr_t)fd);
	if (errno)
		check_die("a thread on CPU %d", cpu);
	pthread_detach(thread);
	pthread_attr_destroy(&attr);
}

void disturb_storms(int fd)
{
	int cpu;

	for (cpu = 0; cpu < cpus(); cpu++) {
		start(cpu, poll_storm, fd);
		start(cpu, epoll_storm, fd);
	}
}

void disturb_contend(int fd, uint32_t seed)
{
	struct msilat_contend_start s = {
		.argsz = sizeof(s),
		.manners = (1u << MSILAT_CONTEND_MANNERS) - 1,
		.eventfd = fd,
		.priority = CONTEND_PRIORITY,
		.hold_ns = CONTEND_HOLD_NS,
		.pause_ns = CONTEND_PAUSE_NS,
		.duration_ms = MSILAT_CONTEND_DURATION_MS_MAX,
	};
	int file, ret;

	for (s.cpu = 0; s.cpu < (uint32_t)cpus(); s.cpu++) {
		s.seed = seed + s.cpu;
		file = open(CONTEND, O_RDWR | O_CLOEXEC);
		if (file < 0)
			check_die(CONTEND);
		ret = ioctl(file, MSILAT_CONTEND_START, &s);
		if (ret && errno == EOPNOTSUPP) {
			/* Without PREEMPT_RT there is but one way to hold the lock. */
			s.manners = 1u << MSILAT_CONTEND_RUNNING;
			ret = ioctl(file, MSILAT_CONTEND_START, &s);
		}
		if (ret)
			check_die("a contender on CPU %u", s.cpu);
	}
}
