// SPDX-License-Identifier: GPL-2.0-only
/*
 * Strategy "kthread": a primary of our own in hard IRQ, the signal in a thread of our own.
 *
 * Context: IRQF_NO_THREAD keeps the primary in hard IRQ on every kernel. It wakes a kthread of the
 *	vector, "msilat/IRQ-VECTOR", SCHED_FIFO 50 like an IRQ thread. The thread starts on the
 *	CPUs that take the interrupt and is not bound to them: people may move it. It does not
 *	follow when the interrupt moves later.
 * Wakes by: eventfd_signal(), in the kthread.
 * Locks: the raw ones of a wake-up in the primary. The eventfd's wait-queue lock in the kthread.
 * On RT: allowed. Waking a task takes raw locks only and is bounded; every sleeping lock is taken
 *	in the kthread.
 * On other kernels: allowed, and the same.
 *
 * It is what drivers open-code that cannot use IRQ threads; with "split" it tells what the kernel's
 * IRQ thread costs beyond a thread.
 */
#include <linux/completion.h>
#include <linux/cpumask.h>
#include <linux/irq.h>
#include <linux/kthread.h>
#include <linux/sched.h>

#include "deliver.h"
#include "strategy.h"

static irqreturn_t kthread_primary(int irq, void *arg)
{
	struct msilat_vector_ctx *vec = arg;

	msilat_deliver_isr(vec);
	wake_up_process(vec->kthread); /* a full barrier before it looks at the thread's state */
	return IRQ_HANDLED;
}

static bool kthread_has_work(struct msilat_vector_ctx *vec)
{
	return READ_ONCE(vec->isrs) != vec->consumed;
}

struct kthread_start {
	struct msilat_vector_ctx *vec;
	struct completion started;
};

/* What came before it was told to stop is still signalled, as an IRQ thread does. */
static int kthread_main(void *arg)
{
	struct kthread_start *start = arg;
	struct msilat_vector_ctx *vec = start->vec;

	complete(&start->started); /* and @start is gone */
	for (;;) {
		set_current_state(TASK_IDLE); /* a full barrier before it looks for work */
		if (kthread_has_work(vec)) {
			__set_current_state(TASK_RUNNING);
			msilat_deliver_due(vec);
			continue;
		}
		if (kthread_should_stop())
			break;
		schedule();
	}
	__set_current_state(TASK_RUNNING);
	return 0;
}

/*
 * Waits until the thread runs, as request_threaded_irq() does for its own: a kthread sets its own
 * affinity when it starts, which must not come after kthread_settle().
 */
static int kthread_setup(struct msilat_vector_ctx *vec)
{
	struct kthread_start start = {
		.vec = vec,
		.started = COMPLETION_INITIALIZER_ONSTACK(start.started),
	};
	struct task_struct *task;

	task = kthread_create(kthread_main, &start, "msilat/%d-%u", vec->irq, vec->index);
	if (IS_ERR(task))
		return PTR_ERR(task);

	sched_set_fifo(task);
	msilat_probe_thread_register(vec->thread, task);
	vec->kthread = task;
	wake_up_process(task);
	wait_for_completion(&start.started);
	return 0;
}

/* The CPUs that the interrupt was given when it was enabled; a refusal leaves it where it likes. */
static void kthread_settle(struct msilat_vector_ctx *vec)
{
	struct irq_data *data = irq_get_irq_data(vec->irq);
	const struct cpumask *mask;

	if (WARN_ON_ONCE(!data))
		return;
	mask = irq_data_get_effective_affinity_mask(data);
	if (!cpumask_intersects(mask, cpu_online_mask))
		mask = irq_data_get_affinity_mask(data);
	set_cpus_allowed_ptr(vec->kthread, mask);
}

static void kthread_teardown(struct msilat_vector_ctx *vec)
{
	kthread_stop(vec->kthread);
	vec->kthread = NULL;
}

const struct msilat_strategy_ops msilat_strategy_kthread = {
	.id = MSILAT_STRATEGY_KTHREAD,
	.name = "kthread",
	.wake = MSILAT_WAKE_EVENTFD,
	.action = {
		.handler = kthread_primary,
		.irqflags = IRQF_NO_THREAD,
	},
	.setup = kthread_setup,
	.settle = kthread_settle,
	.teardown = kthread_teardown,
};
