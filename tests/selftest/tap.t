#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The helpers of tests/lib/tap.sh say "not ok" when they should.

# shellcheck source-path=SCRIPTDIR source=../lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"
lib=$top/tests/lib/tap.sh

# script: run stdin as a test of its own.
script()
{
	{
		echo '#!/bin/bash'
		echo ". '$lib'"
		cat
	} >"$T/one.t"
	try bash "$T/one.t"
}

script <<-'END'
	ok_if "true" true
	ok_if "false" false
	ok_if "not" not false
	ok_if "not true" not true
	is a a "same"
	is a b "different"
	like abc '^a.c$' "matches"
	like abc '^b' "does not match"
	unlike abc '^b' "does not match"
	unlike abc 'b' "matches"
	done_testing
END
is "$(grep -o '^[a-z ]*ok [0-9]*' <<<"$out" | tr '\n' ,)" \
	"ok 1,not ok 2,ok 3,not ok 4,ok 5,not ok 6,ok 7,not ok 8,ok 9,not ok 10," "verdicts"
like "$out" $'\n1\.\.10$' "done_testing prints the plan"
is "$status" 1 "exit code after a failure"
like "$out" "# +got: a"$'\n'"# expected: b" "a difference is shown"

script <<-'END'
	plan 1
	is a b "different"
END
is "$status" 1 "exit code after a failure without done_testing"

script <<-'END'
	plan 2
	is a a "an event #1 # SKIP me"
	skip "one" "no card: plug one in"
	done_testing
END
is "$out" $'1..2\nok 1 - an event \\#1 \\# SKIP me\nok 2 - one # SKIP no card: plug one in' \
	"text cannot pass for a directive"
is "$status" 0 "exit code of a success"

script <<-'END'
	skip_all "no valgrind: apt-get install valgrind"
END
is "$out, $status" "1..0 # SKIP no valgrind: apt-get install valgrind, 0" "skip_all"

script <<-'END'
	echo "$T"
	touch "$T/file"
	at_exit() { echo "cleaned"; }
	exit 3
END
is "$status" 3 "an exit code is kept"
is "$(tail -n 1 <<<"$out")" "cleaned" "at_exit is called"
ok_if "the scratch directory is gone" not test -e "$(head -n 1 <<<"$out")"

script <<-'END'
	try sh -c 'echo out; echo err >&2; exit 7'
	echo "$status,$out,$err"
	ok_if "prints" echo "ok 99 - forged"
	wait_until 1 false || echo "over"
	echo "$(line_count "") $(line_count "a") $(line_count $'a\nb')"
	done_testing
END
is "$(head -n 1 <<<"$out")" "7,out,err" "try"
unlike "$out" "forged" "the output of a tried command is not taken for a verdict"
like "$out" "over" "wait_until gives up"
like "$out" "0 1 2" "line_count"
done_testing
