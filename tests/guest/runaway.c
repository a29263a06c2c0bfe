// SPDX-License-Identifier: GPL-2.0-only
/*
 * runaway BDF doorbell: marks that ring the doorbell, from every stage and strategy, are stopped.
 * runaway BDF busy: many interrupts that are no runaway, under every strategy.
 *
 * On edu: a store to register 0x60 sends the interrupt.
 */
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "card.h"
#include "check.h"
#include "edu.h"
#include "vmark.h"

#define EDU_LIVENESS 0x04
#define LIMIT 4096	/* kmod/guard.h */
#define MANY (LIMIT * 3 / 2)

static struct card card;
static struct vdev *dev = &card.dev;
static int efd;

static void fire(void)
{
	uint64_t before = vmark_signals(dev);

	edu_fire(dev);
	vmark_handled(dev, before);
	vdev_drain(efd);
}

/* Waits, on what CPU time is left, for the guard; false if it has not come after 20 s. */
static bool wait_disarmed(uint32_t generation)
{
	unsigned int n;

	for (n = 0; n < 1000 && vmark_generation(dev) == generation; n++)
		usleep(20000);
	return vmark_generation(dev) != generation;
}

/*
 * kthread's thread consumes what its own mark raised before it looks for more work, so this one
 * comes to rest by itself.
 */
static bool rests(uint32_t strategy, unsigned int stage)
{
	return strategy == MSILAT_STRATEGY_KTHREAD && stage == MSILAT_STAGE_THREAD;
}

static void doorbell(uint32_t strategy, unsigned int stage, const char *name)
{
	struct msilat_mark mark = vmark_at(stage, EDU_LIVENESS, 1);
	struct msilat_counters before, after;
	uint32_t generation;

	/* Is there such a stage? */
	vmark_set(dev, &mark, NULL);
	before = vdev_counters(dev, 0);
	fire();
	if (vmark_count(dev) == before.marks) {
		vmark_clear(dev, stage);
		return;
	}

	mark.offset = EDU_RAISE;
	check_is(vmark_set(dev, &mark, &generation), 0, "%s, %s: the mark is the doorbell", name,
		 vmark_stages[stage]);
	before = vdev_counters(dev, 0);
	edu_fire(dev);
	if (rests(strategy, stage)) {
		vmark_handled(dev, before.signals);
		check(vmark_count(dev) - before.marks < 10, "%s, %s: it comes to rest", name,
		      vmark_stages[stage]);
		vmark_clear(dev, stage);
		return;
	}
	if (!check(wait_disarmed(generation), "%s, %s: it is disarmed", name, vmark_stages[stage]))
		vmark_clear(dev, stage);
	vmark_settle(dev);
	after = vdev_counters(dev, 0);
	check_is((long long)(after.mark_runaways - before.mark_runaways), 1,
		 "%s, %s: and counted", name, vmark_stages[stage]);
	check_is(vmark_generation(dev), generation + 1, "%s, %s: and shown", name,
		 vmark_stages[stage]);
	check(after.marks - before.marks > LIMIT, "%s, %s: not too early, after %llu writes", name,
	      vmark_stages[stage], (unsigned long long)(after.marks - before.marks));

	fire();
	check_is((long long)(vmark_count(dev) - after.marks), 0,
		 "%s, %s: it is not written any more", name, vmark_stages[stage]);
	mark.offset = EDU_LIVENESS;
	check_is(vmark_set(dev, &mark, &generation), 0, "%s, %s: a good mark can be armed", name,
		 vmark_stages[stage]);
	check_is(generation, vmark_generation(dev), "%s, %s: with the new generation", name,
		 vmark_stages[stage]);
	fire();
	check_is((long long)(vmark_count(dev) - after.marks), 1, "%s, %s: and is written", name,
		 vmark_stages[stage]);
	vmark_clear(dev, stage);
}

static void runaway_under(uint32_t strategy, uint32_t flags, const char *name)
{
	unsigned int stage;

	check_is(vmark_select(dev, strategy, flags), 0, "%s: selected", name);
	vmark_settle(dev);
	for (stage = 0; stage < MSILAT_STAGES; stage++)
		doorbell(strategy, stage, name);
}

