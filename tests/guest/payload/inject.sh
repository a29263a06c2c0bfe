#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# inject.sh COUNT: injection on edu, and on every igb and nvme function there is.
# shellcheck source=guest.sh
. /payload/guest.sh

ok "edu is bound to $ours" bind $EDU $ours
helper inject $EDU "$1"
for function in "$devices"/*; do
	bdf=${function##*/}
	case $(cat "$function/vendor" "$function/device" | tr '\n' ' ') in
	'0x8086 0x10c9 ' | '0x1b36 0x0010 ') ;;
	*) continue ;;
	esac
	ok "$bdf is bound to $ours" bind "$bdf" $ours
	helper inject "$bdf" "$1"
done
finish
