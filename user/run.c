// SPDX-License-Identifier: GPL-2.0-only
/* The order of a run: start, finish, stop, account. What comes before is in run_prepare.c. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "irq.h"
#include "run.h"

#define LOOK_MS 5
#define QUIET_MS 10
#define SILENT_MS 200
#define INTERRUPTED_NS 1000000000ull

static const char *const relations[] = {
	[RUN_NONE] = "none",
	[RUN_BELOW] = "below",
	[RUN_EQUAL] = "equal",
	[RUN_ABOVE] = "above",
};

static const char *const eventfd_uses[] = {
	[RUN_EVENTFD_WAIT] = "waited on",
	[RUN_EVENTFD_BESIDE] = "signalled beside",
	[RUN_EVENTFD_SILENT] = "silent",
};

static const char *const states[] = {
	[RUN_RUNNING] = "running",
	[RUN_COMPLETE] = "complete",
	[RUN_INTERRUPTED] = "interrupted",
	[RUN_FAILED] = "failed",
};

const char *run_relation_name(enum run_relation relation)
{
	return relations[relation];
}

const char *run_eventfd_name(enum run_eventfd use)
{
	return eventfd_uses[use];
}

const char *run_state_name(enum run_state state)
{
	return states[state];
}

static void set_schedule(struct run *r)
{
	const struct params *p = &r->params;

	r->schedule = (struct schedule){
		.device = &r->device,
		.timer = r->scenario->timer,
		.interval_ns = (uint64_t)p->interval_us * 1000,
		.jitter_ns = (uint64_t)p->jitter_us * 1000,
		.random = (uint64_t)p->seed,
		.count = (uint64_t)p->loops,
		.burst = (uint64_t)p->burst,
		.stop = &r->stop,
	};
}

bool run_others(const struct run *r, struct cpulist *others)
{
	if (cpulist_allowed(others))
		cpulist_online(others);
	if (cpulist_count(others) > 1)
		cpulist_del(others, (int)r->params.cpu);
	return !cpulist_has(others, (int)r->params.cpu);
}

static int start_recorder(struct run *r, const struct cpulist *others, struct reason *why)
{
	const struct sched_want want = {
		.name = "msilat-recorder",
		.cpu = (int)r->params.recorder_cpu,
		.cpus = others,
	};

	if (r->inline_recorder)
		return 0;
	r->recorder.exact = r->mode == LAB_EXACT;
	return recorder_start(&r->recorder, &want, why);
}

static int start_poller(struct run *r, struct reason *why)
{
	const struct sched_want want = {
		.name = "msilat-poller",
		.priority = (int)r->params.priority,
		.cpu = (int)r->params.cpu,
	};

	r->poller.device = &r->device;
	r->poller.ring = &r->ring;
	r->poller.done = r->done;
	r->poller.schedule = r->scenario->poller_fires ? &r->schedule : NULL;
	return poller_start(&r->poller, &want, why);
}

static int start_trigger(struct run *r, const struct cpulist *others, struct reason *why)
{
	const struct sched_want want = {
		.name = "msilat-trigger",
		.priority = (int)r->params.trigger_priority,
		.cpu = (int)r->params.trigger_cpu,
		.cpus = others,
	};

	if (r->scenario->poller_fires)
		return 0;
	r->trigger.schedule = &r->schedule;
	r->trigger.poller = &r->poller;
	r->trigger.recorder = r->inline_recorder ? &r->recorder : NULL;
	r->trigger.timeout_ns = (uint64_t)r->params.timeout_ms * 1000000;
	r->trigger.done = r->done;
	return trigger_start(&r->trigger, &want, why);
}

int run_start(struct run *r, struct reason *why)
{
	struct cpulist others;
	int ret;

	set_schedule(r);
	/* This thread writes checkpoints and draws: it belongs off the measured CPU as well. */
	if (run_others(r, &others))
		cpulist_bind(&others);
	ret = start_recorder(r, &others, why);
	if (ret)
		return ret;
	ret = start_poller(r, why);
	if (ret)
		goto stop_recorder;
	ret = start_trigger(r, &others, why);
	if (ret)
		goto stop_poller;
	r->state = RUN_RUNNING;
	return 0;

stop_poller:
	poller_stop(&r->poller);
stop_recorder:
	recorder_stop(&r->recorder);
	return ret;
}

bool run_finished(struct run *r)
{
	if (r->scenario->poller_fires)
		return atomic_load(&r->poller.finished);
	return atomic_load(&r->trigger.finished) || atomic_load(&r->poller.error);
}

/* Why a run ended before its time. */
static void find_failure(struct run *r)
{
	int error = atomic_load(&r->poller.error);

	if (!error)
		error = atomic_load(&r->trigger.error);
	if (error && r->device.why.text[0])
		r->why = r->device.why;
	else if (error)
		reason_set(&r->why, error, "the run ended early: %s", strerror(-error));
	else if (atomic_load(&r->trigger.dead) && r->scenario->poller_fires)
		reason_set(&r->why, -ETIMEDOUT,
			   "the device stopped interrupting: an event was not seen within %lld ms; what arrived is kept",
			   (long long)r->params.timeout_ms);
	else if (atomic_load(&r->trigger.dead))
		reason_set(&r->why, -ETIMEDOUT,
			   "the device stopped interrupting: %d %s in a row were not seen within %lld ms; what arrived is kept",
			   TRIGGER_GIVE_UP, r->params.burst > 1 ? "bursts" : "events",
			   (long long)r->params.timeout_ms);
	else if (r->recorder.file_error)
		reason_set(&r->why, r->recorder.file_error, "samples.bin: %s",
			   strerror(-r->recorder.file_error));
	if (r->why.text[0])
		r->state = RUN_FAILED;
}

