/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef MSILAT_PARAMS_H
#define MSILAT_PARAMS_H

#include <stdbool.h>
#include <stdint.h>

#include "option.h"

/**
 * struct params - what `msilat run` was asked for
 *
 * One field per row of params_rows, which says what each means. -1 and "" stand for "decide".
 */
struct params {
	const char *backend;
	const char *strategy;
	const char *wait;
	bool eventfd;
	const char *scenario;
	int64_t priority;
	int64_t cpu;
	int64_t irq_priority;
	int64_t irq_cpu;
	int64_t trigger_priority;
	int64_t trigger_cpu;
	int64_t recorder_cpu;
	int64_t loops;
	int64_t duration;
	int64_t interval_us;
	int64_t jitter_us;
	int64_t burst;
	int64_t seed;
	int64_t timeout_ms;
	int64_t vector;
	const char *results;
	const char *label;
	int64_t checkpoint;
	bool samples;
	bool quiet;
	bool json;
	const char *sim;
};

extern const struct option_row params_rows[];
extern const struct params params_default;

#endif
