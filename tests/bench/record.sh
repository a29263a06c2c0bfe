#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# tests/bench/record.sh [MODE...]: instructions that one sample costs the poller outside its wait.
#
# Counted by callgrind on the simulated device, as the difference of two runs of different length
# divided by the difference of their wakes, so that what a run costs once does not count. Prints
# one line a wait mode:
#
#	MODE RECORD LOOP
#
# RECORD: record() with all it calls: observing the device, filling the sample, the ring, the
# counters. "-" where the compiler has made it a part of the loop. LOOP: everything that the
# poller's thread executes between two waits, RECORD included. The wait is the wait mode's function:
# the system call with the stamps around it.
#
# $MSILAT: the program, built with -O2 and with symbols.

set -eu
top=$(cd -- "$(dirname -- "$0")/../.." && pwd)
if [ -z "${MSILAT:-}" ]; then
	MSILAT=$top/build/host/msilat
	# In the lab's root the program that was built for it.
	[ "$top" != /msilat ] || MSILAT=$top/build/lab/msilat
fi
short=500 long=2500

die()
{
	echo "record.sh: $1" >&2
	exit 1
}

# poller_cost FILE: inclusive cost of record(), and of poller_main() less its waits. The format:
# "fn=(ID) NAME" begins a function, whose lines are "POSITION COST"; "cfn=" and "calls=" announce
# that the next line is the inclusive cost of a call. A name stands with its ID the first time only.
poller_cost()
{
	awk '
		function name_of(text,    id) {
			match(text, /\([0-9]+\)/)
			id = substr(text, RSTART, RLENGTH)
			if (length(text) > RLENGTH)
				names[id] = substr(text, RSTART + RLENGTH + 1)
			return names[id]
		}
		/^fn=/ { fn = name_of(substr($0, 4)); next }
		/^cfn=/ { cfn = name_of(substr($0, 5)); next }
		/^calls=/ { call = 1; next }
		/^[0-9+*-]/ {
			if (fn ~ /^poller_main/) {
				loop += $2
				found = 1
			}
			if (fn ~ /^record($|\.)/)
				record += $2
			if (call && fn ~ /^(poller_main|next_wake)/ &&
			    cfn ~ /^(read|poll|epoll_do|direct|page)_wait/)
				loop -= $2
			call = 0
		}
		END {
			if (!found)
				exit 1
			printf "%.0f %.0f\n", record, loop
		}' "$1" || die "$MSILAT: poller_main not found; build it with symbols (-g)"
}

# strategy_of MODE: one of our driver whose own wait it is; any strategy reaches the eventfd.
strategy_of()
{
	"$MSILAT" list --strategies | awk -v mode="$1" '
		$2 == "msilat-vfio-pci" && $(NF - 1) == mode { name = $1 }
		END { print name == "" ? "split" : name }'
}

# run MODE COUNT: prints "WAKES RECORD LOOP" of the whole run.
run()
{
	local label=$1-$2

	valgrind --tool=callgrind --callgrind-out-file="$scratch/$label.out" "$MSILAT" run sim -q \
		-p 0 -s "$(strategy_of "$1")" -w "$1" -l "$2" -i 100 --timeout 60000 --results "$scratch" --label "$label" \
		>"$scratch/log" 2>&1 || {
		cat "$scratch/log" >&2
		die "the run under callgrind failed"
	}
	printf '%s %s\n' "$(jq .counts.wakes "$scratch/$label/manifest.json")" \
		"$(poller_cost "$scratch/$label.out")"
}

[ $# -gt 0 ] || set -- read poll epoll direct
command -v valgrind >/dev/null || die "valgrind is not installed: apt-get install valgrind"
scratch=$(mktemp -d "${TMPDIR:-/tmp}/msilat-bench.XXXXXX")
trap 'rm -rf -- "$scratch"' EXIT
for mode; do
	{
		run "$mode" "$short"
		run "$mode" "$long"
	} >"$scratch/both"
	awk -v mode="$mode" '
		NR == 1 { wakes = $1; record = $2; loop = $3 }
		END {
			wakes = $1 - wakes
			record = $2 == 0 ? "-" : sprintf("%.1f", ($2 - record) / wakes)
			printf "%s %s %.1f\n", mode, record, ($3 - loop) / wakes
		}' "$scratch/both"
done
