/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef MSILAT_STAGE_H
#define MSILAT_STAGE_H

#include <stdbool.h>
#include <stdint.h>

#include "histogram.h"
#include "paths.h"

/**
 * enum stamp - the time stamps of one interrupt, in order
 * @STAMP_SENT: the PCIe core accepted the MSI.
 * @STAMP_ISR: hard-IRQ handler entry.
 * @STAMP_THREAD: IRQ-thread entry.
 * @STAMP_SIGNAL: just before the waiter is woken.
 * @STAMP_USER: the wait has returned in user space.
 * @STAMP_DONE: the event is consumed.
 */
enum stamp {
	STAMP_SENT,
	STAMP_ISR,
	STAMP_THREAD,
	STAMP_SIGNAL,
	STAMP_USER,
	STAMP_DONE,
	STAMPS,
};

/** stamp_name - "sent", "isr", … */
const char *stamp_name(enum stamp stamp);

/**
 * struct stage - the time between two stamps
 * @from: earlier stamp.
 * @to: later stamp.
 * @name: "sent-user".
 * @histogram: all values, in cycles.
 * @paths: distinct values (exact mode).
 */
struct stage {
	enum stamp from;
	enum stamp to;
	char name[24];
	struct histogram histogram;
	struct paths paths;
};

#define STAGES_MAX 6

/**
 * struct stages - the stages of a run
 * @count: how many there are.
 * @stage: the whole latency first, then neighbours in order.
 * @disordered: events two of whose stamps were in the wrong order: counters of CPUs disagree.
 */
struct stages {
	unsigned int count;
	struct stage stage[STAGES_MAX];
	uint64_t disordered;
};

/**
 * stages_init - decide which stages there are
 * @present: bit mask (1 << enum stamp) of the stamps that the device, the strategy and the wait
 *	mode have. STAMP_USER must be among them.
 *
 * The first stage leads from the earliest stamp to user. Where inner stamps exist the stages
 * between neighbours follow, and add up to it. Stage user-done comes last.
 */
void stages_init(struct stages *s, unsigned int present);

/**
 * stages_record - record one event
 * @stamps: by enum stamp; 0 where missing.
 *
 * The first stage is recorded if both its stamps are there, an inner one likewise. A pair in the
 * wrong order is counted as disordered and recorded nowhere.
 *
 * Return: the whole latency in cycles, or UINT64_MAX if there is none.
 */
uint64_t stages_record(struct stages *s, const uint64_t stamps[STAMPS]);

#endif
