/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A vector: one MSI or MSI-X interrupt of the device and where it is delivered.
 */
#ifndef _MSILAT_VECTOR_H
#define _MSILAT_VECTOR_H

#include <linux/cache.h>
#include <linux/irqbypass.h>
#include <linux/types.h>
#include <linux/wait.h>

#include "uapi/msilat.h"
#include "wait.h"

struct eventfd_ctx;
struct msilat_device;
struct msilat_irqwork;
struct msilat_mark_ctx;
struct msilat_strategy_ops;
struct msilat_thread;
struct task_struct;

/**
 * struct msilat_vector_ctx - state of one vector from open to close of the device
 *
 * Members fall into five groups, each on cache lines of its own, by who writes them: igate while
 * no handler is installed, the hard-IRQ primary, the signalling context, that and the waiter, igate
 * at any time. Either ring has one writer at a time, see vector.c.
 *
 * @dev: device
 * @index: number of the vector
 * @mask: records in a ring, minus one
 * @trigger: eventfd to signal, with a reference; NULL: not armed
 * @wqh: its wait queue, embedded in what @trigger references
 * @thread: identity of the signalling thread, for the hazard probe
 * @kthread: strategy kthread: the thread
 * @irqwork: strategy irqwork: its works, one for each CPU
 * @block: this vector's block in the region
 * @isr_records: its isr ring
 * @delivery_records: its delivery ring
 * @marks: mark of each stage, NULL where none is programmed
 * @isrs: records written to the isr ring, as in @block
 * @lock_states: hazard probe, indexed by enum msilat_lock_state
 * @recursion: primaries that interrupted a task inside eventfd code
 * @injecting: an injected interrupt has not met a handler yet
 * @resent: injected interrupts that came from softirq
 * @deliveries: records written to the delivery ring, as in @block
 * @consumed: isr records that a delivery (or a catch-up) has accounted for
 * @threads: entries of the signalling context
 * @guarded: signals that eventfd's recursion guard refused
 * @withheld: signals that fault injection kept back
 * @eventfds: eventfd signals sent beside the strategy's own wake
 * @irqwork_due: strategy irqwork: primaries not yet looked for by the work
 * @wait: where MSILAT_WAIT sleeps
 * @irq: Linux IRQ number while armed
 * @name: name of the IRQ action while armed
 * @producer: registration with KVM's interrupt bypass
 * @catchups: catch-up signals sent
 * @loopbacks: signals sent by VFIO_IRQ_SET_ACTION_TRIGGER with DATA_NONE or DATA_BOOL
 * @injected: interrupts injected
 * @marks_retired: writes of marks that are no longer programmed
 * @mark_runaways: times a mark of this vector was found to run away; written by its handlers
 */
struct msilat_vector_ctx {
	struct msilat_device *dev;
	u32 index;
	u32 mask;
	struct eventfd_ctx *trigger;
	wait_queue_head_t *wqh;
	struct msilat_thread *thread;
	struct task_struct *kthread;
	struct msilat_irqwork *irqwork;
	struct msilat_vector *block;
	struct msilat_isr *isr_records;
	struct msilat_delivery *delivery_records;
	struct msilat_mark_ctx __rcu *marks[MSILAT_STAGES];

	u64 isrs ____cacheline_aligned;
	u64 lock_states[MSILAT_LOCK_STATES];
	u64 recursion;
	bool injecting;
	u64 resent;

	u64 deliveries ____cacheline_aligned;
	u64 consumed;
	u64 threads;
	u64 guarded;
	u64 withheld;
	u64 eventfds;
	atomic_t irqwork_due;

	struct msilat_wait wait ____cacheline_aligned;

	int irq ____cacheline_aligned;
	char *name;
	struct irq_bypass_producer producer;
	u64 catchups;
	u64 loopbacks;
	u64 injected;
	u64 marks_retired;
	u64 mark_runaways;
};

void msilat_vector_new_generation(struct msilat_device *dev);
int msilat_vector_arm(struct msilat_vector_ctx *vec, int fd, bool msix);
void msilat_vector_disarm(struct msilat_vector_ctx *vec);
int msilat_vector_rearm_all(struct msilat_device *dev,
			    const struct msilat_strategy_ops *strategy, u32 select_flags,
			    u32 *catchups);
void msilat_vector_loopback(struct msilat_vector_ctx *vec);
void msilat_vector_counters(struct msilat_vector_ctx *vec, struct msilat_counters *counters);

int msilat_vector_init_all(struct msilat_device *dev);
void msilat_vector_uninit_all(struct msilat_device *dev);

/**
 * msilat_vector_armed() - does an eventfd hang on the vector?
 * @vec: vector; igate held
 *
 * Return: true if so.
 */
static inline bool msilat_vector_armed(const struct msilat_vector_ctx *vec)
{
	return vec->trigger;
}

#endif /* _MSILAT_VECTOR_H */
