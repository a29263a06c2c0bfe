// SPDX-License-Identifier: GPL-2.0-only
/*
 * contend BDF: what msilat-contend refuses, and whether its contenders bring about the states of
 * the lock they are named for, in the eyes of the hazard probe under strategy split.
 */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "card.h"
#include "check.h"
#include "contend.h"

#define CONTEND "/dev/msilat-contend"
#define ONLINE "/sys/devices/system/cpu/cpu1/online"
#define ALL ((1u << MSILAT_CONTEND_MANNERS) - 1)
#define SEEN_ENOUGH 20
#define FIRES_MAX 2000000
#define PATIENCE_S 150		/* until it was seen: the host may be busy */
#define GAP_NS_MAX 200000
#define TRIES 300
#define TRY_US 100000

static const char *const names[MSILAT_CONTEND_MANNERS] = { "running", "not-running", "handoff" };
static const unsigned int states[MSILAT_CONTEND_MANNERS] = {
	MSILAT_LOCK_RUNNING, MSILAT_LOCK_NOT_RUNNING, MSILAT_LOCK_HANDOFF,
};

/**
 * struct sighting - what came of looking for a state of the lock
 * @seen: how often the probe has seen it.
 * @fires: interrupts it took.
 * @holds: how often the lock was held; @reached: in the state wanted.
 * @last: statistics of the last contender.
 */
struct sighting {
	uint64_t seen;
	unsigned int fires;
	uint64_t holds;
	uint64_t reached;
	struct msilat_contend_stats last;
};

static struct card card;
static int event;

static struct msilat_contend_start defaults(unsigned int manners, unsigned int cpu)
{
	return (struct msilat_contend_start){
		.argsz = sizeof(struct msilat_contend_start),
		.manners = manners,
		.eventfd = event,
		.cpu = cpu,
		.priority = 30,
		.hold_ns = MSILAT_CONTEND_HOLD_NS_MAX,
		.pause_ns = MSILAT_CONTEND_HOLD_NS_MAX,
		.duration_ms = 60000,
		.seed = 1,
	};
}

static int open_contend(void)
{
	int fd = open(CONTEND, O_RDWR | O_CLOEXEC);

	if (fd < 0)
		check_die(CONTEND);
	return fd;
}

static int start(int fd, struct msilat_contend_start s)
{
	return ioctl(fd, MSILAT_CONTEND_START, &s) ? -errno : 0;
}

static struct msilat_contend_stats stats(int fd)
{
	struct msilat_contend_stats s = { .argsz = sizeof(s) };

	if (ioctl(fd, MSILAT_CONTEND_STATS, &s))
		check_die("statistics");
	return s;
}

/* One value out of bounds at a time. */
#define REFUSED(error, text, member, value)						\
	do {										\
		struct msilat_contend_start s_ = defaults(1, 1);			\
		s_.member = (value);							\
		check_is(start(fd, s_), -(error), "refused: " text);			\
	} while (0)

