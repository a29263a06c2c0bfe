/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The runaway guard: has a mark made its own handler run for ever?
 */
#ifndef _MSILAT_GUARD_H
#define _MSILAT_GUARD_H

#include <linux/ptrace.h>
#include <linux/types.h>

struct task_struct;

#define MSILAT_GUARD_LOOK	64	/* writes since progress was seen: look for it */
#define MSILAT_GUARD_LIMIT	4096	/* more of them than this are too many */

/**
 * struct msilat_guard - what the guard of one mark knows
 *
 * Written by the context that writes the mark, and by nobody else.
 *
 * @base: writes of the mark when progress was last seen
 * @from: writes when what follows was noted; 0: nothing is noted
 * @regs: registers of the context that was interrupted
 * @watching: idle transitions of the CPU, see compat_idle_transitions()
 * @irqs: interrupts of the CPU
 * @task: the thread that writes the mark
 * @nvcsw: times it gave up the CPU
 * @nivcsw: times it was preempted
 */
struct msilat_guard {
	u64 base;
	u64 from;
	struct pt_regs regs;
	u32 watching;
	unsigned long irqs;
	struct task_struct *task;
	unsigned long nvcsw;
	unsigned long nivcsw;
};

bool msilat_guard_trips(struct msilat_guard *guard, u64 writes);

#endif /* _MSILAT_GUARD_H */
