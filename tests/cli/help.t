#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# What the program says about itself, and to somebody who does not know it.

# shellcheck source-path=SCRIPTDIR source=../lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"
# shellcheck source-path=SCRIPTDIR source=../lib/cli.sh
. "$top/tests/lib/cli.sh"
need_program

try msilat
is "$status" 1 "no command at all is an error"
is "$out" "" "which goes to stderr"
like "$err" "Usage: msilat COMMAND" "and shows the usage"
for arg in --help -h help; do
	accepted "msilat $arg" "$arg"
	for command in list bind unbind run hazard show; do
		like "$out" $'\n  '"$command +[^ ]" "msilat $arg names $command"
	done
	like "$out" "Exit: 0 ok, 1 error, 2 threshold exceeded, 3 run invalid" "and the exit codes"
done
accepted "msilat --version" --version
like "$out" '^msilat [0-9]+\.[0-9]+' "the version has a name and a number"
refused "an unknown command" '^frobnicate: no such command \(msilat --help\)$' frobnicate
refused "an unknown option instead of a command" '^--frob: no such command' --frob
refused "an empty command" 'no such command' ''

for command in list bind unbind run hazard show; do
	for arg in --help -h; do
		accepted "msilat $command $arg" "$command" "$arg"
		like "$out" "^Usage: msilat $command " "it begins with the usage"
		like "$out" "-h, --help" "it lists itself"
		ok_if "its lines fit 100 columns" awk 'length > 100 { print; bad = 1 } END { exit bad }' \
			"$T/.out"
	done
	refused "$command: an unknown option" "--frobnicate: unknown.*msilat $command --help" \
		"$command" --frobnicate
	refused "$command: an unknown letter" "-Z: unknown.*msilat $command --help" "$command" -Z
done
refused "run: no device" 'run: name one PCI function, or sim \(msilat list\)' run
refused "run: two devices" 'run: name one PCI function, or sim' run sim sim
refused "hazard: no device" 'hazard: name one PCI function, or sim \(msilat list\)' hazard
refused "show: nothing to show" 'show: which result directory' show
refused "bind: no function" 'bind: which function\? \(msilat list\)' bind
refused "unbind: no function" 'unbind: which function\? \(msilat list\)' unbind
refused "list: an argument it does not take" '(^|: )rubbish' list rubbish
# to_full ARG...: its output to a full disk.
# shellcheck disable=SC2317 # called through try
to_full()
{
	msilat "$@" >/dev/full
}

for command in --help --version "run --help" list; do
	# shellcheck disable=SC2086
	try to_full $command
	is "$status" 1 "msilat $command that cannot be written is an error"
	like "$err" "No space left" "and says why"
done
done_testing
