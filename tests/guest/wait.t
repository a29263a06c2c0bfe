#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# timeout: 1600
#
# The wait ioctl: every answer it promises, on edu and on igb, waiters that are killed and waiters
# whose device is unbound or reset, all of it at once in a storm; the flags of a selection, the page's
# counter, known threads. SEED=… repeats a storm.

. "$(dirname "$0")/lib.bash"

seconds=5 kills=20
[ "$KERNEL" != debug ] || seconds=10 kills=5

boot wait --device edu --device igb -- wait.sh "$SEED" "$seconds" "$kills"
done_testing
