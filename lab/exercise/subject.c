// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <stdio.h>
#include <sys/ioctl.h>

#include "check.h"
#include "irqs.h"
#include "subject.h"

/* What a mark may write: edu's test of life, and a filter of igb's, which receives nothing. */
#define EDU_LIVENESS 0x04
#define IGB_MTA	     0x5200

/* Documentation/admin-guide/tainted-kernels.rst */
#define TAINT_BAD_PAGE (1ul << 5)
#define TAINT_DIE      (1ul << 7)
#define TAINT_WARN     (1ul << 9)

/* A generation long past: MSILAT_WAIT then returns at once. */
#define STALE(generation) ((generation) - (1u << 30))

int subject_open(struct subject *s, const char *bdf)
{
	struct msilat_ctl ctl = { 0 };
	int ret;

	*s = (struct subject){ .wake = WAKE_EVENTFD };
	ret = card_open(&s->card, bdf);
	if (ret)
		return ret;
	s->ours = !vdev_ctl(&s->card.dev, MSILAT_OP_QUERY, &ctl);
	if (s->ours) {
		s->strategy = ctl.query.strategy;
		s->other = s->strategy == MSILAT_STRATEGY_SPLIT ? MSILAT_STRATEGY_THREAD :
								   MSILAT_STRATEGY_SPLIT;
		vdev_map_region(&s->card.dev);
	}
	return 0;
}

void subject_close(struct subject *s)
{
	card_close(&s->card);
}

void subject_arm(struct subject *s, const int *fds, unsigned int count)
{
	if (vdev_arm(&s->card.dev, s->card.index, count, fds))
		check_die("%s: arming %u vectors", s->card.dev.bdf, count);
	irqs_spread(s->card.dev.bdf);
}

void subject_disarm(struct subject *s)
{
	s->taken += irqs_taken(s->card.dev.bdf);
	if (vdev_disarm(&s->card.dev, s->card.index))
		check_die("%s: disarming", s->card.dev.bdf);
}

uint64_t subject_interrupts(struct subject *s)
{
	return s->taken + irqs_taken(s->card.dev.bdf);
}

int subject_wait(struct subject *s, unsigned int vector, bool block)
{
	uint32_t generation = 0;
	int ret;

	if (!block)
		generation = STALE(s->card.dev.region->generation);
	ret = ioctl(s->card.dev.fd, MSILAT_WAIT, MSILAT_WAIT_ARG(vector, generation));
	return ret < 0 ? -errno : ret;
}

/*
 * A strategy that wakes by the eventfd alone cannot be asked to leave it out. Of the others, only
 * those that wake by the ioctl know it; the catch-up of the selection keeps that call from waiting.
 */
void subject_learn(struct subject *s)
{
	struct msilat_ctl ctl = { .strategy = { .strategy = s->strategy,
						.flags = MSILAT_SELECT_NO_EVENTFD } };
	int ret;

	if (!s->ours)
		return;
	ret = vdev_ctl(&s->card.dev, MSILAT_OP_STRATEGY, &ctl);
	if (ret == -EINVAL)
		return;
	if (ret)
		check_die("%s: strategy %u without eventfd", s->card.dev.bdf, s->strategy);
	ret = subject_wait(s, 0, true);
	s->wake = ret == -EINVAL ? WAKE_PAGE : WAKE_IOCTL;
	subject_select(s, s->strategy, 0);
}

uint32_t subject_select(struct subject *s, uint32_t strategy, uint32_t flags)
{
	struct msilat_ctl ctl = { .strategy = { .strategy = strategy, .flags = flags } };

	if (vdev_ctl(&s->card.dev, MSILAT_OP_STRATEGY, &ctl))
		check_die("%s: selecting strategy %u, flags %#x", s->card.dev.bdf, strategy, flags);
	return ctl.strategy.catchups;
}

int subject_loopback(struct subject *s, unsigned int vector)
{
	return vdev_set_irqs(&s->card.dev, s->card.index, VDEV_NONE, vector, 1, NULL);
}

int subject_inject(struct subject *s, unsigned int vector)
{
	struct msilat_ctl ctl = { .inject.vector = vector };

	return vdev_ctl(&s->card.dev, MSILAT_OP_INJECT, &ctl);
}

int subject_mark(struct subject *s, unsigned int vector, unsigned int stage)
{
	struct msilat_ctl ctl = { .mark = {
		.vector = vector,
		.stage = stage,
		.bar = 0,
		.width = 4,
		.offset = s->card.edu ? EDU_LIVENESS : IGB_MTA,
		.value = stage,
	} };

	return vdev_ctl(&s->card.dev, MSILAT_OP_MARK, &ctl);
}

static bool lockdep_off(void)
{
	char line[128];
	int on = 1;
	FILE *f;

	f = fopen("/proc/lockdep_stats", "re");
	if (!f)
		return false;
	while (fgets(line, sizeof(line), f))
		if (sscanf(line, " debug_locks: %d", &on) == 1)
			break;
	fclose(f);
	return !on;
}

/* A check for sleeping, KASAN or an oops leaves lockdep at work, but a mark. */
bool subject_reported(void)
{
	unsigned long taint = 0;
	FILE *f;

	f = fopen("/proc/sys/kernel/tainted", "re");
	if (!f || fscanf(f, "%lu", &taint) != 1)
		check_die("the kernel's taint");
	fclose(f);
	return taint & (TAINT_WARN | TAINT_DIE | TAINT_BAD_PAGE) || lockdep_off();
}

const char *subject_wake_name(enum wake wake)
{
	static const char *const names[] = { "eventfd", "ioctl", "page" };

	return names[wake];
}
