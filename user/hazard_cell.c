// SPDX-License-Identifier: GPL-2.0-only
/* One cell of the matrix: a run with a contender beside it, and a second one that counts boosts. */
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>

#include "hazard.h"
#include "manifest.h"
#include "switches.h"

#define TICK_MS 500
#define BOOST_LOOPS 50		/* events of the second run: their records fit the trace buffer */
#define POLLER_THREAD "msilat-poller"

/**
 * struct pass - one run of a cell
 * @run: the run.
 * @contender: beside it, if the cell has one.
 * @shared: the eventfd, if that contender uses it.
 * @poller: thread ID of the poller; @signaller: of the thread that signals, 0 if there is none.
 * @poller_switches: involuntary context switches of the poller; likewise @signaller_switches.
 * @boosts: of the signalling thread, the poller and the contender.
 * @boosts_known: they were counted.
 */
struct pass {
	struct run run;
	struct contender contender;
	struct shared shared;
	pid_t poller;
	pid_t signaller;
	uint64_t poller_switches;
	uint64_t signaller_switches;
	struct boost_count boosts[3];
	bool boosts_known;
};

static const struct delivery no_records;

int hazard_priority(const struct hazard *h, const struct hazard_cell *cell)
{
	if (h->sim)
		return 0;
	switch (cell->relation) {
	case RUN_BELOW:
		return h->irq_priority - 1;
	case RUN_EQUAL:
		return h->irq_priority;
	case RUN_ABOVE:
		return h->irq_priority + 1;
	case RUN_NONE:
		break;
	}
	return params_default.priority;
}

static int cpu_of(const struct hazard *h, enum hazard_cpu cpu)
{
	return cpu == HAZARD_SAME ? h->irq_cpu : h->other_cpu;
}

static void set_params(const struct hazard *h, const struct hazard_cell *cell, bool boosts,
		       struct params *p)
{
	const struct hazard_params *hp = &h->params;

	*p = params_default;
	p->backend = hp->backend;
	p->strategy = hp->strategy;
	p->wait = cell->wait->name;
	p->priority = hazard_priority(h, cell);
	p->cpu = cpu_of(h, cell->poller_cpu);
	p->irq_cpu = h->sim ? -1 : h->irq_cpu;
	p->irq_priority = cell->relation == RUN_NONE || h->sim ? -1 : h->irq_priority;
	p->loops = hp->loops;
	p->duration = hp->duration;
	if (boosts) {
		p->duration = 0;
		p->loops = hp->loops && hp->loops < BOOST_LOOPS ? hp->loops : BOOST_LOOPS;
	}
	p->interval_us = hp->interval_us;
	p->jitter_us = hp->jitter_us;
	p->seed = hp->seed;
	p->timeout_ms = hp->timeout_ms;
	p->vector = hp->vector;
	p->sim = hp->sim;
}

/* The run is prepared: start the contender. */
static int contend(struct hazard *h, const struct hazard_cell *cell, struct pass *p,
		   struct reason *why)
{
	struct run *r = &p->run;

	if (!cell->contender)
		return 0;
	if (cell->contender->shares) {
		shared_begin(&p->shared, &r->device, (uint32_t)r->params.vector);
		r->poller.shared = &p->shared;
		/* A wake's values are no longer those of the vector's records, one by one. */
		r->recorder.delivery = &no_records;
	}
	p->contender = (struct contender){
		.ops = cell->contender,
		.device = &r->device,
		.vector = (uint32_t)r->params.vector,
		.eventfd = r->eventfd,
		.shared = &p->shared,
		.knobs = &r->knobs,
		.cpu = cpu_of(h, cell->contender_cpu),
		.priority = (int)h->params.contender_priority,
	};
	return contender_start(&p->contender, why);
}

static void stop_contending(const struct hazard_cell *cell, struct pass *p)
{
	if (cell->contender)
		contender_stop(&p->contender);
}

static bool past_duration(const struct run *r, uint64_t began)
{
	return r->params.duration &&
	       clock_monotonic() - began >= (uint64_t)r->params.duration * 1000000000ull;
}

