#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# shellcheck disable=SC2016,SC2317 # programs of jq are in quotes; ok_if runs functions by name
# timeout: 3200
#
# msilat hazard: what the poller's priority costs, in instructions and boosts; contention that the
# probe sees and the account survives; a host that is afterwards as it was.

. "$(dirname "$0")/lib.bash"

# judge NAME LABEL TEXT FILTER: a jq filter that must hold for the result of guest NAME.
judge()
{
	ok_if "$2: $3" judged "$1" "$2" "$4"
}

judged()
{
	local file=$T/$1/$2/manifest.json

	"$top/lab/enter" jq -e "$3" <"$file" && return 0
	"$top/lab/enter" jq -c '[.state, .no_boosts, .inversion, (.cells[] | [.relation, .poller_on,
		.wait, .contender.kind, .latency.min, .boosts, .involuntary_switches, .invariant.text])]' \
		<"$file"
	return 1
}

# sound NAME LABEL: the matrix is complete and every cell accounts for every event.
sound()
{
	exit_is "$1" "$2" 0
	judge "$1" "$2" "every cell is there and valid" '.state == "complete" and .valid and
		(.cells | length) == .cells_planned and
		all(.cells[]; .valid and .invariant.holds and .counts.lost == 0)'
}

# What a cell is, for the filters: its relation, wait mode and contender.
cell='def cell(r; w; c): .cells[] | select(.relation == r and .wait == w and .poller_on == "same" and
	(.contender.kind // "none") == c);'

test_inversion()
{
	local wait

	sound exact inversion
	judge exact inversion "one CPU, so one place for everybody" \
		'.other_cpu == null and all(.cells[]; .poller_on == "same")'
	for wait in read epoll; do
		judge exact inversion "wait $wait: above costs more than 1.5 times below" \
			'.unit == "instructions" and
			any(.inversion[]; .wait == "'$wait'" and .ratio > 1.5)'
		judge exact inversion "wait $wait: the thread is boosted for every event, above" \
			"$cell"' cell("above"; "'$wait'"; "none") |
			.boosts.irq_thread >= .boosts.events'
		judge exact inversion "wait $wait: and taken off its CPU, which below never happens" \
			"$cell"' (cell("above"; "'$wait'"; "none") |
			.involuntary_switches.irq_thread >= .counts.fired) and
			(cell("below"; "'$wait'"; "none") | .boosts.irq_thread == 0 and
			.involuntary_switches.irq_thread < .counts.fired / 10)'
	done
	judge exact inversion "the probe sees a storm of poll(), and nothing where there is none" \
		"$cell"' (cell("below"; "read"; "poll") | .probe.not_running + .probe.handoff > 0) and
		(cell("below"; "read"; "none") | .probe.free == .counts.isr)'
	judge exact inversion "the advice names the ratio and the priority" \
		'(.inversion | map(select(.poller_on == "same").ratio) | max) as $worst |
		any(.advice[]; test("takes [0-9.]+ × the path")) and any(.advice[]; test("-p 49 here"))'
	ok_if "inversion: the table ends with it" grep -q "just below its IRQ thread" \
		"$T/exact/inversion.txt"
	diag "$("$top/lab/enter" jq -c '.inversion[]' <"$T/exact/inversion/manifest.json")"
	sound exact control
	judge exact control "direct has no thread to be above, and is shorter than its eventfd" \
		'([.cells[] | select(.wait == "direct")] | length == 1 and .[0].relation == "none") and
		([.cells[] | select(.wait == "direct").latency.min] | min) <
		([.cells[] | select(.wait == "read").latency.min] | min)'
}

test_live()
{
	sound live matrix
	sound live irqwork
	sound live stock-like
	sound live stock
	judge live matrix "two CPUs, so both places" '.other_cpu != null and
		([.cells[].poller_on] | unique) == ["other", "same"] and
		([.cells[].contender.on // empty] | unique) == ["other", "same"]'
	judge live matrix "relations are what was asked for" 'all(.cells[];
		(.poller.priority - .irq_thread.priority) as $d |
		.relation == (if $d < 0 then "below" elif $d > 0 then "above" else "equal" end))'
	judge live matrix "storms worked on the eventfd, in every cell" '[.cells[] |
		select(.contender.kind == "poll" or .contender.kind == "epoll").contender.operations] |
		length > 0 and all(. > 0) and add > 10 * length'
	# What a cell need not see was measured until it did.
	sound live storm
	judge live storm "the probe saw it" '[.cells[].probe |
		.handoff + .self + .running + .not_running] | add > 0'
	sound live second
	judge live second "the second reader took events" '[.cells[].contender.taken] | add > 0'
	sound live boosted
	judge live boosted "boosts are seen above the thread" \
		"$cell"' cell("above"; "read"; "none") | .boosts.irq_thread > .boosts.events / 2'
	judge live irqwork "the thread that signals is the one of irq_work" \
		'all(.cells[]; .irq_thread.kind == "irq_work thread" and .irq_thread.priority == 50)'
	judge live stock-like "without a primary of ours there is no probe" \
		'all(.cells[]; .probe == null)'
	judge live stopped "what is whole is kept and marked" \
		'.state == "interrupted" and (.cells | length) < .cells_planned'
}

test_vectors()
{
	sound vectors vectors
	judge vectors vectors "the second vector signalled the same eventfd" 'all(.cells[] |
		select(.contender.kind == "vector"); .contender.signals > 0 and
		.counts.values >= .counts.fired)'
	judge vectors vectors "its wakes are no latencies of the first" 'all(.cells[];
		.latency.count <= .counts.fired)'
	# A wake of the other vector's, taken for one of the first, stands before the signal that is said
	# to have caused it. Times say nothing: a poller that the other vector has just woken meets an
	# event of the first sooner than one that sleeps, and that latency is true.
	judge vectors vectors "no wake stands before its signal" '[.cells[] |
		select(.contender.kind == "vector") | .counts] | length > 0 and
		all(.[]; .samples > 0 and .disordered == 0 and .stamps_lost == 0)'
}

if [ "$KERNEL" != debug ]; then
	launch exact --mode exact -- hazard.sh exact
fi
launch live -- hazard.sh live
if [ "$KERNEL" != debug ]; then
	collect exact
	test_inversion
else
	skip "the inversion in instructions" "paths through the debug kernel mean nothing; use another KERNEL"
fi
launch vectors --device igb -- hazard.sh vectors
collect live
test_live
collect vectors
test_vectors
done_testing
