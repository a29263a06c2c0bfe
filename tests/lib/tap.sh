# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
#
# TAP for bash tests. Source it first:  . "$(dirname "$0")/../lib/tap.sh"
#
#	plan N			the number of cases, before the first; or done_testing at the end
#	skip_all REASON		skip the whole file; before the first case
#	ok_if TEXT CMD...	passes if CMD succeeds
#	not CMD...		succeeds if CMD fails: ok_if "no file is left" not test -e "$f"
#	is GOT WANT TEXT
#	like STRING PATTERN NAME	extended regular expression; unlike is the opposite
#	skip TEXT REASON [N]	N cases (default 1) that cannot run here; REASON says how to make them run
#	diag TEXT...		a comment in the output
#	try CMD...		runs CMD; sets $status, $out (stdout) and $err (stderr); never fails
#	line_count STRING	lines in STRING
#	wait_until SECONDS CMD...	repeats CMD until it succeeds; fails when the time is over
#	msilat ARG...		the program under test. For a background job write "$MSILAT" itself, so
#				that $! is its process
#
# For shellcheck put a line above:  # shellcheck source-path=SCRIPTDIR source=../lib/tap.sh
#
# Variables: $T, a scratch directory removed at exit; $top, the project; $MSILAT, the program.
# A test that wants to clean up more defines a function at_exit.

set -u
export LC_ALL=C
top=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/../.." && pwd)
T=$(mktemp -d "${TMPDIR:-/tmp}/msilat-test.XXXXXX") || exit 1
tap_planned=
tap_ran=0
tap_failed=0
status=0 out='' err=''

if [ -z "${MSILAT:-}" ]; then
	MSILAT=$top/build/host/msilat
	# In the lab's root the program that was built for it; a host's may need other libraries.
	if [ "$top" = /msilat ] && [ -x "$top/build/lab/msilat" ]; then
		MSILAT=$top/build/lab/msilat
	fi
fi
export MSILAT

tap_end()
{
	local code=$?

	trap - EXIT
	! declare -F at_exit >/dev/null || at_exit
	rm -rf -- "$T"
	if [ "$code" = 0 ] && [ "$tap_failed" -gt 0 ]; then
		code=1
	fi
	exit "$code"
}
trap tap_end EXIT
trap 'exit 143' TERM
trap 'exit 130' INT

plan()
{
	tap_planned=$1
	echo "1..$1"
}

skip_all()
{
	echo "1..0 # SKIP $*"
	exit 0
}

done_testing()
{
	[ -n "$tap_planned" ] || plan "$tap_ran"
	[ "$tap_failed" = 0 ]
	exit
}

diag()
{
	printf '%s\n' "$*" | sed 's/^/# /'
}

tap_case()
{
	tap_ran=$((tap_ran + 1))
	[ "$1" = ok ] || tap_failed=$((tap_failed + 1))
	# A '#' would begin a directive.
	printf '%s %d - %s\n' "$1" "$tap_ran" "${2//\#/\\\#}"
}

ok_if()
{
	local text=$1

	shift
	if "$@" >"$T/.ok" 2>&1; then
		tap_case ok "$text"
	else
		tap_case 'not ok' "$text"
		diag "failed: $*"
		sed 's/^/# /' "$T/.ok"
	fi
}

not()
{
	! "$@"
}

is()
{
	if [ "$1" = "$2" ]; then
		tap_case ok "$3"
	else
		tap_case 'not ok' "$3"
		diag "     got: $1"
		diag "expected: $2"
	fi
}

like()
{
	if [[ $1 =~ $2 ]]; then
		tap_case ok "$3"
	else
		tap_case 'not ok' "$3"
		diag "     got: $1"
		diag "expected: $2"
	fi
}

unlike()
{
	if [[ $1 =~ $2 ]]; then
		tap_case 'not ok' "$3"
		diag "       got: $1"
		diag "unexpected: $2"
	else
		tap_case ok "$3"
	fi
}

skip()
{
	local i

	for ((i = 0; i < ${3:-1}; i++)); do
		tap_ran=$((tap_ran + 1))
		printf 'ok %d - %s # SKIP %s\n' "$tap_ran" "$1" "$2"
	done
}

# shellcheck disable=SC2034 # for the test that sources this
try()
{
	status=0
	"$@" >"$T/.out" 2>"$T/.err" </dev/null || status=$?
	out=$(cat "$T/.out")
	err=$(cat "$T/.err")
}

line_count()
{
	if [ -z "$1" ]; then
		echo 0
	else
		printf '%s\n' "$1" | wc -l
	fi
}

wait_until()
{
	local end=$((SECONDS + $1))

	shift
	while ! "$@"; do
		[ "$SECONDS" -lt "$end" ] || return 1
		sleep 0.02
	done
}

msilat()
{
	"$MSILAT" "$@"
}