/* Wait for the end of a run; in exact mode without a timer of its own. Returns -EINTR or 0. */
static int supervise(struct hazard *h, const struct hazard_cell *cell, struct pass *p)
{
	struct pollfd fds[2] = {
		{ .fd = h->signals, .events = POLLIN },
		{ .fd = p->run.done, .events = POLLIN },
	};
	bool tick = h->mode != LAB_EXACT || p->run.params.duration;
	uint64_t began = clock_monotonic();

	while (!run_finished(&p->run)) {
		if (poll(fds, 2, tick ? TICK_MS : -1) < 0 && errno != EINTR)
			break;
		if (fds[0].revents & POLLIN)
			return -EINTR;
		if (past_duration(&p->run, began))
			break;
		if (h->tick)
			h->tick(h, cell);
	}
	return 0;
}

static uint64_t difference(uint64_t after, uint64_t before)
{
	return after == SWITCHES_UNKNOWN || before == SWITCHES_UNKNOWN ? SWITCHES_UNKNOWN :
								       after - before;
}

static int start_boosts(struct hazard *h, struct pass *p, bool boosts, struct reason *why)
{
	return boosts ? boost_start(&h->boost, p->signaller, why) : 0;
}

static int stop_boosts(struct hazard *h, struct pass *p, pid_t contender, struct reason *why)
{
	const pid_t tids[3] = { p->signaller, p->poller, contender };
	int i, ret;

	for (i = 0; i < 3; i++)
		p->boosts[i].tid = tids[i] ? tids[i] : -1;
	ret = boost_stop(&h->boost, p->boosts, 3, why);
	p->boosts_known = !ret;
	/* More of them than the buffer holds is no reason to give up the cell. */
	return ret == -EOVERFLOW ? 0 : ret;
}

/* What set out for the eventfd and did not reach the poller is what the contender took. */
static void guess_taken(struct pass *p)
{
	const struct account_in *in = &p->run.links;
	uint64_t signals = in->beside ? in->eventfds : in->signals;

	if (!in->driver)
		signals = in->fired;
	if (signals + in->catchups <= in->values)
		return;
	p->shared.taken = signals + in->catchups - in->values;
	p->shared.takes = p->shared.taken;
	run_account(&p->run);
}

/* Events are fired, the contender contends; everything is stopped and counted at the end. */
static int go(struct hazard *h, const struct hazard_cell *cell, struct pass *p, bool boosts,
	      struct reason *why)
{
	struct run *r = &p->run;
	uint64_t signaller;
	pid_t contender = 0;
	int ret, counted = 0;

	ret = run_start(r, why);
	if (ret) {
		stop_contending(cell, p);
		return ret;
	}
	signaller = switches_involuntary(p->signaller);
	ret = supervise(h, cell, p);
	/* Threads name themselves, some time after they were started. */
	p->poller = switches_thread(POLLER_THREAD);
	if (cell->contender)
		contender = switches_thread(CONTENDER_THREAD);
	p->poller_switches = switches_involuntary(p->poller);
	p->signaller_switches = difference(switches_involuntary(p->signaller), signaller);
	/* No more events, then no more contention: what is under way is the poller's. */
	atomic_store(&r->stop, 1);
	stop_contending(cell, p);
	run_stop(r, ret == -EINTR);
	if (boosts)
		counted = stop_boosts(h, p, contender, why);
	if (cell->contender && cell->contender->blind)
		guess_taken(p);
	return ret ? ret : counted;
}

static int check_contender(const struct hazard_cell *cell, const struct pass *p, struct reason *why)
{
	int error = cell->contender ? atomic_load(&p->contender.error) : 0;

	if (!error)
		return 0;
	return reason_set(why, error, "contender %s stopped: %s", cell->contender->name,
			  strerror(-error));
}

/* Prepare, run and release. On success the run's counts and the rest of @p stay valid. */
static int one_pass(struct hazard *h, const struct hazard_cell *cell, struct pass *p, bool boosts,
		    json_t **manifest, struct reason *why)
{
	struct run *r = &p->run;
	int ret;

	memset(p, 0, sizeof(*p));
	set_params(h, cell, boosts, &r->params);
	r->part = true;
	r->sharing = cell->contender ? cell->contender->vectors : 0;
	ret = run_prepare(r, h->target, why);
	if (ret)
		return ret;
	p->signaller = r->irq_thread.tid;
	ret = start_boosts(h, p, boosts, why);
	if (!ret)
		ret = contend(h, cell, p, why);
	if (!ret)
		ret = go(h, cell, p, boosts, why);
	if (!ret)
		ret = check_contender(cell, p, why);
	if (!ret)
		*manifest = manifest_json(r);
	run_release(r);
	/* run_start() took this thread off the poller's CPU, which another cell's may be. */
	cpulist_bind(&h->allowed);
	return ret;
}