/* Signals of the other vectors of this eventfd; they were armed with it and are new as it is. */
static uint64_t count_foreign(struct run *r)
{
	uint32_t vector = (uint32_t)r->params.vector, i;
	struct msilat_counters c;
	uint64_t sum = 0;

	for (i = 1; i <= r->sharing; i++)
		if (!r->device.delivery.ops->counters(&r->device.delivery, vector + i, &c))
			sum += c.signals + c.catchups;
	return sum;
}

static uint64_t count_taken(const struct run *r)
{
	return r->poller.shared ? atomic_load(&r->poller.shared->taken) : 0;
}

static void count_driver(struct run *r)
{
	struct account_in *in = &r->links;
	const struct msilat_counters *b = &r->before, *a = &r->after;

	in->driver = r->device.delivery.ops &&
		     !r->device.delivery.ops->counters(&r->device.delivery,
						       (uint32_t)r->params.vector, &r->after);
	if (!in->driver)
		return;
	in->primary = r->strategy->primary;
	in->isr = a->isr - b->isr;
	in->threads = a->threads - b->threads;
	in->signals = a->signals - b->signals;
	in->beside = !run_own_wake(r);
	in->eventfds = a->eventfds - b->eventfds;
	in->catchups = a->catchups - b->catchups;
	r->resent = a->resent - b->resent;
	in->foreign = count_foreign(r);
}

/*
 * Everything on the way to the poller has arrived. The newest event may be seen, from the device,
 * while the driver still signals those before it: all links must be still. Where fewer values have
 * been read than events fired, because some merged or got lost or are still to come, they must be
 * so for longer.
 */
static void drain(struct run *r, uint64_t timeout_ns)
{
	struct timespec pause = { .tv_nsec = LOOK_MS * 1000000 };
	uint64_t fired = r->backend->sequence(&r->device), links, values;
	uint64_t before = 0, elapsed = 0, quiet = 0;
	bool balanced;

	trigger_await(&r->poller, fired, timeout_ns, &r->poller.stop);
	while (elapsed < timeout_ns / 1000000) {
		nanosleep(&pause, NULL);
		elapsed += LOOK_MS;
		count_driver(r);
		values = atomic_load(&r->poller.values) + count_taken(r);
		links = r->links.isr + r->links.threads + r->links.signals + r->links.eventfds +
			values + irq_count(r->irq);
		quiet = links == before ? quiet + LOOK_MS : 0;
		before = links;
		balanced = values == fired + r->links.catchups + r->links.foreign;
		if (quiet >= (balanced ? QUIET_MS : SILENT_MS))
			return;
	}
}

void run_stop(struct run *r, bool interrupted)
{
	uint64_t timeout = (uint64_t)r->params.timeout_ms * 1000000;

	/* Who interrupts does not want to wait; what has not come by then is reported as such. */
	if (interrupted && timeout > INTERRUPTED_NS)
		timeout = INTERRUPTED_NS;
	atomic_store(&r->stop, 1);
	if (!r->scenario->poller_fires)
		trigger_join(&r->trigger);
	if (!atomic_load(&r->poller.error) && !atomic_load(&r->trigger.dead))
		drain(r, timeout);
	poller_stop(&r->poller);
	recorder_stop(&r->recorder);
	run_rest(r);
	clock_sample(&r->last);
	r->state = interrupted ? RUN_INTERRUPTED : RUN_COMPLETE;
	find_failure(r);
	run_account(r);
}

void run_account(struct run *r)
{
	struct account_in *in = &r->links;
	uint64_t irqs;

	memset(in, 0, sizeof(*in));
	in->under_way = r->state == RUN_RUNNING;
	in->fired = r->backend->sequence(&r->device);
	count_driver(r);
	irqs = irq_count(r->irq);
	in->irqs_known = irqs != UINT64_MAX && r->irqs_before != UINT64_MAX;
	if (in->irqs_known)
		in->irqs = irqs - r->irqs_before;
	in->wake = strategy_wake_name(r->wait_ops->wake);
	in->values = atomic_load(&r->poller.values);
	in->wakes = poller_wakes(&r->poller);
	in->taken = count_taken(r);
	in->takes = r->poller.shared ? atomic_load(&r->poller.shared->takes) : 0;
	in->seen = poller_seen(&r->poller);
	in->overdue = atomic_load(&r->trigger.overdue);
	in->ring_drops = atomic_load(&r->ring.drops);
	recorder_snapshot(&r->recorder, &r->recording);
	in->stamps_lost = r->recording.unstamped;
	in->disordered = r->recording.stages.disordered;
	account_close(&r->account, in);
	if (r->state == RUN_RUNNING)
		clock_sample(&r->last);
	run_calibrate(r);
}

bool run_valid(const struct run *r)
{
	/*
	 * The simulated device has no interrupt to time, and one process's threads see a counter
	 * that is merely not trusted well enough: machines that hide their TSC are where it is
	 * used. Numbers of a real device are worthless then.
	 */
	bool clock = r->health.steady && (r->health.trusted || r->sim);

	return clock && r->account.valid && !r->links.disordered && !r->resent &&
	       r->state != RUN_FAILED;
}
