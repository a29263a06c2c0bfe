// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <math.h>
#include <string.h>

#include "host.h"
#include "manifest.h"
#include "text.h"
#include "version.h"

static const double shares[] = { 0.5, 0.9, 0.99, 0.999, 0.9999, 0.99999, 0.999999 };

static json_t *number_or_null(uint64_t n, bool known)
{
	return known && n != ACCOUNT_UNKNOWN ? json_integer((json_int_t)n) : json_null();
}

static void set_number(json_t *o, const char *key, uint64_t n)
{
	json_object_set_new(o, key, json_integer((json_int_t)n));
}

static void set_text(json_t *o, const char *key, const char *text)
{
	json_object_set_new(o, key, text_json(text));
}

/* Round to the digits that mean something, so that a file is read and compared with ease. */
static json_t *rounded(double v, double unit)
{
	return json_real(round(v / unit) * unit);
}

static void add_option(void *arg, const char *name, const char *value, bool bare)
{
	json_t *v = bare ? json_loads(value, JSON_DECODE_ANY, NULL) : text_json(value);

	json_object_set_new(arg, name, v);
}

static json_t *command_json(const struct run *r)
{
	json_t *command = json_array();
	int i;

	json_array_append_new(command, text_json("msilat"));
	for (i = 0; i < r->argc; i++)
		json_array_append_new(command, text_json(r->argv[i]));
	return command;
}

static json_t *device_json(const struct run *r)
{
	const struct pci_function *fn = &r->device.vfio.fn;
	json_t *o = json_object();
	char name[PCI_NAME_MAX], id[16];

	set_text(o, "backend", r->backend->name);
	set_number(o, "vector", (uint64_t)r->params.vector);
	if (r->sim) {
		set_text(o, "name", "simulated device");
		return o;
	}
	pci_name(fn, name);
	snprintf(id, sizeof(id), "%04x:%04x", fn->vendor, fn->device);
	set_text(o, "bdf", fn->bdf);
	set_text(o, "id", id);
	set_text(o, "name", name);
	set_text(o, "driver", fn->driver);
	set_number(o, "vectors", r->device.vfio.vectors);
	set_text(o, "irq_type", fn->msix ? "msix" : "msi");
	json_object_set_new(o, "numa_node", json_integer(fn->numa_node));
	return o;
}

static json_t *thread_json(int64_t priority, int64_t cpu)
{
	json_t *o = json_object();

	set_text(o, "policy", priority ? "FIFO" : "OTHER");
	json_object_set_new(o, "priority", json_integer(priority));
	json_object_set_new(o, "cpu", cpu < 0 ? json_null() : json_integer(cpu));
	return o;
}

static json_t *irq_json(const struct run *r)
{
	json_t *o;

	if (!r->irq)
		return json_null();
	o = json_object();
	set_number(o, "irq", r->irq);
	json_object_set_new(o, "cpu", r->irq_cpu < 0 ? json_null() : json_integer(r->irq_cpu));
	return o;
}

static json_t *irq_thread_json(const struct run *r)
{
	json_t *o;

	if (!r->irq_thread.tid)
		return json_null();
	o = thread_json(r->irq_thread.priority, r->irq_cpu);
	set_text(o, "kind", strategy_thread_name(r->irq_thread_kind));
	set_number(o, "tid", (uint64_t)r->irq_thread.tid);
	set_number(o, "irq", r->irq);
	return o;
}

static json_t *schedule_json(const struct run *r)
{
	const struct params *p = &r->params;
	json_t *o = json_object();

	set_number(o, "interval_us", (uint64_t)p->interval_us);
	set_number(o, "jitter_us", (uint64_t)p->jitter_us);
	set_number(o, "seed", (uint64_t)p->seed);
	set_number(o, "count", (uint64_t)p->loops);
	set_number(o, "duration_s", (uint64_t)p->duration);
	set_number(o, "burst", (uint64_t)p->burst);
	return o;
}

static void add_fact(void *arg, const char *key, const char *value)
{
	set_text(arg, key, value);
}

static json_t *lab_json(const struct run *r)
{
	json_t *o;

	if (r->mode == LAB_HARDWARE)
		return json_null();
	o = json_object();
	lab_each(add_fact, o);
	set_text(o, "mode", lab_mode_name(r->mode));
	return o;
}

