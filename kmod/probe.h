/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The hazard probe: what eventfd_signal() would have met, had it been called in hard IRQ.
 *
 * A primary handler looks at the lock of the eventfd's wait queue without taking it (taking it,
 * even by trylock, would make the interrupted task its owner). On PREEMPT_RT the lock is an
 * rtmutex and its owner word tells the whole story. On other kernels it is a raw spinlock that
 * does not know its owner: the probe then reports MSILAT_LOCK_FREE or MSILAT_LOCK_RUNNING only,
 * and the latter means a short spin, no hazard.
 *
 * The picture is a lower bound: it is one glance, and locks behind the wait queue (epoll's) are
 * out of sight.
 */
#ifndef _MSILAT_PROBE_H
#define _MSILAT_PROBE_H

#include <linux/list.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>

#include "compat.h"
#include "vector.h"

/**
 * struct msilat_thread - identity of the thread that signals for one armed vector
 *
 * @node: in the hash of all signalling threads, once @task is known
 * @task: the thread, NULL while it is not known; primaries compare it and never follow it
 * @rcu: primaries of other vectors may be looking when it goes
 */
struct msilat_thread {
	struct hlist_node node;
	struct task_struct *task;
	struct rcu_head rcu;
};

struct msilat_thread *msilat_probe_thread_alloc(void);
void msilat_probe_thread_free(struct msilat_thread *thread);
void msilat_probe_thread_register(struct msilat_thread *thread, struct task_struct *task);

u32 msilat_probe_thread_id(struct msilat_thread *thread);

enum msilat_lock_state msilat_probe_owned(struct msilat_vector_ctx *vec);

/**
 * msilat_probe_thread() - makes the caller known as the vector's signalling thread
 * @vec: vector
 *
 * To be called before each signal; only the first call after a re-arm does anything, and one from
 * another thread than the last. Thread context.
 */
static __always_inline void msilat_probe_thread(struct msilat_vector_ctx *vec)
{
	if (unlikely(vec->thread->task != current))
		msilat_probe_thread_register(vec->thread, current);
}

/**
 * msilat_probe_lock() - classifies the lock that a signal of the vector would take
 * @vec: vector
 *
 * Hard IRQ.
 *
 * Return: the state.
 */
static __always_inline enum msilat_lock_state msilat_probe_lock(struct msilat_vector_ctx *vec)
{
	spinlock_t *lock = &vec->wqh->lock;

	if (!IS_ENABLED(CONFIG_PREEMPT_RT))
		return spin_is_locked(lock) ? MSILAT_LOCK_RUNNING : MSILAT_LOCK_FREE;
	if (likely(!compat_lock_word(lock)))
		return MSILAT_LOCK_FREE;
	return msilat_probe_owned(vec);
}

#endif /* _MSILAT_PROBE_H */
