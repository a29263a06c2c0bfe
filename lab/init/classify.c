// SPDX-License-Identifier: GPL-2.0-only
/*
 * Which lines of the kernel's log are complaints. The first match wins: lockdep and the lockup
 * detectors also say WARNING and BUG, so they come first.
 */
#define _GNU_SOURCE
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "classify.h"

static const struct pattern {
	enum class class;
	bool anywhere; /* else at the start of the line */
	const char *text;
} patterns[] = {
	{ CLASS_PANIC, false, "Kernel panic - not syncing" },

	{ CLASS_LOCKDEP, true, "invalid wait context" },
	{ CLASS_LOCKDEP, true, "possible circular locking" },
	{ CLASS_LOCKDEP, true, "possible recursive locking" },
	{ CLASS_LOCKDEP, true, "possible irq lock inversion" },
	{ CLASS_LOCKDEP, true, "possible deadlock in" },
	{ CLASS_LOCKDEP, true, "inconsistent lock state" },
	{ CLASS_LOCKDEP, true, "lock order detected" },
	{ CLASS_LOCKDEP, true, "bad unlock balance" },
	{ CLASS_LOCKDEP, true, "bad contention detected" },
	{ CLASS_LOCKDEP, true, "held lock freed" },
	{ CLASS_LOCKDEP, true, "lock held when returning to user space" },
	{ CLASS_LOCKDEP, true, "still has locks held" },
	{ CLASS_LOCKDEP, true, "nested lock was not taken" },
	{ CLASS_LOCKDEP, true, "suspicious RCU usage" },
	{ CLASS_LOCKDEP, true, "DEBUG_LOCKS_WARN_ON" },
	{ CLASS_LOCKDEP, true, "turning off the locking correctness validator" },
	{ CLASS_LOCKDEP, false, "BUG: MAX_LOCKDEP_" },
	{ CLASS_LOCKDEP, false, "BUG: MAX_LOCK_DEPTH" },
	{ CLASS_LOCKDEP, false, "BUG: MAX_STACK_TRACE_ENTRIES" },

	{ CLASS_STALL, false, "rcu: INFO: rcu_" },
	{ CLASS_STALL, false, "INFO: rcu_" },
	{ CLASS_STALL, false, "INFO: task " },
	{ CLASS_STALL, true, "soft lockup" },
	{ CLASS_STALL, true, "hard LOCKUP" },
	{ CLASS_STALL, true, "workqueue lockup" },
	{ CLASS_STALL, true, "kthread starved for" },

	{ CLASS_BUG, false, "BUG: " },
	{ CLASS_BUG, false, "[ BUG: " },
	{ CLASS_BUG, false, "kernel BUG at " },
	{ CLASS_BUG, false, "Oops: " },
	{ CLASS_BUG, false, "general protection fault" },
	{ CLASS_BUG, false, "Unable to handle kernel" },
	{ CLASS_BUG, false, "invalid opcode: " },
	{ CLASS_BUG, false, "stack segment: " },
	{ CLASS_BUG, false, "traps: PANIC: " },
	{ CLASS_BUG, false, "UBSAN: " },
	{ CLASS_BUG, false, "ODEBUG: " },
	{ CLASS_BUG, true, "new suspected memory leaks" },

	{ CLASS_WARNING, false, "WARNING: " },
	{ CLASS_WARNING, true, ": nobody cared (try booting" },
	{ CLASS_WARNING, true, "page allocation failure" },
};

static bool matches(const struct pattern *p, const char *text)
{
	if (p->anywhere)
		return strcasestr(text, p->text) != NULL;
	return !strncmp(text, p->text, strlen(p->text));
}

/**
 * classify() - what one line of the kernel's log is
 * @text: the line, without priority and time
 *
 * Return: its class, CLASS_NONE for most.
 */
enum class classify(const char *text)
{
	size_t i;

	for (i = 0; i < sizeof(patterns) / sizeof(patterns[0]); i++)
		if (matches(&patterns[i], text))
			return patterns[i].class;
	return CLASS_NONE;
}

/**
 * classify_name() - the word for a class on the verdict channel and on lab/guest's command line
 * @class: any but NR_CLASSES
 *
 * Return: a constant string.
 */
const char *classify_name(enum class class)
{
	static const char *const names[NR_CLASSES] = {
		[CLASS_NONE] = "none",
		[CLASS_WARNING] = "warning",
		[CLASS_BUG] = "bug",
		[CLASS_LOCKDEP] = "lockdep",
		[CLASS_STALL] = "stall",
		[CLASS_PANIC] = "panic",
	};

	return names[class];
}
