// SPDX-License-Identifier: GPL-2.0-only
/*
 * Mark writes: programming, arming, disarming.
 *
 * Arming. A mark is armed while its epoch is that of the device. Disarming all of them is one
 * increment of the device's epoch, which user space sees as mark_generation, so that "disarmed" and
 * "the generation has changed" are one and the same; arming one mark arms no other. The handler
 * compares inside an RCU read-side section and writes in it (with preemption off rather than by
 * rcu_read_lock(), which costs two calls more than the whole rest; the grace period is the same):
 * after the increment and synchronize_rcu() no handler writes any more, and what has been written
 * is on its way, ahead of any configuration request that follows.
 *
 * Who disarms. What makes the device deaf to MMIO or makes it forget what it is: a reset, a change
 * of the command register, of the power state. The kernel performs those under memory_lock or under
 * no lock of ours, and calls back with memory_lock held; so disarming takes no lock. It is done
 * before the operation, and as long as that lasts (msilat_mark_block() to msilat_mark_unblock())
 * nothing can be armed: who blocks counts itself in before it looks for something to disarm, who
 * arms says so before it looks for one who blocks, each with a full barrier in between. At least
 * one of them sees the other. That a user who writes the command register may leave memory decoding
 * as it is does not help him: his data is read once only, by the core, and too late to tell.
 *
 * Lifetime. A mark is allocated and replaced as a whole, under igate, so that a handler sees the
 * old one or the new one, and a refused call has changed nothing. What is replaced is freed after
 * synchronize_rcu(). It is written through the core's own mapping of the BAR, which is there until
 * the core closes the device, and claims the BAR against other users in the kernel.
 *
 * User data that gets past this file: an address, checked against the BAR, the MSI-X table and the
 * pending bits (table and pending bits excepted, the user could write there himself, through the
 * same mapping or one of his own), and a value.
 */
#include <linux/dev_printk.h>
#include <linux/err.h>
#include <linux/io.h>
#include <linux/nospec.h>
#include <linux/pci.h>
#include <linux/slab.h>
#include <linux/vfio.h>
#include <linux/workqueue.h>

#include "compat.h"
#include "device.h"
#include "guard.h"
#include "mark.h"
#include "vector.h"

/* No mark has been armed since open; some have not been disarmed; all have been. */
enum {
	MARK_UNUSED,
	MARK_ARMED,
	MARK_DISARMED,
};

/**
 * struct msilat_mark_ctx - a programmed mark
 *
 * What the handler reads is constant, what it writes it writes alone.
 *
 * @now: epoch of the device
 * @epoch: armed while this is it
 * @addr: where the mark is written
 * @value: what
 * @width: bytes
 * @vec: vector
 * @writes: times it was written
 * @guard: against marks that raise interrupts
 */
struct msilat_mark_ctx {
	const atomic64_t *now;
	u64 epoch;
	void __iomem *addr;
	u64 value;
	u32 width;
	struct msilat_vector_ctx *vec;
	u64 writes;
	struct msilat_guard guard;
};

/* ---- what can be marked ---------------------------------------------------------------- */

static bool mark_overlaps(u64 offset, u32 width, u64 start, u64 size)
{
	return offset < start + size && start < offset + width;
}

/* The MSI-X table as the core keeps it from users, and the pending bits, which it does not. */
static bool mark_hits_msix(struct vfio_pci_core_device *core, const struct msilat_mark *arg)
{
	struct pci_dev *pdev = core->pdev;
	u32 pba;

	if (!pdev->msix_cap)
		return false;
	if (arg->bar == core->msix_bar &&
	    mark_overlaps(arg->offset, arg->width, core->msix_offset, core->msix_size))
		return true;

	pci_read_config_dword(pdev, pdev->msix_cap + PCI_MSIX_PBA, &pba);
	/* Whoever does not answer is in a reset, and nobody knows where they are. */
	if (pba == ~0U)
		return true;
	return arg->bar == (pba & PCI_MSIX_PBA_BIR) &&
	       mark_overlaps(arg->offset, arg->width, pba & PCI_MSIX_PBA_OFFSET,
			     DIV_ROUND_UP(core->msix_size / PCI_MSIX_ENTRY_SIZE, 64) * sizeof(u64));
}

