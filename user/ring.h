/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef MSILAT_RING_H
#define MSILAT_RING_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/**
 * struct wake - how a wait ended
 * @user: stamp of the first thing the poller did after the wait returned.
 * @done: stamp when the event was consumed; equal to @user where the wait itself consumes it.
 * @value: deliveries it consumed: the value of the eventfd, the count that the wait ioctl returned,
 *	or the rise of the page's count.
 */
struct wake {
	uint64_t user;
	uint64_t done;
	uint64_t value;
};

/**
 * struct observation - where the device stands, seen from one wake
 * @seq: newest event sent at or before the wake.
 * @sent: stamp of the oldest event not seen before; 0 if unknown or if there is no new one.
 */
struct observation {
	uint64_t seq;
	uint64_t sent;
};

/**
 * struct sample - what the poller knows about one wake
 * @wake: how it ended. Its members, and those of @observation, can be named without it.
 * @values: @wake.value: deliveries that this wake consumed.
 * @observation: where the device stood.
 * @progress: events that are new with this wake; 0 if an earlier wake had seen them all.
 */
struct sample {
	union {
		struct observation observation;
		struct {
			uint64_t seq;
			uint64_t sent;
		};
	};
	union {
		struct wake wake;
		struct {
			uint64_t user;
			uint64_t done;
			uint64_t values;
		};
	};
	uint64_t progress;
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
 * @spare: filled when the ring is full, so that the producer never has to look before a wait.
 * @mask: number of records - 1.
 * @records: the samples.
 */
struct ring {
	_Alignas(64) _Atomic uint64_t head;
	uint64_t tail_seen;
	_Atomic uint64_t drops;
	struct sample spare;
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
 * ring_reserve - where the next sample goes
 *
 * Poller only. Wait-free. The samples are filled in place, so that nothing is copied.
 *
 * Return: the place; if the ring is full a spare one, which ring_publish() deals with.
 */
static inline struct sample *ring_reserve(struct ring *ring)
{
	uint64_t head = atomic_load_explicit(&ring->head, memory_order_relaxed);

	if (__builtin_expect(head - ring->tail_seen > ring->mask, 0)) {
		ring->tail_seen = atomic_load_explicit(&ring->tail, memory_order_acquire);
		if (head - ring->tail_seen > ring->mask)
			return &ring->spare;
	}
	return &ring->records[head & ring->mask];
}

/** ring_publish_spare - hand the spare sample over if there is room by now, else count a drop */
void ring_publish_spare(struct ring *ring);

/**
 * ring_publish - hand the sample at a reserved place to the recorder
 *
 * Poller only. Wait-free: no lock, no system call.
 */
static inline void ring_publish(struct ring *ring, const struct sample *place)
{
	if (__builtin_expect(place == &ring->spare, 0)) {
		ring_publish_spare(ring);
		return;
	}
	atomic_store_explicit(&ring->head,
			      atomic_load_explicit(&ring->head, memory_order_relaxed) + 1,
			      memory_order_release);
}

/**
 * ring_peek - look at the oldest sample without taking it
 *
 * Recorder only. Return: the sample, valid until it is popped; NULL if there is none.
 */
const struct sample *ring_peek(const struct ring *ring);

/**
 * ring_pop - take the oldest sample
 *
 * Recorder only. Return: false if there is none.
 */
bool ring_pop(struct ring *ring, struct sample *sample);

#endif
