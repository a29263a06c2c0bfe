#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# timeout: 120
#
# The options of msilat hazard: what is refused, and what it makes of those it takes. On the
# simulated device, with as few cells and events as it takes.

# shellcheck source-path=SCRIPTDIR source=../lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"
# shellcheck source-path=SCRIPTDIR source=../lib/cli.sh
. "$top/tests/lib/cli.sh"
need_program

n=0

# hazards NAME ARG...: goes well.
hazards()
{
	local name=$1

	shift
	n=$((n + 1))
	accepted "$name" hazard sim -q -l 3 -i 10 --timeout 60000 --results "$T/results" \
		--label "h$n" "$@"
}

# manifest FILTER: from the newest result.
manifest()
{
	jq -c "$1" "$T/results/h$n/manifest.json"
}

# list OPTION CHOICE...: a list of these.
list()
{
	local option=$1 bad all

	shift
	all="$*"
	for bad in rubbish "$1," ",$1" "$1 $1" "${1^^}"; do
		refused "--$option '$bad'" "^--$option [^:]*: must be a list of ${all// /, }, or all$" \
			hazard sim "--$option" "$bad"
	done
	refused "--$option ''" "^--$option: the value is empty" hazard sim "--$option" ''
	refused "--$option without value" "^--$option: needs a value \(msilat hazard --help\)$" \
		hazard sim "--$option"
}

list relation below equal above
list wait read poll epoll direct
list contender none poll epoll reader vector irqfd
list poller-cpu same other
list contender-cpu same other
refused "a list that is too long" "^--wait: the list is too long" \
	hazard sim --wait "$(printf 'read,%.0s' {1..99})read"
refused "a wait mode that does not sleep" "^--wait spin: must be a list of" hazard sim --wait spin
refused "a wait mode that the strategy does not wake" "^--wait direct: strategy split does not" \
	hazard sim --wait direct --results "$T/results"
for bad in 1 99 0; do
	refused "--irq-prio $bad" "^--irq-prio $bad: must be 2 to 98$" hazard sim --irq-prio "$bad"
done
refused "--contender-prio 100" "^--contender-prio 100: must be 0 to 99$" \
	hazard sim --contender-prio 100
refused "--loops 0" "^--loops 0: must be 1 to" hazard sim -l 0
refused "--duration 0" "^--duration 0: must be 1 to" hazard sim -D 0
refused "--seed 0" "^--seed 0: must be 1 to" hazard sim --seed 0
refused "a strategy that is none" "^--strategy none: must be one of stock, thread, split" \
	hazard sim -s none
refused "a strategy that sim cannot play" "^--strategy stock: backend sim plays" \
	hazard sim -s stock --results "$T/results"
for option in irq-cpu other-cpu; do
	refused "--$option 8191" "^--$option 8191: (that CPU is not online|offline|outside)" \
		hazard sim "--$option" 8191 --results "$T/results"
done
refused "a contender that cannot be here, by name" \
	"^--contender vector: needs msilat-vfio-pci, which injects interrupts" \
	hazard sim --contender vector --results "$T/results"
refused "two devices" "^hazard: name one PCI function, or sim" hazard sim sim
refused "no such device" "^0000:7f:1f.7: no such PCI function" hazard 0000:7f:1f.7
refused "a label that exists not as a name" "^--label a/b: not usable" \
	hazard sim --label a/b --results "$T/results"
is "$(ls "$T/results" 2>/dev/null)" "" "no refusal left anything behind"

hazards "one cell" -r below -w read -c none --poller-cpu same
is "$(manifest '[.kind, .state, .cells_planned, (.cells | length), .valid, .exit]')" \
	'["hazard","complete",1,1,true,0]' "is measured and complete"
is "$(manifest '.cells[0] | [.relation, .poller_on, .wait, .contender, .counts.fired]')" \
	'["below","same","read",null,3]' "it is the one asked for"
is "$(manifest '.options | [.relation, .loops, .interval]')" '["below",3,10]' \
	"the options are in the manifest"
hazards "all relations by name" -r below,equal,above -w read -c none --poller-cpu same
is "$(manifest '[.cells[].relation]')" '["below","equal","above"]' "in this order"
hazards "a seed" -r below -w read -c none --poller-cpu same --seed 77
is "$(manifest '[.schedule.seed, .options.seed]')" "[77,77]" "is kept"
hazards "no seed" -r below -w read -c none --poller-cpu same
ok_if "one is made up and written down" jq -e '.options.seed > 0 and .schedule.seed == .options.seed' \
	"$T/results/h$n/manifest.json"
hazards "--json" -r below -w read -c none --poller-cpu same --json
ok_if "the output is the manifest, but for the time" test \
	"$(jq -S 'del(.elapsed_s)' "$T/.out")" = \
	"$(jq -S 'del(.elapsed_s)' "$T/results/h$n/manifest.json")"
hazards "-D ends a cell by time" -r below -w read -c none --poller-cpu same -D 1s -l 1000000
ok_if "after about that time" jq -e '.cells[0].counts.fired > 10 and .cells[0].counts.fired < 1000000
	and .elapsed_s >= 1' "$T/results/h$n/manifest.json"
refused "a result that exists" "h$n: this result exists; choose another --label" \
	hazard sim -q -l 3 --label "h$n" --results "$T/results"
if [ "$(nproc)" = 1 ]; then
	refused "another CPU where there is none" "^--poller-cpu other: this process may use one CPU" \
		hazard sim --poller-cpu other --results "$T/results"
	skip "--other-cpu" "one CPU only; run on a machine with two"
else
	cpu=$(awk '/^Cpus_allowed_list/ { sub(/.*[-,]/, "", $2); print $2 }' /proc/self/status)
	try taskset -c "$cpu" "$MSILAT" hazard sim -q --poller-cpu other --results "$T/results"
	ok_if "another CPU where there is none" is_refusal \
		"^--poller-cpu other: this process may use one CPU only"
	refused "--other-cpu: the interrupt's" "^--other-cpu $cpu: that is the interrupt's CPU" \
		hazard sim --irq-cpu "$cpu" --other-cpu "$cpu" --results "$T/results"
fi
is "$(find "$T/results" -name '*.partial')" "" "nothing is left by halves"
done_testing
