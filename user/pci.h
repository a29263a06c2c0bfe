/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef MSILAT_PCI_H
#define MSILAT_PCI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "reason.h"

#define PCI_BDF_MAX 24		/* "10000:00:1f.7" and longer domains */
#define PCI_NAME_MAX 80

/**
 * struct pci_function - what sysfs says about one PCI function
 * @bdf: canonical address, domain of four or more hexadecimal digits.
 * @vendor: PCI vendor ID; likewise @device, @class (24 bits).
 * @driver: bound driver, "" if none.
 * @group: IOMMU group, -1 without an IOMMU.
 * @numa_node: -1 if unknown.
 * @msi: number of MSI vectors the capability offers, 0 without one.
 * @msix: same for MSI-X.
 * @caps_known: false if the capabilities could not be read (an ordinary user sees 64 bytes of
 *	configuration space); @msi and @msix are then 0.
 * @bridge: a PCI bridge: never measured, and no obstacle in an IOMMU group.
 * @netdev: network interface that uses the function, "" if none.
 * @block: the function carries a disk, or is a controller of some.
 */
struct pci_function {
	char bdf[PCI_BDF_MAX];
	uint16_t vendor;
	uint16_t device;
	uint32_t class;
	char driver[64];
	int group;
	int numa_node;
	unsigned int msi;
	unsigned int msix;
	bool caps_known;
	bool bridge;
	char netdev[32];
	bool block;
};

/**
 * pci_resolve - turn what a person typed into a canonical address
 * @bdf: receives it.
 * @text: "0000:03:00.0", "10000:03:00.0", or "03:00.0" if only one domain has it.
 *
 * Return: 0, -EINVAL (no address), -ENODEV (no such function), -ENOTUNIQ (several domains).
 */
int pci_resolve(char bdf[PCI_BDF_MAX], const char *text, struct reason *why);

/**
 * pci_read - look one function up
 * @bdf: canonical address.
 *
 * Return: 0 or -ENODEV.
 */
int pci_read(struct pci_function *fn, const char *bdf, struct reason *why);

/**
 * pci_scan - all functions, sorted by address
 * @list: receives an array the caller frees.
 *
 * Return: their number or -errno.
 */
int pci_scan(struct pci_function **list, struct reason *why);

/**
 * pci_name - name for a person
 *
 * From pci.ids where one of the usual files exists, else the class ("Ethernet controller").
 */
void pci_name(const struct pci_function *fn, char name[PCI_NAME_MAX]);

/**
 * pci_irqs - Linux IRQ numbers of a function's MSI or MSI-X vectors
 * @irqs: receives up to @max of them in ascending order.
 *
 * Return: their number, 0 while none is enabled, or -errno.
 */
int pci_irqs(const char *bdf, unsigned int *irqs, int max);

/**
 * pci_group_peers - the other functions in an IOMMU group that keep it from being viable
 * @text: receives their addresses with their drivers, comma-separated.
 *
 * VFIO takes a group when every function in it is without driver, bound to a VFIO driver, or a
 * bridge of the PCI Express port driver.
 *
 * Return: their number.
 */
int pci_group_peers(const struct pci_function *fn, char *text, size_t size);

#endif
