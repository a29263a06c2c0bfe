#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# reset.sh SEED COUNT: resets, sleep and memory decoding off, COUNT times each for an edu and an
# igb that fire, with marks armed.
# shellcheck source=guest.sh
. /payload/guest.sh

for function in $EDU $(igb); do
	ok "$function is bound to $ours" bind "$function" $ours
	$here/load "$function" >/tmp/load.log 2>&1 &
	load=$!
	helper disturb "$function" "$1" "$2"
	is "$(cat /tmp/load.log)" firing "the device has been fired all the time"
	kill $load
	wait $load 2>/dev/null
done
ok "the module unloads" rmmod msilat_vfio_pci
ok "and loads again" reload ''
normal_run
finish
