#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# lab/selftest.sh [GROUP...]: TAP. Can the lab be fooled? KERNEL names the kernel; default newest.
#
#   quick     what needs no guest: kernel names, mirror detection, options, clean-up
#   verdicts  guests whose kernels complain, and payloads that end in every way
#   losses    guests that are lost in every way, and a lab/guest that is killed
#   exact     two exact boots, side by side: are they the same to the instruction?
#   debug     the debug kernel: does lockdep still report, and do we still hear it?
#
# All but debug by default; some minutes on two idle cores.

set -eu
. "$(dirname "$0")/lib.sh"
. "$lab_dir/mirror.sh"
. "$lab_dir/kernels.sh"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
tap_n=0 tap_failed=0

# ok WHAT COMMAND...: a test that passes when COMMAND does.
ok()
{
	local what=$1

	shift
	tap_n=$((tap_n + 1))
	if "$@"; then
		printf 'ok %d - %s\n' "$tap_n" "$what"
	else
		printf 'not ok %d - %s\n' "$tap_n" "$what"
		tap_failed=$((tap_failed + 1))
	fi
}

# is WHAT GOT WANTED
is()
{
	ok "$1" test "$2" = "$3"
	[ "$2" = "$3" ] || printf '#   got:    %s\n#   wanted: %s\n' "$2" "$3"
}

# --- without guests ------------------------------------------------------------------------------

fake_kernels()
{
	local release

	mkdir -p "$work/tree/boot"
	for release in "$@"; do
		: >"$work/tree/boot/vmlinuz-$release"
	done
}

test_kernels()
{
	fake_kernels 6.1.0-9-rt-amd64 6.1.0-57-rt-amd64 6.12.9+deb13-rt-amd64 \
		6.12.117+deb13-rt-amd64 6.19.1+deb13-rt-amd64 7.3.4+deb13-rt-amd64 7.3.4+deb13-amd64
	is "6.1 is not 6.12 or 6.19, and 57 is newer than 9" \
		"$(kernels_pick 6.1 "$work/tree")" 6.1.0-57-rt-amd64
	is "6.12 is the newest point release" \
		"$(kernels_pick 6.12 "$work/tree")" 6.12.117+deb13-rt-amd64
	is "a whole release is itself" \
		"$(kernels_pick 6.12.9+deb13-rt-amd64 "$work/tree")" 6.12.9+deb13-rt-amd64
	is "newest" "$(kernels_pick newest "$work/tree")" 7.3.4+deb13-rt-amd64
	is "only the RT flavour counts" "$(kernels_in "$work/tree" | wc -l)" 6
	is "6 is the newest that begins with it" \
		"$(kernels_pick 6 "$work/tree")" 6.19.1+deb13-rt-amd64
	is "the control is the newest without RT" \
		"$(kernels_pick control "$work/tree")" 7.3.4+deb13-amd64
	is "or its whole release" \
		"$(kernels_pick 7.3.4+deb13-amd64 "$work/tree")" 7.3.4+deb13-amd64
	rm "$work/tree/boot/vmlinuz-7.3.4+deb13-amd64"
	is "where it is not there it is not made up" \
		"$(kernels_pick control "$work/tree" || echo none)" none
	is "7.31 is not there" "$(kernels_pick 7.31 "$work/tree" || echo none)" none
	"$lab_dir/kernel" --root "$work/tree" 5.10 2>"$work/refusal" || true
	ok "the message lists what there is" grep -q '6.1.0-57-rt-amd64.*debug' "$work/refusal"
}

# fake_apt NAME FILE: an apt configuration of one file, whose content is stdin.
fake_apt()
{
	mkdir -p "$work/$1/sources.list.d" "$(dirname "$work/$1/$2")"
	cat >"$work/$1/$2"
}

