#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# timeout: 500
#
# Upstream's own test of a VFIO PCI device finds no difference between vfio-pci and our driver,
# under thread and under split, with MSI (edu) and MSI-X (igb). Built from the linux-source package.

. "$(dirname "$0")/lib.bash"

test=build/lab/vfio-selftests/vfio_pci_device_test
mkdir -p "$top/${test%/*}"
if ! "$top/lab/enter" bash tests/guest/selftests.sh "/msilat/$test" >"$T/selftests" 2>&1; then
	ok_if "upstream's selftest builds" cat "$T/selftests" /nonexistent
	done_testing
fi
# It maps a gigabyte.
boot conformance --mem 2048 --device edu --device igb --file "$top/$test" -- conformance.sh
done_testing
