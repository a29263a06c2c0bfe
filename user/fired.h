/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef MSILAT_FIRED_H
#define MSILAT_FIRED_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "ring.h"

#define FIRED_RECORDS 4096	/* a power of two */

/**
 * struct fired - sequence number and sent stamps of a device that keeps neither itself
 *
 * The thread that fires notes each event just before it makes the device send; the poller
 * observes. One writer, any number of readers.
 *
 * @count: events noted = sequence number of the newest.
 * @settled: events whose stamp is final, for devices that tell it afterwards; else unused.
 * @sent: stamps by sequence number. A stamp may lie in the future (a timer of the device whose
 *	firing time is known); 0 means that the device could not say.
 */
struct fired {
	_Atomic uint64_t count;
	_Atomic uint64_t settled;
	_Atomic uint64_t sent[FIRED_RECORDS];
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

#define FIRED_NOT_YET UINT64_MAX

/**
 * fired_restamp - change the stamp of the newest event; firing thread only
 * @sent: FIRED_NOT_YET: noted, but not sent yet, so that no wake can be for it.
 */
void fired_restamp(struct fired *f, uint64_t sent);

/**
 * fired_settle - the newest event was sent, and this is its stamp for good; firing thread only
 *
 * Where the device tells the stamp afterwards only, the poller may have seen the event before: it
 * then saw the stamp that fired_note() was given, and whoever needs the right one looks again.
 */
void fired_settle(struct fired *f, uint64_t sent);

/** fired_withdraw - the newest event could not be sent after all; firing thread only */
void fired_withdraw(struct fired *f);

/** fired_settled - the stamp of event @seq is final; any thread */
bool fired_settled(struct fired *f, uint64_t seq);

/** fired_oldest - sent stamp of the event after @seen; 0 if there is none up to @seq */
uint64_t fired_oldest(struct fired *f, uint64_t seen, uint64_t seq);

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
	uint64_t seq = atomic_load_explicit(&f->count, memory_order_acquire), sent = 0;

	for (; seq > seen; seq--) {
		sent = atomic_load_explicit(&f->sent[seq % FIRED_RECORDS], memory_order_relaxed);
		if (__builtin_expect(sent <= user, 1))
			break;
	}
	o->seq = seq;
	/* As a rule there is one new event, and its stamp is the one just read. */
	if (__builtin_expect(seq - seen == 1, 1))
		o->sent = sent;
	else
		o->sent = fired_oldest(f, seen, seq);
}

#endif
