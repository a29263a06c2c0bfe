// SPDX-License-Identifier: GPL-2.0-only
#include <fcntl.h>
#include <ftw.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tree.h"
#include "unit.h"

static char root[64];

int tree_open(void **state)
{
	(void)state;
	strcpy(root, "/tmp/msilat-tree.XXXXXX");
	if (!mkdtemp(root))
		return -1;
	return setenv("MSILAT_SYSROOT", root, 1);
}

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st;
	(void)type;
	(void)ftw;
	return remove(path);
}

int tree_close(void **state)
{
	(void)state;
	unsetenv("MSILAT_SYSROOT");
	return nftw(root, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

const char *tree_path(const char *path)
{
	static char full[TREE_PATH_MAX];

	assert_true(snprintf(full, sizeof(full), "%s%s", root, path) < (int)sizeof(full));
	return full;
}

/* Make the directories that lead to a full path. */
static void make_parents(char *full)
{
	char *slash;

	for (slash = strchr(full + strlen(root) + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		if (mkdir(full, 0755) && errno != EEXIST)
			fail_msg("%s: %s", full, strerror(errno));
		*slash = '/';
	}
}

void tree_mkdir(const char *path)
{
	char full[TREE_PATH_MAX + 1];

	snprintf(full, sizeof(full), "%s/", tree_path(path));
	make_parents(full);
}

void tree_put_bytes(const char *path, const void *bytes, size_t size)
{
	char full[TREE_PATH_MAX];
	int fd;

	strcpy(full, tree_path(path));
	make_parents(full);
	fd = open(full, O_WRONLY | O_CREAT | O_TRUNC, 0644);
	if (fd < 0 || write(fd, bytes, size) != (ssize_t)size)
		fail_msg("%s: %s", full, strerror(errno));
	close(fd);
}

void tree_put(const char *path, const char *text)
{
	tree_put_bytes(path, text, strlen(text));
}

void tree_link(const char *path, const char *target)
{
	char full[TREE_PATH_MAX];

	strcpy(full, tree_path(path));
	make_parents(full);
	unlink(full);
	if (symlink(target, full))
		fail_msg("%s: %s", full, strerror(errno));
}

void tree_remove(const char *path)
{
	if (remove(tree_path(path)))
		fail_msg("%s: %s", path, strerror(errno));
}

const char *tree_text(const char *path)
{
	static char text[65536];
	ssize_t n;
	int fd;

	fd = open(tree_path(path), O_RDONLY);
	if (fd < 0)
		return NULL;
	n = read(fd, text, sizeof(text) - 1);
	close(fd);
	assert_true(n >= 0);
	text[n] = '\0';
	return text;
}
