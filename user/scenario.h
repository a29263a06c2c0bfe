/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef MSILAT_SCENARIO_H
#define MSILAT_SCENARIO_H

#include <stdbool.h>
#include <sys/types.h>

#include "cpulist.h"
#include "reason.h"

/**
 * struct scenario - what the CPU was doing when the event fired
 * @name: as on the command line.
 * @poller_fires: the poller itself stores to the device; there is no trigger thread.
 * @timer: a timer of the device fires.
 * @busy: another process computes on the measured CPU meanwhile.
 * @summary: one line for help.
 */
struct scenario {
	const char *name;
	bool poller_fires;
	bool timer;
	bool busy;
	const char *summary;
};

/** scenario_at - the scenarios in display order; NULL past the last */
const struct scenario *scenario_at(unsigned int i);

/** scenario_find - by name; NULL if there is none */
const struct scenario *scenario_find(const char *name);

/**
 * scenario_compute - start a process that computes, SCHED_OTHER, on one CPU
 * @pid: receives its process ID. It dies with this process.
 *
 * Return: 0 or -errno.
 */
int scenario_compute(pid_t *pid, int cpu, struct reason *why);

/** scenario_rest - end the process that scenario_compute() started */
void scenario_rest(pid_t pid);

#endif
