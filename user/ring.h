/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef MSILAT_RING_H
#define MSILAT_RING_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/**
 * struct sample - what the poller knows about one wake
 * @seq: newest event that had been sent when the wait returned.
 * @sent: stamp of the oldest event the poller had not seen before; 0 if the device has none.
 * @user: stamp right after the wait returned.
 * @done: stamp when the event was consumed.
 * @values: value read from the eventfd.
 * @progress: events that are new with this wake; 0 if an earlier wake had seen them all.
 */
struct sample {
	uint64_t seq;
	uint64_t sent;
	uint64_t user;
	uint64_t done;
	uint32_t values;
	uint32_t progress;
};

/**
 * struct ring - samples on their way from the poller to the recorder
 *
 * One producer, one consumer. A full ring drops the sample and counts it: a dropped sample is a
 * lost event and makes the run invalid.
 *
 * @head: samples ever pushed; written by the producer.
 * @drops: samples that found the ring full; written by the producer.
 * @tail: samples ever popped; written by the consumer.
 * @tail_seen: the producer's copy of @tail, refreshed only when the ring looks full.
 * @mask: number of records - 1.
 * @records: the samples.
 */
struct ring {
	_Alignas(64) _Atomic uint64_t head;
	uint64_t tail_seen;
	_Atomic uint64_t drops;
	_Alignas(64) _Atomic uint64_t tail;
	_Alignas(64) uint64_t mask;
	struct sample *records;
};

/**
 * ring_init - allocate a ring and touch every page of it
 * @records: capacity, a power of two.
 *
 * Return: 0, -EINVAL or -ENOMEM.
 */
int ring_init(struct ring *ring, uint64_t records);
void ring_free(struct ring *ring);

/**
 * ring_push - hand a sample to the recorder
 *
 * Poller only. Wait-free: no lock, no system call.
 */
static inline void ring_push(struct ring *ring, const struct sample *sample)
{
	uint64_t head = atomic_load_explicit(&ring->head, memory_order_relaxed);

	if (__builtin_expect(head - ring->tail_seen > ring->mask, 0)) {
		ring->tail_seen = atomic_load_explicit(&ring->tail, memory_order_acquire);
		if (head - ring->tail_seen > ring->mask) {
			atomic_fetch_add_explicit(&ring->drops, 1, memory_order_relaxed);
			return;
		}
	}
	ring->records[head & ring->mask] = *sample;
	atomic_store_explicit(&ring->head, head + 1, memory_order_release);
}

/**
 * ring_pop - take the oldest sample
 *
 * Recorder only. Return: false if there is none.
 */
bool ring_pop(struct ring *ring, struct sample *sample);

#endif
