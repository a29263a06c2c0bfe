#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# debug.sh STRATEGY: a run under lockdep and KASAN.
# shellcheck source=guest.sh
. /payload/guest.sh

is "$(debug_locks)" 1 "lockdep is at work before the run"
ok "edu is bound to $ours" bind $EDU $ours
# lockdep reports nothread at its first interrupt. Ten, far apart, do not meet the poller inside the
# eventfd's lock, where this strategy would take the guest with it.
case $1 in
nothread) measure "$1" --strategy "$1" -l 10 -i 100000 $EDU ;;
*) measure "$1" --strategy "$1" -l 1000 -i 200 $EDU ;;
esac
is "$code" 0 "msilat run exits with 0"
[ "$1" != nothread ] || expect_report
finish