static json_t *clock_json(const struct run *r)
{
	json_t *o = json_object();

	set_text(o, "source", r->health.name);
	set_text(o, "kernel_source", r->health.source);
	json_object_set_new(o, "hz", rounded(r->rate.hz, 1));
	json_object_set_new(o, "error_ppm", rounded(r->rate.error_ppm, 0.01));
	json_object_set_new(o, "drift_ppm", rounded(r->rate.drift_ppm, 0.1));
	json_object_set_new(o, "stable", json_boolean(clock_stable(&r->health)));
	set_text(o, "note", r->health.text);
	return o;
}

static json_t *probe_json(const struct run *r)
{
	static const char *const names[MSILAT_LOCK_STATES] = {
		[MSILAT_LOCK_FREE] = "free",
		[MSILAT_LOCK_HANDOFF] = "handoff",
		[MSILAT_LOCK_SELF] = "self",
		[MSILAT_LOCK_RUNNING] = "running",
		[MSILAT_LOCK_NOT_RUNNING] = "not_running",
		[MSILAT_LOCK_OWN_THREAD] = "own_thread",
		[MSILAT_LOCK_OTHER_THREAD] = "other_thread",
	};
	json_t *o;
	int i;

	if (!r->links.primary || r->sim)
		return json_null();
	o = json_object();
	for (i = 0; i < MSILAT_LOCK_STATES; i++)
		set_number(o, names[i], r->after.lock_states[i] - r->before.lock_states[i]);
	set_number(o, "recursion", r->after.recursion - r->before.recursion);
	set_text(o, "limits", "an indicator, not a proof: classified without taking the lock; a lower "
		 "bound with epoll, whose own lock is not seen; near zero where nobody uses the eventfd; the "
		 "vector's own signalling thread is benign and not counted as a hit");
	return o;
}

static json_t *counts_json(const struct run *r)
{
	const struct account_in *in = &r->links;
	json_t *o = json_object();

	set_number(o, "fired", in->fired);
	json_object_set_new(o, "isr", number_or_null(in->isr, in->driver && in->primary));
	json_object_set_new(o, "irqs", number_or_null(in->irqs, in->irqs_known));
	json_object_set_new(o, "threads", number_or_null(in->threads, in->driver));
	json_object_set_new(o, "signals", number_or_null(in->signals, in->driver));
	json_object_set_new(o, "catchups", number_or_null(in->catchups, in->driver));
	json_object_set_new(o, "eventfds", number_or_null(in->eventfds, in->driver));
	set_number(o, "values", in->values);
	set_number(o, "wakes", in->wakes);
	set_number(o, "seen", in->seen);
	set_number(o, "samples", r->recording.samples);
	set_number(o, "samples_merged", r->recording.merged);
	set_number(o, "unattributed", r->recording.unattributed);
	set_number(o, "lost", r->account.lost);
	set_number(o, "ring_drops", in->ring_drops);
	set_number(o, "overdue", in->overdue);
	set_number(o, "late", atomic_load(&r->trigger.late));
	set_number(o, "stamps_lost", in->stamps_lost);
	set_number(o, "disordered", in->disordered);
	json_object_set_new(o, "resent", number_or_null(r->resent, in->driver));
	return o;
}

static json_t *merges_json(const struct account *a)
{
	json_t *o = json_object();

	json_object_set_new(o, "device_to_isr", number_or_null(a->device_to_isr, true));
	json_object_set_new(o, "isr_to_thread", number_or_null(a->isr_to_thread, true));
	json_object_set_new(o, "wake", number_or_null(a->wake, true));
	json_object_set_new(o, "unknown", number_or_null(a->unknown, true));
	return o;
}

/* Latencies are in instructions in exact mode, where a cycle is one; else in ns. */
static double in_unit(const struct run *r, double cycles)
{
	return r->mode == LAB_EXACT ? cycles : cycles * 1e9 / r->rate.hz;
}

static json_t *latency(const struct run *r, double cycles)
{
	double v = in_unit(r, cycles);

	return r->mode == LAB_EXACT ? json_integer((json_int_t)v) : rounded(v, 0.1);
}

