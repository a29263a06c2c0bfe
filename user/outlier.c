// SPDX-License-Identifier: GPL-2.0-only
#include "outlier.h"

void outliers_record(struct outliers *o, const struct outlier *event)
{
	unsigned int at, last;

	if (o->count == OUTLIERS && event->latency <= o->row[OUTLIERS - 1].latency)
		return;
	last = o->count < OUTLIERS ? o->count++ : OUTLIERS - 1;
	for (at = last; at && o->row[at - 1].latency < event->latency; at--)
		o->row[at] = o->row[at - 1];
	o->row[at] = *event;
}
