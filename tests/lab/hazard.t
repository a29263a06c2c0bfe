#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# timeout: 1500
#
# make hazard-demo: an RT kernel is lost in the author's own scenario, the one without RT bears it;
# what it reports of a guest that is lost; what is refused outside a virtual machine. SOAK=1: every
# scenario, both controls, on every RT kernel.

# shellcheck source-path=SCRIPTDIR source=../lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"

# --- without a guest: what is made of the words of one -------------------------------------------

# told KEY: the value that hazard.awk has found for it.
told()
{
	sed -n "s/^$1	//p" "$T/facts"
}

awk -f "$top/lab/hazard.awk" >"$T/facts" <<'END'
@warning 118 WARNING: fs/eventfd.c:68 at eventfd_signal_mask+0xa0/0xb0, CPU#0: detonate/93
Call Trace:
 <IRQ>
 nothread_handler+0x11d/0x150 [msilat_vfio_pci]
 </IRQ>
@bug 312 BUG: scheduling while atomic: detonate/93/0x01000002
Modules linked in: msilat_vfio_pci(OE) vfio_pci
CPU: 0 UID: 0 PID: 93 Comm: detonate
Call Trace:
 <IRQ>
 dump_stack_lvl+0x5d/0x80
 __schedule_bug.cold+0x42/0x57
 __schedule+0xd0f/0x1680
 ? sysvec_x+0x10/0x20
 schedule_rtlock+0x20/0x40
 rtlock_slowlock_locked+0x2d1/0xe60
 rt_spin_lock+0x9c/0xd0
 eventfd_signal_mask+0x47/0xb0
 nothread_handler+0x11d/0x150 [msilat_vfio_pci]
 __handle_irq_event_percpu+0x56/0x1c0
 </IRQ>
 <TASK>
 asm_common_interrupt+0x26/0x40
RIP: 0010:do_wait_intr_irq+0x84/0xc0
 eventfd_read+0x17a/0x230
 vfs_read+0x25d/0x370
 </TASK>
@bug 313 BUG: scheduling while atomic: swapper/1/0/0x00010002
@stall 313 rcu: INFO: rcu_preempt detected stalls on CPUs/tasks:
END
is "$(told class)" bug "the first complaint counts, a WARNING is none"
is "$(told at)" 312 "and how many interrupts there had been"
is "$(told text)" "BUG: scheduling while atomic: detonate/93/0x01000002" "its first line"
is "$(told stack)" "__schedule <- schedule_rtlock <- rtlock_slowlock_locked <- rt_spin_lock <- \
eventfd_signal_mask <- nothread_handler" "its stack, from the innermost out to our handler"
is "$(told interrupted)" "do_wait_intr_irq <- eventfd_read" "and what it had interrupted"
is "$(told guard_at)" 118 "the event that the recursion guard has lost is told apart"
awk -f "$top/lab/hazard.awk" >"$T/facts" <<'END'
@silence 102 no interrupt raised for 6 s, and not a word from the kernel
NMI backtrace for cpu 1
Call Trace:
 <TASK>
 dump_stack_lvl+0x5d/0x80
 nmi_cpu_backtrace.cold+0x19/0x68
RIP: 0033:0x457efe
 </TASK>
NMI backtrace for cpu 0
RIP: 0010:irq_wait_on_inprogress+0x28/0x70
Call Trace:
 <IRQ>
 handle_edge_irq+0x27/0x190
 common_interrupt+0x42/0xa0
 asm_common_interrupt+0x26/0x40
RIP: 0010:_raw_spin_unlock_irq+0x14/0x30
 rtlock_slowlock_locked+0x280/0xde0
 rt_spin_lock+0xcb/0x120
 eventfd_signal_mask+0x32/0x90
 nothread_handler+0x151/0x2c0 [msilat_vfio_pci]
 handle_irq_event+0x38/0x80
 </IRQ>
 <TASK>
RIP: 0010:eventfd_read+0x17a/0x230
 </TASK>
END
is "$(told class)" silence "a kernel that is lost without a word"
is "$(told stack)" "irq_wait_on_inprogress <- handle_edge_irq <- asm_common_interrupt <- \
_raw_spin_unlock_irq <- rtlock_slowlock_locked <- rt_spin_lock <- eventfd_signal_mask <- \
nothread_handler" "the stack is that of the CPU which is lost, the interrupt within an interrupt in it"
awk -f "$top/lab/hazard.awk" >"$T/facts" <<'END'
@warning 7 WARNING: kernel/irq/manage.c:1510 at something
END
is "$(cat "$T/facts")" "" "a WARNING about something else says nothing of eventfd"

# --- with guests ---------------------------------------------------------------------------------

# demo NAME OPTION...: a run of it; sets status; its runs go to $T/NAME.runs, one a line.
demo()
{
	local name=$1

	shift
	try "$top/lab/hazard-demo" --out "$T/$name" "$@"
	"$top/lab/enter" jq -r '.runs[] | [.flavour, .scenario, .outcome, .interrupts, .raised,
		.signals, .values] | map(tostring) | join(" ")' <"$T/$name/hazard.json" >"$T/$name.runs"
	[ "$status" = 0 ] || diag "$err" "$out"
}

# judge NAME: RT is lost, the control bears all and loses nothing.
judge()
{
	local flavour scenario outcome interrupts raised signals values

	while read -r flavour scenario outcome interrupts raised signals values; do
		case $flavour in
		rt)
			like "$outcome" '^(bug|stall|silence|panic|lockdep)$' \
				"$1: $scenario: the RT kernel is lost ($outcome after $interrupts)"
			ok_if "$1: $scenario: and the log of it kept" \
				test -s "$(echo "$T/$1/rt-$scenario"-*.log)"
			;;
		*)
			is "$outcome" survived "$1: $scenario, $flavour: the control survives"
			is "$raised" "$interrupts" "$1: $scenario, $flavour: all $raised interrupts"
			is "$values" "$signals" "$1: $scenario, $flavour: no event is lost"
			;;
		esac
	done <"$T/$1.runs"
}

if [ -n "${SOAK:-}" ]; then
	for kernel in newest 6.12 6.1; do
		demo "$kernel" "$kernel"
		is "$status" 0 "$kernel: exit 0"
		is "$(wc -l <"$T/$kernel.runs")" 9 "$kernel: three scenarios, three kernels"
		judge "$kernel"
	done
else
	demo short --scenario vectors --control plain --interrupts 5000 newest
	is "$status" 0 "exit 0"
	is "$(wc -l <"$T/short.runs")" 2 "one scenario, two kernels"
	judge short
fi
like "$(cat "$T"/*/table.txt)" 'RT +two vectors' "there is a table"

# A guest that says it is none.
try "$top/lab/guest" --device none --qemu -cpu --qemu qemu64-v1,+rdrand,-hypervisor \
	--file "$top/build/lab/hazard/detonate" --time-limit 60 -- "$top/lab/payload/hazard-refusals"
is "$status" 0 "a guest that looks like no virtual machine"
while IFS= read -r line; do
	case $line in
	'ok - '*) tap_case ok "${line#*ok - }" ;;
	'not ok - '*) tap_case 'not ok' "${line#*ok - }" ;;
	*) diag "$line" ;;
	esac
done < <(printf '%s\n' "$out" | tr -d '\r')
is "$(printf '%s\n' "$out" | tr -d '\r' | tail -n 1)" finished "it ran to its end"
done_testing
