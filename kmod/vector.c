// SPDX-License-Identifier: GPL-2.0-only
/*
 * Vectors: an eventfd is hung on one, its interrupt is requested the way the strategy wants it, and
 * all of that is undone again.
 *
 * Who writes the rings. The isr ring is written by the primary handler only, the delivery ring by
 * the signalling context only: the IRQ thread or the primary. The kernel never runs one IRQ's
 * primary, or its thread, on two CPUs at once, and hands over between CPUs under a lock. A re-arm
 * may change which context signals and writes a catch-up record itself: it does so after
 * free_irq(), which has waited for handler and thread, and before enable_irq(), as interrupts are
 * requested with IRQF_NO_AUTOEN. So there is one writer at any time, and the next one sees all that
 * the last one wrote.
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
#include "memory.h"
#include "region.h"
#include "strategy.h"
#include "vector.h"

/* Requests the interrupt of a vector that has an eventfd, disabled. memory_lock held. */
static int vector_request(struct msilat_vector_ctx *vec)
{
	const struct msilat_strategy_ops *strategy = vec->dev->strategy;
	int ret;

	vec->thread = msilat_probe_thread_alloc();
	if (!vec->thread)
		return -ENOMEM;

	ret = request_threaded_irq(vec->irq, strategy->handler, strategy->thread_fn,
				   strategy->irqflags | IRQF_NO_AUTOEN, vec->name, vec);
	if (ret)
		goto err_free_thread;

	vec->consumed = vec->isrs;
	return 0;

err_free_thread:
	msilat_probe_thread_free(vec->thread);
	vec->thread = NULL;
	return ret;
}

/* Frees the interrupt: no handler runs any more. memory_lock held. */
static void vector_free(struct msilat_vector_ctx *vec)
{
	free_irq(vec->irq, vec);
	msilat_probe_thread_free(vec->thread);
	vec->thread = NULL;
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

	vec->wqh = msilat_probe_capture(file);
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
		enable_irq(irq);
	msilat_memory_unlock(core, cmd);
	if (ret)
		goto err_drop;

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
 * Process context, igate held. No handler of the vector runs after return.
 */
void msilat_vector_disarm(struct msilat_vector_ctx *vec)
{
	struct vfio_pci_core_device *core = &vec->dev->core;
	u16 cmd;

	if (!msilat_vector_armed(vec))
		return;

	vector_withdraw(vec);
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
		compat_eventfd_signal(vec->trigger);
		vector_drop(vec);
	}
}

/**
 * msilat_vector_rearm_all() - puts a strategy into force
 * @dev: open device
 * @strategy: strategy, admitted
 * @catchups: number of catch-up signals sent
 *
 * Vectors that are armed get their interrupt requested anew, even if the strategy is the old one,
 * and their waiters one catch-up signal each. Process context, igate held.
 *
 * Return: 0, or -errno if an interrupt could not be requested: then the old strategy is in force
 * again, with catch-up signals all the same. A vector that cannot even be requested the old way is
 * disarmed, after a last signal.
 */
int msilat_vector_rearm_all(struct msilat_device *dev, const struct msilat_strategy_ops *strategy,
			    u32 *catchups)
{
	const struct msilat_strategy_ops *previous = dev->strategy;
	struct msilat_vector_ctx *vec;
	int ret;
	u16 cmd;

	for_each_armed(dev, vec)
		vector_withdraw(vec);

	cmd = msilat_memory_lock(&dev->core);
	for_each_armed(dev, vec)
		vector_free(vec);

	dev->strategy = strategy;
	ret = vector_request_all(dev);
	if (ret) {
		dev->strategy = previous;
		vector_recover_all(dev);
	}

	/* Before the first record that is written under it. */
	msilat_region_rearmed(dev);
	for_each_armed(dev, vec) {
		msilat_ring_put_delivery(vec, 0, msilat_clock(), MSILAT_NO_ISR, MSILAT_NO_ISR,
					 MSILAT_DELIVERY_CATCHUP);
		WRITE_ONCE(vec->catchups, vec->catchups + 1);
		enable_irq(vec->irq);
	}
	msilat_memory_unlock(&dev->core, cmd);

	*catchups = 0;
	for_each_armed(dev, vec) {
		compat_eventfd_signal(vec->trigger);
		++*catchups;
		vector_offer(vec);
	}
	return ret;
}

/**
 * msilat_vector_loopback() - signals a vector's eventfd without an interrupt
 * @vec: vector; nothing happens if it is not armed
 *
 * Writes no record. Process context, igate held.
 */
void msilat_vector_loopback(struct msilat_vector_ctx *vec)
{
	if (!msilat_vector_armed(vec))
		return;
	compat_eventfd_signal(vec->trigger);
	vec->loopbacks++;
}

/**
 * msilat_vector_counters() - reads the counters of a vector
 * @vec: vector; igate held
 * @counters: filled, except for its in-member @vector
 */
void msilat_vector_counters(struct msilat_vector_ctx *vec, struct msilat_counters *counters)
{
	int i;

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
	unsigned int i;

	dev->msi_count = max(pci_msi_vec_count(pdev), 0);
	dev->msix_count = max(pci_msix_vec_count(pdev), 0);
	dev->nvec = max(dev->msi_count, dev->msix_count);

	/* Larger than any kmalloc cache whose size is no power of two: the alignment holds. */
	BUILD_BUG_ON(sizeof(*dev->vectors) <= 192);
	dev->vectors = kvcalloc(dev->nvec, sizeof(*dev->vectors), GFP_KERNEL_ACCOUNT);
	if (!dev->vectors)
		return -ENOMEM;

	for (i = 0; i < dev->nvec; i++) {
		dev->vectors[i].dev = dev;
		dev->vectors[i].index = i;
	}
	return 0;
}

/**
 * msilat_vector_uninit_all() - undoes msilat_vector_init_all()
 * @dev: device, no vector armed
 */
void msilat_vector_uninit_all(struct msilat_device *dev)
{
	kvfree(dev->vectors);
	dev->vectors = NULL;
	dev->nvec = 0;
}
