#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# kill.sh SEED COUNT: kill -9 of whoever uses the device, at random moments, COUNT times for edu,
# half as often for igb, a quarter as often of msilat run.
# shellcheck source=guest.sh
. /payload/guest.sh

seed=$1 count=$2

# random LIMIT: a number below it that the seed decides.
random()
{
	seed=$(((seed * 1103515245 + 12345) & 0x7fffffff))
	echo $((seed / 65536 % $1))
}

# killed_run STRATEGY OPTION...: a run that is killed before it can end.
killed_run()
{
	msilat run -q --results /tmp/results --label killed -D 60 --strategy "$@" $EDU \
		>/tmp/killed.log 2>&1 &
	_pid=$!
	usleep "$(random 400000)"
	kill -9 $_pid
	wait $_pid 2>/dev/null
	if [ $? -ne 137 ]; then
		note "msilat run --strategy $* ended by itself: $(cat /tmp/killed.log)"
		survivors=$((survivors + 1))
	fi
	left=$((left + $(grep -c vfio-msi /proc/interrupts)))
	rm -rf /tmp/results
}

killed_runs()
{
	survivors=0 left=0 _n=0
	while [ $_n -lt "$1" ]; do
		case $((_n % 6)) in
		0) killed_run thread ;;
		1) killed_run split ;;
		2) killed_run kthread ;;
		3) killed_run irqwork ;;
		4) killed_run direct -w direct ;;
		5) killed_run thread-direct -w direct ;;
		esac
		_n=$((_n + 1))
	done
	is $survivors 0 "$1 times msilat run was killed, not once did it end by itself"
	is $left 0 "no interrupt was left after any"
	is "$(cat /sys/module/msilat_vfio_pci/refcnt)" 0 "nor a reference to the module"
}

ok "edu is bound to $ours" bind $EDU $ours
helper killer $EDU "$seed" "$count"
igb=$(igb)
ok "igb is bound to $ours" bind "$igb" $ours
helper killer "$igb" "$seed" $((count / 2))
killed_runs $((count / 4))
ok "the module unloads" rmmod msilat_vfio_pci
ok "and loads again" reload ''
normal_run
finish
