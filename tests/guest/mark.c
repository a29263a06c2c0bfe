// SPDX-License-Identifier: GPL-2.0-only
/*
 * mark BDF writes: marks arrive at the device, in order, from every stage and strategy (edu).
 * mark BDF refusals: what cannot be marked, and that a refused call changes nothing (edu, igb).
 * mark BDF runaway: marks that ring the doorbell, from every stage and strategy (edu).
 *
 * edu's register 0x04 reads back what was written there, inverted. 0x60 sends the interrupt.
 */
#include <errno.h>
#include <linux/pci_regs.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "card.h"
#include "check.h"
#include "edu.h"

#define EDU_LIVENESS 0x04
#define EDU_DMA_SRC  0x80	/* takes eight bytes */
#define IGB_MTA	     0x5200	/* a filter table: nothing but memory while reception is off */
#define IGB_IO_BAR   2
#define IGB_MSIX_BAR 3
#define BIT(n) (1u << (n))
#define EVENTS 20
#define LIMIT 4096	/* kmod/guard.h */

static struct card card;
static struct vdev *dev = &card.dev;
static int efd;

static const char *const strategies[] = {
	"stock", "thread", "split", "nothread", "thread-direct", "kthread", "irqwork", "direct",
	"page",
};

static const char *const stages[] = { "isr", "thread", "signal" };

static uint32_t shown_generation(void)
{
	return __atomic_load_n(&dev->region->mark_generation, __ATOMIC_ACQUIRE);
}

static int set_mark(const struct msilat_mark *mark, uint32_t *generation)
{
	struct msilat_ctl ctl = { .mark = *mark };
	int ret = vdev_ctl(dev, MSILAT_OP_MARK, &ctl);

	if (generation)
		*generation = ctl.mark.generation;
	return ret;
}

static int clear_mark(unsigned int stage)
{
	struct msilat_mark mark = { .stage = stage, .flags = MSILAT_MARK_CLEAR, .bar = 77 };

	return set_mark(&mark, NULL);
}

static struct msilat_mark mark_at(unsigned int stage, uint64_t offset, uint64_t value)
{
	return (struct msilat_mark){ .stage = stage, .width = 4, .offset = offset, .value = value };
}

static int select_strategy(uint32_t strategy, uint32_t flags)
{
	struct msilat_ctl ctl = { .strategy = { .strategy = strategy, .flags = flags } };

	return vdev_ctl(dev, MSILAT_OP_STRATEGY, &ctl);
}

static uint64_t marks(void)
{
	return vdev_counters(dev, 0).marks;
}

/* The interrupt has been handled, in all its contexts, and nothing more is coming. */
static void settle(void)
{
	struct msilat_counters before, now = vdev_counters(dev, 0);

	do {
		usleep(20000);
		before = now;
		now = vdev_counters(dev, 0);
	} while (now.isr != before.isr || now.threads != before.threads ||
		 now.marks != before.marks);
	vdev_drain(efd);
}

/* --- arrival --------------------------------------------------------------------------------- */

static uint32_t register_of(unsigned int offset)
{
	return dev->bar[offset / 4];
}

/*
 * One mark in each stage, each with a value of its own: the register holds that of the last one
 * that was written. Then each alone.
 */
static void writes_under(uint32_t strategy, uint32_t flags, const char *name)
{
	uint64_t before[MSILAT_STAGES], alone = 0, together;
	unsigned int stage, last = 0, n;
	struct msilat_mark mark;

	check_is(select_strategy(strategy, flags), 0, "%s: selected", name);
	settle();
	for (stage = 0; stage < MSILAT_STAGES; stage++) {
		mark = mark_at(stage, EDU_LIVENESS, 0xa0 + stage);
		check_is(set_mark(&mark, NULL), 0, "%s: a mark in stage %s", name, stages[stage]);
		dev->bar[EDU_LIVENESS / 4] = 0;
		before[stage] = marks();
		for (n = 0; n < EVENTS; n++) {
			edu_fire(dev);
			settle();
		}
		before[stage] = marks() - before[stage];
		alone += before[stage];
		check(before[stage] == EVENTS || before[stage] == 0,
		      "%s: it is written at each event or at none (%llu)", name,
		      (unsigned long long)before[stage]);
		check_is(register_of(EDU_LIVENESS), before[stage] ? (uint32_t)~(0xa0 + stage) :
			 0xffffffffu, "%s: the device has got what was counted", name);
		if (before[stage])
			last = stage;
		check_is(clear_mark(stage), 0, "%s: cleared", name);
	}
	check(before[MSILAT_STAGE_SIGNAL] == EVENTS, "%s: there is a signal stage", name);

	for (stage = 0; stage < MSILAT_STAGES; stage++) {
		mark = mark_at(stage, EDU_LIVENESS, 0xb0 + stage);
		set_mark(&mark, NULL);
	}
	together = marks();
	for (n = 0; n < EVENTS; n++) {
		edu_fire(dev);
		settle();
	}
	together = marks() - together;
	check_is((long long)together, (long long)alone, "%s: all marks at once", name);
	check_is(register_of(EDU_LIVENESS), (uint32_t)~(0xb0 + last),
		 "%s: the last stage, %s, is written last", name, stages[last]);
	for (stage = 0; stage < MSILAT_STAGES; stage++)
		clear_mark(stage);
	together = marks();
	edu_fire(dev);
	settle();
	check_is((long long)marks(), (long long)together, "%s: none is left", name);
	check_is(vdev_counters(dev, 0).mark_runaways, 0, "%s: none has run away", name);
}

