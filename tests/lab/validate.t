#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# timeout: 300
#
# Can lab/validate be fooled? It judges boots that never took place: each verdict it knows, each
# reason for which a silence is none, the exit code. No guest is started.
# shellcheck source-path=SCRIPTDIR source=../lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"

mkdir -p "$top/build/lab"
work=$(mktemp -d "$top/build/lab/validate-test.XXXXXX")

# shellcheck disable=SC2317 # reached by trap
at_exit()
{
	rm -rf "$work"
}

# facts TOTAL STATES [LINE...]: what exercise says of a device; the later lines win.
facts()
{
	printf '%s\n' "ours 1" "wake eventfd" "known 510" "part calm" "interrupts 10" "unaccounted 0" \
		"lock_states 10 0 0 0 0 0 0" "part re-arms" "interrupts $1" "unaccounted 0" \
		"lock_states $2" "${@:3}"
}

# fake NAME KIND EXPECT COUNT: a boot that went well, COUNT interrupts on each device.
fake()
{
	local dir=$work/$1

	mkdir "$dir"
	printf '%s\n' "$1" "$2" "$3" module.ko course '' >"$dir/subject"
	printf '%s\n' 'boot 7.3.4-msilat-debug' start 'debug_locks 1' 'taint 4096' 'exit 0' \
		'end 0123456789abcdef' 'done 0' >"$dir/verdict"
	facts "$4" "900 5 4 3 2 1 0" >"$dir/edu.facts"
	facts "$4" "800 0 0 0 0 0 0" >"$dir/igb.facts"
	facts 10 "10 0 0 0 0 0 0" >"$dir/after.facts"
	printf '%s\n' 'driver msilat-vfio-pci' 'finished 1' >"$dir/payload.facts"
	: >"$dir/console"
	printf '%s\n' "$1" >>"$work/subjects"
}

# complaint NAME CLASS LINE: the kernel said so, and lockdep went silent.
complaint()
{
	local dir=$work/$1

	sed -i "s|^debug_locks 1|event $2 $3\ndebug_locks 0|" "$dir/verdict"
	printf '%s\n' "[   12.0] =====" "[   12.0] $3" "[   12.0] swapper/0/0 is trying to lock:" \
		"[   12.0] ffff888 (&ctx->wqh){....}-{3:3}, at: eventfd_signal_mask+0x5c/0x190" \
		>"$dir/console"
}

# scene [FORM]: the two controls, as they must be, and a clean split.
scene()
{
	rm -rf "${work:?}"/*
	printf '%s\n' 7.3.4-msilat-debug "${1:-full}" 8 >"$work/run"
	fake hardirq control report 0
	complaint hardirq lockdep '[ BUG: Invalid wait context ]'
	: >"$work/hardirq/edu.facts"
	: >"$work/hardirq/igb.facts"
	: >"$work/hardirq/after.facts"
	fake nothread strategy report 5
	complaint nothread lockdep '[ BUG: Invalid wait context ]'
	fake split strategy silence 5000
}

# unfolded: the table with verdicts on one line each.
unfolded()
{
	awk 'length > 39 && substr($0, 1, 39) ~ /^ *$/ { sub(/^ +/, " "); printf "%s", $0; next }
		{ printf "%s%s", n++ ? "\n" : "", $0 }
		END { print "" }' <<<"$out"
}

# line_is NAME PATTERN TEXT: its line in the table.
line_is()
{
	like "$(unfolded | grep "^  $1 ")" "$2" "$3"
}

judge()
{
	try "$top/lab/validate" --judge "$work"
}

all_well()
{
	scene
	fake page strategy silence 123456
	judge
	is "$status" 0 "all as it should be: exit 0"
	is "$err" '' "nothing on stderr"
	line_is hardirq 'VIOLATES: \[ BUG: Invalid wait context \] \(as it must\) &ctx->wqh in eventfd_signal_mask\(\)$' \
		"a control is said to be one"
	line_is nothread 'VIOLATES: .*\(as it must\)' "so is an unsafe strategy"
	line_is split 'clean: no report in 10 010 interrupts$' "10 010 interrupts are enough"
	line_is page ' 123 456 +123 456  clean: no report in 246 922 interrupts$' \
		"thousands are kept apart"
	like "$out" 'on split .* running 3, not running 2, in.hand-off 5.times' "what the load met is told"
	like "$out" '&ctx->wqh in eventfd_signal_mask\(\)' "the lock and its taker are named"
	unlike "$out" 'prove[nd] safe' "nothing is proved safe"
	is "$("$top/lab/enter" jq -r '.judged[] | select(.name == "page") | .verdict' \
		"build/lab/${work##*/}/validate.json")" clean "the verdict is in the JSON"
	is "$(line_count "$(awk 'length > 100' <<<"$out")")" 0 "no line beyond 100 columns"
}

