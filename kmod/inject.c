// SPDX-License-Identifier: GPL-2.0-only
/*
 * Injection.
 *
 * irq_inject_interrupt() first asks the interrupt controller to set the pending state (a GIC does
 * that), then to retrigger. On x86 the local APIC's driver retriggers: it sends the vector as an
 * IPI to the CPU that the interrupt is bound to. What arrives there is taken in hard IRQ like the
 * device's message, through the same entry of the vector table. Only the way from the device to
 * that APIC is not on the path: no PCI Express, no interrupt remapping.
 *
 * A controller that can do neither has the kernel call the handlers from softirq. x86 never does
 * that (its vectors insist on hard IRQ, so the call fails instead); where it happens the handler
 * tells, and it is counted: such an event says nothing about interrupt latency. A handler that the
 * kernel has moved into its IRQ thread cannot tell, so for strategies without a primary of ours
 * nothing is counted on PREEMPT_RT.
 */
#include <linux/interrupt.h>
#include <linux/irqflags.h>
#include <linux/nospec.h>
#include <linux/preempt.h>

#include "clock.h"
#include "compat.h"
#include "device.h"
#include "inject.h"
#include "vector.h"

/**
 * msilat_inject_ctl() - MSILAT_OP_INJECT
 * @dev: open device; igate held
 * @arg: as uapi/msilat.h says
 *
 * Interrupts are off between the stamp and the call, so that nothing gets in between. The handler
 * may have run, on another CPU or on this one, when this returns.
 *
 * Return: 0, -EINVAL for a vector that is not there or not armed, -EBUSY while a handler is still
 * to run for the injection before, or what irq_inject_interrupt() says.
 */
long msilat_inject_ctl(struct msilat_device *dev, struct msilat_inject *arg)
{
	struct msilat_vector_ctx *vec;
	unsigned long flags;
	int ret;

	if (arg->reserved || arg->vector >= dev->nvec)
		return -EINVAL;
	vec = &dev->vectors[array_index_nospec(arg->vector, dev->nvec)];
	if (!msilat_vector_armed(vec))
		return -EINVAL;
	if (READ_ONCE(vec->injecting))
		return -EBUSY;

	WRITE_ONCE(vec->injecting, true);
	smp_mb(); /* before the interrupt: raising it need not order memory */

	local_irq_save(flags);
	arg->sent = msilat_clock();
	ret = compat_inject_interrupt(vec->irq);
	local_irq_restore(flags);
	if (ret) {
		WRITE_ONCE(vec->injecting, false);
		return ret;
	}

	arg->sequence = ++vec->injected;
	return 0;
}

/**
 * msilat_inject_forget() - does not expect a handler any more
 * @vec: vector whose interrupt has been freed; igate held
 */
void msilat_inject_forget(struct msilat_vector_ctx *vec)
{
	WRITE_ONCE(vec->injecting, false);
}

/**
 * msilat_inject_arrive() - a handler runs while an injection is outstanding
 * @vec: vector
 *
 * See msilat_inject_note(). Not inline: it is off the path of an interrupt of the device.
 */
void msilat_inject_arrive(struct msilat_vector_ctx *vec)
{
	WRITE_ONCE(vec->injecting, false);
	if (!in_hardirq() && in_serving_softirq())
		WRITE_ONCE(vec->resent, vec->resent + 1);
}
