// SPDX-License-Identifier: GPL-2.0-only
/*
 * inject BDF COUNT: MSILAT_OP_INJECT on every vector of any PCI function, under every strategy.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "check.h"
#include "strategy.h"
#include "vmark.h"

#define VECTORS 4
#define PATIENCE_MS 60000

static struct vdev device, *dev = &device;
static uint32_t irq_index, vectors;
static unsigned int count;
static int fds[VECTORS];

static int inject(uint32_t vector, struct msilat_inject *out)
{
	struct msilat_ctl ctl = { .inject.vector = vector };
	int ret = vdev_ctl(dev, MSILAT_OP_INJECT, &ctl);

	if (out)
		*out = ctl.inject;
	return ret;
}

/* A vector's record number @n in one of the rings; it has been published. */
static const void *record(uint32_t vector, uint32_t ring, size_t size, uint64_t n)
{
	const char *block = (const char *)dev->region + dev->region->vector_offset +
			    (size_t)vector * dev->region->vector_stride;

	return block + ring + (n & (dev->region->ring_records - 1)) * size;
}

/* Waits until the interrupt has been delivered; false when it is not within a minute. */
static bool delivered(uint32_t vector, uint64_t signals)
{
	unsigned int n;

	for (n = 0; n < PATIENCE_MS; n++) {
		if (vdev_counters(dev, vector).signals >= signals)
			return true;
		usleep(1000);
	}
	return false;
}

struct tally {
	uint64_t delivered;
	uint64_t busy;
	uint64_t bad_sequence;
	uint64_t bad_stamps;
	uint64_t seen;
};

/* sent before the isr stamp, where there is one, before the signal stamp of the same event. */
static bool stamps_in_order(uint32_t vector, uint64_t sent)
{
	struct msilat_counters c = vdev_counters(dev, vector);
	const struct msilat_delivery *d =
		record(vector, dev->region->delivery_offset, sizeof(*d),
		       c.signals + c.catchups - 1);
	const struct msilat_isr *i;

	if (d->last_isr == ~0ull)
		return sent < d->signal && (!d->thread || sent < d->thread);
	i = record(vector, dev->region->isr_offset, sizeof(*i), d->last_isr);
	return d->first_isr == d->last_isr && sent < i->isr && i->isr < d->signal;
}

static void inject_often(uint32_t vector, struct tally *t)
{
	struct msilat_counters before = vdev_counters(dev, vector);
	struct msilat_inject in;
	unsigned int n;
	int ret;

	for (n = 1; n <= count; n++) {
		do {
			ret = inject(vector, &in);
			t->busy += ret == -EBUSY;
		} while (ret == -EBUSY);
		if (ret)
			check_die("injecting into vector %u: %d", vector, ret);
		t->delivered += delivered(vector, before.signals + n);
		t->bad_sequence += in.sequence != before.injected + n;
		t->bad_stamps += !stamps_in_order(vector, in.sent);
		t->seen += vdev_drain(fds[vector]);
	}
}

/* How often a Linux IRQ has been taken on a CPU, as /proc/interrupts has it. */
static long taken_on(uint32_t irq, int cpu)
{
	FILE *file = fopen("/proc/interrupts", "r");
	char line[1024], *at;
	long taken = -1;
	int i;

	while (file && taken < 0 && fgets(line, sizeof(line), file)) {
		if (strtoul(line, &at, 10) != irq || *at != ':')
			continue;
		for (i = 0, at++; i <= cpu; i++)
			taken = strtol(at, &at, 10);
	}
	if (file)
		fclose(file);
	return taken;
}

static void bind_irq(uint32_t irq, int cpu)
{
	char path[64];
	FILE *file;

	snprintf(path, sizeof(path), "/proc/irq/%u/smp_affinity_list", irq);
	file = fopen(path, "w");
	if (!file || fprintf(file, "%d\n", cpu) < 0 || fclose(file))
		check_die("%s", path);
}

