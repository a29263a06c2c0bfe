#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# timeout: 3600
#
# Mark writes: they arrive, from every stage under every strategy; what cannot be marked; what must
# disarm them, with interrupts coming all the time; marks that ring the doorbell, on one CPU and on
# two; what a mark costs, in exact mode.

. "$(dirname "$0")/lib.bash"

rounds=10
[ "$KERNEL" != debug ] || rounds=3

launch marks -- mark.sh mark-writes mark-refusals runaway-busy runaway-doorbell
launch disarm --device igb -- disarm.sh "$rounds"
collect marks
launch alone --smp 1 -- mark.sh runaway-doorbell
collect disarm
# Paths through the debug kernel mean nothing.
[ "$KERNEL" = debug ] || launch cost --mode exact -- markcost.sh
collect alone
[ "$KERNEL" = debug ] || collect cost
done_testing
