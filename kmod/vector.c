// SPDX-License-Identifier: GPL-2.0-only
/*
 * Vectors: an eventfd is hung on one, its interrupt is requested the way the strategy wants it, and
 * all of that is undone again.
 *
 * Who writes the rings. The isr ring is written by the primary handler only, the delivery ring by
 * the signalling context only: the primary, the IRQ thread, the kthread, or the irq_work. The
 * kernel never runs one IRQ's primary, or its thread, on two CPUs at once, and hands over between
 * CPUs under a lock. A kthread is one thread. Of the irq_works of a vector one at a time gets past
 * a counter, whose full barriers hand over (strategy_irqwork.c). The IRQ thread that direct and
 * page have for the eventfd writes no ring. A re-arm may change which context signals and writes a
 * catch-up record itself: it does so after free_irq() and teardown, which have waited for handler,
 * IRQ thread, kthread and irq_work, and before enable_irq(), as interrupts are requested with
 * IRQF_NO_AUTOEN. So there is one writer at any time, and the next one sees all that the last one
 * wrote.
 *
 * Teardown, in this order: close the wait, wake who sleeps there and wait until he has let go
 * (wait.c), without memory_lock; under it free_irq(), wait for irq_work or kthread, forget the
 * thread; then drop the eventfd.
 *
 * Catch-up. Between free_irq() and enable_irq() an edge from a device without a mask bit finds no
 * handler and is gone. The waiter gets one signal after enable_irq(): whatever was lost lies before
 * it, and for whatever comes later there is a handler.
 */
#include <linux/eventfd.h>
#include <linux/file.h>
#include <linux/interrupt.h>
#include <linux/kernel.h>
#include <linux/msi.h>
#include <linux/pci.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>

#include "deliver.h"
#include "device.h"
#include "inject.h"
#include "mark.h"
#include "memory.h"
#include "region.h"
#include "strategy.h"
#include "vector.h"
#include "wqh.h"

/* Requests the interrupt of a vector that has an eventfd, disabled. memory_lock held. */
static int vector_request(struct msilat_vector_ctx *vec)
{
	const struct msilat_strategy_ops *strategy = vec->dev->strategy;
	const struct msilat_strategy_action *action = &strategy->action;
	int ret;

	if (vec->dev->select_flags & MSILAT_SELECT_NO_EVENTFD)
		action = &strategy->alone;

	vec->thread = msilat_probe_thread_alloc();
	if (!vec->thread)
		return -ENOMEM;

	vec->consumed = vec->isrs;
	if (strategy->setup) {
		ret = strategy->setup(vec);
		if (ret)
			goto err_free_thread;
	}

	ret = request_threaded_irq(vec->irq, action->handler, action->thread_fn,
				   action->irqflags | IRQF_NO_AUTOEN, vec->name, vec);
	if (ret)
		goto err_teardown;
	return 0;

err_teardown:
	if (strategy->teardown)
		strategy->teardown(vec);
err_free_thread:
	msilat_probe_thread_free(vec->thread);
	vec->thread = NULL;
	return ret;
}

/* Lets the interrupt in. memory_lock held. */
static void vector_enable(struct msilat_vector_ctx *vec)
{
	enable_irq(vec->irq);
	if (vec->dev->strategy->settle)
		vec->dev->strategy->settle(vec);
}

/* Frees the interrupt: nothing that signals for it runs any more. memory_lock held. */
static void vector_free(struct msilat_vector_ctx *vec)
{
	free_irq(vec->irq, vec);
	if (vec->dev->strategy->teardown)
		vec->dev->strategy->teardown(vec);
	msilat_inject_forget(vec);
	msilat_probe_thread_free(vec->thread);
	vec->thread = NULL;
}

/* Lets waiters in, if the strategy wakes them. */
static void vector_open_wait(struct msilat_vector_ctx *vec)
{
	if (vec->dev->strategy->wake == MSILAT_WAKE_WAIT)
		msilat_wait_open(vec->dev, &vec->wait);
}

/* Wakes the waiter in every way the strategy has, for an event that is no interrupt. */
static void vector_wake(struct msilat_vector_ctx *vec)
{
	switch (vec->dev->strategy->wake) {
	case MSILAT_WAKE_WAIT:
		msilat_wait_post(&vec->wait);
		break;
	case MSILAT_WAKE_PAGE:
		msilat_ring_publish_event(vec);
		break;
	case MSILAT_WAKE_EVENTFD:
		break;
	}
	compat_eventfd_signal(vec->trigger);
}

