// SPDX-License-Identifier: GPL-2.0-only
/* What comes before the first cell: checks, a look at the device, the matrix; and what after. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "hazard.h"
#include "host.h"
#include "manifest.h"
#include "text.h"

#define DEFAULT_LOOPS 100
#define EVERYTHING "all"

static void note(struct hazard *h, const char *what, const char *why)
{
	json_t *o = json_object();

	json_object_set_new(o, "left_out", text_json(what));
	json_object_set_new(o, "why", text_json(why));
	json_array_append_new(h->notes, o);
}

/* The eventfd is always there; another wake only where it is the strategy's. */
static void drop_waits(struct hazard_axes *a)
{
	const struct wait_ops *ops;
	unsigned int i;

	for (i = 0; (ops = hazard_wait(i)); i++)
		if (ops->wake != STRATEGY_WAKE_EVENTFD && ops->wake != a->strategy->wake)
			a->waits &= ~(1u << i);
}

/* The first of the wait modes. */
static const struct wait_ops *first_wait(const struct hazard_axes *a)
{
	unsigned int i = 0;

	while (!(a->waits & 1u << i))
		i++;
	return hazard_wait(i);
}

static int parse_axes(struct hazard *h, struct reason *why)
{
	const struct hazard_params *p = &h->params;
	struct hazard_axes *a = &h->axes;
	int ret;

	a->strategy = strategy_find(p->strategy);
	ret = hazard_list("relation", p->relation, hazard_relation_name, &a->relations, why);
	/* RUN_NONE comes first and cannot be chosen. */
	a->relations <<= RUN_BELOW;
	if (!ret)
		ret = hazard_list("wait", p->wait, hazard_wait_name, &a->waits, why);
	if (!ret && !strcmp(p->wait, EVERYTHING))
		drop_waits(a);
	if (!ret)
		ret = hazard_list("contender", p->contender, hazard_contender_name,
				  &a->contenders, why);
	if (!ret)
		ret = hazard_list("poller-cpu", p->poller_cpu, hazard_cpu_name, &a->poller_cpus,
				  why);
	if (!ret)
		ret = hazard_list("contender-cpu", p->contender_cpu, hazard_cpu_name,
				  &a->contender_cpus, why);
	return ret;
}

static int check_rights(const struct hazard *h, struct reason *why)
{
	if (!strcmp(h->target, device_sim.name) || !geteuid())
		return 0;
	return reason_set(why, -EPERM,
			  "%s: hazard sets priorities and affinities of kernel threads and interrupts: run it as root",
			  h->target);
}

static int check_strategy(const struct hazard *h, struct reason *why)
{
	const struct strategy *s = h->axes.strategy;

	if (!s->safe && host_realtime())
		return reason_set(why, -EPERM,
				  "--strategy %s: under contention it crashes a PREEMPT_RT kernel; measure a safe one: its probe tells how often %s would have met the lock taken",
				  s->name, s->name);
	return 0;
}

/* The run that every cell is a variation of. */
static void set_base(struct hazard *h, struct params *p)
{
	*p = params_default;
	p->backend = h->params.backend;
	p->strategy = h->params.strategy;
	p->wait = first_wait(&h->axes)->name;
	p->priority = 0;
	p->irq_cpu = h->params.irq_cpu;
	p->loops = h->params.loops;
	p->duration = h->params.duration;
	p->interval_us = h->params.interval_us;
	p->jitter_us = h->params.jitter_us;
	p->seed = h->params.seed;
	p->timeout_ms = h->params.timeout_ms;
	p->vector = h->params.vector;
	p->sim = h->params.sim;
}

static int choose_cpus(struct hazard *h, const struct run *r, struct reason *why)
{
	struct cpulist others = h->allowed;

	h->irq_cpu = (int)h->params.irq_cpu;
	if (h->irq_cpu < 0)
		h->irq_cpu = r->irq_cpu < 0 ? (int)r->params.cpu : r->irq_cpu;
	if (!cpulist_usable(h->irq_cpu))
		return reason_set(why, -EINVAL,
				  "--irq-cpu %d: outside this process's cpuset, so that no poller can run there",
				  h->irq_cpu);
	cpulist_del(&others, h->irq_cpu);
	h->other_cpu = (int)h->params.other_cpu;
	if (h->other_cpu < 0)
		h->other_cpu = cpulist_last(&others);
	else if (h->other_cpu == h->irq_cpu)
		return reason_set(why, -EINVAL, "--other-cpu %d: that is the interrupt's CPU",
				  h->other_cpu);
	else if (!cpulist_usable(h->other_cpu))
		return reason_set(why, -EINVAL,
				  "--other-cpu %d: offline, or outside this process's cpuset",
				  h->other_cpu);
	return 0;
}

/* On one CPU everything is on the same; who asks for another is told. */
static int drop_other(struct hazard *h, const char *option, const char *asked, unsigned int *mask,
		      struct reason *why)
{
	if (h->other_cpu >= 0)
		return 0;
	if (strcmp(asked, EVERYTHING) && *mask & 1u << HAZARD_OTHER)
		return reason_set(why, -ENODEV, "--%s %s: this process may use one CPU only", option,
				  asked);
	*mask &= ~(1u << HAZARD_OTHER);
	return 0;
}

