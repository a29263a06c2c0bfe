#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# timeout: 300
#
# Every option of msilat run, long and short, with good values at both ends of its range and bad
# ones. Good values are tried on the simulated device, with as few events as it takes.

# shellcheck source-path=SCRIPTDIR source=../lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"
# shellcheck source-path=SCRIPTDIR source=../lib/cli.sh
. "$top/tests/lib/cli.sh"
need_program

mkdir "$T/results"
n=0

# runs NAME ARG...: a run on sim with this goes well.
runs()
{
	local name=$1

	shift
	n=$((n + 1))
	accepted "$name" run sim -q -p 0 -l 3 -i 10 --timeout 60000 --results "$T/results" --label "run$n" "$@"
}

# manifest FILTER: from the newest run.
manifest()
{
	jq -c "$1" "$T/results/run$n/manifest.json"
}

# number NAME LETTER MIN MAX: what is outside is refused, what is no number too.
number()
{
	local option bad

	for option in "--$1" ${2:+"-$2"}; do
		for bad in $(($3 - 1)) -7 "${4:+$(($4 + 1))}" 99999999999999999999; do
			[ -z "$bad" ] || refused "$option $bad" "^--$1 $bad: must be $3 to [0-9]+$" \
				run sim "$option" "$bad"
		done
		for bad in x 1x 1.5 1,5 0x10 1e3; do
			refused "$option $bad" "^--$1 $bad: not a number$" run sim "$option" "$bad"
		done
		refused "$option ''" "^--$1 : not a number" run sim "$option" ''
		refused "$option without value" "^$option: needs a value \(msilat run --help\)$" \
			run sim "$option"
	done
}

# choice NAME LETTER CHOICE...
choice()
{
	local option name=$1 letter=$2 all

	shift 2
	all="$*"
	for option in "--$name" ${letter:+"-$letter"}; do
		refused "$option rubbish" "^--$name rubbish: must be one of ${all// /, }$" \
			run sim "$option" rubbish
		refused "$option ''" "^--$name : must be one of" run sim "$option" ''
		refused "$option without value" "^$option: needs a value" run sim "$option"
	done
}

duration()
{
	local option bad

	for option in "--$1" ${2:+"-$2"}; do
		for bad in 0 0d -1 "$3"; do
			refused "$option $bad" "^--$1 $bad: must be 1 to [0-9]+ seconds$" \
				run sim "$option" "$bad"
		done
		for bad in x 5w 1.5h m 1h30m ''; do
			refused "$option '$bad'" "^--$1 $bad: not a duration; write 90, 90s, 5m, 2h or 1d$" \
				run sim "$option" "$bad"
		done
		refused "$option without value" "^$option: needs a value" run sim "$option"
	done
}

cpu=$(awk '/^Cpus_allowed_list/ { sub(/.*[-,]/, "", $2); print $2 }' /proc/self/status)
low=$(awk '/^Cpus_allowed_list/ { sub(/[-,].*/, "", $2); print $2 }' /proc/self/status)

number priority p 0 99
runs "-p 0" -p 0
is "$(manifest .poller.priority)" 0 "it is in the manifest"
if realtime; then
	runs "-p 1" -p 1
	runs "--priority 99" --priority 99
	is "$(manifest .poller)" '{"policy":"FIFO","priority":99,"cpu":'"$cpu"'}' "it is in the manifest"
	runs "--trigger-prio 99" --trigger-prio 99
	is "$(manifest .trigger.priority)" 99 "it is in the manifest"
else
	skip "real-time priorities" "not permitted here; run as root with rtprio" 5
