// SPDX-License-Identifier: GPL-2.0-only
/*
 * Backend edu: QEMU's educational device (docs/specs/edu.rst in QEMU, 1234:11e8).
 *
 * It sends its MSI when register 0x60 is written, synchronously with the store, or when its DMA
 * engine has finished, which is 100 ms after the start on a whole millisecond of the emulator's
 * virtual clock (hw/misc/edu.c: timer_mod() with qemu_clock_get_ms(QEMU_CLOCK_VIRTUAL) + 100). It
 * has neither clock nor sequence number: the firing thread notes both. In exact mode the TSC reads
 * the virtual clock in nanoseconds, so the moment the DMA timer fires is known; elsewhere it is
 * not, and scenarios that need the timer are refused.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "clock.h"
#include "device.h"

#define EDU_ID		0x00
#define EDU_RAISE	0x60
#define EDU_ACK		0x64
#define EDU_DMA_SRC	0x80
#define EDU_DMA_DST	0x88
#define EDU_DMA_COUNT	0x90
#define EDU_DMA_CMD	0x98
#define EDU_DMA_BUFFER	0x40000	/* the device's own memory, in its DMA address space */

#define DMA_RUN		0x01
#define DMA_IRQ		0x04
#define STATUS_FIRE	0x01
#define STATUS_DMA	0x100

#define DMA_IOVA	0x100000ull	/* below the device's 28-bit limit */
#define DMA_BYTES	4
#define VIRTUAL_MS	1000000ull	/* cycles in a virtual millisecond, exact mode */
#define TIMER_MS	100

struct edu {
	void *page;
};

static bool edu_matches(const struct pci_function *fn)
{
	return fn->vendor == 0x1234 && fn->device == 0x11e8;
}

static volatile uint32_t *reg(struct device *dev, unsigned int offset)
{
	return (volatile uint32_t *)((volatile char *)dev->regs + offset);
}

static int edu_open(struct device *dev, const struct device_config *cfg, struct reason *why)
{
	struct edu *edu;
	int ret;

	edu = calloc(1, sizeof(*edu));
	if (!edu)
		return -ENOMEM;
	ret = vfio_map_bar(&dev->vfio, 0, &dev->regs, &dev->regs_size, why);
	if (ret)
		goto free_edu;
	if ((*reg(dev, EDU_ID) & 0xffff) != 0x00ed) {
		ret = reason_set(why, -ENODEV, "%s: BAR 0 does not answer as an edu device",
				 cfg->bdf);
		goto unmap_bar;
	}
	edu->page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (edu->page == MAP_FAILED) {
		ret = -ENOMEM;
		goto unmap_bar;
	}
	ret = vfio_map_dma(&dev->vfio, edu->page, 4096, DMA_IOVA, why);
	if (ret)
		goto unmap_page;
	dev->priv = edu;
	dev->caps.sent = true;
	dev->caps.timer = cfg->mode == LAB_EXACT;
	dev->caps.timer_ns = TIMER_MS * 1000000ull;
	dev->caps.no_timer = "edu's timer fires at a known time in the lab's exact mode only";
	return 0;

unmap_page:
	munmap(edu->page, 4096);
unmap_bar:
	munmap((void *)dev->regs, dev->regs_size);
free_edu:
	free(edu);
	return ret;
}

static void edu_close(struct device *dev)
{
	struct edu *edu = dev->priv;

	/* Status bits that stay set would make a later raise(0) send an MSI. */
	*reg(dev, EDU_ACK) = STATUS_FIRE | STATUS_DMA;
	munmap((void *)dev->regs, dev->regs_size);
	munmap(edu->page, 4096);
	free(edu);
}

static int edu_fire(struct device *dev)
{
	fired_note(&dev->fired, clock_read());
	*reg(dev, EDU_RAISE) = STATUS_FIRE;
	return 0;
}

/*
 * The timer counts whole milliseconds from the store, so the store must not straddle one: start
 * early in a millisecond and check. An event whose stamp is unknown is still an event.
 */
static int edu_schedule(struct device *dev, uint64_t *due)
{
	uint64_t before, after, seq;

	*(volatile uint64_t *)reg(dev, EDU_DMA_SRC) = DMA_IOVA;
	*(volatile uint64_t *)reg(dev, EDU_DMA_DST) = EDU_DMA_BUFFER;
	*(volatile uint64_t *)reg(dev, EDU_DMA_COUNT) = DMA_BYTES;
	while (clock_read() % VIRTUAL_MS > VIRTUAL_MS / 2)
		;
	before = clock_read();
	*due = (before / VIRTUAL_MS + TIMER_MS) * VIRTUAL_MS;
	seq = fired_note(&dev->fired, *due);
	*(volatile uint64_t *)reg(dev, EDU_DMA_CMD) = DMA_RUN | DMA_IRQ;
	after = clock_read();
	if (before / VIRTUAL_MS != after / VIRTUAL_MS) {
		*due = 0;
		atomic_store_explicit(&dev->fired.sent[seq % FIRED_RECORDS], 0,
				      memory_order_relaxed);
	}
	return 0;
}

const struct device_ops device_edu = {
	.name = "edu",
	.summary = "QEMU's edu device: a store, or its DMA timer, sends the MSI",
	.matches = edu_matches,
	.open = edu_open,
	.close = edu_close,
	.fire = edu_fire,
	.schedule = edu_schedule,
	.sequence = device_noted_sequence,
	.observe = device_noted_observe,
};