static void refusals(void)
{
	struct msilat_contend_stats s = { .argsz = sizeof(s) };
	int fd = open_contend(), other = open_contend();

	REFUSED(EINVAL, "a short structure", argsz, sizeof(struct msilat_contend_start) - 1);
	REFUSED(EINVAL, "no manner", manners, 0);
	REFUSED(EINVAL, "a manner that does not exist", manners, ALL + 1);
	REFUSED(EBADF, "no file", eventfd, -1);
	REFUSED(EINVAL, "a file that is no eventfd", eventfd, fd);
	REFUSED(EINVAL, "a CPU that does not exist", cpu, 100000);
	REFUSED(EINVAL, "priority 0", priority, 0);
	REFUSED(EINVAL, "a priority above the bound", priority, MSILAT_CONTEND_PRIORITY_MAX + 1);
	REFUSED(EINVAL, "a hold below the bound", hold_ns, MSILAT_CONTEND_HOLD_NS_MIN - 1);
	REFUSED(EINVAL, "a hold above the bound", hold_ns, MSILAT_CONTEND_HOLD_NS_MAX + 1);
	REFUSED(EINVAL, "a pause shorter than the hold", pause_ns, MSILAT_CONTEND_HOLD_NS_MAX - 1);
	REFUSED(EINVAL, "a pause above the bound", pause_ns, MSILAT_CONTEND_PAUSE_NS_MAX + 1);
	REFUSED(EINVAL, "no duration", duration_ms, 0);
	REFUSED(EINVAL, "a duration above the bound", duration_ms,
		MSILAT_CONTEND_DURATION_MS_MAX + 1);
	REFUSED(EINVAL, "a reserved field", reserved, 1);
	check_is(ioctl(fd, MSILAT_CONTEND_START, NULL) ? errno : 0, EFAULT, "refused: nowhere");
	check_is(ioctl(fd, MSILAT_CTL, NULL) ? errno : 0, ENOTTY, "refused: another call");
	check_is(ioctl(fd, MSILAT_CONTEND_STATS, &s) ? errno : 0, ENOENT,
		 "no statistics before there is a contender");
	check_is(ioctl(fd, MSILAT_CONTEND_STOP), 0, "nothing to stop is no error");

	check_is(start(fd, defaults(1, 1)), 0, "started");
	check_is(start(fd, defaults(1, 0)), -EBUSY, "a file has one contender");
	check_is(start(other, defaults(1, 1)), -EBUSY, "a CPU has one contender");
	check_is(start(other, defaults(1, 0)), 0, "another CPU another");
	check_is(ioctl(fd, MSILAT_CONTEND_STOP), 0, "stopped");
	check_is(stats(fd).running, 0, "statistics say so");
	check_is(start(fd, defaults(1, 1)), 0, "started again");
	close(fd);
	close(other);
}

/* Waits until a contender has worked, or has stopped, whether @running; a while at most. */
static struct msilat_contend_stats await_stats(int fd, bool running)
{
	struct msilat_contend_stats s = stats(fd);
	int tries;

	for (tries = 0; tries < TRIES && (running ? !s.holds[MSILAT_CONTEND_RUNNING] : s.running);
	     tries++) {
		usleep(TRY_US);
		s = stats(fd);
	}
	return s;
}

static void time_over(void)
{
	struct msilat_contend_start s = defaults(1, 1);
	struct msilat_contend_stats before, after;
	int fd = open_contend();

	s.duration_ms = 100;
	check_is(start(fd, s), 0, "started for 100 ms");
	before = await_stats(fd, false);
	usleep(2 * s.duration_ms * 1000);
	after = stats(fd);
	check_is(before.running, 0, "it stops by itself");
	check(before.holds[0] > 0, "it has worked before");
	check_is((long long)after.holds[0], (long long)before.holds[0], "and does not any more");
	close(fd);
}

/* Busy: an emulator that is late with its timers wakes all sleepers at once, in step. */
static void gap(void)
{
	static uint32_t random = 1;
	struct timespec start, now;

	random = random * 1664525 + 1013904223; /* as in Numerical Recipes */
	clock_gettime(CLOCK_MONOTONIC, &start);
	do {
		clock_gettime(CLOCK_MONOTONIC, &now);
	} while ((now.tv_sec - start.tv_sec) * 1000000000 + now.tv_nsec - start.tv_nsec <
		 (long)(random >> 8) % GAP_NS_MAX);
}

static void stay_on(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	if (sched_setaffinity(0, sizeof(set), &set))
		check_die("CPU %d", cpu);
}

/* Until the time is over or the contender's. Returns whether the state was seen often enough. */
static bool fire_until(int fd, unsigned int state, time_t end, struct sighting *s)
{
	uint64_t before = vdev_counters(&card.dev, 0).lock_states[state] - s->seen;
	unsigned int n;

	for (n = 1; s->seen < SEEN_ENOUGH && s->fires < FIRES_MAX; n++) {
		card_fire(&card, 0);
		s->fires++;
		gap();
		vdev_drain(event);
		if (n % 32)
			continue;
		s->seen = vdev_counters(&card.dev, 0).lock_states[state] - before;
		if (time(NULL) > end || !stats(fd).running)
			break;
	}
	return s->seen >= SEEN_ENOUGH;
}

/* Contenders come to an end: as many of them, one by one, as it takes. */
static struct sighting look_for(int fd, unsigned int manner, unsigned int cpu, unsigned int state)
{
	time_t end = time(NULL) + PATIENCE_S;
	struct sighting s = { 0 };
	bool enough;

