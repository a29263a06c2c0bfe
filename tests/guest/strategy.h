/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What uapi/msilat.h says about each strategy, as a test needs it. On PREEMPT_RT, where the guests
 * are.
 */
#ifndef STRATEGY_H
#define STRATEGY_H

#include <stdbool.h>
#include <stdint.h>

#include "msilat.h"

#define STRATEGIES 9	/* the numbers there are, stock's included */

/** strategy_name - as in the module parameter */
static inline const char *strategy_name(uint32_t strategy)
{
	static const char *const names[STRATEGIES] = {
		"stock", "thread", "split", "nothread", "thread-direct", "kthread", "irqwork",
		"direct", "page",
	};

	return names[strategy];
}

/** strategy_has_primary - writes the isr ring? */
static inline bool strategy_has_primary(uint32_t strategy)
{
	return strategy != MSILAT_STRATEGY_THREAD && strategy != MSILAT_STRATEGY_THREAD_DIRECT;
}

/** strategy_has_thread - signals the waiter in a thread? */
static inline bool strategy_has_thread(uint32_t strategy)
{
	return strategy != MSILAT_STRATEGY_NOTHREAD && strategy != MSILAT_STRATEGY_DIRECT &&
	       strategy != MSILAT_STRATEGY_PAGE;
}

/** strategy_has_wait - wakes MSILAT_WAIT? */
static inline bool strategy_has_wait(uint32_t strategy)
{
	return strategy == MSILAT_STRATEGY_THREAD_DIRECT || strategy == MSILAT_STRATEGY_DIRECT;
}

/** strategy_has_alone - takes MSILAT_SELECT_NO_EVENTFD? */
static inline bool strategy_has_alone(uint32_t strategy)
{
	return strategy_has_wait(strategy) || strategy == MSILAT_STRATEGY_PAGE;
}

#endif
