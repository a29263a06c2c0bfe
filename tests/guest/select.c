// SPDX-License-Identifier: GPL-2.0-only
/*
 * select BDF: what uapi/msilat.h promises about the flags of MSILAT_OP_STRATEGY, what the header
 * shows of a selection, the counter that strategy page publishes, and the threads that
 * msilat_counters names.
 */
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "card.h"
#include "check.h"
#include "strategy.h"

#define EVENTS 20
#define SELECTIONS 5000
#define PATIENCE_MS 60000
#define SETTLE_US 50000
#define ALONE MSILAT_SELECT_NO_EVENTFD

static struct card card;
static struct vdev *dev = &card.dev;
static int fd;

static const struct msilat_vector *block(void)
{
	const struct msilat_region *r = dev->region;

	return (const void *)((const char *)r + r->vector_offset);
}

static uint64_t page_events(void)
{
	return __atomic_load_n(&block()->page_events, __ATOMIC_ACQUIRE);
}

static void fire(void)
{
	uint64_t signals = vdev_counters(dev, 0).signals;
	int ms;

	card_fire(&card, 0);
	for (ms = 0; vdev_counters(dev, 0).signals == signals; ms++) {
		if (ms == PATIENCE_MS)
			check_die("an event does not arrive");
		usleep(1000);
	}
}

static void arm(uint32_t strategy, uint32_t flags)
{
	if (vdev_select_with(dev, strategy, flags, NULL) || vdev_arm(dev, card.index, 1, &fd))
		check_die("arming under %s", strategy_name(strategy));
	card_prepare(&card);
	vdev_drain(fd);
}

/* --- flags ----------------------------------------------------------------------------------- */

/* Query and header agree about what is in force. */
static void in_force(uint32_t strategy, uint32_t flags, uint32_t generation, const char *why)
{
	struct msilat_query q = vdev_query(dev);
	const struct msilat_region *r = dev->region;

	check(q.strategy == strategy && q.select_flags == flags && q.generation == generation,
	      "%s: query tells strategy, flags and generation", why);
	check(r->strategy == strategy && r->select_flags == flags && r->generation == generation,
	      "%s: so does the header", why);
}

static void refused(uint32_t strategy, uint32_t flags)
{
	check_is(vdev_select_with(dev, strategy, flags, NULL), -EINVAL, "%s with flags %#x",
		 strategy_name(strategy), flags);
}

static void flags_taken(void)
{
	uint32_t g = vdev_query(dev).generation, s, bit;
	struct msilat_select out;

	in_force(MSILAT_STRATEGY_THREAD, 0, g, "after opening");
	check_is(vdev_select_with(dev, MSILAT_STRATEGY_DIRECT, ALONE, &out), 0, "direct alone");
	check_is(out.generation, g + 1, "direct alone: a new generation");
	in_force(MSILAT_STRATEGY_DIRECT, ALONE, g + 1, "direct alone");
	for (s = MSILAT_STRATEGY_THREAD; s < STRATEGIES; s++) {
		if (!strategy_has_alone(s))
			refused(s, ALONE);
		for (bit = 2; bit; bit <<= 1)
			if (vdev_select_with(dev, s, bit, NULL) != -EINVAL)
				break;
		check_is(bit, 0, "%s: no flag but one is known", strategy_name(s));
		refused(s, ~0u);
	}
	in_force(MSILAT_STRATEGY_DIRECT, ALONE, g + 1, "after all refusals");
	check_is(vdev_select(dev, MSILAT_STRATEGY_DIRECT, NULL), 0, "direct without flags");
	in_force(MSILAT_STRATEGY_DIRECT, 0, g + 2, "the flag is gone with the next selection");
}

static atomic_bool selecting;
static atomic_ulong pairs_seen, pairs_wrong;

/* Even generations are split's, odd ones direct's. */
static uint32_t strategy_of(uint32_t generation)
{
	return generation % 2 ? MSILAT_STRATEGY_DIRECT : MSILAT_STRATEGY_SPLIT;
}

static void select_of(uint32_t generation)
{
	if (vdev_select(dev, strategy_of(generation), NULL))
		check_die("selecting");
}

static void *read_pairs(void *arg)
{
	struct msilat_region r;
	uint32_t last = 0;

	(void)arg;
	while (atomic_load(&selecting)) {
		r.in_force = __atomic_load_n(&dev->region->in_force, __ATOMIC_ACQUIRE);
		if (r.generation == last)
			continue;
		last = r.generation;
		pairs_seen++;
		pairs_wrong += r.strategy != strategy_of(last);
	}
	return NULL;
}

