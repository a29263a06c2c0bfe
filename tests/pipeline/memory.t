#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# timeout: 120
#
# Resident memory stays under 16 MiB however long the run.

# Functions are called through ok_if and try; programs of jq and awk are in quotes.
# shellcheck disable=SC2016,SC2317
# shellcheck source-path=SCRIPTDIR source=../lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"
# shellcheck source-path=SCRIPTDIR source=../lib/cli.sh
. "$top/tests/lib/cli.sh"
# shellcheck source-path=SCRIPTDIR source=../lib/pipeline.sh
. "$top/tests/lib/pipeline.sh"
need_program

"$MSILAT" run sim -q -p 0 --timeout 60000 -w poll -l 2000000 -D 15s -i 1 --jitter 0 \
	--results "$results" --label long >"$T/out" 2>"$T/err" &
pid=$!
dir=$results/long
half=
high_water()
{
	awk '/^VmHWM/ { print $2 }' "/proc/$pid/status" 2>/dev/null
}

most=0
for i in $(seq 400); do
	now=$(high_water)
	[ -n "$now" ] || break
	[ "$i" != 80 ] || half=$now
	[ "$now" -le "$most" ] || most=$now
	sleep 0.05
done
wait "$pid"
is "$?" 0 "a long run"
diag "$most KiB at most, $half KiB after 4 s; $(manifest .counts.fired) events"
ok_if "at most 16 MiB" test "$most" -le 16384
ok_if "and no more than soon after the start" test $((most - ${half:-0})) -le 64
# Several times what the ring holds (32768 samples of 48 bytes) would be seen.
ok_if "it was a long run" test "$(manifest .counts.fired)" -gt 10000
is "$(manifest '[.counts.lost, .counts.ring_drops]')" "[0,0]" "nothing was lost"
done_testing
