#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# shellcheck disable=SC2317 # ok runs functions by name
#
# accounting.sh: merges at known places, a signal withheld, a device that stops. In a guest with one
# CPU: who runs when is then decided by priority alone.
# shellcheck source=guest.sh
. /payload/guest.sh

# burst LABEL STRATEGY TRIGGER_PRIORITY: 500 events in bursts of five.
burst()
{
	# Unhurried: on a slow kernel a burst must not catch the poller still at the one before.
	measure "$1" --strategy "$2" --seed 1 --burst 5 --trigger-prio "$3" -l 500 -i 5000 \
		--timeout 60000 $EDU
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
	ok "edu is bound to vfio-pci" bind $EDU vfio-pci
	burst unknown-stock stock 90
}

withhold()
{
	ok "the module is loaded with a fault" reload fault_withhold=500
	for strategy in split thread; do
		ok "edu is bound to $ours" bind $EDU $ours
		measure withheld-$strategy --strategy $strategy -l 1000 --timeout 100 $EDU
		# A run that follows is not affected by the one before: the count is per open.
		measure short-$strategy --strategy $strategy -l 499 --timeout 100 $EDU
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
	measure stopped --strategy split -i 2000 -D 60 --timeout 50 --checkpoint 1 $EDU &
	run=$!
	await has_checkpoint stopped
	sleep 3
	ok "the run leaves checkpoints" has_checkpoint stopped
	printf '\002' | dd of=$devices/$EDU/config bs=1 seek=4 conv=notrunc 2>/dev/null
	wait $run
	like "$(cat /tmp/run.out)" 'the device stopped interrupting' "msilat says what happened"
}

merge_before_thread
withhold
stop_device
finish
