#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# timeout: 7200
#
# Resets, sleep and memory decoding off while marks are armed and interrupts flow. SEED=… repeats a
# run.

. "$(dirname "$0")/lib.bash"

for_soak newest debug
boot reset --device edu --device igb --append iomem=relaxed \
	--time-limit "$(long_or_short 7000 1500)" -- reset.sh "$SEED" "$(long_or_short 400 12)"
done_testing
