#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# timeout: 240
#
# Every strategy that sim can play, every wait mode in every scenario, and busy waits that would never
# end.

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
# wait_of STRATEGY: its own wait mode, out of the program's table.
wait_of()
{
	"$MSILAT" list --strategies | awk -F '  +' -v name="$1" '$2 == name { print $6 }'
}

# What each strategy of our driver leaves to be seen, with the wait that suits it.
stages_of()
{
	case $1 in
	thread | thread-direct) echo '"sent-user","sent-thread","thread-signal","signal-user"' ;;
	nothread | direct | page) echo '"sent-user","sent-isr","isr-signal","signal-user"' ;;
	*) echo '"sent-user","sent-isr","isr-thread","thread-signal","signal-user"' ;;
	esac
}

for strategy in $("$MSILAT" list --strategies | awk '$2 == "msilat-vfio-pci" { print $1 }'); do
	wait=$(wait_of "$strategy")
	if [ "$wait" = page ] && one_cpu; then
		skip "$strategy" "one CPU only; run on a machine with two" 4
		continue
	fi
	sim "own-$strategy" -s "$strategy" -l 300 -i 50
	is "$status" 0 "$strategy"
	whole "its files agree" "$dir" complete
	is "$(manifest '[.wait, .counts.fired, .counts.seen, .counts.lost, [.stages[].name]]')" \
		"[\"$wait\",300,300,0,[$(stages_of "$strategy")]]" "its own wait, 300 events, its stages"
	use="silent"
	[ "$wait" != read ] || use="waited on"
	is "$(manifest '[.eventfd, .counts.eventfds]')" "[\"$use\",0]" "the eventfd is $use"
done

# The eventfd signalled beside: at nobody's call, or waited on instead of the strategy's own wake.
for strategy in thread-direct direct; do
	sim "beside-$strategy" -s "$strategy" --eventfd -l 300 -i 50
	is "$status,$(manifest '[.eventfd, .counts.eventfds, .counts.lost]')" \
		'0,["signalled beside",300,0]' "$strategy --eventfd"
	whole "its files agree" "$dir" complete
	like "$out" ", eventfd signalled beside" "it is said"
	is "$(manifest '[.stages[].name]')" "[$(stages_of "$strategy")]" "its stages are the same"
	for wait in read epoll; do
		sim "$wait-$strategy" -s "$strategy" -w "$wait" -l 300 -i 50
		is "$status,$(manifest '[.eventfd, .counts.eventfds, .counts.values, .counts.lost]')" \
			'0,["waited on",300,300,0]' "$strategy -w $wait"
		whole "its files agree" "$dir" complete
		is "$(manifest '.stages[0].name + (.stages | map(select(.name != "user-done")) | length | tostring)')" \
			'"sent-user1"' "the driver's records are not the eventfd's: no inner stages"
	done
done
refused "-w page under direct" \
	"^--wait page: strategy direct does not wake it; use --wait direct, or --strategy page$" \
	run sim -s direct -w page --results "$results"
refused "-w direct under split" \
	"^--wait direct: strategy split does not wake it; use --wait read, or --strategy thread-direct or direct$" \
	run sim -s split -w direct --results "$results"
is "$(find "$results" -name '*.partial')" "" "no refusal left a directory behind"

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
	refused "page on the trigger's CPU, above it" \
		"^--wait page: the thread that fires shares CPU $low .*use --scenario self or another --trigger-cpu$" \
		run sim -s page -p 40 -a "$low" --trigger-cpu "$low" --results "$results"
	is "$(find "$results" -name '*.partial')" "" "no refusal left a directory behind"
	if one_cpu; then
		skip "a spin that ends" "one CPU only; run on a machine with two" 3
	else
		sim spin-rt -w spin -p 40 -l 200 -i 50
		is "$status,$(manifest .counts.lost)" "0,0" "spin with a CPU of its own"
		sim spin-self -w spin -S self -p 40 -l 200 -i 50
		is "$status,$(manifest .counts.lost)" "0,0" "the same when the poller fires"
		sim page-rt -s page -p 40 -l 200 -i 50
		is "$status,$(manifest .counts.lost)" "0,0" "page with a CPU of its own"
	fi
else
	skip "spins of a real-time poller" "SCHED_FIFO is not permitted; run as root with rtprio" 8
fi
try on_low run sim -q -w read -p 0 -l 200 -i 50 --results "$results" --label one-cpu
is "$status,$(jq .counts.lost "$results/one-cpu/manifest.json")" "0,0" \
	"everything on one CPU, the trigger records"
try timeout 60 taskset -c "$low" "$MSILAT" run sim -q -w spin -p 0 -l 5 -i 50 --results "$results" \
	--label spin-other
is "$status" 0 "an ordinary spin on one CPU ends"
done_testing
