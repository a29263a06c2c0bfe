// SPDX-License-Identifier: GPL-2.0-only
/*
 * Wait mode page: watches the count of events in the mapped region. No system call, no sleep: every
 * thread the event needs must be able to run elsewhere or above it (run_place.c checks).
 */
#include <errno.h>

#include "clock.h"
#include "wait.h"

static inline uint64_t page_load(const struct wait *w)
{
	return __atomic_load_n(w->page, __ATOMIC_ACQUIRE);
}

/* Tell the CPU that this is a wait: spare its sibling, and leave the loop without a flush. */
static inline void page_relax(void)
{
#if defined(__x86_64__)
	__builtin_ia32_pause();
#elif defined(__aarch64__)
	__asm__ volatile("yield");
#endif
}

static int page_open(struct wait *w)
{
	w->page = w->on.delivery ? delivery_page(w->on.delivery, w->on.vector) : NULL;
	if (!w->page)
		return -ENOTSUP;
	w->seen = page_load(w);
	return 0;
}

static int page_wait(struct wait *w, struct wake *wake)
{
	const uint64_t seen = w->seen;
	uint64_t now;

	while ((now = page_load(w)) == seen) {
		if (atomic_load_explicit(w->stop, memory_order_relaxed))
			return -EINTR;
		page_relax();
	}
	wake->user = clock_read();
	wake->done = wake->user;
	wake->value = now - seen;
	w->seen = now;
	return 0;
}

/* The loop looks at @stop by itself. */
static uint64_t page_kick(struct wait *w)
{
	(void)w;
	return 0;
}

static uint64_t page_take(struct wait *w)
{
	const uint64_t seen = w->seen;

	w->seen = page_load(w);
	return w->seen - seen;
}

const struct wait_ops wait_page = {
	.name = "page",
	.summary = "a loop on the mapped page of our driver",
	.wake = STRATEGY_WAKE_PAGE,
	.busy = true,
	.open = page_open,
	.wait = page_wait,
	.kick = page_kick,
	.take = page_take,
};
