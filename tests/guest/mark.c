// SPDX-License-Identifier: GPL-2.0-only
/*
 * mark BDF writes: marks arrive at the device, in order, from every stage and strategy (edu).
 * mark BDF refusals: what cannot be marked, and that a refused call changes nothing (edu, igb).
 * mark BDF widths: marks of one, two and four bytes (igb).
 *
 * edu's register 0x04 reads back what was written there, inverted.
 */
#include <errno.h>
#include <linux/pci_regs.h>
#include <stdio.h>
#include <string.h>
#include <sys/eventfd.h>

#include "card.h"
#include "check.h"
#include "edu.h"
#include "strategy.h"
#include "vmark.h"

#define EDU_LIVENESS 0x04
#define EDU_DMA_SRC  0x80	/* takes eight bytes */
#define IGB_MTA	     0x5200	/* a filter table: nothing but memory while reception is off */
#define IGB_IO_BAR   2
#define IGB_MSIX_BAR 3
#define EVENTS 10

static struct card card;
static struct vdev *dev = &card.dev;
static int efd;

/* --- arrival --------------------------------------------------------------------------------- */

static void fire(void)
{
	uint64_t before = vmark_signals(dev);

	card_fire(&card, 0);
	vmark_handled(dev, before);
	vdev_drain(efd);
}

static uint32_t register_of(unsigned int offset)
{
	return dev->bar[offset / 4];
}

static bool has_stage(uint32_t strategy, unsigned int stage)
{
	switch (stage) {
	case MSILAT_STAGE_ISR:
		return strategy_has_primary(strategy);
	case MSILAT_STAGE_THREAD:
		return strategy_has_thread(strategy);
	default:
		return true;
	}
}

/* Fires one by one; returns how many marks were written meanwhile. */
static long long fire_and_count(unsigned int count)
{
	uint64_t before = vmark_count(dev);

	while (count--)
		fire();
	return (long long)(vmark_count(dev) - before);
}

/* Each stage's mark alone, then all of them, each with a value of its own: the last one stays. */
static void writes_under(uint32_t strategy, uint32_t flags, const char *name)
{
	unsigned int stage, last = 0, n = 0;
	struct msilat_mark mark;
	bool there;

	check_is(vmark_select(dev, strategy, flags), 0, "%s: selected", name);
	vmark_settle(dev);
	for (stage = 0; stage < MSILAT_STAGES; stage++) {
		there = has_stage(strategy, stage);
		mark = vmark_at(stage, EDU_LIVENESS, 0xa0 + stage);
		check_is(vmark_set(dev, &mark, NULL), 0, "%s: a mark in stage %s", name,
			 vmark_stages[stage]);
		dev->bar[EDU_LIVENESS / 4] = 0;
		check_is(fire_and_count(EVENTS), there ? EVENTS : 0, "%s: it is written %s", name,
			 there ? "at each event" : "never");
		check_is(register_of(EDU_LIVENESS), (uint32_t)~(there ? 0xa0 + stage : 0),
			 "%s: the device has got what was counted", name);
		check_is(vmark_clear(dev, stage), 0, "%s: cleared", name);
		n += there;
		last = there ? stage : last;
	}

	for (stage = 0; stage < MSILAT_STAGES; stage++) {
		mark = vmark_at(stage, EDU_LIVENESS, 0xb0 + stage);
		vmark_set(dev, &mark, NULL);
	}
	check_is(fire_and_count(EVENTS), n * EVENTS, "%s: all marks at once", name);
	check_is(register_of(EDU_LIVENESS), (uint32_t)~(0xb0 + last),
		 "%s: that of the last stage, %s, is written last", name, vmark_stages[last]);
	for (stage = 0; stage < MSILAT_STAGES; stage++)
		vmark_clear(dev, stage);
	check_is(fire_and_count(1), 0, "%s: none is left", name);
	check_is((long long)vdev_counters(dev, 0).mark_runaways, 0, "%s: none has run away", name);
}

static void wide_mark(void)
{
	struct msilat_mark mark = vmark_at(MSILAT_STAGE_SIGNAL, EDU_DMA_SRC, 0x1122334455667788);

	mark.width = 8;
	check_is(vmark_set(dev, &mark, NULL), 0, "a mark of eight bytes");
	fire();
	check(*(volatile uint64_t *)&dev->bar[EDU_DMA_SRC / 4] == mark.value,
	      "it arrives in one piece");
	vmark_clear(dev, MSILAT_STAGE_SIGNAL);
}

