#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# conformance.sh: upstream's VFIO selftest on vfio-pci, then on ours, with edu and igb.
# shellcheck source=guest.sh
. /payload/guest.sh

igb=0000:01:00.0

# selftest FUNCTION NAME: its TAP lines, without what differs from run to run, in /tmp/NAME.
selftest()
{
	_code=0
	$here/vfio_pci_device_test "$1" >/tmp/selftest.log 2>&1 || _code=$?
	grep -E '^(not )?ok |^# Totals:|^1\.\.|enabled [0-9]* interrupts' /tmp/selftest.log >"/tmp/$2"
	is "$_code" 0 "$2: it passes"
	like "$(cat "/tmp/$2")" '^# Totals: pass:[1-9][0-9]* fail:0' "$2: tests were run"
	sed -n "s/^# Totals/# $2/p" "/tmp/$2"
}

for function in $EDU $igb; do
	ok "$function is bound to vfio-pci" bind "$function" vfio-pci
	selftest "$function" "stock-$function"
done
for strategy in thread split; do
	ok "the module is loaded with strategy=$strategy" reload strategy=$strategy
	for function in $EDU $igb; do
		ok "$function is bound to $ours" bind "$function" $ours
		selftest "$function" "$strategy-$function"
		ok "$strategy-$function: as on vfio-pci" \
			diff "/tmp/stock-$function" "/tmp/$strategy-$function"
	done
done
finish
