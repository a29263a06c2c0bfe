#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Histograms of live, hardware and simulated results: what is in the pictures, and that the
# columns hold every sample.

# shellcheck source=tests/analysis/lib.bash
. "$(dirname -- "${BASH_SOURCE[0]}")/lib.bash"
skip_without gnuplot jq
make_scratch
cd "$scratch"

# shape FIRST STEP LAST - a peak with a flat tail, "cycles count" lines.
shape()
{
	seq "$1" "$2" "$3" | LC_ALL=C awk -v f="$1" -v l="$3" '
		{
			x = ($1 - f) / (l - f) - 0.2
			print $1, int(1 + 900 * exp(-x * x * 400))
		}'
}

# columns DIR... - the work directory of plot up to what gnuplot reads, in ./columns.
columns()
{
	local i=0 dir analysis

	analysis=$(dirname -- "$plot")
	rm -rf columns
	mkdir columns
	for dir; do
		i=$((i + 1))
		jq -r -s -f "$analysis/manifest.jq" "$dir/manifest.json" >"columns/meta.$i"
		cp "$dir/histogram.tsv" "columns/histogram.$i"
	done
	(cd columns && PLOT_TITLE='' LC_ALL=C awk -v n="$i" -f "$analysis/common.awk" \
		-f "$analysis/histogram.awk")
}

# drawn N - samples in all columns of result N: each is two lines, its left and right end.
drawn()
{
	LC_ALL=C awk -F '\t' '
		$2 != "FLOOR" && NF == 2 && ++k % 2 { sum += $2 }
		END { printf "%.0f\n", sum }' "columns/curve.$1"
}

# axis_holds - every curve, mark and label lies between the ends of the axis.
axis_holds()
{
	LC_ALL=C awk -F '\t' '
		FILENAME ~ /params/ { split($0, f, " = "); v[f[1]] = f[2] + 0; next }
		function outside(at, from, to) { return at < v[from] || at > v[to] }
		FILENAME ~ /curve/ && NF == 2 {
			bad += outside($1, "axis_low", "axis_high")
			seen++
		}
		NF == 6 { bad += outside($4, "left", "right") + outside($5, "left", "right") }
		END { exit bad || !seen }' columns/params.gp columns/curve.* columns/marks
}

# labels_apart - no two labels of a lane come closer than the narrowest of them is wide.
labels_apart()
{
	LC_ALL=C awk -F '\t' '
		$1 == lane { bad += $5 - at < 60; pairs++ }
		{ lane = $1; at = $5 }
		END { exit bad || !pairs }' columns/marks
}

# curve_styles SVG - how many line styles its curves have.
curve_styles()
{
	LC_ALL=C awk '
		match($0, /stroke-width="[^"]*"/) { width = substr($0, RSTART + 14, RLENGTH - 15) }
		/<path stroke=/ && width == "1.80" {
			style = "solid"
			if (match($0, /stroke-dasharray=.[0-9.,]*/))
				style = substr($0, RSTART, RLENGTH)
			if (!seen[style]++)
				n++
		}
		END { print n + 0 }' "$1"
}

plan 58

shape 8000 40 16000 | histogram_result hw '.mode = "hardware"' \
	'.device.name = "timestamping card"' \
	'.device.backend = "fpga"' '.load = "stress-ng --cpu 4"'
is 'prints the paths of both pictures' "$("$plot" hw | tr '\n' ' ')" \
	'hw/plots/histogram.png hw/plots/histogram.svg '
is 'the PNG is whole and has its size' "$(png_size hw/plots/histogram.png)" 1200x616
ok 'the PNG is not blank' [ "$(wc -c <hw/plots/histogram.png)" -gt 12000 ]
ok 'the SVG is whole' is_svg hw/plots/histogram.svg
svg=hw/plots/histogram.svg
has 'x axis: what and unit' $svg 'latency, sent to user (µs)'
has 'y axis: what, and how wide the columns are' $svg 'samples per column, each '
has 'maximum labelled' $svg 'max 7.62 µs'
has 'median labelled' $svg 'p50 4.57 µs'
has 'p99 labelled' $svg 'p99 '
has 'subtitle: samples' $svg "$(jq '.stages[0].count' hw/manifest.json |
	sed 's/...$/ &/') samples"
has 'subtitle: kernel and its kind' $svg 'kernel 7.3.4+deb13-rt-amd64 (PREEMPT_RT)'
has 'subtitle: device and backend' $svg 'device timestamping card (fpga)'
has 'subtitle: scenario' $svg 'scenario sync'
has 'subtitle: wait mode' $svg 'wait read'
has 'subtitle: priority relation and priorities' $svg \
	'poller below its IRQ thread (FIFO 40 against 50)'
