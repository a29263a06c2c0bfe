// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "live.h"
#include "summary.h"

#define US(r, cycles) (clock_ns(&(r)->rate, (cycles)) / 1000)

static void put_left(const struct run *r, double elapsed, char *text, size_t size)
{
	double left = -1, part;

	if (r->params.duration)
		left = (double)r->params.duration - elapsed;
	part = r->params.loops ? (double)r->links.fired / (double)r->params.loops : 0;
	if (part > 0 && part <= 1 && (left < 0 || elapsed / part - elapsed < left))
		left = elapsed / part - elapsed;
	if (left < 0)
		snprintf(text, size, "?");
	else
		snprintf(text, size, "%d:%02d", (int)left / 60, (int)left % 60);
}

static uint64_t counted(uint64_t merges)
{
	return merges == ACCOUNT_UNKNOWN ? 0 : merges;
}

void live_show(const struct run *r)
{
	const struct histogram *h = &r->recording.stages.stage[0].histogram;
	const struct account *a = &r->account;
	struct histogram_quantile p99 = { 0 };
	double elapsed = clock_ns(&r->rate, r->last.cycles - r->first.cycles) / 1e9;
	uint64_t merged = counted(a->device_to_isr) + counted(a->isr_to_thread) + a->eventfd +
			  counted(a->unknown);
	char left[32], seen[32], fired[32];

	put_left(r, elapsed, left, sizeof(left));
	fprintf(stderr, "\r\033[K%d:%02d left %s  %s / %s  merged %" PRIu64 "  lost %" PRIu64,
		(int)elapsed / 60, (int)elapsed % 60, left,
		summary_number(seen, (double)r->links.seen),
		summary_number(fired, (double)r->links.fired), merged, a->lost);
	if (h->count) {
		fprintf(stderr, "  min %.1f avg %.1f", US(r, h->min),
			histogram_mean(h) * 1e6 / r->rate.hz);
		if (histogram_quantile(h, 0.99, &p99))
			fprintf(stderr, " p99 %.1f", US(r, p99.value));
		fprintf(stderr, " max %.1f µs", US(r, h->max));
	}
	if (elapsed > 0)
		fprintf(stderr, "  %.0f/s", (double)r->links.seen / elapsed);
	fflush(stderr);
}

void live_clear(void)
{
	fputs("\r\033[K", stderr);
	fflush(stderr);
}
