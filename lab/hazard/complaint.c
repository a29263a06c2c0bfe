// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "channel.h"
#include "check.h"
#include "classify.h"
#include "complaint.h"

#define LOG "/dev/kmsg"
#define RECORD_MAX 8192
#define PERIOD_NS 2000000
/* Lines that follow a complaint: its registers and stack, and then those of others. */
#define FOLLOWING 90
#define PATIENCE_S 1
#define SILENCE_S 6
#define SYSRQ "/proc/sysrq-trigger"

static pthread_mutex_t complaint_lock = PTHREAD_MUTEX_INITIALIZER;
static uint64_t complaint_next;
static unsigned int complaint_following;
static atomic_bool complaint_fatal;
static atomic_bool complaint_over;
static uint64_t (*complaint_raised)(void);

static void tell(enum class class, const char *text)
{
	if (class != CLASS_NONE) {
		complaint_following = FOLLOWING;
		if (class != CLASS_WARNING)
			atomic_store(&complaint_fatal, true);
		channel_line("@%s %llu %s", classify_name(class),
			     (unsigned long long)complaint_raised(), text);
	} else if (complaint_following) {
		complaint_following--;
		channel_line("%s", text);
	}
}

/* "PRIORITY,SEQUENCE,TIME,FLAGS;TEXT\n" and lines of properties. Facility 0 is the kernel's own. */
static void record(char *text)
{
	unsigned long priority;
	uint64_t sequence;
	char *end;

	priority = strtoul(text, &end, 10);
	if (*end != ',')
		return;
	sequence = strtoull(end + 1, &end, 10);
	text = strchr(end, ';');
	if (!text || sequence < complaint_next)
		return;
	text++;
	text[strcspn(text, "\n")] = '\0';
	complaint_next = sequence + 1;
	tell(priority >> 3 ? CLASS_NONE : classify(text), text);
}

/*
 * Who holds the lock may be on a CPU that is lost: after a while the others go on without, at the
 * price of a line told twice.
 */
static void look(int fd)
{
	char text[RECORD_MAX + 1];
	struct timespec limit;
	bool locked;
	ssize_t n;

	for (;;) {
		n = read(fd, text, RECORD_MAX);
		if (n < 0 && errno == EPIPE)
			continue;
		if (n <= 0)
			return;
		text[n] = '\0';
		clock_gettime(CLOCK_REALTIME, &limit);
		limit.tv_sec += PATIENCE_S;
		locked = !pthread_mutex_timedlock(&complaint_lock, &limit);
		record(text);
		if (locked)
			pthread_mutex_unlock(&complaint_lock);
	}
}

static time_t now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec;
}

/* The backtraces come by NMI, which reaches a CPU that nothing else does. */
static void tell_silence(uint64_t count)
{
	int fd;

	if (atomic_exchange(&complaint_fatal, true))
		return;
	complaint_following = 2 * FOLLOWING;
	channel_line("@silence %llu no interrupt raised for %d s, and not a word from the kernel",
		     (unsigned long long)count, SILENCE_S);
	fd = open(SYSRQ, O_WRONLY | O_CLOEXEC);
	if (fd < 0 || write(fd, "l", 1) != 1)
		channel_line("no backtraces: %s", strerror(errno));
	close(fd);
}

static void *watcher(void *arg)
{
	const struct timespec period = { .tv_nsec = PERIOD_NS };
	int fd = (int)(intptr_t)arg;
	uint64_t last = 0, count;
	time_t since = now();

	for (;;) {
		look(fd);
		count = complaint_raised();
		if (count != last || atomic_load(&complaint_over)) {
			last = count;
			since = now();
		} else if (now() - since > SILENCE_S) {
			tell_silence(count);
		}
		clock_nanosleep(CLOCK_MONOTONIC, 0, &period, NULL);
	}
	return NULL;
}

static void start_watcher(int cpu)
{
	const struct sched_param param = { .sched_priority = sched_get_priority_max(SCHED_FIFO) };
	pthread_attr_t attr;
	pthread_t thread;
	cpu_set_t set;
	int fd;

	fd = open(LOG, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0 || lseek(fd, 0, SEEK_END) < 0)
		check_die(LOG);
	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	pthread_attr_init(&attr);
	pthread_attr_setaffinity_np(&attr, sizeof(set), &set);
	pthread_attr_setinheritsched(&attr, PTHREAD_EXPLICIT_SCHED);
	pthread_attr_setschedpolicy(&attr, SCHED_FIFO);
	pthread_attr_setschedparam(&attr, &param);
	errno = pthread_create(&thread, &attr, watcher, (void *)(intptr_t)fd);
	if (errno)
		check_die("a thread above all others on CPU %d", cpu);
	pthread_detach(thread);
	pthread_attr_destroy(&attr);
}

void complaint_start(uint64_t (*raised)(void))
{
	int cpu, cpus = (int)sysconf(_SC_NPROCESSORS_ONLN);

	complaint_raised = raised;
	for (cpu = 0; cpu < cpus; cpu++)
		start_watcher(cpu);
}

void complaint_end(void)
{
	atomic_store(&complaint_over, true);
}

bool complaint_made(void)
{
	return atomic_load(&complaint_fatal);
}
