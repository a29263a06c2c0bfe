/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef MSILAT_SYSFS_H
#define MSILAT_SYSFS_H

#include <stddef.h>
#include <stdint.h>

#include "reason.h"

#define SYSFS_PATH_MAX 512

/**
 * sysfs_root - directory in front of every /sys, /proc and /dev path
 *
 * Empty on a real host; the environment variable MSILAT_SYSROOT names a fake tree for tests.
 */
const char *sysfs_root(void);

/**
 * sysfs_path - build a path below sysfs_root()
 * @buf: receives the path.
 * @fmt: printf format of the absolute path, e.g. "/sys/bus/pci/devices/%s/driver".
 *
 * Return: 0 or -ENAMETOOLONG.
 */
int sysfs_path(char buf[SYSFS_PATH_MAX], const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/**
 * sysfs_read - read a small attribute as text
 * @buf: receives the content without trailing white space, NUL-terminated. A file that is empty
 *	or lacks the final newline is as good as any other.
 * @size: of @buf; a longer content is cut.
 * @fmt: as for sysfs_path().
 *
 * Return: length of the text (0 is possible) or -errno.
 */
int sysfs_read(char *buf, size_t size, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/**
 * sysfs_read_u64 - read an attribute that holds one number
 * @value: receives it. Decimal, or hexadecimal with 0x.
 * @fmt: as for sysfs_path().
 *
 * Return: 0, -EINVAL when the content is no number, or -errno.
 */
int sysfs_read_u64(uint64_t *value, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/**
 * sysfs_link - last component of a symbolic link's target
 * @buf: receives it, e.g. the driver's name for .../driver.
 *
 * Return: length or -errno (-ENOENT: no such link).
 */
int sysfs_link(char *buf, size_t size, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/**
 * sysfs_write - write an attribute, after saying so
 * @path: complete path, as sysfs_path() made it.
 * @text: what to write; a newline is added.
 * @why: on failure says what could not be written where.
 *
 * Every write is announced to the hook set by sysfs_echo() first: what the kit changes on a host
 * can be read, and repeated, by its user.
 *
 * Return: 0 or -errno.
 */
int sysfs_write(const char *path, const char *text, struct reason *why);

/**
 * sysfs_echo - set the function that announces writes
 * @hook: called with path and text before each write; NULL for silence.
 */
void sysfs_echo(void (*hook)(const char *path, const char *text));

#endif
