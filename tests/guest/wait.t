#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# timeout: 700
#
# The wait ioctl: every answer it promises, on edu and on igb, waiters that are killed and waiters
# whose device is unbound or reset; the flags of a selection, the page's counter, known threads.

. "$(dirname "$0")/lib.bash"

pace=() limit=240
[ "$KERNEL" != debug ] || pace=(quick) limit=600

boot wait --device edu --device igb --time-limit "$limit" -- wait.sh "${pace[@]}"
done_testing
