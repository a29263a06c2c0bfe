#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Devices that cannot be measured, and bind and unbind, on fake trees: each gets its one line.

# shellcheck source-path=SCRIPTDIR source=../lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"
# shellcheck source-path=SCRIPTDIR source=../lib/cli.sh
. "$top/tests/lib/cli.sh"
# shellcheck source-path=SCRIPTDIR source=../lib/fakepci.sh
. "$top/tests/lib/fakepci.sh"
need_program
export MSILAT_SYSROOT=$T/root
pci=$MSILAT_SYSROOT/sys/bus/pci
results=$T/results

# run_refused NAME PATTERN BDF ARG...
run_refused()
{
	local name=$1 want=$2

	shift 2
	refused "run: $name" "$want" run "$@" --results "$results"
}

run_refused "a host without PCI" "no PCI bus here" 0000:01:00.0
mkdir -p "$MSILAT_SYSROOT/run/lock"
fake_function 0000:01:00.0 group=5 driver=igb
fake_function 0000:02:00.0 group=6 msi=1 driver=ahci
fake_function 0000:03:00.0 vendor=1234 device=11e8 class=00ff00 group=7 msi=1
fake_function 10000:03:00.0 vendor=1234 device=11e8 class=00ff00 group=8 msi=1 driver=vfio-pci
fake_function 0000:05:00.0 group=9 msi=1 class=060400
fake_function 10000:04:00.0 vendor=1234 device=11e8 class=00ff00 msi=1 driver=vfio-pci

for bad in eth0 03 00:00:00:00.0 03:00.9 0000:03:00.0x; do
	run_refused "no address: $bad" "^$bad: not a PCI address; write it like 0000:03:00.0" "$bad"
	refused "bind: no address: $bad" "^$bad: not a PCI address" bind "$bad"
done
run_refused "no such BDF" "^0000:77:00.0: no such PCI function \(msilat list\)$" 0000:77:00.0
run_refused "ambiguous" "^03:00.0: 2 PCI domains have this address; put the domain in front$" 03:00.0
run_refused "without MSI" "^0000:01:00.0: has neither MSI nor MSI-X \(msilat list\)$" 0000:01:00.0
run_refused "a bridge" "^0000:05:00.0: no backend of this release can drive device 8086:1521" \
	0000:05:00.0
run_refused "a function that only our driver can make interrupt" \
	"^0000:02:00.0: strategy thread needs driver msilat-vfio-pci, but it is bound to ahci; use: msilat bind --driver msilat-vfio-pci 0000:02:00.0$" \
	0000:02:00.0
run_refused "stock on such a function" \
	"^--strategy stock: backend inject raises the interrupts through our driver; use another strategy, after: msilat bind 0000:02:00.0$" \
	0000:02:00.0 -s stock
run_refused "the same by choice" "^--strategy stock: backend inject" \
	10000:03:00.0 --backend inject -s stock
run_refused "a backend that does not fit" "backend sim" 0000:03:00.0 \
	--backend sim
run_refused "no driver" \
	"^0000:03:00.0: strategy stock needs driver vfio-pci, but it is bound to none; use: msilat bind --driver vfio-pci 0000:03:00.0$" \
	0000:03:00.0
run_refused "stock on our driver's strategy" \
	"^10000:03:00.0: strategy split needs driver msilat-vfio-pci, but it is bound to vfio-pci; use: msilat bind" \
	10000:03:00.0 -s split
run_refused "no IOMMU" "^10000:04:00.0: no IOMMU group; enable the IOMMU.*intel_iommu=on" \
	10000:04:00.0
run_refused "no vfio" "/dev/vfio/vfio: No such file or directory; load the vfio driver: modprobe" \
	10000:03:00.0
is "$(ls "$results" 2>/dev/null)" "" "no refusal left a directory behind"

refused "bind: no such BDF" "^0000:77:00.0: no such PCI function" bind 0000:77:00.0
refused "bind: without MSI" "^0000:01:00.0: has neither MSI nor MSI-X" bind 0000:01:00.0
refused "bind: no IOMMU" "^10000:04:00.0: no IOMMU group" bind 10000:04:00.0
refused "bind: the module is not loaded" \
	"^driver msilat-vfio-pci is not loaded; use: modprobe msilat-vfio-pci$" bind 0000:03:00.0
refused "bind: a driver it does not know" "^--driver igb: must be one of msilat-vfio-pci, vfio-pci$" \
	bind --driver igb 0000:03:00.0
refused "bind: a driver without name" "^-d: needs a value" bind -d
mkdir -p "$MSILAT_SYSROOT/sys/class/net"
ln -s ../../devices/pci0000:00/0000:02:00.0/net/enp2s0 "$MSILAT_SYSROOT/sys/class/net/enp2s0"
mkdir -p "$pci/drivers/msilat-vfio-pci"
refused "bind: in use" \
	"^0000:02:00.0: in use by network interface enp2s0; .*--force, or choose another \(msilat list\)$" \
	bind 0000:02:00.0
accepted "bind: bound already" bind -d vfio-pci 10000:03:00.0
refused "unbind: never bound" "^0000:03:00.0: not bound by msilat bind.*nothing to undo" \
	unbind 0000:03:00.0
refused "unbind knows no --driver" "^--driver: unknown or ambiguous" unbind --driver vfio-pci
refused "unbind knows no --force" "^-f: unknown or ambiguous" unbind -f 0000:03:00.0

# A plain file takes what is written and changes no driver: the binding fails and is undone.
: >"$pci/drivers_probe"
try msilat bind 0000:03:00.0
is "$status" 1 "bind: a driver that does not take it"
like "$(tail -n 1 <<<"$err")" "^msilat: 0000:03:00.0: driver msilat-vfio-pci did not take it" \
	"it says so"
is "$(head -n 2 <<<"$err")" "  echo msilat-vfio-pci > $pci/devices/0000:03:00.0/driver_override
  echo 0000:03:00.0 > $pci/drivers_probe" "each write is echoed before"
is "$(find "$MSILAT_SYSROOT/run/msilat" -type f)" "" "no record is left"
refused "bind -q echoes nothing" "did not take it" bind -q 0000:03:00.0
try msilat bind -q 0000:77:00.0 10000:03:00.0 -d vfio-pci eth0
is "$status" 1 "bind: several functions, two of them bad"
is "$(line_count "$err")" 2 "each of the bad has its line"
done_testing
