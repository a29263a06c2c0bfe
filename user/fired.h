/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef MSILAT_FIRED_H
#define MSILAT_FIRED_H

#include <stdatomic.h>
#include <stdint.h>

#define FIRED_RECORDS 4096	/* a power of two */

/**
 * struct fired - sequence number and sent stamps of a device that keeps neither itself
 *
 * The thread that fires notes each event just before it makes the device send; the poller
 * observes. One writer, any number of readers.
 *
 * @count: events noted = sequence number of the newest.
 * @sent: stamps by sequence number. A stamp may lie in the future (a timer of the device whose
 *	firing time is known); 0 means that the device could not say.
 */
struct fired {
	_Atomic uint64_t count;
	_Atomic uint64_t sent[FIRED_RECORDS];
};

/**
 * struct observation - where the device stands, seen from one wake
 * @seq: newest event sent at or before the wake.
 * @sent: stamp of the oldest event not seen before; 0 if unknown or if there is no new one.
 */
struct observation {
	uint64_t seq;
	uint64_t sent;
};

/**
 * fired_note - note the next event
 * @sent: its sent stamp in cycles, 0 if unknown.
 *
 * Firing thread only. Call it right before the store that makes the device send, so that an
 * observer woken by the event always finds it noted.
 *
 * Return: its sequence number.
 */
static inline uint64_t fired_note(struct fired *f, uint64_t sent)
{
	uint64_t seq = atomic_load_explicit(&f->count, memory_order_relaxed) + 1;

	atomic_store_explicit(&f->sent[seq % FIRED_RECORDS], sent, memory_order_relaxed);
	atomic_store_explicit(&f->count, seq, memory_order_release);
	return seq;
}

/**
 * fired_observe - what had been sent when the poller woke
 * @user: stamp of the wake.
 * @seen: sequence number the poller had seen before.
 * @o: receives the answer.
 *
 * Events noted after the wake, or due later, are not counted. Wait-free; the poller's hot path.
 */
static inline void fired_observe(struct fired *f, uint64_t user, uint64_t seen,
				 struct observation *o)
{
	uint64_t seq = atomic_load_explicit(&f->count, memory_order_acquire);

	while (seq > seen && atomic_load_explicit(&f->sent[seq % FIRED_RECORDS],
						  memory_order_relaxed) > user)
		seq--;
	o->seq = seq;
	o->sent = 0;
	if (seq > seen && seq - seen < FIRED_RECORDS)
		o->sent = atomic_load_explicit(&f->sent[(seen + 1) % FIRED_RECORDS],
					       memory_order_relaxed);
}

#endif
