// SPDX-License-Identifier: GPL-2.0-only
/*
 * The watchers: threads blocked in a read of /dev/kmsg. While the kernel is silent they cost
 * nothing; when the kernel complains the host hears of it at once, before a guest that is about
 * to be lost is lost. At the end the log is read again from where the watchers got to.
 *
 * There is a watcher for each CPU and a heart for each, and none can leave its CPU: a kernel that
 * does not schedule on one CPU any more would else keep the only watcher from its report. A reader
 * is woken by the CPU that wrote to the log, and one that complains of itself in hard IRQ may never
 * come to that: so the hearts look into the log too.
 *
 * Only records of the kernel itself count (facility 0). User space cannot make one: what it
 * writes to /dev/kmsg gets another facility, so a payload can neither fake nor trip an event.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "classify.h"
#include "verdict.h"
#include "watch.h"

#define LOG "/dev/kmsg"
#define RECORD_MAX 8192
#define TAINTED "/proc/sys/kernel/tainted"
#define LOCKDEP_STATS "/proc/lockdep_stats"
/* More lines of one class say nothing new; the console log has them all. */
#define EVENTS_MAX 8
#define HEARTBEAT_SECONDS 2

static pthread_mutex_t watch_lock = PTHREAD_MUTEX_INITIALIZER;
static uint64_t watch_next;
static unsigned int watch_events[NR_CLASSES];

static void event(enum class class, const char *text)
{
	if (watch_events[class]++ < EVENTS_MAX)
		verdict_line("event %s %s", classify_name(class), text);
}

/* A record is "PRIORITY,SEQUENCE,TIME,FLAGS;TEXT\n" and then lines of properties. */
static void record(char *text)
{
	unsigned long priority;
	enum class class;
	uint64_t seq;
	char *end;

	priority = strtoul(text, &end, 10);
	if (*end != ',')
		return;
	seq = strtoull(end + 1, &end, 10);
	text = strchr(end, ';');
	if (!text)
		return;
	text++;
	text[strcspn(text, "\n")] = '\0';

	pthread_mutex_lock(&watch_lock);
	if (seq >= watch_next) {
		watch_next = seq + 1;
		class = priority >> 3 ? CLASS_NONE : classify(text);
		if (class != CLASS_NONE)
			event(class, text);
	}
	pthread_mutex_unlock(&watch_lock);
}

/* Reads records until there are no more (non-blocking descriptor) or for ever (blocking). */
static void read_log(int fd)
{
	char text[RECORD_MAX + 1];
	ssize_t n;

	for (;;) {
		n = read(fd, text, RECORD_MAX);
		if (n > 0) {
			text[n] = '\0';
			record(text);
		} else if (n < 0 && errno == EPIPE) {
			/* The log has wrapped past us. What we did not see we cannot vouch for. */
			pthread_mutex_lock(&watch_lock);
			event(CLASS_WARNING, "kernel log overran its watcher, records are lost");
			pthread_mutex_unlock(&watch_lock);
		} else if (n == 0 || errno != EINTR) {
			return;
		}
	}
}

/* struct reader - a thread on a CPU, with a position of its own in the log */
struct reader {
	int cpu;
	int fd;
};

static void *watcher(void *arg)
{
	struct reader *r = arg;

	read_log(r->fd);
	return NULL;
}

/* Names its CPU: one that is lost must be missed while the others are well. */
static void *heart(void *arg)
{
	const struct timespec period = { .tv_sec = HEARTBEAT_SECONDS };
	struct reader *r = arg;

	for (;;) {
		verdict_line("alive %d", r->cpu);
		read_log(r->fd);
		clock_nanosleep(CLOCK_MONOTONIC, 0, &period, NULL);
	}
	return NULL;
}

