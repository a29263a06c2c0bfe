#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# contend.sh: the lab's contention module.
# shellcheck source=guest.sh
. /payload/guest.sh

module=msilat-contend

is "$(modprobe $module 2>/dev/null && echo loaded)" "" "without allow_unsafe it is not loaded"
like "$(dmesg)" 'msilat-contend: .*refused without allow_unsafe=1' "and says why"
ok "with allow_unsafe=1 it is" modprobe $module allow_unsafe=1
is "$(stat -c %a:%u /dev/$module)" 600:0 "its device is root's alone"
ok "edu is bound to $ours" bind $EDU $ours
helper contend $EDU
like "$(dmesg)" 'msilat-contend: CPU 1: contend\[[0-9]*\] starts: FIFO 30' "the log says who starts what"
like "$(dmesg)" 'msilat-contend: CPU 1: held handoff [0-9]* times' "and what came of it"
ok "it can be removed" rmmod msilat_contend
finish
