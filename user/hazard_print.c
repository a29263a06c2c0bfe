// SPDX-License-Identifier: GPL-2.0-only
/* A result of msilat hazard as a person reads it. */
#include <inttypes.h>
#include <stdbool.h>
#include <string.h>

#include "hazard.h"
#include "json.h"
#include "summary.h"

#define COLUMNS 100
#define INDENT 2

static bool exact(const json_t *m)
{
	return !strcmp(json_text(m, "mode"), "exact");
}

/* Width of a character that begins at this byte. */
static size_t columns(const char *text, size_t bytes)
{
	size_t n = 0, i;

	for (i = 0; i < bytes; i++)
		n += (text[i] & 0xc0) != 0x80;
	return n;
}

/* A paragraph, indented, broken between words. */
static void put_paragraph(const char *text, FILE *out)
{
	size_t at = 0, word, wide;

	for (; *text; text += word) {
		text += strspn(text, " ");
		word = strcspn(text, " ");
		wide = columns(text, word);
		if (at && at + 1 + wide > COLUMNS) {
			fputc('\n', out);
			at = 0;
		}
		fprintf(out, "%*s%.*s", at ? 1 : INDENT, "", (int)word, text);
		at += (at ? 1 : INDENT) + wide;
	}
	fputc('\n', out);
}

static void put_head(const json_t *m, FILE *out)
{
	const json_t *device = json_object_get(m, "device"), *other = json_object_get(m, "other_cpu");
	const json_t *thread = json_object_get(m, "irq_thread");
	const char *bdf = json_string_value(json_object_get(device, "bdf"));

	fprintf(out, "%s vector %.0f, %s: interrupt on CPU %.0f", bdf ? bdf : "sim",
		json_number(device, "vector"), json_text(m, "strategy"), json_number(m, "irq_cpu"));
	if (json_is_number(other))
		fprintf(out, ", other CPU %.0f", json_number_value(other));
	if (json_is_object(thread))
		fprintf(out, ", %s %s %.0f", json_text(thread, "kind"), json_text(thread, "policy"),
			json_number(thread, "priority"));
	fputc('\n', out);
}

static bool same_group(const json_t *a, const json_t *b)
{
	return a && !strcmp(json_text(a, "relation"), json_text(b, "relation")) &&
	       !strcmp(json_text(a, "poller_on"), json_text(b, "poller_on"));
}

static void put_group(const json_t *m, const json_t *cell, FILE *out)
{
	const json_t *poller = json_object_get(cell, "poller");
	const char *relation = json_text(cell, "relation");

	fprintf(out, "  poller %s", json_text(poller, "policy"));
	if (json_number(poller, "priority") > 0)
		fprintf(out, " %.0f", json_number(poller, "priority"));
	if (!strcmp(json_text(m, "mode"), "sim"))
		fprintf(out, ", played %s", relation);
	else if (strcmp(relation, "none"))
		fprintf(out, ", %s its %s", !strcmp(relation, "equal") ? "equal to" : relation,
			json_text(json_object_get(cell, "irq_thread"), "kind"));
	fprintf(out, ", on %s\n", !strcmp(json_text(cell, "poller_on"), "same") ?
		"the interrupt's CPU" : "the other CPU");
}

/* "poll@other" */
static void contender_name(char *text, size_t size, const json_t *cell)
{
	const json_t *c = json_object_get(cell, "contender");

	if (json_is_object(c))
		snprintf(text, size, "%s@%s", json_text(c, "kind"), json_text(c, "on"));
	else
		snprintf(text, size, "none");
}

/* What is too large for its column is a number nobody needs all digits of. */
static void put_number(const json_t *number, int width, FILE *out)
{
	char text[SUMMARY_NUMBER_MAX] = "-";

	if (json_is_number(number))
		summary_number(text, json_number_value(number));
	if (strlen(text) > (size_t)width)
		snprintf(text, sizeof(text), "%.0e", json_number_value(number));
	fprintf(out, " %*s", width, text);
}

