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
 */
#include <linux/irq_work.h>
#include <linux/percpu.h>

#include "deliver.h"
#include "strategy.h"

struct msilat_irqwork {
	struct irq_work work;
	struct msilat_vector_ctx *vec;
};

static irqreturn_t irqwork_primary(int irq, void *arg)
{
	struct msilat_vector_ctx *vec = arg;

	msilat_deliver_isr(vec);
	/* A full barrier: whoever counts this sees the record. Who raises it from 0 has it run. */
	if (!atomic_fetch_inc(&vec->irqwork_due))
		irq_work_queue(&this_cpu_ptr(vec->irqwork)->work);
	return IRQ_HANDLED;
}

/* Alone until the count is 0 again: up to then no primary queues another work. */
static void irqwork_run(struct irq_work *work)
{
	struct msilat_vector_ctx *vec = container_of(work, struct msilat_irqwork, work)->vec;
	int due;

	do {
		due = atomic_read(&vec->irqwork_due);
		msilat_deliver_due(vec);
	} while (atomic_sub_return(due, &vec->irqwork_due));
}

static int irqwork_setup(struct msilat_vector_ctx *vec)
{
	int cpu;

	vec->irqwork = alloc_percpu_gfp(struct msilat_irqwork, GFP_KERNEL_ACCOUNT);
	if (!vec->irqwork)
		return -ENOMEM;

	for_each_possible_cpu(cpu) {
		struct msilat_irqwork *irqwork = per_cpu_ptr(vec->irqwork, cpu);

		init_irq_work(&irqwork->work, irqwork_run);
		irqwork->vec = vec;
	}
	return 0;
}

static void irqwork_teardown(struct msilat_vector_ctx *vec)
{
	int cpu;

	for_each_possible_cpu(cpu)
		irq_work_sync(&per_cpu_ptr(vec->irqwork, cpu)->work);
	free_percpu(vec->irqwork);
	vec->irqwork = NULL;
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
};