/* Offers the vector to KVM's posted interrupts if the strategy wants it. Refusal is no error. */
static void vector_offer(struct msilat_vector_ctx *vec)
{
	int ret;

	memset(&vec->producer, 0, sizeof(vec->producer));
	if (!vec->dev->strategy->bypass)
		return;

	ret = compat_register_producer(&vec->producer, vec->trigger, vec->irq);
	if (ret)
		pci_info(vec->dev->core.pdev, "vector %u: no irq bypass: %d\n", vec->index, ret);
}

/* Undoes vector_offer(), whatever came of it. */
static void vector_withdraw(struct msilat_vector_ctx *vec)
{
	irq_bypass_unregister_producer(&vec->producer);
}

/* Drops what a vector without interrupt still holds; it is not armed afterwards. */
static void vector_drop(struct msilat_vector_ctx *vec)
{
	eventfd_ctx_put(vec->trigger);
	vec->trigger = NULL;
	vec->wqh = NULL;
	kfree(vec->name);
	vec->name = NULL;
	vec->irq = 0;
}

/*
 * Finds the Linux IRQ of a vector. Where the platform can, an MSI-X vector beyond those enabled at
 * first is allocated now. It stays so until MSI-X is disabled, as vfio-pci leaves it.
 */
static int vector_find_irq(struct msilat_vector_ctx *vec, bool msix)
{
	struct vfio_pci_core_device *core = &vec->dev->core;
	u16 cmd;
	int irq;

	irq = pci_irq_vector(core->pdev, vec->index);
	if (WARN_ON_ONCE(!irq))
		return -EINVAL;
	if (irq > 0 || !msix)
		return irq;

	cmd = msilat_memory_lock(core);
	irq = compat_msix_alloc_irq_at(core, vec->index);
	msilat_memory_unlock(core, cmd);
	return irq;
}

/* Hangs the eventfd behind @fd on a vector. The descriptor is looked up once. */
static int vector_hang(struct msilat_vector_ctx *vec, int fd)
{
	struct eventfd_ctx *trigger;
	struct file *file;
	int ret = 0;

	file = eventfd_fget(fd);
	if (IS_ERR(file))
		return PTR_ERR(file);

	trigger = eventfd_ctx_fileget(file);
	if (IS_ERR(trigger)) {
		ret = PTR_ERR(trigger);
		goto out_put_file;
	}

	vec->wqh = msilat_wqh_of(file);
	if (WARN_ON_ONCE(!vec->wqh)) {
		eventfd_ctx_put(trigger);
		ret = -EINVAL;
		goto out_put_file;
	}
	vec->trigger = trigger;

out_put_file:
	fput(file);
	return ret;
}

/**
 * msilat_vector_new_generation() - counts a change of what is armed, and how
 * @dev: open device
 *
 * Before the change. Process context, igate held.
 */
void msilat_vector_new_generation(struct msilat_device *dev)
{
	spin_lock(&dev->vectors_lock); /* a reset reads it */
	dev->generation++;
	spin_unlock(&dev->vectors_lock);
}

/**
 * msilat_vector_arm() - delivers a vector's interrupt to an eventfd from now on
 * @vec: vector, not armed
 * @fd: file descriptor of the eventfd, in the calling process
 * @msix: the enabled index is MSI-X
 *
 * Process context, igate held, MSI or MSI-X owned.
 *
 * Return: 0, -EINVAL for a vector that is not allocated or an @fd that is no eventfd, -EBADF for
 * an @fd that is not open, -ENOMEM, or what request_threaded_irq() says.
 */
int msilat_vector_arm(struct msilat_vector_ctx *vec, int fd, bool msix)
{
	struct vfio_pci_core_device *core = &vec->dev->core;
	struct msi_msg msg;
	int irq, ret;
	u16 cmd;

	irq = vector_find_irq(vec, msix);
	if (irq < 0)
		return irq;

	/* vfio-pci's name: scripts that set priorities look for it. */
	vec->name = kasprintf(GFP_KERNEL_ACCOUNT, "vfio-msi%s[%u](%s)", msix ? "x" : "",
			      vec->index, pci_name(core->pdev));
	if (!vec->name)
		return -ENOMEM;

	ret = vector_hang(vec, fd);
	if (ret)
		goto err_free_name;
	vec->irq = irq;

	cmd = msilat_memory_lock(core);
	/* A reset behind our back may have cleared the message in the device. */
	if (msix) {
		get_cached_msi_msg(irq, &msg);
		pci_write_msi_msg(irq, &msg);
	}
	ret = vector_request(vec);
	if (!ret)
		vector_enable(vec);
	msilat_memory_unlock(core, cmd);
	if (ret)
		goto err_drop;

	vector_open_wait(vec);
	vector_offer(vec);
	return 0;

err_drop:
	vector_drop(vec);
	return ret;
err_free_name:
	kfree(vec->name);
	vec->name = NULL;
	return ret;
}

