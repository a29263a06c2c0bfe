// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "live.h"
#include "manifest.h"
#include "run.h"
#include "subcommands.h"
#include "summary.h"
#include "sysfs.h"

#define TICK_MS 500

static bool past_duration(const struct run *r)
{
	return r->params.duration &&
	       clock_ns(&r->rate, r->last.cycles - r->first.cycles) / 1e9 >=
		       (double)r->params.duration;
}

/* In scenario self nobody but this thread notices that the device is silent. */
static bool silent(const struct run *r, uint64_t *seen, int *ticks)
{
	if (!r->scenario->poller_fires || *seen != r->links.seen ||
	    r->links.fired == r->links.seen) {
		*seen = r->links.seen;
		*ticks = 0;
		return false;
	}
	return ++*ticks * TICK_MS > r->params.timeout_ms;
}

static int checkpoint(struct run *r, double *next, struct reason *why)
{
	double elapsed = clock_ns(&r->rate, r->last.cycles - r->first.cycles) / 1e9;

	if (elapsed < *next)
		return 0;
	*next = elapsed + (double)r->params.checkpoint;
	return run_write(r, why);
}

/*
 * Wait for the end. In exact mode this thread sleeps until something happens: a timer of its own
 * would lie on the measured path.
 */
static int supervise(struct run *r, int signals, bool *interrupted, struct reason *why)
{
	bool live = !r->params.quiet && isatty(STDERR_FILENO);
	struct pollfd fds[2] = {
		{ .fd = signals, .events = POLLIN },
		{ .fd = r->done, .events = POLLIN },
	};
	bool tick = r->mode != LAB_EXACT || r->params.duration || r->scenario->poller_fires;
	double next = (double)r->params.checkpoint;
	uint64_t seen = 0;
	int ticks = 0, ret = 0;

	while (!run_finished(r) && !ret) {
		if (poll(fds, 2, tick ? TICK_MS : -1) < 0 && errno != EINTR)
			break;
		*interrupted = fds[0].revents & POLLIN;
		if (*interrupted)
			break;
		run_account(r);
		if (live)
			live_show(r);
		if (past_duration(r))
			break;
		if (silent(r, &seen, &ticks)) {
			atomic_store(&r->trigger.dead, 1);
			break;
		}
		ret = checkpoint(r, &next, why);
	}
	if (live)
		live_clear();
	return ret;
}

static void print_end(const struct run *r, int code)
{
	json_t *m = manifest_json(r);

	json_object_set_new(m, "exit", json_integer(code));
	if (r->params.json) {
		json_dumpf(m, stdout, JSON_INDENT(1) | JSON_REAL_PRECISION(12));
		putchar('\n');
	} else {
		summary_print(m, stdout);
		printf("%s/   exit %d\n", r->result.final, code);
	}
	json_decref(m);
}

/* Write what there is in any case; a write error outweighs the rest. */
static int finish(struct run *r, struct reason *why)
{
	int ret;

	ret = run_write(r, why);
	if (r->recorder.file && fclose(r->recorder.file) && !ret)
		ret = reason_set(why, -errno, "samples.bin: %s", strerror(errno));
	if (!ret)
		ret = result_finish(&r->result, why);
	return ret;
}

static int measure(struct run *r, int signals, struct reason *why)
{
	bool interrupted = false;
	int ret, code;

	ret = run_start(r, why);
	if (ret) {
		result_abandon(&r->result);
		return cmd_fail(why);
	}
	/* From the first moment on there is something that a kill -9 leaves behind. */
	run_account(r);
	ret = run_write(r, why);
	if (!ret)
		ret = supervise(r, signals, &interrupted, why);
	/* A run cut short because it could not be written is not complete. */
	if (ret)
		r->why = *why;
	run_stop(r, interrupted);
	if (ret) {
		run_write(r, NULL);
		return cmd_fail(why);
	}
	ret = finish(r, why);
	if (ret)
		return cmd_fail(why);
	if (r->recorder.file_error)
		return cmd_fail(&r->why);
	code = run_valid(r) ? EXIT_OK : EXIT_INVALID;
	print_end(r, code);
	return code;
}

static void explain_strategy(unsigned int i, const char **name, const char **summary)
{
	const struct strategy *s = strategy_at(i);

	*name = s ? s->name : NULL;
	*summary = s ? s->summary : NULL;
}

static void explain_wait(unsigned int i, const char **name, const char **summary)
{
	const struct wait_ops *ops = wait_mode(i);

	*name = ops ? ops->name : NULL;
	*summary = ops ? ops->summary : NULL;
}

static void explain_scenario(unsigned int i, const char **name, const char **summary)
{
	const struct scenario *s = scenario_at(i);

	*name = s ? s->name : NULL;
	*summary = s ? s->summary : NULL;
}

static void explain_backend(unsigned int i, const char **name, const char **summary)
{
	const struct device_ops *ops = device_backend(i);

	*name = ops ? ops->name : NULL;
	*summary = ops ? ops->summary : NULL;
}

/* What the names stand for that options choose from. */
static void explain_choices(void)
{
	static const struct {
		const char *head;
		void (*explain)(unsigned int i, const char **name, const char **summary);
	} kinds[] = {
		{ "Strategies", explain_strategy },
		{ "Wait modes", explain_wait },
		{ "Scenarios", explain_scenario },
		{ "Backends, best first", explain_backend },
	};
	const char *name, *summary;
	unsigned int i;
	size_t kind;

	for (kind = 0; kind < sizeof(kinds) / sizeof(kinds[0]); kind++) {
		printf("\n%s:\n", kinds[kind].head);
		for (i = 0; kinds[kind].explain(i, &name, &summary), name; i++)
			printf("  %-14s %s\n", name, summary);
	}
}

int cmd_run(int argc, char **argv)
{
	struct reason why = { 0 };
	struct params p = params_default;
	int first, signals, ret;
	char **command;
	struct run *r;

	/* The manifest tells what was typed; getopt_long() moves options to the front. */
	command = malloc(argc * sizeof(*command));
	if (!command)
		return cmd_fail(&why);
	memcpy(command, argv, argc * sizeof(*command));
	ret = cmd_parse("[options] BDF|sim",
			"Measures the delivery of a device's interrupts and writes a result directory.",
			params_rows, &p, argc, argv, &first);
	if (ret == EXIT_OK)
		explain_choices();
	if (ret >= 0)
		goto free_command;
	if (argc - first != 1) {
		reason_set(&why, -EINVAL, "run: name one PCI function, or sim (msilat list)");
		ret = cmd_fail(&why);
		goto free_command;
	}
	sysfs_echo(p.quiet ? NULL : cmd_echo);
	r = calloc(1, sizeof(*r));
	if (!r) {
		ret = cmd_fail(&why);
		goto free_command;
	}
	r->params = p;
	r->argc = argc;
	r->argv = command;
	signals = cmd_catch_signals();
	if (run_prepare(r, argv[first], &why)) {
		ret = cmd_fail(&why);
	} else {
		ret = measure(r, signals, &why);
		run_release(r);
	}
	close(signals);
	free(r);
free_command:
	free(command);
	return ret;
}
