// SPDX-License-Identifier: GPL-2.0-only
#include <stdio.h>
#include <string.h>

#include "lab.h"
#include "sysfs.h"

static const char *const names[] = {
	[LAB_HARDWARE] = "hardware",
	[LAB_LIVE] = "live",
	[LAB_EXACT] = "exact",
};

enum lab_mode lab_mode(void)
{
	char cmdline[4096], *word, *save;

	if (sysfs_read(cmdline, sizeof(cmdline), "/proc/cmdline") < 0)
		return LAB_HARDWARE;
	for (word = strtok_r(cmdline, " ", &save); word; word = strtok_r(NULL, " ", &save)) {
		if (!strcmp(word, "msilat_lab=exact"))
			return LAB_EXACT;
		if (!strcmp(word, "msilat_lab=live"))
			return LAB_LIVE;
	}
	return LAB_HARDWARE;
}

const char *lab_mode_name(enum lab_mode mode)
{
	return names[mode];
}

int lab_each(void (*fn)(void *arg, const char *key, const char *value), void *arg)
{
	char path[SYSFS_PATH_MAX], line[1024], *value;
	int n = 0;
	FILE *f;

	if (sysfs_path(path, "/etc/msilat-lab"))
		return 0;
	f = fopen(path, "re");
	if (!f)
		return 0;
	while (fgets(line, sizeof(line), f)) {
		line[strcspn(line, "\n")] = '\0';
		value = strchr(line, '=');
		if (!value)
			continue;
		*value++ = '\0';
		fn(arg, line, value);
		n++;
	}
	fclose(f);
	return n;
}
