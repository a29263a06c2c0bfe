// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "clock.h"
#include "hazard.h"
#include "live.h"
#include "subcommands.h"
#include "sysfs.h"

/* One line, redrawn in place: how long, how long it will be, which cell. */
static void show(const struct hazard *h, const struct hazard_cell *cell)
{
	double elapsed = (double)(clock_monotonic() - h->began) / 1e9;
	char text[192], left[32] = "?", contender[32] = "none";
	int seconds;

	if (h->done) {
		seconds = (int)(elapsed / (double)h->done * (double)(h->count - h->done));
		snprintf(left, sizeof(left), "%d:%02d", seconds / 60, seconds % 60);
	}
	if (cell->contender)
		snprintf(contender, sizeof(contender), "%s@%s", cell->contender->name,
			 hazard_cpu_name(cell->contender_cpu));
	snprintf(text, sizeof(text),
		 "%d:%02d left %s  cell %zu/%zu%s  poller %s on %s CPU, %s, contender %s",
		 (int)elapsed / 60, (int)elapsed % 60, left, h->done + 1, h->count,
		 h->valid ? "" : " INVALID", run_relation_name(cell->relation),
		 hazard_cpu_name(cell->poller_cpu), cell->wait->name, contender);
	live_text(text);
}

#define ECHOES 32

/* Every cell writes the same settings: each is announced once. */
static void echo_once(const char *path, const char *text)
{
	static struct {
		char path[160];
		char text[256];
	} seen[ECHOES];
	static int count;
	int i;

	for (i = 0; i < count; i++)
		if (!strcmp(seen[i].path, path) && !strcmp(seen[i].text, text))
			return;
	if (count < ECHOES) {
		snprintf(seen[count].path, sizeof(seen[count].path), "%s", path);
		snprintf(seen[count].text, sizeof(seen[count].text), "%s", text);
		count++;
	}
	if (isatty(STDERR_FILENO))
		live_clear();
	cmd_echo(path, text);
}

static int write_manifest(struct hazard *h, struct reason *why)
{
	json_t *m = hazard_manifest(h);
	FILE *f = result_create(&h->result, "manifest.json", why);

	if (!f) {
		json_decref(m);
		return -EIO;
	}
	json_dumpf(m, f, JSON_INDENT(1) | JSON_REAL_PRECISION(12));
	fputc('\n', f);
	json_decref(m);
	return result_commit(&h->result, f, "manifest.json", why);
}

/* Every cell is a checkpoint. One that fails ends it all: what there is by then is kept. */
static int measure(struct hazard *h, struct reason *why)
{
	int ret;

	h->state = RUN_RUNNING;
	ret = write_manifest(h, why);
	for (h->done = 0; h->done < h->count && !ret && !h->failed; h->done++) {
		if (h->tick)
			h->tick(h, &h->cells[h->done]);
		ret = hazard_measure(h, &h->cells[h->done], why);
		if (!ret)
			ret = write_manifest(h, why);
	}
	if (h->tick)
		live_clear();
	if (ret == -EINTR) {
		h->state = RUN_INTERRUPTED;
		return 0;
	}
	h->state = ret || h->failed ? RUN_FAILED : RUN_COMPLETE;
	return ret;
}

static void print_end(const struct hazard *h)
{
	json_t *m = hazard_manifest(h);

	if (h->params.json) {
		json_dumpf(m, stdout, JSON_INDENT(1) | JSON_REAL_PRECISION(12));
		putchar('\n');
	} else {
		hazard_print(m, stdout);
		printf("%s/   exit %d\n", h->result.final, h->valid ? EXIT_OK : EXIT_INVALID);
	}
	json_decref(m);
}

static int run_matrix(struct hazard *h, struct reason *why)
{
	struct reason unwritten;
	int failure, ret;

	failure = measure(h, why);
	ret = write_manifest(h, failure ? &unwritten : why);
	if (!ret)
		ret = result_finish(&h->result, failure ? &unwritten : why);
	if (ret)
		result_abandon(&h->result);
	if (failure || ret)
		return cmd_fail(why);
	print_end(h);
	return h->valid ? EXIT_OK : EXIT_INVALID;
}

/* Returns the exit code. @command: what was typed; getopt_long() moves options to the front. */
static int hazard(const struct hazard_params *p, const char *target, int argc, char **command)
{
	struct hazard *h = calloc(1, sizeof(*h));
	struct reason why = { 0 };
	int ret;

	if (!h)
		return cmd_fail(&why);
	h->params = *p;
	h->target = target;
	h->argc = argc;
	h->argv = command;
	h->signals = cmd_catch_signals();
	if (!p->quiet && isatty(STDERR_FILENO))
		h->tick = show;
	if (hazard_prepare(h, &why)) {
		ret = cmd_fail(&why);
	} else {
		ret = run_matrix(h, &why);
		hazard_release(h);
	}
	close(h->signals);
	free(h);
	return ret;
}

int cmd_hazard(int argc, char **argv)
{
	struct hazard_params p = hazard_default;
	struct reason why = { 0 };
	char **command;
	int first, ret;

	command = malloc((size_t)argc * sizeof(*command));
	if (!command)
		return cmd_fail(&why);
	memcpy(command, argv, (size_t)argc * sizeof(*command));
	ret = cmd_parse("[options] BDF|sim",
			"Measures what contention at the eventfd and the poller's priority cost.",
			hazard_rows, &p, argc, argv, &first);
	if (ret >= 0)
		goto free_command;
	if (argc - first == 1) {
		sysfs_echo(p.quiet ? NULL : echo_once);
		ret = hazard(&p, argv[first], argc, command);
	} else {
		reason_set(&why, -EINVAL, "hazard: name one PCI function, or sim (msilat list)");
		ret = cmd_fail(&why);
	}
free_command:
	free(command);
	return ret;
}
