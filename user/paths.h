/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef MSILAT_PATHS_H
#define MSILAT_PATHS_H

#include <stddef.h>
#include <stdint.h>

#define PATHS_MAX 1024

/**
 * struct paths - distinct path lengths and how often each was taken (exact mode)
 * @used: number of rows, sorted by length.
 * @beyond: values that found the table full; they are still in the histogram and are printed.
 * @row: length in guest instructions, and count.
 */
struct paths {
	size_t used;
	uint64_t beyond;
	struct {
		uint64_t length;
		uint64_t count;
	} row[PATHS_MAX];
};

void paths_init(struct paths *p);

/** paths_record - count one path length; allocates nothing */
void paths_record(struct paths *p, uint64_t length);

/**
 * paths_commonest - the length taken most often, the shorter of two equals
 * @count: receives how often; may be NULL.
 *
 * Return: the length, 0 when nothing was recorded.
 */
uint64_t paths_commonest(const struct paths *p, uint64_t *count);

#endif
