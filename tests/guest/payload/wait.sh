#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# wait.sh SEED SECONDS KILLS: the wait ioctl, flags, page and threads, on edu (one MSI) and on igb
# (MSI-X, and it can be reset); storms of so many seconds, so many waiters killed.
# shellcheck source=guest.sh
. /payload/guest.sh

seed=$1 seconds=$2 kills=$3

# start BDF HOW: a waiter in the background, $_pid; returns when it has said that it waits.
start()
{
	rm -f /tmp/waiter
	$here/wait "$1" "$2" >/tmp/waiter 2>&1 &
	_pid=$!
	while ! grep -q -s -e waiting -e '^not ok' /tmp/waiter; do usleep 20000; done
}

killed()
{
	_round=0
	while [ $_round -lt "$kills" ]; do
		_round=$((_round + 1))
		start "$1" forever
		like "$(cat /tmp/waiter)" '^waiting$' "waiter $_round waits"
		kill -9 $_pid
		wait $_pid 2>/dev/null
	done
	is "$(grep -c vfio-msi /proc/interrupts)" 0 "no interrupt is left of $kills killed waiters"
}

# unbound BDF HOW: unbinds it from a waiter.
unbound()
{
	start "$1" "$2"
	echo "$1" >$drivers/$ours/unbind
	wait $_pid
	is "$?" 0 "a waiter that is asked for its device gives it back"
	grep -E '^(not )?ok|^#' /tmp/waiter
	like "$(tail -n 1 /tmp/waiter)" '^done [0-9]+$' "it ran to its end"
	is "$(driver_of "$1")" none "the device is unbound"
	ok "it is bound again" bind "$1" $ours
}

igb=
for function in "$devices"/*; do
	[ "$(cat "$function/vendor" "$function/device" | tr '\n' ' ')" != "0x8086 0x10c9 " ] ||
		igb=${function##*/}
done
ok "there is an igb" test -n "$igb"
for bdf in $EDU "$igb"; do
	ok "$bdf is bound to $ours" bind "$bdf" $ours
	helper wait "$bdf"
	helper select "$bdf"
	helper storm "$bdf" "$seconds" "$seed"
	killed "$bdf"
	unbound "$bdf" unbind
	unbound "$bdf" rest
done
helper wait "$igb" reset
helper wait "$igb"
finish
