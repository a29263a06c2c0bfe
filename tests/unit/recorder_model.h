/* SPDX-License-Identifier: GPL-2.0-only */
/* A recorder, a region made by hand, and interrupts of known stages: for tests of the recorder. */
#ifndef RECORDER_MODEL_H
#define RECORDER_MODEL_H

#include "push.h"
#include "recorder.h"
#include "region.h"
#include "unit.h"

#define ALL ((1u << STAMPS) - 1)
#define NO_ISR UINT64_MAX

static struct region region;
static struct recorder r;
static struct ring ring;
static uint64_t now;	/* the time of the model */

enum { SENT_ISR = 1, ISR_THREAD, THREAD_SIGNAL, SIGNAL_USER, USER_DONE };

static inline int setup(void **state)
{
	(void)state;
	now = 1000;
	region_init(&region);
	if (ring_init(&ring, 64))
		return -1;
	recorder_init(&r, &ring, &region.delivery, 0, NULL, ALL);
	return 0;
}

static inline int teardown(void **state)
{
	(void)state;
	ring_free(&ring);
	return 0;
}

static inline const struct histogram *stage(unsigned int i)
{
	return &r.now.stages.stage[i].histogram;
}

/* One interrupt: sent, 10 cycles to the isr, 20 to the thread, 30 to the signal. */
static inline uint64_t interrupt(uint32_t flags)
{
	uint64_t sent = now += 1000, isr;

	isr = region_isr(&region, 0, sent + 10);
	region_delivery(&region, 0, sent + 30, sent + 60, isr, isr, flags);
	return sent;
}

/* The wake for it: 40 more to user, 5 to done. */
static inline void wake(uint64_t seq, uint64_t sent, uint32_t values, uint32_t progress)
{
	const struct sample s = {
		.seq = seq, .sent = sent, .user = now + 100, .done = now + 105,
		.values = values, .progress = progress,
	};

	ring_push(&ring, &s);
}

#define TEST(test) cmocka_unit_test_setup_teardown(test, setup, teardown)

#endif
