/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef MSILAT_STRATEGY_H
#define MSILAT_STRATEGY_H

#include <stdbool.h>
#include <stdint.h>

/**
 * enum strategy_wake - what wakes a waiter
 * @STRATEGY_WAKE_EVENTFD: a signal of the eventfd.
 * @STRATEGY_WAKE_WAIT: the return of MSILAT_WAIT.
 * @STRATEGY_WAKE_PAGE: a count in the mapped region, which the waiter watches.
 * @STRATEGY_WAKES: number of them.
 */
enum strategy_wake {
	STRATEGY_WAKE_EVENTFD,
	STRATEGY_WAKE_WAIT,
	STRATEGY_WAKE_PAGE,
	STRATEGY_WAKES,
};

/**
 * enum strategy_thread - which thread of the kernel wakes the waiter
 * @STRATEGY_THREAD_NONE: none: it happens in hard IRQ.
 * @STRATEGY_THREAD_IRQ: the thread of the interrupt (on PREEMPT_RT or with threadirqs).
 * @STRATEGY_THREAD_KTHREAD: a SCHED_FIFO thread that the driver keeps for the vector.
 * @STRATEGY_THREAD_IRQ_WORK: the irq_work thread of the CPU, FIFO 1, which others use too (on
 *	PREEMPT_RT; elsewhere irq_work runs in hard IRQ).
 */
enum strategy_thread {
	STRATEGY_THREAD_NONE,
	STRATEGY_THREAD_IRQ,
	STRATEGY_THREAD_KTHREAD,
	STRATEGY_THREAD_IRQ_WORK,
};

/**
 * struct strategy - what user space must know about a delivery strategy
 * @name: as on the command line.
 * @number: enum msilat_strategy of kmod/uapi/msilat.h.
 * @driver: kernel driver that implements it.
 * @wake: what it wakes its waiter by. Where that is not the eventfd, the driver signals the eventfd
 *	beside it, from a thread, unless told not to.
 * @thread: who does.
 * @primary: a primary handler of ours writes isr records and probes the eventfd's lock.
 * @safe: allowed on PREEMPT_RT.
 * @summary: one line for help.
 */
struct strategy {
	const char *name;
	uint32_t number;
	const char *driver;
	enum strategy_wake wake;
	enum strategy_thread thread;
	bool primary;
	bool safe;
	const char *summary;
};

/** strategy_at - the strategies in display order; NULL past the last */
const struct strategy *strategy_at(unsigned int i);

/** strategy_name - the name of the i-th strategy; NULL past the last */
const char *strategy_name(unsigned int i);

/** strategy_find - by name; NULL if there is none */
const struct strategy *strategy_find(const char *name);

/** strategy_ours - our driver implements it, so its strategies, counters and stamps are there */
bool strategy_ours(const struct strategy *s);

/** strategy_wake_name - "eventfd", "wait ioctl", "page" */
const char *strategy_wake_name(enum strategy_wake wake);

/** strategy_thread_name - "IRQ thread", "kthread", "irq_work thread", or "none" */
const char *strategy_thread_name(enum strategy_thread thread);

#endif
