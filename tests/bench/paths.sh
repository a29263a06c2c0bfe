#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# tests/bench/paths.sh [KERNEL...]: the path of each delivery strategy in instructions, judged
# against the committed table, paths.tsv, and against each other (paths.awk). On the host; KERNEL
# is what lab/kernel takes (default: newest 6.12 6.1).
#
# Exact mode, a fresh boot for each row, poller at FIFO 40 below its signalling thread, scenario
# sync; the minimum. It repeats to the instruction, however busy the machine is. A change of the
# compiler or of a point release moves rows: then the table has none for the release, the ratios
# decide, and the rows to commit are printed.

set -eu
bench=$(cd -- "$(dirname -- "$0")" && pwd)
top=${bench%/tests/bench}
together=$(nproc)

# ROW|DRIVER|MODULE PARAMETERS|OPTIONS of msilat run, or of the helper that the row names
rows='
stock|vfio-pci||--strategy stock
thread|msilat-vfio-pci||--strategy thread
thread-direct|msilat-vfio-pci||--strategy thread-direct
split|msilat-vfio-pci||--strategy split
kthread|msilat-vfio-pci||--strategy kthread
irqwork|msilat-vfio-pci||--strategy irqwork
nothread|msilat-vfio-pci|allow_unsafe=1|--strategy nothread
direct|msilat-vfio-pci||--strategy direct
direct, eventfd too|msilat-vfio-pci||--strategy direct --eventfd
page, scenario self|msilat-vfio-pci||--strategy page --scenario self
'

# measure NUMBER ROW DRIVER PARAMETERS OPTION...: one boot; its result goes to $scratch/NUMBER.
measure()
{
	local number=$1 row=$2 driver=$3 param=$4 out=$scratch/$1

	shift 4
	mkdir "$out"
	"$top/lab/guest" --mode exact --kernel "$kernel" --param "$param" --out "$out" \
		--console "$out.console" -- "$bench/payload/path" "$driver" "$@" \
		>"$out.log" 2>&1 || return 1
	printf '%s\t' "$row" >"$out.row"
}

# all: every row, as many boots at a time as there are CPUs.
all()
{
	local row driver param options number=0 pids=() names=() i

	while IFS='|' read -r row driver param options; do
		[ -n "$row" ] || continue
		while [ "$(jobs -rp | wc -l)" -ge "$together" ]; do
			sleep 0.2
		done
		number=$((number + 1))
		# shellcheck disable=SC2086
		measure "$(printf '%02d' $number)" "$row" "$driver" "$param" $options &
		pids+=($!)
		names+=("$row")
	done <<<"$rows"
	for i in "${!pids[@]}"; do
		wait "${pids[$i]}" && continue
		cat "$scratch/$(printf '%02d' $((i + 1))).log" >&2
		echo "paths.sh: ${names[$i]} on kernel $kernel was not measured" >&2
		return 1
	done
}

# recording: what stamps, records and probe cost: the driver with one strategy more, built apart.
recording()
{
	local copy=${scratch#"$top/"}/driver out=$scratch/recording

	mkdir "$out"
	cp -R "$top/kmod" "$scratch/driver"
	cp "$bench/strategy_bare.c" "$scratch/driver/"
	{
		"$top/lab/enter" make -s -C "$("$top/lab/kernel" --headers "$kernel")" \
			M="/msilat/$copy" W=1 KCFLAGS=-Werror MSILAT_EXTRA=bare modules &&
			"$top/lab/enter" make -s -C tests/guest O=/msilat/build/lab/guest-tests &&
			"$top/lab/guest" --mode exact --kernel "$kernel" --no-module --out "$out" \
				--console "$out.console" --file "$scratch/driver/msilat-vfio-pci.ko" \
				--file "$top/build/lab/guest-tests/bare_wake" \
				-- "$bench/payload/recording"
	} >"$out.log" 2>&1 || {
		cat "$out.log" >&2
		echo "paths.sh: what recording costs on kernel $kernel was not measured" >&2
		return 1
	}
	awk '{ path[$1] = $2 } END { printf "recording\t%d\n", path["nothread"] - path["bare"] }' \
		"$out/recording"
}

# minima: "ROW<tab>INSTRUCTIONS" for each row. By the lab's jq: the host need not have one.
minima()
{
	local row

	for row in "$scratch"/*.row; do
		cat "$row"
		row=${row%.row}/path/manifest.json
		"$top/lab/enter" jq '.stages[0].min' "${row#"$top/"}"
	done
}

[ $# -gt 0 ] || set -- newest 6.12 6.1
"$top/lab/build" "$@"
echo "Path of one interrupt, sent to user, in guest instructions: scenario sync, poller 40, minimum"
status=0
for kernel; do
	scratch=$(mktemp -d "$top/build/lab/bench.XXXXXX")
	trap 'rm -rf -- "$scratch"' EXIT
	release=$("$top/lab/kernel" "$kernel")
	all
	minima >"$scratch/measured"
	recording >>"$scratch/measured"
	awk -v release="$release" -f "$bench/paths.awk" "$bench/paths.tsv" "$scratch/measured" ||
		status=1
	rm -rf -- "$scratch"
done
exit $status
