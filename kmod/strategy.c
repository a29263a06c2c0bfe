// SPDX-License-Identifier: GPL-2.0-only
/*
 * Which strategies there are, who may select which, and the default.
 *
 * VFIO's permission on a device is permission to use the device, not to crash the host. A strategy
 * that is unsafe on PREEMPT_RT therefore needs, on such a kernel, CAP_SYS_RAWIO and a module that
 * was loaded with allow_unsafe=1, and taints the kernel. On other kernels no strategy is unsafe and
 * nothing is gated.
 */
#include <linux/capability.h>
#include <linux/cred.h>
#include <linux/dev_printk.h>
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/pci.h>
#include <linux/string.h>

#include "strategy.h"

static const struct msilat_strategy_ops *const strategies[] = {
	&msilat_strategy_thread,
	&msilat_strategy_split,
	&msilat_strategy_nothread,
	&msilat_strategy_thread_direct,
	&msilat_strategy_kthread,
	&msilat_strategy_irqwork,
	&msilat_strategy_direct,
	&msilat_strategy_page,
	MSILAT_EXTRA_ENTRY
};

static bool allow_unsafe;
module_param(allow_unsafe, bool, 0444);
MODULE_PARM_DESC(allow_unsafe,
		 "Permit strategies that can crash a PREEMPT_RT kernel, to CAP_SYS_RAWIO (default 0)");

/* What later opens start with. Changed only through the parameter below. */
static const struct msilat_strategy_ops *strategy_default = &msilat_strategy_thread;

/* allow_unsafe may follow strategy on the command line: it counts once both have been read. */
static bool strategy_loaded;

static bool strategy_is_unsafe(const struct msilat_strategy_ops *strategy)
{
	return IS_ENABLED(CONFIG_PREEMPT_RT) && strategy->unsafe_on_rt;
}

static bool strategy_is_permitted(const struct msilat_strategy_ops *strategy)
{
	if (!strategy_is_unsafe(strategy))
		return true;
	return allow_unsafe && ns_capable_noaudit(&init_user_ns, CAP_SYS_RAWIO);
}

static void strategy_explain(const char *val)
{
	char names[128];
	size_t len = 0;
	int i;

	for (i = 0; i < ARRAY_SIZE(strategies); i++)
		len += scnprintf(names + len, sizeof(names) - len, " %s", strategies[i]->name);
	pr_err("strategy=%s: unknown, choose one of:%s\n", val, names);
}

static int strategy_param_set(const char *val, const struct kernel_param *kp)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(strategies); i++) {
		if (!sysfs_streq(val, strategies[i]->name))
			continue;
		if (strategy_loaded && !strategy_is_permitted(strategies[i]))
			return -EPERM;
		WRITE_ONCE(strategy_default, strategies[i]);
		return 0;
	}
	strategy_explain(val);
	return -EINVAL;
}

static int strategy_param_get(char *buffer, const struct kernel_param *kp)
{
	return sysfs_emit(buffer, "%s\n", READ_ONCE(strategy_default)->name);
}

static const struct kernel_param_ops strategy_param_ops = {
	.set = strategy_param_set,
	.get = strategy_param_get,
};

module_param_cb(strategy, &strategy_param_ops, NULL, 0644);
MODULE_PARM_DESC(strategy,
		 "Delivery strategy of later opens (default thread; the log names all to who sets an unknown one)");

/**
 * msilat_strategy_by_id() - looks a strategy up
 * @id: enum msilat_strategy
 *
 * Return: the strategy, NULL if this driver has none of that number.
 */
const struct msilat_strategy_ops *msilat_strategy_by_id(u32 id)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(strategies); i++) {
		if (strategies[i]->id == id)
			return strategies[i];
	}
	return NULL;
}

/**
 * msilat_strategy_takes() - can a strategy be selected with these flags?
 * @strategy: strategy
 * @select_flags: MSILAT_SELECT_*, from the user
 *
 * Return: true if so.
 */
bool msilat_strategy_takes(const struct msilat_strategy_ops *strategy, u32 select_flags)
{
	if (select_flags & ~MSILAT_SELECT_NO_EVENTFD)
		return false;
	return !select_flags || strategy->alone.handler;
}

/**
 * msilat_strategy_known() - strategies in this driver
 *
 * Return: bit mask, 1 << enum msilat_strategy.
 */
u32 msilat_strategy_known(void)
{
	u32 mask = 0;
	int i;

	for (i = 0; i < ARRAY_SIZE(strategies); i++)
		mask |= 1U << strategies[i]->id;
	return mask;
}

/**
 * msilat_strategy_permitted() - strategies the calling task may select
 *
 * Process context.
 *
 * Return: bit mask, 1 << enum msilat_strategy.
 */
u32 msilat_strategy_permitted(void)
{
	u32 mask = 0;
	int i;

	for (i = 0; i < ARRAY_SIZE(strategies); i++) {
		if (strategy_is_permitted(strategies[i]))
			mask |= 1U << strategies[i]->id;
	}
	return mask;
}

/**
 * msilat_strategy_admit() - asks for leave to put a strategy into force
 * @pdev: device it is for
 * @strategy: strategy
 *
 * Taints the kernel and says so if the strategy is unsafe on it. lockdep stays on: to report what
 * such a strategy does is what it is wanted for. Process context of the task that asks.
 *
 * Return: 0, or -EPERM if the task may not have it.
 */
int msilat_strategy_admit(struct pci_dev *pdev, const struct msilat_strategy_ops *strategy)
{
	if (!strategy_is_unsafe(strategy))
		return 0;
	if (!allow_unsafe || !capable(CAP_SYS_RAWIO))
		return -EPERM;

	add_taint(TAINT_USER, LOCKDEP_STILL_OK);
	dev_warn_ratelimited(&pdev->dev, "strategy %s takes a sleeping lock in hard IRQ: kernel tainted\n",
			     strategy->name);
	return 0;
}

/**
 * msilat_strategy_default() - strategy of a device that is being opened
 * @pdev: device
 *
 * A task that may not have the default gets "thread" and a line in the log: its program works, and
 * MSILAT_OP_QUERY tells it what is in force. Process context of the task that opens.
 *
 * Return: the strategy, admitted.
 */
const struct msilat_strategy_ops *msilat_strategy_default(struct pci_dev *pdev)
{
	const struct msilat_strategy_ops *strategy = READ_ONCE(strategy_default);

	if (!msilat_strategy_admit(pdev, strategy))
		return strategy;

	pci_notice_ratelimited(pdev, "default strategy %s refused to %s[%d]: CAP_SYS_RAWIO is needed, using thread\n",
			       strategy->name, current->comm, task_pid_nr(current));
	return &msilat_strategy_thread;
}

/**
 * msilat_strategy_init() - checks the module parameters against each other
 *
 * Module load.
 *
 * Return: 0, or -EPERM if the default is unsafe and that is not allowed.
 */
int msilat_strategy_init(void)
{
	if (strategy_is_unsafe(strategy_default) && !allow_unsafe) {
		pr_err("strategy=%s can crash a PREEMPT_RT kernel: refused without allow_unsafe=1\n",
		       strategy_default->name);
		return -EPERM;
	}
	strategy_loaded = true;
	return 0;
}

/**
 * msilat_strategy_exit() - waits for what strategies have left to be done
 *
 * Module unload, or a load that fails; no device is bound.
 */
void msilat_strategy_exit(void)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(strategies); i++) {
		if (strategies[i]->exit)
			strategies[i]->exit();
	}
}
