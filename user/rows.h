/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef MSILAT_ROWS_H
#define MSILAT_ROWS_H

#include <stddef.h>

#include "cpulist.h"
#include "device.h"
#include "option.h"
#include "strategy.h"

/*
 * Rows that the option tables of more than one subcommand have: @params is the parameter
 * structure, whose field is named as in struct params.
 */
#define ROW_CPU_LAST (CPULIST_MAX - 1)

#define ROW_STRATEGY(params) \
	{ "strategy", 's', OPTION_CHOICE, offsetof(params, strategy), 0, 0, "NAME", \
	  "delivery strategy", strategy_name }
#define ROW_INTERVAL(params) \
	{ "interval", 'i', OPTION_NUMBER, offsetof(params, interval_us), 1, 60000000, "US", \
	  "pause between events", NULL }
#define ROW_JITTER(params) \
	{ "jitter", 0, OPTION_NUMBER, offsetof(params, jitter_us), 0, 60000000, "US", \
	  "random addition to the pause; a fifth of it if not given", NULL }
#define ROW_SEED(params) \
	{ "seed", 0, OPTION_NUMBER, offsetof(params, seed), 1, INT64_MAX, "N", \
	  "seed of the jitter; from the clock if not given", NULL }
#define ROW_TIMEOUT(params) \
	{ "timeout", 0, OPTION_NUMBER, offsetof(params, timeout_ms), 1, 3600000, "MS", \
	  "an event not seen for so long is overdue", NULL }
#define ROW_BACKEND(params) \
	{ "backend", 0, OPTION_CHOICE, offsetof(params, backend), 0, 0, "NAME", \
	  "how the device is driven; best if not given", device_backend_name }
#define ROW_RESULTS(params) \
	{ "results", 0, OPTION_TEXT, offsetof(params, results), 0, 0, "DIR", \
	  "where result directories are made", NULL }
#define ROW_QUIET(params) \
	{ "quiet", 'q', OPTION_FLAG, offsetof(params, quiet), 0, 0, NULL, \
	  "no live line, no echo of settings, only the result", NULL }
#define ROW_SIM(params) \
	{ "sim", 0, OPTION_TEXT, offsetof(params, sim), 0, 0, "LIST", \
	  "backend sim: merge=PLACE,withhold=N,lose=N,stop=N,delay=US", NULL }

#endif
