// SPDX-License-Identifier: GPL-2.0-only
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "pci.h"
#include "sysfs.h"

#define DEVICES "/sys/bus/pci/devices"

/* Offsets and bits from the PCI Local Bus Specification 3.0, chapter 6. */
#define CFG_STATUS 0x06
#define CFG_STATUS_CAPS 0x10
#define CFG_HEADER_TYPE 0x0e
#define CFG_CAPS 0x34
#define CAP_MSI 0x05
#define CAP_MSIX 0x11

/* Read 1 … @digits hexadecimal digits and the character that must follow them; move past both. */
static int field(const char **text, int digits, char follows, unsigned long *value)
{
	int n;

	*value = 0;
	for (n = 0; n < digits && isxdigit((unsigned char)(*text)[n]); n++)
		;
	if (!n || (*text)[n] != follows)
		return -EINVAL;
	*value = strtoul(*text, NULL, 16);
	*text += n + (follows != '\0');
	return 0;
}

/* Split "[domain:]bus:device.function"; -EINVAL if it is none. */
static int split(const char *text, unsigned long *domain, unsigned int *bdf)
{
	const char *colon = strchr(text, ':');
	unsigned long bus, dev, fn;

	*domain = ~0ul;
	if (!colon)
		return -EINVAL;
	if (strchr(colon + 1, ':') && field(&text, 8, ':', domain))
		return -EINVAL;
	if (field(&text, 2, ':', &bus) || field(&text, 2, '.', &dev) ||
	    field(&text, 1, '\0', &fn) || dev > 31 || fn > 7)
		return -EINVAL;
	*bdf = (unsigned int)(bus << 8 | dev << 3 | fn);
	return 0;
}

static void canonical(char bdf[PCI_BDF_MAX], unsigned long domain, unsigned int devfn)
{
	snprintf(bdf, PCI_BDF_MAX, "%04lx:%02x:%02x.%x", domain & 0xffffffff,
		 devfn >> 8 & 0xff, devfn >> 3 & 31, devfn & 7);
}

static int sort_bdf(const void *a, const void *b)
{
	unsigned long da, db;
	unsigned int fa, fb;

	if (split(((const struct pci_function *)a)->bdf, &da, &fa) ||
	    split(((const struct pci_function *)b)->bdf, &db, &fb))
		return 0;
	if (da != db)
		return da < db ? -1 : 1;
	return (fa > fb) - (fa < fb);
}

int pci_resolve(char bdf[PCI_BDF_MAX], const char *text, struct reason *why)
{
	unsigned long domain, d;
	unsigned int devfn, f, found = 0;
	char path[SYSFS_PATH_MAX];
	struct dirent *e;
	DIR *dir;

	if (split(text, &domain, &devfn))
		return reason_set(why, -EINVAL,
				  "%s: not a PCI address; write it like 0000:03:00.0 (msilat list)",
				  text);
	if (sysfs_path(path, DEVICES))
		return -ENAMETOOLONG;
	dir = opendir(path);
	if (!dir)
		return reason_set(why, -ENODEV, "%s: no PCI bus here: %s", path, strerror(errno));
	while ((e = readdir(dir))) {
		if (split(e->d_name, &d, &f) || f != devfn || (domain != ~0ul && d != domain))
			continue;
		if (!found++)
			canonical(bdf, d, f);
	}
	closedir(dir);
	if (!found)
		return reason_set(why, -ENODEV, "%s: no such PCI function (msilat list)", text);
	if (found > 1)
		return reason_set(why, -ENOTUNIQ,
				  "%s: %u PCI domains have this address; put the domain in front",
				  text, found);
	return 0;
}

/* Vectors offered by the capabilities in configuration space. */
static void read_caps(struct pci_function *fn)
{
	unsigned char cfg[256];
	char path[SYSFS_PATH_MAX];
	unsigned int pos, hops;
	ssize_t n;
	int fd;

	if (sysfs_path(path, DEVICES "/%s/config", fn->bdf))
		return;
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return;
	n = pread(fd, cfg, sizeof(cfg), 0);
	close(fd);
	if (n < 64)
		return;
	fn->bridge = (cfg[CFG_HEADER_TYPE] & 0x7f) == 1 || fn->class >> 16 == 0x06;
	if (!(cfg[CFG_STATUS] & CFG_STATUS_CAPS)) {
		fn->caps_known = true;
		return;
	}
	pos = cfg[CFG_CAPS] & ~3u;
	for (hops = 0; pos >= 64 && pos + 4 <= (size_t)n && hops < 48; hops++) {
		unsigned int control = cfg[pos + 2] | cfg[pos + 3] << 8;

		if (cfg[pos] == CAP_MSI)
			fn->msi = 1u << (control >> 1 & 7);
		if (cfg[pos] == CAP_MSIX)
			fn->msix = (control & 0x7ff) + 1;
		pos = cfg[pos + 1] & ~3u;
	}
	fn->caps_known = !pos || (size_t)n == sizeof(cfg);
}

/*
 * First device of a class that hangs on the function, at whatever depth: /sys/class/<class> links
 * to …/<bdf>/…. "" if there is none.
 */
