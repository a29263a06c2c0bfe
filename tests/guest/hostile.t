#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# timeout: 14000
#
# Random calls of all kinds, valid and hostile: plain VFIO's answered as by vfio-pci, those of
# uapi/msilat.h as that predicts, by one thread and by many, while the device fires. SEED=… repeats
# a run, CALLS=… shortens it. There are six rounds of so many calls: three kinds for two functions.

. "$(dirname "$0")/lib.bash"

for_soak newest debug
calls=${CALLS:-$(long_or_short 35000 2000)}
boot hostile --device edu --device igb --append iomem=relaxed \
	--time-limit "$(long_or_short 12000 1800)" -- hostile.sh "$SEED" "$calls"
done_testing