/**
 * msilat_vector_disarm() - stops delivery of a vector's interrupt
 * @vec: vector; nothing happens if it is not armed
 *
 * Process context, igate held. No handler of the vector runs and nobody waits for it after return.
 */
void msilat_vector_disarm(struct msilat_vector_ctx *vec)
{
	struct vfio_pci_core_device *core = &vec->dev->core;
	u16 cmd;

	if (!msilat_vector_armed(vec))
		return;

	msilat_wait_close(vec->dev, &vec->wait);
	vector_withdraw(vec);
	msilat_wait_drain(&vec->wait);
	cmd = msilat_memory_lock(core);
	vector_free(vec);
	msilat_memory_unlock(core, cmd);
	vector_drop(vec);
}

/* The first armed vector behind @vec, from the start if that is NULL; NULL: there is none. */
static struct msilat_vector_ctx *vector_next_armed(struct msilat_device *dev,
						   struct msilat_vector_ctx *vec)
{
	for (vec = vec ? vec + 1 : dev->vectors; vec < dev->vectors + dev->nvec; vec++) {
		if (msilat_vector_armed(vec))
			return vec;
	}
	return NULL;
}

#define for_each_armed(d, v) \
	for (v = vector_next_armed(d, NULL); v; v = vector_next_armed(d, v))

/* Requests the interrupts of all armed vectors, or of none. */
static int vector_request_all(struct msilat_device *dev)
{
	struct msilat_vector_ctx *vec, *undo;
	int ret;

	for_each_armed(dev, vec) {
		ret = vector_request(vec);
		if (ret)
			goto err_free;
	}
	return 0;

err_free:
	for_each_armed(dev, undo) {
		if (undo == vec)
			break;
		vector_free(undo);
	}
	return ret;
}

/*
 * Requests what can be requested; what cannot is armed no longer. Other than for want of memory
 * that happens to a task that is being killed, which cannot start an IRQ thread any more and will
 * not miss it.
 */
static void vector_recover_all(struct msilat_device *dev)
{
	struct msilat_vector_ctx *vec;
	int ret;

	for_each_armed(dev, vec) {
		ret = vector_request(vec);
		if (!ret)
			continue;
		if (!fatal_signal_pending(current))
			dev_err_ratelimited(&dev->core.pdev->dev,
					    "vector %u: disarmed, cannot request its interrupt: %d\n",
					    vec->index, ret);
		/* So that its waiter looks, instead of waiting for what will not come. */
		vector_wake(vec);
		vector_drop(vec);
	}
}

/**
 * msilat_vector_rearm_all() - puts a strategy into force
 * @dev: open device
 * @strategy: strategy, admitted
 * @select_flags: MSILAT_SELECT_* to go with it, which it takes
 * @catchups: number of catch-up signals sent
 *
 * Vectors that are armed get their interrupt requested anew, even if the strategy is the old one,
 * and their waiters one catch-up signal each; calls of MSILAT_WAIT are cancelled. Process context,
 * igate held.
 *
 * Return: 0, or -errno if an interrupt could not be requested: then the old strategy is in force
 * again, with catch-up signals all the same. A vector that cannot even be requested the old way is
 * disarmed, after a last signal.
 */
