// SPDX-License-Identifier: GPL-2.0-only
#include <linux/pci_regs.h>

#include "card.h"
#include "check.h"
#include "edu.h"

#define ID_EDU 0x11e81234u
#define ID_IGB 0x10c98086u

/* igb registers, as Linux' e1000_regs.h has them */
#define IGB_GPIE 0x1514
#define IGB_EICS 0x1520
#define IGB_EIMS 0x1524
#define IGB_EIMC 0x1528
#define IGB_EIAC 0x152c
#define IGB_EICR 0x1580
#define GPIE_MSIX 0xc0000011u	/* non-selective clear, MSI-X mode, PBA support, auto-mask */

int card_open(struct card *c, const char *bdf)
{
	struct vfio_irq_info info;
	uint32_t id;
	int ret;

	ret = vdev_open(&c->dev, bdf);
	if (ret)
		return ret;
	id = vdev_config16(&c->dev, PCI_VENDOR_ID) |
	     (uint32_t)vdev_config16(&c->dev, PCI_DEVICE_ID) << 16;
	if (id != ID_EDU && id != ID_IGB)
		check_die("%s: device %08x is neither edu nor igb", bdf, id);
	c->edu = id == ID_EDU;
	c->index = c->edu ? VDEV_MSI : VDEV_MSIX;
	if (vdev_irq_info(&c->dev, c->index, &info) || !info.count)
		check_die("%s: no vectors", bdf);
	c->vectors = info.count;
	return 0;
}

void card_close(struct card *c)
{
	if (c->edu)
		edu_ack(&c->dev);
	else
		c->dev.bar[IGB_EIMC / 4] = ~0u;
	vdev_close(&c->dev);
}

void card_prepare(struct card *c)
{
	vdev_set_config16(&c->dev, PCI_COMMAND, vdev_config16(&c->dev, PCI_COMMAND) |
			  PCI_COMMAND_MASTER | PCI_COMMAND_MEMORY);
	card_enable(c);
}

void card_enable(struct card *c)
{
	uint32_t mask = (1u << c->vectors) - 1;

	if (c->edu) {
		edu_ack(&c->dev);
		return;
	}
	/* Causes clear themselves when their vector is sent, else a second EICS would be void. */
	c->dev.bar[IGB_GPIE / 4] = GPIE_MSIX;
	c->dev.bar[IGB_EIAC / 4] = mask;
	c->dev.bar[IGB_EIMS / 4] = mask;
}

bool card_is_enabled(struct card *c)
{
	return c->dev.bar[IGB_EIAC / 4] == (1u << c->vectors) - 1;
}

void card_forget(struct card *c)
{
	if (!c->edu)
		c->dev.bar[IGB_EICR / 4] = ~0u;
}

void card_fire(struct card *c, unsigned int vector)
{
	if (c->edu)
		edu_fire(&c->dev);
	else
		c->dev.bar[IGB_EICS / 4] = 1u << vector;
}
