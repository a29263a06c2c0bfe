// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>

#include "proc.h"
#include "switches.h"
#include "sysfs.h"

#define FIELD "\nnonvoluntary_ctxt_switches:"

uint64_t switches_involuntary(pid_t tid)
{
	char status[8192], *field, *end;
	uint64_t n;

	if (tid <= 0 || sysfs_read(status, sizeof(status), "/proc/%d/status", tid) <= 0)
		return SWITCHES_UNKNOWN;
	field = strstr(status, FIELD);
	if (!field)
		return SWITCHES_UNKNOWN;
	field += strlen(FIELD);
	n = strtoull(field, &end, 10);
	return end == field ? SWITCHES_UNKNOWN : n;
}

pid_t switches_thread(const char *name)
{
	return proc_find("/proc/self/task", proc_is_named, name);
}
