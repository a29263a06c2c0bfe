// SPDX-License-Identifier: GPL-2.0-only
/* Names of PCI functions: pci.ids where there is one, else the class. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pci.h"
#include "sysfs.h"

static const char *const id_files[] = {
	"/usr/share/misc/pci.ids",
	"/usr/share/hwdata/pci.ids",
	"/var/lib/pciutils/pci.ids",
};

/* Base classes, PCI Code and ID Assignment Specification. */
static const char *const classes[] = {
	[0x00] = "unclassified device", [0x01] = "storage controller",
	[0x02] = "network controller", [0x03] = "display controller",
	[0x04] = "multimedia controller", [0x05] = "memory controller",
	[0x06] = "bridge", [0x07] = "communication controller",
	[0x08] = "system peripheral", [0x09] = "input controller",
	[0x0a] = "docking station", [0x0b] = "processor",
	[0x0c] = "serial bus controller", [0x0d] = "wireless controller",
	[0x0e] = "intelligent controller", [0x0f] = "satellite controller",
	[0x10] = "encryption controller", [0x11] = "signal processing controller",
	[0x12] = "processing accelerator",
};

/*
 * pci.ids: "vvvv  vendor" lines, each followed by "\tdddd  device" lines. Sub-systems have two
 * tabs. Fills name and returns true if the device is listed.
 */
static bool look_up(FILE *f, const struct pci_function *fn, char name[PCI_NAME_MAX])
{
	char line[256], vendor[PCI_NAME_MAX] = "";
	unsigned int id;
	int off;

	while (fgets(line, sizeof(line), f)) {
		line[strcspn(line, "\n")] = '\0';
		off = 0;
		if (line[0] == '#' || !line[0])
			continue;
		if (line[0] == '\t') {
			if (vendor[0] && line[1] != '\t' &&
			    sscanf(line, "\t%4x %n", &id, &off) == 1 && off && id == fn->device) {
				/* The vendor's first word is enough beside a device name. */
				vendor[strcspn(vendor, " ")] = '\0';
				snprintf(name, PCI_NAME_MAX, "%.24s %s", vendor, line + off);
				return true;
			}
		} else {
			if (vendor[0])
				return false;
			if (sscanf(line, "%4x %n", &id, &off) == 1 && off && id == fn->vendor)
				snprintf(vendor, sizeof(vendor), "%s", line + off);
		}
	}
	return false;
}

void pci_name(const struct pci_function *fn, char name[PCI_NAME_MAX])
{
	unsigned int base = fn->class >> 16;
	char path[SYSFS_PATH_MAX];
	bool found = false;
	size_t i;
	FILE *f;

	/* Not in pci.ids' device lists, yet the lab's standard device. */
	if (fn->vendor == 0x1234 && fn->device == 0x11e8) {
		strcpy(name, "QEMU edu");
		return;
	}
	for (i = 0; i < sizeof(id_files) / sizeof(id_files[0]) && !found; i++) {
		if (sysfs_path(path, "%s", id_files[i]))
			continue;
		f = fopen(path, "re");
		if (!f)
			continue;
		found = look_up(f, fn, name);
		fclose(f);
	}
	if (found)
		return;
	snprintf(name, PCI_NAME_MAX, "%s %04x:%04x",
		 base < sizeof(classes) / sizeof(classes[0]) ? classes[base] : "device",
		 fn->vendor, fn->device);
}