test_mirrors()
{
	fake_apt old sources.list <<-'END'
	# deb http://commented.example/debian bookworm main
	deb-src http://source.example/debian bookworm main
	deb [arch=amd64 signed-by=/x.gpg] http://one.example/debian/ bookworm main contrib
	deb http://sec.example/debian-security bookworm-security main
	END
	is "one-line format" "$(mirror_of_host "$work/old")" \
		"http://one.example/debian http://sec.example/debian-security"

	fake_apt new sources.list.d/debian.sources <<-'END'
	Types: deb
	URIs: http://off.example/debian
	Suites: trixie
	Components: main
	Enabled: no

	types: deb deb-src
	URIs: http://two.example/debian
	 http://spare.example/debian
	Suites: bookworm
	 bookworm-updates
	Components: contrib main
	# a comment
	Signed-By: /usr/share/keyrings/debian-archive-keyring.gpg

	Types: deb
	URIs: https://two.example/debian-security
	Suites: bookworm-security
	Components: main
	END
	is "deb822, disabled and folded" "$(mirror_of_host "$work/new")" \
		"http://two.example/debian https://two.example/debian-security"

	fake_apt other sources.list.d/vendor.list <<-'END'
	deb https://vendor.example/apt stable-vendor main
	deb https://vendor.example/apt nodistro main
	END
	is "other people's archives do not count" "$(mirror_of_host "$work/other")" "- -"
	is "nothing on the host: the public default" "$(mirror_pick "$work/other")" \
		"$mirror_default $mirror_default-security"

	printf 'http://three.example/debian\tpriority:1\nhttp://four.example/debian\n' \
		>"$work/mirrors.list"
	fake_apt listed sources.list <<-END
	deb mirror+file:$work/mirrors.list trixie main
	END
	is "mirror+file: the first of the list" "$(mirror_of_host "$work/listed")" \
		"http://three.example/debian -"

	fake_apt disc sources.list <<-'END'
	deb cdrom:[Debian GNU/Linux 12]/ bookworm main
	deb file:/srv/debian bookworm main
	END
	is "cdrom and file are of no use" "$(mirror_of_host "$work/disc")" "- -"
	is "MSILAT_MIRROR wins" \
		"$(MSILAT_MIRROR=http://mine.example/debian/ mirror_pick "$work/old")" \
		"http://mine.example/debian http://mine.example/debian-security"
}

# refused WORDS ARG...: lab/guest ARG... must fail with one line that has WORDS.
refused()
{
	local words=$1 rc=0

	shift
	"$lab_dir/guest" "$@" 2>"$work/refusal" || rc=$?
	[ "$rc" -eq 1 ] && [ "$(wc -l <"$work/refusal")" -eq 1 ] &&
		grep -q -- "$words" "$work/refusal"
}

test_options()
{
	ok "no payload" refused "what to run" --mode live
	ok "a payload that is not there" refused "no payload /nonexistent" -- /nonexistent
	ok "a class that is none" refused "no such class" --expect oops -- /bin/true
	ok "a mode that is none" refused "exact or live" --mode fast -- /bin/true
	ok "two CPUs in exact mode" refused "one CPU" --mode exact --smp 2 -- /bin/true
	ok "a time limit that is none" refused "whole number" --time-limit 5s -- /bin/true
	ok "a device that is none" refused "edu, igb or none" --device e1000 -- /bin/true
	ok "an option without its value" refused "needs a value" --out
	ok "an unknown kernel" refused "no kernel 5.10" --kernel 5.10 -- /bin/true
	ok "a file that is not there" \
		refused "no such file" --no-module --file /nonexistent -- /bin/true
}

# gone WORD: within some seconds no process of ours has WORD in its arguments any more.
gone()
{
	local i

	for ((i = 0; i < 50; i++)); do
		[ -n "$(pids_with "$1")" ] || return 0
		sleep 0.2
	done
	return 1
}

# pids_with WORD: processes with exactly this argument.
pids_with()
{
	local dir

	for dir in /proc/[0-9]*; do
		[ "${dir#/proc/}" != $$ ] || continue
		{ tr '\0' '\n' <"$dir/cmdline"; } 2>/dev/null | grep -qxF -- "$1" || continue
		echo "${dir#/proc/}"
	done
}

wait_for_pid()
{
	local i

	for ((i = 0; i < 300; i++)); do
		[ -z "$(pids_with "$1")" ] || return 0
		sleep 0.1
	done
	return 1
}

# A host whose /dev/null only root may write, as test runs elsewhere have met it.
test_broken_null()
{
	local mode

	mkdir -p "$work/tree"
	# shellcheck disable=SC2016 # for the inner shell
	mode=$(unshare -m sh -ec '
		mount -t tmpfs -o mode=755 dev "$1"
		mknod -m 755 "$1/null" c 1 3
		: >"$1/null"
		mount --bind "$1/null" /dev/null
		exec "$2" stat -c %a /dev/null' sh "$work/tree" "$lab_dir/enter" 2>&1) || true
	case $mode in
	[0-7]*)
		is "a broken /dev/null of the host does not come in" "$mode" 666
		;;
	*)
		ok "a broken /dev/null of the host # SKIP run it as root where nodes can be made" true
		;;
	esac
}