/* Who reads generation and strategy at once gets a pair that belongs together. */
static void pairs(void)
{
	uint32_t g = vdev_query(dev).generation, end = g + SELECTIONS;
	pthread_t reader;

	select_of(++g);
	atomic_store(&selecting, true);
	if (pthread_create(&reader, NULL, read_pairs, NULL))
		check_die("reader");
	while (g != end)
		select_of(++g);
	atomic_store(&selecting, false);
	pthread_join(reader, NULL);
	check(pairs_seen > 100, "%lu generations seen to change", pairs_seen);
	check_is((long long)pairs_wrong, 0, "none with another one's strategy");
}

/* With the flag interrupts leave the eventfd alone, without it each arrives. */
static void eventfd_or_not(uint32_t strategy, uint32_t flags)
{
	const char *name = strategy_name(strategy), *how = flags ? " alone" : "";
	struct msilat_counters a, b;
	uint64_t values = 0;
	int i;

	arm(strategy, flags);
	a = vdev_counters(dev, 0);
	for (i = 0; i < EVENTS; i++) {
		fire();
		values += vdev_await(fd, flags ? 0 : PATIENCE_MS);
	}
	if (flags)
		vdev_settle(SETTLE_US);
	values += vdev_drain(fd);
	b = vdev_counters(dev, 0);
	check_is((long long)(b.signals - a.signals), EVENTS, "%s%s: signals", name, how);
	check_is((long long)values, flags ? 0 : EVENTS, "%s%s: what the eventfd gets", name, how);
	check_is((long long)(b.eventfds - a.eventfds), flags ? 0 : EVENTS, "%s%s: counted", name,
		 how);
	vdev_set_irqs(dev, card.index, VDEV_NONE, 0, 1, NULL);
	check_is((long long)vdev_drain(fd), 1, "%s%s: a loopback reaches the eventfd", name, how);
	vdev_select_with(dev, strategy, flags, NULL);
	check_is((long long)vdev_drain(fd), 1, "%s%s: so does a catch-up", name, how);
	vdev_disarm(dev, card.index);
}

/* --- page ------------------------------------------------------------------------------------ */

/* Who sees an event counted finds its record. Returns the number of events that were not so. */
static unsigned int fire_and_spin(void)
{
	const struct msilat_region *r = dev->region;
	const struct msilat_delivery *ring =
		(const void *)((const char *)block() + r->delivery_offset);
	unsigned int i, bad = 0;

	for (i = 0; i < EVENTS; i++) {
		uint64_t seen = page_events(), n = block()->delivery_head;
		const volatile struct msilat_delivery *d = &ring[n & (r->ring_records - 1)];

		card_fire(&card, 0);
		while (page_events() == seen)
			;
		bad += page_events() != seen + 1 || d->seq != n + 1 || d->flags || d->thread ||
		       !d->signal || d->first_isr != d->last_isr;
	}
	return bad;
}

static void page(uint32_t flags)
{
	const char *name = flags ? "page alone" : "page";
	uint8_t on = 1, off = 0;
	uint64_t n;

	arm(MSILAT_STRATEGY_PAGE, flags);
	n = page_events();
	check_is(fire_and_spin(), 0, "%s: each event is counted once, its record before it", name);
	check_is((long long)(page_events() - n), EVENTS, "%s: and nothing else is", name);
	vdev_set_irqs(dev, card.index, VDEV_NONE, 0, 1, NULL);
	check_is((long long)(page_events() - n), EVENTS + 1, "%s: a loopback counts", name);
	vdev_set_irqs(dev, card.index, VDEV_BOOL, 0, 1, &on);
	vdev_set_irqs(dev, card.index, VDEV_BOOL, 0, 1, &off);
	check_is((long long)(page_events() - n), EVENTS + 2, "%s: one by DATA_BOOL too", name);
	vdev_select_with(dev, MSILAT_STRATEGY_PAGE, flags, NULL);
	check_is((long long)(page_events() - n), EVENTS + 3, "%s: a catch-up counts", name);
	check_is(fire_and_spin(), 0, "%s: and goes on after a re-arm", name);
	vdev_disarm(dev, card.index);
}

/* The counter is the device's from open to close: other strategies neither use nor clear it. */
static void page_alone_counts(uint32_t strategy)
{
	uint64_t n = page_events();

	arm(strategy, 0);
	fire();
	vdev_set_irqs(dev, card.index, VDEV_NONE, 0, 1, NULL);
	vdev_select(dev, strategy, NULL);
	check_is((long long)(page_events() - n), 0, "%s: leaves the page's counter alone",
		 strategy_name(strategy));
	vdev_disarm(dev, card.index);
}

/* --- threads --------------------------------------------------------------------------------- */

/* The name of a thread; empty when there is none. */
static void comm_of(uint32_t tid, char comm[64])
{
	char path[64];
	FILE *f;

	comm[0] = 0;
	snprintf(path, sizeof(path), "/proc/%u/comm", tid);
	f = fopen(path, "re");
	if (!f)
		return;
	if (!fgets(comm, 64, f))
		comm[0] = 0;
	comm[strcspn(comm, "\n")] = 0;
	fclose(f);
}

