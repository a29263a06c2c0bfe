/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef REGION_H
#define REGION_H

#include "delivery.h"

#define REGION_RECORDS 8
#define REGION_VECTORS 2

/*
 * A ring region made by hand, as the driver lays it out: small rings, two vectors, gaps between
 * the parts so that code which ignores the header's offsets reads rubbish.
 */
struct region_block {
	struct msilat_vector vector;
	char gap[128];
	struct msilat_delivery delivery[REGION_RECORDS];
	struct msilat_isr isr[REGION_RECORDS];
};

struct region {
	struct msilat_region header;
	_Alignas(64) struct region_block block[REGION_VECTORS];
	struct delivery delivery;
};

/** region_init - an empty region and a struct delivery that reads it */
void region_init(struct region *r);

/** region_isr - publish an isr record; returns its number */
uint64_t region_isr(struct region *r, unsigned int vector, uint64_t stamp);

/** region_delivery - publish a delivery record; returns its number */
uint64_t region_delivery(struct region *r, unsigned int vector, uint64_t thread, uint64_t signal,
			 uint64_t first_isr, uint64_t last_isr, uint32_t flags);

#endif
