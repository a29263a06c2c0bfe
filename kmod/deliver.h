/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the handlers of all strategies have in common: the two steps of a delivery.
 */
#ifndef _MSILAT_DELIVER_H
#define _MSILAT_DELIVER_H

#include <linux/eventfd.h>
#include <linux/preempt.h>

#include "clock.h"
#include "compat.h"
#include "fault.h"
#include "inject.h"
#include "mark.h"
#include "probe.h"
#include "ring.h"

#define MSILAT_NO_ISR	(~0ULL)

/**
 * msilat_deliver_isr() - records a hard-IRQ primary and what it met
 * @vec: vector
 *
 * First thing in a primary handler: the mark is written and the stamp taken here. Hard IRQ.
 *
 * Return: number of the isr record.
 */
static __always_inline u64 msilat_deliver_isr(struct msilat_vector_ctx *vec)
{
	enum msilat_lock_state state;
	u32 flags = 0;
	u64 stamp;

	msilat_mark(vec, MSILAT_STAGE_ISR);
	stamp = msilat_clock();
	msilat_inject_note(vec);
	state = msilat_probe_lock(vec);
	/* Apart, so that the usual state needs no check of the array's bounds. */
	if (likely(state == MSILAT_LOCK_FREE))
		WRITE_ONCE(vec->lock_states[MSILAT_LOCK_FREE],
			   vec->lock_states[MSILAT_LOCK_FREE] + 1);
	else
		WRITE_ONCE(vec->lock_states[state], vec->lock_states[state] + 1);
	if (unlikely(!eventfd_signal_allowed())) {
		WRITE_ONCE(vec->recursion, vec->recursion + 1);
		flags = MSILAT_ISR_RECURSION;
	}
	return msilat_ring_put_isr(vec, stamp, state, flags);
}

/**
 * msilat_deliver_entry() - enters the handler of a strategy without a primary of its own
 * @vec: vector
 *
 * First thing in a handler that the kernel threads or not, as it likes: where it does, the mark is
 * written and the stamp taken here. Else it runs in hard IRQ, or in softirq where an edge had to be
 * sent again by software.
 *
 * Return: stamp at entry of the thread, 0 where there is none.
 */
static __always_inline u64 msilat_deliver_entry(struct msilat_vector_ctx *vec)
{
	u64 entry = 0;

	if (IS_ENABLED(CONFIG_PREEMPT_RT) || in_task()) {
		msilat_mark(vec, MSILAT_STAGE_THREAD);
		entry = msilat_clock();
		msilat_probe_thread(vec);
	}
	msilat_inject_note(vec);
	WRITE_ONCE(vec->threads, vec->threads + 1);
	return entry;
}

/**
 * msilat_deliver_record() - records a signal that is about to be sent
 * @vec: vector
 * @thread: stamp at entry of the signalling thread, 0 where there is none
 * @first: first isr record this consumes, MSILAT_NO_ISR for none
 * @last: last isr record this consumes, MSILAT_NO_ISR for none
 *
 * In the signalling context of the strategy in force.
 *
 * Return: true to go on and wake the waiter, false if fault injection keeps the signal back.
 */
static __always_inline bool msilat_deliver_record(struct msilat_vector_ctx *vec, u64 thread,
						  u64 first, u64 last)
{
	msilat_mark(vec, MSILAT_STAGE_SIGNAL);
	if (msilat_fault_withholds(vec)) {
		msilat_ring_put_delivery(vec, thread, msilat_clock(), first, last,
					 MSILAT_DELIVERY_WITHHELD);
		WRITE_ONCE(vec->withheld, vec->withheld + 1);
		return false;
	}
	msilat_ring_put_delivery(vec, thread, msilat_clock(), first, last, 0);
	return true;
}

/**
 * msilat_deliver_signal() - records a signal and sends it by the eventfd
 * @vec: vector
 * @thread: as in msilat_deliver_record()
 * @first: as in msilat_deliver_record()
 * @last: as in msilat_deliver_record()
 *
 * In the signalling context of the strategy in force.
 */
static __always_inline void msilat_deliver_signal(struct msilat_vector_ctx *vec, u64 thread,
						  u64 first, u64 last)
{
	if (msilat_deliver_record(vec, thread, first, last))
		compat_eventfd_signal(vec->trigger);
}

/**
 * msilat_deliver_due() - signals by the eventfd for all primaries that nobody has signalled for
 * @vec: vector
 *
 * For strategies whose primaries ask another context to signal. The head is loaded before the
 * stamp, so that every isr record consumed here has an earlier stamp. A primary that publishes
 * between its predecessor's wake-up and that load is consumed at once, and the run it asked for
 * finds nothing left: it does not signal. In the signalling context, a thread or not.
 */
static __always_inline void msilat_deliver_due(struct msilat_vector_ctx *vec)
{
	/* Without PREEMPT_RT irq_work is in hard IRQ. */
	bool thread = IS_ENABLED(CONFIG_PREEMPT_RT) || in_task();
	u64 first = vec->consumed;
	u64 head, entry;

	if (thread)
		msilat_mark(vec, MSILAT_STAGE_THREAD);
	head = smp_load_acquire(&vec->isrs); /* pairs with msilat_ring_put_isr() */
	entry = thread ? msilat_clock() : 0;
	WRITE_ONCE(vec->threads, vec->threads + 1);
	if (thread)
		msilat_probe_thread(vec);
	if (unlikely(head == first))
		return;

	vec->consumed = head;
	msilat_deliver_signal(vec, entry, first, head - 1);
}

/**
 * msilat_deliver_eventfd() - signals the eventfd of a waiter that has been woken otherwise
 * @vec: vector
 *
 * For programs that do not know the strategy's own wake. IRQ thread context, but under
 * thread-direct on a kernel that threads nothing: hard IRQ, where the task is anybody's. Writes no
 * record.
 */
static __always_inline void msilat_deliver_eventfd(struct msilat_vector_ctx *vec)
{
	if (IS_ENABLED(CONFIG_PREEMPT_RT) || in_task())
		msilat_probe_thread(vec);
	WRITE_ONCE(vec->eventfds, vec->eventfds + 1);
	compat_eventfd_signal(vec->trigger);
}

#endif /* _MSILAT_DELIVER_H */
