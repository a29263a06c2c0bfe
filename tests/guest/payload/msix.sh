#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# msix.sh [quick]: MSI-X on QEMU's igb, every vector. quick: for a slow kernel.
# shellcheck source=guest.sh
. /payload/guest.sh

switches=200 seconds=1 same=$safe
[ "${1:-}" != quick ] || switches=50 seconds=2 same='1 2 7'

igb=$(igb)
ok "there is an igb" test -n "$igb"
ok "it is bound to vfio-pci" bind "$igb" vfio-pci
$here/semantics "$igb" >/tmp/stock.trace
like "$(tail -n 1 /tmp/stock.trace)" '^off: 0' "the calls were all made on vfio-pci"
like "$(grep '^fired to one eventfd' /tmp/stock.trace)" 'got 10 ' "and interrupts arrived there"
ok "it is bound to $ours" bind "$igb" $ours
for strategy in $same; do
	$here/semantics "$igb" "$strategy" >/tmp/ours.trace
	ok "the same calls, $(wc -l </tmp/stock.trace) lines, under strategy $strategy" \
		diff /tmp/stock.trace /tmp/ours.trace
done
helper msix "$igb"
helper contract "$igb"
helper fire "$igb" switch $switches
for strategy in $primary; do
	helper fire "$igb" rings $seconds "$strategy"
done
finish