	do {
		struct msilat_contend_stats now;

		if (start(fd, defaults(1u << manner, cpu)))
			check_die("a contender");
		enough = fire_until(fd, state, end, &s);
		ioctl(fd, MSILAT_CONTEND_STOP);
		now = stats(fd);
		s.holds += now.holds[manner];
		s.reached += now.reached[manner];
		s.last = now;
	} while (!enough && s.fires < FIRES_MAX && time(NULL) <= end);
	return s;
}

static void sees(unsigned int manner, unsigned int cpu, unsigned int state, const char *as)
{
	int fd = open_contend();
	struct sighting s;

	/* Where the contender is not, or it would never be interrupted. */
	stay_on(!cpu);
	s = look_for(fd, manner, cpu, state);
	check(s.seen >= SEEN_ENOUGH, "%s: the probe has seen %s %llu times in %u interrupts",
	      names[manner], as, (unsigned long long)s.seen, s.fires);
	check(s.holds > 0 && s.reached * 2 > s.holds, "%s: held %llu times, %llu as wanted",
	      names[manner], (unsigned long long)s.holds, (unsigned long long)s.reached);
	check_note("longest hold %llu us, longest wait %llu us",
		   (unsigned long long)s.last.hold_ns_max / 1000,
		   (unsigned long long)s.last.wait_ns_max / 1000);
	close(fd);
}

static void bind_interrupt(int cpu)
{
	char path[64];
	int fd;

	snprintf(path, sizeof(path), "/proc/irq/%u/smp_affinity_list",
		 vdev_counters(&card.dev, 0).irq);
	fd = open(path, O_WRONLY | O_CLOEXEC);
	if (fd < 0 || dprintf(fd, "%d\n", cpu) < 0)
		check_die("%s", path);
	close(fd);
}

static void probe(bool rt)
{
	unsigned int manner;

	if (vdev_select(&card.dev, MSILAT_STRATEGY_SPLIT, NULL) ||
	    vdev_arm(&card.dev, card.index, 1, &event))
		check_die("arming");
	bind_interrupt(0);
	card_prepare(&card);
	for (manner = 0; manner < MSILAT_CONTEND_MANNERS && (rt || !manner); manner++)
		sees(manner, 1, states[manner], names[manner]);
	if (rt)
		sees(MSILAT_CONTEND_RUNNING, 0, MSILAT_LOCK_SELF, "its own task");
	vdev_disarm(&card.dev, card.index);
}

static void set_online(const char *value)
{
	int file = open(ONLINE, O_WRONLY | O_CLOEXEC);

	if (file < 0 || write(file, value, 1) != 1)
		check_die("%s to %s", value, ONLINE);
	close(file);
}

/* CPU 1 goes from under a contender. */
static void cpu_gone(unsigned int manners)
{
	struct msilat_contend_stats s;
	int fd = open_contend();

	if (start(fd, defaults(manners, 1)))
		check_die("a contender");
	await_stats(fd, true);
	set_online("0");
	s = await_stats(fd, false);
	check(s.holds[MSILAT_CONTEND_RUNNING], "the contender has worked");
	check_is(s.running, 0, "its CPU goes offline: it stops");
	check_is(start(fd, defaults(1, 1)), -EBUSY, "it keeps its place until it is told to");
	ioctl(fd, MSILAT_CONTEND_STOP);
	check_is(start(fd, defaults(1, 1)), -EINVAL, "there is no new one for a CPU that is offline");
	set_online("1");
	check_is(start(fd, defaults(manners, 1)), 0, "there is when it is online again");
	s = await_stats(fd, true);
	check(s.running && s.holds[MSILAT_CONTEND_RUNNING], "which works");
	close(fd);
}

int main(int argc, char **argv)
{
	struct utsname name;
	bool rt;
	int fd;

	uname(&name);
	rt = strstr(name.version, "PREEMPT_RT");
	event = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
	if (argc < 2 || card_open(&card, argv[1]))
		check_die("usage: contend BDF");
	refusals();
	time_over();
	fd = open_contend();
	check_is(start(fd, defaults(ALL, 1)), rt ? 0 : -EOPNOTSUPP,
		 "all manners: %s", rt ? "started" : "refused without PREEMPT_RT");
	close(fd);
	probe(rt);
	cpu_gone(rt ? ALL : 1);
	card_close(&card);
	return check_done();
}
