#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# timeout: 120
#
# --samples: samples.bin as samples.h documents it, record by record.

# Functions are called through ok_if and try; programs of jq and awk are in quotes.
# shellcheck disable=SC2016,SC2317
# shellcheck source-path=SCRIPTDIR source=../lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"
# shellcheck source-path=SCRIPTDIR source=../lib/cli.sh
. "$top/tests/lib/cli.sh"
# shellcheck source-path=SCRIPTDIR source=../lib/pipeline.sh
. "$top/tests/lib/pipeline.sh"
need_program

# field OFFSET TYPE: a field of the header.
field()
{
	od -A n -j "$1" -N "${2#u}" -t "$2" "$dir/samples.bin" | tr -d ' '
}

for strategy in split nothread; do
	sim "$strategy" -s "$strategy" -l 500 -i 50 -w poll --samples
	is "$status" 0 "a run of $strategy with --samples"
	is "$(head -c 8 "$dir/samples.bin")" "MSILSMP" "magic"
	is "$(field 8 u4),$(field 12 u4),$(field 16 u4),$(field 20 u4)" "1,32,64,6" \
		"version, sizes of header and record, stamps"
	ok_if "the frequency is that of the manifest, within 500 ppm" awk \
		-v a="$(od -A n -j 24 -N 8 -t f8 "$dir/samples.bin")" -v b="$(manifest .clock.hz)" \
		'BEGIN { exit !(a / b > 0.9995 && a / b < 1.0005) }'
	records=$(manifest .counts.samples)
	is "$(stat -c %s "$dir/samples.bin")" $((32 + 64 * records)) "one record for each sample"
	od -A n -v -t u8 -w64 -j 32 "$dir/samples.bin" >"$T/records"
	ok_if "sequence numbers rise by the progress, stamps are in order" awk -v strategy="$strategy" '
		function bad(what) { if (failed++ < 3) print NR ": " what ": " $0 }
		{
			values = $8 % 4294967296
			progress = int($8 / 4294967296)
			if ($1 != last + progress) bad("sequence")
			if (values < 1) bad("values")
			last = $1
			before = 0
			for (i = 2; i <= 7; i++)
				if ($i) {
					if ($i < before) bad("order")
					before = $i
				}
			if (!$2 || !$6 || !$7) bad("sent, user or done is missing")
			if (strategy == "nothread" && $4) bad("nothread has no thread")
			if (progress == 1 && values == 1 && (!$3 || !$5)) bad("isr or signal is missing")
			if (strategy == "split" && progress == 1 && values == 1 && !$4) bad("no thread")
		}
		END { if (last != 500) bad("not 500 events"); exit failed > 0 }' "$T/records"
	is "$(awk '{ v = $6 - $2; if (!n++ || v < min) min = v; if (v > max) max = v }
		END { printf "%.0f,%.0f\n", min, max }' "$T/records")" \
		"$(jq -r --arg hz "$(manifest .clock.hz)" '.stages[0] |
		[.min, .max] | map(. * ($hz | tonumber) / 1e9 | round | tostring) | join(",")' \
		"$dir/manifest.json" | tr -d '"')" "their extremes are those of the manifest"
done
done_testing
