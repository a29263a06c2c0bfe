// SPDX-License-Identifier: GPL-2.0-only
#include <stdio.h>
#include <unistd.h>

#include "strategy.h"
#include "vmark.h"

#define BIT(n) (1u << (n))

const char *const vmark_stages[MSILAT_STAGES] = { "isr", "thread", "signal" };

struct msilat_mark vmark_at(unsigned int stage, uint64_t offset, uint64_t value)
{
	return (struct msilat_mark){ .stage = stage, .width = 4, .offset = offset, .value = value };
}

int vmark_set(struct vdev *d, const struct msilat_mark *mark, uint32_t *generation)
{
	struct msilat_ctl ctl = { .mark = *mark };
	int ret = vdev_ctl(d, MSILAT_OP_MARK, &ctl);

	if (generation)
		*generation = ctl.mark.generation;
	return ret;
}

/* All that clearing does not read is nonsense. */
int vmark_clear(struct vdev *d, unsigned int stage)
{
	struct msilat_mark mark = {
		.stage = stage, .flags = MSILAT_MARK_CLEAR, .bar = 77, .width = 5, .offset = ~0ull,
	};

	return vmark_set(d, &mark, NULL);
}

uint64_t vmark_count(struct vdev *d)
{
	return vdev_counters(d, 0).marks;
}

uint32_t vmark_generation(const struct vdev *d)
{
	return __atomic_load_n(&d->region->mark_generation, __ATOMIC_ACQUIRE);
}

void vmark_settle(struct vdev *d)
{
	struct msilat_counters before, now = vdev_counters(d, 0);

	do {
		vdev_settle(20000);
		before = now;
		now = vdev_counters(d, 0);
	} while (now.isr != before.isr || now.threads != before.threads ||
		 now.marks != before.marks);
}

uint64_t vmark_signals(struct vdev *d)
{
	return vdev_counters(d, 0).signals;
}

void vmark_handled(struct vdev *d, uint64_t before)
{
	unsigned int n;

	for (n = 0; n < 60000 && vmark_signals(d) == before; n++)
		usleep(1000);
	vmark_settle(d);
}

int vmark_select(struct vdev *d, uint32_t strategy, uint32_t flags)
{
	struct msilat_ctl ctl = { .strategy = { .strategy = strategy, .flags = flags } };

	return vdev_ctl(d, MSILAT_OP_STRATEGY, &ctl);
}

void vmark_strategies(struct vdev *d,
		      void (*fn)(uint32_t strategy, uint32_t flags, const char *name))
{
	uint32_t permitted = vdev_query(d).permitted, s;
	char name[64];

	for (s = 0; s < STRATEGIES; s++) {
		if (!(permitted & BIT(s)))
			continue;
		fn(s, 0, strategy_name(s));
		if (!strategy_has_alone(s))
			continue;
		snprintf(name, sizeof(name), "%s without eventfd", strategy_name(s));
		fn(s, MSILAT_SELECT_NO_EVENTFD, name);
	}
}
