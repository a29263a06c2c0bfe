#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# exact.sh DRIVER STRATEGY...: the bare poller, then one run of each strategy, poller 40.
# shellcheck source=guest.sh
. /payload/guest.sh

driver=$1
shift
ok "edu is bound to $driver" bind $EDU "$driver"
$here/bare $EDU 500 >/tmp/bare 2>&1
echo "$?" >/out/bare.exit
cat /tmp/bare >/out/bare
for strategy; do
	measure "$strategy" --strategy "$strategy" -l 500 --seed 1 $EDU
done
finish