violations()
{
	scene
	fake mine handler silence 6000
	complaint mine lockdep 'WARNING: possible circular locking dependency detected'
	judge
	is "$status" 1 "a handler that is reported: exit 1"
	line_is mine 'VIOLATES: WARNING: possible circular locking dependency detected' \
		"the first line of the report"
	line_is split 'clean' "the others are not affected"

	scene
	fake mine module silence 6000
	complaint mine bug 'BUG: sleeping function called from invalid context at x.c:1'
	sed -i '/^exit/,$d' "$work/mine/verdict"
	echo 'lost fell silent: no sign of life for 20 s' >>"$work/mine/verdict"
	judge
	line_is mine 'VIOLATES: BUG: sleeping function' "a report counts, though the guest is lost"
	is "$status" 1 "and fails"

	scene
	complaint split warning 'WARNING: fs/eventfd.c:68 at eventfd_signal_mask+0x1/0x2'
	judge
	line_is split 'VIOLATES: WARNING: fs/eventfd.c' "a WARNING is a report too"
	is "$status" 1 "and fails"
}

# unsure TEXT PATTERN: the scene as it stands makes split's silence worthless.
unsure()
{
	judge
	line_is split "INCONCLUSIVE: .*$2" "$1"
	is "$status" 1 "$1: exit 1"
}

reasons()
{
	scene
	facts 4000 "1 1 1 1 1 1 1" >"$work/split/edu.facts"
	unsure "too few interrupts" '9 010 interrupts, 10 000 are needed$'

	scene
	facts 5000 "900 5 4 3 0 1 0" >"$work/split/edu.facts"
	unsure "no owner that does not run" 'did not meet the lock not running on split$'
	scene
	facts 5000 "900 0 4 0 2 1 0" >"$work/split/edu.facts"
	unsure "neither running nor hand-off" 'did not meet the lock running or in hand-off on split$'
	fake page strategy silence 6000
	judge
	line_is page 'INCONCLUSIVE: the load did not meet' "and that goes for everything judged with it"

	scene
	facts 5000 "900 5 4 3 2 1 0" 'note contention: eventfd 0: 7 arrived, the driver sent 8' \
		'unaccounted 1' >"$work/split/edu.facts"
	unsure "a lost signal" '1 events not accounted for \(contention: eventfd 0: 7 arrived'

	scene
	sed -i 's/^debug_locks 1/debug_locks 0/' "$work/split/verdict"
	unsure "lockdep off without a report" 'lockdep was not at work at the end$'
	scene
	sed -i '/^debug_locks/d' "$work/split/verdict"
	unsure "no lockdep at all" 'lockdep was not at work at the end$'

	scene
	sed -i 's/^debug_locks 1/event stall rcu: INFO: rcu_preempt detected stalls\n&/' \
		"$work/split/verdict"
	unsure "a stall, which may be the host's" 'the kernel stalled, or the host did: rcu: INFO'

	scene
	sed -i '/^debug_locks/,$d' "$work/split/verdict"
	echo 'lost fell silent: no sign of life for 20 s' >>"$work/split/verdict"
	unsure "a lost guest" 'the guest fell silent: no sign of life for 20 s$'

	scene
	echo 'driver msilat-vfio-pci' >"$work/split/payload.facts"
	unsure "a course that broke off" 'the course did not end$'
	scene
	echo 'trouble the module does not load: insmod: no' >"$work/split/payload.facts"
	unsure "trouble in the guest" 'the module does not load: insmod: no'

	scene
	sed -i 's/^known 510/known 1022/' "$work/split/edu.facts"
	unsure "a strategy that was not judged" 'the driver has 9 strategies, 8 were found in its sources$'

	scene
	rm -rf "$work/split"
	sed -i '/^split$/d' "$work/subjects"
	fake page strategy silence 6000
	judge
	line_is page 'INCONCLUSIVE: no boot of split' "no control strategy"
	is "$status" 1 "no control strategy: exit 1"
}

# When what is bad on purpose is not seen, nothing that is seen counts.
controls()
{
	local name

	for name in hardirq nothread; do
		scene
		sed -i '/^event/d; s/^debug_locks 0/debug_locks 1/' "$work/$name/verdict"
		unsure "$name is not reported" "deliberate violation not reported: $name"
		line_is $name 'INCONCLUSIVE: must be reported and was not' "$name says so itself"
	done
	scene
	sed -i 's/^event lockdep/event warning/' "$work/nothread/verdict"
	unsure "a WARNING is not the report that is wanted" 'deliberate violation not reported: nothread'
}

short_form()
{
	scene short
	fake page strategy silence 700
	judge
	is "$status" 0 "short form: exit 0"
	line_is page 'short: no report in 1 410 interrupts$' "fewer interrupts are never called clean"
	line_is split 'clean: no report in 10 010 interrupts$' "enough are, in either form"
	facts 700 "900 0 4 0 2 1 0" >"$work/split/edu.facts"
	judge
	is "$status" 1 "the other conditions hold for the short form too"
}

refusals()
{
	try "$top/lab/validate" --nonsense
	is "$status" 1 "an unknown option: exit 1"
	like "$err" '^validate: unknown option --nonsense' "it is named"
	try "$top/lab/validate" --strategy
	like "$err" '^validate: --strategy needs a value' "an option without its value"
	try "$top/lab/validate" --interrupts 0
	like "$err" 'positive whole number' "a count that is none"
	try "$top/lab/validate" --judge "$T"
	like "$err" 'outside of the project' "boots that the root cannot see"
}

all_well
violations
reasons
controls
short_form
refusals
done_testing
