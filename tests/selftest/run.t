#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# tests/run is fed tests that lie, and must not believe them.

# shellcheck source-path=SCRIPTDIR source=../lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"
run=$top/tests/run
mkdir "$T/tests"
cd "$T" || exit 1

# make NAME: a test from stdin.
make()
{
	{
		echo '#!/bin/bash'
		cat
	} >"tests/$1.t"
	chmod +x "tests/$1.t"
}

# verdict NAME LAST-LINE EXIT TEXT: what tests/run makes of tests/NAME.t.
verdict()
{
	try "$run" "tests/$1.t"
	is "$(tail -n 1 <<<"$out"), exit $status" "$2, exit $3" "$4"
}

make good <<-'END'
	echo "TAP version 13"
	echo "1..3"
	echo "ok 1 - one"
	echo "# a comment"
	echo "ok 2 - two # SKIP no card: plug one in"
	echo "ok 3"
END
verdict good "2 passed, 0 failed, 1 skipped" 0 "honest test, plan first"
like "$out" "- skipped 2 - two # SKIP no card: plug one in" "a skip is shown with its reason"
is "$(grep -c 'passed, ' <<<"$(tail -n +2 <<<"$out")")" 1 "the sum is there exactly once"

make last <<-'END'
	echo "ok - no number"
	echo "ok - again"
	echo "1..2"
END
verdict last "2 passed, 0 failed" 0 "honest test, plan last, no numbers"

make fails <<-'END'
	echo "1..2"
	echo "ok 1"
	echo "not ok 2 - bad"
	echo "# because"
	echo "on stderr" >&2
	exit 1
END
verdict fails "1 passed, 1 failed" 1 "honest failure is counted once"
like "$out" "# because" "output of a failed test is shown"
like "$out" "stderr \| on stderr" "so is its stderr"

make noplan <<-'END'
	echo "ok 1"
END
verdict noplan "1 passed, 1 failed" 1 "no plan"

make short <<-'END'
	echo "1..5"
	echo "ok 1"
END
verdict short "1 passed, 4 failed" 1 "every planned case that did not run has failed"

make long <<-'END'
	echo "1..1"
	echo "ok 1"
	echo "ok 2"
END
verdict long "2 passed, 1 failed" 1 "more cases than planned"

make twice <<-'END'
	echo "1..1"
	echo "ok 1"
	echo "1..1"
END
verdict twice "1 passed, 1 failed" 1 "two plans"

make middle <<-'END'
	echo "ok 1"
	echo "1..2"
	echo "ok 2"
END
verdict middle "2 passed, 1 failed" 1 "plan in the middle"

make order <<-'END'
	echo "1..2"
	echo "ok 1"
	echo "ok 3"
END
verdict order "2 passed, 1 failed" 1 "a case number that is not the next"

make exit1 <<-'END'
	echo "1..1"
	echo "ok 1"
	exit 1
END
verdict exit1 "1 passed, 1 failed" 1 "all ok, yet exit code 1"
like "$out" "exit code 1 although no case failed" "and it is said"

make exit0 <<-'END'
	echo "1..1"
	echo "not ok 1"
	exit 0
END
verdict exit0 "0 passed, 1 failed" 1 "a failed case with exit code 0 has failed"

make crash <<-'END'
	echo "1..2"
	echo "ok 1"
	kill -SEGV $$
END
verdict crash "1 passed, 2 failed" 1 "death by signal after one of two"
like "$out" "died of signal 11" "the signal is named"

make crashlate <<-'END'
	echo "1..1"
	echo "ok 1"
	kill -ABRT $$
END
verdict crashlate "1 passed, 1 failed" 1 "death by signal after all cases"

make hang <<-'END'
	# timeout: 1
	echo "1..1"
	echo "ok 1"
	sleep 1000
END
start=$SECONDS
verdict hang "1 passed, 1 failed" 1 "a hang is ended after the test's own time limit"
ok_if "in about that time" test $((SECONDS - start)) -le 5
like "$out" "time limit of 1 s" "and it is said"

make deaf <<-'END'
	# timeout: 1
	trap '' TERM
	echo "1..1"
	echo "ok 1"
	while :; do sleep 1; done
END
verdict deaf "1 passed, 1 failed" 1 "a hang deaf to SIGTERM is killed"

make zero <<-'END'
	echo "1..0"
END
verdict zero "0 passed, 1 failed" 1 "a plan of no case"

make silent <<-'END'
	exit 0
END
verdict silent "0 passed, 1 failed" 1 "a test that says nothing"

make skipall <<-'END'
	echo "1..0 # SKIP no valgrind: apt-get install valgrind"
END
verdict skipall "0 passed, 0 failed, 1 skipped" 1 "nothing but skips is no success"
like "$out" "skipped all: no valgrind: apt-get install valgrind" "the reason is shown"
make skip77 <<-'END'
	echo "1..0 # SKIP no reason to"
	exit 77
END
try "$run" tests/skip77.t tests/good.t
is "$(tail -n 1 <<<"$out")" "2 passed, 0 failed, 2 skipped" "exit code 77 with a skip of all"

make skiplie <<-'END'
	echo "1..0 # SKIP nothing to see"
	echo "ok 1"
END
verdict skiplie "1 passed, 1 failed" 1 "skips all and runs one"

make bail <<-'END'
	echo "1..1"
	echo "ok 1"
	echo "Bail out! No disk"
END
verdict bail "1 passed, 1 failed" 1 "bail out"

make todo <<-'END'
	echo "1..1"
	echo "not ok 1 # TODO later"
END
verdict todo "0 passed, 1 failed" 1 "TODO is no excuse"

make leaves <<-'END'
	echo "1..1"
	sleep 987 &
	echo $! >pid
	echo "ok 1"
END
verdict leaves "1 passed, 0 failed" 0 "a process left behind does not hold anything up"
ok_if "and is killed" wait_until 5 not kill -0 "$(cat pid)"

make interrupt <<-'END'
	echo "1..1"
	trap 'echo "ok 1"; exit 0' INT
	kill -INT $$
	echo "not ok 1 - deaf"
END
verdict interrupt "1 passed, 0 failed" 0 "a test is not deaf to SIGINT"

printf '#!/bin/bash\necho 1..1\necho ok 1\n' >tests/plain.t
verdict plain "0 passed, 2 failed" 1 "a test that is not executable"
chmod +x tests/plain.t

mkdir -p dir/sub
cp tests/good.t dir/sub/b.t
cp tests/plain.t dir/a.t
cp tests/fails.t dir/helper.sh
try "$run" dir
is "$(tail -n 1 <<<"$out"), exit $status" "3 passed, 0 failed, 1 skipped, exit 0" \
	"a directory stands for the *.t below it"
is "$(grep -oE '[a-z/]+\.t' <<<"$out")" $'dir/a.t\ndir/sub/b.t' "in order of name"
cd dir || exit 1
try "$run" a.t
is "$(tail -n 1 <<<"$out"), exit $status" "1 passed, 0 failed, exit 0" "a test named without a slash"
cd .. || exit 1

mkdir empty
try "$run" empty
is "$(tail -n 1 <<<"$out"), exit $status" "0 passed, 0 failed, exit 1" "no test at all is no success"
try "$run" nosuch.t
is "$status" 1 "a test that does not exist"
like "$err" "nosuch.t: no such test" "is named"
try "$run" --junit
is "$status" 1 "an unknown option"

try "$run" tests/good.t tests/crash.t tests/exit1.t
is "$(tail -n 1 <<<"$out"), exit $status" "4 passed, 3 failed, 1 skipped, exit 1" \
	"several files add up"
done_testing
