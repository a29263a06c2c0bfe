// SPDX-License-Identifier: GPL-2.0-only
#include <stddef.h>

#include "shared.h"

static struct shared *shared_of(struct device *dev)
{
	return (struct shared *)((char *)dev->ops - offsetof(struct shared, ops));
}

/*
 * Newest event whose signal was issued by cycle count @user. The records of newer signals say when
 * that was: between the wake and this look at them others may have come.
 */
static uint64_t issued_by(const struct shared *s, struct device *dev, uint64_t user, uint64_t seen)
{
	uint64_t n = shared_issued(s, dev);
	struct msilat_delivery d;

	while (n > seen && !delivery_record(&dev->delivery, s->vector, s->base + n - 1, &d) &&
	       d.signal > user)
		n--;
	return n;
}

/* Poller. What was not signalled yet woke nobody. */
static void observe(struct device *dev, uint64_t user, uint64_t seen, struct observation *o)
{
	struct shared *s = shared_of(dev);
	uint64_t issued = issued_by(s, dev, user, seen);

	s->observe(dev, user, seen, o);
	if (o->seq <= issued)
		return;
	o->seq = issued > seen ? issued : seen;
	if (o->seq == seen)
		o->sent = 0;
}

void shared_begin(struct shared *s, struct device *dev, uint32_t vector)
{
	s->ops = *dev->ops;
	s->observe = dev->ops->observe;
	s->ops.observe = observe;
	s->vector = vector;
	s->base = delivery_head(&dev->delivery, vector);
	dev->ops = &s->ops;
	dev->noted = false;
}

uint64_t shared_issued(const struct shared *s, struct device *dev)
{
	if (!dev->delivery.region)
		return dev->ops->sequence(dev);
	return delivery_head(&dev->delivery, s->vector) - s->base;
}

void shared_pass(struct shared *s, uint64_t seq)
{
	uint64_t seen = atomic_load(&s->seen);

	while (seen < seq && !atomic_compare_exchange_weak(&s->seen, &seen, seq))
		;
}

void shared_take(struct shared *s, struct device *dev, uint64_t value)
{
	atomic_fetch_add(&s->taken, value);
	atomic_fetch_add(&s->takes, 1);
	shared_pass(s, shared_issued(s, dev));
}