static int mark_check(struct vfio_pci_core_device *core, struct msilat_mark *arg)
{
	unsigned long flags;
	u64 size;
	u32 bar;

	if (arg->width != 1 && arg->width != 2 && arg->width != 4 && arg->width != 8)
		return -EINVAL;
	if (arg->bar >= PCI_STD_NUM_BARS)
		return -EINVAL;

	/* Stays in force: what follows the checks uses it as an index again. */
	bar = arg->bar = array_index_nospec(arg->bar, PCI_STD_NUM_BARS);
	flags = pci_resource_flags(core->pdev, bar);
	if (!(flags & IORESOURCE_MEM) || flags & IORESOURCE_UNSET)
		return -EINVAL;
	size = pci_resource_len(core->pdev, bar);
	if (arg->offset >= size || arg->width > size - arg->offset)
		return -EINVAL;
	if (arg->offset & (arg->width - 1))
		return -EINVAL;
	return mark_hits_msix(core, arg) ? -EINVAL : 0;
}

/* May anything be armed now? memory_lock held for reading. */
static int mark_admit(struct msilat_device *dev)
{
	struct vfio_pci_core_device *core = &dev->core;
	struct pci_dev *pdev = core->pdev;
	u16 cmd = le16_to_cpup((__le16 *)&core->vconfig[PCI_COMMAND]);

	if (pci_channel_offline(pdev))
		return -EIO;
	if (atomic_read(&dev->mark_blocked))
		return -EAGAIN;
	if (core->pm_runtime_engaged || pdev->current_state != PCI_D0)
		return -EAGAIN;
	/* Virtual functions have no such bit: theirs is in the physical function. */
	if (!pdev->no_command_memory && !(cmd & PCI_COMMAND_MEMORY))
		return -EAGAIN;
	return 0;
}

/* ---- making, replacing ----------------------------------------------------------------- */

static struct msilat_mark_ctx *mark_alloc(struct msilat_vector_ctx *vec,
					  const struct msilat_mark *arg)
{
	void __iomem *bar = compat_map_bar(&vec->dev->core, arg->bar);
	struct msilat_mark_ctx *mark;

	if (IS_ERR((__force void *)bar))
		return ERR_CAST((__force void *)bar);
	mark = kzalloc(sizeof(*mark), GFP_KERNEL_ACCOUNT);
	if (!mark)
		return ERR_PTR(-ENOMEM);
	mark->addr = bar + arg->offset;
	mark->now = &vec->dev->mark_epoch;
	mark->vec = vec;
	mark->width = arg->width;
	mark->value = arg->value;
	return mark;
}

static struct msilat_mark_ctx *mark_of(struct msilat_vector_ctx *vec, unsigned int stage)
{
	return rcu_dereference_protected(vec->marks[stage],
					 lockdep_is_held(&vec->dev->core.igate));
}

/* Frees a mark that handlers may still be writing. NULL is none. */
static void mark_retire(struct msilat_vector_ctx *vec, struct msilat_mark_ctx *mark)
{
	if (!mark)
		return;
	synchronize_rcu();
	vec->marks_retired += mark->writes;
	kfree(mark);
}

/* Shows the device's epoch in the region, unless a later one is there already. Any context. */
static void mark_publish(struct msilat_device *dev)
{
	u32 *shown = &dev->region->mark_generation;
	u32 old = READ_ONCE(*shown);
	u32 new;

	do {
		new = (u32)atomic64_read(&dev->mark_epoch);
		if ((s32)(new - old) <= 0)
			return;
	} while (!try_cmpxchg(shown, &old, new));
}

/*
 * Lets handlers see a mark, armed. memory_lock is held for reading, so that what it protects does
 * not change between admission and arming. Who blocks after the second look finds MARK_ARMED, and
 * his increment makes the epoch noted here a past one, whether the mark is visible by then or not.
 */
static int mark_arm(struct msilat_device *dev, struct msilat_vector_ctx *vec, u32 stage,
		    struct msilat_mark_ctx *mark)
{
	int ret;

	ret = mark_admit(dev);
	if (ret)
		return ret;

	mark->epoch = atomic64_read(&dev->mark_epoch);
	WRITE_ONCE(dev->mark_state, MARK_ARMED);
	smp_mb(); /* pairs with msilat_mark_block() */
	ret = mark_admit(dev);
	if (ret)
		return ret;

	rcu_assign_pointer(vec->marks[stage], mark);
	return 0;
}

static int mark_program(struct msilat_device *dev, struct msilat_vector_ctx *vec, u32 stage,
			struct msilat_mark *arg)
{
	struct vfio_pci_core_device *core = &dev->core;
	struct msilat_mark_ctx *old = mark_of(vec, stage);
	struct msilat_mark_ctx *mark;
	int ret;

	ret = mark_check(core, arg);
	if (ret)
		return ret;
	/* A reset through sysfs does not hold memory_lock; one that does is not waited for. */
	if (atomic_read(&dev->mark_blocked))
		return pci_channel_offline(core->pdev) ? -EIO : -EAGAIN;
	mark = mark_alloc(vec, arg);
	if (IS_ERR(mark))
		return PTR_ERR(mark);