static void wide_mark(void)
{
	struct msilat_mark mark = mark_at(MSILAT_STAGE_SIGNAL, EDU_DMA_SRC, 0x1122334455667788);

	mark.width = 8;
	check_is(set_mark(&mark, NULL), 0, "a mark of eight bytes");
	edu_fire(dev);
	settle();
	check(*(volatile uint64_t *)&dev->bar[EDU_DMA_SRC / 4] == mark.value,
	      "it arrives in one piece");
	clear_mark(MSILAT_STAGE_SIGNAL);
}

/* for_strategies - runs @fn under each strategy, and with each flag, that the caller may select */
static void for_strategies(void (*fn)(uint32_t, uint32_t, const char *))
{
	struct msilat_query query = vdev_query(dev);
	char name[64];
	uint32_t s;

	for (s = 0; s < sizeof(strategies) / sizeof(strategies[0]); s++) {
		if (!(query.permitted & BIT(s)))
			continue;
		fn(s, 0, strategies[s]);
		if (select_strategy(s, MSILAT_SELECT_NO_EVENTFD))
			continue;
		snprintf(name, sizeof(name), "%s without eventfd", strategies[s]);
		fn(s, MSILAT_SELECT_NO_EVENTFD, name);
	}
	select_strategy(MSILAT_STRATEGY_SPLIT, 0);
}

/* --- refusals -------------------------------------------------------------------------------- */

/* The mark that each refused call must leave alone. */
static struct msilat_mark standing;
static uint32_t standing_generation;

static bool still_standing(void)
{
	uint64_t before = marks();
	uint32_t want = (uint32_t)standing.value;

	dev->bar[standing.offset / 4] = 0;
	card_fire(&card, 0);
	vdev_await(efd, 1000);
	settle();
	if (card.edu)
		want = ~want;
	return marks() == before + 1 && register_of((unsigned int)standing.offset) == want &&
	       shown_generation() == standing_generation;
}

static void refuse(const struct msilat_mark *mark, int want, const char *what)
{
	check_is(set_mark(mark, NULL), want, "%s", what);
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
	got = set_mark(&mark, NULL);
	check_is(got, want, "%u bytes at %#llx of BAR %u, %s", width, (unsigned long long)offset,
		 bar, what);
	if (!got)
		clear_mark(mark.stage);
}

static void refuse_common(uint64_t size)
{
	check_is(clear_mark(MSILAT_STAGE_THREAD), 0, "clearing what was never programmed");
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
	check(still_standing(), "the mark is written after all of these");
}

/* While memory decoding is off nothing is armed, and nothing that is there is forgotten. */
static void refuse_undecoded(void)
{
	uint16_t cmd = vdev_config16(dev, PCI_COMMAND);
	uint32_t generation;
	uint64_t before;

	vdev_set_config16(dev, PCI_COMMAND, cmd & (uint16_t)~PCI_COMMAND_MEMORY);
	check_is(set_mark(&standing, NULL), -EAGAIN, "memory decoding off");
	check_is(shown_generation(), standing_generation + 1, "which has disarmed the marks");
	vdev_set_config16(dev, PCI_COMMAND, cmd);
	check_is(shown_generation(), standing_generation + 1, "as nothing was armed, only once");
	before = marks();
	card_prepare(&card);
	card_fire(&card, 0);
	vdev_await(efd, 1000);
	settle();
	check_is((long long)marks(), (long long)before, "switched on again, none is armed by that");
	check_is(set_mark(&standing, &generation), 0, "but may be");
	check_is(generation, standing_generation + 1, "with the generation that is shown");
	standing_generation = generation;
	check(still_standing(), "and is written");
}

static void refusals(void)
{
	struct vfio_region_info info;
	uint32_t generation = ~0u;

	select_strategy(MSILAT_STRATEGY_SPLIT, 0);
	standing = mark_at(MSILAT_STAGE_SIGNAL, card.edu ? EDU_LIVENESS : IGB_MTA, 0x55);
	check_is(set_mark(&standing, &generation), 0, "a mark is armed");
	check_is(generation, shown_generation(), "its generation is the one shown");
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
		mark = mark_at(MSILAT_STAGE_SIGNAL, IGB_MTA, 0x9abcdef012345678);
		mark.width = width;
		check_is(set_mark(&mark, NULL), 0, "a mark of %u bytes", width);
		dev->bar[IGB_MTA / 4] = ~0u;
		card_fire(&card, 0);
		vdev_await(efd, 1000);
		settle();
		check_is(register_of(IGB_MTA), want[width],
			 "writes so many, of the value's low end");
	}
}