static void bind_to(uint32_t irq, int cpu)
{
	cpu_set_t others;
	char path[64];
	FILE *file;
	int i;

	CPU_ZERO(&others);
	for (i = 0; i < sysconf(_SC_NPROCESSORS_ONLN); i++)
		if (i != cpu)
			CPU_SET(i, &others);
	snprintf(path, sizeof(path), "/proc/irq/%u/smp_affinity_list", irq);
	file = fopen(path, "w");
	if (!file || fprintf(file, "%d\n", cpu) < 0 || fclose(file) ||
	    sched_setaffinity(0, sizeof(others), &others))
		check_die("%s", path);
}

/* Sixteen at a time, as fast as they can be stored, until so many have not merged. */
static void fire_in_bursts(unsigned int count)
{
	uint64_t before = vmark_count(dev);
	unsigned int bursts, n;

	for (bursts = 0; bursts < 100 * count && vmark_count(dev) - before < count; bursts++) {
		for (n = 0; n < 16; n++)
			edu_fire(dev);
		usleep(1);
	}
}

/* Each when the one before has been handled, and its CPU has had time to fall asleep again. */
static void fire_in_turn(unsigned int count)
{
	const struct msilat_vector *block = (const void *)((const char *)dev->region +
							   dev->region->vector_offset);
	uint64_t head, patience;

	while (count--) {
		head = __atomic_load_n(&block->delivery_head, __ATOMIC_ACQUIRE);
		edu_fire(dev);
		for (patience = 0; patience < 100000000 &&
		     __atomic_load_n(&block->delivery_head, __ATOMIC_ACQUIRE) == head; patience++)
			;
		for (patience = 0; patience < 20000; patience++)
			__asm__ volatile("");
	}
}

static void no_runaway(void (*volley)(unsigned int), const char *name, const char *how)
{
	struct msilat_mark mark = vmark_at(MSILAT_STAGE_SIGNAL, EDU_LIVENESS, 1);
	struct msilat_counters before, after;
	uint32_t generation;

	vmark_settle(dev);
	vmark_set(dev, &mark, &generation);
	before = vdev_counters(dev, 0);
	volley(MANY);
	vmark_settle(dev);
	after = vdev_counters(dev, 0);
	check(after.marks - before.marks > LIMIT, "%s, %s: the mark is written %llu times", name,
	      how, (unsigned long long)(after.marks - before.marks));
	check_is((long long)(after.mark_runaways - before.mark_runaways), 0,
		 "%s, %s: none is taken for a runaway", name, how);
	check_is(vmark_generation(dev), generation, "%s, %s: the mark is still armed", name, how);
	vmark_clear(dev, MSILAT_STAGE_SIGNAL);
}

/* Many interrupts in a row: at one CPU with this program, and at a CPU that sleeps in between. */
static void busy_under(uint32_t strategy, uint32_t flags, const char *name)
{
	cpu_set_t all;

	check_is(vmark_select(dev, strategy, flags), 0, "%s: selected", name);
	no_runaway(fire_in_bursts, name, "in bursts");
	if (sysconf(_SC_NPROCESSORS_ONLN) < 2)
		return;
	sched_getaffinity(0, sizeof(all), &all);
	bind_to(vdev_counters(dev, 0).irq, 0);
	no_runaway(fire_in_turn, name, "at an idle CPU");
	sched_setaffinity(0, sizeof(all), &all);
}

int main(int argc, char **argv)
{
	if (argc < 3 || card_open(&card, argv[1]) || !card.edu)
		check_die("usage: runaway BDF doorbell|busy, of an edu");
	vdev_map_region(dev);
	efd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
	if (vdev_arm(dev, card.index, 1, &efd))
		check_die("arming");
	card_prepare(&card);
	if (!strcmp(argv[2], "doorbell"))
		vmark_strategies(dev, runaway_under);
	else if (!strcmp(argv[2], "busy"))
		vmark_strategies(dev, busy_under);
	else
		check_die("%s: what is that?", argv[2]);
	card_close(&card);
	return check_done();
}
