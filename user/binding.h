/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef MSILAT_BINDING_H
#define MSILAT_BINDING_H

#include <stdbool.h>

#include "pci.h"
#include "reason.h"

/**
 * binding_bind - hand a function over to a VFIO driver
 * @bdf: canonical address.
 * @driver: "msilat-vfio-pci" or "vfio-pci".
 * @force: take a function that a network interface or a disk uses.
 * @why: on failure names the thing and the remedy.
 *
 * The driver and override that were there before are recorded under /run/msilat/bind, the first
 * time only, so that binding again to another driver does not lose the way back. A failure half
 * way undoes exactly what was done. Needs root.
 *
 * Return: 0 (also if it was bound so already); -ENODEV (module not loaded, no such function),
 * -EBUSY (in use), -ENOTSUP (no MSI, a bridge), -EPERM, or another -errno.
 */
int binding_bind(const char *bdf, const char *driver, bool force, struct reason *why);

/**
 * binding_unbind - put the driver and override back that binding_bind() found
 *
 * A function that was removed meanwhile only loses its record.
 *
 * Return: 0, -ENOENT when nothing is recorded for it, or another -errno.
 */
int binding_unbind(const char *bdf, struct reason *why);

#endif