static void put_latency(const json_t *m, const json_t *cell, FILE *out)
{
	const json_t *l = json_object_get(cell, "latency");

	put_number(json_object_get(l, "min"), 9, out);
	if (exact(m)) {
		put_number(json_object_get(l, "commonest"), 9, out);
		put_number(json_object_get(l, "paths"), 9, out);
	} else {
		put_number(json_object_get(json_percentile(l, 50), "value"), 9, out);
		put_number(json_object_get(json_percentile(l, 99), "value"), 9, out);
	}
	put_number(json_object_get(l, "max"), 11, out);
}

static double merges_of(const json_t *cell)
{
	static const char *const places[] = {
		"device_to_isr", "isr_to_thread", "wake", "unknown",
	};
	double sum = 0;
	size_t i;

	for (i = 0; i < sizeof(places) / sizeof(places[0]); i++)
		sum += json_number(json_object_get(cell, "merges"), places[i]);
	return sum;
}

/* Boosts of the signalling thread, for each event of the pass that counted them. */
static void put_boosts(const json_t *cell, FILE *out)
{
	const json_t *b = json_object_get(cell, "boosts");

	if (json_is_object(b) && json_number(b, "events") > 0)
		fprintf(out, " %6.2f", json_number(b, "irq_thread") / json_number(b, "events"));
	else
		fprintf(out, " %6s", "-");
}

static void put_cell(const json_t *m, const json_t *cell, FILE *out)
{
	const json_t *switches = json_object_get(cell, "involuntary_switches");
	const json_t *counts = json_object_get(cell, "counts");
	char name[32];

	contender_name(name, sizeof(name), cell);
	fprintf(out, "  %c %-6s %-12s", json_is_true(json_object_get(cell, "valid")) ? ' ' : '!',
		json_text(cell, "wait"), name);
	put_latency(m, cell, out);
	put_number(json_object_get(switches, "poller"), 5, out);
	put_number(json_object_get(switches, "irq_thread"), 6, out);
	put_boosts(cell, out);
	fprintf(out, " %6.0f", merges_of(cell));
	put_number(json_object_get(counts, "fired"), 7, out);
	fputc('\n', out);
}

static void put_cells(const json_t *m, FILE *out)
{
	const json_t *cell, *last = NULL;
	size_t i;

	fprintf(out, "  %-63s %13s %6s\n", exact(m) ? "latency: instructions" : "latency: ns",
		"invol. switch", "boosts");
	fprintf(out, "    %-6s %-12s %9s %9s %9s %11s %5s %6s %6s %6s %7s\n", "wait", "contender",
		"min", exact(m) ? "commonest" : "p50", exact(m) ? "paths" : "p99", "max",
		"poll.", "thread", "/event", "merged", "events");
	json_array_foreach(json_object_get(m, "cells"), i, cell) {
		if (!same_group(last, cell))
			put_group(m, cell, out);
		put_cell(m, cell, out);
		last = cell;
	}
}

#define STATES 7

static const char *const states[STATES] = {
	"handoff", "self", "running", "not_running", "other_thread", "own_thread", "recursion",
};

static bool found_taken(const json_t *probe)
{
	int s;

	for (s = 0; s < STATES; s++)
		if (json_number(probe, states[s]) > 0)
			return true;
	return false;
}

/* Cells where it was always free are not worth a line. */
static void put_probe(const json_t *m, FILE *out)
{
	const json_t *cell, *last = NULL, *probe;
	double all;
	char name[32];
	size_t i;
	int s;

	fputs("\n  hazard probe: where the hard IRQ found the eventfd's lock not free, % of its interrupts\n"
	      "  (own thread: benign, kept apart; recursion: eventfd's guard was set)\n", out);
	fprintf(out, "    %-6s %-12s %9s %9s %9s %9s %9s %9s %9s\n", "wait", "contender", "hand-off",
		"self", "running", "not run.", "other thr", "own thr", "recursion");
	json_array_foreach(json_object_get(m, "cells"), i, cell) {
		probe = json_object_get(cell, "probe");
		all = json_number(json_object_get(cell, "counts"), "isr");
		if (!found_taken(probe))
			continue;
		if (!same_group(last, cell))
			put_group(m, cell, out);
		last = cell;
		contender_name(name, sizeof(name), cell);
		fprintf(out, "    %-6s %-12s", json_text(cell, "wait"), name);
		for (s = 0; s < STATES; s++)
			fprintf(out, " %9.2f", 100 * json_number(probe, states[s]) / all);
		fputc('\n', out);
	}
	if (!last)
		fputs("    it was free each time, in every cell\n", out);
	fputs("  (an indicator, no proof: a lower bound with epoll, near zero where nobody uses the eventfd)\n",
	      out);
}

