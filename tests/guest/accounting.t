#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# timeout: 1600
#
# Every event is explained, by every strategy: merges are named by their place and are no losses, a
# signal that is withheld is one loss and makes the run invalid, and so does a device that stops.

. "$(dirname "$0")/lib.bash"

# merged LABEL DEVICE_TO_ISR ISR_TO_THREAD WAKE UNKNOWN
merged()
{
	local label=$1

	exit_is live "$label" 0
	fact_is "$label" counts.fired 500 "500 events were fired"
	fact_is "$label" merges.device_to_isr "$2" "merged from device to ISR: $2"
	fact_is "$label" merges.isr_to_thread "$3" "merged from ISR to thread: $3"
	fact_is "$label" merges.wake "$4" "merged at the wake: $4"
	fact_is "$label" merges.unknown "$5" "merged at an unknown place: $5"
	fact_is "$label" counts.lost 0 "none lost"
	fact_is "$label" invariant.holds true "the invariant holds"
	fact_is "$label" valid true "the run is valid"
	diag "$label: $(fact "$label" invariant.text)"
}

test_merges()
{
	merged isr-split 0 400 0 null
	fact_is isr-split counts.isr 500 "the primary saw all of them"
	fact_is isr-split counts.wakes 100 "the poller woke once for each burst"
	merged isr-thread 0 400 0 null
	merged eventfd-split 0 0 400 null
	fact_is eventfd-split counts.signals 500 "each was signalled"
	fact_is eventfd-split counts.wakes 100 "the poller woke once for each burst"
	merged eventfd-thread 0 0 400 null
	merged none-split 0 0 0 null
	merged isr-kthread 0 400 0 null
	merged isr-irqwork 0 400 0 null
	merged none-irqwork 0 0 0 null
	merged isr-thread-direct 0 400 0 null
	merged wake-direct 0 0 400 null
	merged wake-thread-direct 0 0 400 null
	merged wake-beside 0 0 400 null
	for label in wake-direct wake-thread-direct wake-beside; do
		like "$(fact $label invariant.text)" "400 wait ioctl" "$label: it is said where"
	done
	fact_is wake-direct counts.eventfds 0 "the eventfd is left alone"
	fact_is wake-beside counts.eventfds 100 "the eventfd is signalled by a thread"
	merged beside-direct 0 400 0 null
	fact_is beside-direct counts.isr 500 "the primary saw all of them"
	fact_is beside-direct counts.eventfds 100 "the thread signalled once for each burst"
	merged unknown-stock null null 0 400
}

# exactly LABEL COUNT EVENTFDS: so many events at every link that counts, and nothing merged or lost.
exactly()
{
	local label=$1 link

	exit_is live "$label" 0
	for link in fired irqs threads signals values wakes seen samples; do
		fact_is "$label" counts.$link "$2" "$2 $link"
	done
	for link in lost stamps_lost disordered resent unattributed catchups; do
		fact_is "$label" counts.$link 0 "none $link"
	done
	fact_is "$label" counts.eventfds "$3" "$3 signals of the eventfd beside"
	fact_is "$label" valid true "the run is valid"
}

test_one_by_one()
{
	local strategy isr

	for strategy in kthread irqwork thread-direct direct page; do
		exactly single-$strategy 1000 0
		isr=1000
		[ $strategy != thread-direct ] || isr=0
		is "$(fact single-$strategy counts.isr | sed 's/null/0/')" $isr \
			"single-$strategy: the primary saw $isr"
	done
	exactly single-page-beside 1000 1000
	fact_is single-page eventfd silent "the eventfd is left alone"
	fact_is single-page-beside eventfd "signalled beside" "the eventfd is signalled"
}

test_inject()
{
	local label

	for label in thread split kthread irqwork thread-direct direct self page; do
		exactly inject-$label 1000 0
		fact_is inject-$label device.backend inject "the manifest says inject"
		fact_is inject-$label stages.sent-user.count 1000 "every event has its stamp"
	done
	# Under split the handler is the primary, which nothing keeps waiting; under thread it is the
	# thread, and the next event waits for it.
	merged inject-burst 0 400 0 null
	exit_is live inject-held 0
	for label in device_to_isr isr_to_thread; do
		fact_is inject-held merges.$label 0 "nothing merges before the handler: $label"
	done
	fact_is inject-held counts.signals 500 "each was signalled"
	fact_is inject-held counts.lost 0 "none lost"
}

# withheld STRATEGY
withheld()
{
	local label=withheld-$1

	exit_is live "$label" 3
	fact_is "$label" counts.fired 1000 "1000 events were fired"
	fact_is "$label" counts.signals 1000 "1000 signals were issued"
	fact_is "$label" counts.values 999 "999 arrived"
	fact_is "$label" counts.lost 1 "one is lost"
	fact_is "$label" merges.isr_to_thread 0 "it is not called a merge"
	fact_is "$label" merges.wake 0 "nor a merge at the wake"
	fact_is "$label" valid false "the run is not valid"
	fact_is "$label" exit 3 "the manifest says so too"
	diag "$label: $(fact "$label" invariant.text)"
	exit_is live "short-$1" 0
	fact_is "short-$1" counts.lost 0 "a run of 499 events loses none"
}

test_stopped_device()
{
	local label=stopped-$1

	exit_is live "$label" 3
	fact_is "$label" state failed "the run failed"
	fact_is "$label" valid false "the run is not valid"
	ok_if "$label: what arrived is kept" test "$(fact "$label" counts.samples)" -gt 100
	ok_if "$label: what did not arrive is lost" test "$(fact "$label" counts.lost)" -gt 0
	is "$(($(fact "$label" counts.samples) + $(fact "$label" counts.lost)))" \
		"$(fact "$label" counts.fired)" "$label: every event fired is one or the other"
	like "$(grep "^$label verdicts\..*\.text " "$facts")" 'the device stopped interrupting' \
		"$label: the manifest says why"
	ok_if "$label: the histogram is there" test -s "$T/live/$label/histogram.tsv"
	ok_if "$label: no unfinished directory is left" not test -e "$T/live/$label.partial"
}

boot live --smp 1 -- accounting.sh
test_merges
test_one_by_one
test_inject
for strategy in split thread direct thread-direct; do
	withheld "$strategy"
done
test_stopped_device split
test_stopped_device direct
done_testing
