// SPDX-License-Identifier: GPL-2.0-only
/*
 * Strategy "irqwork": a primary of our own in hard IRQ, the signal in an irq_work.
 *
 * Context: IRQF_NO_THREAD keeps the primary in hard IRQ on every kernel. It queues an irq_work on
 *	its CPU, which PREEMPT_RT runs in the thread irq_work/CPU, SCHED_FIFO 1.
 * Wakes by: eventfd_signal(), in that thread.
 * Locks: none in the primary. The eventfd's wait-queue lock in the thread.
 * On RT: allowed. The primary adds to a lock-free list and raises an interrupt of its own CPU;
 *	every sleeping lock is taken in the thread. A work that asks for hard IRQ
 *	(IRQ_WORK_INIT_HARD) would be "nothread" over again.
 * On other kernels: allowed. The work runs in hard IRQ there (the thread stamp is 0), where the
 *	eventfd's lock is a raw spinlock.
 *
 * The thread serves every irq_work of the CPU and any FIFO task comes before it: this is the one
 * that looks simplest, and what it costs. Its priority is everybody's.
 *
 * irq_work itself would run one work on two CPUs at once, after the interrupt has moved: hence a
 * work for each CPU, and a count that lets one of them run while it sends the others away.
 *
 * Teardown waits for the works that were ever queued: on PREEMPT_RT each wait takes an RCU grace
 * period. There irq_work's thread clears a work's busy bit, which ends the wait, and then looks at
 * the work once more to wake who waits; that thread is an RCU reader for this reason, but not on
 * every kernel that this driver builds for. So the works are freed by RCU-tasks: it waits until
 * each task has gone to sleep of its own accord, which the thread does not do in that stretch. Off
 * PREEMPT_RT the busy bit is the last that is touched.
 */
#include <linux/irq_work.h>
#include <linux/percpu.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>

#include "compat.h"
#include "deliver.h"
#include "strategy.h"

/* struct irqwork_cpu - the work of one CPU; @used: it was queued */
struct irqwork_cpu {
	struct irq_work work;
	struct msilat_vector_ctx *vec;
	bool used;
};

struct msilat_irqwork {
	struct irqwork_cpu __percpu *cpus;
	struct rcu_head rcu;
};

static irqreturn_t irqwork_primary(int irq, void *arg)
{
	struct msilat_vector_ctx *vec = arg;

	msilat_deliver_isr(vec);
	/* A full barrier: whoever counts this sees the record. Who raises it from 0 has it run. */
	if (!atomic_fetch_inc(&vec->irqwork_due)) {
		struct irqwork_cpu *cpu = this_cpu_ptr(vec->irqwork->cpus);

		cpu->used = true; /* read once the interrupt has been freed */
		irq_work_queue(&cpu->work);
	}
	return IRQ_HANDLED;
}

/* Alone until the count is 0 again: up to then no primary queues another work. */
static void irqwork_run(struct irq_work *work)
{
	struct msilat_vector_ctx *vec = container_of(work, struct irqwork_cpu, work)->vec;
	int due;

	do {
		due = atomic_read(&vec->irqwork_due);
		msilat_deliver_due(vec);
	} while (atomic_sub_return(due, &vec->irqwork_due));
}

static int irqwork_setup(struct msilat_vector_ctx *vec)
{
	struct msilat_irqwork *irqwork = kzalloc(sizeof(*irqwork), GFP_KERNEL_ACCOUNT);
	int cpu;

	if (!irqwork)
		return -ENOMEM;
	irqwork->cpus = alloc_percpu_gfp(struct irqwork_cpu, GFP_KERNEL_ACCOUNT);
	if (!irqwork->cpus) {
		kfree(irqwork);
		return -ENOMEM;
	}

	for_each_possible_cpu(cpu) {
		struct irqwork_cpu *of = per_cpu_ptr(irqwork->cpus, cpu);

		init_irq_work(&of->work, irqwork_run);
		of->vec = vec;
	}
	vec->irqwork = irqwork;
	return 0;
}

static void irqwork_free(struct rcu_head *rcu)
{
	struct msilat_irqwork *irqwork = container_of(rcu, struct msilat_irqwork, rcu);

	free_percpu(irqwork->cpus);
	kfree(irqwork);
}

static void irqwork_teardown(struct msilat_vector_ctx *vec)
{
	int cpu;

	for_each_possible_cpu(cpu) {
		struct irqwork_cpu *of = per_cpu_ptr(vec->irqwork->cpus, cpu);

		if (of->used)
			irq_work_sync(&of->work);
	}
	call_rcu_tasks(&vec->irqwork->rcu, irqwork_free);
	vec->irqwork = NULL;
}

/* What irqwork_teardown() has left behind. */
static void irqwork_exit(void)
{
	compat_rcu_barrier_tasks();
}

const struct msilat_strategy_ops msilat_strategy_irqwork = {
	.id = MSILAT_STRATEGY_IRQWORK,
	.name = "irqwork",
	.wake = MSILAT_WAKE_EVENTFD,
	.action = {
		.handler = irqwork_primary,
		.irqflags = IRQF_NO_THREAD,
	},
	.setup = irqwork_setup,
	.teardown = irqwork_teardown,
	.exit = irqwork_exit,
};
