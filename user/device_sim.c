// SPDX-License-Identifier: GPL-2.0-only
/*
 * Backend sim: a device and its driver in this process, for tests without root or hardware.
 *
 * A thread plays CPU, IRQ thread and driver: it takes what was fired, writes isr and delivery
 * records into a region of the driver's layout and wakes the waiter by what the strategy does, with
 * real time stamps. It plays every strategy of our driver, as far as that can be seen from user
 * space. It can be told to merge or lose interrupts at a known place, so that the accounting can be
 * tested against the truth. Its latencies are this machine's thread wake-ups, no interrupts'.
 *
 * Options (--sim, comma-separated):
 *	merge=device|thread|wake	all events pending at one wake-up of the thread merge there
 *	withhold=N	the Nth signal is counted and recorded but not sent
 *	lose=N		the interrupt of event N never reaches the CPU
 *	stop=N		the device stops interrupting after N events
 *	delay=US	time the thread takes before it serves (default 20, to let events pile up)
 */
#include <ctype.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

#include "clock.h"
#include "device.h"

#define RING_RECORDS 1024
#define STACK_BYTES (64 * 1024)

enum sim_merge {
	MERGE_NONE,
	MERGE_DEVICE,
	MERGE_THREAD,
	MERGE_WAKE,
};

/* The region as the driver lays it out, for one vector. */
struct sim_region {
	struct msilat_region header;
	_Alignas(64) struct msilat_vector vector;
	struct msilat_isr isr[RING_RECORDS];
	struct msilat_delivery delivery[RING_RECORDS];
};

struct sim {
	struct sim_region region;
	pthread_t thread;
	int wake;		/* eventfd: something fired, or stop */
	_Atomic int out;	/* eventfd of the vector, -1 while not armed */
	int direct;		/* eventfd that MSILAT_WAIT reads: it counts, and wakes one */
	_Atomic int stop;
	uint64_t served;	/* events taken off the device */
	_Atomic uint64_t threads;
	_Atomic uint64_t signals;
	_Atomic uint64_t withheld;
	_Atomic uint64_t eventfds;
	const struct strategy *_Atomic strategy;
	_Atomic uint32_t flags;
	enum sim_merge merge;
	uint64_t withhold_at;
	uint64_t lose_at;
	uint64_t stop_at;
	uint64_t delay_us;
};

static uint64_t publish_isr(struct sim *sim)
{
	struct msilat_vector *v = &sim->region.vector;
	uint64_t n = v->isr_head;
	struct msilat_isr *r = &sim->region.isr[n % RING_RECORDS];

	__atomic_store_n(&r->seq, 0, __ATOMIC_RELAXED);
	__atomic_thread_fence(__ATOMIC_RELEASE);
	r->isr = clock_read();
	r->lock_state = MSILAT_LOCK_FREE;
	r->flags = 0;
	__atomic_store_n(&r->seq, n + 1, __ATOMIC_RELEASE);
	__atomic_store_n(&v->isr_head, n + 1, __ATOMIC_RELEASE);
	return n;
}

/* Returns true if the signal is to be sent. */
static bool publish_delivery(struct sim *sim, uint64_t thread, uint64_t first, uint64_t last)
{
	struct msilat_vector *v = &sim->region.vector;
	uint64_t n = v->delivery_head;
	struct msilat_delivery *r = &sim->region.delivery[n % RING_RECORDS];
	bool withheld = ++sim->signals == sim->withhold_at;

	__atomic_store_n(&r->seq, 0, __ATOMIC_RELAXED);
	__atomic_thread_fence(__ATOMIC_RELEASE);
	r->thread = thread;
	r->first_isr = first;
	r->last_isr = last;
	r->flags = withheld ? MSILAT_DELIVERY_WITHHELD : 0;
	r->signal = clock_read();
	__atomic_store_n(&r->seq, n + 1, __ATOMIC_RELEASE);
	__atomic_store_n(&v->delivery_head, n + 1, __ATOMIC_RELEASE);
	if (withheld)
		sim->withheld++;
	return !withheld;
}

/* Wake the waiter, once for @n deliveries. */
static void wake_waiter(struct sim *sim, uint64_t n)
{
	const struct strategy *s = sim->strategy;

	switch (s->wake) {
	case STRATEGY_WAKE_WAIT:
		eventfd_write(sim->direct, n);
		break;
	case STRATEGY_WAKE_PAGE:
		__atomic_fetch_add(&sim->region.vector.page_events, n, __ATOMIC_RELEASE);
		break;
	default:
		break;
	}
	if (sim->flags & MSILAT_SELECT_NO_EVENTFD)
		return;
	if (s->wake != STRATEGY_WAKE_EVENTFD)
		sim->eventfds += n;
	eventfd_write(sim->out, n);
}

