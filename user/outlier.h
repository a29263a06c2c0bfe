/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef MSILAT_OUTLIER_H
#define MSILAT_OUTLIER_H

#include <stdint.h>

#include "stage.h"

#define OUTLIERS 32

/**
 * struct outlier - one of the slowest events
 * @seq: sequence number.
 * @latency: whole latency in cycles.
 * @stamps: its stamps, 0 where missing.
 */
struct outlier {
	uint64_t seq;
	uint64_t latency;
	uint64_t stamps[STAMPS];
};

/**
 * struct outliers - the OUTLIERS slowest events, exactly
 * @count: how many there are.
 * @row: sorted, the slowest first; of equals the earlier first.
 */
struct outliers {
	unsigned int count;
	struct outlier row[OUTLIERS];
};

/** outliers_record - keep an event if it is among the slowest */
void outliers_record(struct outliers *o, const struct outlier *event);

#endif
