#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# timeout: 600
#
# The unit tests under AddressSanitizer (with leak check) and UndefinedBehaviorSanitizer.

# shellcheck source-path=SCRIPTDIR source=units.bash
. "$(dirname "$0")/units.bash"
# An impossible allocation shall fail as it does without them.
export ASAN_OPTIONS=allocator_may_return_null=1
run_units unit-asan SANITIZE=1
