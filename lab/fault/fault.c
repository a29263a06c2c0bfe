// SPDX-License-Identifier: GPL-2.0-only
/*
 * Does, once, when it is loaded, one of the things that no kernel code may do. The lab's self-test
 * and positive controls use it: a lab that misses one of these cannot be trusted with silence.
 *
 *	insmod fault.ko action=warn
 */
#include <linux/delay.h>
#include <linux/irq_work.h>
#include <linux/irqflags.h>
#include <linux/module.h>
#include <linux/preempt.h>
#include <linux/sched.h>
#include <linux/spinlock.h>
#include <linux/string.h>

#define STALL_SECONDS 25

static char *action = "";
module_param(action, charp, 0444);
MODULE_PARM_DESC(action, "warn, bug, atomic, null, stall, freeze, nesting or hardirq");

static DEFINE_RAW_SPINLOCK(outer);
static DEFINE_SPINLOCK(inner);

static void fault_warn(void)
{
	WARN(1, "a deliberate warning\n");
}

static void fault_bug(void)
{
	BUG();
}

/* Sleeping with preemption disabled: BUG: scheduling while atomic. */
static void fault_atomic(void)
{
	preempt_disable();
	schedule_timeout_uninterruptible(1);
	preempt_enable();
}

static void fault_null(void)
{
	int *volatile nowhere = NULL;

	WRITE_ONCE(*nowhere, 1);
}

/* Longer than RCU waits; interrupts stay on, so that the tick can notice. */
static void fault_stall(void)
{
	int i;

	preempt_disable();
	for (i = 0; i < STALL_SECONDS * 1000; i++)
		mdelay(1);
	preempt_enable();
}

/* This CPU never comes back. */
static void fault_freeze(void)
{
	local_irq_disable();
	for (;;)
		cpu_relax();
}

/* On PREEMPT_RT a spinlock_t sleeps, so it must not nest in a raw one: Invalid wait context. */
static void fault_nesting(void)
{
	raw_spin_lock(&outer);
	spin_lock(&inner);
	spin_unlock(&inner);
	raw_spin_unlock(&outer);
}

/* What nothread does, without vfio, eventfd or a device: a spinlock_t in hard IRQ. */
static void fault_take(struct irq_work *work)
{
	spin_lock(&inner);
	spin_unlock(&inner);
}

static void fault_hardirq(void)
{
	struct irq_work work = IRQ_WORK_INIT_HARD(fault_take);

	irq_work_queue(&work);
	irq_work_sync(&work);
}

static const struct {
	const char *name;
	void (*commit)(void);
} faults[] = {
	{ "warn", fault_warn },
	{ "bug", fault_bug },
	{ "atomic", fault_atomic },
	{ "null", fault_null },
	{ "stall", fault_stall },
	{ "freeze", fault_freeze },
	{ "nesting", fault_nesting },
	{ "hardirq", fault_hardirq },
};

static int __init fault_init(void)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(faults); i++) {
		if (strcmp(action, faults[i].name))
			continue;
		faults[i].commit();
		return 0;
	}
	pr_err("no such action: '%s'\n", action);
	return -EINVAL;
}
module_init(fault_init);

static void __exit fault_exit(void)
{
}
module_exit(fault_exit);

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Deliberate faults for the self-test of msilat's lab");
