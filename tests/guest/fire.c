// SPDX-License-Identifier: GPL-2.0-only
/*
 * fire BDF switch COUNT: changes the strategy COUNT times while every vector is under fire.
 * fire BDF rings SECONDS [STRATEGY]: reads the rings under fire and checks what it reads.
 * fire BDF forever STRATEGY: fires until it is killed.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "card.h"
#include "check.h"
#include "strategy.h"

#define VECTORS 16
#define POLLER_PRIORITY 40
#define PAUSE_US 50
#define STOP (1ull << 40)	/* what ends a waiter: more than all events together */
#define SETTLE_US 300000
#define ENOUGH 100		/* records of each ring, to be looked at */
#define MORE_S 60		/* beyond the time given, until there are so many */

/*
 * struct lane - one vector and who uses it
 * @fired: events sent, counted before each is.
 * @seen: of these, known sent when the waiter last woke.
 * @arrived: @seen when all was quiet again.
 * @values: sum of the eventfd's values.
 * @before: counters before the first event, and @page what strategy page had counted.
 */
static struct lane {
	int fd;
	pthread_t waiter;
	_Atomic uint64_t fired;
	_Atomic uint64_t seen;
	uint64_t arrived;
	_Atomic uint64_t values;
	struct msilat_counters before;
	uint64_t page;
} lanes[VECTORS];

static struct card card;
static struct vdev *dev = &card.dev;
static pthread_t firing;
static atomic_bool stop;

static const void *block(unsigned int vector)
{
	return (const char *)dev->region + dev->region->vector_offset +
	       (size_t)vector * dev->region->vector_stride;
}

static uint64_t page_events(unsigned int vector)
{
	const struct msilat_vector *v = block(vector);

	return __atomic_load_n(&v->page_events, __ATOMIC_ACQUIRE);
}

static void pin(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	if (sched_setaffinity(0, sizeof(set), &set))
		check_die("CPU %d", cpu);
}

static void *fire_events(void *arg)
{
	unsigned int i;

	(void)arg;
	pin((int)sysconf(_SC_NPROCESSORS_ONLN) - 1);
	while (!atomic_load(&stop)) {
		for (i = 0; i < card.vectors; i++) {
			atomic_fetch_add(&lanes[i].fired, 1);
			card_fire(&card, i);
		}
		usleep(PAUSE_US);
	}
	return NULL;
}

static void *wait_events(void *arg)
{
	struct sched_param param = { .sched_priority = POLLER_PRIORITY };
	struct lane *lane = arg;
	uint64_t value;

	pin(0);
	if (sched_setscheduler(0, SCHED_FIFO, &param))
		check_die("SCHED_FIFO");
	while (read(lane->fd, &value, sizeof(value)) == sizeof(value) && value < STOP) {
		atomic_fetch_add(&lane->values, value);
		atomic_store(&lane->seen, atomic_load(&lane->fired));
	}
	return NULL;
}

static void start(void)
{
	int fds[VECTORS];
	unsigned int i;

	for (i = 0; i < card.vectors; i++) {
		lanes[i].fd = fds[i] = eventfd(0, EFD_CLOEXEC);
		lanes[i].before = vdev_counters(dev, i);
		lanes[i].page = page_events(i);
	}
	if (vdev_arm(dev, card.index, card.vectors, fds))
		check_die("arming %u vectors", card.vectors);
	card_prepare(&card);
	for (i = 0; i < card.vectors; i++)
		if (pthread_create(&lanes[i].waiter, NULL, wait_events, &lanes[i]))
			check_die("waiter");
	if (pthread_create(&firing, NULL, fire_events, NULL))
		check_die("firing thread");
}

static void quiesce(void)
{
	unsigned int i;

	atomic_store(&stop, true);
	pthread_join(firing, NULL);
	vdev_settle(SETTLE_US);
	for (i = 0; i < card.vectors; i++)
		lanes[i].arrived = lanes[i].seen;
}

static void finish(void)
{
	unsigned int i;

	for (i = 0; i < card.vectors; i++) {
		if (eventfd_write(lanes[i].fd, STOP))
			check_die("eventfd");
		pthread_join(lanes[i].waiter, NULL);
	}
}

