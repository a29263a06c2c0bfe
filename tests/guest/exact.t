#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# shellcheck disable=SC2317 # ok_if runs functions by name
# timeout: 1600
#
# Exact mode, where a latency is a number of instructions: msilat run against a bare poller, thread
# against stock, a boot against its repetition; scenarios, wait modes, priority relations, strategies.

. "$(dirname "$0")/lib.bash"

[ "$KERNEL" != debug ] || skip_all "paths through the debug kernel mean nothing; use another KERNEL"

# at_most A B PERCENT: A exceeds B by no more than that.
at_most()
{
	awk -v a="$1" -v b="$2" -v p="$3" 'BEGIN { exit !(a > 0 && b > 0 && a * 100 <= b * (100 + p)) }'
}

# within A B PERCENT
within()
{
	at_most "$1" "$2" "$3" && at_most "$2" "$1" "$3"
}

# total NAME LABEL STAGE FIELD: of paths.tsv, the events ("count") or the instructions ("sum").
total()
{
	awk -v stage="$3" -v what="$4" '$1 == stage { n += what == "sum" ? $2 * $3 : $3 }
		END { printf "%.0f\n", n }' "$T/$1/$2/paths.tsv"
}

# whole NAME LABEL STAGE...: the stages account for every event and add up to the latency.
whole()
{
	local name=$1 label=$2 stage sum=0 events

	shift 2
	events=$(fact "$label" counts.fired)
	is "$(total "$name" "$label" sent-user count)" "$events" "$label: every event has a path"
	[ $# -gt 0 ] || return 0
	for stage; do
		is "$(total "$name" "$label" "$stage" count)" "$events" \
			"$label: every event has a path in stage $stage"
		sum=$((sum + $(total "$name" "$label" "$stage" sum)))
	done
	is "$sum" "$(total "$name" "$label" sent-user sum)" "$label: the stages add up to the whole"
}

# minimum LABEL
minimum()
{
	fact "$1" stages.sent-user.min
}

bare_minimum()
{
	sed -n 's/^bare \([0-9]*\)$/\1/p' "$T/$1/bare"
}

# compare_bare NAME LABEL: in the boot just done.
compare_bare()
{
	exit_is "$1" "$2" 0
	fact_is "$2" mode exact "the manifest says exact"
	fact_is "$2" unit instructions "its unit is instructions"
	diag "$1: bare poller $(bare_minimum "$1"), msilat run $(minimum "$2")"
	ok_if "$1: msilat run costs at most 1 % more than the bare poller" \
		at_most "$(minimum "$2")" "$(bare_minimum "$1")" 1
}

test_stock_and_thread()
{
	local stock first

	launch stock --mode exact -- exact.sh vfio-pci stock
	launch thread --mode exact -- exact.sh msilat-vfio-pci thread
	collect stock
	compare_bare stock stock
	stock=$(minimum stock)
	stock_minimum=$stock
	launch again --mode exact -- exact.sh msilat-vfio-pci thread
	collect thread
	compare_bare thread thread
	whole thread thread sent-thread thread-signal signal-user
	first=$(minimum thread)
	diag "stock $stock, thread $first"
	ok_if "thread is within 1 % of stock" within "$first" "$stock" 1
	launch others --mode exact --param allow_unsafe=1 -- exact.sh msilat-vfio-pci split nothread
	collect again
	is "$(minimum thread)" "$first" "two boots give the same minimum"
	ok_if "two boots give the same paths, to the instruction and the event" \
		cmp "$T/thread/thread/paths.tsv" "$T/again/thread/paths.tsv"
}

test_split_and_nothread()
{
	launch modes --mode exact -- modes.sh
	collect others
	exit_is others split 0
	exit_is others nothread 0
	whole others split sent-isr isr-thread thread-signal signal-user
	whole others nothread sent-isr isr-signal signal-user
	diag "split $(minimum split), nothread $(minimum nothread)"
	ok_if "nothread saves the hop over a thread" \
		test "$(minimum nothread)" -lt "$(minimum split)"
}

# whole_milliseconds OUTLIERS COUNT: the sent stamps of so many events, in virtual nanoseconds.
whole_milliseconds()
{
	[ "$(awk -F '\t' '$1 + 0 > 0 && $5 > 0 && $5 % 1000000 == 0' "$1" | wc -l)" = "$2" ]
}

test_scenarios()
{
	local name

	for name in sync idle busy self; do
		exit_is modes scenario-$name 0
		fact_is scenario-$name scenario $name "the manifest names it"
		whole modes scenario-$name sent-isr isr-thread thread-signal signal-user
		diag "scenario $name: $(minimum scenario-$name)"
	done
	for name in idle busy; do
		ok_if "scenario-$name: the device's timer is known to fire on whole milliseconds" \
			whole_milliseconds "$T/modes/scenario-$name/outliers.tsv" 5
	done
}

test_wait_modes()
{
	local name

	for name in read poll epoll spin; do
		exit_is modes wait-$name 0
		fact_is wait-$name wait $name "the manifest names it"
		whole modes wait-$name sent-isr isr-thread thread-signal signal-user
		diag "wait $name: $(minimum wait-$name)"
	done
	for name in poll epoll; do
		is "$(total modes wait-$name user-done count)" 300 \
			"wait-$name: the second system call is a stage of its own"
	done
}

# relation LABEL NAME POLLER IRQ
relation()
{
	exit_is modes "$1" 0
	fact_is "$1" priority_relation "$2" "the poller's relation is $2"
	fact_is "$1" poller.priority "$3" "the poller has priority $3"
	fact_is "$1" irq_thread.priority "$4" "its IRQ thread has priority $4"
	diag "$1: $(minimum "$1")"
}

test_relations()
{
	local name

	relation relation-none none 0 50
	relation relation-below below 40 50
	relation relation-equal equal 50 50
	relation relation-above above 80 50
	relation relation-moved above 40 30
	for name in above moved; do
		ok_if "relation-$name: a poller above its IRQ thread pays for it" \
			test "$(minimum relation-$name)" -gt "$(minimum relation-below)"
	done
}

# own LABEL WAIT STAGE...
own()
{
	local label=$1 wait=$2

	shift 2
	exit_is modes "$label" 0
	fact_is "$label" wait "$wait" "the wait is $wait"
	whole modes "$label" "$@"
	diag "$label: $(minimum "$label")"
}

# thread LABEL KIND PRIORITY RELATION: what the manifest says of the thread that signals.
thread()
{
	fact_is "$1" irq_thread.kind "$2" "signalled by: $2"
	fact_is "$1" irq_thread.priority "$3" "which has priority $3"
	fact_is "$1" priority_relation "$4" "the poller is $4 it"
}

test_strategies()
{
	local label

	for label in kthread irqwork; do
		own own-$label read sent-isr isr-thread thread-signal signal-user
	done
	thread own-kthread kthread 50 below
	thread kthread-moved kthread 30 above
	thread own-irqwork "irq_work thread" 1 above
	thread irqwork-raised "irq_work thread" 60 below
	thread irqwork-after "irq_work thread" 1 above
	ok_if "irqwork: a raised irq_work thread signals sooner" \
		test "$(minimum irqwork-raised)" -lt "$(minimum own-irqwork)"
	own own-thread-direct direct sent-thread thread-signal signal-user
	thread own-thread-direct "IRQ thread" 50 below
	for label in own-direct own-direct-beside; do
		own $label direct sent-isr isr-signal signal-user
	done
	own own-page page sent-isr isr-signal signal-user
	for label in own-direct own-page; do
		fact_is $label priority_relation none "there is no thread to be above"
		fact_is $label eventfd silent "the eventfd is left alone"
	done
	fact_is own-direct-beside eventfd "signalled beside" "the eventfd is signalled"
	ok_if "direct: the thread that signals the eventfd beside costs its hop" \
		test "$(minimum own-direct-beside)" -gt "$(minimum own-direct)"
	ok_if "direct takes at most 0.51 of the path of stock at its best" \
		at_most "$(minimum own-direct)" "$stock_minimum" -49
	ok_if "page is shorter than any wait that sleeps" \
		test "$(minimum own-page)" -lt "$(minimum own-direct)"
	own inject-direct direct sent-isr isr-signal signal-user
}

test_stock_and_thread
test_split_and_nothread
collect modes
test_scenarios
test_wait_modes
test_relations
test_strategies
done_testing
