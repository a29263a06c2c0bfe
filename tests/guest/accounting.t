#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# timeout: 500
#
# Every event is explained: merges are named by their place and are no losses, a signal that is
# withheld is one loss and makes the run invalid, and so does a device that stops.

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
	merged unknown-stock null null 0 400
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
	exit_is live stopped 3
	fact_is stopped state failed "the run failed"
	fact_is stopped valid false "the run is not valid"
	ok_if "stopped: what arrived is kept" test "$(fact stopped counts.samples)" -gt 100
	ok_if "stopped: what did not arrive is lost" test "$(fact stopped counts.lost)" -gt 0
	is "$(($(fact stopped counts.samples) + $(fact stopped counts.lost)))" \
		"$(fact stopped counts.fired)" "stopped: every event fired is one or the other"
	like "$(grep ' verdicts\..*\.text ' "$facts")" 'the device stopped interrupting' \
		"stopped: the manifest says why"
	ok_if "stopped: the histogram is there" test -s "$T/live/stopped/histogram.tsv"
	ok_if "stopped: no unfinished directory is left" not test -e "$T/live/stopped.partial"
}

boot live --smp 1 -- accounting.sh
test_merges
withheld split
withheld thread
test_stopped_device
done_testing
