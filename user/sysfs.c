// SPDX-License-Identifier: GPL-2.0-only
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "sysfs.h"

static void (*echo_hook)(const char *path, const char *text);

const char *sysfs_root(void)
{
	const char *root = getenv("MSILAT_SYSROOT");

	return root ? root : "";
}

static int vpath(char buf[SYSFS_PATH_MAX], const char *fmt, va_list ap)
{
	int len, more;

	len = snprintf(buf, SYSFS_PATH_MAX, "%s", sysfs_root());
	if (len >= SYSFS_PATH_MAX)
		return -ENAMETOOLONG;
	more = vsnprintf(buf + len, SYSFS_PATH_MAX - len, fmt, ap);
	return more < 0 || len + more >= SYSFS_PATH_MAX ? -ENAMETOOLONG : 0;
}

int sysfs_path(char buf[SYSFS_PATH_MAX], const char *fmt, ...)
{
	va_list ap;
	int ret;

	va_start(ap, fmt);
	ret = vpath(buf, fmt, ap);
	va_end(ap);
	return ret;
}

static int read_text(const char *path, char *buf, size_t size)
{
	size_t len = 0;
	ssize_t n = 0;
	int fd, err;

	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	while (len < size - 1) {
		n = read(fd, buf + len, size - 1 - len);
		if (n <= 0)
			break;
		len += n;
	}
	err = n < 0 ? -errno : 0;
	close(fd);
	if (err)
		return err;
	while (len && isspace((unsigned char)buf[len - 1]))
		len--;
	buf[len] = '\0';
	return (int)len;
}

int sysfs_read(char *buf, size_t size, const char *fmt, ...)
{
	char path[SYSFS_PATH_MAX];
	va_list ap;
	int ret;

	va_start(ap, fmt);
	ret = vpath(path, fmt, ap);
	va_end(ap);
	return ret ? ret : read_text(path, buf, size);
}

int sysfs_read_u64(uint64_t *value, const char *fmt, ...)
{
	char path[SYSFS_PATH_MAX], text[64], *end;
	va_list ap;
	int ret;

	va_start(ap, fmt);
	ret = vpath(path, fmt, ap);
	va_end(ap);
	if (!ret)
		ret = read_text(path, text, sizeof(text));
	if (ret < 0)
		return ret;
	/* strtoull() would take a sign, white space, and a leading 0 for octal. */
	if (!isdigit((unsigned char)*text))
		return -EINVAL;
	errno = 0;
	*value = strtoull(text, &end, strncasecmp(text, "0x", 2) ? 10 : 16);
	return errno || *end ? -EINVAL : 0;
}

int sysfs_link(char *buf, size_t size, const char *fmt, ...)
{
	char path[SYSFS_PATH_MAX], target[SYSFS_PATH_MAX];
	const char *base;
	va_list ap;
	ssize_t n;
	int ret;

	va_start(ap, fmt);
	ret = vpath(path, fmt, ap);
	va_end(ap);
	if (ret)
		return ret;
	n = readlink(path, target, sizeof(target) - 1);
	if (n < 0)
		return -errno;
	target[n] = '\0';
	base = strrchr(target, '/');
	base = base ? base + 1 : target;
	if (strlen(base) >= size)
		return -ENAMETOOLONG;
	strcpy(buf, base);
	return (int)strlen(base);
}

int sysfs_write(const char *path, const char *text, struct reason *why)
{
	char line[256];
	int fd, len, err = 0;

	len = snprintf(line, sizeof(line), "%s\n", text);
	if (len >= (int)sizeof(line))
		return reason_set(why, -EINVAL, "%s: value too long", path);
	if (echo_hook)
		echo_hook(path, text);
	fd = open(path, O_WRONLY | O_CLOEXEC);
	if (fd < 0)
		return reason_set(why, -errno, "%s: cannot write '%s': %s", path, text,
				  strerror(errno));
	if (write(fd, line, len) != len)
		err = -errno;
	close(fd);
	if (err)
		return reason_set(why, err, "%s: cannot write '%s': %s", path, text,
				  strerror(-err));
	return 0;
}

void sysfs_echo(void (*hook)(const char *path, const char *text))
{
	echo_hook = hook;
}
