// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "clock.h"
#include "contender.h"
#include "sched.h"

#define WAKE_SIGNAL SIGUSR1	/* ends a system call of the contender's thread */
#define WAKE_NS 200000
#define WORK_NS 200000		/* of a real-time contender, before it rests as long */
#define START_NS 10000000000ull	/* until its first operation: then its CPU is not to be had */

static const struct contender_ops *const kinds[] = {
	&contender_poll,
	&contender_epoll,
	&contender_reader,
	&contender_vector,
	&contender_irqfd,
};

const struct contender_ops *contender_at(unsigned int i)
{
	return i < sizeof(kinds) / sizeof(kinds[0]) ? kinds[i] : NULL;
}

const struct contender_ops *contender_find(const char *name)
{
	const struct contender_ops *ops;
	unsigned int i;

	for (i = 0; (ops = contender_at(i)); i++)
		if (!strcmp(ops->name, name))
			return ops;
	return NULL;
}

static void nothing(int number)
{
	(void)number;
}

static void catch_wakes(void)
{
	struct sigaction action = { .sa_handler = nothing };

	sigaction(WAKE_SIGNAL, &action, NULL);
}

/* A contender that is real-time must not keep others from running for ever. */
static void rest(const struct contender *c, uint64_t *since)
{
	struct timespec pause = { .tv_nsec = WORK_NS };

	if (!c->priority || clock_monotonic() - *since < WORK_NS)
		return;
	nanosleep(&pause, NULL);
	*since = clock_monotonic();
}

static void *contender_main(void *arg)
{
	struct contender *c = arg;
	uint64_t since = clock_monotonic();
	int n;

	while (!atomic_load_explicit(&c->stop, memory_order_relaxed)) {
		n = c->ops->step(c);
		if (n < 0) {
			atomic_store(&c->error, n);
			break;
		}
		atomic_fetch_add_explicit(&c->operations, (uint64_t)n, memory_order_relaxed);
		rest(c, &since);
	}
	atomic_store(&c->finished, 1);
	return NULL;
}

/* Otherwise a short run might be over before a contender of low priority has had its CPU once. */
static int await_first(struct contender *c, struct reason *why)
{
	struct timespec pause = { .tv_nsec = WAKE_NS };
	uint64_t began = clock_monotonic();

	if (c->ops->waits)
		return 0;
	while (!atomic_load(&c->operations) && !atomic_load(&c->finished)) {
		if (clock_monotonic() - began > START_NS)
			return reason_set(why, -ETIMEDOUT,
					  "contender %s did nothing within %d s: CPU %d leaves it no time; use --contender-prio",
					  c->ops->name, (int)(START_NS / 1000000000), c->cpu);
		nanosleep(&pause, NULL);
	}
	return 0;
}

int contender_start(struct contender *c, struct reason *why)
{
	const struct sched_want want = {
		.name = CONTENDER_THREAD,
		.priority = c->priority,
		.cpu = c->cpu,
	};
	int ret, i;

	for (i = 0; i < CONTENDER_FDS; i++)
		c->fd[i] = -1;
	ret = c->ops->open ? c->ops->open(c, why) : 0;
	if (ret)
		return ret;
	catch_wakes();
	ret = sched_start(&c->thread, &want, contender_main, c, why);
	if (ret)
		goto close;
	ret = await_first(c, why);
	if (ret)
		contender_stop(c);
	return ret;

close:
	if (c->ops->close)
		c->ops->close(c);
	return ret;
}

void contender_stop(struct contender *c)
{
	struct timespec pause = { .tv_nsec = WAKE_NS };

	atomic_store(&c->stop, 1);
	/* A signal may come just before the call that it is to end: repeat it. */
	while (!atomic_load(&c->finished)) {
		pthread_kill(c->thread, WAKE_SIGNAL);
		nanosleep(&pause, NULL);
	}
	pthread_join(c->thread, NULL);
	if (c->ops->close)
		c->ops->close(c);
}
