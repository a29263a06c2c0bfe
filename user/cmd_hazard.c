// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "clock.h"
#include "hazard.h"
#include "subcommands.h"
#include "sysfs.h"

/* One line, redrawn in place: which cell, how long, how long it will be. */
static void show(const struct hazard *h, const struct hazard_cell *cell)
{
	double elapsed = (double)(clock_monotonic() - h->began) / 1e9, left;

	left = h->done ? elapsed / (double)h->done * (double)(h->count - h->done) : -1;
	fprintf(stderr, "\r\033[K%d:%02d", (int)elapsed / 60, (int)elapsed % 60);
	if (left < 0)
		fputs(" left ?", stderr);
	else
		fprintf(stderr, " left %d:%02d", (int)left / 60, (int)left % 60);
	fprintf(stderr, "  %zu/%zu  poller %s, %s CPU, %s, contender %s", h->done + 1, h->count,
		run_relation_name(cell->relation), hazard_cpu_name(cell->poller_cpu),
		cell->wait->name, cell->contender ? cell->contender->name : "none");
	if (cell->contender)
		fprintf(stderr, "@%s", hazard_cpu_name(cell->contender_cpu));
	fputs(h->valid ? "" : "  INVALID", stderr);
	fflush(stderr);
}

static void clear(const struct hazard *h)
{
	if (h->tick)
		fputs("\r\033[K", stderr);
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
	clear(h);
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

int cmd_hazard(int argc, char **argv)
{
	struct hazard_params p = hazard_default;
	struct reason why = { 0 };
	int first, ret = EXIT_ERROR;
	struct hazard *h;

	h = calloc(1, sizeof(*h));
	if (!h)
		return cmd_fail(&why);
	/* The manifest tells what was typed; getopt_long() moves options to the front. */
	h->argc = argc;
	h->argv = malloc((size_t)argc * sizeof(*h->argv));
	if (!h->argv)
		goto fail;
	memcpy(h->argv, argv, (size_t)argc * sizeof(*h->argv));
	ret = cmd_parse("[options] BDF|sim",
			"Measures what contention at the eventfd and the poller's priority cost.",
			hazard_rows, &p, argc, argv, &first);
	if (ret >= 0)
		goto free_all;
	if (argc - first != 1) {
		reason_set(&why, -EINVAL, "hazard: name one PCI function, or sim (msilat list)");
		goto fail;
	}
	sysfs_echo(p.quiet || !isatty(STDERR_FILENO) ? NULL : cmd_echo);
	h->params = p;
	h->target = argv[first];
	h->signals = cmd_catch_signals();
	if (!p.quiet && isatty(STDERR_FILENO))
		h->tick = show;
	if (hazard_prepare(h, &why))
		goto fail;
	ret = run_matrix(h, &why);
	hazard_release(h);
	close(h->signals);
	goto free_all;

fail:
	ret = cmd_fail(&why);
free_all:
	free(h->argv);
	free(h);
	return ret;
}
