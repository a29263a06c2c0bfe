#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# timeout: 1600
#
# MSI-X: every vector of QEMU's igb arrives on its own eventfd, under thread and split; the same
# VFIO semantics as vfio-pci; strategies switched and rings read with all vectors under fire.

. "$(dirname "$0")/lib.bash"

pace=()
[ "$KERNEL" != debug ] || pace=(quick)

boot msix --device igb -- msix.sh "${pace[@]}"
done_testing