/* After a run each vector's books must balance; @elsewhere signals woke by something else. */
static void balance(unsigned int i, const char *what, uint64_t elsewhere)
{
	struct msilat_counters c = vdev_counters(dev, i);
	uint64_t signals = c.signals - lanes[i].before.signals;
	uint64_t catchups = c.catchups - lanes[i].before.catchups;
	uint64_t eventfds = c.eventfds - lanes[i].before.eventfds;

	check(lanes[i].arrived == lanes[i].fired,
	      "%s: vector %u: sequence seen = sequence fired (%llu)", what, i,
	      (unsigned long long)lanes[i].fired);
	check_is((long long)lanes[i].values, (long long)(signals - elsewhere + eventfds + catchups),
		 "%s: vector %u: values = signals by eventfd + those beside others + catch-ups",
		 what, i);
	check_is((long long)c.guarded, 0, "%s: vector %u: the recursion guard refused none", what,
		 i);
	check_note("vector %u: fired %llu, primaries %llu, signals %llu, catch-ups %llu", i,
		   (unsigned long long)lanes[i].fired,
		   (unsigned long long)(c.isr - lanes[i].before.isr), (unsigned long long)signals,
		   (unsigned long long)catchups);
}

/*
 * The safe strategies in turn, and the last one such that MSILAT_WAIT gives away what is pending:
 * what woke there or on the page, less the catch-ups there, are the signals by other means.
 */
static void switches(unsigned int count)
{
	static const uint32_t order[] = {
		MSILAT_STRATEGY_SPLIT, MSILAT_STRATEGY_THREAD, MSILAT_STRATEGY_DIRECT,
		MSILAT_STRATEGY_KTHREAD, MSILAT_STRATEGY_PAGE, MSILAT_STRATEGY_IRQWORK,
		MSILAT_STRATEGY_THREAD_DIRECT,
	};
	const unsigned int orders = sizeof(order) / sizeof(order[0]);
	uint64_t catchups = 0, bad = 0, elsewhere_catchups = 0;
	struct msilat_select s;
	unsigned int i;

	start();
	for (i = 0; i <= count; i++) {
		uint32_t strategy = i < count ? order[i % orders] : MSILAT_STRATEGY_DIRECT;

		if (i == count)
			quiesce();
		bad += vdev_select(dev, strategy, &s) != 0;
		catchups += s.catchups;
		elsewhere_catchups += strategy_has_alone(strategy);
		if (i % 4 == 0)
			usleep(200);
	}
	vdev_settle(SETTLE_US);
	finish();
	check_is((long long)bad, 0, "%u switches under fire, none refused", count);
	check_is((long long)catchups, (long long)(count + 1) * card.vectors,
		 "one catch-up for each vector and switch");
	for (i = 0; i < card.vectors; i++) {
		uint64_t waited = (uint64_t)vdev_wait(dev, i, 0);

		balance(i, "switches",
			waited + page_events(i) - lanes[i].page - elsewhere_catchups);
	}
}

/* --- reading the rings ----------------------------------------------------------------------- */

/* struct reader - how far one ring has been read, and what was found */
struct reader {
	unsigned int vector;
	uint64_t next;
	uint64_t read;
	uint64_t lapped;
	uint64_t bad;
	uint64_t next_isr;	/* of the delivery ring: first isr record not yet named */
	uint64_t stamp;		/* of the isr ring: the last one */
};

/*
 * One record as uapi/msilat.h tells readers to: its seq must be right before and after. Returns
 * 1 with a copy, 0 when the writer has come round.
 */
static int copy_record(const void *slot, void *copy, size_t size, uint64_t n)
{
	const volatile uint64_t *seq = slot;

	if (__atomic_load_n(seq, __ATOMIC_ACQUIRE) != n + 1)
		return 0;
	memcpy(copy, slot, size);
	__atomic_thread_fence(__ATOMIC_ACQUIRE);
	return *seq == n + 1;
}

static void read_deliveries(struct reader *r)
{
	const struct msilat_vector *v = block(r->vector);
	const struct msilat_delivery *ring =
		(const void *)((const char *)v + dev->region->delivery_offset);
	uint64_t head = __atomic_load_n(&v->delivery_head, __ATOMIC_ACQUIRE);
	struct msilat_delivery d;

	for (; r->next < head; r->next++) {
		if (!copy_record(&ring[r->next & (dev->region->ring_records - 1)], &d, sizeof(d),
				 r->next)) {
			r->lapped++;
			r->next_isr = 0;
			continue;
		}
		r->read++;
		r->bad += !d.thread == strategy_has_thread(dev->region->strategy) ||
			  d.thread > d.signal || d.first_isr > d.last_isr ||
			  d.flags || (r->next_isr && d.first_isr != r->next_isr);
		r->next_isr = d.last_isr + 1;
	}
}

