// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "json.h"
#include "summary.h"

#define COLUMNS 100

char *summary_number(char *text, double value)
{
	char digits[32];
	size_t len, i;
	char *p = text;

	/* No count and no latency is so large, but a manifest from elsewhere may say so. */
	if (!(fabs(value) < 1e18)) {
		snprintf(text, SUMMARY_NUMBER_MAX, "%.3g", value);
		return text;
	}
	snprintf(digits, sizeof(digits), "%.0f", value);
	len = strlen(digits);
	for (i = 0; i < len; i++) {
		if (i && digits[i - 1] != '-' && (len - i) % 3 == 0)
			*p++ = ' ';
		*p++ = digits[i];
	}
	*p = '\0';
	return text;
}

static bool exact(const json_t *m)
{
	return !strcmp(json_text(m, "mode"), "exact");
}

/* "0000:01:00.0 vector 0, split, wait read, scenario sync" and who runs where. */
static void print_head(const json_t *m, FILE *out)
{
	const json_t *device = json_object_get(m, "device"), *poller = json_object_get(m, "poller");
	const json_t *thread = json_object_get(m, "irq_thread"), *irq = json_object_get(m, "interrupt");
	const char *bdf = json_string_value(json_object_get(device, "bdf"));
	const char *kind = json_string_value(json_object_get(thread, "kind"));
	bool beside = !strcmp(json_text(m, "eventfd"), "signalled beside");

	fprintf(out, "%s vector %.0f, %s, wait %s%s, scenario %s\n", bdf ? bdf : "sim",
		json_number(device, "vector"), json_text(m, "strategy"), json_text(m, "wait"),
		beside ? ", eventfd signalled beside" : "", json_text(m, "scenario"));
	fprintf(out, "  poller CPU %.0f %s %.0f", json_number(poller, "cpu"),
		json_text(poller, "policy"), json_number(poller, "priority"));
	if (json_is_object(irq) && json_is_number(json_object_get(irq, "cpu")))
		fprintf(out, ", IRQ CPU %.0f", json_number(irq, "cpu"));
	if (json_is_object(thread))
		fprintf(out, ", %s %s %.0f", kind ? kind : "IRQ thread", json_text(thread, "policy"),
			json_number(thread, "priority"));
	if (json_is_object(thread) && strcmp(json_text(m, "priority_relation"), "none"))
		fprintf(out, ": the poller is %s it", json_text(m, "priority_relation"));
	fprintf(out, ", load: %s\n", json_is_string(json_object_get(m, "load")) ?
		json_text(m, "load") : "none");
}

#define CELLS 5
#define CELL_MAX (3 * SUMMARY_NUMBER_MAX + 8)

/* "12 345 [12 300 12 400]", or a dash where the count does not support the quantile. */
static void put_quantile(char cell[CELL_MAX], const json_t *stage, double p, bool interval)
{
	char value[SUMMARY_NUMBER_MAX], low[SUMMARY_NUMBER_MAX], high[SUMMARY_NUMBER_MAX];
	const json_t *q = json_percentile(stage, p);

	if (!q) {
		strcpy(cell, "-");
		return;
	}
	summary_number(value, json_number(q, "value"));
	if (!interval)
		strcpy(cell, value);
	else
		snprintf(cell, CELL_MAX, "%s [%s %s]", value,
			 summary_number(low, json_number(q, "low")),
			 summary_number(high, json_number(q, "high")));
}

/* "sent → isr"; padded by hand, because printf() counts bytes. */
static void print_name(const json_t *stage, FILE *out)
{
	char name[32];
	char *dash;

	snprintf(name, sizeof(name), "%s", json_text(stage, "name"));
	dash = strchr(name, '-');
	if (!dash) {
		fprintf(out, "  %-16s", name);
		return;
	}
	*dash = '\0';
	fprintf(out, "  %s → %-*s", name, (int)(13 - strlen(name)), dash + 1);
}

