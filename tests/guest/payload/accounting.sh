#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# shellcheck disable=SC2317 # ok runs functions by name
#
# accounting.sh: merges at known places, a signal withheld, a device that stops, interrupts injected.
# In a guest with one CPU: who runs when is then decided by priority alone.
# shellcheck source=guest.sh
. /payload/guest.sh

# burst LABEL STRATEGY TRIGGER_PRIORITY OPTION...: 500 events in bursts of five.
burst()
{
	# Unhurried: on a slow kernel a burst must not catch the poller still at the one before.
	_burst=$1 _strategy=$2 _trigger=$3
	shift 3
	measure "$_burst" --strategy "$_strategy" --seed 1 --burst 5 --trigger-prio "$_trigger" \
		-l 500 -i 5000 --timeout 60000 "$@" $EDU
}

# The trigger is above the IRQ thread: that cannot run before a burst is over.
merge_before_thread()
{
	ok "edu is bound to $ours" bind $EDU $ours
	burst isr-split split 90
	burst isr-thread thread 90
	# Below the IRQ thread, above the poller: each event is signalled, five to a wake.
	burst eventfd-split split 45
	burst eventfd-thread thread 45
	burst none-split split 30
	burst isr-kthread kthread 90
	burst isr-irqwork irqwork 90
	burst none-irqwork irqwork 0
	burst isr-thread-direct thread-direct 90
	ok "edu is bound to vfio-pci" bind $EDU vfio-pci
	burst unknown-stock stock 90
}

# The wait ioctl takes all there is, and so does the eventfd that a thread signals beside it.
merge_at_wake()
{
	burst wake-direct direct 90
	burst wake-thread-direct thread-direct 45
	burst wake-beside direct 90 --eventfd
	burst beside-direct direct 90 -w read
}

# 1000 events each, one by one: no more and no less at any link, and no kick taken for one. A poller
# that spins on the only CPU fires itself.
one_by_one()
{
	for strategy in kthread irqwork thread-direct direct; do
		measure single-$strategy --strategy $strategy -l 1000 -i 300 --timeout 60000 $EDU
	done
	measure single-page --strategy page -S self -l 1000 -i 300 --timeout 60000 $EDU
	measure single-page-beside --strategy page --eventfd -S self -l 1000 -i 300 --timeout 60000 \
		$EDU
}

# The same on interrupts that the driver raises; the device takes no part.
inject()
{
	for strategy in thread split kthread irqwork thread-direct direct; do
		measure inject-$strategy --backend inject --strategy $strategy -l 1000 -i 300 \
			--timeout 60000 $EDU
	done
	measure inject-self --backend inject --strategy direct -S self -l 1000 -i 300 \
		--timeout 60000 $EDU
	measure inject-page --backend inject --strategy page -S self -l 1000 -i 300 \
		--timeout 60000 $EDU
	# The next of a burst waits until the handler of the one before has run.
	burst inject-burst split 90 --backend inject
	burst inject-held thread 90 --backend inject
}

withhold()
{
	ok "the module is loaded with a fault" reload fault_withhold=500
	for strategy in split thread direct thread-direct; do
		ok "edu is bound to $ours" bind $EDU $ours
		measure withheld-$strategy --strategy $strategy -l 1000 --timeout 2000 $EDU
		# A run that follows is not affected by the one before: the count is per open.
		measure short-$strategy --strategy $strategy -l 499 --timeout 2000 $EDU
	done
	ok "the module is loaded without it" reload ''
	ok "edu is bound to $ours" bind $EDU $ours
}

# has_checkpoint LABEL: what kill -9 would leave.
has_checkpoint()
{
	[ -s "/out/$1.partial/manifest.json" ]
}

# Without bus mastering a device can send nothing, and an MSI is a write of the device.
stop_device()
{
	measure "stopped-$1" --strategy "$1" -i 2000 -D 60 --timeout 1000 --checkpoint 1 $EDU &
	run=$!
	await has_checkpoint "stopped-$1"
	sleep 3
	ok "the run leaves checkpoints" has_checkpoint "stopped-$1"
	printf '\002' | dd of=$devices/$EDU/config bs=1 seek=4 conv=notrunc 2>/dev/null
	wait $run
	like "$(cat /tmp/run.out)" 'the device stopped interrupting' "msilat says what happened"
}

ok "edu is bound to $ours" bind $EDU $ours
stop_device direct
merge_before_thread
ok "edu is bound to $ours" bind $EDU $ours
merge_at_wake
one_by_one
inject
withhold
stop_device split
finish
