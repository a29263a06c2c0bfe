// SPDX-License-Identifier: GPL-2.0-only
/*
 * The control ioctl.
 *
 * User data that gets past this file: a strategy number, looked up in a table and admitted by
 * strategy.c, with flags that the strategy takes, a vector number, checked against the device, and
 * what mark.c and inject.c check.
 */
#include <linux/nospec.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include "clock.h"
#include "ctl.h"
#include "device.h"
#include "inject.h"
#include "irqs.h"
#include "mark.h"
#include "strategy.h"
#include "vector.h"

/*
 * Bytes of struct msilat_ctl that an operation reads and writes, or -ENOTTY. A structure that grows
 * keeps the first size as what a program must pass; see MSILAT_UAPI_VERSION.
 */
static ssize_t ctl_size(u32 op)
{
	switch (op) {
	case MSILAT_OP_QUERY:
		return offsetofend(struct msilat_ctl, query);
	case MSILAT_OP_STRATEGY:
		return offsetofend(struct msilat_ctl, strategy);
	case MSILAT_OP_COUNTERS:
		return offsetofend(struct msilat_ctl, counters);
	case MSILAT_OP_MARK:
		return offsetofend(struct msilat_ctl, mark);
	case MSILAT_OP_INJECT:
		return offsetofend(struct msilat_ctl, inject);
	default:
		return -ENOTTY;
	}
}

static int ctl_query(struct msilat_device *dev, struct msilat_query *query)
{
	unsigned int i, enabled = 0;

	for (i = 0; i < dev->nvec; i++)
		enabled += msilat_vector_armed(&dev->vectors[i]);

	*query = (struct msilat_query){
		.uapi_version = MSILAT_UAPI_VERSION,
		.strategy = dev->strategy->id,
		.known = msilat_strategy_known(),
		.permitted = msilat_strategy_permitted(),
		.region = dev->region_index,
		.irq_index = msilat_irqs_index(dev),
		.vectors = dev->nvec,
		.enabled = enabled,
		.generation = dev->generation,
		.select_flags = dev->select_flags,
		.clock_hz = msilat_clock_hz(),
	};
	strscpy(query->version, MSILAT_VERSION, sizeof(query->version));
	return 0;
}

static int ctl_strategy(struct msilat_device *dev, struct msilat_select *select)
{
	const struct msilat_strategy_ops *strategy = msilat_strategy_by_id(select->strategy);
	u32 previous = dev->strategy->id;
	int ret;

	if (!strategy || select->reserved || !msilat_strategy_takes(strategy, select->flags))
		return -EINVAL;
	ret = msilat_strategy_admit(dev->core.pdev, strategy);
	if (ret)
		return ret;

	ret = msilat_vector_rearm_all(dev, strategy, select->flags, &select->catchups);
	select->previous = previous;
	select->generation = dev->generation;
	return ret;
}

static int ctl_counters(struct msilat_device *dev, struct msilat_counters *counters)
{
	u32 vector = counters->vector;

	if (vector >= dev->nvec)
		return -EINVAL;
	vector = array_index_nospec(vector, dev->nvec);
	msilat_vector_counters(&dev->vectors[vector], counters);
	return 0;
}

static int ctl_op(struct msilat_device *dev, struct msilat_ctl *ctl)
{
	switch (ctl->op) {
	case MSILAT_OP_QUERY:
		return ctl_query(dev, &ctl->query);
	case MSILAT_OP_STRATEGY:
		return ctl_strategy(dev, &ctl->strategy);
	case MSILAT_OP_COUNTERS:
		return ctl_counters(dev, &ctl->counters);
	case MSILAT_OP_MARK:
		return msilat_mark_ctl(dev, &ctl->mark);
	case MSILAT_OP_INJECT:
		return msilat_inject_ctl(dev, &ctl->inject);
	default:
		return -ENOTTY;
	}
}

/**
 * msilat_ctl_ioctl() - MSILAT_CTL
 * @dev: open device
 * @arg: user address of a struct msilat_ctl, or of as much of it as the operation needs
 *
 * Return: 0 or -errno; the user's structure is changed only on success.
 */
long msilat_ctl_ioctl(struct msilat_device *dev, unsigned long arg)
{
	struct msilat_ctl __user *uarg = (void __user *)arg;
	struct msilat_ctl ctl = {};
	ssize_t size;
	u32 argsz;
	int ret;

	if (get_user(argsz, &uarg->argsz))
		return -EFAULT;
	if (argsz < offsetofend(struct msilat_ctl, reserved))
		return -EINVAL;
	if (copy_from_user(&ctl, uarg, min_t(size_t, argsz, sizeof(ctl))))
		return -EFAULT;
	ctl.argsz = argsz;

	if (ctl.flags || ctl.reserved)
		return -EINVAL;
	size = ctl_size(ctl.op);
	if (size < 0)
		return size;
	if (argsz < size)
		return -EINVAL;
	/* What cannot be answered is not done: the same bytes back, before anything changes. */
	if (copy_to_user(uarg, &ctl, size))
		return -EFAULT;

	mutex_lock(&dev->core.igate);
	ret = ctl_op(dev, &ctl);
	mutex_unlock(&dev->core.igate);
	if (ret)
		return ret;

	return copy_to_user(uarg, &ctl, size) ? -EFAULT : 0;
}
