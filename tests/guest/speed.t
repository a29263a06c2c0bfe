#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# shellcheck disable=SC2317 # ok_if runs functions by name
# timeout: 1600
#
# Exact mode: how long each strategy's path is at its shortest, by pollers that do nothing else
# (bare.c, bare_wake.c), all in one boot. What the strategies promise about each other.

. "$(dirname "$0")/lib.bash"

[ "$KERNEL" != debug ] || skip_all "paths through the debug kernel mean nothing; use another KERNEL"

names=(stock thread split nothread thread-direct kthread irqwork direct page)

# path NAME: its length; a strategy goes by its number.
path()
{
	awk -v name="$1" '$1 == name { print $2 }' "$T/speed/speed"
}

# at_most A B PERCENT: A is no more than so much of B.
at_most()
{
	[ -n "$1" ] && [ -n "$2" ] && [ $(($1 * 100)) -le $(($2 * $3)) ]
}

# limited NAME OTHER PERCENT TEXT
limited()
{
	ok_if "$4: $(path "$1") to $(path "$2")" at_most "$(path "$1")" "$(path "$2")" "$3"
}

boot speed --mode exact --param allow_unsafe=1 -- speed.sh
for n in "${!names[@]}"; do
	[ "$n" != 0 ] || continue
	diag "$(printf '%-13s %6s instructions, without the eventfd %s' "${names[n]}" "$(path "$n")" \
		"$(path "$n-alone")")"
done
limited 7-alone stock 51 "direct alone takes at most 0.51 of stock"
limited 7-alone 3 92 "and at most 0.92 of nothread, which is not safe"
limited 2 stock 100 "split takes no more than stock"
limited 1 stock 101 "thread takes no more than stock, within 1 %"
limited 4-alone 1 99 "thread-direct saves the eventfd"
limited 7-alone 4-alone 60 "direct saves the thread's hop"
limited 8-alone 7-alone 30 "page saves the sleep"
done_testing