	down_read(&core->memory_lock);
	ret = mark_arm(dev, vec, stage, mark);
	up_read(&core->memory_lock);
	if (ret) {
		kfree(mark);
		return ret;
	}

	mark_publish(dev);
	arg->generation = (u32)mark->epoch;
	mark_retire(vec, old);
	return 0;
}

/**
 * msilat_mark_ctl() - MSILAT_OP_MARK
 * @dev: open device; igate held
 * @arg: as uapi/msilat.h says
 *
 * Process context; waits for RCU when it replaces or clears a mark.
 *
 * Return: 0, or what struct msilat_mark says; then the marks are as they were.
 */
long msilat_mark_ctl(struct msilat_device *dev, struct msilat_mark *arg)
{
	struct msilat_vector_ctx *vec;
	struct msilat_mark_ctx *old;
	u32 stage;

	if (arg->vector >= dev->nvec || arg->stage >= MSILAT_STAGES ||
	    arg->flags & ~MSILAT_MARK_CLEAR)
		return -EINVAL;
	vec = &dev->vectors[array_index_nospec(arg->vector, dev->nvec)];
	stage = array_index_nospec(arg->stage, MSILAT_STAGES);

	if (!(arg->flags & MSILAT_MARK_CLEAR))
		return mark_program(dev, vec, stage, arg);

	old = mark_of(vec, stage);
	RCU_INIT_POINTER(vec->marks[stage], NULL);
	arg->generation = (u32)atomic64_read(&dev->mark_epoch);
	mark_retire(vec, old);
	return 0;
}

/**
 * msilat_mark_counters() - fills in the counters of a vector's marks
 * @vec: vector; igate held
 * @counters: its @marks and @mark_runaways are set
 */
void msilat_mark_counters(struct msilat_vector_ctx *vec, struct msilat_counters *counters)
{
	const struct msilat_mark_ctx *mark;
	unsigned int stage;

	counters->marks = vec->marks_retired;
	for (stage = 0; stage < MSILAT_STAGES; stage++) {
		mark = mark_of(vec, stage);
		if (mark)
			counters->marks += READ_ONCE(mark->writes);
	}
	counters->mark_runaways = READ_ONCE(vec->mark_runaways);
}

/* ---- disarming ------------------------------------------------------------------------- */

/* Disarms everything. Any context, inside an RCU read-side section; writes may be under way. */
static void mark_raise(struct msilat_device *dev)
{
	atomic64_inc(&dev->mark_epoch);
	mark_publish(dev);
}

/**
 * msilat_mark_block() - disarms all marks of a device, and keeps any from being armed
 * @dev: device, open or not
 *
 * To be called before an operation that MMIO must not meet; until msilat_mark_unblock(). Calls
 * nest. After return no handler writes a mark. Process context; takes no lock, so any may be held.
 */
void msilat_mark_block(struct msilat_device *dev)
{
	atomic_inc(&dev->mark_blocked);
	smp_mb__after_atomic(); /* pairs with mark_arm() */

	if (READ_ONCE(dev->mark_state) == MARK_UNUSED)
		return;

	/* The region is there while a mark is armed: msilat_mark_close() waits for this. */
	rcu_read_lock();
	if (READ_ONCE(dev->mark_state) == MARK_ARMED) {
		mark_raise(dev);
		/* After the increment: who sees DISARMED need only wait for the handlers. */
		cmpxchg(&dev->mark_state, MARK_ARMED, MARK_DISARMED);
	}
	rcu_read_unlock();
	synchronize_rcu();
}

/**
 * msilat_mark_unblock() - marks may be armed again
 * @dev: device
 *
 * One for each msilat_mark_block(), after the operation. Any context.
 */
void msilat_mark_unblock(struct msilat_device *dev)
{
	smp_mb__before_atomic(); /* the operation has been done */
	atomic_dec(&dev->mark_blocked);
}

/**
 * msilat_mark_blocks_config() - must a write to the configuration space be blocked around?
 * @dev: open device
 * @pos: file position: region and offset
 * @count: bytes
 *
 * It must if it covers the command register, the power state or a register that resets the
 * function, whatever is written there.
 *
 * Return: true if so.
 */
