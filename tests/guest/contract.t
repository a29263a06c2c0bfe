#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# timeout: 700
#
# The driver's contract, on edu: VFIO as on vfio-pci, the control call, the ring region, strategy
# switches, closing, unbinding and unloading under fire.

. "$(dirname "$0")/lib.bash"

pace=() limit=240
[ "$KERNEL" != debug ] || pace=(quick) limit=600

boot contract --append iomem=relaxed --time-limit "$limit" -- contract.sh "${pace[@]}"
done_testing