static json_t *quantiles_json(const struct run *r, const struct histogram *h)
{
	json_t *all = json_array(), *one;
	struct histogram_quantile q;
	size_t i;

	for (i = 0; i < sizeof(shares) / sizeof(shares[0]); i++) {
		if (!histogram_quantile(h, shares[i], &q))
			continue;
		one = json_object();
		json_object_set_new(one, "p", rounded(shares[i] * 100, 1e-6));
		json_object_set_new(one, "value", latency(r, (double)q.value));
		json_object_set_new(one, "low", latency(r, (double)q.low));
		json_object_set_new(one, "high", latency(r, (double)q.high));
		json_array_append_new(all, one);
	}
	return all;
}

static json_t *stage_json(const struct run *r, const struct stage *s)
{
	const struct histogram *h = &s->histogram;
	json_t *o = json_object();
	uint64_t commonest, count;

	set_text(o, "name", s->name);
	set_number(o, "count", h->count);
	json_object_set_new(o, "min", h->count ? latency(r, (double)h->min) : json_null());
	json_object_set_new(o, "max", h->count ? latency(r, (double)h->max) : json_null());
	json_object_set_new(o, "mean", h->count ?
			    rounded(in_unit(r, histogram_mean(h)), 0.1) : json_null());
	json_object_set_new(o, "commonest", json_null());
	json_object_set_new(o, "commonest_count", json_null());
	if (r->mode == LAB_EXACT && h->count) {
		commonest = paths_commonest(&s->paths, &count);
		set_number(o, "commonest", commonest);
		set_number(o, "commonest_count", count);
		set_number(o, "paths", s->paths.used);
		set_number(o, "paths_beyond", s->paths.beyond);
	}
	/* A tail of path lengths says nothing about a machine. */
	json_object_set_new(o, "percentiles",
			    r->mode == LAB_EXACT ? json_array() : quantiles_json(r, h));
	return o;
}

static json_t *stages_json(const struct run *r)
{
	json_t *all = json_array();
	unsigned int i;

	for (i = 0; i < r->recording.stages.count; i++)
		json_array_append_new(all, stage_json(r, &r->recording.stages.stage[i]));
	return all;
}

static void add_verdict(json_t *all, const char *name, bool ok, const char *text)
{
	json_t *o = json_object();

	set_text(o, "name", name);
	json_object_set_new(o, "ok", json_boolean(ok));
	set_text(o, "text", text);
	json_array_append_new(all, o);
}

static json_t *verdicts_json(const struct run *r)
{
	json_t *all = json_array();
	char text[320];

	add_verdict(all, "accounting", r->account.valid, r->account.text);
	snprintf(text, sizeof(text), "%s at %.3f MHz ± %.2f ppm%s%s", r->health.name,
		 r->rate.hz / 1e6, r->rate.error_ppm, r->health.text[0] ? "; " : "",
		 r->health.text);
	add_verdict(all, "clock", clock_stable(&r->health), text);
	if (r->links.disordered) {
		snprintf(text, sizeof(text),
			 "%llu events have stamps in the wrong order: the CPUs' counters disagree",
			 (unsigned long long)r->links.disordered);
		add_verdict(all, "stamps", false, text);
	}
	if (r->resent) {
		snprintf(text, sizeof(text),
			 "%llu of %llu interrupts came from softirq instead of hard IRQ: this platform cannot raise them otherwise, and their latencies are not those of an interrupt",
			 (unsigned long long)r->resent, (unsigned long long)r->links.fired);
		add_verdict(all, "inject", false, text);
	}
	if (r->links.stamps_lost) {
		snprintf(text, sizeof(text),
			 "%llu wakes lack the driver's stamps: its records were overwritten first",
			 (unsigned long long)r->links.stamps_lost);
		add_verdict(all, "stages", true, text);
	}
	if (!r->memory_locked)
		add_verdict(all, "memory", false,
			    "memory is not locked (RLIMIT_MEMLOCK): page faults may be in the numbers");
	if (r->relation == RUN_ABOVE && r->wait_ops->wake == STRATEGY_WAKE_EVENTFD &&
	    (r->irq_cpu < 0 || r->irq_cpu == r->params.cpu)) {
		snprintf(text, sizeof(text),
			 "the poller is above the %s that signals: on the same CPU it preempts it inside the eventfd's lock; use -p or --irq-prio",
			 strategy_thread_name(r->irq_thread_kind));
		add_verdict(all, "priority", false, text);
	}
	if (r->why.text[0])
		add_verdict(all, "run", false, r->why.text);
	return all;
}

