// SPDX-License-Identifier: GPL-2.0-only
#include <string.h>

#include "paths.h"

void paths_init(struct paths *p)
{
	memset(p, 0, sizeof(*p));
}

void paths_record(struct paths *p, uint64_t length)
{
	size_t low = 0, high = p->used, mid;

	while (low < high) {
		mid = (low + high) / 2;
		if (p->row[mid].length < length)
			low = mid + 1;
		else
			high = mid;
	}
	if (low < p->used && p->row[low].length == length) {
		p->row[low].count++;
		return;
	}
	if (p->used == PATHS_MAX) {
		p->beyond++;
		return;
	}
	memmove(&p->row[low + 1], &p->row[low], (p->used - low) * sizeof(p->row[0]));
	p->row[low].length = length;
	p->row[low].count = 1;
	p->used++;
}

uint64_t paths_commonest(const struct paths *p, uint64_t *count)
{
	size_t i, best = 0;

	for (i = 1; i < p->used; i++)
		if (p->row[i].count > p->row[best].count)
			best = i;
	if (count)
		*count = p->used ? p->row[best].count : 0;
	return p->used ? p->row[best].length : 0;
}
