// SPDX-License-Identifier: GPL-2.0-only
/*
 * markcost BDF COUNT: what marks cost on edu, in exact mode: the shortest path from the store that
 * fires to a FIFO 40 poller in read(), in instructions, with and without them. Strategy split, for
 * it has all three stages.
 */
#include <linux/pci_regs.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>
#include <x86intrin.h>

#include "check.h"
#include "edu.h"
#include "vmark.h"

#define EDU_LIVENESS 0x04
#define POLLER_PRIORITY 40
#define BUDGET 30	/* instructions beyond the write itself */
#define DISARMED 20	/* of a mark that is programmed but not armed */

static struct vdev device;
static volatile uint64_t sent, best;
static uint64_t best_isr;
static int efd;

static void *poll_events(void *arg)
{
	uint64_t value, user;

	(void)arg;
	while (read(efd, &value, sizeof(value)) == sizeof(value)) {
		_mm_lfence();
		user = __rdtsc() - sent;
		if (user < best)
			best = user;
	}
	return NULL;
}

/* Stamp of the last primary; nothing is coming. */
static uint64_t last_isr(void)
{
	const struct msilat_vector *block = (const void *)((const char *)device.region +
							   device.region->vector_offset);
	const struct msilat_isr *ring = (const void *)((const char *)block +
						       device.region->isr_offset);

	return ring[(block->isr_head - 1) & (device.region->ring_records - 1)].isr;
}

/* The shortest path to the poller; that to the stamp of the primary goes to best_isr. */
static long shortest(long count)
{
	const struct timespec pause = { .tv_nsec = 1000000 };

	best = UINT64_MAX;
	best_isr = UINT64_MAX;
	for (; count; count--) {
		nanosleep(&pause, NULL);
		_mm_lfence();
		sent = __rdtsc();
		edu_fire(&device);
		nanosleep(&pause, NULL);
		if (last_isr() - sent < best_isr)
			best_isr = last_isr() - sent;
	}
	return (long)best;
}

static void arm(unsigned int stage)
{
	struct msilat_mark mark = vmark_at(stage, EDU_LIVENESS, 1);

	if (vmark_set(&device, &mark, NULL))
		check_die("MSILAT_OP_MARK");
}

static void start_poller(void)
{
	struct sched_param param = { .sched_priority = POLLER_PRIORITY };
	pthread_attr_t attr;
	pthread_t thread;

	pthread_attr_init(&attr);
	pthread_attr_setinheritsched(&attr, PTHREAD_EXPLICIT_SCHED);
	pthread_attr_setschedpolicy(&attr, SCHED_FIFO);
	pthread_attr_setschedparam(&attr, &param);
	if (pthread_create(&thread, &attr, poll_events, NULL))
		check_die("poller");
}

int main(int argc, char **argv)
{
	long count = argc > 2 ? atol(argv[2]) : 0, bare, isr, with;
	unsigned int stage;
	uint64_t before;

	if (!count || vdev_open(&device, argv[1]))
		check_die("usage: markcost BDF COUNT");
	vdev_map_region(&device);
	efd = eventfd(0, EFD_CLOEXEC);
	if (vdev_arm(&device, VDEV_MSI, 1, &efd) ||
	    vdev_select(&device, MSILAT_STRATEGY_SPLIT, NULL))
		check_die("arming");
	start_poller();
	shortest(count);
	bare = shortest(count);
	isr = (long)best_isr;
	check_note("no mark: %ld instructions, %ld to the stamp of the primary", bare, isr);
	for (stage = 0; stage < MSILAT_STAGES; stage++) {
		before = vmark_count(&device);
		arm(stage);
		with = shortest(count) - bare;
		check_is((long long)(vmark_count(&device) - before), count,
			 "the mark of stage %s is written at each event", vmark_stages[stage]);
		check(with > 1 && with <= BUDGET + 1,
		      "stage %s: it costs %ld instructions and the write", vmark_stages[stage],
		      with - 1);
		check_note("stage %s: the primary's stamp is %ld later", vmark_stages[stage],
			   (long)best_isr - isr);
		vdev_set_config16(&device, PCI_COMMAND, vdev_config16(&device, PCI_COMMAND));
		with = shortest(count) - bare;
		check(with <= DISARMED, "stage %s: disarmed, it costs %ld", vmark_stages[stage],
		      with);
		vmark_clear(&device, stage);
		check_is(shortest(count), bare, "stage %s: cleared, the path is what it was",
			 vmark_stages[stage]);
	}
	return check_done();
}
