// SPDX-License-Identifier: GPL-2.0-only
/*
 * The hazard probe, off its fast path.
 */
#include <linux/hashtable.h>
#include <linux/slab.h>
#include <linux/spinlock.h>

#include "probe.h"

/* All signalling threads of all devices: two vectors can share an eventfd, and thus its lock. */
static DEFINE_HASHTABLE(probe_threads, 8);
static DEFINE_SPINLOCK(probe_threads_lock);

/**
 * msilat_probe_thread_alloc() - identity for the thread of a vector that is being armed
 *
 * Process context.
 *
 * Return: the identity, as yet of nobody; NULL without memory.
 */
struct msilat_thread *msilat_probe_thread_alloc(void)
{
	return kzalloc(sizeof(struct msilat_thread), GFP_KERNEL_ACCOUNT);
}

/**
 * msilat_probe_thread_free() - forgets the signalling thread of a vector
 * @thread: identity; the vector's IRQ has been freed, so its thread is gone
 *
 * Process context.
 */
void msilat_probe_thread_free(struct msilat_thread *thread)
{
	spin_lock(&probe_threads_lock);
	hash_del_rcu(&thread->node);
	spin_unlock(&probe_threads_lock);
	kfree_rcu(thread, rcu);
}

/**
 * msilat_probe_thread_register() - gives an identity to a thread
 * @thread: identity of the vector that the thread signals for
 * @task: the thread
 *
 * By the one who signals or starts who signals, usually once. If the thread is another one now, as
 * irq_work's is when the interrupt moves to another CPU, the identity changes its place in the hash
 * at once: a primary that looks meanwhile may go on in the wrong chain and take this one signaller
 * for any task. The lock is never taken in hard IRQ.
 */
void msilat_probe_thread_register(struct msilat_thread *thread, struct task_struct *task)
{
	spin_lock(&probe_threads_lock);
	hash_del_rcu(&thread->node);
	WRITE_ONCE(thread->task, task);
	hash_add_rcu(probe_threads, &thread->node, (unsigned long)task);
	spin_unlock(&probe_threads_lock);
}

/**
 * msilat_probe_thread_id() - thread ID of a signalling thread
 * @thread: identity of an armed vector; igate held, which keeps the thread alive: IRQ threads and
 *	kthreads end when their vector is disarmed, irq_work's threads never
 *
 * Process context.
 *
 * Return: the ID in the caller's PID namespace; 0 if the thread is not known, or not in there.
 */
u32 msilat_probe_thread_id(struct msilat_thread *thread)
{
	struct task_struct *task = READ_ONCE(thread->task);

	return task ? task_pid_vnr(task) : 0;
}

/* Under rcu_read_lock(). */
static bool probe_is_signaller(struct task_struct *task)
{
	struct msilat_thread *thread;

	hash_for_each_possible_rcu(probe_threads, thread, node, (unsigned long)task) {
		if (READ_ONCE(thread->task) == task)
			return true;
	}
	return false;
}

/**
 * msilat_probe_owned() - classifies the lock of a vector that was not free a moment ago
 * @vec: vector
 *
 * PREEMPT_RT, hard IRQ. The owner can let go and exit at any time: what is read inside the RCU
 * section cannot be freed before its end. A signalling thread is told by who it is first, even if
 * it is the task that was interrupted.
 *
 * Return: the state.
 */
enum msilat_lock_state msilat_probe_owned(struct msilat_vector_ctx *vec)
{
	enum msilat_lock_state state;
	struct task_struct *owner;
	unsigned long word;

	rcu_read_lock();
	word = compat_lock_word(&vec->wqh->lock);
	owner = (struct task_struct *)(word & ~COMPAT_LOCK_WAITERS);

	if (!word)
		state = MSILAT_LOCK_FREE;
	else if (!owner)
		state = MSILAT_LOCK_HANDOFF;
	else if (owner == READ_ONCE(vec->thread->task))
		state = MSILAT_LOCK_OWN_THREAD;
	else if (probe_is_signaller(owner))
		state = MSILAT_LOCK_OTHER_THREAD;
	else if (owner == current)
		state = MSILAT_LOCK_SELF;
	else if (compat_owner_on_cpu(owner))
		state = MSILAT_LOCK_RUNNING;
	else
		state = MSILAT_LOCK_NOT_RUNNING;
	rcu_read_unlock();

	return state;
}