test_enter()
{
	local mounts rc=0 word=86399.$$

	inside_root && return 0
	is "the exit code passes through" "$("$lab_dir/enter" sh -c 'exit 7' || echo $?)" 7
	is "the command sees the project" "$("$lab_dir/enter" pwd)" /msilat
	test_broken_null
	ok "the root is read-only" sh -c "! '$lab_dir/enter' touch /usr/x 2>/dev/null"
	mkdir -p "$build_dir"
	"$lab_dir/enter" touch "/msilat/build/lab/owner-$$"
	ok "files in the project are the caller's" test -O "$build_dir/owner-$$"
	rm -f "$build_dir/owner-$$"

	mounts=$(wc -l </proc/self/mounts)
	"$lab_dir/enter" sleep "$word" &
	ok "a command is running" wait_for_pid "$word"
	kill -TERM $!
	wait $! || rc=$?
	is "SIGTERM reaches the command" "$rc" 143
	"$lab_dir/enter" sh -c "sleep $word & sleep $word" &
	wait_for_pid "$word"
	kill -KILL $!
	wait $! 2>/dev/null || true
	ok "kill -9 of lab/enter leaves no process" gone "$word"
	is "and no mount" "$(wc -l </proc/self/mounts)" "$mounts"
	rc=0
	env --default-signal=INT "$lab_dir/enter" bash -c 'trap "exit 9" INT; sleep 60 & wait' &
	wait_for_pid 'trap "exit 9" INT; sleep 60 & wait'
	sleep 1
	kill -INT $!
	wait $! || rc=$?
	is "SIGINT sent to lab/enter reaches the command" "$rc" 9
}

# wait_for_qemu WORD: until a QEMU with this argument runs.
wait_for_qemu()
{
	local i pid

	for ((i = 0; i < 300; i++)); do
		for pid in $(pids_with "$1"); do
			! grep -q '^qemu' "/proc/$pid/comm" 2>/dev/null || return 0
		done
		sleep 0.1
	done
	return 1
}

# --- with guests ---------------------------------------------------------------------------------

# payload LINE...: a script for the guest.
payload()
{
	printf '#!/bin/sh\n' >"$work/payload"
	printf '%s\n' "$@" >>"$work/payload"
}

# guest WHAT CODE WORDS OPTION...: boot a guest with the payload; its exit code must be CODE, and
# what lab/guest says must have WORDS in it (or be nothing, when WORDS is empty).
guest()
{
	local what=$1 code=$2 words=$3 rc=0 good=1

	shift 3
	"$lab_dir/guest" --kernel "$kernel" --no-module --device none "$@" -- "$work/payload" \
		>"$work/stdout" 2>"$work/stderr" || rc=$?
	[ "$rc" = "$code" ] || good=0
	if [ -z "$words" ]; then
		[ ! -s "$work/stderr" ] || good=0
	else
		grep -q -- "$words" "$work/stderr" || good=0
	fi
	ok "$what" test "$good" = 1
	[ "$good" = 1 ] || {
		echo "#   exit code $rc, wanted $code and '$words'; it said:"
		sed 's/^/#   /' "$work/stderr"
	}
}

# fault ACTION...: a payload that commits deliberate faults, one after the other.
fault()
{
	local action

	payload
	for action; do
		printf 'insmod /payload/fault.ko action=%s\nrmmod fault\n' "$action"
	done >>"$work/payload"
	printf 'sleep 2\nexit 0\n' >>"$work/payload"
}

test_verdicts()
{
	payload 'echo out' 'echo result >/out/file' 'exit 7'
	guest "the payload's exit code passes" 7 '' --out "$work/out"
	is "so does what it prints" "$(cat "$work/stdout")" out
	is "and what it leaves in /out" "$(cat "$work/out/file")" result
	payload 'seq 1 4000' 'echo finished'
	guest "a payload that ends in a burst of output" 0 ''
	is "loses none of it" "$(wc -l <"$work/stdout") $(tail -n 1 "$work/stdout")" "4001 finished"
	payload 'kill -9 $$'
	guest "a payload that is killed" 137 ''
	payload 'echo "<0>WARNING: fake" >/dev/kmsg' 'echo "<4>BUG: fake" >/dev/kmsg' 'exit 0'
	guest "user space cannot fake a report of the kernel's" 0 ''
	payload 'exit 0'
	guest "an expected event that does not happen" 1 'expected warning did not happen' \
		--expect warning

	fault warn
	guest "a WARNING fails" 1 'unexpected warning' --file "$ko"
	guest "unless expected" 0 '' --file "$ko" --expect warning
	guest "or allowed, and the exit code passes" 0 '' --file "$ko" --allow warning
	guest "allowing something else is no excuse" 1 'unexpected warning' \
		--file "$ko" --allow bug
	fault atomic
	guest "scheduling while atomic" 1 'unexpected bug' --file "$ko" --allow warning
	fault null
	guest "an oops" 1 'NULL pointer' --file "$ko"
	fault bug
	guest "BUG()" 1 'unexpected bug' --file "$ko"
	fault stall
	guest "an RCU stall" 1 'unexpected stall' --file "$ko"
}

