// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "knob.h"
#include "sysfs.h"

#define LOCK "/run/lock/msilat.lock"

int knobs_init(struct knobs *k, struct reason *why)
{
	char path[SYSFS_PATH_MAX];
	int ret;

	memset(k, 0, sizeof(*k));
	k->lock = -1;
	if (geteuid())
		return 0;
	ret = sysfs_path(path, LOCK);
	if (ret)
		return ret;
	k->lock = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0644);
	if (k->lock < 0 && errno == ENOENT) {
		/* A small system without /run/lock. */
		ret = sysfs_path(path, "/run/msilat.lock");
		if (ret)
			return ret;
		k->lock = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0644);
	}
	if (k->lock < 0)
		return reason_set(why, -errno, "%s: %s", path, strerror(errno));
	if (flock(k->lock, LOCK_EX | LOCK_NB)) {
		ret = errno == EWOULDBLOCK ? -EBUSY : -errno;
		close(k->lock);
		k->lock = -1;
		return reason_set(why, ret,
				  "another msilat changes this host's settings now; wait for it (lock %s)",
				  path);
	}
	return 0;
}

int knobs_set(struct knobs *k, const char *path, const char *text, struct reason *why)
{
	char before[sizeof(k->knob[0].before)];
	const char *root = sysfs_root();
	int ret;

	if (k->count == KNOBS_MAX || strlen(path) >= sizeof(k->knob[0].path))
		return reason_set(why, -E2BIG, "%s: too many settings changed", path);
	ret = sysfs_read(before, sizeof(before), "%s", path + strlen(root));
	if (ret < 0)
		return reason_set(why, ret, "%s: %s", path, strerror(-ret));
	/* What was cut could not be put back. */
	if (ret == (int)sizeof(before) - 1)
		return reason_set(why, -E2BIG, "%s: its value is too long to be restored", path);
	if (!strcmp(before, text))
		return 0;
	ret = sysfs_write(path, text, why);
	if (ret)
		return ret;
	strcpy(k->knob[k->count].path, path);
	strcpy(k->knob[k->count].before, before);
	k->count++;
	return 0;
}

void knobs_restore(struct knobs *k)
{
	struct reason why;

	/* A knob can be gone, e.g. with the interrupt it belonged to; the others still count. */
	while (k->count--)
		sysfs_write(k->knob[k->count].path, k->knob[k->count].before, &why);
	k->count = 0;
	if (k->lock >= 0)
		close(k->lock);
	k->lock = -1;
}