/* Above every priority that a payload uses, so that a payload that hogs its CPU cannot mute us. */
static int start_thread(int cpu, void *(*function)(void *), void *arg)
{
	const struct sched_param param = { .sched_priority = sched_get_priority_max(SCHED_FIFO) };
	pthread_attr_t attr;
	pthread_t thread;
	cpu_set_t cpus;
	int ret;

	CPU_ZERO(&cpus);
	CPU_SET(cpu, &cpus);
	pthread_attr_init(&attr);
	pthread_attr_setaffinity_np(&attr, sizeof(cpus), &cpus);
	pthread_attr_setinheritsched(&attr, PTHREAD_EXPLICIT_SCHED);
	pthread_attr_setschedpolicy(&attr, SCHED_FIFO);
	pthread_attr_setschedparam(&attr, &param);
	pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
	ret = pthread_create(&thread, &attr, function, arg);
	pthread_attr_destroy(&attr);
	return -ret;
}

static int start_reader(int cpu, void *(*function)(void *), int flags)
{
	struct reader *r = malloc(sizeof(*r));
	int ret;

	if (!r)
		return -ENOMEM;
	r->cpu = cpu;
	r->fd = open(LOG, flags | O_CLOEXEC);
	if (r->fd < 0) {
		ret = -errno;
		goto free_reader;
	}
	ret = start_thread(cpu, function, r);
	if (ret)
		goto close_log;
	return 0;

close_log:
	close(r->fd);
free_reader:
	free(r);
	return ret;
}

/**
 * watch_start() - begin to report what the kernel complains about, from its first record on
 * @heartbeat: also tell the host every two seconds that threads still get to run
 *
 * Return: 0 or -errno. The threads live as long as the guest.
 */
int watch_start(bool heartbeat)
{
	int cpus = sysconf(_SC_NPROCESSORS_ONLN);
	int ret = 0, cpu;

	for (cpu = 0; cpu < cpus && !ret; cpu++) {
		ret = start_reader(cpu, watcher, O_RDONLY);
		if (!ret && heartbeat)
			ret = start_reader(cpu, heart, O_RDONLY | O_NONBLOCK);
	}
	return ret;
}

/* The kernel marks itself for what it has reported: a mark without an event means we missed one. */
static void check_taint(void)
{
	static const struct {
		unsigned int bit;
		enum class class;
	} marks[] = {
		{ 4, CLASS_BUG },	/* machine check */
		{ 5, CLASS_BUG },	/* bad page */
		{ 7, CLASS_BUG },	/* oops or BUG */
		{ 9, CLASS_WARNING },
		{ 14, CLASS_STALL },	/* soft lockup */
	};
	unsigned long taint = 0;
	size_t i;
	FILE *f;

	f = fopen(TAINTED, "re");
	if (!f || fscanf(f, "%lu", &taint) != 1)
		verdict_line("event warning cannot read %s", TAINTED);
	if (f)
		fclose(f);
	for (i = 0; i < sizeof(marks) / sizeof(marks[0]); i++)
		if (taint & (1UL << marks[i].bit) && !watch_events[marks[i].class] &&
		    !watch_events[CLASS_LOCKDEP] && !watch_events[CLASS_BUG])
			event(marks[i].class, "the kernel's taint tells of a report not seen");
	verdict_line("taint %lu", taint);
}

/* Lockdep reports once, then switches itself off. Kernels without it have no such file. */
static void check_lockdep(void)
{
	char *line = NULL;
	size_t size = 0;
	int on;
	FILE *f;

	f = fopen(LOCKDEP_STATS, "re");
	if (!f)
		return;
	while (getline(&line, &size, f) > 0) {
		if (sscanf(line, " debug_locks: %d", &on) != 1)
			continue;
		verdict_line("debug_locks %d", on);
		if (!on && !watch_events[CLASS_LOCKDEP])
			event(CLASS_LOCKDEP, "lockdep is off, its report was not seen");
	}
	free(line);
	fclose(f);
}

/**
 * watch_finish() - read what the watcher has not got to yet, then the kernel's own marks
 *
 * After it every complaint the kernel made before the call has been reported.
 */
void watch_finish(void)
{
	int fd;

	fd = open(LOG, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0) {
		verdict_line("event warning cannot read %s again", LOG);
		return;
	}
	read_log(fd);
	close(fd);
	pthread_mutex_lock(&watch_lock);
	check_lockdep();
	check_taint();
	pthread_mutex_unlock(&watch_lock);
}
