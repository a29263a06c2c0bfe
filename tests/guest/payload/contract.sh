#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# shellcheck disable=SC2317 # ok runs functions by name
#
# contract.sh [quick]: on edu, what plain VFIO and uapi/msilat.h promise. quick: for a slow kernel.
# shellcheck source=guest.sh
. /payload/guest.sh

rounds=3 switches=1000 seconds=1 same=$safe
[ "${1:-}" != quick ] || rounds=1 switches=200 seconds=2 same='1 2 7'

# Plain VFIO: the same calls get the same answers on vfio-pci and on ours.
same_semantics()
{
	ok "edu is bound to vfio-pci" bind $EDU vfio-pci
	$here/semantics $EDU >/tmp/stock.trace
	like "$(tail -n 1 /tmp/stock.trace)" '^off: 0' "the calls were all made on vfio-pci"
	like "$(grep '^fired to one eventfd' /tmp/stock.trace)" 'got 1$' \
		"and interrupts arrived there"
	ok "edu is bound to $ours" bind $EDU $ours
	for strategy in $same; do
		$here/semantics $EDU "$strategy" >/tmp/ours.trace
		ok "the same calls, $(wc -l </tmp/stock.trace) lines, under strategy $strategy" \
			diff /tmp/stock.trace /tmp/ours.trace
	done
}

# load_refused PARAMETERS PATTERN: and says why in the kernel's log.
load_refused()
{
	dmesg -c >/dev/null
	ok "the module does not load with $1" not modprobe $ours "$1"
	like "$(dmesg)" "$2" "and says why"
}

parameters()
{
	ok "the module unloads" rmmod msilat_vfio_pci
	load_refused strategy=nothread 'refused without allow_unsafe=1'
	load_refused strategy=nonsense 'nonsense'
	load_refused ring_records=100 'power of two'
	ok "the module loads with strategy=split" reload strategy=split
	ok "edu is bound to $ours" bind $EDU $ours
	helper contract $EDU default 2
	ok "the module loads with allow_unsafe=1" reload allow_unsafe=1
	ok "edu is bound to $ours" bind $EDU $ours
	helper contract $EDU gate
	ok "the module loads with ring_records=64" reload ring_records=64
	ok "edu is bound to $ours" bind $EDU $ours
	helper fire $EDU rings 1
	ok "the module loads as it was" reload ''
	ok "edu is bound to $ours" bind $EDU $ours
}

# killed_under_fire ROUNDS: SIGKILL closes the device while interrupts are coming.
killed_under_fire()
{
	_round=0
	while [ $_round -lt "$1" ]; do
		_round=$((_round + 1))
		for strategy in $safe; do
			$here/fire $EDU forever "$strategy" >/dev/null &
			_pid=$!
			usleep 150000
			kill -9 $_pid
			wait $_pid 2>/dev/null
		done
	done
}

close_under_fire()
{
	killed_under_fire $rounds
	is "$(grep -c vfio-msi /proc/interrupts)" 0 "no interrupt is left of $((7 * rounds)) kills"
	$here/outside $EDU >/tmp/outside &
	_outside=$!
	usleep 300000
	killed_under_fire 1
	is "$(cat /tmp/outside)" firing "the device went on firing while it was opened and closed"
	kill $_outside
	wait $_outside 2>/dev/null
	is "$(grep -c vfio-msi /proc/interrupts)" 0 "no interrupt is left"
	helper fire $EDU switch 10
}

in_use()
{
	$here/holder $EDU >/tmp/holder &
	_holder=$!
	while ! grep -q holding /tmp/holder; do usleep 50000; done
	like "$($here/fire $EDU switch 1 2>&1)" 'cannot go on' "a second process cannot open it"
	ok "the module does not unload while the device is open" not rmmod msilat_vfio_pci
	echo $EDU >$drivers/$ours/unbind
	wait $_holder
	is "$?" 0 "unbinding asks the holder for the device, and gets it"
	is "$(driver_of $EDU)" none "the device is unbound"
	ok "the module unloads" rmmod msilat_vfio_pci
	ok "and loads again" reload ''
	ok "edu is bound to $ours" bind $EDU $ours
}

same_semantics
helper contract $EDU
helper fire $EDU switch $switches
for strategy in $primary; do
	helper fire $EDU rings $seconds "$strategy"
done
close_under_fire
in_use
parameters
finish
