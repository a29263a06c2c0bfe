#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# timeout: 14000
#
# kill -9 of whoever uses the device, at random moments: nothing is left of it, and the next one
# finds the device as new. SEED=… repeats a run.

. "$(dirname "$0")/lib.bash"

for_soak newest debug
boot kill --device edu --device igb --time-limit "$(long_or_short 12000 1500)" -- kill.sh "$SEED" \
	"$(long_or_short 600 30)"
done_testing
