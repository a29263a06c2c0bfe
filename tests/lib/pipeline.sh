# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
#
# For tests of whole runs on the simulated device; sourced after tap.sh and cli.sh.
#
#	sim LABEL ARG...	runs msilat run sim --label LABEL …, results below $results; sets
#				$status, $out, $err and $dir
#	manifest FILTER		what jq makes of $dir's manifest
#	whole TEXT DIR STATE	DIR is a finished result whose files fit their formats and each other

results=$T/results
dir=

# shellcheck disable=SC2034 # dir is for the caller
sim()
{
	local label=$1

	shift
	dir=$results/$label
	# An ordinary thread may wait long for a CPU of a busy machine; that is no loss.
	try msilat run sim -q -p 0 --timeout 60000 --results "$results" --label "$label" "$@"
}

manifest()
{
	jq -c "$1" "$dir/manifest.json"
}

# Every line of a histogram fits the format: sorted by stage and value, bins of the right width.
good_histogram()
{
	awk -F '\t' '
		function bad(what) { if (failed++ < 3) print FILENAME ":" NR ": " what ": " $0 }
		NR == 1 && $0 != "# msilat histogram 1" { bad("head") }
		/^#/ { next }
		NF != 6 { bad("fields"); next }
		$1 in ended { bad("stage not in one piece") }
		$1 != stage { ended[stage]; stage = $1; last = -1 }
		$2 <= last { bad("not sorted, or overlapping") }
		$3 < $2 || $3 - $2 > $2 / 128 { bad("bin width") }
		$6 < 1 { bad("empty bin") }
		$5 < $4 || ($2 > 1000 && ($4 / $2 < 0.05 || $4 / $2 > 20)) { bad("nanoseconds") }
		{ last = $3 }
		END { exit failed > 0 }' "$1/histogram.tsv"
}

good_outliers()
{
	awk -F '\t' '
		function bad(what) { if (failed++ < 3) print FILENAME ":" NR ": " what ": " $0 }
		NR == 1 && $0 != "# msilat outliers 1" { bad("head") }
		/^#/ { next }
		NF != 10 { bad("fields"); next }
		$1 != ++n { bad("rank") }
		n > 1 && $3 > last { bad("not sorted") }
		$4 !~ /^20[0-9][0-9]-[01][0-9]-[0-3][0-9]T[0-2][0-9]:[0-5][0-9]:[0-5][0-9]\.[0-9]+Z$/ { bad("time") }
		length($4) != 27 { bad("time") }
		{
			last = $3; before = 0
			for (i = 5; i <= 10; i++) {
				if ($i == "-")
					continue
				if ($i < before)
					bad("stamps not in order")
				before = $i
			}
		}
		END { exit failed > 0 }' "$1/outliers.tsv"
}

# The histogram's counts are those of the manifest's stages, and its extremes lie in its end bins.
agrees()
{
	awk -F '\t' '!/^#/ { n[$1] += $6; if (!($1 in low)) low[$1] = $4; high[$1] = $5 }
		END { for (s in n) print s, n[s], low[s], high[s] }' "$1/histogram.tsv" | sort >"$T/a"
	jq -r '.stages[] | select(.count > 0) | [.name, .count, .min, .max] | map(tostring) | join(" ")' \
		"$1/manifest.json" | sort >"$T/b"
	join "$T/a" "$T/b" | awk '
		$2 != $5 { print "counts differ: " $0; failed = 1 }
		$6 + 0.2 < $3 || $7 - 0.2 > $4 { print "extremes differ: " $0; failed = 1 }
		END { exit failed > 0 }' && [ "$(wc -l <"$T/a")" = "$(wc -l <"$T/b")" ]
}

# Sums that hold for every finished run on sim.
# shellcheck disable=SC2016
balances()
{
	jq -e '
		.counts as $c | .merges as $m |
		($c.values - $c.wakes == $m.wake) and
		($c.lost > 0) == (.valid | not) and
		.invariant.holds == (.verdicts[] | select(.name == "accounting") | .ok) and
		($c.samples == $c.wakes - $c.ring_drops) and
		(.stages[0].count == $c.samples - $c.unattributed) and
		(.exit == (if .valid then 0 else 3 end)) and
		(if $c.lost == 0 then $c.fired == $c.wakes + $m.device_to_isr + $m.isr_to_thread +
			$m.wake + ($m.unknown // 0) else true end)' "$1/manifest.json" >/dev/null || {
		echo "does not balance: $(jq -c '[.counts, .merges, .verdicts, .exit]' "$1/manifest.json")"
		return 1
	}
}

is_whole()
{
	local leftover

	[ -d "$1" ] || { echo "$1: missing"; return 1; }
	leftover=$(find "$1" -name '*.tmp')
	[ -z "$leftover" ] || { echo "left over: $leftover"; return 1; }
	[ ! -e "$1.partial" ] || { echo "$1.partial: still there"; return 1; }
	# shellcheck disable=SC2016
	jq -e --arg state "$2" '.schema == 1 and .state == $state' "$1/manifest.json" >/dev/null || {
		echo "state: $(jq -c '[.schema, .state]' "$1/manifest.json")"
		return 1
	}
	good_histogram "$1" && good_outliers "$1" && agrees "$1" && balances "$1"
}

whole()
{
	ok_if "$1" is_whole "$2" "$3"
}

# one_cpu: this process may use one CPU only.
one_cpu()
{
	[ "$(nproc)" = 1 ]
}
