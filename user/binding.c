// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "binding.h"
#include "sysfs.h"

#define STATE_DIR "/run/msilat/bind"
#define DEVICE "/sys/bus/pci/devices/%s"

/* What a function was before: "" for no driver and no override. */
struct before {
	char driver[64];
	char override[64];
};

/* An empty override reads as "(null)". */
static void read_before(const char *bdf, struct before *b)
{
	if (sysfs_link(b->driver, sizeof(b->driver), DEVICE "/driver", bdf) < 0)
		b->driver[0] = '\0';
	if (sysfs_read(b->override, sizeof(b->override), DEVICE "/driver_override", bdf) < 0 ||
	    !strcmp(b->override, "(null)"))
		b->override[0] = '\0';
}

static int set_override(const char *bdf, const char *driver, struct reason *why)
{
	char path[SYSFS_PATH_MAX];
	int ret = sysfs_path(path, DEVICE "/driver_override", bdf);

	/* The kernel clears an override on a lone newline. */
	return ret ? ret : sysfs_write(path, driver, why);
}

static int leave_driver(const char *bdf, struct reason *why)
{
	char path[SYSFS_PATH_MAX], driver[64];
	int ret;

	if (sysfs_link(driver, sizeof(driver), DEVICE "/driver", bdf) < 0)
		return 0;
	ret = sysfs_path(path, "/sys/bus/pci/drivers/%s/unbind", driver);
	return ret ? ret : sysfs_write(path, bdf, why);
}

static int probe(const char *bdf, struct reason *why)
{
	char path[SYSFS_PATH_MAX];
	int ret = sysfs_path(path, "/sys/bus/pci/drivers_probe");

	return ret ? ret : sysfs_write(path, bdf, why);
}

/* Put override and driver in place. Also the way back. */
static int change(const char *bdf, const char *override, const char *driver, struct reason *why)
{
	char now[64];
	int ret;

	ret = leave_driver(bdf, why);
	if (!ret)
		ret = set_override(bdf, override, why);
	if (ret || !driver[0])
		return ret;
	ret = probe(bdf, why);
	if (ret)
		return ret;
	if (sysfs_link(now, sizeof(now), DEVICE "/driver", bdf) < 0 || strcmp(now, driver))
		return reason_set(why, -EIO, "%s: driver %s did not take it (see dmesg)", bdf,
				  driver);
	return 0;
}

static int state_path(char path[SYSFS_PATH_MAX], const char *bdf)
{
	char dir[SYSFS_PATH_MAX];
	int ret;

	ret = sysfs_path(dir, "/run/msilat");
	if (ret)
		return ret;
	mkdir(dir, 0755);
	ret = sysfs_path(dir, STATE_DIR);
	if (ret)
		return ret;
	if (mkdir(dir, 0755) && errno != EEXIST)
		return -errno;
	return sysfs_path(path, STATE_DIR "/%s", bdf);
}

/* Keep the first record: it leads back to what the host had before msilat touched it. */
static int save(const char *bdf, const struct before *b, bool *saved, struct reason *why)
{
	char path[SYSFS_PATH_MAX];
	FILE *f;
	int ret;

	*saved = false;
	ret = state_path(path, bdf);
	if (ret)
		return reason_set(why, ret, "/run/msilat: %s; run as root", strerror(-ret));
	f = fopen(path, "wxe");
	if (!f && errno == EEXIST)
		return 0;
	if (!f)
		return reason_set(why, -errno, "%s: %s", path, strerror(errno));
	fprintf(f, "driver=%s\noverride=%s\n", b->driver, b->override);
	if (fclose(f)) {
		ret = -errno;
		unlink(path);
		return reason_set(why, ret, "%s: %s", path, strerror(-ret));
	}
	*saved = true;
	return 0;
}

static void forget(const char *bdf)
{
	char path[SYSFS_PATH_MAX];

	if (!state_path(path, bdf))
		unlink(path);
}

