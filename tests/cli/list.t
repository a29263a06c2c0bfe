#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# msilat list on fake trees.

# shellcheck source-path=SCRIPTDIR source=../lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"
# shellcheck source-path=SCRIPTDIR source=../lib/cli.sh
. "$top/tests/lib/cli.sh"
# shellcheck source-path=SCRIPTDIR source=../lib/fakepci.sh
. "$top/tests/lib/fakepci.sh"
need_program
export MSILAT_SYSROOT=$T/root
mkdir "$MSILAT_SYSROOT"

# row BDF: its line, and the line below that a long remark is put on.
row()
{
	awk -v bdf="$1" '
		$1 ~ /^[0-9a-f]+:[0-9a-f]+:/ { mine = $1 == bdf }
		!/^ +([0-9a-f]+:[0-9a-f]+:|\()/ { mine = 0 }
		mine { printf "%s ", $0 }' <<<"$out" | sed 's/ *$//'
}

refused "a host without PCI" "no PCI bus here: No such file" list
mkdir -p "$MSILAT_SYSROOT/sys/bus/pci/devices"
accepted "an empty bus" list
like "$out" "^ +BDF +device +vectors +group +driver +backend" "has a head all the same"

fake_function 0000:00:00.0 class=060000 group=0
fake_function 0000:00:05.0 vendor=1234 device=11e8 class=00ff00 group=4 msi=1 driver=msilat-vfio-pci
fake_function 0000:01:00.0 group=5 msix=10 driver=igb
mkdir -p "$MSILAT_SYSROOT"/sys/class/{net,nvme}
ln -s ../../devices/pci0000:00/0000:01:00.0/net/enp1s0 "$MSILAT_SYSROOT/sys/class/net/enp1s0"
fake_function 0000:02:00.0 group=6 msi=8
fake_function 0000:02:00.1 group=6 driver=ahci
fake_function 0000:03:00.0 class=010802 group=7 msix=9 driver=nvme
ln -s ../../devices/pci0000:00/0000:03:00.0/nvme/nvme0 "$MSILAT_SYSROOT/sys/class/nvme/nvme0"
fake_function 10000:e1:00.0 msix=2048
fake_function 0000:04:00.0 group=8 msi=1 config=64
accepted "a full bus" list
like "$(row 0000:00:05.0)" "QEMU edu +1 MSI +4 +msilat-vfio-pci +edu$" "a card that can be measured"
like "$(row 0000:01:00.0)" "10 MSI-X +5 +igb +inject .*\(in use: enp1s0\)$" "a network interface in use"
like "$(row 0000:02:00.0)" "8 MSI +6 +- .*\(group shared: 0000:02:00.1 \(ahci\)\)$" \
	"a group that is not viable names the other"
like "$(row 0000:03:00.0)" "9 MSI-X +7 +nvme .*\(carries a disk\)$" "a disk"
like "$(row 10000:e1:00.0)" "2048 MSI-X +- .*\(no IOMMU\)$" "a five-digit domain, no IOMMU"
like "$(row 0000:04:00.0)" "\? \(root\)" "an ordinary user cannot tell"
like "$out" "intel_iommu=on" "how to enable the IOMMU is said"
is "$(row 0000:00:00.0)$(row 0000:02:00.1)" "" "bridges and functions without MSI are not shown"
like "$out" $'\n'" +2 not shown: bridges, or without MSI \(--all\)" "but counted"
is "$(grep -n ' $' <<<"$out")" "" "no line ends in blanks"
ok_if "its lines fit 100 columns" awk 'length > 100 { print; bad = 1 } END { exit bad }' "$T/.out"
is "$(awk '/^ *[0-9a-f]+:/ { print $1 }' <<<"$out" | tail -n 1)" "10000:e1:00.0" "sorted by domain"
accepted "--all" list --all
like "$(row 0000:00:00.0)" "\(bridge\)" "shows bridges"
like "$(row 0000:02:00.1)" "none .*\(no MSI\)" "and functions without MSI"

accepted "--strategies" list --strategies
is "$(line_count "$out")" 10 "a head and nine strategies"
is "$(grep -n " $" <<<"$out")" "" "no line ends in blanks"
# strategy NAME: its row, cut at two blanks.
strategy()
{
	awk -F "  +" -v name="$1" '$2 == name { print $3 "|" $4 "|" $5 "|" $6 "|" $7 }' <<<"$out"
}
is "$(strategy stock)" "vfio-pci|eventfd|IRQ thread|read|yes" "stock"
is "$(strategy irqwork)" "msilat-vfio-pci|eventfd|irq_work thread|read|yes" "irqwork"
is "$(strategy nothread)" "msilat-vfio-pci|eventfd|hard IRQ|read|NO" "the one that is not safe"
is "$(strategy direct)" "msilat-vfio-pci|wait ioctl|hard IRQ|direct|yes" "direct"
is "$(strategy page)" "msilat-vfio-pci|page|hard IRQ|page|yes" "page"
# The help of run has them from the same table.
try msilat run --help
for name in $("$MSILAT" list --strategies | awk "NR > 1 { print \$1 }"); do
	like "$out" $'\n'"  $name +[a-z]" "msilat run --help explains $name"
done

rm "$MSILAT_SYSROOT/sys/bus/pci/devices/0000:01:00.0/"{device,class,numa_node,config}
accepted "missing attributes" list
: >"$MSILAT_SYSROOT/sys/bus/pci/devices/0000:02:00.0/class"
printf '0x8086' >"$MSILAT_SYSROOT/sys/bus/pci/devices/0000:02:00.0/vendor"
accepted "empty attributes, and one without newline" list
like "$(row 0000:02:00.0)" "8 MSI" "the rest is shown"
done_testing
