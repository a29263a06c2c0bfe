/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef MSILAT_STRATEGY_H
#define MSILAT_STRATEGY_H

#include <stdbool.h>
#include <stdint.h>

/**
 * struct strategy - what user space must know about a delivery strategy
 * @name: as on the command line.
 * @number: enum msilat_strategy of kmod/uapi/msilat.h.
 * @driver: kernel driver that implements it.
 * @thread: an IRQ thread of the kernel signals the waiter (on PREEMPT_RT or with threadirqs).
 * @primary: a primary handler of ours writes isr records.
 * @safe: allowed on PREEMPT_RT.
 * @summary: one line for help.
 */
struct strategy {
	const char *name;
	uint32_t number;
	const char *driver;
	bool thread;
	bool primary;
	bool safe;
	const char *summary;
};

/** strategy_at - the strategies in display order; NULL past the last */
const struct strategy *strategy_at(unsigned int i);

/** strategy_find - by name; NULL if there is none */
const struct strategy *strategy_find(const char *name);

#endif
