// SPDX-License-Identifier: GPL-2.0-only
/* The manifest of msilat hazard, documented in results/README.md, and what follows from it. */
#include <math.h>
#include <string.h>
#include <time.h>

#include "clock.h"
#include "hazard.h"
#include "json.h"
#include "text.h"

#define WORTH_SAYING 1.1	/* ratio from which on an inversion is called one */

static void add_option(void *arg, const char *name, const char *value, bool bare)
{
	json_object_set_new(arg, name, bare ? json_loads(value, JSON_DECODE_ANY, NULL) :
					      text_json(value));
}

static json_t *command_json(const struct hazard *h)
{
	json_t *command = json_array();
	int i;

	json_array_append_new(command, text_json("msilat"));
	for (i = 0; i < h->argc; i++)
		json_array_append_new(command, text_json(h->argv[i]));
	return command;
}

static void put_times(json_t *m, const struct hazard *h)
{
	char text[32];
	struct tm tm;

	gmtime_r(&h->started.tv_sec, &tm);
	strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%SZ", &tm);
	json_object_set_new(m, "started", json_string(text));
	json_object_set_new(m, "elapsed_s",
			    json_real(round((double)(clock_monotonic() - h->began) / 1e6) / 1e3));
}

/* What a latency is compared by: path lengths by the shortest, times by the median. */
static double typical(const json_t *m, const json_t *cell)
{
	const json_t *latency = json_object_get(cell, "latency");
	const json_t *median = json_percentile(latency, 50);

	if (!strcmp(json_text(m, "mode"), "exact") || !median)
		return json_number(latency, "min");
	return json_number(median, "value");
}

static bool is_cell(const json_t *cell, const char *relation, const char *poller_on,
		    const char *wait)
{
	return !strcmp(json_text(cell, "relation"), relation) &&
	       !strcmp(json_text(cell, "poller_on"), poller_on) &&
	       !strcmp(json_text(cell, "wait"), wait) &&
	       json_is_null(json_object_get(cell, "contender"));
}

static const json_t *counterpart(const json_t *m, const json_t *above)
{
	const json_t *cell;
	size_t i;

	json_array_foreach(json_object_get(m, "cells"), i, cell)
		if (is_cell(cell, "below", json_text(above, "poller_on"), json_text(above, "wait")))
			return cell;
	return NULL;
}

/* A count of a cell by its events; null where it was not counted. */
static json_t *per_event(const json_t *count, double events)
{
	if (!json_is_number(count) || events < 1)
		return json_null();
	return json_real(round(json_number_value(count) / events * 1000) / 1000);
}

static json_t *comparison(const json_t *m, const json_t *above, const json_t *below)
{
	const json_t *boosts = json_object_get(above, "boosts");
	double a = typical(m, above), b = typical(m, below);
	json_t *o;

	if (!(a > 0 && b > 0))
		return NULL;
	o = json_object();
	json_object_set(o, "poller_on", json_object_get(above, "poller_on"));
	json_object_set(o, "wait", json_object_get(above, "wait"));
	json_object_set_new(o, "below", json_real(b));
	json_object_set_new(o, "above", json_real(a));
	json_object_set_new(o, "ratio", json_real(round(a / b * 1000) / 1000));
	json_object_set_new(o, "boosts_per_event",
			    per_event(json_object_get(boosts, "irq_thread"),
				      json_number(boosts, "events")));
	json_object_set_new(o, "switches_per_event",
			    per_event(json_object_get(json_object_get(above,
								      "involuntary_switches"),
						      "irq_thread"),
				      json_number(json_object_get(above, "counts"), "fired")));
	return o;
}

json_t *hazard_inversion(const json_t *m)
{
	json_t *all = json_array(), *one;
	const json_t *above, *below;
	size_t i;

	json_array_foreach(json_object_get(m, "cells"), i, above) {
		if (!is_cell(above, "above", json_text(above, "poller_on"),
			     json_text(above, "wait")))
			continue;
		below = counterpart(m, above);
		one = below ? comparison(m, above, below) : NULL;
		if (one)
			json_array_append_new(all, one);
	}
	return all;
}

/* The worst comparison on the interrupt's CPU. */
static const json_t *worst(const json_t *inversion)
{
	const json_t *one, *found = NULL;
	size_t i;

	json_array_foreach(inversion, i, one)
		if (!strcmp(json_text(one, "poller_on"), "same") &&
		    (!found || json_number(one, "ratio") > json_number(found, "ratio")))
			found = one;
	return found;
}

