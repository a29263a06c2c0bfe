// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <string.h>

#include "samples.h"

_Static_assert(sizeof(struct samples_record) == 64, "the format has no padding");
_Static_assert(sizeof(struct samples_header) == 32, "the format has no padding");
_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "the format is little-endian");

static int put(FILE *f, const void *data, size_t size)
{
	errno = 0;
	if (fwrite(data, size, 1, f) == 1)
		return 0;
	return errno ? -errno : -EIO;
}

int samples_begin(FILE *f, double hz)
{
	struct samples_header h = {
		.version = SAMPLES_VERSION,
		.header_size = sizeof(h),
		.record_size = sizeof(struct samples_record),
		.stamps = STAMPS,
		.hz = hz,
	};

	memcpy(h.magic, SAMPLES_MAGIC, sizeof(h.magic));
	return put(f, &h, sizeof(h));
}

int samples_write(FILE *f, const struct sample *s, const uint64_t stamps[STAMPS])
{
	struct samples_record r = {
		.seq = s->seq,
		.values = (uint32_t)s->values,
		.progress = (uint32_t)s->progress,
	};

	memcpy(r.stamps, stamps, sizeof(r.stamps));
	return put(f, &r, sizeof(r));
}
