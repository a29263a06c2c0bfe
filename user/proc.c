// SPDX-License-Identifier: GPL-2.0-only
#include <ctype.h>
#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#include "proc.h"
#include "sysfs.h"

pid_t proc_find(const char *dir, bool (*fits)(const char *comm, const char *name), const char *name)
{
	char path[SYSFS_PATH_MAX], comm[64];
	struct dirent *e;
	pid_t tid = 0;
	DIR *entries;

	if (sysfs_path(path, "%s", dir))
		return 0;
	entries = opendir(path);
	if (!entries)
		return 0;
	while (!tid && (e = readdir(entries)))
		if (isdigit((unsigned char)e->d_name[0]) &&
		    sysfs_read(comm, sizeof(comm), "%s/%s/comm", dir, e->d_name) > 0 &&
		    fits(comm, name))
			tid = (pid_t)atoi(e->d_name);
	closedir(entries);
	return tid;
}

bool proc_is_named(const char *comm, const char *name)
{
	return !strcmp(comm, name);
}
