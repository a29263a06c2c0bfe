#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# shellcheck disable=SC2317 # ok runs functions by name
#
# unbind.sh SEED COUNT: COUNT times a device is taken from under a process that uses it, by unbinding
# it or with the module, while it fires.
# shellcheck source=guest.sh
. /payload/guest.sh

seed=$1 count=$2 patience=30

random()
{
	seed=$(((seed * 1103515245 + 12345) & 0x7fffffff))
	echo $((seed / 65536 % $1))
}

fault()
{
	faults=$((faults + 1))
	note "round $round, $bdf, $how: $*"
}

# await SECONDS COMMAND...: until it succeeds.
await()
{
	_end=$(($(date +%s) + $1))
	shift
	until "$@"; do
		[ "$(date +%s)" -le "$_end" ] || return 1
		usleep 20000
	done
}

gone()
{
	! kill -0 "$1" 2>/dev/null
}

# settle: all of it was in vain; so that the next round begins as it should.
settle()
{
	kill -9 $_keeper 2>/dev/null
	wait $_keeper 2>/dev/null
	reload ''
}

held()
{
	grep -q holding /tmp/keeper.log || gone "$_keeper"
}

# taken BDF HOW: a keeper of that kind holds the device while it is unbound.
taken()
{
	bdf=$1 how=$2
	bind "$bdf" $ours || fault "does not bind"
	$here/keeper "$bdf" "$how" >/tmp/keeper.log 2>&1 &
	_keeper=$!
	await $patience held
	if ! grep -q holding /tmp/keeper.log; then
		fault "$(cat /tmp/keeper.log)"
		settle
		return
	fi
	usleep "$(random 30000)"
	rmmod msilat_vfio_pci 2>/dev/null && fault "the module unloads while a process uses it"
	(echo "$bdf" >$drivers/$ours/unbind) &
	_unbind=$!
	if [ "$how" = doomed ]; then
		usleep "$(random 300000)"
		kill -9 $_keeper
	fi
	await $patience gone $_keeper || fault "the keeper does not let go"
	wait $_keeper
	_rc=$?
	[ $_rc = 0 ] || { [ "$how" = doomed ] && [ $_rc = 137 ]; } ||
		fault "the keeper ends with $_rc: $(tail -n 1 /tmp/keeper.log)"
	await $patience gone $_unbind || fault "unbinding does not end"
	wait $_unbind
	[ "$(driver_of "$bdf")" = none ] || fault "bound to $(driver_of "$bdf") afterwards"
	! grep -q vfio-msi /proc/interrupts || fault "an interrupt is left"
	[ "$(cat /sys/module/msilat_vfio_pci/refcnt)" = 0 ] || fault "a reference is left"
}

# unloaded BDF: with the module, bound but not open, and once more when nothing is bound.
unloaded()
{
	bdf=$1 how=unload
	bind "$bdf" $ours || fault "does not bind"
	rmmod msilat_vfio_pci || fault "the module does not unload"
	[ "$(driver_of "$bdf")" = none ] || fault "bound to $(driver_of "$bdf") without module"
	modprobe $ours || fault "the module does not load"
	reload '' || fault "the module does not unload and load"
}

rounds()
{
	round=0 faults=0
	while [ $round -lt "$count" ]; do
		# Each function sees each of the seven.
		_bdf=$EDU
		[ $((round / 7 % 2)) = 0 ] || _bdf=$igb
		case $((round % 7)) in
		0) taken "$_bdf" request ;;
		1) taken "$_bdf" wait ;;
		2) taken "$_bdf" thread-wait ;;
		3) taken "$_bdf" doomed ;;
		4) unloaded "$_bdf" ;;
		5) taken "$_bdf" late ;;
		6) taken "$_bdf" deaf ;;
		esac
		round=$((round + 1))
	done
	is $faults 0 "$count times the device was taken away under load, each time in good order"
}

# like_stock: whether a bound driver's module can be unloaded is not ours to decide.
like_stock()
{
	ok "edu is bound to vfio-pci" bind $EDU vfio-pci
	ok "vfio_pci unloads while a function is bound to it" rmmod vfio_pci
	is "$(driver_of $EDU)" none "which unbinds it"
	ok "and loads again" modprobe vfio-pci
}

two_openers()
{
	ok "$1 is bound to vfio-pci" bind "$1" vfio-pci
	$here/opener "$1" >/tmp/stock.openers 2>&1
	is "$(tail -n 1 /tmp/stock.openers)" "done" "$1: opened more than once under vfio-pci"
	ok "$1 is bound to $ours" bind "$1" $ours
	$here/opener "$1" >/tmp/ours.openers 2>&1
	ok "$1: opened more than once it behaves as under vfio-pci" \
		diff /tmp/stock.openers /tmp/ours.openers
	sed 's/^/# /' /tmp/ours.openers
}

igb=$(igb)
like_stock
two_openers $EDU
two_openers "$igb"
for function in $EDU "$igb"; do
	$here/load "$function" >/tmp/load.log 2>&1 &
	loads="${loads:-} $!"
done
rounds
# shellcheck disable=SC2086
kill $loads
wait
normal_run
finish
