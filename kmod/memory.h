/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Memory decoding of the device while an MSI-X table is touched.
 */
#ifndef _MSILAT_MEMORY_H
#define _MSILAT_MEMORY_H

#include <linux/pci.h>
#include <linux/vfio_pci_core.h>

/**
 * msilat_memory_lock() - keeps resets and the user away from the command register
 * @core: device
 *
 * Takes memory_lock for writing and turns memory decoding on, as vfio-pci does around every
 * change of a vector: the user may have it off. Process context, under igate or alone.
 *
 * Return: the command register as found, for msilat_memory_unlock().
 */
static inline u16 msilat_memory_lock(struct vfio_pci_core_device *core)
{
	u16 cmd;

	down_write(&core->memory_lock);
	pci_read_config_word(core->pdev, PCI_COMMAND, &cmd);
	if (!(cmd & PCI_COMMAND_MEMORY))
		pci_write_config_word(core->pdev, PCI_COMMAND, cmd | PCI_COMMAND_MEMORY);
	return cmd;
}

/**
 * msilat_memory_unlock() - undoes msilat_memory_lock()
 * @core: device
 * @cmd: what msilat_memory_lock() returned
 */
static inline void msilat_memory_unlock(struct vfio_pci_core_device *core, u16 cmd)
{
	pci_write_config_word(core->pdev, PCI_COMMAND, cmd);
	up_write(&core->memory_lock);
}

#endif /* _MSILAT_MEMORY_H */
