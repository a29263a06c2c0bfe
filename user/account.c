// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "account.h"

/* One link: what the earlier counted minus what the later did; a deficit is unexplained. */
static uint64_t link_merges(struct account *a, uint64_t earlier, uint64_t later)
{
	if (earlier >= later)
		return earlier - later;
	a->unexplained += later - earlier;
	return 0;
}

static void __attribute__((format(printf, 2, 3))) say(struct account *a, const char *fmt, ...)
{
	size_t len = strlen(a->text);
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(a->text + len, sizeof(a->text) - len, fmt, ap);
	va_end(ap);
}

static uint64_t merges(const struct account *a)
{
	const uint64_t places[] = { a->device_to_isr, a->isr_to_thread, a->wake, a->unknown };
	uint64_t sum = 0;
	size_t i;

	for (i = 0; i < sizeof(places) / sizeof(places[0]); i++)
		if (places[i] != ACCOUNT_UNKNOWN)
			sum += places[i];
	return sum;
}

static void say_place(struct account *a, uint64_t n, const char *place, bool *any)
{
	if (!n || n == ACCOUNT_UNKNOWN)
		return;
	say(a, "%s%" PRIu64 " %s", *any ? ", " : " (", n, place);
	*any = true;
}

static void explain(struct account *a, const struct account_in *in)
{
	bool any = false;

	a->text[0] = '\0';
	say(a, "%" PRIu64 " fired", in->fired);
	if (in->catchups)
		say(a, " + %" PRIu64 " catch-ups", in->catchups);
	if (in->foreign)
		say(a, " + %" PRIu64 " of another vector", in->foreign);
	say(a, " = %" PRIu64 " wakes", in->wakes);
	if (in->takes)
		say(a, " + %" PRIu64 " of another reader", in->takes);
	say(a, " + %" PRIu64 " merged", merges(a));
	say_place(a, a->device_to_isr, "device to ISR", &any);
	say_place(a, a->isr_to_thread, "ISR to thread", &any);
	say_place(a, a->wake, in->wake, &any);
	say_place(a, a->unknown, "place unknown", &any);
	say(a, "%s; ", any ? ")" : "");
	if (a->lost)
		say(a, "%" PRIu64 " LOST", a->lost);
	else
		say(a, "none lost");
	if (a->unexplained)
		say(a, "; %" PRIu64 " UNEXPLAINED", a->unexplained);
}

static uint64_t least(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* Our driver: every link is counted. */
static void close_driver(struct account *a, const struct account_in *in, uint64_t gone)
{
	/* What set out for the poller. */
	uint64_t signals = in->beside ? in->eventfds : in->signals;
	uint64_t signals_lost = link_merges(a, signals + in->catchups + in->foreign,
					    in->values + in->taken);
	/* The first link behind the device that was counted. */
	uint64_t isr = in->primary ? in->isr : in->irqs_known ? in->irqs : signals;
	/* Interrupts that never came: gone, but not because their signal was lost. */
	uint64_t never = gone > signals_lost ? gone - signals_lost : 0;

	/* What that link counted came, however late: a starved poller is overdue, not at a loss. */
	never = least(never, in->fired > isr ? in->fired - isr : 0);

	a->lost = signals_lost + never;
	a->unknown = ACCOUNT_UNKNOWN;
	if (in->primary || in->irqs_known) {
		a->device_to_isr = link_merges(a, in->fired - never, isr);
		a->isr_to_thread = link_merges(a, isr, signals);
	} else {
		/* No link between the device and the thread was counted. */
		a->device_to_isr = ACCOUNT_UNKNOWN;
		a->isr_to_thread = ACCOUNT_UNKNOWN;
		a->unknown = link_merges(a, in->fired - never, signals);
	}
	if (in->signals > in->threads)
		a->unexplained += in->signals - in->threads;
	else if (!in->primary)
		a->unexplained += in->threads - in->signals;
}

/* Stock vfio-pci: nothing between the device and the eventfd is counted. */
static void close_stock(struct account *a, const struct account_in *in, uint64_t gone)
{
	uint64_t values = in->values + in->taken;

	a->lost = least(gone, in->fired > values ? in->fired - values : 0);
	a->device_to_isr = ACCOUNT_UNKNOWN;
	a->isr_to_thread = ACCOUNT_UNKNOWN;
	a->unknown = link_merges(a, in->fired - a->lost, values);
}

/* Merges and losses known so far; the links move, so nothing can be proved of them yet. */
static void close_under_way(struct account *a, const struct account_in *in)
{
	uint64_t merged = in->seen > in->wakes ? in->seen - in->wakes : 0;

	a->device_to_isr = ACCOUNT_UNKNOWN;
	a->isr_to_thread = ACCOUNT_UNKNOWN;
	a->unknown = merged > in->overdue ? merged - in->overdue : 0;
	a->lost = in->overdue + in->ring_drops;
	a->valid = !a->lost;
	say(a, "%" PRIu64 " fired, %" PRIu64 " seen by %" PRIu64 " wakes; under way", in->fired,
	    in->seen, in->wakes);
}

void account_close(struct account *a, const struct account_in *in)
{
	uint64_t gone = in->overdue;

	memset(a, 0, sizeof(*a));
	if (in->under_way) {
		close_under_way(a, in);
		return;
	}
	/* What the poller has seen cannot exceed what the device fired. */
	gone += link_merges(a, in->fired, in->seen);
	gone = least(gone, in->fired);
	if (in->driver)
		close_driver(a, in, gone);
	else
		close_stock(a, in, gone);
	a->wake = link_merges(a, in->values, in->wakes) + link_merges(a, in->taken, in->takes);
	a->lost += in->ring_drops;
	a->valid = !a->lost && !a->unexplained;
	explain(a, in);
	if (in->ring_drops)
		say(a, " (%" PRIu64 " of them dropped by the ring)", in->ring_drops);
}
