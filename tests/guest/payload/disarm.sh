#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# disarm.sh ROUNDS: what disarms marks, and what cannot be marked, on QEMU's igb.
# shellcheck source=guest.sh
. /payload/guest.sh

igb=
for function in "$devices"/*; do
	[ "$(cat "$function/vendor" "$function/device" | tr '\n' ' ')" != "0x8086 0x10c9 " ] ||
		igb=${function##*/}
done
ok "there is an igb" test -n "$igb"
ok "it is bound to $ours" bind "$igb" $ours
helper mark "$igb" refusals
helper mark "$igb" widths
helper disarm "$igb" "$1"
finish
