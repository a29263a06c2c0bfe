/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Everything that differs between the kernels this driver builds for (6.1 to 7.3), and the two
 * things it must know about a private layout. No other file tests a kernel version or PREEMPT_RT
 * with the preprocessor.
 */
#ifndef _MSILAT_COMPAT_H
#define _MSILAT_COMPAT_H

#include <linux/context_tracking_state.h>
#include <linux/eventfd.h>
#include <linux/interrupt.h>
#include <linux/irqbypass.h>
#include <linux/mm.h>
#include <linux/msi.h>
#include <linux/pci.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/spinlock.h>
#include <linux/vfio_pci_core.h>
#include <linux/version.h>

#ifndef CONFIG_64BIT
#error "rings publish 64-bit heads in one store: a 64-bit kernel is needed"
#endif

/* ---- eventfd --------------------------------------------------------------------------- */

static inline void compat_eventfd_signal(struct eventfd_ctx *ctx)
{
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 8, 0)
	eventfd_signal(ctx);
#else
	eventfd_signal(ctx, 1);
#endif
}

/* ---- the lock inside a wait queue ------------------------------------------------------ */

/* On RT: no owner, but the wakeup of a waiter is under way (rtmutex's RT_MUTEX_HAS_WAITERS). */
#define COMPAT_LOCK_WAITERS	1UL

/**
 * compat_lock_word() - owner word of a spinlock_t on PREEMPT_RT
 * @lock: the lock; it is not taken
 *
 * Any context. A task pointer found here is good for as long as an RCU read-side section that
 * began before the call.
 *
 * Return: the owner's task_struct pointer, with COMPAT_LOCK_WAITERS or-ed in when there are
 * waiters. Always 0 on other kernels, where a spinlock does not know its owner.
 */
static inline unsigned long compat_lock_word(spinlock_t *lock)
{
#ifdef CONFIG_PREEMPT_RT
	return (unsigned long)READ_ONCE(lock->lock.owner);
#else
	return 0;
#endif
}

static inline bool compat_owner_on_cpu(struct task_struct *owner)
{
#ifdef CONFIG_SMP
	return owner_on_cpu(owner);
#else
	return false;
#endif
}

/* ---- idle ------------------------------------------------------------------------------ */

#if defined(RCU_DYNTICKS_IDX)
#define COMPAT_IDLE_TRANSITION	RCU_DYNTICKS_IDX
#else
#define COMPAT_IDLE_TRANSITION	CT_RCU_WATCHING
#endif

/**
 * compat_idle_transitions() - counts what RCU counts of this CPU's idle loop
 *
 * Interrupts off. Only differences mean anything.
 *
 * Return: a number that grows by one each time the CPU enters or leaves the state that RCU does not
 * watch: twice for each round of the idle loop, and twice for each interrupt that ends up in there.
 * Always 0 on kernels where RCU does not look (uniprocessor).
 */
static inline u32 compat_idle_transitions(void)
{
#ifdef CONFIG_CONTEXT_TRACKING_IDLE
	return (u32)atomic_read(this_cpu_ptr(&context_tracking.state)) / COMPAT_IDLE_TRANSITION;
#else
	return 0;
#endif
}

/* ---- RCU ------------------------------------------------------------------------------- */

/* Waits for the callbacks of call_rcu_tasks(), which is call_rcu() on kernels without RCU-tasks. */
static inline void compat_rcu_barrier_tasks(void)
{
#ifdef CONFIG_TASKS_RCU
	rcu_barrier_tasks();
#else
	rcu_barrier();
#endif
}

/* ---- injection ------------------------------------------------------------------------- */

static inline int compat_inject_interrupt(unsigned int irq)
{
#ifdef CONFIG_GENERIC_IRQ_INJECTION
	return irq_inject_interrupt(irq);
#else
	return -EOPNOTSUPP;
#endif
}

/* ---- MSI ------------------------------------------------------------------------------- */

/*
 * Since 6.5 vfio-pci looks vectors up one by one. Before, it knew how many it had enabled and
 * checked a range against that before it touched anything.
 */
static inline bool compat_vectors_bounded(void)
{
	return LINUX_VERSION_CODE < KERNEL_VERSION(6, 5, 0);
}

