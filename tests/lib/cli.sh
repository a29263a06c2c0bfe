# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
#
# For tests of the command line; sourced after tap.sh.
#
#	refused NAME PATTERN ARG...	msilat ARG... exits with 1, prints nothing on stdout and one
#					line on stderr: "msilat: " and something that fits PATTERN
#	accepted NAME ARG...		msilat ARG... exits with 0 and prints nothing on stderr

# shellcheck disable=SC2154 # status, out and err come from try
is_refusal()
{
	local want=$1

	printf '%s\n' "exit code: $status" "stdout: $out" "stderr: $err" "wanted: $want"
	[ "$status" = 1 ] && [ -z "$out" ] && [ "$(line_count "$err")" = 1 ] &&
		[[ $err == "msilat: "* ]] && [[ ${err#msilat: } =~ $want ]]
}

refused()
{
	local name=$1 want=$2

	shift 2
	try msilat "$@"
	ok_if "$name" is_refusal "$want"
}

is_success()
{
	printf '%s\n' "exit code: $status" "stdout: $out" "stderr: $err"
	[ "$status" = 0 ] && [ -z "$err" ]
}

accepted()
{
	local name=$1

	shift
	try msilat "$@"
	ok_if "$name" is_success
}

# realtime: this process may use SCHED_FIFO.
realtime()
{
	chrt -f 1 true 2>/dev/null
}

# need_program: fail the file if there is nothing to test, or only what was built of older sources.
need_program()
{
	local newer

	[ -x "$MSILAT" ] || {
		echo "1..1"
		echo "not ok 1 - $MSILAT is built (make, or make -C user)"
		exit 1
	}
	case $MSILAT in
	"$top"/build/*) newer=$(find "$top/user" -name '*.[ch]' -newer "$MSILAT" -print -quit) ;;
	esac
	[ -z "${newer:-}" ] || {
		echo "1..1"
		echo "not ok 1 - $MSILAT is up to date: $newer is newer (make, or make -C user O=${MSILAT%/*})"
		exit 1
	}
}