#define ROWS_MAX 8

/* A table of stages: text first, then as wide as it needs to be. */
struct table {
	size_t rows;
	size_t width[CELLS];
	char cell[ROWS_MAX][CELLS][CELL_MAX];
};

static void put_row(struct table *t, const json_t *stage, bool intervals)
{
	char (*cell)[CELL_MAX] = t->cell[t->rows++];
	int i;

	if (json_number(stage, "count") < 1) {
		for (i = 0; i < CELLS; i++)
			strcpy(cell[i], "-");
		return;
	}
	summary_number(cell[0], json_number(stage, "min"));
	put_quantile(cell[1], stage, 50, intervals);
	put_quantile(cell[2], stage, 99, intervals);
	put_quantile(cell[3], stage, 99.99, false);
	summary_number(cell[4], json_number(stage, "max"));
}

/* Fill the table; returns its width in columns. */
static size_t put_table(struct table *t, const json_t *stages, bool intervals)
{
	const char *const heads[CELLS] = {
		"min", intervals ? "p50 [95 %]" : "p50", intervals ? "p99 [95 %]" : "p99",
		"p99.99", "max",
	};
	size_t i, total = 18;
	int c;

	memset(t, 0, sizeof(*t));
	for (c = 0; c < CELLS; c++)
		strcpy(t->cell[0][c], heads[c]);
	t->rows = 1;
	for (i = 0; i < json_array_size(stages) && t->rows < ROWS_MAX; i++)
		put_row(t, json_array_get(stages, i), intervals);
	for (c = 0; c < CELLS; c++) {
		for (i = 0; i < t->rows; i++)
			if (strlen(t->cell[i][c]) > t->width[c])
				t->width[c] = strlen(t->cell[i][c]);
		total += t->width[c] + 2;
	}
	return total;
}

static void print_times(const json_t *m, FILE *out)
{
	const json_t *stages = json_object_get(m, "stages");
	struct table t;
	size_t i;
	int c;

	/* Where intervals do not fit the page they are left to the manifest. */
	if (put_table(&t, stages, true) > COLUMNS)
		put_table(&t, stages, false);
	for (i = 0; i < t.rows; i++) {
		if (i)
			print_name(json_array_get(stages, i - 1), out);
		else
			fprintf(out, "  %-16s", "latency ns");
		for (c = 0; c < CELLS; c++)
			fprintf(out, "  %*s", (int)t.width[c], t.cell[i][c]);
		fputc('\n', out);
	}
}

static void print_paths(const json_t *m, FILE *out)
{
	const json_t *stage;
	char a[SUMMARY_NUMBER_MAX], b[SUMMARY_NUMBER_MAX];
	double count;
	size_t i;

	fprintf(out, "  %-16s %9s %11s %12s %8s\n", "instructions", "min", "commonest",
		"taken", "paths");
	json_array_foreach(json_object_get(m, "stages"), i, stage) {
		print_name(stage, out);
		count = json_number(stage, "count");
		if (count < 1) {
			fprintf(out, " %9s\n", "-");
			continue;
		}
		fprintf(out, " %9s %11s %10.1f %% %8.0f\n",
			summary_number(a, json_number(stage, "min")),
			summary_number(b, json_number(stage, "commonest")),
			100 * json_number(stage, "commonest_count") / count,
			json_number(stage, "paths"));
	}
}

/*
 * What eventfd_signal() in hard IRQ would have met. The own thread as owner is benign: it is told
 * apart, and counts neither as a hit nor in the whole.
 */
