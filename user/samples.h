/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef MSILAT_SAMPLES_H
#define MSILAT_SAMPLES_H

#include <stdint.h>
#include <stdio.h>

#include "ring.h"
#include "stage.h"

#define SAMPLES_MAGIC "MSILSMP\n"
#define SAMPLES_VERSION 1

/**
 * struct samples_header - start of samples.bin; little-endian
 * @magic: SAMPLES_MAGIC.
 * @version: SAMPLES_VERSION.
 * @header_size: bytes before the first record.
 * @record_size: bytes of a record.
 * @stamps: number of stamps in a record (6: sent, isr, thread, signal, user, done).
 * @hz: cycles per second as calibrated before the run; the manifest has the final value.
 */
struct samples_header {
	char magic[8];
	uint32_t version;
	uint32_t header_size;
	uint32_t record_size;
	uint32_t stamps;
	double hz;
};

/**
 * struct samples_record - one wake
 * @seq: newest event the poller had seen when it woke.
 * @stamps: cycle counts of the oldest event of the wake, 0 where missing.
 * @values: what the wait returned: value of the eventfd, count of the wait ioctl or of the page.
 * @progress: events that were new with this wake.
 */
struct samples_record {
	uint64_t seq;
	uint64_t stamps[STAMPS];
	uint32_t values;
	uint32_t progress;
};

/** samples_begin - write the header; 0 or -errno */
int samples_begin(FILE *f, double hz);

/** samples_write - append one record; 0 or -errno */
int samples_write(FILE *f, const struct sample *s, const uint64_t stamps[STAMPS]);

#endif
