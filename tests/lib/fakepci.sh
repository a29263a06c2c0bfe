# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Fake PCI functions for tests of the command line. $MSILAT_SYSROOT must name the tree.
#
#	fake_function BDF [KEY=VALUE...]
#		vendor=8086 device=1521 class=020000 driver=NAME group=N msi=VECTORS msix=VECTORS
#		config=BYTES (what can be read of configuration space; default 256)

# hex BYTE...: print bytes.
hex()
{
	local byte

	for byte; do
		printf '%b' "\\x$(printf '%02x' "$byte")"
	done
}

# put_at FILE OFFSET BYTE...
put_at()
{
	local file=$1 offset=$2

	shift 2
	hex "$@" | dd of="$file" bs=1 seek="$offset" conv=notrunc status=none
}

log2()
{
	local n=$1 bits=0

	while [ "$n" -gt 1 ]; do
		n=$((n / 2)) bits=$((bits + 1))
	done
	echo "$bits"
}

fake_config()
{
	local file=$1 msi=$2 msix=$3

	head -c 256 /dev/zero >"$file"
	put_at "$file" 6 0x10
	put_at "$file" 52 0x40
	put_at "$file" 64 0x01 0x50
	put_at "$file" 80 0x09 0x60
	if [ "$msi" -gt 0 ]; then
		put_at "$file" 80 0x05 0x60 $(($(log2 "$msi") << 1))
	fi
	if [ "$msix" -gt 0 ]; then
		put_at "$file" 96 0x11 0 $(((msix - 1) & 255)) $(((msix - 1) >> 8))
	fi
}

fake_function()
{
	local bdf=$1 dir=$MSILAT_SYSROOT/sys/bus/pci/devices/$1 arg
	local vendor=8086 device=1521 class=020000 driver='' group='' msi=0 msix=0 config=256

	shift
	for arg; do
		case $arg in
		vendor=* | device=* | class=* | driver=* | group=* | msi=* | msix=* | config=*)
			declare "${arg%%=*}=${arg#*=}"
			;;
		*)
			echo "fake_function: $arg" >&2
			exit 1
			;;
		esac
	done
	mkdir -p "$dir"
	echo "0x$vendor" >"$dir/vendor"
	echo "0x$device" >"$dir/device"
	echo "0x$class" >"$dir/class"
	echo -1 >"$dir/numa_node"
	echo "(null)" >"$dir/driver_override"
	fake_config "$dir/config" "$msi" "$msix"
	truncate -s "$config" "$dir/config"
	if [ -n "$driver" ]; then
		mkdir -p "$MSILAT_SYSROOT/sys/bus/pci/drivers/$driver"
		ln -sfn "../../../bus/pci/drivers/$driver" "$dir/driver"
	fi
	if [ -n "$group" ]; then
		ln -sfn "../../../kernel/iommu_groups/$group" "$dir/iommu_group"
		mkdir -p "$MSILAT_SYSROOT/sys/kernel/iommu_groups/$group/devices/$bdf"
	fi
}
