#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# timeout: 400
#
# The contention module: its gates and bounds, and that the hazard probe sees running, not running,
# hand-off and self when it is told to bring them about.

. "$(dirname "$0")/lib.bash"

limit=120
[ "$KERNEL" != debug ] || limit=300

boot contend --time-limit "$limit" -- contend.sh
done_testing
