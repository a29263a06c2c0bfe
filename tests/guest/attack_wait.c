// SPDX-License-Identifier: GPL-2.0-only
/* MSILAT_WAIT, with vectors and generations that may not be. */
#include <errno.h>
#include <stdio.h>
#include <sys/ioctl.h>

#include "attack.h"

#define BIT(n) (1u << (n))
#define WAKES_WAIT (BIT(MSILAT_STRATEGY_THREAD_DIRECT) | BIT(MSILAT_STRATEGY_DIRECT))

static uint32_t choose_generation(struct attack *a)
{
	uint32_t now = *(const volatile uint32_t *)&a->target->card.dev.region->generation;

	switch (rng_below(&a->rng, 8)) {
	case 0:
		return now - 1 - rng_below(&a->rng, 3);
	case 1:
		return rng_hostile(&a->rng, now + 1);
	case 2:
	case 3:
		return now;
	default:
		return 0;
	}
}

static errset allowed_results(const struct attack *a, uint32_t vector, uint32_t generation)
{
	const struct msilat_query *q = &a->state.query;
	errset cancelled = 0;

	/* Who names another generation is given what had arrived before he is told. */
	if (generation && generation != q->generation)
		cancelled = SUCCESS | E(ECANCELED);

	if (vector >= a->target->card.vectors)
		return E(EINVAL);
	if (!a->alone)
		return SUCCESS | E(EINVAL) | E(EBUSY) | E(EINTR) | E(ECANCELED);
	if (!(a->state.armed & BIT(vector)) || !(WAKES_WAIT & BIT(q->strategy)))
		return E(EINVAL) | cancelled;
	return SUCCESS | E(EINTR) | cancelled;
}

/* Alone: what the call returned is what was counted. */
static void compare_counters(struct attack *a, const struct msilat_counters *before, long result)
{
	struct msilat_counters after = vdev_counters(&a->target->card.dev, before->vector);
	uint64_t events = result > 0 ? (uint64_t)result : 0;

	if (after.waited - before->waited != events || after.waits - before->waits != (result > 0))
		attack_fault(a, "%llu events counted, %llu calls", (unsigned long long)
			     (after.waited - before->waited), (unsigned long long)
			     (after.waits - before->waits));
}

void attack_wait(struct attack *a)
{
	uint32_t vector = rng_hostile(&a->rng, a->target->card.vectors);
	uint32_t generation = choose_generation(a);
	errset allowed = allowed_results(a, vector, generation);
	struct msilat_counters counters = { 0 };
	struct attack_state before;
	bool counting = a->alone && vector < a->target->card.vectors;
	long result;

	snprintf(a->what, sizeof(a->what), "WAIT vector %u generation %u", vector, generation);
	if (counting)
		counters = vdev_counters(&a->target->card.dev, vector);
	a->waiting = 1;
	result = ioctl(a->target->card.dev.fd, MSILAT_WAIT, MSILAT_WAIT_ARG(vector, generation));
	if (result < 0)
		result = -errno;
	a->waiting = 0;
	attack_judge(a, ATTACK_WAIT, result, allowed, &before);
	if (!result)
		attack_fault(a, "no event returned");
	if (counting)
		compare_counters(a, &counters, result);
}