static void advise_inversion(const struct hazard *h, const json_t *m, json_t *advice)
{
	const json_t *one = worst(json_object_get(m, "inversion"));
	const char *thread = json_text(json_object_get(m, "irq_thread"), "kind");
	const char *what = h->mode == LAB_EXACT ? "path" :
			   h->mode == LAB_LIVE ? "emulator's time" : "time";
	const json_t *boosts = one ? json_object_get(one, "boosts_per_event") : NULL;
	const json_t *switches = one ? json_object_get(one, "switches_per_event") : NULL;
	char text[768], seen[128] = "";

	if (!one || h->sim)
		return;
	if (json_number(one, "ratio") < WORTH_SAYING) {
		snprintf(text, sizeof(text),
			 "A poller above its %s took %.2f × the %s of one below it, at worst (wait %s): no inversion to speak of was measured.",
			 thread, json_number(one, "ratio"), what, json_text(one, "wait"));
		json_array_append_new(advice, json_string(text));
		return;
	}
	if (json_is_number(boosts) && json_is_number(switches))
		snprintf(seen, sizeof(seen),
			 " (measured: %.2f boosts and %.2f involuntary switches of the thread an event)",
			 json_number_value(boosts), json_number_value(switches));
	snprintf(text, sizeof(text),
		 "A poller above its %s on the same CPU takes %.2f × the %s of one below it (wait %s): it preempts the thread inside the eventfd's lock, blocks on that lock and lends the thread its priority%s.",
		 thread, json_number(one, "ratio"), what, json_text(one, "wait"), seen);
	json_array_append_new(advice, json_string(text));
	snprintf(text, sizeof(text),
		 "Give the poller a priority just below its %s's: -p %d here, or raise the thread above the poller with --irq-prio. Or use strategy direct, which wakes the poller without that lock.",
		 thread, h->irq_priority - 1);
	json_array_append_new(advice, json_string(text));
}

/* Share of a cell's primaries that found the lock taken, its own thread apart; -1 if not probed. */
static double taken_share(const json_t *cell)
{
	static const char *const states[] = {
		"handoff", "self", "running", "not_running", "other_thread",
	};
	const json_t *probe = json_object_get(cell, "probe");
	double all = json_number(json_object_get(cell, "counts"), "isr"), sum = 0;
	size_t i;

	if (!json_is_object(probe) || all < 1)
		return -1;
	for (i = 0; i < sizeof(states) / sizeof(states[0]); i++)
		sum += json_number(probe, states[i]);
	return sum / all;
}

static void advise_probe(const json_t *m, json_t *advice)
{
	const json_t *cell, *found = NULL, *contender;
	char text[512];
	size_t i;

	json_array_foreach(json_object_get(m, "cells"), i, cell)
		if (taken_share(cell) > 0 && (!found || taken_share(cell) > taken_share(found)))
			found = cell;
	if (!found)
		return;
	contender = json_object_get(found, "contender");
	snprintf(text, sizeof(text),
		 "Up to %.1f %% of the interrupts found the eventfd's lock taken (poller %s, wait %s, contender %s): so often at least would strategy nothread have slept, spun or lost an event there.",
		 100 * taken_share(found), json_text(found, "relation"), json_text(found, "wait"),
		 json_is_object(contender) ? json_text(contender, "kind") : "none");
	json_array_append_new(advice, json_string(text));
}

static json_t *advice_json(const struct hazard *h, const json_t *m)
{
	json_t *advice = json_array();

	advise_inversion(h, m, advice);
	advise_probe(m, advice);
	return advice;
}

json_t *hazard_manifest(const struct hazard *h)
{
	json_t *m = json_deep_copy(h->head), *options = json_object();

	json_object_set_new(m, "kind", json_string("hazard"));
	json_object_set_new(m, "state", json_string(run_state_name(h->state)));
	json_object_set_new(m, "label", text_json(h->result.label));
	json_object_set_new(m, "command", command_json(h));
	options_each(hazard_rows, &h->params, add_option, options);
	json_object_set_new(m, "options", options);
	put_times(m, h);
	json_object_set_new(m, "irq_cpu", json_integer(h->irq_cpu));
	json_object_set_new(m, "other_cpu", h->other_cpu < 0 ? json_null() :
							       json_integer(h->other_cpu));
	json_object_set_new(m, "cells_planned", json_integer((json_int_t)h->count));
	json_object_set(m, "cells", h->results);
	json_object_set(m, "left_out", h->notes);
	json_object_set_new(m, "no_boosts", h->no_boost.text[0] ? text_json(h->no_boost.text) :
								  json_null());
	json_object_set_new(m, "inversion", hazard_inversion(m));
	json_object_set_new(m, "advice", advice_json(h, m));
	json_object_set_new(m, "valid", json_boolean(h->valid));
	json_object_set_new(m, "exit", json_integer(h->valid ? 0 : 3));
	return m;
}
