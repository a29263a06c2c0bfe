# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
#
# run_units NAME MAKE-ARGUMENT...: builds the unit tests and runs them all as one TAP test, each
# case called after its program. A program's word is not taken: it must keep to its plan, and its
# exit code must agree with its cases.

# shellcheck source-path=SCRIPTDIR source=../lib/tap.sh
. "$(dirname "${BASH_SOURCE[0]}")/../lib/tap.sh"
# shellcheck source-path=SCRIPTDIR source=../lib/build-dir.sh
. "$(dirname "${BASH_SOURCE[0]}")/../lib/build-dir.sh"

# run_program NOUN PROGRAM
run_program()
{
	local line planned=0 cases=0 bad=0

	try env CMOCKA_MESSAGE_OUTPUT=TAP "$2"
	while IFS= read -r line; do
		case $line in
		1..*) planned=${line#1..} ;;
		"ok "*)
			cases=$((cases + 1))
			tap_case ok "$1: ${line#ok * - }"
			;;
		"not ok "*)
			cases=$((cases + 1)) bad=$((bad + 1))
			tap_case 'not ok' "$1: ${line#not ok * - }"
			;;
		"#"*) echo "$line" ;;
		*) diag "$line" ;;
		esac
	done <"$T/.out"
	sed 's/^/# /' "$T/.err"
	if [ "$cases" != "$planned" ] || [ "$cases" = 0 ]; then
		tap_case 'not ok' "$1: planned $planned cases, ran $cases (exit code $status)"
	elif [ "$status" != 0 ] && [ "$bad" = 0 ]; then
		tap_case 'not ok' "$1: exit code $status although no case failed"
	fi
}

run_units()
{
	local dir source

	dir=$(build_dir "$1")
	shift
	if ! make -s -j2 -C "$top/tests/unit" O="$dir" "$@" >"$T/build" 2>&1; then
		echo "1..1"
		echo "not ok 1 - the unit tests build"
		sed 's/^/# /' "$T/build"
		exit 1
	fi
	for source in "$top"/tests/unit/*_test.c; do
		source=$(basename "$source" .c)
		run_program "${source%_test}" "$dir/$source"
	done
	done_testing
}