/* Serve a batch of pending events, merged where the options say so. */
static void serve(struct sim *sim, uint64_t pending)
{
	uint64_t isrs = sim->merge == MERGE_DEVICE ? 1 : pending;
	uint64_t deliveries = sim->merge == MERGE_THREAD ? 1 : isrs;
	const struct strategy *s = sim->strategy;
	uint64_t value = 0, first, last, thread, i, more;

	for (i = 0; i < deliveries; i++) {
		first = last = UINT64_MAX;
		for (more = isrs / deliveries; s->primary && more; more--) {
			last = publish_isr(sim);
			if (first == UINT64_MAX)
				first = last;
		}
		thread = s->thread == STRATEGY_THREAD_NONE ? 0 : clock_read();
		sim->threads++;
		if (!publish_delivery(sim, thread, first, last))
			continue;
		value++;
		if (sim->merge != MERGE_WAKE) {
			wake_waiter(sim, value);
			value = 0;
		}
	}
	if (value)
		wake_waiter(sim, value);
}

static void *sim_main(void *arg)
{
	struct device *dev = arg;
	struct sim *sim = dev->priv;
	struct timespec delay = {
		.tv_sec = (time_t)(sim->delay_us / 1000000),
		.tv_nsec = (long)(sim->delay_us % 1000000) * 1000,
	};
	uint64_t fired, pending;
	eventfd_t kicks;

	while (!sim->stop) {
		eventfd_read(sim->wake, &kicks);
		if (sim->delay_us)
			nanosleep(&delay, NULL);
		fired = device_noted_sequence(dev);
		if (sim->stop_at && fired > sim->stop_at)
			fired = sim->stop_at;
		if (sim->out < 0 || fired <= sim->served)
			continue;
		pending = fired - sim->served;
		if (sim->lose_at > sim->served && sim->lose_at <= fired)
			pending--;
		sim->served = fired;
		if (pending)
			serve(sim, pending);
	}
	return NULL;
}

static int set_number(uint64_t *value, const char *text, const char *option, struct reason *why)
{
	char *end;

	errno = 0;
	*value = strtoull(text, &end, 10);
	if (errno || *end || !isdigit((unsigned char)*text))
		return reason_set(why, -EINVAL, "--sim %s=%s: not a number", option, text);
	return 0;
}

static int set_merge(struct sim *sim, const char *text, struct reason *why)
{
	static const char *const places[] = { "none", "device", "thread", "wake" };
	int i;

	for (i = 0; i < 4; i++)
		if (!strcmp(text, places[i])) {
			sim->merge = (enum sim_merge)i;
			return 0;
		}
	return reason_set(why, -EINVAL,
			  "--sim merge=%s: must be device, thread, wake or none", text);
}

static int parse(struct sim *sim, const char *options, struct reason *why)
{
	const struct {
		const char *name;
		uint64_t *value;
	} numbers[] = {
		{ "withhold", &sim->withhold_at }, { "lose", &sim->lose_at },
		{ "stop", &sim->stop_at }, { "delay", &sim->delay_us },
	};
	char text[256], *item, *value, *save;
	unsigned int i;
	int ret;

	if (snprintf(text, sizeof(text), "%s", options) >= (int)sizeof(text))
		return reason_set(why, -EINVAL, "--sim: too long");
	for (item = strtok_r(text, ",", &save); item; item = strtok_r(NULL, ",", &save)) {
		value = strchr(item, '=');
		if (value)
			*value++ = '\0';
		for (i = 0; i < 4 && strcmp(item, numbers[i].name); i++)
			;
		if (!value || (i == 4 && strcmp(item, "merge")))
			return reason_set(why, -EINVAL,
					  "--sim %s: must be merge=, withhold=, lose=, stop= or delay=",
					  item);
		ret = i == 4 ? set_merge(sim, value, why) :
			       set_number(numbers[i].value, value, item, why);
		if (ret)
			return ret;
	}
	return 0;
}

static int sim_select(struct delivery *d, const struct strategy *strategy, uint32_t flags,
		      struct reason *why)
{
	struct sim *sim = d->priv;
	struct msilat_region now;

	if (!strategy_ours(strategy))
		return reason_set(why, -EINVAL, "--strategy %s: backend sim plays those of %s",
				  strategy->name, sim->strategy->driver);
	sim->strategy = strategy;
	sim->flags = flags;
	now.generation = sim->region.header.generation + 1;
	now.strategy = strategy->number;
	sim->region.header.select_flags = flags;
	__atomic_store_n(&sim->region.header.in_force, now.in_force, __ATOMIC_RELEASE);
	return 0;
}

static int sim_counters(const struct delivery *d, uint32_t vector, struct msilat_counters *c)
{
	struct sim *sim = d->priv;

	if (vector)
		return -EINVAL;
	memset(c, 0, sizeof(*c));
	c->isr = __atomic_load_n(&sim->region.vector.isr_head, __ATOMIC_ACQUIRE);
	c->threads = sim->threads;
	c->signals = sim->signals;
	c->withheld = sim->withheld;
	c->eventfds = sim->eventfds;
	c->lock_states[MSILAT_LOCK_FREE] = c->isr;
	return 0;
}

