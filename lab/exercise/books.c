// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "books.h"
#include "check.h"

#define CALL_TRIES 400
#define CALL_PAUSE_US 5000

/* struct start - where the counters stood when the books were opened */
static struct start {
	struct msilat_counters counters[LANES_MAX];
	uint64_t values[LANES_MAX];
	uint64_t waited[LANES_MAX];
	uint64_t paged[LANES_MAX];
} start;

void books_open(struct lanes *l)
{
	unsigned int i;

	lanes_drain(l);
	for (i = 0; i < l->lanes; i++)
		start.values[i] = l->lane[i].values;
	for (i = 0; i < l->vectors; i++) {
		start.waited[i] = l->vector[i].waited;
		start.paged[i] = l->vector[i].paged;
		if (l->subject->ours)
			start.counters[i] = vdev_counters(&l->subject->card.dev, i);
	}
}

/* Signals, catch-ups and loopbacks of a vector since the books were opened. */
static uint64_t sent(const struct msilat_counters *c, unsigned int i)
{
	const struct msilat_counters *b = &start.counters[i];

	return c->signals - b->signals + c->catchups - b->catchups + c->loopbacks - b->loopbacks;
}

/* Of these, what an eventfd got where it is not the strategy's own wake. */
static uint64_t beside(const struct msilat_counters *c, unsigned int i)
{
	const struct msilat_counters *b = &start.counters[i];

	return c->eventfds - b->eventfds + c->catchups - b->catchups + c->loopbacks - b->loopbacks;
}

static uint64_t differ(const char *what, const char *which, unsigned int i, uint64_t got,
		       uint64_t want)
{
	if (got == want)
		return 0;
	printf("note %s: %s %u: %" PRIu64 " arrived, the driver sent %" PRIu64 "\n", what, which, i,
	       got, want);
	return got > want ? got - want : want - got;
}

static uint64_t compare_ours(struct lanes *l, const char *what)
{
	uint64_t lanes[LANES_MAX] = { 0 }, off = 0;
	enum wake wake = l->subject->wake;
	unsigned int i;

	for (i = 0; i < l->vectors; i++) {
		struct msilat_counters c = vdev_counters(&l->subject->card.dev, i);
		struct vector *v = &l->vector[i];

		lanes[v->lane - l->lane] += wake == WAKE_EVENTFD ? sent(&c, i) : beside(&c, i);
		if (wake == WAKE_IOCTL)
			off += differ(what, "MSILAT_WAIT of vector", i, v->waited - start.waited[i],
				      sent(&c, i));
		if (wake == WAKE_PAGE)
			off += differ(what, "page of vector", i, v->paged - start.paged[i],
				      sent(&c, i));
		off += c.guarded;
	}
	for (i = 0; i < l->lanes; i++)
		off += differ(what, "eventfd", i, l->lane[i].values - start.values[i], lanes[i]);
	return off;
}

/*
 * Over switches there and back between the subject's strategy and one that wakes by the eventfd,
 * what arrived either way is one sum. Half of the catch-ups came under the subject's: those, like
 * loopbacks, go both ways.
 */
uint64_t books_close_switched(struct lanes *l, const char *what)
{
	uint64_t sum[LANES_MAX] = { 0 }, got[LANES_MAX] = { 0 }, off = 0;
	unsigned int i;

	for (i = 0; i < l->vectors; i++) {
		struct msilat_counters c = vdev_counters(&l->subject->card.dev, i);
		const struct msilat_counters *b = &start.counters[i];
		struct vector *v = &l->vector[i];
		size_t lane = v->lane - l->lane;

		sum[lane] += sent(&c, i);
		if (l->subject->wake != WAKE_EVENTFD)
			sum[lane] += c.eventfds - b->eventfds + (c.catchups - b->catchups) / 2 +
				     c.loopbacks - b->loopbacks;
		got[lane] += v->waited - start.waited[i] + v->paged - start.paged[i];
		off += c.guarded;
	}
	for (i = 0; i < l->lanes; i++)
		off += differ(what, "lane", i, got[i] + l->lane[i].values - start.values[i],
			      sum[i]);
	return off;
}

static uint64_t unseen(const char *what, const char *which, unsigned int i, uint64_t fired,
		       uint64_t seen)
{
	if (seen == fired)
		return 0;
	printf("note %s: %s %u: no wake after the last interrupt\n", what, which, i);
	return 1;
}

uint64_t books_close(struct lanes *l, const char *what)
{
	uint64_t off = 0;
	unsigned int i;

	if (l->subject->ours)
		off += compare_ours(l, what);
	for (i = 0; l->subject->wake == WAKE_EVENTFD && i < l->lanes; i++)
		off += unseen(what, "eventfd", i, l->lane[i].fired, l->lane[i].seen);
	for (i = 0; l->subject->wake != WAKE_EVENTFD && i < l->vectors; i++)
		off += unseen(what, "vector", i, l->vector[i].fired, l->vector[i].seen);
	return off;
}

static uint64_t arrived(struct lanes *l, struct vector *v)
{
	switch (l->subject->wake) {
	case WAKE_IOCTL:
		return v->waited;
	case WAKE_PAGE:
		return v->paged;
	default:
		return v->lane->values;
	}
}

uint64_t books_call(struct lanes *l, const char *what)
{
	unsigned int i, try;
	uint64_t off = 0, before, now;

	for (i = 0; i < l->vectors; i++) {
		before = arrived(l, &l->vector[i]);
		lanes_fire_one(l, &l->vector[i]);
		for (try = 0; try < CALL_TRIES && arrived(l, &l->vector[i]) == before; try++)
			usleep(CALL_PAUSE_US);
		now = arrived(l, &l->vector[i]);
		if (now == before + 1)
			continue;
		printf("note %s: vector %u fired once, %" PRIu64 " events came\n", what, i,
		       now - before);
		off++;
	}
	return off;
}

void books_tell(struct lanes *l)
{
	uint64_t states[MSILAT_LOCK_STATES] = { 0 }, fired = 0, events = 0, signals = 0;
	uint64_t injected = 0, marks = 0;
	unsigned int i, j;

	for (i = 0; i < l->vectors; i++) {
		fired += l->vector[i].fired;
		events += l->vector[i].waited + l->vector[i].paged;
		if (!l->subject->ours)
			continue;
		struct msilat_counters c = vdev_counters(&l->subject->card.dev, i);

		signals += c.signals;
		injected += c.injected;
		marks += c.marks;
		for (j = 0; j < MSILAT_LOCK_STATES; j++)
			states[j] += c.lock_states[j];
	}
	for (i = 0; i < l->lanes; i++)
		events += l->lane[i].values;
	printf("fired %" PRIu64 "\nevents %" PRIu64 "\n", fired, events);
	if (!l->subject->ours)
		return;
	printf("signals %" PRIu64 "\ninjected %" PRIu64 "\nmarks %" PRIu64 "\nlock_states", signals,
	       injected, marks);
	for (j = 0; j < MSILAT_LOCK_STATES; j++)
		printf(" %" PRIu64, states[j]);
	putchar('\n');
}
