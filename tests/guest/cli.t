#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# timeout: 3200
#
# msilat's errors and settings that need a device, a driver and an IOMMU group to show.

. "$(dirname "$0")/lib.bash"

launch bare --append intel_iommu=off -- no-iommu.sh
boot cli --qemu -device --qemu edu,addr=0x7.0,multifunction=on \
	--qemu -device --qemu virtio-rng-pci,addr=0x7.1 -- cli.sh
exit_is cli settings 0
fact_is settings irq_thread.priority 70 "the manifest has the IRQ thread's priority"
fact_is settings irq_thread.cpu 0 "and its CPU"
fact_is settings poller.priority 41 "the poller's priority"
fact_is settings poller.cpu 1 "and its CPU"
fact_is placed irq_thread.kind kthread "the manifest says what signals"
fact_is placed irq_thread.cpu 0 "and where"
for strategy in thread-direct direct page; do
	exit_is cli ended-$strategy 0
	fact_is ended-$strategy state interrupted "SIGINT marks it as interrupted"
	fact_is ended-$strategy counts.lost 0 "what ended the wait is no event, and none is lost"
done
exit_is cli interrupted 0
fact_is interrupted state interrupted "SIGINT marks it as interrupted"
fact_is interrupted valid true "what there is is valid"
fact_is interrupted counts.lost 0 "nothing is lost"
ok_if "interrupted: it has its histogram" test -s "$T/cli/interrupted/histogram.tsv"
collect bare
done_testing
