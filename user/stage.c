// SPDX-License-Identifier: GPL-2.0-only
#include <stdio.h>
#include <string.h>

#include "stage.h"

static const char *const names[STAMPS] = {
	[STAMP_SENT] = "sent",
	[STAMP_ISR] = "isr",
	[STAMP_THREAD] = "thread",
	[STAMP_SIGNAL] = "signal",
	[STAMP_USER] = "user",
	[STAMP_DONE] = "done",
};

const char *stamp_name(enum stamp stamp)
{
	return names[stamp];
}

static void add(struct stages *s, enum stamp from, enum stamp to)
{
	struct stage *stage = &s->stage[s->count++];

	stage->from = from;
	stage->to = to;
	snprintf(stage->name, sizeof(stage->name), "%s-%s", names[from], names[to]);
	histogram_init(&stage->histogram);
	paths_init(&stage->paths);
}

void stages_init(struct stages *s, unsigned int present)
{
	enum stamp stamp, last;

	memset(s, 0, sizeof(*s));
	for (last = STAMP_SENT; !(present >> last & 1); last++)
		;
	if (last != STAMP_USER)
		add(s, last, STAMP_USER);
	for (stamp = last + 1; stamp < STAMPS; stamp++) {
		if (!(present >> stamp & 1))
			continue;
		/* Nothing between the ends: the whole is the only stage. */
		if (!s->count || last != s->stage[0].from || stamp != STAMP_USER)
			add(s, last, stamp);
		last = stamp;
	}
}

uint64_t stages_record(struct stages *s, const uint64_t stamps[STAMPS])
{
	uint64_t from, to, whole = UINT64_MAX;
	bool disordered = false;
	unsigned int i;

	for (i = 0; i < s->count; i++) {
		from = stamps[s->stage[i].from];
		to = stamps[s->stage[i].to];
		if (!from || !to)
			continue;
		if (to < from) {
			disordered = true;
			continue;
		}
		histogram_record(&s->stage[i].histogram, to - from);
		paths_record(&s->stage[i].paths, to - from);
		if (!i && s->stage[i].to == STAMP_USER)
			whole = to - from;
	}
	s->disordered += disordered;
	return whole;
}
