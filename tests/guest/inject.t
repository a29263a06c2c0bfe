#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# timeout: 1600
#
# Injection: the interrupts of edu (MSI), of QEMU's igb and nvme (MSI-X) without the device, under
# every strategy, on the CPU they are bound to.

. "$(dirname "$0")/lib.bash"

count=20
[ "$KERNEL" != debug ] || count=10

boot inject --device edu --device igb --qemu -device --qemu nvme,serial=msilat -- inject.sh "$count"
done_testing