test_losses()
{
	payload 'echo c >/proc/sysrq-trigger'
	guest "a panic" 1 'panicked' --allow bug
	guest "a panic that is expected" 0 '' --allow bug --expect panic
	payload 'sleep 1000'
	guest "a payload that hangs" 1 'not done within 5 s' --time-limit 5
	guest "a hang that is expected" 0 '' --time-limit 5 --expect silence
	payload 'insmod /payload/fault.ko action=atomic' 'sleep 1000'
	guest "a guest that is to be lost is stopped when its kernel complains" 0 '' \
		--file "$ko" --sacrifice 2 --allow bug --allow warning --verdict "$work/verdict"
	ok "what it said is kept" grep -q '^event bug BUG: scheduling while atomic' "$work/verdict"
	ok "and how it ended" grep -q '^lost was stopped after its complaint' "$work/verdict"
	fault freeze
	guest "a kernel that is gone is noticed before the time limit" 1 'fell silent' \
		--smp 1 --file "$ko" --time-limit 100
	payload 'taskset 2 insmod /payload/fault.ko action=freeze'
	guest "one CPU that is gone is noticed while the other is well" 1 \
		'silent: no sign of life from CPU 1' --file "$ko" --time-limit 100
	payload 'poweroff -f' 'sleep 100'
	guest "a guest that powers itself off" 1 'powered off before its verdict'
	payload 'echo b >/proc/sysrq-trigger' 'sleep 100'
	guest "a guest that resets itself" 1 'reset itself before its verdict'
	payload 'kill -9 1' 'exit 0'
	guest "init cannot be killed" 0 ''
	payload 'exit 0'
	guest "a QEMU that does not start" 1 'QEMU did not start' --qemu -nonsense
}

test_guest_killed()
{
	local mounts name=lab-selftest-$$

	inside_root && return 0
	mounts=$(wc -l </proc/self/mounts)
	payload 'sleep 1000'
	"$lab_dir/guest" --kernel "$kernel" --no-module --qemu -name --qemu "guest=$name" \
		-- "$work/payload" &
	ok "a guest is running" wait_for_qemu "guest=$name"
	kill -KILL $!
	wait $! 2>/dev/null || true
	ok "kill -9 of lab/guest leaves no process" gone "guest=$name"
	is "and no mount" "$(wc -l </proc/self/mounts)" "$mounts"
}

# Nanoseconds of virtual time are instructions: two boots that agree on them have executed the
# same ones. They run side by side, so that each disturbs the other's real time as much as it can.
test_exact()
{
	local i pids=()

	# shellcheck disable=SC2016
	payload 'for i in 1 2 3; do grep "^now at" /proc/timer_list; done' \
		'cat /proc/interrupts; dmesg' 'mkdir /out/d && echo deep >/out/d/file'
	for i in 1 2; do
		"$lab_dir/guest" --kernel "$kernel" --no-module --mode exact --out "$work/exact$i" \
			-- "$work/payload" >"$work/exact$i.log" &
		pids+=($!)
	done
	ok "an exact boot" wait "${pids[0]}"
	ok "and another" wait "${pids[1]}"
	ok "are the same to the instruction" cmp -s "$work/exact1.log" "$work/exact2.log"
	ok "and tell the time" grep -q '^now at [1-9][0-9]* nsecs' "$work/exact1.log"
	is "exact mode hands out what is in /out" "$(cat "$work/exact1/d/file")" deep
}

test_debug()
{
	payload 'exit 0'
	guest "the debug kernel boots and is silent" 0 ''
	fault nesting
	guest "lockdep reports a sleeping lock in a raw one" 1 'unexpected lockdep' --file "$ko"
	guest "and is heard, with the check for sleeping, when that is expected" 0 '' \
		--file "$ko" --expect lockdep --expect bug
}

# build_fault: the module of deliberate faults for the kernel under test; ko is where it is.
build_fault()
{
	local release

	"$lab_dir/build" --fault "$kernel"
	release=$("$lab_dir/kernel" "$kernel")
	ko=$build_dir/fault-$release/fault.ko
}

kernel=${KERNEL:-newest}
[ $# -gt 0 ] || set -- quick verdicts losses exact
for group; do
	case $group in
	quick)
		test_kernels
		test_mirrors
		test_options
		test_enter
		;;
	verdicts)
		build_fault
		test_verdicts
		;;
	losses)
		build_fault
		test_losses
		test_guest_killed
		;;
	exact) test_exact ;;
	debug)
		kernel=debug
		build_fault
		test_debug
		;;
	*) die "$group: quick, verdicts, losses, exact or debug" ;;
	esac
done
printf '1..%d\n' "$tap_n"
[ "$tap_failed" -eq 0 ] || exit 1