bool msilat_mark_blocks_config(struct msilat_device *dev, loff_t pos, size_t count)
{
	struct pci_dev *pdev = dev->core.pdev;
	u64 offset = pos & VFIO_PCI_OFFSET_MASK;
	u32 width = min_t(size_t, count, PCI_CFG_SPACE_EXP_SIZE);

	if (VFIO_PCI_OFFSET_TO_INDEX(pos) != VFIO_PCI_CONFIG_REGION_INDEX)
		return false;

	return mark_overlaps(offset, width, PCI_COMMAND, 2) ||
	       (pdev->pm_cap && mark_overlaps(offset, width, pdev->pm_cap + PCI_PM_CTRL, 2)) ||
	       (pdev->pcie_cap &&
		mark_overlaps(offset, width, pdev->pcie_cap + PCI_EXP_DEVCTL, 2)) ||
	       (dev->mark_af_cap &&
		mark_overlaps(offset, width, dev->mark_af_cap + PCI_AF_CTRL, 1));
}

/* ---- the handler's side ---------------------------------------------------------------- */

static __always_inline void mark_store(const struct msilat_mark_ctx *mark)
{
	if (likely(mark->width == 4))
		writel_relaxed(mark->value, mark->addr);
	else if (mark->width == 8)
		writeq_relaxed(mark->value, mark->addr);
	else if (mark->width == 2)
		writew_relaxed(mark->value, mark->addr);
	else
		writeb_relaxed(mark->value, mark->addr);
}

/* Says it outside the handler: printing may take long. */
static void mark_say(struct work_struct *work)
{
	struct msilat_device *dev = container_of(work, struct msilat_device, mark_work);

	dev_warn_ratelimited(&dev->core.pdev->dev,
			     "marks disarmed: vector %u had %u interrupts while no task got on; is one of its marks a doorbell?\n",
			     READ_ONCE(dev->mark_runaway), MSILAT_GUARD_LIMIT);
}

/* Disarms everything if this mark is what keeps its handler running. Off the path on purpose. */
static noinline void mark_look(struct msilat_mark_ctx *mark)
{
	struct msilat_vector_ctx *vec = mark->vec;
	struct msilat_device *dev = vec->dev;

	if (!msilat_guard_trips(&mark->guard, mark->writes))
		return;

	mark_raise(dev);
	WRITE_ONCE(vec->mark_runaways, vec->mark_runaways + 1);
	WRITE_ONCE(dev->mark_runaway, vec->index);
	schedule_work(&dev->mark_work); /* takes raw locks only */
}

/**
 * msilat_mark_write() - writes the mark of a stage if it is still there and armed
 * @slot: the mark of the vector for that stage
 *
 * See msilat_mark(). Not inline: a handler without marks shall not carry it along.
 */
void msilat_mark_write(struct msilat_mark_ctx __rcu **slot)
{
	struct msilat_mark_ctx *mark;
	u64 writes;

	rcu_read_lock_sched();
	mark = rcu_dereference_sched(*slot);
	if (likely(mark && mark->epoch == atomic64_read(mark->now))) {
		mark_store(mark);
		writes = mark->writes + 1;
		WRITE_ONCE(mark->writes, writes);
		if (unlikely(writes - mark->guard.base > MSILAT_GUARD_LOOK))
			mark_look(mark);
	}
	rcu_read_unlock_sched();
}

/* ---- open, close ----------------------------------------------------------------------- */

/**
 * msilat_mark_init() - prepares a device that is being bound
 * @dev: device
 */
void msilat_mark_init(struct msilat_device *dev)
{
	INIT_WORK(&dev->mark_work, mark_say);
}

/**
 * msilat_mark_open() - prepares a device that is being opened
 * @dev: device, enabled by the core; no mark is programmed
 */
void msilat_mark_open(struct msilat_device *dev)
{
	dev->mark_af_cap = pci_find_capability(dev->core.pdev, PCI_CAP_ID_AF);
	atomic64_set(&dev->mark_epoch, 0);
	WRITE_ONCE(dev->mark_state, MARK_UNUSED);
}

/**
 * msilat_mark_close() - forgets all marks of a device that is being closed
 * @dev: device; no handler runs and no ioctl is on its way
 *
 * Before the core releases the region. Process context.
 */
void msilat_mark_close(struct msilat_device *dev)
{
	unsigned int i, stage;

	if (READ_ONCE(dev->mark_state) == MARK_UNUSED)
		return;
	WRITE_ONCE(dev->mark_state, MARK_UNUSED);
	/* For whoever hears of a reset just now, see msilat_mark_block(). */
	synchronize_rcu();
	cancel_work_sync(&dev->mark_work);

	mutex_lock(&dev->core.igate);
	for (i = 0; i < dev->nvec; i++) {
		for (stage = 0; stage < MSILAT_STAGES; stage++) {
			struct msilat_mark_ctx *mark = mark_of(&dev->vectors[i], stage);

			if (!mark)
				continue;
			RCU_INIT_POINTER(dev->vectors[i].marks[stage], NULL);
			kfree(mark);
		}
	}
	mutex_unlock(&dev->core.igate);
}
