// SPDX-License-Identifier: GPL-2.0-only
/*
 * The guest's file systems. /out is what the host gets: in live mode it is the host's directory
 * itself, so that it survives a guest that is lost; in exact mode it is memory while the payload
 * runs, and archive.c sends it when nothing is measured any more.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include "mounts.h"
#include "run.h"

#define P9_OPTIONS "trans=virtio,version=9p2000.L,msize=262144"
#define FULL "/full"

struct mount_point {
	const char *type;
	const char *source;
	const char *target;
	const char *options;
	unsigned long flags;
	bool optional;
};

/* A file system that the kernel was built without is no error where it is optional. */
static int mount_one(const struct mount_point *m)
{
	if (mkdir(m->target, 0755) && errno != EEXIST)
		return -errno;
	if (mount(m->source, m->target, m->type, m->flags, m->options))
		return m->optional && (errno == ENODEV || errno == ENOENT) ? 0 : -errno;
	return 0;
}

static int mount_table(const struct mount_point *m, size_t n)
{
	int ret = 0;

	for (; n && !ret; m++, n--) {
		ret = mount_one(m);
		if (ret)
			dprintf(STDERR_FILENO, "init: mount %s: %s\n", m->target, strerror(-ret));
	}
	return ret;
}

#define MOUNT_TABLE(table) mount_table(table, sizeof(table) / sizeof((table)[0]))

/**
 * mounts_kernel() - mount what the kernel offers: proc, sys, dev, debugfs, tracefs, and memory
 *
 * Return: 0 or the -errno of the first mount that failed.
 */
int mounts_kernel(void)
{
	static const struct mount_point table[] = {
		{ "proc", "proc", "/proc", NULL, 0, false },
		{ "sysfs", "sys", "/sys", NULL, 0, false },
		{ "devtmpfs", "dev", "/dev", NULL, 0, false },
		{ "devpts", "devpts", "/dev/pts", "ptmxmode=0666", 0, true },
		{ "tmpfs", "shm", "/dev/shm", "mode=1777", 0, false },
		{ "tmpfs", "tmp", "/tmp", "mode=1777", 0, false },
		{ "tmpfs", "run", "/run", "mode=755", 0, false },
		{ "debugfs", "debugfs", "/sys/kernel/debug", NULL, 0, true },
		{ "tracefs", "tracefs", "/sys/kernel/tracing", NULL, 0, true },
	};

	return MOUNT_TABLE(table);
}

/* The transport is a set of modules on Debian's kernels and built in on the debug kernel. */
static int load_9p(void)
{
	static char *const modules[] = { "virtio_pci", "9pnet_virtio", "9p" };
	size_t i;
	int ret;

	for (i = 0; i < sizeof(modules) / sizeof(modules[0]); i++) {
		ret = run_modprobe(modules[i]);
		if (ret)
			return ret;
	}
	return 0;
}

/**
 * mounts_out() - give the payload its /out
 * @now: the host's directory itself, else memory
 *
 * Return: 0 or -errno.
 */
int mounts_out(bool now)
{
	static const struct mount_point memory[] = {
		{ "tmpfs", "out", "/out", "mode=755", 0, false },
	};
	static const struct mount_point host[] = {
		{ "9p", "out", "/out", P9_OPTIONS, 0, false },
	};
	int ret;

	if (!now)
		return MOUNT_TABLE(memory);
	ret = load_9p();
	return ret ? ret : MOUNT_TABLE(host);
}

/**
 * mounts_full() - make the lab's root, read-only on the host, this guest's root with a layer of
 * memory on top, and go there
 *
 * /lab, the payload and msilat come along from the initramfs; the project is /msilat. Must run
 * when /out is mounted.
 *
 * Return: 0 or -errno.
 */
int mounts_full(void)
{
	static const struct mount_point table[] = {
		{ "tmpfs", "layer", "/layer", NULL, 0, false },
		{ "9p", "root", "/lower", P9_OPTIONS ",cache=loose", MS_RDONLY, false },
	};
	static const struct mount_point over[] = {
		{ "overlay", "full", FULL,
		  "lowerdir=/lower,upperdir=/layer/upper,workdir=/layer/work", 0, false },
		{ "9p", "project", FULL "/msilat", P9_OPTIONS ",cache=mmap", 0, false },
	};
	static const char *const moved[] = { "/proc", "/sys", "/dev", "/tmp", "/run", "/out" };
	static const char *const shared[] = {
		"/lab", "/payload", "/lib/modules", "/etc/msilat-lab",
	};
	static char *const overlay[] = { "modprobe", "overlay", NULL };
	char target[64];
	size_t i;
	int ret;

	/* Built in on some kernels: the mount below tells. */
	run_wait(overlay);
	ret = MOUNT_TABLE(table);
	if (ret)
		return ret;
	if (mkdir("/layer/upper", 0755) || mkdir("/layer/work", 0755))
		return -errno;
	ret = MOUNT_TABLE(over);
	if (ret)
		return ret;
	for (i = 0; i < sizeof(moved) / sizeof(moved[0]); i++) {
		snprintf(target, sizeof(target), FULL "%s", moved[i]);
		mkdir(target, 0755);
		if (mount(moved[i], target, NULL, MS_MOVE, NULL))
			return -errno;
	}
	for (i = 0; i < sizeof(shared) / sizeof(shared[0]); i++) {
		snprintf(target, sizeof(target), FULL "%s", shared[i]);
		if (strcmp(shared[i], "/etc/msilat-lab"))
			mkdir(target, 0755);
		else
			close(open(target, O_CREAT | O_WRONLY | O_CLOEXEC, 0644));
		if (mount(shared[i], target, NULL, MS_BIND, NULL))
			return -errno;
	}
	if (chroot(FULL) || chdir("/"))
		return -errno;
	return 0;
}
