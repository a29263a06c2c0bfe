// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "ring.h"

int ring_init(struct ring *ring, uint64_t records)
{
	void *memory;
	size_t size;

	if (!records || records & (records - 1))
		return -EINVAL;
	memset(ring, 0, sizeof(*ring));
	if (__builtin_mul_overflow(records, sizeof(*ring->records), &size) ||
	    posix_memalign(&memory, 64, size))
		return -ENOMEM;
	ring->records = memory;
	/* A store into every page, so that the poller never faults one in. */
	memset(ring->records, 0xff, size);
	ring->mask = records - 1;
	return 0;
}

void ring_free(struct ring *ring)
{
	free(ring->records);
	ring->records = NULL;
}

void ring_publish_spare(struct ring *ring)
{
	struct sample *place = ring_reserve(ring);

	if (place == &ring->spare) {
		atomic_fetch_add_explicit(&ring->drops, 1, memory_order_relaxed);
		return;
	}
	*place = ring->spare;
	ring_publish(ring, place);
}

const struct sample *ring_peek(const struct ring *ring)
{
	uint64_t tail = atomic_load_explicit(&ring->tail, memory_order_relaxed);

	if (tail == atomic_load_explicit(&ring->head, memory_order_acquire))
		return NULL;
	return &ring->records[tail & ring->mask];
}

bool ring_pop(struct ring *ring, struct sample *sample)
{
	const struct sample *oldest = ring_peek(ring);

	if (!oldest)
		return false;
	*sample = *oldest;
	atomic_store_explicit(&ring->tail,
			      atomic_load_explicit(&ring->tail, memory_order_relaxed) + 1,
			      memory_order_release);
	return true;
}
