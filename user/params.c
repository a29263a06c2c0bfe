// SPDX-License-Identifier: GPL-2.0-only
#include "params.h"
#include "rows.h"
#include "scenario.h"
#include "wait.h"

static const char *wait_name(unsigned int i)
{
	const struct wait_ops *ops = wait_mode(i);

	return ops ? ops->name : NULL;
}

static const char *scenario_name(unsigned int i)
{
	const struct scenario *s = scenario_at(i);

	return s ? s->name : NULL;
}

#define AT(field) offsetof(struct params, field)

const struct option_row params_rows[] = {
	ROW_STRATEGY(struct params),
	{ "wait", 'w', OPTION_CHOICE, AT(wait), 0, 0, "MODE", "wait mode; what suits the strategy if not given", wait_name },
	{ "eventfd", 0, OPTION_FLAG, AT(eventfd), 0, 0, NULL,
	  "signal the eventfd although nobody waits on it", NULL },
	{ "scenario", 'S', OPTION_CHOICE, AT(scenario), 0, 0, "NAME",
	  "what the CPU does meanwhile", scenario_name },
	{ "priority", 'p', OPTION_NUMBER, AT(priority), 0, 99, "PRIO",
	  "SCHED_FIFO priority of the poller; 0: SCHED_OTHER", NULL },
	{ "affinity", 'a', OPTION_NUMBER, AT(cpu), 0, ROW_CPU_LAST, "CPU",
	  "CPU of the poller; the last one allowed if not given", NULL },
	{ "irq-prio", 0, OPTION_NUMBER, AT(irq_priority), 1, 99, "PRIO",
	  "priority of the thread that signals; as it is if not given", NULL },
	{ "irq-cpu", 0, OPTION_NUMBER, AT(irq_cpu), 0, ROW_CPU_LAST, "CPU",
	  "CPU of the interrupt; the poller's if not given", NULL },
	{ "loops", 'l', OPTION_NUMBER, AT(loops), 1, 1000000000000, "COUNT",
	  "events to fire; 10000 if neither -l nor -D is given", NULL },
	{ "duration", 'D', OPTION_DURATION, AT(duration), 1, 366 * 86400, "TIME",
	  "end after a time: 90, 90s, 5m, 2h, 1d", NULL },
	ROW_INTERVAL(struct params),
	ROW_JITTER(struct params),
	ROW_SEED(struct params),
	{ "burst", 0, OPTION_NUMBER, AT(burst), 1, 1024, "N",
	  "events fired back to back", NULL },
	{ "trigger-prio", 0, OPTION_NUMBER, AT(trigger_priority), 0, 99, "PRIO",
	  "SCHED_FIFO priority of the thread that fires; 0: SCHED_OTHER", NULL },
	{ "trigger-cpu", 0, OPTION_NUMBER, AT(trigger_cpu), 0, ROW_CPU_LAST, "CPU",
	  "its CPU; any but the poller's if not given", NULL },
	{ "recorder-cpu", 0, OPTION_NUMBER, AT(recorder_cpu), 0, ROW_CPU_LAST, "CPU",
	  "CPU of the recorder; any but the poller's if not given", NULL },
	ROW_TIMEOUT(struct params),
	{ "vector", 0, OPTION_NUMBER, AT(vector), 0, 2047, "N", "vector to measure", NULL },
	ROW_BACKEND(struct params),
	ROW_RESULTS(struct params),
	{ "label", 0, OPTION_TEXT, AT(label), 0, 0, "NAME",
	  "name of the result; date, strategy and a number if not given", NULL },
	{ "checkpoint", 0, OPTION_DURATION, AT(checkpoint), 1, 86400, "TIME",
	  "write what there is so often", NULL },
	{ "samples", 0, OPTION_FLAG, AT(samples), 0, 0, NULL,
	  "keep every sample (samples.bin, 64 bytes each)", NULL },
	ROW_QUIET(struct params),
	{ "json", 0, OPTION_FLAG, AT(json), 0, 0, NULL,
	  "print the manifest instead of the table", NULL },
	ROW_SIM(struct params),
	{ 0 },
};

const struct params params_default = {
	.backend = "",
	.strategy = "",
	.wait = "",
	.scenario = "sync",
	.priority = 40,
	.cpu = -1,
	.irq_priority = -1,
	.irq_cpu = -1,
	.trigger_cpu = -1,
	.recorder_cpu = -1,
	.loops = 0,
	.duration = 0,
	.interval_us = 1000,
	.jitter_us = -1,
	.burst = 1,
	.seed = 0,
	.timeout_ms = 1000,
	.vector = 0,
	.results = "results",
	.label = "",
	.checkpoint = 10,
	.sim = "",
};
