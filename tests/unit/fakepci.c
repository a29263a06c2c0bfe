// SPDX-License-Identifier: GPL-2.0-only
#include "fakepci.h"
#include "tree.h"
#include "unit.h"

const char *fakepci_path(const char *bdf, const char *below)
{
	static char path[TREE_PATH_MAX];

	snprintf(path, sizeof(path), "/sys/bus/pci/devices/%s%s%s", bdf, *below ? "/" : "", below);
	return path;
}

static void put(const char *bdf, const char *name, const char *text)
{
	char line[128];

	snprintf(line, sizeof(line), "%s\n", text);
	tree_put(fakepci_path(bdf, name), line);
}

static void put_config(const struct fakepci *fn)
{
	unsigned char cfg[FAKEPCI_CONFIG] = { 0 };
	unsigned int at = 0x50;

	/* The list begins at 0x40 with a power management capability, as most do. */
	cfg[0x06] = 0x10;
	cfg[0x34] = 0x40;
	cfg[0x40] = 0x01;
	if (fn->msi) {
		cfg[0x41] = 0x50;
		cfg[at] = 0x05;
		cfg[at + 2] = (unsigned char)((fn->msi - 1) << 1);
		at = 0x70;
	}
	if (fn->msix) {
		cfg[fn->msi ? 0x51 : 0x41] = (unsigned char)at;
		cfg[at] = 0x11;
		cfg[at + 2] = (unsigned char)(fn->msix - 1);
		cfg[at + 3] = (unsigned char)((fn->msix - 1) >> 8);
	}
	tree_put_bytes(fakepci_path(fn->bdf, "config"), cfg,
		       fn->config_size ? fn->config_size : sizeof(cfg));
}

void fakepci_add(const struct fakepci *fn)
{
	char vendor[16] = "0x8086", device[16] = "0x1521", class[16] = "0x020000", link[128];

	if (fn->ids)
		assert_int_equal(sscanf(fn->ids, "%15s %15s %15s", vendor, device, class), 3);
	put(fn->bdf, "vendor", vendor);
	put(fn->bdf, "device", device);
	put(fn->bdf, "class", class);
	put(fn->bdf, "numa_node", "-1");
	put(fn->bdf, "driver_override", "(null)");
	put_config(fn);
	if (fn->driver) {
		snprintf(link, sizeof(link), "../../../bus/pci/drivers/%s", fn->driver);
		tree_link(fakepci_path(fn->bdf, "driver"), link);
	}
	if (fn->group) {
		snprintf(link, sizeof(link), "../../../kernel/iommu_groups/%d", fn->group);
		tree_link(fakepci_path(fn->bdf, "iommu_group"), link);
		snprintf(link, sizeof(link), "/sys/kernel/iommu_groups/%d/devices/%s", fn->group,
			 fn->bdf);
		tree_mkdir(link);
	}
}