fi
number affinity a 0 8191
runs "-a $cpu" -a "$cpu"
is "$(manifest .poller.cpu)" "$cpu" "it is in the manifest"
runs "--affinity=$low" "--affinity=$low"
is "$(manifest .poller.cpu)" "$low" "it is in the manifest"
runs "-a not given"
is "$(manifest .poller.cpu)" "$cpu" "the last CPU allowed"
for option in affinity trigger-cpu recorder-cpu irq-cpu; do
	refused "--$option: a CPU that is not there" \
		"^--$option 8191: that CPU is not online \(online: [0-9,-]+\)$" run sim "--$option" 8191
done
# An isolated CPU is outside the mask a shell hands on: a mask is a wish, -a is an order.
if [ "$low" != "$cpu" ]; then
	try taskset -c "$low" "$MSILAT" run sim -q -p 0 -l 1 --results "$T/results" --label masked
	is "$status,$(jq .poller.cpu "$T/results/masked/manifest.json")" "0,$low" \
		"without -a the poller keeps to the mask"
	try taskset -c "$low" "$MSILAT" run sim -q -p 0 -l 1 --results "$T/results" --label outside \
		-a "$cpu"
	is "$status,$(jq .poller.cpu "$T/results/outside/manifest.json")" "0,$cpu" \
		"with -a it may leave it"
else
	skip "affinity masks" "one CPU only; run on a machine with two" 2
fi
number irq-prio '' 1 99
refused "--irq-prio: sim has no IRQ thread" "^--irq-prio 50: strategy split has no thread here$" \
	run sim --irq-prio 50 --results "$T/results" --label irqprio
ok_if "and nothing is left of it" not test -e "$T/results/irqprio.partial"
number irq-cpu '' 0 8191
number trigger-prio '' 0 99
number trigger-cpu '' 0 8191
runs "--trigger-cpu $low" --trigger-cpu "$low"
is "$(manifest .trigger.cpu)" "$low" "it is in the manifest"
number recorder-cpu '' 0 8191
runs "--recorder-cpu $low" --recorder-cpu "$low"
number loops l 1 1000000000000
runs "--loops 1" --loops 1
is "$(manifest '[.schedule.count, .counts.fired]')" "[1,1]" "exactly that many are fired"
runs "-l7" -l7
is "$(manifest .counts.fired)" 7 "exactly that many are fired"
number interval i 1 60000000
runs "-i 1" -i 1
runs "--interval 2000" --interval 2000
is "$(manifest '[.schedule.interval_us, .schedule.jitter_us]')" "[2000,400]" \
	"a fifth of it is the jitter"
number jitter '' 0 60000000
runs "--jitter 0" --jitter 0
is "$(manifest .schedule.jitter_us)" 0 "no jitter is possible"
runs "--jitter 55" --jitter 55
number seed '' 1 ''
runs "--seed 9223372036854775807" --seed 9223372036854775807
# jq 1.6 rounds numbers of that size.
like "$(cat "$T/results/run$n/manifest.json")" '"seed": 9223372036854775807' "it is in the manifest"
runs "no seed"
ok_if "one is made up and written down" test "$(manifest .schedule.seed)" -gt 0
number burst '' 1 1024
runs "--burst 1024" --burst 1024 -l 1024
is "$(manifest '[.schedule.burst, .counts.fired, .counts.lost]')" "[1024,1024,0]" \
	"all are fired, none lost"
number timeout '' 1 3600000
runs "--timeout 3600000" --timeout 3600000
number vector '' 0 2047
refused "--vector 1: sim has one" "^sim: vector 1: it has one" run sim --vector 1 --results "$T/results"
duration duration D 367d
runs "-D 1s ends before the count" -D 1s -l 1000000 -i 1000
ok_if "after about that time" jq -e '.elapsed_s >= 1 and .elapsed_s < 5 and
	.state == "complete" and .counts.fired < 1000000' "$T/results/run$n/manifest.json"
runs "-l ends before the time" -D 1d -l 3
is "$(manifest .counts.fired)" 3 "all are fired"
duration checkpoint '' 2d
runs "--checkpoint 1" --checkpoint 1
choice strategy s stock thread split kthread irqwork nothread thread-direct direct page
for strategy in thread split kthread irqwork nothread thread-direct direct; do
	runs "-s $strategy" -s "$strategy"
	is "$(manifest .strategy)" "\"$strategy\"" "it is in the manifest"
