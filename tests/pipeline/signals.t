#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# timeout: 300
#
# SIGINT, SIGTERM and SIGKILL at any time: nothing that was measured is lost.

# Functions are called through ok_if and try; programs of jq and awk are in quotes.
# shellcheck disable=SC2016,SC2317
# shellcheck source-path=SCRIPTDIR source=../lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"
# shellcheck source-path=SCRIPTDIR source=../lib/cli.sh
. "$top/tests/lib/cli.sh"
# shellcheck source-path=SCRIPTDIR source=../lib/pipeline.sh
. "$top/tests/lib/pipeline.sh"
need_program

# start LABEL ARG...: a run in the background; $pid is its process.
start()
{
	local label=$1

	shift
	dir=$results/$label
	"$MSILAT" run sim -q -p 0 --timeout 60000 --results "$results" --label "$label" "$@" \
		>"$T/out" 2>"$T/err" &
	pid=$!
}

# finish: its exit code.
finish()
{
	status=0
	wait "$pid" 2>/dev/null || status=$?
	out=$(cat "$T/out")
	err=$(cat "$T/err")
}

for signal in INT TERM; do
	start "$signal" -D 1h -i 100
	sleep 1
	kill "-$signal" "$pid"
	finish
	is "$status" 0 "SIG$signal after a second"
	whole "leaves a complete directory, marked interrupted" "$dir" interrupted
	ok_if "with what was measured" jq -e '.counts.fired > 100 and .counts.lost == 0 and
		.counts.seen == .counts.fired and .elapsed_s >= 0.8' "$dir/manifest.json"
	like "$out" "state: interrupted" "and says so"
	is "$err" "" "without an error"
done

# A pause between events of an hour is ended at once.
start pause -l 10 -i 60000000
sleep 0.5
start_s=$SECONDS
kill -INT "$pid"
finish
is "$status" 0 "SIGINT in a long pause"
ok_if "ends it at once" test $((SECONDS - start_s)) -le 5
ok_if "the directory is marked" jq -e '.state == "interrupted"' "$dir/manifest.json"

start twice -D 1h -i 100
sleep 0.5
kill -INT "$pid"
kill -INT "$pid" 2>/dev/null
finish
whole "an impatient second SIGINT does no harm" "$dir" interrupted

# From the first moment on there are two good outcomes: a finished, marked directory, or none.
RANDOM=4711
none=0 marked=0 complete=0 bad=
for i in $(seq 40); do
	start "random$i" -l 300 -i 100
	sleep "0.$(printf '%03d' $((RANDOM % 120)))"
	kill -INT "$pid" 2>/dev/null
	finish
	if [ -e "$dir.partial" ]; then
		bad="$bad $i:partial"
	elif [ ! -e "$dir" ]; then
		none=$((none + 1))
	elif is_whole "$dir" interrupted >"$T/why" 2>&1; then
		marked=$((marked + 1))
	elif is_whole "$dir" complete >"$T/why" 2>&1; then
		complete=$((complete + 1))
	else
		bad="$bad $i:$(head -n 1 "$T/why")"
	fi
done
diag "SIGINT at 40 random moments: $none left nothing, $marked marked, $complete complete"
is "$bad" "" "none of them leaves anything by halves"
ok_if "some of them came in time" test $((none + marked)) -ge 5

# kill -9: the last checkpoint.
start killed -D 1h -i 200 --checkpoint 1
checkpointed()
{
	jq -e '.elapsed_s > 1.5 and .counts.samples > 100' "$dir.partial/manifest.json"
}
ok_if "a run writes checkpoints" wait_until 30 checkpointed
kill -KILL "$pid"
finish
is "$status" 137 "kill -9"
ok_if "there is no finished directory" not test -e "$dir"
ok_if "the checkpoint is whole" jq -e '.schema == 1 and .state == "running" and .elapsed_s > 1.5 and
	.stages[0].count > 100' "$dir.partial/manifest.json"
ok_if "so is its histogram" good_histogram "$dir.partial"
ok_if "so are its outliers" good_outliers "$dir.partial"
accepted "it can be shown" show "$dir.partial"
like "$out" "state: running" "and is not taken for a finished one"
like "$out" "under way" "nor its account"
refused "its label is not used again" "this result exists; choose another --label" \
	run sim -p 0 -l 1 --results "$results" --label killed

# At any moment whatever has its final name is whole. Checkpoints are written all the time here.
bad=
for i in $(seq 15); do
	start "killed$i" -D 1h -i 100 --checkpoint 1
	sleep "0.$(printf '%03d' $((30 + RANDOM % 200)))"
	kill -KILL "$pid"
	finish
	[ -e "$dir.partial/manifest.json" ] || continue
	jq -e '.schema == 1 and .state == "running"' "$dir.partial/manifest.json" >/dev/null 2>&1 &&
		good_histogram "$dir.partial" >/dev/null && good_outliers "$dir.partial" >/dev/null ||
		bad="$bad $i"
done
is "$bad" "" "15 more kills find whole files"
ok_if "the first checkpoint comes at once" test -e "$dir.partial/manifest.json"
done_testing
