#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# shellcheck disable=SC2317 # ok runs functions by name
#
# hostile.sh SEED CALLS: random calls to a function of each kind, MSI (edu) and MSI-X (igb).
# shellcheck source=guest.sh
. /payload/guest.sh

seed=$1 calls=$2

# plain BDF: vfio-pci and our driver answer the same calls alike, nothing else being at work.
plain()
{
	ok "$1 is bound to vfio-pci" bind "$1" vfio-pci
	$here/hostile "$1" plain "$seed" "$calls" >/tmp/stock.trace
	is "$(grep -c '^[0-9]' /tmp/stock.trace)" "$calls" "$1: $calls random calls on vfio-pci"
	is "$(grep -c '^!' /tmp/stock.trace)" 0 "there a refused call changes nothing"
	ok "$1 is bound to $ours" bind "$1" $ours
	$here/hostile "$1" plain "$seed" "$calls" >/tmp/ours.trace
	ok "$1: the same calls get the same answers, the strategy changing" \
		same /tmp/stock.trace /tmp/ours.trace
	is "$(grep -c '^!' /tmp/ours.trace)" 0 "a refused call changes nothing"
}

# same FILE FILE: of a difference, the first lines.
same()
{
	cmp -s "$1" "$2" && return
	diff "$1" "$2" | head -n 20
	return 1
}

# under_load BDF MODE
under_load()
{
	$here/load "$1" >/tmp/load.log 2>&1 &
	_load=$!
	helper hostile "$1" "$2" "$seed" "$calls"
	is "$(cat /tmp/load.log)" firing "the device has been fired all the time"
	kill $_load
	wait $_load 2>/dev/null
	is "$(grep -c vfio-msi /proc/interrupts)" 0 "no interrupt is left"
	# A call that the driver does not wait for would come to light here.
	ok "the module unloads" rmmod msilat_vfio_pci
	ok "and loads again" reload ''
	ok "$1 is bound to $ours" bind "$1" $ours
}

for function in $EDU $(igb); do
	plain "$function"
	under_load "$function" alone
	under_load "$function" storm
done
normal_run
finish
