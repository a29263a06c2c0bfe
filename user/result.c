// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "result.h"

#define LABELS_A_DAY 10000

/* Like mkdir -p. */
static int make_dirs(const char *path)
{
	char part[RESULT_PATH_MAX];
	char *slash;

	if (snprintf(part, sizeof(part), "%s", path) >= (int)sizeof(part))
		return -ENAMETOOLONG;
	for (slash = strchr(part + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		if (mkdir(part, 0777) && errno != EEXIST)
			return -errno;
		*slash = '/';
	}
	return mkdir(part, 0777) && errno != EEXIST ? -errno : 0;
}

static int set_paths(struct result *r, const char *root)
{
	if (snprintf(r->final, sizeof(r->final), "%s/%s", root, r->label) >=
		    (int)sizeof(r->final) ||
	    snprintf(r->partial, sizeof(r->partial), "%s/%s.partial", root, r->label) >=
		    (int)sizeof(r->partial))
		return -ENAMETOOLONG;
	return 0;
}

/* Claim a label: mkdir() is the lock against another run with the same idea. */
static int claim(struct result *r, const char *root)
{
	struct stat st;
	int ret = set_paths(r, root);

	if (ret)
		return ret;
	if (!lstat(r->final, &st))
		return -EEXIST;
	if (mkdir(r->partial, 0777))
		return -errno;
	/* Another run may have finished between the two calls. */
	if (!lstat(r->final, &st)) {
		rmdir(r->partial);
		return -EEXIST;
	}
	return 0;
}

static int claim_any(struct result *r, const char *root, const char *strategy)
{
	time_t now = time(NULL);
	char date[16];
	struct tm tm;
	int n, ret = -EEXIST;

	gmtime_r(&now, &tm);
	strftime(date, sizeof(date), "%Y-%m-%d", &tm);
	for (n = 1; n < LABELS_A_DAY && ret == -EEXIST; n++) {
		snprintf(r->label, sizeof(r->label), "%s-%s-%d", date, strategy, n);
		ret = claim(r, root);
	}
	return ret;
}

int result_open(struct result *r, const char *root, const char *label, const char *strategy,
		struct reason *why)
{
	size_t len = strlen(label);
	int ret;

	memset(r, 0, sizeof(*r));
	if (strchr(label, '/') || label[0] == '.' || len >= sizeof(r->label) ||
	    (len > 8 && !strcmp(label + len - 8, ".partial")))
		return reason_set(why, -EINVAL,
				  "--label %s: not usable as a directory name (no '/', no leading '.', "
				  "no '.partial' at the end)", label);
	ret = make_dirs(root);
	if (ret)
		return reason_set(why, ret, "%s: cannot make the results directory: %s (--results)",
				  root, strerror(-ret));
	if (len) {
		strcpy(r->label, label);
		ret = claim(r, root);
	} else {
		ret = claim_any(r, root, strategy);
	}
	if (ret == -EEXIST)
		return reason_set(why, ret, "%s/%s: this result exists; choose another --label", root,
				  r->label);
	if (ret)
		return reason_set(why, ret, "%s/%s: %s (--results)", root, r->label,
				  strerror(-ret));
	return 0;
}

static int path_of(const struct result *r, char *path, const char *name, const char *suffix)
{
	return snprintf(path, RESULT_PATH_MAX, "%s/%s%s", r->partial, name, suffix) <
	       RESULT_PATH_MAX ? 0 : -ENAMETOOLONG;
}

static FILE *open_file(struct result *r, const char *name, const char *suffix,
		       struct reason *why)
{
	char path[RESULT_PATH_MAX];
	FILE *f;

	if (path_of(r, path, name, suffix))
		return NULL;
	f = fopen(path, "we");
	if (!f)
		reason_set(why, -errno, "%s: %s", path, strerror(errno));
	return f;
}

FILE *result_create(struct result *r, const char *name, struct reason *why)
{
	return open_file(r, name, ".tmp", why);
}

FILE *result_stream(struct result *r, const char *name, struct reason *why)
{
	return open_file(r, name, "", why);
}

int result_commit(struct result *r, FILE *f, const char *name, struct reason *why)
{
	char temporary[RESULT_PATH_MAX], path[RESULT_PATH_MAX];
	int ret = 0;

	errno = 0;
	if (fflush(f) || ferror(f) || fsync(fileno(f)))
		ret = errno ? -errno : -EIO;
	if (fclose(f) && !ret)
		ret = -errno;
	if (!ret)
		ret = path_of(r, temporary, name, ".tmp");
	if (!ret)
		ret = path_of(r, path, name, "");
	if (!ret && rename(temporary, path))
		ret = -errno;
	if (ret)
		return reason_set(why, ret, "%s/%s: %s; what was written before is kept", r->partial,
				  name, strerror(-ret));
	return 0;
}

int result_finish(struct result *r, struct reason *why)
{
	if (rename(r->partial, r->final))
		return reason_set(why, -errno, "%s: cannot rename it to %s: %s; the result is complete "
				  "under this name", r->partial, r->final, strerror(errno));
	return 0;
}

void result_abandon(struct result *r)
{
	static const char *const leftovers[] = { "manifest.json.tmp", "samples.bin" };
	char path[RESULT_PATH_MAX];
	struct stat st;
	size_t i;

	if (!r->partial[0] || path_of(r, path, "manifest.json", "") || !lstat(path, &st))
		return;
	for (i = 0; i < sizeof(leftovers) / sizeof(leftovers[0]); i++)
		if (!path_of(r, path, leftovers[i], ""))
			unlink(path);
	rmdir(r->partial);
}
