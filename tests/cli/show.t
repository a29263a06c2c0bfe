#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# msilat show: of results, good and damaged.

# shellcheck source-path=SCRIPTDIR source=../lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"
# shellcheck source-path=SCRIPTDIR source=../lib/cli.sh
. "$top/tests/lib/cli.sh"
need_program
try msilat run sim -q -p 0 -l 30 -i 10 --results "$T/results" --label one
is "$status" 0 "a result to show"
shown=$out
accepted "show" show "$T/results/one"
is "$out"$'\n'"$T/results/one/   exit 0" "$shown" "it prints what the run printed"
accepted "with a slash at the end" show "$T/results/one/"
accepted "--json" show --json "$T/results/one"
is "$(jq -S . "$T/.out")" "$(jq -S . "$T/results/one/manifest.json")" "it prints the manifest"
accepted "two at once" show "$T/results/one" "$T/results/one"
is "$(grep -c "^sim vector 0" <<<"$out")" 2 "both are shown"

refused "a directory that is not there" "^$T/none: not a result directory \(no readable manifest.json\)$" \
	show "$T/none"
mkdir "$T/empty"
refused "one without manifest" "^$T/empty: not a result directory" show "$T/empty"
refused "a file" "not a result directory" show "$T/results/one/manifest.json"
try msilat show "$T/empty" "$T/results/one" "$T/none"
is "$status" 1 "two of three are bad"
is "$(grep -c "^sim vector 0" <<<"$out")" 1 "the good one is shown"
is "$(line_count "$err")" 2 "each bad one has its line"

# damaged NAME PATTERN: manifest.json comes on stdin.
damaged()
{
	mkdir -p "$T/bad"
	cat >"$T/bad/manifest.json"
	refused "$1" "$2" show "$T/bad"
}

damaged "an empty manifest" "manifest.json: damaged at line 1" </dev/null
damaged "half a manifest" "damaged at line [0-9]+" < <(head -c 700 "$T/results/one/manifest.json")
damaged "a newer schema" "schema 2; this program reads 1" \
	< <(sed 's/"schema": 1/"schema": 2/' "$T/results/one/manifest.json")
damaged "a manifest that is no object" "this program reads 1" <<<'[]'
damaged "noise" "damaged at line" < <(head -c 4096 "$MSILAT")

mkdir "$T/odd"
echo '{"schema": 1}' >"$T/odd/manifest.json"
accepted "a manifest with nothing in it" show "$T/odd"
like "$out" "^INVALID" "is not taken for a valid run"
jq '.valid = false | .verdicts += [{"name": "x", "ok": false, "text": "because"}] |
	.state = "interrupted"' "$T/results/one/manifest.json" >"$T/odd/manifest.json"
accepted "an invalid run" show "$T/odd"
like "$out" "^INVALID: do not use these numbers" "says so first"
like "$out" "WARN x: because" "and why"
like "$out" "state: interrupted" "and how it ended"
jq '.probe = {free: 9990000, handoff: 12, self: 3, running: 1200, not_running: 0, other_thread: 4,
	own_thread: 12345, recursion: 2} | .mode = "hardware"' "$T/results/one/manifest.json" \
	>"$T/odd/manifest.json"
accepted "a hazard probe" show "$T/odd"
like "$out" $'\n''  hazard probe      lock free 9 990 000 ×, taken 1 219 × \(0\.012 %\), own thread 12 345 × \(not counted\)'$'\n' \
	"how often the lock was taken, the own thread apart"
like "$out" "hand-off 12, interrupted task 3, running 1 200, not running 0, other vector 4"$'\n' "by whom"
like "$out" "recursion guard set 2 ×" "the recursion guard"
like "$out" "an indicator: a lower bound with epoll, near zero where nobody uses the eventfd" "its limits"
like "$shown" $'\n'"  hazard probe      -"$'\n' "no probe, no numbers"
done_testing
