#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# timeout: 1600
#
# The driver's contract, on edu: VFIO as on vfio-pci, the control call, the ring region, strategy
# switches, closing, unbinding and unloading under fire.

. "$(dirname "$0")/lib.bash"

pace=()
[ "$KERNEL" != debug ] || pace=(quick)

boot contract --append iomem=relaxed -- contract.sh "${pace[@]}"
done_testing