/* --- refusals -------------------------------------------------------------------------------- */

/* The mark that each refused call must leave alone. */
static struct msilat_mark standing;
static uint32_t standing_generation;

static bool still_standing(void)
{
	uint64_t before = vmark_count(dev);
	uint32_t want = (uint32_t)standing.value;

	dev->bar[standing.offset / 4] = 0;
	fire();
	if (card.edu)
		want = ~want;
	return vmark_count(dev) == before + 1 &&
	       register_of((unsigned int)standing.offset) == want &&
	       vmark_generation(dev) == standing_generation;
}

static void refuse(const struct msilat_mark *mark, int want, const char *what)
{
	check_is(vmark_set(dev, mark, NULL), want, "%s", what);
	check(still_standing(), "%s: the mark that was there is written as before", what);
}

/* One member of a good mark is spoilt. */
#define REFUSE(member, bad, want) do {						\
	struct msilat_mark m_ = standing;					\
										\
	m_.value = 0x99;							\
	m_.member = (bad);							\
	refuse(&m_, want, #member " " #bad);					\
} while (0)

static void refuse_range(uint32_t bar, uint64_t offset, uint32_t width, int want, const char *what)
{
	struct msilat_mark mark = { .bar = bar, .width = width, .offset = offset };
	int got;

	mark.stage = want ? standing.stage : MSILAT_STAGE_THREAD;
	got = vmark_set(dev, &mark, NULL);
	check_is(got, want, "%u bytes at %#llx of BAR %u, %s", width, (unsigned long long)offset,
		 bar, what);
	if (!got)
		vmark_clear(dev, mark.stage);
}

static void refuse_common(uint64_t size)
{
	check_is(vmark_clear(dev, MSILAT_STAGE_THREAD), 0, "clearing what was never programmed");
	check(still_standing(), "the mark is written");
	REFUSE(vector, card.vectors, -EINVAL);
	REFUSE(vector, ~0u, -EINVAL);
	REFUSE(stage, MSILAT_STAGES, -EINVAL);
	REFUSE(stage, ~0u, -EINVAL);
	REFUSE(flags, MSILAT_MARK_CLEAR << 1, -EINVAL);
	REFUSE(flags, ~0u, -EINVAL);
	REFUSE(width, 0, -EINVAL);
	REFUSE(width, 3, -EINVAL);
	REFUSE(width, 16, -EINVAL);
	REFUSE(width, ~0u, -EINVAL);
	REFUSE(bar, 5, -EINVAL);
	REFUSE(bar, 6, -EINVAL);
	REFUSE(bar, 7, -EINVAL);
	REFUSE(bar, 8, -EINVAL);
	REFUSE(bar, ~0u, -EINVAL);
	REFUSE(offset, standing.offset + 1, -EINVAL);
	REFUSE(offset, standing.offset + 2, -EINVAL);
	REFUSE(offset, size, -EINVAL);
	REFUSE(offset, ~0ull, -EINVAL);
	REFUSE(offset, ~3ull, -EINVAL);
	REFUSE(offset, 1ull << 40, -EINVAL);
	refuse_range(0, size - 8, 8, 0, "the last ones");
	refuse_range(0, size - 4, 8, -EINVAL, "misaligned and half outside");
	refuse_range(0, size - 4, 4, 0, "the last ones");
	refuse_range(0, size - 1, 1, 0, "the last one");
	refuse_range(0, size - 1, 2, -EINVAL, "misaligned and half outside");
	check(still_standing(), "the mark is written after all of these");
}

/* Has the core claimed a BAR, against whoever else in the kernel may want it? */
static bool is_claimed(unsigned int bar)
{
	unsigned long long start = 0, at;
	char path[64], line[256];
	bool claimed = false;
	FILE *f;

	snprintf(path, sizeof(path), "/sys/bus/pci/devices/%s/resource", dev->bdf);
	f = fopen(path, "re");
	if (!f)
		return false;
	while (fgets(line, sizeof(line), f) && bar--)
		;
	fclose(f);
	f = fopen("/proc/iomem", "re");
	if (!f || sscanf(line, "%llx", &start) != 1 || !start)
		check_die("resources");
	while (fgets(line, sizeof(line), f))
		claimed |= strstr(line, " : vfio") && sscanf(line, "%llx", &at) == 1 && at == start;
	fclose(f);
	return claimed;
}

