#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# timeout: 240
#
# Every wait mode in every scenario that sim can play, and spins that would never end.

# Functions are called through ok_if and try; programs of jq and awk are in quotes.
# shellcheck disable=SC2016,SC2317
# shellcheck source-path=SCRIPTDIR source=../lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"
# shellcheck source-path=SCRIPTDIR source=../lib/cli.sh
. "$top/tests/lib/cli.sh"
# shellcheck source-path=SCRIPTDIR source=../lib/pipeline.sh
. "$top/tests/lib/pipeline.sh"
need_program

for wait in read poll epoll spin; do
	for scenario in sync self; do
		for strategy in split nothread; do
			name="$wait, $scenario, $strategy"
			if [ "$wait" = spin ] && one_cpu; then
				skip "$name" "one CPU only; run on a machine with two" 3
				continue
			fi
			sim "$wait-$scenario-$strategy" -w "$wait" -S "$scenario" -s "$strategy" -l 300 -i 50
			is "$status" 0 "$name"
			whole "its files agree" "$dir" complete
			stages='"sent-user","sent-isr","isr-thread","thread-signal","signal-user"'
			[ "$strategy" = split ] || stages='"sent-user","sent-isr","isr-signal","signal-user"'
			case $wait in
			poll | epoll) stages="$stages,\"user-done\"" ;;
			esac
			is "$(manifest '[.counts.fired, .counts.seen, .counts.lost, [.stages[].name]]')" \
				"[300,300,0,[$stages]]" "300 events, none lost, its stages"
		done
	done
done
refused "bursts of the poller's own" "^--burst 16: scenario self fires one by one; use sync$" \
	run sim -S self --burst 16

low=$(awk '/^Cpus_allowed_list/ { sub(/[-,].*/, "", $2); print $2 }' /proc/self/status)
on_low()
{
	taskset -c "$low" "$MSILAT" "$@"
}

if realtime; then
	try on_low run sim -w spin -p 40 -l 10 --results "$results" --label spin1
	ok_if "spin on the only CPU, above the thread that fires" is_refusal "^--wait spin: .*(use|needs)"
	refused "spin on the trigger's CPU, above it" \
		"^--wait spin: the thread that fires shares CPU $low .*use --scenario self or another --trigger-cpu$" \
		run sim -w spin -p 40 -a "$low" --trigger-cpu "$low" --results "$results"
	refused "spin beside it, of equal priority" "^--wait spin: the thread that fires shares CPU" \
		run sim -w spin -p 40 --trigger-prio 40 -a "$low" --trigger-cpu "$low" --results "$results"
	is "$(find "$results" -name '*.partial')" "" "no refusal left a directory behind"
	if one_cpu; then
		skip "a spin that ends" "one CPU only; run on a machine with two" 2
	else
		sim spin-rt -w spin -p 40 -l 200 -i 50
		is "$status,$(manifest .counts.lost)" "0,0" "spin with a CPU of its own"
		sim spin-self -w spin -S self -p 40 -l 200 -i 50
		is "$status,$(manifest .counts.lost)" "0,0" "the same when the poller fires"
	fi
else
	skip "spins of a real-time poller" "SCHED_FIFO is not permitted; run as root with rtprio" 6
fi
try on_low run sim -q -w read -p 0 -l 200 -i 50 --results "$results" --label one-cpu
is "$status,$(jq .counts.lost "$results/one-cpu/manifest.json")" "0,0" \
	"everything on one CPU, the trigger records"
try timeout 60 taskset -c "$low" "$MSILAT" run sim -q -w spin -p 0 -l 5 -i 50 --results "$results" \
	--label spin-other
is "$status" 0 "an ordinary spin on one CPU ends"
done_testing
