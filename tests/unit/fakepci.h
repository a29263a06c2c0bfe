/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef FAKEPCI_H
#define FAKEPCI_H

#include <stdbool.h>
#include <stddef.h>

#define FAKEPCI_CONFIG 256

/**
 * struct fakepci - a PCI function of a fake tree; zero is a network controller without MSI
 * @bdf: address.
 * @ids: "vendor device class", e.g. "0x8086 0x10c9 0x020000".
 * @driver: bound driver, NULL for none.
 * @group: IOMMU group, 0 for none.
 * @msi: its MSI capability's log2 of vectors plus 1; 0 for no capability.
 * @msix: its MSI-X table size; 0 for no capability.
 * @config_size: bytes of configuration space that can be read; 0 for all.
 */
struct fakepci {
	const char *bdf;
	const char *ids;
	const char *driver;
	int group;
	unsigned int msi;
	unsigned int msix;
	size_t config_size;
};

/** fakepci_add - put it into the tree that is open */
void fakepci_add(const struct fakepci *fn);

/** fakepci_path - a path below the function, "" for itself; a static buffer */
const char *fakepci_path(const char *bdf, const char *below);

#endif
