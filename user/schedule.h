/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef MSILAT_SCHEDULE_H
#define MSILAT_SCHEDULE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "device.h"

/**
 * struct schedule - when events are fired
 * @device: what is fired.
 * @timer: the device's own timer fires, the store only starts it.
 * @interval_ns: pause between an event and the next.
 * @jitter_ns: a pseudo-random 0 … @jitter_ns is added to each pause. A fixed period would lock in
 *	phase with the tick and measure one phase only.
 * @random: state of the generator; set it to the seed, which must not be 0.
 * @count: events in all; 0 for no end.
 * @burst: events fired back to back.
 * @stop: ends the schedule when set.
 * @fired: events fired so far.
 * @due: cycle count at which the newest timer event fires; 0 if unknown.
 *
 * One thread uses a schedule: the trigger, or the poller in scenario self.
 */
struct schedule {
	struct device *device;
	bool timer;
	uint64_t interval_ns;
	uint64_t jitter_ns;
	uint64_t random;
	uint64_t count;
	uint64_t burst;
	const _Atomic int *stop;
	_Atomic uint64_t fired;
	uint64_t due;
};

/**
 * schedule_wait - sleep until the next events are due
 *
 * Return: 0, or 1 when all events are fired or @stop is set.
 */
int schedule_wait(struct schedule *s);

/**
 * schedule_send - fire the events that are due
 *
 * Return: 0, or -errno when the device failed.
 */
int schedule_send(struct schedule *s);

/**
 * schedule_random - next number of the generator
 *
 * xorshift64* (S. Vigna, "An experimental exploration of Marsaglia's xorshift generators,
 * scrambled", ACM TOMS 42 (2016)).
 */
uint64_t schedule_random(uint64_t *state);

#endif
