// SPDX-License-Identifier: GPL-2.0-only
#include <ctype.h>
#include <dirent.h>
#include <stdlib.h>
#include <string.h>

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
	char path[SYSFS_PATH_MAX], comm[64];
	struct dirent *e;
	pid_t tid = 0;
	DIR *dir;

	if (sysfs_path(path, "/proc/self/task"))
		return 0;
	dir = opendir(path);
	if (!dir)
		return 0;
	while (!tid && (e = readdir(dir)))
		if (isdigit((unsigned char)e->d_name[0]) &&
		    sysfs_read(comm, sizeof(comm), "/proc/self/task/%s/comm", e->d_name) > 0 &&
		    !strcmp(comm, name))
			tid = (pid_t)atoi(e->d_name);
	closedir(dir);
	return tid;
}
