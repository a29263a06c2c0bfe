#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# timeout: 3200
#
# What makes the silence of the other tests on the debug kernel mean something: lockdep reports
# nothread, without any contention. It is silent after its first report: one boot for it alone.

. "$(dirname "$0")/lib.bash"

[ "$KERNEL" = debug ] || skip_all "only the debug kernel has lockdep; use KERNEL=debug"

boot safe -- debug.sh split
boot nothread --param allow_unsafe=1 --expect lockdep --allow bug --allow warning -- \
	debug.sh nothread
done_testing
