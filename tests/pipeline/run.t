#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# timeout: 120
#
# A run from beginning to end: its files, what is in them, and whether they agree.

# Functions are called through ok_if and try; programs of jq and awk are in quotes.
# shellcheck disable=SC2016,SC2317
# shellcheck source-path=SCRIPTDIR source=../lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"
# shellcheck source-path=SCRIPTDIR source=../lib/cli.sh
. "$top/tests/lib/cli.sh"
# shellcheck source-path=SCRIPTDIR source=../lib/pipeline.sh
. "$top/tests/lib/pipeline.sh"
need_program

sim first -l 2000 -i 20 --seed 7
is "$status" 0 "a run of 2000 events"
whole "its files fit their formats and each other" "$dir" complete
is "$(ls "$dir")" $'histogram.tsv\nmanifest.json\noutliers.tsv' "and there are no others"
is "$(manifest '[.counts | .fired, .isr, .threads, .signals, .values, .seen, .lost]')" \
	"[2000,2000,2000,2000,2000,2000,0]" "every link counts every event"
is "$(manifest '[.stages[].name]')" \
	'["sent-user","sent-isr","isr-thread","thread-signal","signal-user"]' "stages of split"
is "$(manifest '[.stages[0].percentiles[].p + 0]')" '[50,90,99]' "2000 values carry p99, not p99.9"
ok_if "stages between neighbours add up to the whole" jq -e '
	[.stages[] | select(.count > 0) | .mean * .count] as $sum |
	($sum[1:] | add) as $parts | .stages[0].count == .stages[1].count and
	($parts - $sum[0] | fabs) < 2 * .stages[0].count' "$dir/manifest.json"
is "$(grep -vc '^#' "$dir/outliers.tsv")" 32 "32 outliers are kept"
is "$(awk -F '\t' 'NR == 3 { print $3 }' "$dir/outliers.tsv")" \
	"$(printf '%.1f' "$(manifest '.stages[0].max')")" "the first of them is the maximum"
like "$(manifest .command)" '^\["msilat","run","sim","-q","-p","0",' \
	"the manifest has the command line"
is "$(manifest '[.mode, .unit, .irq_thread, .lab, .load, .priority_relation]')" \
	'["sim","ns",null,null,null,"none"]' "and what a simulated device has not"
ok_if "the manifest says when" jq -e '(now - (.started | fromdateiso8601) | fabs) < 3600' \
	"$dir/manifest.json"

# The same seed gives the same pauses, another gives others: compare the gaps between events.
gaps()
{
	sim "$1" -l 40 -i 1 --jitter 20000 --seed "$2" --samples
	od -A n -v -t u8 -w64 -j 32 "$dir/samples.bin" |
		awk -v hz="$(manifest .clock.hz)" 'NR > 1 { printf "%d\n", ($2 - last) * 1e6 / hz }
			{ last = $2 }' >"$T/gaps.$1"
}

# apart A B: median difference of their gaps in µs; now and then this machine stops for long.
apart()
{
	paste "$T/gaps.$1" "$T/gaps.$2" | awk '{ d = $1 - $2; print d < 0 ? -d : d }' | sort -n |
		awk '{ d[NR] = $1 } END { print d[int((NR + 1) / 2)] }'
}

gaps a 5
gaps b 5
gaps c 6
diag "gaps of equal seeds are $(apart a b) µs apart, of different ones $(apart a c) µs"
ok_if "a seed repeats its pauses" test $(($(apart a b) * 3)) -lt "$(apart a c)"

sim first -l 10
is "$status" 1 "a label that exists"
like "$err" "^msilat: $results/first: this result exists; choose another --label$" "is named"
is "$(manifest .counts.fired)" 2000 "and the result is what it was"
mkdir "$results/taken.partial"
sim taken -l 10
is "$status,$(line_count "$err")" "1,1" "a label that another run is writing"

: >"$T/file"
refused "results that are a file" "^$T/file.*: Not a directory \(--results\)$" \
	run sim -p 0 -l 1 --results "$T/file"
refused "results that cannot be made" "^/proc/none: cannot make the results directory: .* \(--results\)$" \
	run sim -p 0 -l 1 --results /proc/none

# Five at once, without labels: mkdir is the lock.
pids=
for i in 1 2 3 4 5; do
	"$MSILAT" run sim -q -p 0 --timeout 60000 -l 200 -i 10 --results "$T/many" >"$T/many.$i" 2>&1 &
	pids="$pids $!"
done
bad=0
for pid in $pids; do
	wait "$pid" || bad=$((bad + 1))
done
is "$bad" 0 "five runs at once"
is "$(find "$T/many" -mindepth 1 -maxdepth 1 | wc -l)" 5 "each has a directory of its own"
is "$(jq -r .label "$T"/many/*/manifest.json | sort -u | wc -l)" 5 "and a label"
cd "$T" || exit 1
try msilat run sim -q -p 0 -l 1 --label here
is "$status,$(ls results/here/manifest.json)" "0,results/here/manifest.json" \
	"results/ of the working directory is the default"
done_testing
