// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "proc.h"
#include "sched.h"

#define STACK_BYTES (128 * 1024)
#define STACK_TOUCH (32 * 1024)
#define SETTLE_MS 200	/* for an IRQ thread to become what it will be */

struct start {
	void *(*fn)(void *);
	void *arg;
	char name[16];
};

/* Fault the part of the stack in that the thread will use. */
static void __attribute__((noinline)) touch_stack(void)
{
	volatile char stack[STACK_TOUCH];
	size_t i;

	for (i = 0; i < sizeof(stack); i += 1024)
		stack[i] = 0;
}

static void *start_thread(void *arg)
{
	struct start s = *(struct start *)arg;

	free(arg);
	pthread_setname_np(pthread_self(), s.name);
	touch_stack();
	return s.fn(s.arg);
}

static int set_affinity(pthread_attr_t *attr, const struct sched_want *want)
{
	size_t size = CPU_ALLOC_SIZE(CPULIST_MAX);
	cpu_set_t *set;
	int cpu, ret;

	if (want->cpu < 0 && !want->cpus)
		return 0;
	set = CPU_ALLOC(CPULIST_MAX);
	if (!set)
		return -ENOMEM;
	CPU_ZERO_S(size, set);
	for (cpu = 0; cpu < CPULIST_MAX; cpu++)
		if (want->cpu < 0 ? cpulist_has(want->cpus, cpu) : cpu == want->cpu)
			CPU_SET_S(cpu, size, set);
	ret = -pthread_attr_setaffinity_np(attr, size, set);
	CPU_FREE(set);
	return ret;
}

static int start_failed(int ret, const struct sched_want *want, struct reason *why)
{
	struct rlimit limit = { 0 };

	getrlimit(RLIMIT_RTPRIO, &limit);
	if (ret == -EPERM)
		return reason_set(why, ret,
				  "priority %d for the %s thread is not permitted (RLIMIT_RTPRIO is %lu); "
				  "run as root, raise rtprio in limits.conf, or use -p 0",
				  want->priority, want->name, (unsigned long)limit.rlim_cur);
	if (ret == -EINVAL)
		return reason_set(why, ret, "the %s thread cannot run on CPU %d: offline or "
				  "outside this process's cpuset", want->name, want->cpu);
	return reason_set(why, ret, "cannot start the %s thread: %s", want->name, strerror(-ret));
}

int sched_start(pthread_t *thread, const struct sched_want *want, void *(*fn)(void *), void *arg,
		struct reason *why)
{
	struct sched_param param = { .sched_priority = want->priority };
	struct start *s;
	pthread_attr_t attr;
	int ret;

	s = calloc(1, sizeof(*s));
	if (!s)
		return -ENOMEM;
	s->fn = fn;
	s->arg = arg;
	snprintf(s->name, sizeof(s->name), "%s", want->name);
	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, STACK_BYTES);
	pthread_attr_setinheritsched(&attr, PTHREAD_EXPLICIT_SCHED);
	pthread_attr_setschedpolicy(&attr, want->priority ? SCHED_FIFO : SCHED_OTHER);
	pthread_attr_setschedparam(&attr, &param);
	ret = set_affinity(&attr, want);
	if (!ret)
		ret = -pthread_create(thread, &attr, start_thread, s);
	pthread_attr_destroy(&attr);
	if (!ret)
		return 0;
	free(s);
	return start_failed(ret, want, why);
}

int sched_lock_memory(void)
{
	struct rlimit limit;

	/*
	 * Under a limit MCL_FUTURE would make a later allocation fail instead of a page fault
	 * happen; lock what there is.
	 */
	if (!mlockall(MCL_CURRENT | MCL_FUTURE)) {
		if (getrlimit(RLIMIT_MEMLOCK, &limit) || limit.rlim_cur == RLIM_INFINITY ||
		    !geteuid())
			return 0;
		munlockall();
	}
	return mlockall(MCL_CURRENT) ? -errno : 0;
}

/* "irq/25-s-name" is the secondary thread of a forced-threaded pair. */
static bool is_irq_thread(const char *comm, const char *prefix)
{
	size_t len = strlen(prefix);

	return !strncmp(comm, prefix, len) && strncmp(comm + len, "s-", 2);
}

static bool is_realtime(pid_t tid)
{
	int policy = sched_getscheduler(tid);

	return policy == SCHED_FIFO || policy == SCHED_RR;
}

int sched_read_thread(struct sched_thread *t, pid_t tid)
{
	struct sched_param param;

	t->tid = 0;
	t->priority = 0;
	if (tid <= 0 || sched_getparam(tid, &param))
		return -ENOENT;
	t->tid = tid;
	if (is_realtime(tid))
		t->priority = param.sched_priority;
	return 0;
}

int sched_find_thread(struct sched_thread *t, const char *name)
{
	return sched_read_thread(t, proc_find("/proc", proc_is_named, name));
}

int sched_find_irq_thread(struct sched_thread *t, unsigned int irq)
{
	struct timespec pause = { .tv_nsec = 1000000 };
	char prefix[32];
	pid_t tid = 0;
	int looks;

	snprintf(prefix, sizeof(prefix), "irq/%u-", irq);
	if (irq)
		tid = proc_find("/proc", is_irq_thread, prefix);
	/*
	 * Old kernels (6.1) let the new thread itself take its priority, some time after
	 * request_irq() has returned, over whatever was set before.
	 */
	for (looks = 0; tid && looks < SETTLE_MS && !is_realtime(tid); looks++)
		nanosleep(&pause, NULL);
	return sched_read_thread(t, tid);
}

int sched_set_fifo(pid_t tid, int priority, const char *what, struct reason *why)
{
	struct sched_param param = { .sched_priority = priority };

	if (sched_setscheduler(tid, SCHED_FIFO, &param))
		return reason_set(why, -errno, "priority %d for %s (thread %d): %s", priority, what,
				  tid, strerror(errno));
	return 0;
}

int sched_send(pid_t tid, int cpu, const char *what, struct reason *why)
{
	size_t size = CPU_ALLOC_SIZE(CPULIST_MAX);
	cpu_set_t *set = CPU_ALLOC(CPULIST_MAX);
	int ret = 0;

	if (!set)
		return -ENOMEM;
	CPU_ZERO_S(size, set);
	CPU_SET_S(cpu, size, set);
	if (sched_setaffinity(tid, size, set))
		ret = reason_set(why, -errno, "sending %s (thread %d) to CPU %d: %s", what, tid, cpu,
				 strerror(errno));
	CPU_FREE(set);
	return ret;
}