/* Allocates one more MSI-X vector where the platform can: a Linux IRQ number or -errno. */
static inline int compat_msix_alloc_irq_at(struct vfio_pci_core_device *core, unsigned int index)
{
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 5, 0)
	struct msi_map map;

	if (!core->has_dyn_msix)
		return -EINVAL;

	map = pci_msix_alloc_irq_at(core->pdev, index, NULL);
	return map.index < 0 ? map.index : map.virq;
#else
	return -EINVAL;
#endif
}

static inline int compat_register_producer(struct irq_bypass_producer *producer,
					   struct eventfd_ctx *eventfd, int irq)
{
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 17, 0)
	return irq_bypass_register_producer(producer, eventfd, irq);
#else
	int ret;

	producer->token = eventfd;
	producer->irq = irq;
	ret = irq_bypass_register_producer(producer);
	if (ret)
		producer->token = NULL;
	return ret;
#endif
}

/* ---- vfio-pci-core --------------------------------------------------------------------- */

#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 2, 0)
#define COMPAT_VFIO_IOMMUFD_OPS
#elif LINUX_VERSION_CODE < KERNEL_VERSION(6, 6, 0)
#define COMPAT_VFIO_IOMMUFD_OPS					\
	.bind_iommufd	= vfio_iommufd_physical_bind,		\
	.unbind_iommufd	= vfio_iommufd_physical_unbind,		\
	.attach_ioas	= vfio_iommufd_physical_attach_ioas,
#elif LINUX_VERSION_CODE < KERNEL_VERSION(6, 15, 0)
#define COMPAT_VFIO_IOMMUFD_OPS					\
	.bind_iommufd	= vfio_iommufd_physical_bind,		\
	.unbind_iommufd	= vfio_iommufd_physical_unbind,		\
	.attach_ioas	= vfio_iommufd_physical_attach_ioas,	\
	.detach_ioas	= vfio_iommufd_physical_detach_ioas,
#else
#define COMPAT_VFIO_IOMMUFD_OPS						\
	.bind_iommufd	= vfio_iommufd_physical_bind,			\
	.unbind_iommufd	= vfio_iommufd_physical_unbind,			\
	.attach_ioas	= vfio_iommufd_physical_attach_ioas,		\
	.detach_ioas	= vfio_iommufd_physical_detach_ioas,		\
	.pasid_attach_ioas = vfio_iommufd_physical_pasid_attach_ioas,	\
	.pasid_detach_ioas = vfio_iommufd_physical_pasid_detach_ioas,
#endif

/* Both are called without a test for NULL by the kernels that have them. */
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 17, 0)
#define COMPAT_VFIO_TOKEN_OPS
#else
#define COMPAT_VFIO_TOKEN_OPS	.match_token_uuid = vfio_pci_core_match_token_uuid,
#endif

#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 19, 0)
#define COMPAT_VFIO_REGION_OPS
#else
#define COMPAT_VFIO_REGION_OPS	.get_region_info_caps = vfio_pci_ioctl_get_region_info,
#endif

/**
 * COMPAT_VFIO_DEVICE_OPS - the core's functions for ops that not every kernel has
 *
 * To be the last entries of a struct vfio_device_ops initialiser.
 */
#define COMPAT_VFIO_DEVICE_OPS	\
	COMPAT_VFIO_IOMMUFD_OPS	\
	COMPAT_VFIO_TOKEN_OPS	\
	COMPAT_VFIO_REGION_OPS

/**
 * compat_map_bar() - where the core has a memory BAR mapped
 * @core: open device
 * @bar: number of the BAR, which has a size
 *
 * Newer cores claim and map all BARs when the device is opened, older ones each when its user first
 * reads, writes or maps it. This does for the latter what they do; like theirs, the mapping stays
 * until they close the device, and who asks for the BAR at the same time may be refused. Process
 * context, igate held.
 *
 * Return: the mapping; an error pointer: -EBUSY if something else in the kernel has claimed the
 * BAR, -ENOMEM, or -ENODEV for one that must not be mapped.
 */