int msilat_vector_rearm_all(struct msilat_device *dev, const struct msilat_strategy_ops *strategy,
			    u32 select_flags, u32 *catchups)
{
	const struct msilat_strategy_ops *previous = dev->strategy;
	u32 previous_flags = dev->select_flags;
	struct msilat_vector_ctx *vec;
	int ret;
	u16 cmd;

	msilat_vector_new_generation(dev);
	for_each_armed(dev, vec) {
		msilat_wait_close(dev, &vec->wait);
		vector_withdraw(vec);
	}
	for_each_armed(dev, vec)
		msilat_wait_drain(&vec->wait);

	cmd = msilat_memory_lock(&dev->core);
	for_each_armed(dev, vec)
		vector_free(vec);

	dev->strategy = strategy;
	dev->select_flags = select_flags;
	ret = vector_request_all(dev);
	if (ret) {
		dev->strategy = previous;
		dev->select_flags = previous_flags;
		vector_recover_all(dev);
	}

	/* Before the new generation is known to anyone, who may then ask for it. */
	for_each_armed(dev, vec)
		vector_open_wait(vec);
	/* Before the first record that is written under it. */
	msilat_region_rearmed(dev);
	for_each_armed(dev, vec) {
		msilat_ring_put_delivery(vec, 0, msilat_clock(), MSILAT_NO_ISR, MSILAT_NO_ISR,
					 MSILAT_DELIVERY_CATCHUP);
		WRITE_ONCE(vec->catchups, vec->catchups + 1);
		vector_enable(vec);
	}
	msilat_memory_unlock(&dev->core, cmd);

	*catchups = 0;
	for_each_armed(dev, vec) {
		vector_wake(vec);
		++*catchups;
		vector_offer(vec);
	}
	return ret;
}

/**
 * msilat_vector_loopback() - wakes a vector's waiter without an interrupt
 * @vec: vector; nothing happens if it is not armed
 *
 * Writes no record. Process context, igate held.
 */
void msilat_vector_loopback(struct msilat_vector_ctx *vec)
{
	if (!msilat_vector_armed(vec))
		return;
	vector_wake(vec);
	vec->loopbacks++;
}

/**
 * msilat_vector_counters() - reads the counters of a vector
 * @vec: vector; igate held
 * @counters: filled
 */
void msilat_vector_counters(struct msilat_vector_ctx *vec, struct msilat_counters *counters)
{
	int i;

	*counters = (struct msilat_counters){ .vector = vec->index };
	counters->irq = vec->irq;
	counters->isr = READ_ONCE(vec->isrs);
	counters->threads = READ_ONCE(vec->threads);
	counters->signals = READ_ONCE(vec->deliveries) - vec->catchups;
	counters->catchups = vec->catchups;
	counters->loopbacks = vec->loopbacks;
	counters->guarded = READ_ONCE(vec->guarded);
	counters->withheld = READ_ONCE(vec->withheld);
	for (i = 0; i < MSILAT_LOCK_STATES; i++)
		counters->lock_states[i] = READ_ONCE(vec->lock_states[i]);
	counters->recursion = READ_ONCE(vec->recursion);
	counters->eventfds = READ_ONCE(vec->eventfds);
	counters->waits = READ_ONCE(vec->wait.calls);
	counters->waited = READ_ONCE(vec->wait.events);
	counters->thread = vec->thread ? msilat_probe_thread_id(vec->thread) : 0;
	counters->injected = vec->injected;
	counters->resent = READ_ONCE(vec->resent);
	msilat_mark_counters(vec, counters);
}

/**
 * msilat_vector_init_all() - makes the vectors of a device that is being opened
 * @dev: device, enabled by the core
 *
 * Return: 0 or -ENOMEM.
 */
int msilat_vector_init_all(struct msilat_device *dev)
{
	struct pci_dev *pdev = dev->core.pdev;
	struct msilat_vector_ctx *vectors;
	unsigned int i, nvec;

	dev->msi_count = max(pci_msi_vec_count(pdev), 0);
	dev->msix_count = max(pci_msix_vec_count(pdev), 0);
	nvec = max(dev->msi_count, dev->msix_count);

	/* Larger than any kmalloc cache whose size is no power of two: the alignment holds. */
	BUILD_BUG_ON(sizeof(*dev->vectors) <= 192);
	vectors = kvcalloc(nvec, sizeof(*vectors), GFP_KERNEL_ACCOUNT);
	if (!vectors)
		return -ENOMEM;

	for (i = 0; i < nvec; i++) {
		vectors[i].dev = dev;
		vectors[i].index = i;
	}
	spin_lock(&dev->vectors_lock);
	dev->vectors = vectors;
	dev->nvec = nvec;
	spin_unlock(&dev->vectors_lock);
	return 0;
}

/**
 * msilat_vector_uninit_all() - undoes msilat_vector_init_all()
 * @dev: device, no vector armed
 */
void msilat_vector_uninit_all(struct msilat_device *dev)
{
	struct msilat_vector_ctx *vectors = dev->vectors;

	spin_lock(&dev->vectors_lock);
	dev->vectors = NULL;
	dev->nvec = 0;
	spin_unlock(&dev->vectors_lock);
	kvfree(vectors);
}