static void put_started(json_t *m, const struct run *r)
{
	char text[32];
	struct tm tm;

	gmtime_r(&r->started.tv_sec, &tm);
	strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%SZ", &tm);
	set_text(m, "started", text);
	json_object_set_new(m, "elapsed_s",
			    rounded(clock_ns(&r->rate, r->last.cycles - r->first.cycles) / 1e9,
				    0.001));
}

static void put_head(json_t *m, const struct run *r)
{
	json_t *tool = json_object(), *options = json_object();

	set_number(m, "schema", MANIFEST_SCHEMA);
	set_text(tool, "name", "msilat");
	set_text(tool, "version", MSILAT_VERSION);
	json_object_set_new(m, "tool", tool);
	set_text(m, "state", run_state_name(r->state));
	set_text(m, "label", r->result.label);
	json_object_set_new(m, "command", command_json(r));
	options_each(params_rows, &r->params, add_option, options);
	json_object_set_new(m, "options", options);
	put_started(m, r);
	set_text(m, "mode", r->sim ? "sim" : lab_mode_name(r->mode));
	set_text(m, "unit", r->mode == LAB_EXACT ? "instructions" : "ns");
}

static void put_setup(json_t *m, const struct run *r)
{
	json_object_set_new(m, "device", device_json(r));
	set_text(m, "strategy", r->strategy->name);
	json_object_set_new(m, "safe_on_rt", json_boolean(r->strategy->safe));
	set_text(m, "wait", r->wait_ops->name);
	set_text(m, "eventfd", run_eventfd_name(r->eventfd_use));
	set_text(m, "scenario", r->scenario->name);
	json_object_set_new(m, "poller", thread_json(r->params.priority, r->params.cpu));
	json_object_set_new(m, "interrupt", irq_json(r));
	json_object_set_new(m, "irq_thread", irq_thread_json(r));
	set_text(m, "priority_relation", run_relation_name(r->relation));
	json_object_set_new(m, "trigger", r->scenario->poller_fires ? json_null() :
			    thread_json(r->params.trigger_priority, r->params.trigger_cpu));
	json_object_set_new(m, "schedule", schedule_json(r));
	json_object_set_new(m, "load", json_null());
	json_object_set_new(m, "host", host_json((int)r->params.cpu));
	json_object_set_new(m, "lab", lab_json(r));
	json_object_set_new(m, "clock", clock_json(r));
}

json_t *manifest_json(const struct run *r)
{
	json_t *m = json_object(), *invariant = json_object();
	bool valid = run_valid(r);

	put_head(m, r);
	put_setup(m, r);
	json_object_set_new(m, "counts", counts_json(r));
	json_object_set_new(m, "merges", merges_json(&r->account));
	json_object_set_new(m, "probe", probe_json(r));
	json_object_set_new(invariant, "holds", json_boolean(r->account.valid));
	set_text(invariant, "text", r->account.text);
	json_object_set_new(m, "invariant", invariant);
	json_object_set_new(m, "verdicts", verdicts_json(r));
	json_object_set_new(m, "valid", json_boolean(valid));
	json_object_set_new(m, "exit", json_integer(valid ? 0 : 3));
	json_object_set_new(m, "stages", stages_json(r));
	return m;
}

json_t *manifest_load(const char *dir, struct reason *why)
{
	char path[RESULT_PATH_MAX];
	json_error_t error;
	json_t *m;

	if (snprintf(path, sizeof(path), "%s/manifest.json", dir) >= (int)sizeof(path)) {
		reason_set(why, -ENAMETOOLONG, "the path is too long: %.80s…", dir);
		return NULL;
	}
	m = json_load_file(path, JSON_REJECT_DUPLICATES, &error);
	if (!m && error.line < 0) {
		reason_set(why, -ENOENT, "%s: not a result directory (no readable manifest.json)",
			   dir);
		return NULL;
	}
	if (!m) {
		reason_set(why, -EINVAL, "%s: damaged at line %d: %s", path, error.line, error.text);
		return NULL;
	}
	if (json_integer_value(json_object_get(m, "schema")) != MANIFEST_SCHEMA) {
		reason_set(why, -EPROTO, "%s: schema %lld; this program reads %d", path,
			   (long long)json_integer_value(json_object_get(m, "schema")),
			   MANIFEST_SCHEMA);
		json_decref(m);
		return NULL;
	}
	return m;
}
