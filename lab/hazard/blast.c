// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

#include "blast.h"
#include "channel.h"
#include "check.h"
#include "complaint.h"

#define READER_CPU 0
#define READER_PRIORITY 40
#define PAUSE_NS_MAX 60000
#define SETTLE_US 200000
#define STOP (1ull << 40)	/* what ends the reader: more than all events together */

static _Atomic uint64_t blast_count;
static _Atomic uint64_t blast_values;
static pthread_t blast_raisers[BLAST_VECTORS];
static pthread_t blast_reader;

/* struct raiser - what a thread that raises needs */
static struct raiser {
	struct blast *blast;
	unsigned int cpu;
	uint32_t random;
} blast_arguments[BLAST_VECTORS];

static void start(pthread_t *thread, int cpu, int priority, void *(*function)(void *), void *arg)
{
	const struct sched_param param = { .sched_priority = priority };
	pthread_attr_t attr;
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	pthread_attr_init(&attr);
	pthread_attr_setaffinity_np(&attr, sizeof(set), &set);
	pthread_attr_setinheritsched(&attr, PTHREAD_EXPLICIT_SCHED);
	pthread_attr_setschedpolicy(&attr, priority ? SCHED_FIFO : SCHED_OTHER);
	pthread_attr_setschedparam(&attr, &param);
	errno = pthread_create(thread, &attr, function, arg);
	if (errno)
		check_die("a thread on CPU %d at priority %d", cpu, priority);
	pthread_attr_destroy(&attr);
}

static void *reader(void *arg)
{
	const struct blast *b = arg;
	uint64_t value;

	while (read(b->fd, &value, sizeof(value)) == sizeof(value) && value < STOP)
		atomic_fetch_add(&blast_values, value);
	/* Events may have come together with the word to stop. */
	atomic_fetch_add(&blast_values, value % STOP);
	return NULL;
}

static void bind_interrupt(struct blast *b, unsigned int vector, unsigned int cpu)
{
	uint32_t irq = vdev_counters(&b->card->dev, vector).irq;
	char path[64];
	int fd;

	snprintf(path, sizeof(path), "/proc/irq/%u/smp_affinity_list", irq);
	fd = open(path, O_WRONLY | O_CLOEXEC);
	if (fd < 0 || dprintf(fd, "%u\n", cpu) < 0)
		check_die("interrupt %u of vector %u on CPU %u", irq, vector, cpu);
	close(fd);
}

void blast_arm(struct blast *b)
{
	int fds[BLAST_VECTORS];
	unsigned int v;

	b->fd = eventfd(0, EFD_CLOEXEC);
	for (v = 0; v < BLAST_VECTORS; v++)
		fds[v] = b->fd;
	if (b->fd < 0 || vdev_arm(&b->card->dev, b->card->index, BLAST_VECTORS, fds))
		check_die("two vectors on one eventfd");
	for (v = 0; v < BLAST_VECTORS; v++)
		bind_interrupt(b, v, v);
	card_prepare(b->card);
	start(&blast_reader, READER_CPU, READER_PRIORITY, reader, b);
}

/* xorshift, as G. Marsaglia has it (Journal of Statistical Software 8, 2003). Never 0. */
static uint32_t next_random(uint32_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 17;
	*state ^= *state << 5;
	return *state;
}

static uint64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

/* Busy: a sleep would let go of the CPU, and come back in step with the timer. */
static void pause_ns(uint32_t ns)
{
	uint64_t end = now_ns() + ns;

	while (now_ns() < end)
		;
}

/* Takes one of those that are left; false when there is none or the kernel has complained. */
static bool take(const struct blast *b)
{
	uint64_t n = atomic_load(&blast_count);

	do {
		if (n >= b->count || complaint_made())
			return false;
	} while (!atomic_compare_exchange_weak(&blast_count, &n, n + 1));
	return true;
}

/* The vector's interrupt goes to its own CPU, whoever raises it. */
static void inject(struct blast *b, unsigned int vector)
{
	struct msilat_ctl ctl = { .inject.vector = vector };
	int ret;

	do {
		ret = vdev_ctl(&b->card->dev, MSILAT_OP_INJECT, &ctl);
	} while (ret == -EBUSY && !complaint_made());
	if (ret && ret != -EBUSY) {
		errno = -ret;
		check_die("inject into vector %u", vector);
	}
}

/* Each raises the vector of the other's CPU: it is not itself what its interrupt interrupts. */
static void *raiser(void *arg)
{
	struct raiser *r = arg;
	unsigned int vector = (r->cpu + 1) % BLAST_VECTORS;

	while (take(r->blast)) {
		channel_mark((char)('0' + vector));
		if (r->blast->inject)
			inject(r->blast, vector);
		else
			card_fire(r->blast->card, vector);
		pause_ns(next_random(&r->random) % PAUSE_NS_MAX);
	}
	return NULL;
}

void blast_raise(struct blast *b)
{
	unsigned int i;

	for (i = 0; i < BLAST_VECTORS; i++) {
		blast_arguments[i] = (struct raiser){ .blast = b, .cpu = i,
						      .random = b->seed * 2 + i + 1 };
		start(&blast_raisers[i], (int)i, 0, raiser, &blast_arguments[i]);
	}
}

uint64_t blast_raised(void)
{
	return atomic_load(&blast_count);
}

bool blast_going(const struct blast *b)
{
	return blast_raised() < b->count && !complaint_made();
}

uint64_t blast_finish(struct blast *b)
{
	unsigned int i;

	for (i = 0; i < BLAST_VECTORS; i++)
		pthread_join(blast_raisers[i], NULL);
	usleep(SETTLE_US);
	if (eventfd_write(b->fd, STOP))
		check_die("eventfd");
	pthread_join(blast_reader, NULL);
	return atomic_load(&blast_values);
}
