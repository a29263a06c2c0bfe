/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef MSILAT_RECORDER_H
#define MSILAT_RECORDER_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>

#include "delivery.h"
#include "fired.h"
#include "outlier.h"
#include "ring.h"
#include "sched.h"
#include "stage.h"

/**
 * struct recording - what a recorder has found out
 * @stages: histograms and paths.
 * @outliers: slowest events.
 * @samples: samples taken off the ring.
 * @signals: deliveries in them.
 * @progress: events in them.
 * @merged: samples that stood for more than one event; they count with their oldest event.
 * @unattributed: samples without a latency: no new event, or no sent stamp for it.
 * @unstamped: samples whose driver records were overwritten before they were read.
 */
struct recording {
	struct stages stages;
	struct outliers outliers;
	uint64_t samples;
	uint64_t signals;
	uint64_t progress;
	uint64_t merged;
	uint64_t unattributed;
	uint64_t unstamped;
};

/**
 * struct recorder - turns samples and the driver's records into results
 * @ring: the poller's samples.
 * @delivery: the driver's records; may have none.
 * @vector: vector measured.
 * @late: the events fired, if their sent stamps are final only after the poller may have seen them;
 *	else NULL.
 * @late_seen: newest of them that a sample has accounted for.
 * @next: delivery record that belongs to the next signal.
 * @guarded: signals refused by eventfd's recursion guard that have been passed over.
 * @lock: guards @now; taken for each drain.
 * @now: results up to now.
 * @file: samples.bin, or NULL.
 * @file_error: -errno of the first failed write to it.
 * @exact: exact mode: wake seldom.
 * @stop: ends the thread.
 * @running: the thread runs.
 */
struct recorder {
	struct ring *ring;
	const struct delivery *delivery;
	uint32_t vector;
	struct fired *late;
	uint64_t late_seen;
	uint64_t next;
	uint64_t guarded;
	pthread_mutex_t lock;
	struct recording now;
	FILE *file;
	int file_error;
	bool exact;
	_Atomic int stop;
	bool running;
	pthread_t thread;
};

/**
 * recorder_init - prepare a recorder; zeroes everything but what the caller has set up
 * @present: stamps the run has, see stages_init().
 */
void recorder_init(struct recorder *r, struct ring *ring, const struct delivery *delivery,
		   uint32_t vector, struct fired *late, unsigned int present);

/** recorder_start - give the recorder a thread that drains every few ms; 0 or -errno */
int recorder_start(struct recorder *r, const struct sched_want *want, struct reason *why);

/** recorder_stop - end the thread, if there is one, and drain what is left */
void recorder_stop(struct recorder *r);

/** recorder_drain - record all samples that are in the ring now; any one thread at a time */
void recorder_drain(struct recorder *r);

/**
 * recorder_snapshot - copy the results up to now
 *
 * Any thread. The recorder waits for the copy only, never for what is done with it.
 */
void recorder_snapshot(struct recorder *r, struct recording *copy);

#endif
