#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# shellcheck disable=SC2317 # ok_if runs functions by name
#
# A guest that lies, dies or keeps silent cannot pass: lib.bash and guest.sh against made-up guests.

. "$(dirname "$0")/lib.bash"

# pretend NAME CODE: collects a guest that said what is on stdin and ended with CODE, in a test of
# its own; its verdict is the exit code, its cases go to $T/told.
pretend()
{
	cat >"$T/$1.said"
	(
		trap - EXIT
		tap_ran=0 tap_failed=0
		mkdir "$T/$1"
		: >"$T/$1.err"
		(exit "$2") &
		guests[$1]=$!
		collect "$1"
		[ "$tap_failed" = 0 ]
	) >"$T/told" 2>&1
}

ok_if "a guest that does all it should passes" pretend good 0 <<-END
	ok - something
	finished
END
ok_if "and its case is retold" grep -q '^ok 1 - something$' "$T/told"
ok_if "a failed case fails" not pretend failed 0 <<-END
	not ok - something
	finished
END
ok_if "one with a carriage return too" not pretend crlf 0 < <(printf 'not ok - x\r\nfinished\r\n')
ok_if "a script that does not finish fails" not pretend unfinished 0 <<-END
	ok - something
END
ok_if "so does one that says nothing" not pretend silent 0 </dev/null
ok_if "a guest that lab/guest complains about fails" not pretend kernel 1 <<-END
	ok - something
	finished
END
ok_if "a skipped case is told as skipped" pretend skipped 0 <<-END
	ok - something # SKIP no card
	finished
END
ok_if "with its reason" grep -q '^ok 1 - something # SKIP no card$' "$T/told"

# by_helper LINE...: what guest.sh's helper() makes of a program that prints these lines, then
# ends as the last word says.
by_helper()
{
	local code=${!#}

	printf '%s\n' '#!/bin/sh' "printf '%b' '$1'" "exit $code" >"$T/program"
	chmod +x "$T/program"
	(
		cd "$T" || exit
		# shellcheck source=payload/guest.sh
		. "$guest_dir/payload/guest.sh"
		here=$T scratch=$T
		helper program
	)
}

is "$(by_helper 'ok - a\nok - b\ndone 2\n' 0)" $'ok - a\nok - b' "a helper's cases are taken over"
like "$(by_helper 'ok - a\ndone 2\n' 0)" 'not ok - program' "too few cases fail"
like "$(by_helper 'ok - a\n' 0)" 'not ok - program' "a helper that does not say it is done fails"
like "$(by_helper 'ok - a\ndone 1\n' 139)" 'not ok - program' "a helper that crashes fails"
unlike "$(by_helper 'not ok - a\ndone 1\n' 1)" 'ran to its end' "exit 1 goes with failed cases"
done_testing