done
refused "-s stock: sim cannot play it" \
	"^--strategy stock: backend sim plays the strategies of msilat-vfio-pci only$" \
	run sim -s stock --results "$T/results"
choice wait w read poll epoll spin direct page
for wait in read poll epoll; do
	runs "-w $wait" -w "$wait"
	is "$(manifest .wait)" "\"$wait\"" "it is in the manifest"
done
runs "-w direct" -s direct -w direct
is "$(manifest '[.wait, .eventfd, .options.eventfd]')" '["direct","silent",false]' "it is in the manifest"
runs "--eventfd" -s direct --eventfd
is "$(manifest '[.wait, .eventfd, .options.eventfd]')" '["direct","signalled beside",true]' \
	"it is in the manifest"
runs "--eventfd where it is waited on anyway" -s split --eventfd
is "$(manifest .eventfd)" '"waited on"' "it changes nothing"
refused "--eventfd=yes" "^--eventfd" run sim --eventfd=yes
choice scenario S sync idle busy self
runs "-S sync" -S sync
runs "-S self" -S self
for scenario in idle busy; do
	refused "-S $scenario: sim has no timer" "^--scenario $scenario: backend sim has no timer" \
		run sim -S "$scenario" --results "$T/results"
done
refused "a burst and a timer" "^--burst 2: scenario idle fires one by one" run sim -S idle --burst 2
choice backend '' edu inject sim
runs "--backend sim" --backend sim
refused "--backend edu for sim" "^--backend edu: the target is sim" run sim --backend edu
refused "--backend inject for sim" "^--backend inject: the target is sim" run sim --backend inject
for option in results label sim; do
	refused "--$option ''" "^--$option: the value is empty" run sim "--$option" ''
	refused "--$option without value" "^--$option: needs a value" run sim "--$option"
done
refused "--sim rubbish" "^--sim rubbish: must be merge=" run sim --sim rubbish --results "$T/results"
refused "--sim withhold=x" "^--sim withhold=x: not a number" \
	run sim --sim withhold=x --results "$T/results"
refused "--sim merge=x" "^--sim merge=x: must be device" run sim --sim merge=x --results "$T/results"
for label in a/b .. .x x.partial; do
	refused "--label $label" "^--label $label: not usable as a directory name" \
		run sim --label "$label" --results "$T/results"
done

runs "--samples" --samples
ok_if "there is a file of them" test -s "$T/results/run$n/samples.bin"
runs "without --samples"
ok_if "there is none" not test -e "$T/results/run$n/samples.bin"
refused "--samples=yes" "^--samples" run sim --samples=yes
runs "--json" --json
ok_if "the output is the manifest" test "$(jq -S . "$T/.out")" = \
	"$(jq -S . "$T/results/run$n/manifest.json")"
try msilat run sim -p 0 -l 3 -i 10 --results "$T/results" --label loud
is "$status" 0 "without -q"
is "$(tail -n 1 <<<"$out")" "$T/results/loud/   exit 0" "the last line names result and exit code"
runs "the result alone with -q"
like "$out" "events 3 fired = 3 wakes" "and the result is there"
ok_if "the output fits 100 columns" awk '{ gsub(/[\200-\277]/, "") } length > 100 { print; bad = 1 }
	END { exit bad }' "$T/.out"

refused "a negative count" "^--loops -1: must be" run sim -l -1
refused "an ambiguous beginning" "^--re: unknown or ambiguous option \(msilat run --help\)$" \
	run sim --re 5
accepted "an option after the device" run sim -q -p 0 -l 1 --results "$T/results" --label after
is "$(find "$T/results" -name '*.partial')" "" "no refusal left a directory behind"
done_testing
