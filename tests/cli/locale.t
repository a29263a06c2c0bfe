#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# A locale that writes numbers with a comma must not reach files or output.

# shellcheck source-path=SCRIPTDIR source=../lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"
# shellcheck source-path=SCRIPTDIR source=../lib/cli.sh
. "$top/tests/lib/cli.sh"
need_program
wanted=
for name in de_DE.UTF-8 de_DE.utf8 fr_FR.UTF-8 fr_FR.utf8 ru_RU.utf8; do
	if [ "$(LC_ALL=$name printf '%.1f' 1 2>/dev/null)" = 1,0 ]; then
		wanted=$name
		break
	fi
done
if [ -z "$wanted" ]; then
	# Make one, if the machine can.
	if localedef -i de_DE -f UTF-8 "$T/de_DE.UTF-8" 2>/dev/null &&
	   [ "$(LOCPATH=$T LC_ALL=de_DE.UTF-8 bash -c "printf '%.1f' 1" 2>/dev/null)" = 1,0 ]; then
		export LOCPATH=$T
		wanted=de_DE.UTF-8
	else
		skip_all "no locale with a decimal comma; apt-get install locales-all"
	fi
fi
diag "locale $wanted"
try env LC_ALL="$wanted" LANG="$wanted" "$MSILAT" run sim -p 0 -l 100 -i 10 --results "$T/results" \
	--label one
is "$status" 0 "a run"
unlike "$out" "[0-9],[0-9]" "its output has no decimal comma"
is "$(grep -c '[0-9],[0-9]' "$T/results/one/histogram.tsv")" 0 "nor has the histogram"
is "$(grep -c '[0-9],[0-9]' "$T/results/one/outliers.tsv")" 0 "nor have the outliers"
ok_if "the manifest is JSON" jq -e '.elapsed_s > 0 and .clock.hz > 1000000' \
	"$T/results/one/manifest.json"
try env LC_ALL="$wanted" "$MSILAT" show "$T/results/one"
is "$status" 0 "it can be shown"
done_testing
