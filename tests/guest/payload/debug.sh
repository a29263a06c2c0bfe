#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# debug.sh STRATEGY: a run under lockdep and KASAN.
# shellcheck source=guest.sh
. /payload/guest.sh

is "$(debug_locks)" 1 "lockdep is at work before the run"
ok "edu is bound to $ours" bind $EDU $ours
measure "$1" --strategy "$1" -l 1000 -i 200 $EDU
is "$code" 0 "msilat run exits with 0"
[ "$1" != nothread ] || expect_report
finish
