#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# timeout: 300
#
# msilat hazard from beginning to end on the simulated device: every cell accounts for every event
# whoever contends, losses make it invalid, a signal or a device that stops leaves a whole result.

# Functions are called through ok_if; programs of jq are in quotes.
# shellcheck disable=SC2016,SC2317
# shellcheck source-path=SCRIPTDIR source=../lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"
# shellcheck source-path=SCRIPTDIR source=../lib/cli.sh
. "$top/tests/lib/cli.sh"
need_program

results=$T/results
dir=

# hazard LABEL ARG...: sets $status, $out, $err and $dir.
hazard()
{
	local label=$1

	shift
	dir=$results/$label
	try msilat hazard sim -q --timeout 60000 --results "$results" --label "$label" "$@"
}

manifest()
{
	jq -c "$1" "$dir/manifest.json"
}

# fits: what is printed fits the page.
fits()
{
	awk '{ gsub(/[\200-\277]/, "") } length > 100 { print; bad = 1 } END { exit bad }' "$1"
}

hazard all -l 50 -i 20 --wait read,poll -r below --seed 5
is "$status" 0 "a matrix of contenders"
ok_if "every cell is there, once" jq -e '(.cells | length) == .cells_planned and
	([.cells[] | [.relation, .poller_on, .wait, .contender.kind, .contender.on]] |
	 length == (unique | length))' "$dir/manifest.json"
ok_if "each fired all its events and lost none" jq -e 'all(.cells[];
	.counts.fired == 50 and .counts.lost == 0 and .valid and .invariant.holds)' \
	"$dir/manifest.json"
ok_if "wakes, what was taken and merges add up to the events" jq -e 'all(.cells[];
	.counts.fired == .counts.wakes + (.contender.reads // 0) + .merges.device_to_isr +
		.merges.isr_to_thread + .merges.wake)' "$dir/manifest.json"
ok_if "contenders contended" jq -e '[.cells[] | select(.contender)] | length > 0 and
	all(.contender.kind == "reader" or .contender.operations > 0)' "$dir/manifest.json"
ok_if "a second reader took events, and no other contender" jq -e '
	[.cells[] | select(.contender.kind == "reader") | .contender.taken] | add > 0' \
	"$dir/manifest.json"
ok_if "only those that read take" jq -e 'all(.cells[] | select(.contender.kind | . == "poll" or . == "epoll");
	.contender.taken == 0)' "$dir/manifest.json"
ok_if "the poller has latencies of its own events only" jq -e 'all(.cells[];
	.latency.count <= .counts.wakes)' "$dir/manifest.json"
ok_if "without a contender of all of them" jq -e 'all(.cells[] | select(.contender == null);
	.latency.count == 50)' "$dir/manifest.json"
ok_if "a simulated device has neither probe nor boosts, and says so" jq -e '
	all(.cells[]; .boosts == null) and (.no_boosts | length > 0)' "$dir/manifest.json"
ok_if "what cannot be done here is named" jq -e 'any(.left_out[]; .left_out == "vector")' \
	"$dir/manifest.json"
ok_if "the output fits 100 columns" fits "$T/.out"
like "$out" "simulated device: these times are thread wake-ups" "and says what it is"
is "$(tail -n 1 <<<"$out")" "$dir/   exit 0" "its last line names result and exit code"
cp "$T/.out" "$T/first"
accepted "it can be shown again" show "$dir"
ok_if "with the same words" cmp <(head -n -1 "$T/first") "$T/.out"
is "$(ls "$dir")" manifest.json "the directory holds the manifest"

hazard lossy -l 20 -i 20 --wait read -r below -c none --poller-cpu same --sim withhold=7
is "$status" 3 "a lost signal makes it invalid"
is "$(manifest '[.valid, .exit, .cells[0].valid, .cells[0].counts.lost]')" "[false,3,false,1]" \
	"the manifest says so"
like "$out" "^INVALID" "so does the first line"
like "$out" "! below same read none: 20 fired = 19 wakes .* 1 LOST" "and which cell it was"

dir=$results/stopped
try msilat hazard sim -q --timeout 20 --results "$results" --label stopped -l 20 -i 20 \
	--wait read -r below,above -c none --poller-cpu same --sim stop=5
is "$status" 3 "a device that stops"
is "$(manifest '[.state, .cells_planned, (.cells | length)]')" '["failed",2,1]' \
	"ends it at that cell, with what there is"
like "$out" "the device stopped interrupting" "and says why"

# start LABEL ARG...: in the background; $pid is its process.
start()
{
	local label=$1

	shift
	dir=$results/$label
	"$MSILAT" hazard sim -q --timeout 60000 --results "$results" --label "$label" "$@" \
		>"$T/out" 2>"$T/err" &
	pid=$!
}

cells_done()
{
	jq -e ".cells | length >= $1" "$dir.partial/manifest.json"
}

for signal in INT TERM; do
	start "$signal" -l 200 -i 200
	ok_if "a checkpoint after each cell" wait_until 60 cells_done 2
	kill "-$signal" "$pid"
	status=0
	wait "$pid" || status=$?
	is "$status" 0 "SIG$signal in the middle"
	ok_if "leaves a complete directory, marked, with the cells that are whole" jq -e '
		.state == "interrupted" and (.cells | length) >= 2 and
		(.cells | length) < .cells_planned and all(.cells[]; .state == "complete")' \
		"$dir/manifest.json"
	ok_if "nothing by halves" not test -e "$dir.partial"
	like "$(cat "$T/out")" "state: interrupted, [0-9]+ of [0-9]+ cells" "and says so"
	is "$(cat "$T/err")" "" "without an error"
done
start killed -l 200 -i 200
ok_if "cells are measured" wait_until 60 cells_done 1
kill -KILL "$pid"
wait "$pid" 2>/dev/null
ok_if "kill -9 leaves the last checkpoint" jq -e '.state == "running" and (.cells | length) >= 1' \
	"$dir.partial/manifest.json"
accepted "which can be shown" show "$dir.partial"
done_testing
