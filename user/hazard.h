/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef MSILAT_HAZARD_H
#define MSILAT_HAZARD_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "boost.h"
#include "contender.h"
#include "cpulist.h"
#include "knob.h"
#include "result.h"
#include "run.h"

/**
 * enum hazard_cpu - on which CPU, seen from the interrupt's
 */
enum hazard_cpu {
	HAZARD_SAME,
	HAZARD_OTHER,
	HAZARD_CPUS,
};

/**
 * struct hazard_axes - what the matrix is made of: a strategy, and bit masks
 * @strategy: delivery strategy.
 * @relations: of enum run_relation.
 * @poller_cpus: of enum hazard_cpu.
 * @waits: of hazard_wait_name() indices.
 * @contenders: bit 0 for none, then of contender_at() indices + 1.
 * @contender_cpus: of enum hazard_cpu.
 */
struct hazard_axes {
	const struct strategy *strategy;
	unsigned int relations;
	unsigned int poller_cpus;
	unsigned int waits;
	unsigned int contenders;
	unsigned int contender_cpus;
};

/**
 * struct hazard_cell - one combination
 * @relation: of the poller to the thread that signals it.
 * @poller_cpu: where the poller runs.
 * @wait: how it waits.
 * @contender: who contends; NULL for nobody.
 * @contender_cpu: where, if somebody does.
 */
struct hazard_cell {
	enum run_relation relation;
	enum hazard_cpu poller_cpu;
	const struct wait_ops *wait;
	const struct contender_ops *contender;
	enum hazard_cpu contender_cpu;
};

/**
 * struct hazard_params - what `msilat hazard` was asked for; one field per row of hazard_rows
 */
struct hazard_params {
	const char *strategy;
	const char *relation;
	const char *wait;
	const char *contender;
	const char *poller_cpu;
	const char *contender_cpu;
	int64_t contender_priority;
	int64_t irq_priority;
	int64_t irq_cpu;
	int64_t other_cpu;
	int64_t loops;
	int64_t duration;
	int64_t interval_us;
	int64_t jitter_us;
	int64_t seed;
	int64_t timeout_ms;
	int64_t vector;
	const char *backend;
	const char *results;
	const char *label;
	bool quiet;
	bool json;
	const char *sim;
};

extern const struct option_row hazard_rows[];
extern const struct hazard_params hazard_default;

/**
 * struct hazard - a measurement of the whole matrix
 * @params: what was asked for; decisions filled in by hazard_prepare().
 * @target: PCI address or "sim".
 * @argc: command line, for the manifest; likewise @argv.
 * @axes, @cells, @count: the matrix.
 * @done: cells measured.
 * @allowed: CPUs of this process at the start.
 * @irq_cpu: the interrupt's; @other_cpu: the one that is not; -1 if there is none.
 * @irq_priority: of the signalling thread, 0 if there is none.
 * @sim: the device is in this process.
 * @mode: where it takes place.
 * @knobs: holds the lock on the host's settings from the first cell to the last.
 * @boost: counts boosts; @no_boost says why it does not, if so.
 * @result: the directory.
 * @head: what is common to all cells, as JSON.
 * @results: measured cells, as JSON.
 * @notes: what was left out and why, as JSON.
 * @state: how far it got.
 * @valid: of every cell up to now.
 * @failed: the newest cell's run ended before its time; more of them would not do better.
 * @began: monotonic time in ns.
 * @signals: descriptor that becomes readable when it is to end.
 * @tick: called twice a second while a cell goes on, or NULL.
 */
struct hazard {
	struct hazard_params params;
	const char *target;
	int argc;
	char **argv;
	struct hazard_axes axes;
	struct hazard_cell *cells;
	size_t count;
	size_t done;
	struct cpulist allowed;
	int irq_cpu;
	int other_cpu;
	int irq_priority;
	bool sim;
	enum lab_mode mode;
	struct knobs knobs;
	struct boost boost;
	struct reason no_boost;
	struct result result;
	json_t *head;
	json_t *results;
	json_t *notes;
	enum run_state state;
	bool valid;
	bool failed;
	struct timespec started;
	uint64_t began;
	int signals;
	void (*tick)(const struct hazard *h, const struct hazard_cell *cell);
};

/** hazard_cpu_name - "same" or "other" */
const char *hazard_cpu_name(unsigned int cpu);

/** hazard_relation_name - of relations that can be chosen: "below", "equal", "above"; else NULL */
const char *hazard_relation_name(unsigned int i);

/** hazard_contender_name - "none", then the contenders'; NULL past the last */
const char *hazard_contender_name(unsigned int i);

/** hazard_wait - wait modes that hazard can use, those that sleep; NULL past the last */
const struct wait_ops *hazard_wait(unsigned int i);

/** hazard_wait_name - their names */
const char *hazard_wait_name(unsigned int i);

/**
 * hazard_list - parse a list of names
 * @option: its option, for the message.
 * @text: "a,b,c" or "all".
 * @name: i-th name, NULL past the last.
 * @mask: receives a bit for each name given.
 *
 * Return: 0 or -EINVAL with @why.
 */
int hazard_list(const char *option, const char *text, const char *(*name)(unsigned int i),
		unsigned int *mask, struct reason *why);

/**
 * hazard_cells - make the matrix
 * @cells: receives it in the order it is measured and shown; NULL to count only.
 *
 * Without a contender there is no contender's CPU, and without a thread that signals no relation to
 * it: such a cell occurs once. A contender that reads or signals the eventfd has no cell where the
 * poller waits on something else.
 *
 * Return: number of cells.
 */
size_t hazard_cells(const struct hazard_axes *axes, struct hazard_cell *cells);

/**
 * hazard_prepare - check what was asked for, look at the device, make the matrix and the directory
 * @h: @params, @target, @argc, @argv, @signals and @tick are set, the rest is zero.
 *
 * After success hazard_release() must follow. Return: 0 or -errno, with @why.
 */
int hazard_prepare(struct hazard *h, struct reason *why);
void hazard_release(struct hazard *h);

/**
 * hazard_measure - measure one cell and append it to @h->results
 *
 * Return: 0; -EINTR when it was interrupted and thus left out; or -errno with @why.
 */
int hazard_measure(struct hazard *h, const struct hazard_cell *cell, struct reason *why);

/** hazard_priority - SCHED_FIFO priority of the poller in a cell; 0 on sim */
int hazard_priority(const struct hazard *h, const struct hazard_cell *cell);

/** hazard_manifest - everything up to now, as documented in results/README.md */
json_t *hazard_manifest(const struct hazard *h);

/** hazard_inversion - compare a poller above its thread with one below, from a manifest's cells */
json_t *hazard_inversion(const json_t *manifest);

/** hazard_print - a manifest as a person reads it: tables of 100 columns at most, and advice */
void hazard_print(const json_t *manifest, FILE *out);

#endif
