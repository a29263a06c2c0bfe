/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef TREE_H
#define TREE_H

#include <stddef.h>

#define TREE_PATH_MAX 512

/*
 * A fake /sys, /proc, /dev and /run in a scratch directory, which MSILAT_SYSROOT names while it
 * is open. Paths are absolute, as on a real host; directories are made as needed. Any failure of
 * these helpers fails the running test.
 */

/* cmocka set-up and tear-down functions. */
int tree_open(void **state);
int tree_close(void **state);

/** tree_path - where a path of the tree really is; a static buffer, good until the next call */
const char *tree_path(const char *path);

void tree_mkdir(const char *path);

/** tree_put - make a file with this text, and nothing added to it */
void tree_put(const char *path, const char *text);

/** tree_put_bytes - make a file with any content */
void tree_put_bytes(const char *path, const void *bytes, size_t size);

/** tree_link - make a symbolic link, replacing one that is there */
void tree_link(const char *path, const char *target);
void tree_remove(const char *path);

/** tree_text - a file's content; a static buffer; NULL if there is no such file */
const char *tree_text(const char *path);

#endif
