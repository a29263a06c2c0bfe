# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2034,SC2154
#
# Decides how a guest did, from what lab/init wrote to the verdict channel, from QEMU's own events
# and from which limit ran out. The console is never asked. Sourced by lab/guest.
#
# Uses: run (the run directory), stopped (why the guest was stopped: '', boot, limit, heartbeat,
# poweroff, sacrifice, interrupt), silent (which CPU's heart was missed), qemu_status, expect and
# allow (lists of classes), and the limits.

judge_classes="warning bug lockdep stall panic silence"

# judge_read: the channel's lines into variables.
judge_read()
{
	local word rest nonce

	nonce=$(cat "$run/nonce" 2>/dev/null) || nonce=
	booted='' failed='' code='' ended='' events=() happened=''
	while read -r word rest; do
		case $word in
		boot) booted=$rest ;;
		failed) failed=$rest ;;
		event)
			events+=("$rest")
			happened="$happened ${rest%% *}"
			;;
		exit) code=$rest ;;
		end) [ "$rest" != "$nonce" ] || ended=1 ;;
		esac
	done <"$run/verdict"
	if qemu_says GUEST_PANICKED; then
		happened="$happened panic"
		[ ${#events[@]} -gt 0 ] || events+=("panic of the kernel")
	fi
}

# qemu_says TEXT: is there an event of QEMU's with it?
qemu_says()
{
	grep -q -- "$1" "$run/qmp" 2>/dev/null
}

has()
{
	case " $2 " in
	*" $1 "*) return 0 ;;
	esac
	return 1
}

# judge_lost: the guest never said it was done. Sets lost to what became of it, and adds silence
# to what happened where that is the name for it.
judge_lost()
{
	lost=
	if [ -n "$ended" ]; then
		[ "$stopped" != poweroff ] || lost="did not power off after its verdict"
		return 0
	fi
	if has panic "$happened"; then
		lost="panicked"
		return 0
	fi
	case $stopped in
	boot) lost="did not boot within $boot_limit s" ;;
	heartbeat) lost="fell silent: no sign of life from $silent for $heartbeat_limit s" ;;
	limit) lost="was not done within $time_limit s" ;;
	sacrifice) lost="was stopped after its complaint, as asked" ;;
	interrupt) lost="was interrupted" ;;
	esac
	case $stopped in
	boot | heartbeat | limit) happened="$happened silence" ;;
	'')
		if [ -n "$failed" ]; then
			lost="could not set the stage: $failed"
		elif qemu_says '"guest-reset"' && [ -z "$booted" ]; then
			lost="panicked or reset itself in early boot"
		elif qemu_says '"guest-reset"'; then
			lost="reset itself before its verdict"
		elif qemu_says '"guest-shutdown"'; then
			lost="powered off before its verdict"
		elif [ -z "$booted" ] && [ -s "$run/qemu" ]; then
			lost="QEMU did not start: $(grep -v -i warning "$run/qemu" | head -n 1)"
		else
			lost="QEMU ended (status $qemu_status) before the verdict"
		fi
		;;
	esac
}

# excused: is the loss of the guest itself what the caller expects or tolerates?
excused()
{
	case $lost in
	panicked) has panic "$expect $allow" ;;
	*"as asked") return 0 ;;
	*) has silence "$happened" && has silence "$expect $allow" ;;
	esac
}

# judge: sets verdict to the exit code and complaint to what is wrong, if anything is.
judge()
{
	local class

	judge_read
	judge_lost
	verdict=${code:-0} complaint=
	for class in $judge_classes; do
		if has "$class" "$happened"; then
			has "$class" "$expect $allow" || complaint="$complaint, unexpected $class"
		elif has "$class" "$expect"; then
			complaint="$complaint, expected $class did not happen"
		fi
	done
	if [ -n "$lost" ] && ! excused; then
		complaint=", $lost$complaint"
	fi
	complaint=${complaint#, }
	[ -z "$complaint" ] || verdict=1
}

# judge_keep: for whoever wants more than the exit code: what the guest said by the channel but for
# its signs of life, then "done CODE" or "lost HOW".
judge_keep()
{
	grep -v '^alive ' "$run/verdict" || true
	if [ -n "$lost" ]; then
		printf 'lost %s\n' "$lost"
	else
		printf 'done %s\n' "${code:-0}"
	fi
}

# judge_tell CONSOLE: the one line for a failure, what the kernel said, and where to read on.
judge_tell()
{
	local event

	say "guest ${booted:-(not booted)}: $complaint; console: $1"
	for event in "${events[@]}"; do
		say "  $event"
	done
	if [ -z "$ended" ] && [ ${#events[@]} -eq 0 ]; then
		tail -n 3 "$1" 2>/dev/null | tr -d '\r' | sed 's/^/  | /' >&2
	fi
}
