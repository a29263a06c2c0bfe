#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# timeout: 2400
#
# Upstream's own VFIO selftests find no difference between vfio-pci and our driver, with MSI (edu)
# and MSI-X (igb): a device opened, reset, mapped, its interrupts enabled in every way; two devices
# opened at once; a driver in user space that copies memory by DMA and sends interrupts. Built from the
# linux-source package. Here under one strategy of each kind; CONFORMANCE=full (make
# check-conformance): under every safe one. The table: build/lab/conformance.txt.

. "$(dirname "$0")/lib.bash"

tests=build/lab/vfio-selftests
columns="device-edu device-igb init driver"
strategies=(thread direct) limit=1200
[ "${CONFORMANCE:-}" != full ] || strategies=() limit=1800

# table: test by driver and strategy, from lines "WHO TEST EXIT PASS SKIP FAIL".
table()
{
	awk -v columns="$columns" -v kernel="$("$top/lab/kernel" "$KERNEL")" '
	BEGIN {
		n = split(columns, column, " ")
		printf "VFIO selftests of the newest kernel, on %s: passed + skipped, failed\n", kernel
		printf "  %-16s %16s %16s %16s %16s\n", "", "device test", "device test", "two at once", "driver test"
		printf "  %-16s %16s %16s %16s %16s\n", "", "edu, MSI", "igb, MSI-X", "edu and igb", "igb, MSI-X"
	}
	!($1 in seen) { seen[$1] = 1; who[++rows] = $1 }
	{ cell[$1, $2] = $3 ? "exit " $3 : $4 " + " $5 }
	$3 && $6 != "" { cell[$1, $2] = $4 " + " $5 ", " $6 " FAILED" }
	END {
		for (i = 1; i <= rows; i++) {
			printf "  %-16s", who[i]
			for (j = 1; j <= n; j++)
				printf " %16s", cell[who[i], column[j]]
			print ""
		}
	}' "$1"
}

if ! "$top/lab/enter" bash tests/guest/selftests.sh "/msilat/$tests" >"$T/selftests" 2>&1; then
	ok_if "upstream's selftests build" cat "$T/selftests" /nonexistent
	done_testing
fi
# They map a gigabyte.
boot conformance --mem 2048 --time-limit "$limit" --device edu --device igb \
	--file "$top/$tests/vfio_pci_device_test" \
	--file "$top/$tests/vfio_pci_device_init_perf_test" \
	--file "$top/$tests/vfio_pci_driver_test" -- conformance.sh "${strategies[@]}"
table "$T/conformance/runs" >"$top/build/lab/conformance.txt"
cp "$T/conformance/log" "$top/build/lab/conformance.log"
diag "$(cat "$top/build/lab/conformance.txt")"
done_testing
