#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# timeout: 1600
#
# The contention module: its gates and bounds, and that the hazard probe sees running, not running,
# hand-off and self when it is told to bring them about.

. "$(dirname "$0")/lib.bash"

# Each of the states is looked for until it was seen.
boot contend --time-limit 1500 -- contend.sh
done_testing