static void priority_is(const char *name, uint32_t tid, int priority)
{
	struct sched_param param;

	check(sched_getscheduler((pid_t)tid) == SCHED_FIFO && !sched_getparam((pid_t)tid, &param) &&
	      param.sched_priority == priority, "%s: it is SCHED_FIFO %d", name, priority);
	param.sched_priority = priority + 1;
	check_is(sched_setparam((pid_t)tid, &param) ? -errno : 0, 0, "%s: which can be changed",
		 name);
	param.sched_priority = priority;
	sched_setparam((pid_t)tid, &param);
}

static void thread_of(uint32_t strategy, uint32_t flags, const char *prefix, int priority)
{
	const char *name = strategy_name(strategy);
	char comm[64], want[64];
	uint32_t tid;

	arm(strategy, flags);
	tid = vdev_counters(dev, 0).thread;
	check_is(!!tid, strategy == MSILAT_STRATEGY_KTHREAD, "%s: thread known before it has run",
		 name);
	fire();
	if (!flags)
		vdev_await(fd, 1000);
	tid = vdev_counters(dev, 0).thread;
	if (!prefix) {
		check_is(tid, 0, "%s alone: no thread", name);
		vdev_disarm(dev, card.index);
		return;
	}
	comm_of(tid, comm);
	snprintf(want, sizeof(want), strategy == MSILAT_STRATEGY_IRQWORK ? "%s" : "%s%u", prefix,
		 vdev_counters(dev, 0).irq);
	check(!strncmp(comm, want, strlen(want)), "%s: its thread is %s%s, \"%s\"", name, prefix,
	      strategy == MSILAT_STRATEGY_IRQWORK ? "" : "IRQ", comm);
	priority_is(name, tid, priority);
	vdev_disarm(dev, card.index);
	check_is(vdev_counters(dev, 0).thread, 0, "%s: none when disarmed", name);
	if (strategy != MSILAT_STRATEGY_IRQWORK)
		check_is(kill((pid_t)tid, 0) ? errno : 0, ESRCH, "%s: the thread has gone", name);
}

/* The kthread starts where the interrupt arrives, and people may move it. */
static void kthread_moves(void)
{
	cpu_set_t set, first;
	uint32_t tid;

	arm(MSILAT_STRATEGY_KTHREAD, 0);
	tid = vdev_counters(dev, 0).thread;
	check(!sched_getaffinity((pid_t)tid, sizeof(first), &first) && CPU_COUNT(&first) == 1,
	      "kthread: it starts on the one CPU that the interrupt has");
	CPU_ZERO(&set);
	CPU_SET(CPU_ISSET(0, &first) ? 1 : 0, &set);
	check_is(sched_setaffinity((pid_t)tid, sizeof(set), &set) ? -errno : 0, 0,
		 "kthread: it can be moved");
	fire();
	check(!sched_getaffinity((pid_t)tid, sizeof(first), &first) && CPU_EQUAL(&set, &first),
	      "kthread: and stays there");
	vdev_disarm(dev, card.index);
}

int main(int argc, char **argv)
{
	uint32_t s;

	fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
	if (argc < 2 || card_open(&card, argv[1]))
		check_die("usage: select BDF");
	vdev_map_region(dev);
	flags_taken();
	pairs();
	for (s = 0; s < STRATEGIES; s++) {
		if (!strategy_has_alone(s))
			continue;
		eventfd_or_not(s, 0);
		eventfd_or_not(s, ALONE);
	}
	page(0);
	page(ALONE);
	for (s = MSILAT_STRATEGY_THREAD; s < MSILAT_STRATEGY_PAGE; s++)
		if (s != MSILAT_STRATEGY_NOTHREAD)
			page_alone_counts(s);
	thread_of(MSILAT_STRATEGY_THREAD, 0, "irq/", 50);
	thread_of(MSILAT_STRATEGY_SPLIT, 0, "irq/", 50);
	thread_of(MSILAT_STRATEGY_THREAD_DIRECT, 0, "irq/", 50);
	thread_of(MSILAT_STRATEGY_KTHREAD, 0, "msilat/", 50);
	thread_of(MSILAT_STRATEGY_IRQWORK, 0, "irq_work/", 1);
	thread_of(MSILAT_STRATEGY_DIRECT, 0, "irq/", 50);
	thread_of(MSILAT_STRATEGY_PAGE, 0, "irq/", 50);
	thread_of(MSILAT_STRATEGY_DIRECT, ALONE, NULL, 0);
	thread_of(MSILAT_STRATEGY_PAGE, ALONE, NULL, 0);
	kthread_moves();
	card_close(&card);
	return check_done();
}