static int load(const char *bdf, struct before *b, struct reason *why)
{
	char path[SYSFS_PATH_MAX], line[128];
	FILE *f;
	int ret;

	memset(b, 0, sizeof(*b));
	ret = state_path(path, bdf);
	if (ret)
		return reason_set(why, ret, "/run/msilat: %s; run as root", strerror(-ret));
	f = fopen(path, "re");
	if (!f)
		return reason_set(why, -ENOENT,
				  "%s: not bound by msilat bind, or bound before a reboot: nothing to undo",
				  bdf);
	while (fgets(line, sizeof(line), f)) {
		line[strcspn(line, "\n")] = '\0';
		if (!strncmp(line, "driver=", 7))
			snprintf(b->driver, sizeof(b->driver), "%.63s", line + 7);
		else if (!strncmp(line, "override=", 9))
			snprintf(b->override, sizeof(b->override), "%.63s", line + 9);
	}
	fclose(f);
	return 0;
}

static int check_driver(const char *driver, struct reason *why)
{
	char path[SYSFS_PATH_MAX];
	int ret;

	ret = sysfs_path(path, "/sys/bus/pci/drivers/%s", driver);
	if (ret)
		return ret;
	if (access(path, F_OK))
		return reason_set(why, -ENODEV, "driver %s is not loaded; use: modprobe %s", driver,
				  driver);
	return 0;
}

static int check_function(const struct pci_function *fn, bool force, struct reason *why)
{
	if (fn->bridge)
		return reason_set(why, -ENOTSUP, "%s: a bridge cannot be measured", fn->bdf);
	if (fn->caps_known && !fn->msi && !fn->msix)
		return reason_set(why, -ENOTSUP, "%s: has neither MSI nor MSI-X", fn->bdf);
	if (fn->group < 0)
		return reason_set(why, -ENODEV,
				  "%s: no IOMMU group; enable the IOMMU: VT-d or AMD-Vi in the firmware, "
				  "and intel_iommu=on on the kernel command line", fn->bdf);
	if (fn->netdev[0] && !force)
		return reason_set(why, -EBUSY,
				  "%s: in use by network interface %s; take it down and use --force, or choose another (msilat list)",
				  fn->bdf, fn->netdev);
	if (fn->block && !force)
		return reason_set(why, -EBUSY,
				  "%s: carries a disk; unmount it and use --force, or choose another (msilat list)",
				  fn->bdf);
	return 0;
}

/*
 * A VFIO driver lets go of a function only when its user closes it: the write that unbinds would
 * hang until then, for good and uninterruptibly.
 */
static int check_idle(const struct pci_function *fn, struct reason *why)
{
	char path[SYSFS_PATH_MAX];
	int fd;

	if (!strstr(fn->driver, "vfio") || fn->group < 0 ||
	    sysfs_path(path, "/dev/vfio/%d", fn->group))
		return 0;
	fd = open(path, O_RDWR | O_CLOEXEC);
	if (fd >= 0)
		close(fd);
	else if (errno == EBUSY)
		return reason_set(why, -EBUSY, "%s: in use by another process (fuser %s)", fn->bdf,
				  path);
	return 0;
}

int binding_bind(const char *bdf, const char *driver, bool force, struct reason *why)
{
	struct pci_function fn;
	struct before before;
	bool saved;
	int ret;

	ret = pci_read(&fn, bdf, why);
	if (!ret && !strcmp(fn.driver, driver))
		return 0;
	if (!ret)
		ret = check_function(&fn, force, why);
	if (!ret)
		ret = check_driver(driver, why);
	if (ret)
		return ret;
	if (geteuid() && !*sysfs_root())
		return reason_set(why, -EPERM, "%s: binding needs root", bdf);
	ret = check_idle(&fn, why);
	if (ret)
		return ret;
	read_before(bdf, &before);
	ret = save(bdf, &before, &saved, why);
	if (ret)
		return ret;
	ret = change(bdf, driver, driver, why);
	if (ret) {
		change(bdf, before.override, before.driver, NULL);
		if (saved)
			forget(bdf);
	}
	return ret;
}

int binding_unbind(const char *bdf, struct reason *why)
{
	struct before before;
	struct pci_function fn;
	int ret;

	ret = load(bdf, &before, why);
	if (ret)
		return ret;
	if (pci_read(&fn, bdf, NULL)) {
		forget(bdf);
		return 0;
	}
	if (geteuid() && !*sysfs_root())
		return reason_set(why, -EPERM, "%s: unbinding needs root", bdf);
	ret = check_idle(&fn, why);
	if (ret)
		return ret;
	ret = change(bdf, before.override, before.driver, why);
	if (!ret)
		forget(bdf);
	return ret;
}
