/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef MSILAT_SHARED_H
#define MSILAT_SHARED_H

#include <stdatomic.h>
#include <stdint.h>

#include "device.h"

/**
 * struct shared - an eventfd that is not the poller's alone
 *
 * Other threads read it, or other vectors signal it, so that a wake of the poller is no longer
 * proof of a new event, and an event no longer leads to one. What is the poller's own is then found
 * by the driver's count of signals: an event is seen by the first wake after its signal was
 * recorded. That is exact as long as events do not merge before the signal, and they do not where
 * each is fired after the one before was seen.
 *
 * @ops: the backend's, but for observe().
 * @observe: the backend's own.
 * @vector: vector measured.
 * @base: delivery records of that vector before the first event.
 * @taken: values that another reader took.
 * @takes: its reads that did.
 * @seen: newest event whose signal was issued when the other reader last took some.
 */
struct shared {
	struct device_ops ops;
	void (*observe)(struct device *dev, uint64_t user, uint64_t seen, struct observation *o);
	uint32_t vector;
	uint64_t base;
	_Atomic uint64_t taken;
	_Atomic uint64_t takes;
	_Atomic uint64_t seen;
};

/**
 * shared_begin - make an armed device know that its eventfd is shared
 *
 * Before the poller is started and the first event fired. @s must live as long as @dev is open.
 */
void shared_begin(struct shared *s, struct device *dev, uint32_t vector);

/**
 * shared_issued - newest event whose signal was issued
 *
 * On a driver that does not count: the newest that was fired. Any thread; wait-free.
 */
uint64_t shared_issued(const struct shared *s, struct device *dev);

/** shared_seen - the later of @seen and what another reader has seen; any thread, wait-free */
static inline uint64_t shared_seen(const struct shared *s, uint64_t seen)
{
	uint64_t other = atomic_load_explicit(&s->seen, memory_order_acquire);

	return other > seen ? other : seen;
}

/** shared_pass - what was issued up to event @seq will not be seen by the poller; other readers */
void shared_pass(struct shared *s, uint64_t seq);

/** shared_take - another reader took @value off the eventfd */
void shared_take(struct shared *s, struct device *dev, uint64_t value);

#endif