static void read_isrs(struct reader *r)
{
	const struct msilat_vector *v = block(r->vector);
	const struct msilat_isr *ring =
		(const void *)((const char *)v + dev->region->isr_offset);
	uint64_t head = __atomic_load_n(&v->isr_head, __ATOMIC_ACQUIRE);
	struct msilat_isr i;

	for (; r->next < head; r->next++) {
		if (!copy_record(&ring[r->next & (dev->region->ring_records - 1)], &i, sizeof(i),
				 r->next)) {
			r->lapped++;
			continue;
		}
		r->read++;
		r->bad += i.isr <= r->stamp || i.lock_state >= MSILAT_LOCK_STATES;
		r->stamp = i.isr;
	}
}

/* A busy host may not have let the device fire so often yet. */
static bool few_read(const struct reader *deliveries, const struct reader *isrs)
{
	unsigned int i;

	for (i = 0; i < card.vectors; i++)
		if (deliveries[i].read <= ENOUGH || isrs[i].read <= ENOUGH)
			return true;
	return false;
}

static void rings(unsigned int seconds, uint32_t strategy)
{
	struct reader deliveries[VECTORS] = { 0 }, isrs[VECTORS] = { 0 };
	const char *name = strategy_name(strategy);
	unsigned int i;
	time_t end;

	if (!strategy_has_primary(strategy) || vdev_select(dev, strategy, NULL))
		check_die("strategy %s", name);
	start();
	for (end = time(NULL) + seconds; time(NULL) <= end ||
	     (few_read(deliveries, isrs) && time(NULL) <= end + MORE_S);) {
		for (i = 0; i < card.vectors; i++) {
			deliveries[i].vector = isrs[i].vector = i;
			read_deliveries(&deliveries[i]);
			read_isrs(&isrs[i]);
		}
	}
	quiesce();
	finish();
	for (i = 0; i < card.vectors; i++) {
		struct msilat_counters c = vdev_counters(dev, i);

		read_deliveries(&deliveries[i]);
		read_isrs(&isrs[i]);
		check(deliveries[i].read > ENOUGH && isrs[i].read > ENOUGH,
		      "%s: vector %u: %llu deliveries and %llu primaries read", name, i,
		      (unsigned long long)deliveries[i].read, (unsigned long long)isrs[i].read);
		check_is((long long)deliveries[i].bad, 0, "%s: vector %u: each delivery is whole "
			 "and goes on where the last one ended", name, i);
		check_is((long long)isrs[i].bad, 0, "%s: vector %u: each isr record is whole and "
			 "later than the last", name, i);
		check_is((long long)deliveries[i].next_isr, (long long)isrs[i].next,
			 "%s: vector %u: the last delivery consumed the last primary", name,
			 i);
		balance(i, name, strategy_has_alone(strategy) ?
			c.signals - lanes[i].before.signals : 0);
		check_note("vector %u: lapped %llu and %llu times", i,
			   (unsigned long long)deliveries[i].lapped,
			   (unsigned long long)isrs[i].lapped);
	}
}

int main(int argc, char **argv)
{
	unsigned int n = argc > 3 ? (unsigned int)atoi(argv[3]) : 0;

	if (argc < 4 || card_open(&card, argv[1]) || card.vectors > VECTORS)
		check_die("usage: fire BDF switch COUNT|rings SECONDS [STRATEGY]|forever STRATEGY");
	vdev_map_region(dev);
	if (!strcmp(argv[2], "switch")) {
		switches(n);
	} else if (!strcmp(argv[2], "rings")) {
		rings(n, argc > 4 ? (uint32_t)atoi(argv[4]) : MSILAT_STRATEGY_SPLIT);
	} else {
		if (vdev_select(dev, n, NULL))
			check_die("strategy %u", n);
		start();
		puts("firing");
		for (;;)
			pause();
	}
	vdev_disarm(dev, card.index);
	card_close(&card);
	return check_done();
}
