# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2154
#
# Whether live guests use KVM. /dev/kvm being there proves nothing: under some hypervisors guests
# hang in early boot. So a guest is booted, with a time limit, and the answer remembered for as
# long as this host is up. MSILAT_KVM=0 or 1 overrides. Sourced after lib.sh.

kvm_probe_limit=25

# kvm_wanted: succeeds where live guests should use KVM.
kvm_wanted()
{
	local answer

	case ${MSILAT_KVM:-} in
	0) return 1 ;;
	1) return 0 ;;
	esac
	[ -r /dev/kvm ] && [ -w /dev/kvm ] || return 1
	answer=$cache_dir/kvm-$(cat /proc/sys/kernel/random/boot_id)
	if [ ! -e "$answer" ]; then
		(kvm_probe "$answer")
	fi
	[ "$(cat "$answer")" = yes ]
}

# kvm_probe FILE: boot one and write yes or no.
kvm_probe()
{
	local script

	take_lock "$cache_dir/kvm.lock" "a KVM probe"
	[ ! -e "$1" ] || return 0
	say "probing whether a guest boots under KVM" \
		"(at most $kvm_probe_limit s, once per boot of this host)"
	rm -f "$cache_dir"/kvm-*
	script=$(mktemp)
	printf '#!/bin/sh\nexit 0\n' >"$script"
	if MSILAT_KVM=1 "$lab_dir/guest" --no-module --device none \
		--boot-limit "$kvm_probe_limit" --time-limit 5 -- "$script" >/dev/null 2>&1; then
		echo yes >"$1"
	else
		echo no >"$1"
	fi
	rm -f "$script"
}
