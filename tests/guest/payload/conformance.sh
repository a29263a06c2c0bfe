#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# shellcheck disable=SC2317 # ok runs functions by name
#
# conformance.sh [STRATEGY...]: upstream's VFIO selftests on vfio-pci, then on ours under each of
# these strategies, or under all that are safe; with edu (MSI) and an igb (MSI-X). Ours must pass
# what vfio-pci passes. One line for each run, for the table: /out/runs.
# shellcheck source=guest.sh
. /payload/guest.sh

igb=0000:01:00.0
# Debian's kernels have this mode of the IOMMU, and its forerunner, which differs in unmapping alone.
mode="-v vfio_type1v2_iommu"

# shellcheck disable=SC2086 # the mode is words
# program TEST: what to run for a column of the table.
program()
{
	case $1 in
	device-edu) echo vfio_pci_device_test $EDU ;;
	device-igb) echo vfio_pci_device_test $igb ;;
	init) echo vfio_pci_device_init_perf_test $mode $EDU $igb ;;
	# The storm moves gigabytes: not on an emulated CPU.
	driver) echo vfio_pci_driver_test -T memcpy_storm $mode $igb ;;
	esac
}

count()
{
	sed -n "s/^# Totals: .*\b$1:\([0-9]*\).*/\1/p" /tmp/selftest.log
}

# nobody_left: what a test has left running would keep the device from all that come after it.
nobody_left()
{
	! pidof vfio_pci_device_test vfio_pci_device_init_perf_test vfio_pci_driver_test >/dev/null
}

end_rest()
{
	nobody_left && return
	note "$1: leaves processes behind, which are killed"
	killall -9 vfio_pci_device_test vfio_pci_device_init_perf_test vfio_pci_driver_test 2>/dev/null
	await nobody_left
}

# selftest TEST WHO: its verdicts, without what differs from run to run, in /tmp/WHO-TEST.
selftest()
{
	_code=0 _began=$(cut -d . -f 1 /proc/uptime)
	# shellcheck disable=SC2046 # words
	$here/$(program "$1") >/tmp/selftest.log 2>&1 || _code=$?
	grep -E '^(not )?ok |^1\.\.|enabled [0-9]* interrupts' /tmp/selftest.log >"/tmp/$2-$1"
	echo "$2 $1 $_code $(count pass) $(count skip) $(count fail)" >>/out/runs
	_took=$(($(cut -d . -f 1 /proc/uptime) - _began))
	{ echo "== $2 $1, exit $_code, $_took s"; cat /tmp/selftest.log; } >>/out/log
	end_rest "$2, $1"
}

on_stock()
{
	ok "edu is bound to vfio-pci" bind $EDU vfio-pci
	ok "igb is bound to vfio-pci" bind $igb vfio-pci
	for _test in device-edu device-igb init driver; do
		selftest $_test stock
		like "$(count pass)" '^[1-9]' "stock, $_test: $(count pass) pass, $(count skip) skip"
		[ "$_code" = 0 ] || note "stock, $_test: exit $_code, $(count fail) fail"
	done
}

# as_stock STRATEGY TEST: each verdict that is good on vfio-pci is the same on ours.
as_stock()
{
	grep '^ok ' "/tmp/stock-$2" | while read -r _line; do
		grep -qxF "$_line" "/tmp/$1-$2" || echo "not on ours: $_line"
	done >/tmp/missing
	cat /tmp/missing
	[ ! -s /tmp/missing ]
}

# on_ours STRATEGY
on_ours()
{
	ok "edu is bound to $ours" bind $EDU $ours
	ok "igb is bound to $ours" bind $igb $ours
	for _function in $EDU $igb; do
		_said=$($here/query "$_function")
		like "$_said" "strategy $1 in force" "$1: is in force on $_function"
		echo "$_said" >>/out/log
	done
	for _test in device-edu device-igb init driver; do
		selftest $_test "$1"
		ok "$1, $_test: passes what passes on vfio-pci" as_stock "$1" $_test
	done
}

# all_strategies: as the module names them when it is asked for one it does not have.
all_strategies()
{
	dmesg -c >/dev/null
	! reload strategy=none 2>/dev/null || return 1
	dmesg | sed -n 's/.*unknown, choose one of: //p' | tail -n 1
}

strategies=$*
on_stock
[ -n "$strategies" ] || strategies=$(all_strategies)
like "$strategies" 'thread.*direct' "there are strategies: $strategies"
for strategy in $strategies; do
	dmesg -c >/dev/null
	if reload "strategy=$strategy" 2>/tmp/reload.err; then
		on_ours "$strategy"
	elif dmesg | grep -q "strategy=$strategy can crash"; then
		note "$strategy is unsafe, the module does not load with it"
	else
		ok "$strategy: the module loads with it" cat /tmp/reload.err /nonexistent
	fi
done
finish