static int choose_relations(struct hazard *h, const struct run *r, struct reason *why)
{
	int lowest = h->axes.relations & 1u << RUN_BELOW ? 2 : 1;
	int highest = h->axes.relations & 1u << RUN_ABOVE ? 98 : 99;
	char text[160];

	if (h->sim)
		return 0;
	h->irq_priority = r->irq_thread.priority;
	if (!r->irq_thread.tid) {
		snprintf(text, sizeof(text), "strategy %s has no thread here that signals",
			 r->strategy->name);
		if (strcmp(h->params.relation, EVERYTHING))
			return reason_set(why, -ENOENT, "--relation %s: %s", h->params.relation,
					  text);
		note(h, "priority relations", text);
		h->axes.relations = 1u << RUN_NONE;
		return 0;
	}
	if (h->irq_priority < lowest || h->irq_priority > highest)
		return reason_set(why, -EINVAL,
				  "the thread that signals has priority %d, which leaves none for a poller %s it; use --irq-prio",
				  h->irq_priority, h->irq_priority < lowest ? "below" : "above");
	return 0;
}

/* Leave out what cannot be done here; who asked for it by name is told. */
static int choose_contenders(struct hazard *h, const struct run *r, struct reason *why)
{
	struct reason missing;
	const struct contender_ops *ops;
	unsigned int i;
	int ret;

	for (i = 0; (ops = contender_at(i)); i++) {
		if (!(h->axes.contenders & 2u << i) || !ops->available)
			continue;
		ret = ops->available(&r->device, &missing);
		if (!ret)
			continue;
		if (strcmp(h->params.contender, EVERYTHING))
			return reason_set(why, ret, "--contender %s: %s", ops->name, missing.text);
		h->axes.contenders &= ~(2u << i);
		note(h, ops->name, missing.text);
	}
	return 0;
}

/*
 * A real-time contender rests half of the time, but while it works nothing below it runs: it must
 * stay below the poller and the thread that signals, whose CPU it may share.
 */
static int check_contender_priority(const struct hazard *h, struct reason *why)
{
	int lowest = (int)params_default.priority;

	if (h->irq_priority)
		lowest = h->irq_priority - (h->axes.relations & 1u << RUN_BELOW ? 1 : 0);
	if (h->params.contender_priority && !h->sim && h->params.contender_priority >= lowest)
		return reason_set(why, -EDEADLK,
				  "--contender-prio %lld: must be below the poller's lowest priority, %d%s",
				  (long long)h->params.contender_priority, lowest,
				  h->irq_priority ? "; raise --irq-prio" : "");
	return 0;
}

static void keep(json_t *to, const json_t *from, const char *key)
{
	json_object_set(to, key, json_object_get(from, key));
}

/* What all cells have in common, as a run's manifest has it. */
static json_t *head_of(const struct run *r)
{
	static const char *const keys[] = {
		"schema", "tool", "mode", "unit", "device", "strategy", "safe_on_rt", "scenario",
		"interrupt", "irq_thread", "host", "lab", "clock", "schedule",
	};
	json_t *head = json_object(), *m = manifest_json(r);
	size_t i;

	for (i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		keep(head, m, keys[i]);
	json_decref(m);
	return head;
}

/* Prepare a run and give it up: what it finds out decides what can be measured. */
static int look(struct hazard *h, struct reason *why)
{
	struct run *r = calloc(1, sizeof(*r));
	int ret;

	if (!r)
		return -ENOMEM;
	set_base(h, &r->params);
	r->params.irq_priority = h->params.irq_priority;
	r->part = true;
	ret = run_prepare(r, h->target, why);
	if (ret)
		goto free_run;
	h->sim = r->sim;
	h->mode = r->mode;
	h->params.seed = r->params.seed;
	h->params.jitter_us = r->params.jitter_us;
	ret = choose_cpus(h, r, why);
	if (!ret)
		ret = drop_other(h, "poller-cpu", h->params.poller_cpu, &h->axes.poller_cpus, why);
	if (!ret)
		ret = drop_other(h, "contender-cpu", h->params.contender_cpu,
				 &h->axes.contender_cpus, why);
	if (!ret)
		ret = choose_relations(h, r, why);
	if (!ret)
		ret = choose_contenders(h, r, why);
	if (!ret)
		ret = check_contender_priority(h, why);
	h->head = head_of(r);
	run_release(r);
free_run:
	free(r);
	return ret;
}

static int make_cells(struct hazard *h)
{
	h->count = hazard_cells(&h->axes, NULL);
	h->cells = calloc(h->count, sizeof(*h->cells));
	if (!h->cells)
		return -ENOMEM;
	hazard_cells(&h->axes, h->cells);
	return 0;
}

int hazard_prepare(struct hazard *h, struct reason *why)
{
	int ret;

	h->knobs.lock = -1;
	h->valid = true;
	h->notes = json_array();
	h->results = json_array();
	if (!h->params.loops && !h->params.duration)
		h->params.loops = DEFAULT_LOOPS;
	ret = parse_axes(h, why);
	if (!ret)
		ret = check_rights(h, why);
	if (!ret)
		ret = check_strategy(h, why);
	if (!ret && cpulist_allowed(&h->allowed))
		cpulist_online(&h->allowed);
	if (!ret && strcmp(h->target, device_sim.name))
		ret = knobs_init(&h->knobs, why);
	if (!ret)
		ret = look(h, why);
	if (!ret)
		ret = make_cells(h);
	if (!ret)
		ret = result_open(&h->result, h->params.results, h->params.label, "hazard", why);
	if (ret) {
		hazard_release(h);
		return ret;
	}
	if (h->sim)
		reason_set(&h->no_boost, 0, "a simulated device has no thread to boost");
	else
		boost_open(&h->boost, &h->no_boost);
	clock_gettime(CLOCK_REALTIME, &h->started);
	h->began = clock_monotonic();
	return 0;
}

void hazard_release(struct hazard *h)
{
	boost_close(&h->boost);
	knobs_restore(&h->knobs);
	free(h->cells);
	json_decref(h->head);
	json_decref(h->results);
	json_decref(h->notes);
}