/* --- doorbells ------------------------------------------------------------------------------- */

/* Waits, on what CPU time is left, for the guard; false if it has not come after 20 s. */
static bool wait_disarmed(uint32_t generation)
{
	unsigned int n;

	for (n = 0; n < 1000 && shown_generation() == generation; n++)
		usleep(20000);
	return shown_generation() != generation;
}

static void doorbell(unsigned int stage, const char *name)
{
	struct msilat_mark mark = mark_at(stage, EDU_LIVENESS, 1);
	struct msilat_counters before, after;
	uint32_t generation;

	/* Is there such a stage? */
	set_mark(&mark, NULL);
	before = vdev_counters(dev, 0);
	edu_fire(dev);
	settle();
	if (marks() == before.marks) {
		clear_mark(stage);
		return;
	}

	mark.offset = EDU_RAISE;
	check_is(set_mark(&mark, &generation), 0, "%s, %s: the mark is the doorbell", name,
		 stages[stage]);
	before = vdev_counters(dev, 0);
	edu_fire(dev);
	if (!check(wait_disarmed(generation), "%s, %s: it is disarmed", name, stages[stage]))
		clear_mark(stage);
	settle();
	after = vdev_counters(dev, 0);
	check_is((long long)(after.mark_runaways - before.mark_runaways), 1,
		 "%s, %s: and counted", name, stages[stage]);
	check_is(shown_generation(), generation + 1, "%s, %s: and shown", name, stages[stage]);
	check(after.marks - before.marks > LIMIT, "%s, %s: not too early, after %llu writes", name,
	      stages[stage], (unsigned long long)(after.marks - before.marks));

	edu_fire(dev);
	settle();
	check_is((long long)(marks() - after.marks), 0, "%s, %s: it is not written any more", name,
		 stages[stage]);
	mark.offset = EDU_LIVENESS;
	check_is(set_mark(&mark, &generation), 0, "%s, %s: a good mark can be armed", name,
		 stages[stage]);
	check_is(generation, shown_generation(), "%s, %s: with the new generation", name,
		 stages[stage]);
	edu_fire(dev);
	settle();
	check_is((long long)(marks() - after.marks), 1, "%s, %s: and is written", name,
		 stages[stage]);
	clear_mark(stage);
}

static void runaway_under(uint32_t strategy, uint32_t flags, const char *name)
{
	unsigned int stage;

	check_is(select_strategy(strategy, flags), 0, "%s: selected", name);
	settle();
	for (stage = 0; stage < MSILAT_STAGES; stage++)
		doorbell(stage, name);
}

/* Many interrupts in a row, as fast as they can be stored: that is no runaway. */
static void busy_under(uint32_t strategy, uint32_t flags, const char *name)
{
	struct msilat_mark mark = mark_at(MSILAT_STAGE_SIGNAL, EDU_LIVENESS, 1);
	struct msilat_counters before, after;
	uint32_t generation;
	unsigned int n;

	check_is(select_strategy(strategy, flags), 0, "%s: selected", name);
	settle();
	set_mark(&mark, &generation);
	before = vdev_counters(dev, 0);
	for (n = 0; n < 3 * LIMIT; n++) {
		edu_fire(dev);
		if (n % 64 == 0)
			usleep(1);
	}
	settle();
	after = vdev_counters(dev, 0);
	check(after.marks - before.marks > 3 * LIMIT / 64,
	      "%s: %u interrupts, %llu writes of the mark", name, n,
	      (unsigned long long)(after.marks - before.marks));
	check_is((long long)(after.mark_runaways - before.mark_runaways), 0,
		 "%s: none is taken for a runaway", name);
	check_is(shown_generation(), generation, "%s: the mark is still armed", name);
	clear_mark(MSILAT_STAGE_SIGNAL);
}

int main(int argc, char **argv)
{
	if (argc < 3 || card_open(&card, argv[1]))
		check_die("usage: mark BDF writes|refusals|widths|runaway|busy");
	vdev_map_region(dev);
	efd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
	if (vdev_arm(dev, card.index, 1, &efd))
		check_die("arming");
	card_prepare(&card);
	if (!strcmp(argv[2], "writes")) {
		for_strategies(writes_under);
		wide_mark();
	} else if (!strcmp(argv[2], "refusals")) {
		refusals();
	} else if (!strcmp(argv[2], "widths")) {
		widths();
	} else if (!strcmp(argv[2], "runaway")) {
		for_strategies(runaway_under);
	} else if (!strcmp(argv[2], "busy")) {
		for_strategies(busy_under);
	} else {
		check_die("%s: what is that?", argv[2]);
	}
	card_close(&card);
	return check_done();
}