static void print_probe(const json_t *m, FILE *out)
{
	static const struct {
		const char *key, *name;
	} taken_by[] = {
		{ "handoff", "hand-off" }, { "self", "interrupted task" }, { "running", "running" },
		{ "not_running", "not running" }, { "other_thread", "other vector" },
	};
	const json_t *probe = json_object_get(m, "probe");
	char a[SUMMARY_NUMBER_MAX], b[SUMMARY_NUMBER_MAX], c[SUMMARY_NUMBER_MAX];
	double taken = 0, all;
	size_t i;

	if (!json_is_object(probe)) {
		fprintf(out, "  %-16s  -\n", "hazard probe");
		return;
	}
	for (i = 0; i < sizeof(taken_by) / sizeof(taken_by[0]); i++)
		taken += json_number(probe, taken_by[i].key);
	all = taken + json_number(probe, "free");
	fprintf(out, "  %-16s  lock free %s ×, taken %s × (%.3f %%), own thread %s × (not counted)\n",
		"hazard probe", summary_number(a, json_number(probe, "free")),
		summary_number(b, taken), all > 0 ? 100 * taken / all : 0,
		summary_number(c, json_number(probe, "own_thread")));
	fprintf(out, "  %-16s  ", "");
	for (i = 0; i < sizeof(taken_by) / sizeof(taken_by[0]); i++)
		fprintf(out, "%s%s %s", i ? ", " : "", taken_by[i].name,
			summary_number(a, json_number(probe, taken_by[i].key)));
	fprintf(out, "\n  %-16s  recursion guard set %s ×\n", "",
		summary_number(a, json_number(probe, "recursion")));
	fprintf(out, "  %-16s  an indicator: a lower bound with epoll, near zero where nobody uses the eventfd\n",
		"");
}

static void print_note(const json_t *m, FILE *out)
{
	const json_t *whole = json_array_get(json_object_get(m, "stages"), 0);
	double count = json_number(whole, "count");

	if (exact(m))
		fputs("  exact mode counts instructions on an emulated CPU: it compares code paths, it does not\n"
		      "  predict microseconds; no caches, no PCIe, no speculation mitigations on the path\n", out);
	else if (!strcmp(json_text(m, "mode"), "live"))
		fputs("  live lab: these times are the wall clock of an emulator, not a host's latency\n",
		      out);
	else if (!strcmp(json_text(m, "mode"), "sim"))
		fputs("  simulated device: these times are thread wake-ups in one process, no interrupts\n",
		      out);
	if (!exact(m) && count > 0 && count < 100000)
		fprintf(out, "  %.0f values: p99.99 needs 100 000\n", count);
}

/* A warning, folded between words so that its lines fit the output's width. */
static void print_warning(const char *name, const char *text, FILE *out)
{
	size_t column = (size_t)fprintf(out, "  WARN %s:", name);
	size_t len;

	for (text += strspn(text, " "); *text; text += len, text += strspn(text, " ")) {
		len = strcspn(text, " ");
		/* Bytes, not characters: a line with a sign outside ASCII ends a little early. */
		if (column + 1 + len > COLUMNS)
			column = (size_t)fprintf(out, "\n      ");
		column += (size_t)fprintf(out, " %.*s", (int)len, text);
	}
	fputc('\n', out);
}

static void print_verdicts(const json_t *m, FILE *out)
{
	const json_t *v;
	size_t i;

	json_array_foreach(json_object_get(m, "verdicts"), i, v)
		if (!json_is_true(json_object_get(v, "ok")) &&
		    strcmp(json_text(v, "name"), "accounting"))
			print_warning(json_text(v, "name"), json_text(v, "text"), out);
}

void summary_print(const json_t *m, FILE *out)
{
	const char *state = json_text(m, "state");

	if (!json_is_true(json_object_get(m, "valid")))
		fputs("INVALID: do not use these numbers\n", out);
	print_head(m, out);
	if (strcmp(state, "complete"))
		fprintf(out, "  state: %s\n", state);
	fprintf(out, "  events %s\n", json_text(json_object_get(m, "invariant"), "text"));
	if (exact(m))
		print_paths(m, out);
	else
		print_times(m, out);
	print_probe(m, out);
	print_verdicts(m, out);
	print_note(m, out);
}
