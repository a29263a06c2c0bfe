#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# timeout: 7200
#
# Devices unbound and the module removed while they fire and are in use, and devices opened more
# than once. SEED=… repeats a run.

. "$(dirname "$0")/lib.bash"

for_soak newest debug
boot unbind --device edu --device igb --append iomem=relaxed \
	--time-limit "$(long_or_short 7000 1500)" -- unbind.sh "$SEED" "$(long_or_short 200 20)"
done_testing
