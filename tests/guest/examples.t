#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# timeout: 3000
#
# kmod/README.md shows how a handler and a module of one's own are judged, by examples. This runs
# them: the good ones are not reported, the bad ones are, and so is what is bad on purpose.

. "$(dirname "$0")/../lib/tap.sh"

[ "${KERNEL:-newest}" = debug ] || skip_all "the judge is the debug kernel; use KERNEL=debug"

examples=$top/kmod/examples
try "$top/lab/validate" --short --handler "$examples/strategy_example.c" \
	--module "$examples/example-vfio-pci" \
	--module "$examples/example-vfio-pci sleeping_lock=1"
[ "$status" = 1 ] || diag "$out"
is "$status" 1 "exit 1, for some are bad"

# verdict_of NAME: in the JSON.
verdict_of()
{
	# shellcheck disable=SC2016
	"$top/lab/enter" jq -r --arg name "$1" '.judged[] | select(.name == $name) | .verdict' \
		results/validate/validate.json
}

# line_is NAME PATTERN TEXT: its line in the table.
line_is()
{
	like "$(grep -F "  $1 " <<<"$out")" "$2" "$3"
}

like "$(verdict_of example)" '^(clean|short)$' "the handler is not reported"
is "$(verdict_of example-bad)" violates "its twin with a spinlock_t is"
line_is example-bad 'VIOLATES: .*(Invalid wait context|sleeping function)' "for the reason that it has"
like "$out" 'example_bad_lock in example_bad_primary' "lock and handler are named"
like "$(verdict_of example-vfio-pci)" '^(clean|short)$' "the module is not reported"
is "$(verdict_of "example-vfio-pci sleeping_lock=1")" violates "with a sleeping lock it is"
like "$out" 'wrong_lock in example_' "lock and function are named"
is "$(verdict_of hardirq)" violates "the control was caught"
is "$(verdict_of nothread)" violates "and nothread"
like "$(verdict_of split)" '^(clean|short)$' "split shows what the load meets"
diag "$out"
done_testing
