// SPDX-License-Identifier: GPL-2.0-only
/*
 * query BDF: opens a device and says which strategy our driver put into force, for a log.
 */
#include <stdio.h>

#include "check.h"
#include "strategy.h"
#include "vdev.h"

int main(int argc, char **argv)
{
	struct msilat_query q;
	struct vdev d;

	if (argc < 2 || vdev_open(&d, argv[1]))
		check_die("usage: query BDF");
	q = vdev_query(&d);
	printf("%s: msilat-vfio-pci %.31s, strategy %s in force\n", d.bdf, q.version,
	       q.strategy < STRATEGIES ? strategy_name(q.strategy) : "of one's own");
	vdev_close(&d);
	return 0;
}
