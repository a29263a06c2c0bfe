// SPDX-License-Identifier: GPL-2.0-only
/*
 * msix BDF: every MSI-X vector of an igb, under every safe strategy: each fires often, each event
 * arrives on its own eventfd and nowhere else; then two vectors share an eventfd.
 */
#include <sys/eventfd.h>
#include <unistd.h>

#include "card.h"
#include "check.h"
#include "strategy.h"

#define VECTORS 16
#define ROUNDS 50
#define PATIENCE_MS 10000

static struct card card;
static struct vdev *dev = &card.dev;
static int fds[VECTORS];

/* Vectors in turn, one event at a time; returns how many arrived elsewhere. */
static uint64_t fire_in_turn(uint64_t arrived[VECTORS])
{
	uint64_t strays = 0;
	unsigned int i, j, n;

	for (n = 0; n < ROUNDS; n++) {
		for (i = 0; i < card.vectors; i++) {
			card_fire(&card, i);
			arrived[i] += vdev_await(fds[i], PATIENCE_MS);
			for (j = 0; j < card.vectors; j++)
				strays += vdev_drain(fds[j]);
		}
	}
	return strays;
}

static void each_on_its_own(const char *name, bool primary)
{
	struct msilat_counters before[VECTORS], c;
	uint64_t arrived[VECTORS] = { 0 };
	unsigned int i;

	check_is(vdev_arm(dev, card.index, card.vectors, fds), 0, "%s: %u vectors armed", name,
		 card.vectors);
	check_is(vdev_query(dev).enabled, card.vectors, "%s: all enabled", name);
	card_prepare(&card);
	for (i = 0; i < card.vectors; i++)
		before[i] = vdev_counters(dev, i);
	check_is((long long)fire_in_turn(arrived), 0, "%s: no event arrives elsewhere", name);
	for (i = 0; i < card.vectors; i++) {
		c = vdev_counters(dev, i);
		check_is((long long)arrived[i], ROUNDS, "%s: vector %u: every event arrives", name,
			 i);
		check_is((long long)(c.signals - before[i].signals), ROUNDS,
			 "%s: vector %u: signals", name, i);
		check_is((long long)(c.isr - before[i].isr), primary ? ROUNDS : 0,
			 "%s: vector %u: primaries", name, i);
	}
	check_is(vdev_disarm(dev, card.index), 0, "%s: disabled", name);
}

/* All vectors at once, as fast as it goes: each fires again when its last event has arrived. */
static void all_at_once(const char *name)
{
	uint64_t arrived[VECTORS] = { 0 };
	unsigned int i, n, bad = 0;

	if (vdev_arm(dev, card.index, card.vectors, fds))
		check_die("arming");
	card_prepare(&card);
	for (n = 0; n < ROUNDS; n++) {
		for (i = 0; i < card.vectors; i++)
			card_fire(&card, i);
		for (i = 0; i < card.vectors; i++)
			arrived[i] += vdev_await(fds[i], PATIENCE_MS);
	}
	for (i = 0; i < card.vectors; i++)
		bad += arrived[i] != ROUNDS;
	check_is(bad, 0, "%s: %u events on each vector at once, none lost", name, ROUNDS);
	vdev_disarm(dev, card.index);
}

static void two_on_one(const char *name)
{
	int both[2] = { fds[0], fds[0] };
	uint64_t sum = 0;
	unsigned int n;

	check_is(vdev_arm(dev, card.index, 2, both), 0, "%s: two vectors on one eventfd", name);
	card_prepare(&card);
	for (n = 0; n < ROUNDS; n++) {
		card_fire(&card, 0);
		card_fire(&card, 1);
		while (sum < 2 * (n + 1)) {
			uint64_t value = vdev_await(fds[0], PATIENCE_MS);

			if (!value)
				break;
			sum += value;
		}
	}
	check_is((long long)sum, 2 * ROUNDS, "%s: both arrive there", name);
	check_is((long long)vdev_counters(dev, 0).guarded, 0, "%s: none refused", name);
	vdev_disarm(dev, card.index);
}

int main(int argc, char **argv)
{
	uint32_t strategy;
	unsigned int i;

	if (argc < 2 || card_open(&card, argv[1]) || card.edu || card.vectors > VECTORS)
		check_die("usage: msix BDF of an igb");
	for (i = 0; i < card.vectors; i++)
		fds[i] = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
	for (strategy = MSILAT_STRATEGY_THREAD; strategy < STRATEGIES; strategy++) {
		const char *name = strategy_name(strategy);

		if (strategy == MSILAT_STRATEGY_NOTHREAD)
			continue;
		check_is(vdev_select(dev, strategy, NULL), 0, "%s: selected", name);
		each_on_its_own(name, strategy_has_primary(strategy));
		all_at_once(name);
		two_on_one(name);
	}
	card_close(&card);
	return check_done();
}