static int sim_wait(struct delivery *d, uint64_t arg, uint64_t *user)
{
	struct sim *sim = d->priv;
	uint32_t generation = arg >> 32;
	eventfd_t n;

	if (generation && generation != sim->region.header.generation)
		return -ECANCELED;
	if (eventfd_read(sim->direct, &n))
		return -errno;
	*user = clock_read();
	return (int)n;
}

static int sim_trigger(struct delivery *d, uint32_t vector)
{
	struct sim *sim = d->priv;

	if (vector || sim->out < 0)
		return -EINVAL;
	if (sim->strategy->wake == STRATEGY_WAKE_WAIT)
		eventfd_write(sim->direct, 1);
	if (sim->strategy->wake == STRATEGY_WAKE_PAGE)
		__atomic_fetch_add(&sim->region.vector.page_events, 1, __ATOMIC_RELEASE);
	eventfd_write(sim->out, 1);
	return 0;
}

static const struct delivery_ops sim_delivery = {
	.select = sim_select,
	.counters = sim_counters,
	.wait = sim_wait,
	.trigger = sim_trigger,
};

static void init_region(struct sim *sim)
{
	sim->region.header = (struct msilat_region){
		.magic = MSILAT_REGION_MAGIC,
		.version = MSILAT_UAPI_VERSION,
		.header_size = sizeof(struct msilat_region),
		.vectors = 1,
		.vector_offset = offsetof(struct sim_region, vector),
		.vector_stride = sizeof(struct sim_region),
		.ring_records = RING_RECORDS,
		.isr_offset = offsetof(struct sim_region, isr) -
			      offsetof(struct sim_region, vector),
		.delivery_offset = offsetof(struct sim_region, delivery) -
				   offsetof(struct sim_region, vector),
		.generation = 1,
		.strategy = MSILAT_STRATEGY_SPLIT,
	};
}

static int start_thread(struct device *dev)
{
	struct sim *sim = dev->priv;
	pthread_attr_t attr;
	int ret;

	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, STACK_BYTES);
	ret = -pthread_create(&sim->thread, &attr, sim_main, dev);
	pthread_attr_destroy(&attr);
	return ret;
}

static void close_eventfds(struct sim *sim)
{
	if (sim->wake >= 0)
		close(sim->wake);
	if (sim->direct >= 0)
		close(sim->direct);
}

static int sim_open(struct device *dev, const struct device_config *cfg, struct reason *why)
{
	struct sim *sim;
	int ret;

	sim = calloc(1, sizeof(*sim));
	if (!sim)
		return -ENOMEM;
	sim->delay_us = 20;
	sim->out = -1;
	sim->strategy = strategy_find("split");
	init_region(sim);
	ret = parse(sim, cfg->sim, why);
	if (ret)
		goto free_sim;
	sim->wake = eventfd(0, EFD_CLOEXEC);
	sim->direct = eventfd(0, EFD_CLOEXEC);
	if (sim->wake < 0 || sim->direct < 0) {
		ret = reason_set(why, -errno, "sim: eventfd: %s", strerror(errno));
		goto close_eventfds;
	}
	dev->priv = sim;
	dev->delivery.ops = &sim_delivery;
	dev->delivery.region = &sim->region.header;
	dev->delivery.priv = sim;
	dev->caps.sent = true;
	dev->caps.no_timer = "backend sim has no timer";
	ret = start_thread(dev);
	if (ret) {
		reason_set(why, ret, "sim: cannot start its thread: %s", strerror(-ret));
		goto close_eventfds;
	}
	return 0;

close_eventfds:
	close_eventfds(sim);
free_sim:
	free(sim);
	return ret;
}

static void sim_close(struct device *dev)
{
	struct sim *sim = dev->priv;

	sim->stop = 1;
	eventfd_write(sim->wake, 1);
	pthread_join(sim->thread, NULL);
	close_eventfds(sim);
	free(sim);
}

static int sim_arm(struct device *dev, int fd, struct reason *why)
{
	struct sim *sim = dev->priv;

	if (dev->cfg.vector)
		return reason_set(why, -EINVAL, "sim: vector %u: it has one", dev->cfg.vector);
	sim->out = fd;
	return 0;
}

static void sim_disarm(struct device *dev)
{
	struct sim *sim = dev->priv;

	sim->out = -1;
}

static int sim_fire(struct device *dev)
{
	struct sim *sim = dev->priv;

	fired_note(&dev->fired, clock_read());
	eventfd_write(sim->wake, 1);
	return 0;
}

const struct device_ops device_sim = {
	.name = "sim",
	.summary = "a device and driver simulated in this process, for tests",
	.open = sim_open,
	.close = sim_close,
	.arm = sim_arm,
	.disarm = sim_disarm,
	.fire = sim_fire,
	.sequence = device_noted_sequence,
	.observe = device_noted_observe,
};
