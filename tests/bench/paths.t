#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The judge of make bench: what is more than 1 % above the committed table, what breaks a ratio, and
# what is missing fails; a release that the table lacks is judged by the ratios alone.

# shellcheck source-path=SCRIPTDIR source=../lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"

judge()
{
	try awk -v release="$1" -f "$top/tests/bench/paths.awk" "$T/committed" "$T/measured"
}

# measured ROW NUMBER...: in pairs
measured()
{
	printf '%s\t%s\n' "$@" >"$T/measured"
}

printf '# comment\n6.6-rt\t%s\t%s\n' stock 7000 split 6900 nothread 4000 recording 70 direct 3500 \
	>"$T/committed"
good=(stock 7000 split 6900 nothread 4000 recording 70 direct 3500)

measured "${good[@]}"
judge 6.6-rt
is "$status" 0 "as committed: good"
like "$out" 'direct +3500 +3500 +\+0\.0 % +0\.500 +0\.875' "with ratios"

measured stock 7000 split 6900 nothread 4000 recording 70 direct 3535
judge 6.6-rt
is "$status" 0 "1 % more is still good"
measured stock 7000 split 6900 nothread 4000 recording 70 direct 3536
judge 6.6-rt
is "$status" 1 "more than that is not"
like "$out" 'direct: 3536 instructions, 1\.0 % more than the 3500 committed' "it is named"
measured stock 6000 split 6900 nothread 4000 recording 70 direct 3500
judge 6.6-rt
is "$status" 1 "a ratio that is broken fails"
like "$out" 'direct is 0\.583 of stock, more than 0\.51' "it is named"
like "$out" 'split is 1\.150 of stock, more than 1\.00' "and so is the other"
measured stock 7000 split 6900 nothread 4000 recording 81 direct 3500
judge 6.6-rt
is "$status" 1 "recording for 81 instructions fails"
measured stock 7000 split 6900 nothread 4000 recording 70
judge 6.6-rt
is "$status" 1 "a committed row that was not measured fails"
like "$out" 'direct: committed, but not measured' "it is named"

measured "${good[@]}"
judge 9.9-rt
is "$status" 0 "a release that the table lacks: the ratios decide"
like "$out" $'9\\.9-rt\tdirect\t3500' "and the rows to commit are printed"
measured stock 7000 split 6900 nothread 4000 recording 70 direct 3700
judge 9.9-rt
is "$status" 1 "a ratio that is broken fails there too"
done_testing
