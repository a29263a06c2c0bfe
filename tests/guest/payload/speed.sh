#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# speed.sh: the least that can measure each strategy, stock first; "NAME CYCLES" by line in /out/speed.
# shellcheck source=guest.sh
. /payload/guest.sh

count=300

# shortest NAME PROGRAM ARG...: the last word it prints.
shortest()
{
	_name=$1
	shift
	ok "$_name: every event arrived" "$@"
	echo "$_name $(sed 's/.* //' "$scratch/ok.log")" >>/out/speed
}

ok "edu is bound to vfio-pci" bind $EDU vfio-pci
shortest stock $here/bare $EDU $count
ok "edu is bound to $ours" bind $EDU $ours
for strategy in $safe 3; do
	shortest "$strategy" $here/bare_wake $EDU $count "$strategy"
done
for strategy in $alone; do
	shortest "$strategy-alone" $here/bare_wake $EDU $count "$strategy" alone
done
finish