static void class_device(const char *bdf, const char *class, char *name, size_t size)
{
	char path[SYSFS_PATH_MAX], target[SYSFS_PATH_MAX], part[PCI_BDF_MAX + 2];
	struct dirent *e;
	ssize_t n;
	DIR *dir;

	name[0] = '\0';
	snprintf(part, sizeof(part), "/%s/", bdf);
	if (sysfs_path(path, "/sys/class/%s", class))
		return;
	dir = opendir(path);
	if (!dir)
		return;
	while (!name[0] && (e = readdir(dir))) {
		n = readlinkat(dirfd(dir), e->d_name, target, sizeof(target) - 1);
		if (n <= 0)
			continue;
		target[n] = '\0';
		if (strstr(target, part))
			snprintf(name, size, "%.*s", (int)size - 1, e->d_name);
	}
	closedir(dir);
}

/* A disk. With NVMe multipath it hangs elsewhere; the controller is here all the same. */
static bool has_disk(const char *bdf)
{
	char name[32];

	class_device(bdf, "block", name, sizeof(name));
	if (!name[0])
		class_device(bdf, "nvme", name, sizeof(name));
	return name[0];
}

int pci_read(struct pci_function *fn, const char *bdf, struct reason *why)
{
	char text[64];
	uint64_t value;

	memset(fn, 0, sizeof(*fn));
	snprintf(fn->bdf, sizeof(fn->bdf), "%s", bdf);
	if (sysfs_read_u64(&value, DEVICES "/%s/vendor", bdf))
		return reason_set(why, -ENODEV, "%s: no such PCI function (msilat list)", bdf);
	fn->vendor = (uint16_t)value;
	if (!sysfs_read_u64(&value, DEVICES "/%s/device", bdf))
		fn->device = (uint16_t)value;
	if (!sysfs_read_u64(&value, DEVICES "/%s/class", bdf))
		fn->class = (uint32_t)value;
	sysfs_link(fn->driver, sizeof(fn->driver), DEVICES "/%s/driver", bdf);
	fn->group = -1;
	if (sysfs_link(text, sizeof(text), DEVICES "/%s/iommu_group", bdf) > 0)
		fn->group = atoi(text);
	fn->numa_node = -1;
	if (sysfs_read(text, sizeof(text), DEVICES "/%s/numa_node", bdf) > 0)
		fn->numa_node = atoi(text);
	read_caps(fn);
	class_device(bdf, "net", fn->netdev, sizeof(fn->netdev));
	fn->block = has_disk(bdf);
	return 0;
}

int pci_scan(struct pci_function **list, struct reason *why)
{
	struct pci_function *all = NULL, *more;
	char path[SYSFS_PATH_MAX];
	unsigned long domain;
	unsigned int devfn;
	struct dirent *e;
	int n = 0;
	DIR *dir;

	if (sysfs_path(path, DEVICES))
		return -ENAMETOOLONG;
	dir = opendir(path);
	if (!dir)
		return reason_set(why, -ENODEV, "%s: no PCI bus here: %s", path, strerror(errno));
	while ((e = readdir(dir))) {
		if (split(e->d_name, &domain, &devfn))
			continue;
		more = realloc(all, (n + 1) * sizeof(*all));
		if (!more) {
			free(all);
			closedir(dir);
			return -ENOMEM;
		}
		all = more;
		/* A function may be unplugged between readdir() and here. */
		if (!pci_read(&all[n], e->d_name, NULL))
			n++;
	}
	closedir(dir);
	if (n)
		qsort(all, n, sizeof(*all), sort_bdf);
	*list = all;
	return n;
}

static int sort_irq(const void *a, const void *b)
{
	unsigned int x = *(const unsigned int *)a, y = *(const unsigned int *)b;

	return (x > y) - (x < y);
}

int pci_irqs(const char *bdf, unsigned int *irqs, int max)
{
	char path[SYSFS_PATH_MAX];
	struct dirent *e;
	int n = 0;
	DIR *dir;

	if (sysfs_path(path, DEVICES "/%s/msi_irqs", bdf))
		return -ENAMETOOLONG;
	dir = opendir(path);
	if (!dir)
		return errno == ENOENT ? 0 : -errno;
	while ((e = readdir(dir)))
		if (isdigit((unsigned char)e->d_name[0]) && n < max)
			irqs[n++] = (unsigned int)strtoul(e->d_name, NULL, 10);
	closedir(dir);
	qsort(irqs, n, sizeof(*irqs), sort_irq);
	return n;
}

int pci_group_peers(const struct pci_function *fn, char *text, size_t size)
{
	char path[SYSFS_PATH_MAX];
	struct pci_function peer;
	struct dirent *e;
	size_t len = 0;
	int n = 0;
	DIR *dir;

	text[0] = '\0';
	if (fn->group < 0 || sysfs_path(path, "/sys/kernel/iommu_groups/%d/devices", fn->group))
		return 0;
	dir = opendir(path);
	if (!dir)
		return 0;
	while ((e = readdir(dir))) {
		if (e->d_name[0] == '.' || !strcmp(e->d_name, fn->bdf) ||
		    pci_read(&peer, e->d_name, NULL))
			continue;
		if (!peer.driver[0] || strstr(peer.driver, "vfio") ||
		    !strcmp(peer.driver, "pcieport") || !strcmp(peer.driver, "pci-stub"))
			continue;
		n++;
		if (len < size)
			len += snprintf(text + len, size - len, "%s%s (%s)", len ? ", " : "",
					peer.bdf, peer.driver);
	}
	closedir(dir);
	return n;
}
