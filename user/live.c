// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

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

#define COLUMNS 99

/*
 * A line that fills the terminal's last column, or wraps, cannot be drawn over. For the same reason
 * the cursor goes back to its start: there the ^C that a terminal echoes stays on this line.
 */
static int last_column(void)
{
	struct winsize size;

	if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) || !size.ws_col || size.ws_col > COLUMNS)
		return COLUMNS;
	return size.ws_col - 1;
}

/* Append to a line as long as it fits; what comes later is less important. */
static void __attribute__((format(printf, 3, 4)))
put(char *line, int *left, const char *fmt, ...)
{
	char text[96];
	va_list ap;
	int n = 0;
	char *p;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	for (p = text; *p; p++)
		n += (*p & 0xc0) != 0x80;	/* bytes that begin a character */
	if (n > *left)
		return;
	strcat(line, text);
	*left -= n;
}

static void put_latencies(const struct run *r, char *line, int *room)
{
	const struct histogram *h = &r->recording.stages.stage[0].histogram;
	struct histogram_quantile p99;

	if (!h->count)
		return;
	put(line, room, "  min %.1f avg %.1f", US(r, h->min),
	    histogram_mean(h) * 1e6 / r->rate.hz);
	if (histogram_quantile(h, 0.99, &p99))
		put(line, room, " p99 %.1f", US(r, p99.value));
	put(line, room, " max %.1f µs", US(r, h->max));
}

void live_show(const struct run *r)
{
	const struct account *a = &r->account;
	double elapsed = clock_ns(&r->rate, r->last.cycles - r->first.cycles) / 1e9;
	uint64_t merged = counted(a->device_to_isr) + counted(a->isr_to_thread) + a->wake +
			  counted(a->unknown);
	char line[512] = "", left[32];
	char seen[SUMMARY_NUMBER_MAX], fired[SUMMARY_NUMBER_MAX];
	int room = last_column();

	put_left(r, elapsed, left, sizeof(left));
	put(line, &room, "%d:%02d left %s", (int)elapsed / 60, (int)elapsed % 60, left);
	put(line, &room, "  %s / %s", summary_number(seen, (double)r->links.seen),
	    summary_number(fired, (double)r->links.fired));
	put(line, &room, "  merged %" PRIu64 "  lost %" PRIu64, merged, a->lost);
	put_latencies(r, line, &room);
	if (elapsed > 0)
		put(line, &room, "  %.0f/s", (double)r->links.seen / elapsed);
	fprintf(stderr, "\r\033[K%s\r", line);
	fflush(stderr);
}

void live_text(const char *text)
{
	int room = last_column();
	const char *end;

	for (end = text; *end; end++)
		if ((*end & 0xc0) != 0x80 && room-- == 0)
			break;
	fprintf(stderr, "\r\033[K%.*s\r", (int)(end - text), text);
	fflush(stderr);
}

void live_clear(void)
{
	fputs("\r\033[K", stderr);
	fflush(stderr);
}
