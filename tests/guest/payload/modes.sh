#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# modes.sh: scenarios, wait modes and priority relations, under split; then every other strategy.
# shellcheck source=guest.sh
. /payload/guest.sh

run()
{
	_name=$1
	shift
	measure "$_name" --strategy split --seed 1 "$@" $EDU
}

ok "edu is bound to $ours" bind $EDU $ours
for scenario in sync self; do
	run "scenario-$scenario" -S $scenario -l 300
done
for scenario in idle busy; do
	run "scenario-$scenario" -S $scenario -l 5
done
for mode in read poll epoll; do
	run "wait-$mode" -w $mode -l 300
done
run wait-spin -w spin -S self -l 300
run relation-none -p 0 -l 300
run relation-below -p 40 -l 300
run relation-equal -p 50 -l 300
run relation-above -p 80 -l 300
run relation-moved -p 40 --irq-prio 30 -l 300
# strategy NAME OPTION...: by the wait that suits it.
strategy()
{
	_name=$1
	shift
	measure "own-$_name" --strategy "$_name" --seed 1 -l 300 "$@" $EDU
}

for name in kthread irqwork thread-direct direct; do
	strategy $name
done
strategy page -S self
measure own-direct-beside --strategy direct --eventfd --seed 1 -l 300 $EDU
measure kthread-moved --strategy kthread --irq-prio 30 --seed 1 -l 300 $EDU
measure irqwork-raised --strategy irqwork --irq-prio 60 --seed 1 -l 300 $EDU
# The irq_work thread is everybody's: it has its own priority again.
measure irqwork-after --strategy irqwork --seed 1 -l 300 $EDU
measure inject-direct --backend inject --strategy direct --seed 1 -l 300 $EDU
finish
