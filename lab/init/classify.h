/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef CLASSIFY_H
#define CLASSIFY_H

/**
 * enum class - what a line of the kernel's log is to the lab
 * @CLASS_NONE: nothing
 * @CLASS_WARNING: WARN_ON() and what the kernel prints in its manner
 * @CLASS_BUG: BUG(), oops, KASAN, scheduling while atomic and their like
 * @CLASS_LOCKDEP: a report of the lock validator
 * @CLASS_STALL: RCU stall, soft or hard lockup, hung task, stuck workqueue
 * @CLASS_PANIC: kernel panic
 */
enum class {
	CLASS_NONE,
	CLASS_WARNING,
	CLASS_BUG,
	CLASS_LOCKDEP,
	CLASS_STALL,
	CLASS_PANIC,
	NR_CLASSES,
};

enum class classify(const char *text);
const char *classify_name(enum class class);

#endif