static void under(uint32_t strategy, uint32_t flags, const char *name)
{
	bool eventfd = !(flags & MSILAT_SELECT_NO_EVENTFD);
	int cpu, cpus = (int)sysconf(_SC_NPROCESSORS_ONLN);
	struct msilat_counters before, after;
	uint64_t signals;
	uint32_t vector;
	long here;

	check_is(vmark_select(dev, strategy, flags), 0, "%s: selected", name);
	for (vector = 0; vector < vectors; vector++) {
		struct tally t = { 0 };

		vdev_settle(20000);
		vdev_drain(fds[vector]);
		before = vdev_counters(dev, vector);
		cpu = (int)vector % cpus;
		bind_irq(before.irq, cpu);
		here = taken_on(before.irq, cpu);
		inject_often(vector, &t);
		vdev_settle(20000);
		t.seen += vdev_drain(fds[vector]);
		after = vdev_counters(dev, vector);
		here = taken_on(before.irq, cpu) - here;
		check_is((long long)(after.injected - before.injected), count,
			 "%s: vector %u: injected", name, vector);
		check_is((long long)t.delivered, count, "%s: vector %u: delivered", name, vector);
		/* Beside another wake, eventfd signals may merge. */
		signals = eventfd && strategy_has_alone(strategy) ?
			  after.eventfds - before.eventfds : eventfd ? count : 0;
		check_is((long long)t.seen, (long long)signals, "%s: vector %u: eventfd signals",
			 name, vector);
		check_is((long long)(after.signals - before.signals), count,
			 "%s: vector %u: signals counted", name, vector);
		check_is((long long)t.bad_sequence, 0, "%s: vector %u: each has its number", name,
			 vector);
		check_is((long long)t.bad_stamps, 0, "%s: vector %u: sent before it was handled",
			 name, vector);
		check_is((long long)(after.resent - before.resent), 0,
			 "%s: vector %u: all in hard IRQ", name, vector);
		/* The first one after a change of affinity may still be taken where it was. */
		check(here >= count - 1 && here <= count,
		      "%s: vector %u: taken on CPU %d, to which it is bound (%ld of %u)", name,
		      vector, cpu, here, count);
		if (t.busy)
			check_note("%s: vector %u: busy %llu times", name, vector,
				   (unsigned long long)t.busy);
	}
}

/* Two vectors on one eventfd: what either signals arrives there. */
static void two_on_one(void)
{
	struct msilat_counters before[2], after[2];
	int both[2] = { fds[0], fds[0] };
	uint64_t sum = 0, signals;
	unsigned int n;

	if (vectors < 2)
		return;
	vdev_disarm(dev, irq_index);
	check_is(vdev_arm(dev, irq_index, 2, both), 0, "two vectors on one eventfd");
	vdev_drain(fds[0]);
	for (n = 0; n < 2; n++)
		before[n] = vdev_counters(dev, n);
	for (n = 0; n < 2 * count; n++) {
		while (inject(n % 2, NULL) == -EBUSY)
			;
		sum += vdev_drain(fds[0]);
	}
	vdev_settle(100000);
	sum += vdev_drain(fds[0]);
	for (n = 0; n < 2; n++) {
		after[n] = vdev_counters(dev, n);
		check_is((long long)(after[n].isr - before[n].isr), count,
			 "two on one: vector %u: each injection is a primary", n);
		check_is((long long)after[n].guarded, 0, "two on one: vector %u: none refused", n);
	}
	signals = after[0].signals - before[0].signals + after[1].signals - before[1].signals;
	check_is((long long)sum, (long long)signals, "two on one: all signals arrive there");
}

static void refusals(void)
{
	struct msilat_counters before;

	check_is(inject(vdev_query(dev).vectors, NULL), -EINVAL, "a vector the device has not got");
	check_is(inject(~0u, NULL), -EINVAL, "the last vector there could be");
	before = vdev_counters(dev, 0);
	vdev_disarm(dev, irq_index);
	check_is(inject(0, NULL), -EINVAL, "a vector that is not armed");
	check_is((long long)vdev_counters(dev, 0).injected, (long long)before.injected,
		 "refused, it is not counted");
	if (vdev_arm(dev, irq_index, vectors, fds))
		check_die("arming");
}

static void find_vectors(void)
{
	struct vfio_irq_info info;

	irq_index = VDEV_MSIX;
	if (vdev_irq_info(dev, irq_index, &info) || !info.count)
		irq_index = VDEV_MSI;
	if (vdev_irq_info(dev, irq_index, &info) || !info.count)
		check_die("%s: no vectors", dev->bdf);
	vectors = info.count < VECTORS ? info.count : VECTORS;
}

int main(int argc, char **argv)
{
	unsigned int i;

	if (argc < 3 || vdev_open(dev, argv[1]))
		check_die("usage: inject BDF COUNT");
	count = (unsigned int)atoi(argv[2]);
	vdev_map_region(dev);
	find_vectors();
	for (i = 0; i < vectors; i++)
		fds[i] = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
	if (vdev_arm(dev, irq_index, vectors, fds))
		check_die("arming");
	refusals();
	vmark_strategies(dev, under);
	vdev_select(dev, MSILAT_STRATEGY_SPLIT, NULL);
	two_on_one();
	vdev_close(dev);
	return check_done();
}
