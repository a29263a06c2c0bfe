// SPDX-License-Identifier: GPL-2.0-only
/*
 * Fault injection for tests.
 *
 * Whoever counts interrupts must notice one that is lost on its way. fault_withhold=N makes the
 * driver lose exactly one, the Nth that it delivers after each open, counted over all vectors of
 * the device. Catch-up and loopback signals are not deliveries.
 */
#include <linux/atomic.h>
#include <linux/module.h>

#include "device.h"
#include "fault.h"

DEFINE_STATIC_KEY_FALSE(msilat_fault_key);

static unsigned int fault_withhold;
module_param(fault_withhold, uint, 0444);
MODULE_PARM_DESC(fault_withhold,
		 "For tests: withhold the Nth signal after each open (default 0: none)");

/**
 * msilat_fault_due() - counts a delivery
 * @dev: device
 *
 * Any context.
 *
 * Return: true if it is the one to withhold.
 */
bool msilat_fault_due(struct msilat_device *dev)
{
	return atomic64_inc_return(&dev->fault_deliveries) == fault_withhold;
}

/**
 * msilat_fault_init() - patches fault injection in if the module parameter asks for it
 *
 * Module load.
 */
void msilat_fault_init(void)
{
	if (!fault_withhold)
		return;
	static_branch_enable(&msilat_fault_key);
	pr_warn("fault_withhold=%u: one signal will be lost after each open\n", fault_withhold);
}
