#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# timeout: 180
#
# Merges and losses that sim makes at known places are found there, and nowhere else.

# Functions are called through ok_if and try; programs of jq and awk are in quotes.
# shellcheck disable=SC2016,SC2317
# shellcheck source-path=SCRIPTDIR source=../lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"
# shellcheck source-path=SCRIPTDIR source=../lib/cli.sh
. "$top/tests/lib/cli.sh"
# shellcheck source-path=SCRIPTDIR source=../lib/pipeline.sh
. "$top/tests/lib/pipeline.sh"
need_program

# merges: by place, as the manifest has them.
merges()
{
	manifest '[.merges | .device_to_isr, .isr_to_thread, .wake]'
}

# Bursts of 8 meet a driver that merges what piles up. How much piles up is the machine's mood,
# so the number is not known, but the place is, and that nothing is lost.
for place in device thread wake; do
	sim "merge-$place" --sim "merge=$place,delay=300" --burst 8 -l 800 -i 100
	is "$status" 0 "merge=$place"
	whole "its files agree" "$dir" complete
	ok_if "800 events, none lost, all others merged at $place and only there" jq -e --arg place "$place" '
		(.merges | {device: .device_to_isr, thread: .isr_to_thread, wake}) as $m |
		.counts.fired == 800 and .counts.lost == 0 and .valid and
		$m[$place] >= 100 and ($m | del(.[$place]) | add) == 0 and
		.counts.wakes + $m[$place] == 800' "$dir/manifest.json"
	like "$out" "events 800 fired = [0-9]+ wakes \+ [0-9]+ merged \([0-9]+ [a-zA-Z ]+\); none lost" \
		"it is said so"
done

# What is waited on gives the merge its name, and each way of waiting counts as well as the others.
for case in "thread-direct:wait ioctl" "direct:wait ioctl" "page:page"; do
	strategy=${case%%:*}
	if [ "$strategy" = page ] && one_cpu; then
		skip "page" "one CPU only; run on a machine with two" 7
		continue
	fi
	sim "wake-$strategy" -s "$strategy" --sim "merge=wake,delay=300" --burst 8 -l 800 -i 100
	is "$status" 0 "$strategy, merge=wake"
	whole "its files agree" "$dir" complete
	ok_if "800 events, none lost, all others merged at the wake" jq -e '
		.counts.fired == 800 and .counts.lost == 0 and .valid and .merges.wake >= 100 and
		.counts.wakes + .merges.wake == 800' "$dir/manifest.json"
	like "$out" "events 800 fired = [0-9]+ wakes \+ [0-9]+ merged \([0-9]+ ${case#*:}\); none lost" \
		"it is said where"
	sim "withhold-$strategy" -s "$strategy" -l 1000 -i 10 --sim withhold=500 --timeout 1000
	is "$status,$(manifest '[.counts.lost, .counts.fired, .counts.values, .valid]')" \
		"3,[1,1000,999,false]" "$strategy: a delivery that wakes nobody is one loss"
	sim "stop-$strategy" -s "$strategy" -l 1000 -i 10 --sim stop=300 --timeout 100
	is "$status,$(manifest '[.state, .counts.seen,
		.stages[0].count + .merges.isr_to_thread + .merges.wake]')" '3,["failed",300,300]' \
		"$strategy: a device that stops"
	like "$out" "WARN run: the device stopped interrupting" "it is said why, and the wait is ended"
done

sim withhold -l 1000 -i 10 --sim withhold=500 --timeout 1000
is "$status" 3 "the 500th of 1000 signals is withheld: exit 3"
is "$(manifest '[.counts.lost, .counts.fired, .counts.values, .valid, .exit, .state]')" \
	'[1,1000,999,false,3,"complete"]' "exactly one is lost"
is "$(merges)" "[0,0,0]" "and nothing merged"
like "$out" "^INVALID: do not use these numbers" "it is said first"
like "$out" "1000 fired = 999 wakes \+ 0 merged; 1 LOST" "with the equation"
like "$out" "exit 3$" "and the exit code"
whole "everything is written all the same" "$dir" complete
is "$(manifest '.stages[1].max < 1e9')" true "the stages after the loss are those of their own events"

for at in 1 1000; do
	sim "withhold-$at" -l 1000 -i 10 --sim "withhold=$at" --timeout 1000
	is "$status,$(manifest '[.counts.lost, .counts.values]')" "3,[1,999]" "the signal withheld is number $at"
done
for at in 1 500 1000; do
	sim "lose-$at" -l 1000 -i 10 --sim "lose=$at" --timeout 1000
	is "$status,$(manifest '[.counts.lost, .counts.isr, .counts.wakes]')" "3,[1,999,999]" \
		"the interrupt that never comes is number $at"
	is "$(merges)" "[0,0,0]" "and it is not taken for a merge"
done
sim both -l 1000 -i 10 --sim "withhold=300,lose=600" --timeout 1000
is "$status,$(manifest .counts.lost)" "3,2" "one of each"

sim stop -l 1000 -i 10 --sim stop=300 --timeout 100
is "$status" 3 "a device that stops interrupting: exit 3"
is "$(manifest '[.state, .counts.seen, .counts.fired - .counts.seen == .counts.lost,
	.stages[0].count + .merges.isr_to_thread + .merges.wake]')" \
	'["failed",300,true,300]' "what arrived is kept, merges apart, the rest is lost"
ok_if "it was given up soon" test "$(manifest .counts.fired)" -lt 310
like "$out" "WARN run: the device stopped interrupting: .* within 100 ms" "it is said why"
whole "everything is written" "$dir" failed
sim stop-self -S self -l 1000 -i 10 --sim stop=300 --timeout 700
is "$status,$(manifest '[.state, .counts.seen]')" '3,["failed",300]' "the same when the poller fires"
sim stop-all -l 1000 -i 10 --sim stop=1 --timeout 100
is "$status,$(manifest '[.counts.seen, .stages[0].count]')" '3,[1,1]' "a device that dies at once"

# The first wake of a burst may see all of it; the signals still to come are no losses.
bad=
for i in $(seq 12); do
	sim "drain$i" --burst 1024 -l 1024 -i 10
	[ "$status" = 0 ] || bad="$bad $(manifest .invariant.text)"
done
is "$bad" "" "a run ends when every signal has been taken, not when every event has been seen"

sim late -l 20 -i 1000 --sim delay=60000 --timeout 40
ok_if "a device slower than the time-out loses nothing that arrives" jq -e \
	'.counts.seen >= .counts.fired - 3 and .counts.values == .counts.signals' "$dir/manifest.json"
done_testing