static inline void __iomem *compat_map_bar(struct vfio_pci_core_device *core, unsigned int bar)
{
	struct pci_dev *pdev = core->pdev;
	void __iomem *io = core->barmap[bar];
	int ret;

	if (io)
		return io;

	ret = pci_request_selected_regions(pdev, 1 << bar, "vfio");
	if (ret)
		return IOMEM_ERR_PTR(ret);
	io = pci_iomap(pdev, bar, 0);
	if (!io) {
		pci_release_selected_regions(pdev, 1 << bar);
		return IOMEM_ERR_PTR(-ENOMEM);
	}
	core->barmap[bar] = io;
	return io;
}

/* Lets VFIO_DEVICE_FEATURE_DMA_BUF work as on vfio-pci. */
static inline void compat_set_pci_ops(struct vfio_pci_core_device *core)
{
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 19, 0)
	static const struct vfio_pci_device_ops ops = {
		.get_dmabuf_phys = vfio_pci_core_get_dmabuf_phys,
	};

	core->pci_ops = &ops;
#endif
}

/*
 * The eventfd of the error and request interrupts. It is a plain pointer under igate, or, on
 * kernels with struct vfio_pci_eventfd (Kbuild looks, for stable kernels got it too), an object
 * that the core reads under RCU.
 */
#ifdef MSILAT_HAVE_VFIO_PCI_EVENTFD

static inline struct vfio_pci_eventfd __rcu **
compat_trigger_slot(struct vfio_pci_core_device *core, u32 index)
{
	return index == VFIO_PCI_ERR_IRQ_INDEX ? &core->err_trigger : &core->req_trigger;
}

static inline struct eventfd_ctx *compat_trigger(struct vfio_pci_core_device *core, u32 index)
{
	struct vfio_pci_eventfd *trigger;

	trigger = rcu_dereference_protected(*compat_trigger_slot(core, index),
					    lockdep_is_held(&core->igate));
	return trigger ? trigger->ctx : NULL;
}

static inline int compat_trigger_replace(struct vfio_pci_core_device *core, u32 index,
					 struct eventfd_ctx *ctx)
{
	struct vfio_pci_eventfd *new = NULL;
	struct vfio_pci_eventfd *old;

	if (ctx) {
		new = kzalloc(sizeof(*new), GFP_KERNEL_ACCOUNT);
		if (!new)
			return -ENOMEM;
		new->ctx = ctx;
	}

	old = rcu_replace_pointer(*compat_trigger_slot(core, index), new,
				  lockdep_is_held(&core->igate));
	if (old) {
		synchronize_rcu();
		eventfd_ctx_put(old->ctx);
		kfree(old);
	}
	return 0;
}

#else

static inline struct eventfd_ctx **compat_trigger_slot(struct vfio_pci_core_device *core, u32 index)
{
	return index == VFIO_PCI_ERR_IRQ_INDEX ? &core->err_trigger : &core->req_trigger;
}

static inline struct eventfd_ctx *compat_trigger(struct vfio_pci_core_device *core, u32 index)
{
	return *compat_trigger_slot(core, index);
}

static inline int compat_trigger_replace(struct vfio_pci_core_device *core, u32 index,
					 struct eventfd_ctx *ctx)
{
	struct eventfd_ctx **slot = compat_trigger_slot(core, index);

	if (*slot)
		eventfd_ctx_put(*slot);
	*slot = ctx;
	return 0;
}

#endif

/*
 * There is an error interrupt where there is AER, on PCI Express; and everywhere since the kernel
 * that brought error recovery for s390, which is told by a feature number of its own.
 */
static inline bool compat_has_err_irq(struct vfio_pci_core_device *core)
{
#ifdef VFIO_DEVICE_FEATURE_ZPCI_ERROR
	return true;
#else
	return pci_is_pcie(core->pdev);
#endif
}

/* ---- memory ---------------------------------------------------------------------------- */

static inline void compat_vm_flags_clear(struct vm_area_struct *vma, unsigned long flags)
{
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 3, 0)
	vm_flags_clear(vma, flags);
#else
	vma->vm_flags &= ~flags;
#endif
}

#endif /* _MSILAT_COMPAT_H */
