/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the handlers of all strategies have in common: the two steps of a delivery.
 */
#ifndef _MSILAT_DELIVER_H
#define _MSILAT_DELIVER_H

#include <linux/eventfd.h>

#include "clock.h"
#include "compat.h"
#include "fault.h"
#include "probe.h"
#include "ring.h"

#define MSILAT_NO_ISR	(~0ULL)

/**
 * msilat_deliver_isr() - records a hard-IRQ primary and what it met
 * @vec: vector
 *
 * First thing in a primary handler: the stamp is taken here. Hard IRQ.
 *
 * Return: number of the isr record.
 */
static __always_inline u64 msilat_deliver_isr(struct msilat_vector_ctx *vec)
{
	u64 stamp = msilat_clock();
	enum msilat_lock_state state = msilat_probe_lock(vec);
	u32 flags = 0;

	WRITE_ONCE(vec->lock_states[state], vec->lock_states[state] + 1);
	if (unlikely(!eventfd_signal_allowed())) {
		WRITE_ONCE(vec->recursion, vec->recursion + 1);
		flags = MSILAT_ISR_RECURSION;
	}
	return msilat_ring_put_isr(vec, stamp, state, flags);
}

/**
 * msilat_deliver_signal() - records a signal and sends it
 * @vec: vector
 * @thread: stamp at entry of the signalling thread, 0 where there is none
 * @first: first isr record this consumes, MSILAT_NO_ISR for none
 * @last: last isr record this consumes, MSILAT_NO_ISR for none
 *
 * In the signalling context of the strategy in force.
 */
static __always_inline void msilat_deliver_signal(struct msilat_vector_ctx *vec, u64 thread,
						  u64 first, u64 last)
{
	if (msilat_fault_withholds(vec)) {
		msilat_ring_put_delivery(vec, thread, msilat_clock(), first, last,
					 MSILAT_DELIVERY_WITHHELD);
		WRITE_ONCE(vec->withheld, vec->withheld + 1);
		return;
	}
	msilat_ring_put_delivery(vec, thread, msilat_clock(), first, last, 0);
	compat_eventfd_signal(vec->trigger);
}

#endif /* _MSILAT_DELIVER_H */
