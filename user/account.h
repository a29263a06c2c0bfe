/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef MSILAT_ACCOUNT_H
#define MSILAT_ACCOUNT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * struct account_in - what each link of the chain counted during a run
 * @under_way: the run goes on: what was fired and not yet seen is in flight, and the links are
 *	read one after the other while they move.
 * @fired: events the device sent, by its sequence number.
 * @driver: the driver's counters are known (ours; stock vfio-pci counts nothing).
 * @primary: the strategy has a primary handler of ours, so @isr counts hard-IRQ entries.
 * @isr: isr records.
 * @irqs_known: the kernel's own count of hard IRQs is known.
 * @irqs: that count.
 * @threads: entries of the signalling context. With a primary of ours it may enter once more than
 *	it signals: the run before had consumed the newest isr record already.
 * @signals: signals issued for interrupts; each consumes all isr records before it.
 * @catchups: catch-up signals of re-arms.
 * @beside: the poller waits on the eventfd although the strategy wakes by something else: what
 *	arrives are not the signals but the eventfd signals that a thread sends beside them.
 * @eventfds: those.
 * @foreign: signals of other vectors into the same eventfd.
 * @wake: what the poller waits on, for the text: "eventfd", "wait ioctl", "page".
 * @values: sum of what the waits returned: eventfd values, counts of the wait ioctl or of the page.
 * @taken: values that another reader of the eventfd took off it; @takes: its reads that did.
 * @wakes: waits that returned.
 * @seen: newest event seen by the poller.
 * @overdue: events that no wake came for in time and that a later wake covered.
 * @ring_drops: samples that found the ring full.
 * @stamps_lost: wakes whose driver records were overwritten before they were read.
 * @disordered: events whose stamps are in the wrong order.
 */
struct account_in {
	bool under_way;
	uint64_t fired;
	bool driver;
	bool primary;
	uint64_t isr;
	bool irqs_known;
	uint64_t irqs;
	uint64_t threads;
	uint64_t signals;
	uint64_t catchups;
	bool beside;
	uint64_t eventfds;
	const char *wake;
	uint64_t foreign;
	uint64_t values;
	uint64_t taken;
	uint64_t takes;
	uint64_t wakes;
	uint64_t seen;
	uint64_t overdue;
	uint64_t ring_drops;
	uint64_t stamps_lost;
	uint64_t disordered;
};

/* A merge at a place that cannot be told apart from its neighbours. */
#define ACCOUNT_UNKNOWN UINT64_MAX

/**
 * struct account - where every event went
 * @device_to_isr: merged in the device's or the interrupt controller's pending bit.
 * @isr_to_thread: merged because the thread was already due.
 * @wake: merged at the wake: one wait returned several, of the eventfd, of the wait ioctl or of the
 *	page.
 * @unknown: merged at a place nobody counted (stock vfio-pci).
 *	A place is ACCOUNT_UNKNOWN where it cannot be counted.
 * @lost: events that never woke the poller: signals issued but not received, interrupts that
 *	never came, samples dropped by the ring.
 * @unexplained: events that no link accounts for.
 * @valid: nothing is lost and nothing unexplained.
 * @text: the equation, for a person: "1000 fired = 996 wakes + 4 merged (…); none lost".
 */
struct account {
	uint64_t device_to_isr;
	uint64_t isr_to_thread;
	uint64_t wake;
	uint64_t unknown;
	uint64_t lost;
	uint64_t unexplained;
	bool valid;
	char text[384];
};

/**
 * account_close - explain every event link by link
 *
 * fired + catchups + foreign = wakes + takes + merges + lost.
 *
 * Neighbouring links of the chain fired, isr, thread, signal, value, wake may differ by merges,
 * which are not losses. Signals issued minus values received are lost. Events beyond the last
 * wake, and events overdue, beyond the signals known to be lost, are interrupts that never came.
 * A negative difference, a signal without a thread entry, or without a primary of ours a thread
 * entry without a signal, is unexplained.
 */
void account_close(struct account *a, const struct account_in *in);

#endif