static json_t *known(uint64_t n)
{
	return n == SWITCHES_UNKNOWN ? json_null() : json_integer((json_int_t)n);
}

static json_t *contender_json(const struct hazard *h, const struct hazard_cell *cell,
			      const struct pass *p)
{
	json_t *o;

	if (!cell->contender)
		return json_null();
	o = json_object();
	json_object_set_new(o, "kind", json_string(cell->contender->name));
	json_object_set_new(o, "on", json_string(hazard_cpu_name(cell->contender_cpu)));
	json_object_set_new(o, "cpu", json_integer(p->contender.cpu));
	json_object_set_new(o, "policy", json_string(h->params.contender_priority ? "FIFO" :
								       "OTHER"));
	json_object_set_new(o, "priority", json_integer(h->params.contender_priority));
	json_object_set_new(o, "operations",
			    json_integer((json_int_t)atomic_load(&p->contender.operations)));
	json_object_set_new(o, "taken", json_integer((json_int_t)p->run.links.taken));
	json_object_set_new(o, "reads", json_integer((json_int_t)p->run.links.takes));
	json_object_set_new(o, "taken_is_a_guess", json_boolean(cell->contender->blind));
	json_object_set_new(o, "signals", json_integer((json_int_t)p->run.links.foreign));
	return o;
}

static json_t *cell_json(const struct hazard *h, const struct hazard_cell *cell,
			 const struct pass *p, const json_t *run)
{
	static const char *const keys[] = {
		"poller", "interrupt", "irq_thread", "trigger", "counts", "merges", "invariant",
		"probe", "verdicts", "valid", "state",
	};
	json_t *o = json_object(), *switches = json_object();
	size_t i;

	json_object_set_new(o, "relation", json_string(run_relation_name(cell->relation)));
	json_object_set_new(o, "poller_on", json_string(hazard_cpu_name(cell->poller_cpu)));
	json_object_set_new(o, "wait", json_string(cell->wait->name));
	json_object_set_new(o, "contender", contender_json(h, cell, p));
	for (i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		json_object_set(o, keys[i], json_object_get(run, keys[i]));
	json_object_set(o, "latency", json_array_get(json_object_get(run, "stages"), 0));
	json_object_set_new(switches, "poller", known(p->poller_switches));
	json_object_set_new(switches, "irq_thread", known(p->signaller_switches));
	json_object_set_new(o, "involuntary_switches", switches);
	json_object_set_new(o, "why", json_string(p->run.why.text));
	json_object_set_new(o, "boosts", json_null());
	return o;
}

static json_t *boosts_json(const struct pass *p)
{
	json_t *o = json_object();

	json_object_set_new(o, "events", json_integer((json_int_t)p->run.links.fired));
	json_object_set_new(o, "irq_thread", json_integer((json_int_t)p->boosts[0].boosts));
	json_object_set_new(o, "poller", json_integer((json_int_t)p->boosts[1].boosts));
	json_object_set_new(o, "contender", json_integer((json_int_t)p->boosts[2].boosts));
	return o;
}

/* The second pass: the same with a trace of the boosts, whose latencies nobody looks at. */
static int count_boosts(struct hazard *h, const struct hazard_cell *cell, struct pass *p,
			json_t *result, struct reason *why)
{
	json_t *m = NULL;
	int ret;

	if (!h->boost.instance)
		return 0;
	ret = one_pass(h, cell, p, true, &m, why);
	if (ret)
		return ret;
	h->valid &= run_valid(&p->run);
	if (p->boosts_known)
		json_object_set_new(result, "boosts", boosts_json(p));
	json_decref(m);
	return 0;
}

int hazard_measure(struct hazard *h, const struct hazard_cell *cell, struct reason *why)
{
	struct pass *p = aligned_alloc(_Alignof(struct pass), sizeof(*p));
	json_t *m = NULL, *result;
	int ret;

	if (!p)
		return -ENOMEM;
	ret = one_pass(h, cell, p, false, &m, why);
	if (ret)
		goto free_pass;
	result = cell_json(h, cell, p, m);
	h->valid &= run_valid(&p->run);
	h->failed |= p->run.state == RUN_FAILED;
	json_decref(m);
	if (!h->failed)
		ret = count_boosts(h, cell, p, result, why);
	if (ret)
		json_decref(result);
	else
		json_array_append_new(h->results, result);
free_pass:
	free(p);
	return ret;
}
