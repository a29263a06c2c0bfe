#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# timeout: 3600
#
# RT safety of every strategy of ours, by lab/validate in its short form: what is bad on purpose is
# reported, nothing else is, and the silence means something.

. "$(dirname "$0")/../lib/tap.sh"

[ "${KERNEL:-newest}" = debug ] || skip_all "the judge is the debug kernel; use KERNEL=debug"

results=$top/results/validate/validate.json
rm -f "$results"
try "$top/lab/validate" --short
[ "$status" = 0 ] || diag "$out" "$err"
is "$status" 0 "exit 0: nothing violates, nothing is inconclusive"

# verdicts: "NAME VERDICT" by line, of what was judged.
verdicts()
{
	"$top/lab/enter" jq -r '.judged[] | "\(.name) \(.verdict)"' <"$results"
}

# bad_on_purpose NAME
bad_on_purpose()
{
	case $1 in
	hardirq | example-bad) return 0 ;;
	*) grep -q '^[[:space:]]*\.unsafe_on_rt = true' "$top/kmod/strategy_${1//-/_}.c" ;;
	esac
}

judged=0
while read -r name verdict; do
	judged=$((judged + 1))
	if bad_on_purpose "$name"; then
		is "$verdict" violates "$name is reported, as it must"
	else
		like "$verdict" '^(clean|short)$' "$name is not"
	fi
done < <(verdicts)
# Two controls beside our strategies.
is "$judged" "$(($(find "$top/kmod" -maxdepth 1 -name 'strategy_*.c' | wc -l) + 2))" \
	"all strategies were judged, and the controls"
diag "$out"
done_testing