static void refuse_msix(void)
{
	uint64_t table = 16 * card.vectors;

	refuse_range(IGB_IO_BAR, 0, 4, -EINVAL, "which is I/O");
	refuse_range(IGB_MSIX_BAR, 0, 4, -EINVAL, "the table's first entry");
	refuse_range(IGB_MSIX_BAR, table - 8, 8, -EINVAL, "the table's last entry");
	refuse_range(IGB_MSIX_BAR, table - 1, 1, -EINVAL, "the table's last byte");
	refuse_range(IGB_MSIX_BAR, table, 8, 0, "behind the table");
	refuse_range(IGB_MSIX_BAR, 0x1ff8, 8, 0, "before the pending bits");
	refuse_range(IGB_MSIX_BAR, 0x2000, 1, -EINVAL, "the first pending bits");
	refuse_range(IGB_MSIX_BAR, 0x2004, 4, -EINVAL, "the last pending bits");
	refuse_range(IGB_MSIX_BAR, 0x2008, 8, 0, "behind the pending bits");
	refuse_range(IGB_MSIX_BAR, 0, 1, -EINVAL, "the table's first byte");
	check(is_claimed(IGB_MSIX_BAR), "a BAR that has been marked is claimed");
	check(still_standing(), "the mark is written after all of these");
}

/* While memory decoding is off nothing is armed, and nothing that is there is forgotten. */
static void refuse_undecoded(void)
{
	uint16_t cmd = vdev_config16(dev, PCI_COMMAND);
	uint32_t generation;
	uint64_t before;

	vdev_set_config16(dev, PCI_COMMAND, cmd & (uint16_t)~PCI_COMMAND_MEMORY);
	check_is(vmark_set(dev, &standing, NULL), -EAGAIN, "memory decoding off");
	check_is(vmark_generation(dev), standing_generation + 1, "which has disarmed the marks");
	vdev_set_config16(dev, PCI_COMMAND, cmd);
	check_is(vmark_generation(dev), standing_generation + 1, "as nothing was armed, only once");
	before = vmark_count(dev);
	card_prepare(&card);
	fire();
	check_is((long long)vmark_count(dev), (long long)before,
		 "switched on again, none is armed by that");
	check_is(vmark_set(dev, &standing, &generation), 0, "but may be");
	check_is(generation, standing_generation + 1, "with the generation that is shown");
	standing_generation = generation;
	check(still_standing(), "and is written");
}

static void refusals(void)
{
	struct vfio_region_info info;
	uint32_t generation = ~0u;

	vmark_select(dev, MSILAT_STRATEGY_SPLIT, 0);
	standing = vmark_at(MSILAT_STAGE_SIGNAL, card.edu ? EDU_LIVENESS : IGB_MTA, 0x55);
	check_is(vmark_set(dev, &standing, &generation), 0, "a mark is armed");
	check_is(generation, vmark_generation(dev), "its generation is the one shown");
	standing_generation = generation;
	vdev_region_info(dev, 0, &info);
	refuse_common(info.size);
	if (!card.edu)
		refuse_msix();
	refuse_undecoded();
}

/* --- widths ---------------------------------------------------------------------------------- */

/* igb's registers take any width and fill up with zeros. */
static void widths(void)
{
	static const uint32_t want[] = { [1] = 0x78, [2] = 0x5678, [4] = 0x12345678 };
	struct msilat_mark mark;
	uint32_t width;

	for (width = 1; width <= 4; width *= 2) {
		mark = vmark_at(MSILAT_STAGE_SIGNAL, IGB_MTA, 0x9abcdef012345678);
		mark.width = width;
		check_is(vmark_set(dev, &mark, NULL), 0, "a mark of %u bytes", width);
		dev->bar[IGB_MTA / 4] = ~0u;
		fire();
		check_is(register_of(IGB_MTA), want[width],
			 "writes so many, of the value's low end");
	}
}

int main(int argc, char **argv)
{
	if (argc < 3 || card_open(&card, argv[1]))
		check_die("usage: mark BDF writes|refusals|widths");
	vdev_map_region(dev);
	efd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
	if (vdev_arm(dev, card.index, 1, &efd))
		check_die("arming");
	card_prepare(&card);
	if (!strcmp(argv[2], "writes")) {
		vmark_strategies(dev, writes_under);
		wide_mark();
	} else if (!strcmp(argv[2], "refusals")) {
		refusals();
	} else if (!strcmp(argv[2], "widths")) {
		widths();
	} else {
		check_die("%s: what is that?", argv[2]);
	}
	card_close(&card);
	return check_done();
}