static bool probed(const json_t *m)
{
	const json_t *cell;
	size_t i;

	json_array_foreach(json_object_get(m, "cells"), i, cell)
		if (json_is_object(json_object_get(cell, "probe")))
			return true;
	return false;
}

static void put_takers(const json_t *m, FILE *out)
{
	const json_t *cell, *c;
	double taken = 0, guessed = 0;
	size_t i;

	json_array_foreach(json_object_get(m, "cells"), i, cell) {
		c = json_object_get(cell, "contender");
		if (json_is_true(json_object_get(c, "taken_is_a_guess")))
			guessed += json_number(c, "taken");
		else
			taken += json_number(c, "taken");
	}
	if (taken > 0)
		fprintf(out, "  %.0f events were taken by other readers of the eventfd (in the account)\n",
			taken);
	if (guessed > 0)
		fprintf(out, "  %.0f are missing where irqfd contends: KVM took them and does not count; a loss would not show\n",
			guessed);
}

static void put_invalid(const json_t *m, FILE *out)
{
	const json_t *cell;
	char name[32];
	size_t i;

	json_array_foreach(json_object_get(m, "cells"), i, cell) {
		if (json_is_true(json_object_get(cell, "valid")))
			continue;
		contender_name(name, sizeof(name), cell);
		fprintf(out, "  ! %s %s %s %s: %s%s%s\n", json_text(cell, "relation"),
			json_text(cell, "poller_on"), json_text(cell, "wait"), name,
			json_text(json_object_get(cell, "invariant"), "text"),
			json_text(cell, "why")[0] ? "; " : "", json_text(cell, "why"));
	}
}

static void put_notes(const json_t *m, FILE *out)
{
	const json_t *one;
	char text[512];
	size_t i;

	put_takers(m, out);
	put_invalid(m, out);
	json_array_foreach(json_object_get(m, "left_out"), i, one) {
		snprintf(text, sizeof(text), "skipped: %s: %s", json_text(one, "left_out"),
			 json_text(one, "why"));
		put_paragraph(text, out);
	}
	if (json_is_string(json_object_get(m, "no_boosts"))) {
		snprintf(text, sizeof(text), "no boosts: %s", json_text(m, "no_boosts"));
		put_paragraph(text, out);
	}
	if (!strcmp(json_text(m, "mode"), "live"))
		put_paragraph("live lab: these times are the wall clock of an emulator, not a host's latency",
			      out);
	else if (!strcmp(json_text(m, "mode"), "sim"))
		put_paragraph("simulated device: these times are thread wake-ups in one process; relations are played, there is no IRQ thread",
			      out);
	else if (exact(m))
		put_paragraph("exact mode counts instructions on an emulated CPU: it compares code paths, it does not predict microseconds",
			      out);
}

static void put_advice(const json_t *m, FILE *out)
{
	const json_t *one;
	size_t i;

	if (json_array_size(json_object_get(m, "advice")))
		fputc('\n', out);
	json_array_foreach(json_object_get(m, "advice"), i, one)
		put_paragraph(json_string_value(one), out);
}

void hazard_print(const json_t *m, FILE *out)
{
	const char *state = json_text(m, "state");

	if (!json_is_true(json_object_get(m, "valid")))
		fputs("INVALID: do not use the numbers of the cells marked !\n", out);
	put_head(m, out);
	if (strcmp(state, "complete"))
		fprintf(out, "  state: %s, %zu of %.0f cells\n", state,
			json_array_size(json_object_get(m, "cells")), json_number(m, "cells_planned"));
	put_cells(m, out);
	if (probed(m))
		put_probe(m, out);
	fputc('\n', out);
	put_notes(m, out);
	put_advice(m, out);
}
