/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The hot path of the rings in the region: one record, published.
 *
 * The format and a reader's duties are in uapi/msilat.h (struct msilat_vector). The writer's part:
 * a record's @seq is 0 from before the first byte of it changes until it is complete, and the
 * head moves last. All barriers pair with the reader's: it loads the head with acquire semantics,
 * then @seq likewise, and @seq again behind a read barrier once it has copied the record. The heads
 * that count are those in struct msilat_vector_ctx: the writer never reads back what it shares.
 */
#ifndef _MSILAT_RING_H
#define _MSILAT_RING_H

#include <linux/atomic.h>
#include <linux/build_bug.h>
#include <asm/barrier.h>

#include "vector.h"

/**
 * msilat_ring_put_isr() - writes and publishes a record of a hard-IRQ primary
 * @vec: vector; the caller is the one writer of its isr ring
 * @stamp: entry of the primary
 * @lock_state: what the hazard probe saw
 * @flags: MSILAT_ISR_*
 *
 * Any context.
 *
 * Return: number of the record.
 */
static __always_inline u64 msilat_ring_put_isr(struct msilat_vector_ctx *vec, u64 stamp,
					       enum msilat_lock_state lock_state, u32 flags)
{
	u64 n = vec->isrs;
	struct msilat_isr *record = &vec->isr_records[n & vec->mask];

	WRITE_ONCE(record->seq, 0);
	smp_wmb(); /* before any byte of the new record */
	WRITE_ONCE(record->isr, stamp);
	WRITE_ONCE(record->lock_state, lock_state);
	WRITE_ONCE(record->flags, flags);
	smp_store_release(&record->seq, n + 1); /* complete */

	smp_store_release(&vec->isrs, n + 1); /* for msilat_deliver_due() */
	smp_store_release(&vec->block->isr_head, n + 1); /* published */
	return n;
}

/**
 * msilat_ring_put_delivery() - writes and publishes a record of a signal
 * @vec: vector; the caller is the one writer of its delivery ring
 * @thread: entry of the signalling thread, 0 where there is none
 * @signal: just before the waiter is woken
 * @first: first isr record consumed, ~0 for none
 * @last: last isr record consumed, ~0 for none
 * @flags: MSILAT_DELIVERY_*
 *
 * To be called before the waiter is woken: who wakes finds the record. Any context.
 */
static __always_inline void msilat_ring_put_delivery(struct msilat_vector_ctx *vec, u64 thread,
						     u64 signal, u64 first, u64 last, u32 flags)
{
	u64 n = vec->deliveries;
	struct msilat_delivery *record = &vec->delivery_records[n & vec->mask];

	WRITE_ONCE(record->seq, 0);
	smp_wmb(); /* before any byte of the new record */
	WRITE_ONCE(record->thread, thread);
	WRITE_ONCE(record->signal, signal);
	WRITE_ONCE(record->first_isr, first);
	WRITE_ONCE(record->last_isr, last);
	WRITE_ONCE(record->flags, flags);
	smp_store_release(&record->seq, n + 1); /* complete */

	WRITE_ONCE(vec->deliveries, n + 1);
	smp_store_release(&vec->block->delivery_head, n + 1); /* published */
}

/**
 * msilat_ring_publish_event() - counts an event where a waiter of strategy page spins
 * @vec: vector
 *
 * To be called after the event's record, if it has one: who sees the count finds the record. Unlike
 * the rings the counter has several writers: the primary, loopback triggers and catch-ups. Any
 * context.
 */
static __always_inline void msilat_ring_publish_event(struct msilat_vector_ctx *vec)
{
	atomic64_t *events = (atomic64_t *)&vec->block->page_events;

	BUILD_BUG_ON(sizeof(*events) != sizeof(vec->block->page_events));
	(void)atomic64_fetch_inc_release(events);
}

#endif /* _MSILAT_RING_H */