has 'subtitle: load' $svg 'load stress-ng --cpu 4'
has 'title, also for screen readers' $svg '<title>MSI to user space, strategy stock</title>'
lacks 'hardware is not called an emulator' $svg 'emulator'
lacks 'a whole result is not called partial' $svg 'PARTIAL'

shape 400000 4000 90000000 | histogram_result live
"$plot" --title 'My title' live >/dev/null
has 'live: emulator time in the axis label' live/plots/histogram.svg \
	'latency, sent to user, emulator time (log scale)'
has 'a wide spread gets a log axis with units' live/plots/histogram.svg '>10 ms<'
has '--title' live/plots/histogram.svg '>My title<'
shape 100 1 900 | histogram_result sim '.mode = "sim"' '.host.realtime = false' \
	'.irq_thread = null' '.priority_relation = "none"'
"$plot" sim >/dev/null
has 'sim: said in the axis label' sim/plots/histogram.svg 'latency, sent to user, simulated'
has 'a kernel that is not PREEMPT_RT is called so' sim/plots/histogram.svg '(not PREEMPT_RT)'
has 'no IRQ thread is said' sim/plots/histogram.svg 'no IRQ thread (poller FIFO 40)'

for strategy in stock split nothread; do
	shape 400000 4000 1600000 | histogram_result "over-$strategy" ".strategy = \"$strategy\"" \
		".label = \"over-$strategy\""
done
jq '.priority_relation = "none"' over-nothread/manifest.json >m && mv m over-nothread/manifest.json
is 'overlay: --out and --name' \
	"$("$plot" over-stock over-split over-nothread --out o/p --name abc | tr '\n' ' ')" \
	 'o/p/abc.png o/p/abc.svg '
ok 'overlay: PNG is whole' [ -n "$(png_size o/p/abc.png)" ]
ok 'overlay: SVG is whole' is_svg o/p/abc.svg
has 'overlay: each result is named' o/p/abc.svg '>split<'
has 'overlay: what differs is said with it' o/p/abc.svg '>no IRQ thread<'
lacks 'overlay: what differs is not in the subtitle' o/p/abc.svg 'poller below its IRQ thread'
is 'overlay: as many maxima labelled as results' "$(grep -c '>max 762 µs<' o/p/abc.svg)" 3
is 'overlay: three line styles' "$(curve_styles o/p/abc.svg)" 3
is 'overlay: default place is beside the first' "$("$plot" over-split over-stock | head -n 1)" \
	plots/histogram.png
is 'overlay: beside a first that has a directory' \
	"$("$plot" "$scratch/over-split" over-stock | head -n 1)" "$scratch/plots/histogram.png"
is 'overlay: beside the current directory' \
	"$(cd over-split && "$plot" . ../over-stock | head -n 1)" ./../plots/histogram.png
ok 'overlay: the pictures of its results are let alone' [ ! -e over-split/plots ]

shape 8000 40 16000 | histogram_result part '.state = "interrupted"' '.valid = false' \
	'.invariant.text = "10 lost"'
"$plot" part >/dev/null
has 'partial result is drawn and called so' part/plots/histogram.svg \
	'PARTIAL RESULT (the run was interrupted)'
has 'invalid run is called so, with the reason' part/plots/histogram.svg 'INVALID RUN: 10 lost'

for case in '1 event:1000 1' '10^9 in one bin:1000 1000000000' '0 cycles:0 5' \
	'1 ns to 10 s:2 5;4 1000000000;21000000000 1'; do
	rm -rf case
	tr ';' '\n' <<<"${case#*:}" | histogram_result case
	"$plot" case >/dev/null
	ok "${case%%:*}: both pictures" [ -n "$(png_size case/plots/histogram.png)" ]
	columns case
	is "${case%%:*}: the columns hold every sample" "$(drawn 1)" \
		"$(jq '.stages[0].count' case/manifest.json)"
	ok "${case%%:*}: all of it on the axis" axis_holds
done
has '10 s is labelled as such' case/plots/histogram.svg 'max 10 s'

columns hw
is 'linear axis: the columns hold every sample' "$(drawn 1)" \
	"$(jq '.stages[0].count' hw/manifest.json)"
columns live over-stock
is 'log axis: the columns hold every sample' "$(drawn 1) $(drawn 2)" \
	"$(jq '.stages[0].count' live/manifest.json over-stock/manifest.json | xargs)"
ok 'log axis: all of it on the axis' axis_holds
ok 'labels of one lane keep apart' labels_apart
printf '%s\n' '1000 100000' | histogram_result narrow
columns narrow over-stock
ok 'labels of marks that coincide keep apart' labels_apart
shape 1000 7 9000 | histogram_result other '.clock.hz = 1999999999'
columns hw other
is 'clocks that differ: the columns hold every sample' "$(drawn 2)" \
	"$(jq '.stages[0].count' other/manifest.json)"

finish
