// SPDX-License-Identifier: GPL-2.0-only
#include <string.h>

#include "region.h"

void region_init(struct region *r)
{
	memset(r, 0, sizeof(*r));
	memset(r->block[0].gap, 0xa5, sizeof(r->block[0].gap));
	memset(r->block[1].gap, 0xa5, sizeof(r->block[1].gap));
	r->header = (struct msilat_region){
		.magic = MSILAT_REGION_MAGIC,
		.version = MSILAT_UAPI_VERSION,
		.header_size = sizeof(r->header),
		.vectors = REGION_VECTORS,
		.vector_offset = offsetof(struct region, block),
		.vector_stride = sizeof(struct region_block),
		.ring_records = REGION_RECORDS,
		.isr_offset = offsetof(struct region_block, isr),
		.delivery_offset = offsetof(struct region_block, delivery),
		.clock = MSILAT_CLOCK_TSC,
	};
	r->delivery.region = &r->header;
}

uint64_t region_isr(struct region *r, unsigned int vector, uint64_t stamp)
{
	struct region_block *b = &r->block[vector];
	uint64_t n = b->vector.isr_head;
	struct msilat_isr *record = &b->isr[n % REGION_RECORDS];

	__atomic_store_n(&record->seq, 0, __ATOMIC_RELAXED);
	__atomic_thread_fence(__ATOMIC_RELEASE);
	__atomic_store_n(&record->isr, stamp, __ATOMIC_RELAXED);
	__atomic_store_n(&record->reserved, ~stamp, __ATOMIC_RELAXED);
	__atomic_store_n(&record->seq, n + 1, __ATOMIC_RELEASE);
	__atomic_store_n(&b->vector.isr_head, n + 1, __ATOMIC_RELEASE);
	return n;
}

uint64_t region_delivery(struct region *r, unsigned int vector, uint64_t thread, uint64_t signal,
			 uint64_t first_isr, uint64_t last_isr, uint32_t flags)
{
	struct region_block *b = &r->block[vector];
	uint64_t n = b->vector.delivery_head;
	struct msilat_delivery *record = &b->delivery[n % REGION_RECORDS];

	__atomic_store_n(&record->seq, 0, __ATOMIC_RELAXED);
	__atomic_thread_fence(__ATOMIC_RELEASE);
	record->thread = thread;
	record->signal = signal;
	record->first_isr = first_isr;
	record->last_isr = last_isr;
	record->flags = flags;
	__atomic_store_n(&record->seq, n + 1, __ATOMIC_RELEASE);
	__atomic_store_n(&b->vector.delivery_head, n + 1, __ATOMIC_RELEASE);
	return n;
}
