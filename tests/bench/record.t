#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# timeout: 240
#
# Recording one sample costs the poller at most 60 instructions outside the wait.

# shellcheck source-path=SCRIPTDIR source=../lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"
# shellcheck source-path=SCRIPTDIR source=../lib/cli.sh
. "$top/tests/lib/cli.sh"
need_program
command -v valgrind >/dev/null || skip_all "no valgrind; apt-get install valgrind"
limit=60
try "$top/tests/bench/record.sh"
is "$status" 0 "callgrind counts"
diag "$out$err"
is "$(line_count "$out")" 4 "four wait modes"
while read -r mode record loop; do
	[ "$record" != - ] || record=$loop
	ok_if "$mode: $record instructions a sample, at most $limit" \
		awk -v cost="$record" -v limit="$limit" 'BEGIN { exit !(cost > 10 && cost <= limit) }'
done <<<"$out"
done_testing
