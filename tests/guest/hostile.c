// SPDX-License-Identifier: GPL-2.0-only
/*
 * hostile BDF plain SEED CALLS: random calls of plain VFIO; prints each, its answer, and what of
 * the device's state can be seen after it. On vfio-pci and on our driver it must print the same.
 * On ours the strategy is changed in between, at random.
 *
 * hostile BDF alone SEED CALLS: random calls by one thread, whose results are known beforehand.
 *
 * hostile BDF storm SEED CALLS: random calls by several threads.
 *
 * The last two want somebody else to fire the device meanwhile (load).
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "hostile.h"

int main(int argc, char **argv)
{
	static struct attack_target target;
	uint64_t seed;
	unsigned int calls;

	if (argc < 5)
		check_die("usage: hostile BDF plain|alone|storm SEED CALLS");
	seed = strtoull(argv[3], NULL, 0);
	calls = (unsigned int)atoi(argv[4]);
	attack_target_init(&target, argv[1]);
	if (!strcmp(argv[2], "plain")) {
		hostile_plain(&target, seed, calls);
		card_close(&target.card);
		return 0;
	}
	if (!target.region.size)
		check_die("%s: not bound to msilat-vfio-pci", argv[1]);
	hostile_interface(&target);
	if (!strcmp(argv[2], "alone"))
		hostile_alone(&target, seed, calls);
	else
		hostile_storm(&target, seed, calls);
	hostile_afterwards(&target);
	card_close(&target.card);
	return check_done();
}
