/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Interface between the msilat-vfio-pci driver and user space.
 *
 * A device bound to msilat-vfio-pci is an ordinary VFIO device: every VFIO program works on it
 * unchanged. What the driver adds is reached through the VFIO device file descriptor:
 *
 * - MSILAT_CTL, one control ioctl. It selects the delivery strategy, programs mark writes, injects
 *   interrupts, reports what the driver can do and reads counters. It is serialised with
 *   VFIO_DEVICE_SET_IRQS.
 *
 * - MSILAT_WAIT, one wait ioctl: sleeps until a vector is delivered, without an eventfd.
 *
 * - one device-specific VFIO region (type MSILAT_REGION_TYPE, subtype MSILAT_REGION_SUBTYPE),
 *   read-only and mappable, which the driver fills with time stamps. Find it by walking the
 *   regions from VFIO_PCI_NUM_REGIONS up with VFIO_DEVICE_GET_REGION_INFO and comparing the
 *   VFIO_REGION_INFO_CAP_TYPE capability, or take its index from MSILAT_OP_QUERY. Map it MAP_SHARED
 *   (-EINVAL otherwise) and without PROT_WRITE and PROT_EXEC (-EACCES).
 *
 * All time stamps are the raw cycle counter of the CPU (x86: TSC, arm64: CNTVCT_EL0), the same
 * one user space reads. Only the program's own calibration converts them to nanoseconds.
 */
#ifndef _UAPI_MSILAT_H
#define _UAPI_MSILAT_H

#include <linux/types.h>
#include <linux/ioctl.h>

/**
 * MSILAT_UAPI_VERSION - version of everything in this header
 *
 * Changes that old programs survive (a new operation, a new flag, a structure or a region header
 * that grows) do not raise it. The driver puts it into the answer to MSILAT_OP_QUERY and into the
 * region header; a program must refuse a version it was not built for. Structures grow at their
 * end, the first size stays good. Fields beyond argsz are taken for 0, those the driver does not
 * know stay as they were: who zeroes a structure finds 0 there, counters among them. What no driver
 * may overlook comes with a flag, which old ones refuse.
 */
#define MSILAT_UAPI_VERSION	1

/**
 * enum msilat_strategy - how an interrupt is delivered to the waiter
 *
 * A strategy is a context times a wake. The numbers are ABI; 0 is "plain vfio-pci", which is
 * another driver and thus never reported or accepted by this one.
 *
 * @MSILAT_STRATEGY_STOCK: vfio-pci itself; reserved so that programs can use one numbering.
 * @MSILAT_STRATEGY_THREAD: forced IRQ thread, eventfd_signal() there. Must equal stock.
 * @MSILAT_STRATEGY_SPLIT: own primary handler in hard IRQ, eventfd_signal() in our IRQ thread.
 * @MSILAT_STRATEGY_NOTHREAD: IRQF_NO_THREAD, eventfd_signal() in hard IRQ. Unsafe on PREEMPT_RT.
 * @MSILAT_STRATEGY_THREAD_DIRECT: forced IRQ thread, which wakes MSILAT_WAIT, then the eventfd.
 * @MSILAT_STRATEGY_KTHREAD: own primary in hard IRQ wakes a SCHED_FIFO kthread of the vector, which
 *	signals the eventfd.
 * @MSILAT_STRATEGY_IRQWORK: own primary in hard IRQ queues an irq_work, which signals the eventfd.
 * @MSILAT_STRATEGY_DIRECT: own primary in hard IRQ wakes MSILAT_WAIT.
 * @MSILAT_STRATEGY_PAGE: own primary in hard IRQ publishes in the mapped region, where the waiter
 *	spins (msilat_vector.page_events).
 */
enum msilat_strategy {
	MSILAT_STRATEGY_STOCK = 0,
	MSILAT_STRATEGY_THREAD = 1,
	MSILAT_STRATEGY_SPLIT = 2,
	MSILAT_STRATEGY_NOTHREAD = 3,
	MSILAT_STRATEGY_THREAD_DIRECT = 4,
	MSILAT_STRATEGY_KTHREAD = 5,
	MSILAT_STRATEGY_IRQWORK = 6,
	MSILAT_STRATEGY_DIRECT = 7,
	MSILAT_STRATEGY_PAGE = 8,
};

/**
 * enum msilat_op - operations of MSILAT_CTL
 * @MSILAT_OP_QUERY: fills msilat_ctl.query.
 * @MSILAT_OP_STRATEGY: selects msilat_ctl.strategy.strategy for every vector of the device and
 *	re-arms the vectors that are enabled, without reopening the device. Each of those gets one
 *	catch-up signal, because edges may have arrived while no handler was installed; catch-up
 *	signals are counted. Selecting the strategy in force is a re-arm all the same.
 *	-EINVAL for a number this driver does not know, -EPERM for one that is not permitted. If an
 *	interrupt cannot be requested (-ENOMEM, say) the old strategy is in force again, and a
 *	vector that cannot be requested even so is disarmed after a last signal: compare
 *	msilat_query.enabled.
 *	-EINVAL too for a flag this driver does not know, and for MSILAT_SELECT_NO_EVENTFD with a
 *	strategy that has no other wake.
 * @MSILAT_OP_COUNTERS: fills msilat_ctl.counters for vector msilat_ctl.counters.vector.
 *	-EINVAL for a vector the device does not have.
 * @MSILAT_OP_MARK: programs and arms, or clears, the mark write of one stage and vector, see
 *	struct msilat_mark.
 * @MSILAT_OP_INJECT: raises the interrupt of a vector without the device, see
 *	struct msilat_inject.
 */
enum msilat_op {
	MSILAT_OP_QUERY = 0,
	MSILAT_OP_STRATEGY = 1,
	MSILAT_OP_COUNTERS = 2,
	MSILAT_OP_MARK = 3,
	MSILAT_OP_INJECT = 4,
};

/**
 * struct msilat_query - answer to MSILAT_OP_QUERY
 * @uapi_version: MSILAT_UAPI_VERSION of the driver.
 * @strategy: strategy in force (enum msilat_strategy).
 * @known: bit mask (1 << strategy) of the strategies in this driver.
 * @permitted: those of @known the caller may select now. Unsafe ones need CAP_SYS_RAWIO and the
 *	module parameter allow_unsafe=1.
 * @region: index of the region for VFIO_DEVICE_GET_REGION_INFO.
 * @irq_index: VFIO IRQ index whose vectors are enabled, or ~0 while none is.
 * @vectors: number of vectors the device has at its larger index.
 * @enabled: number of vectors that are armed with an eventfd now.
 * @generation: raised by each re-arm; also in the region header.
 * @select_flags: MSILAT_SELECT_* in force.
 * @clock_hz: frequency of the stamps as the kernel knows it, 0 if it does not.
 * @version: version string of the module, NUL-terminated.
 */
struct msilat_query {
	__u32 uapi_version;
	__u32 strategy;
	__u32 known;
	__u32 permitted;
	__u32 region;
	__u32 irq_index;
	__u32 vectors;
	__u32 enabled;
	__u32 generation;
	__u32 select_flags;
	__u64 clock_hz;
	char version[32];
};

/**
 * struct msilat_select - argument of MSILAT_OP_STRATEGY
 * @strategy: in: enum msilat_strategy.
 * @flags: in: MSILAT_SELECT_*. They stay in force until the next selection; 0 at open.
 * @previous: out: the strategy that was in force.
 * @generation: out: generation after the re-arm.
 * @catchups: out: catch-up signals that this call sent.
 * @reserved: in: zero.
 */
struct msilat_select {
	__u32 strategy;
	__u32 flags;
	__u32 previous;
	__u32 generation;
	__u32 catchups;
	__u32 reserved;
};

/**
 * MSILAT_SELECT_NO_EVENTFD - interrupts do not signal the eventfd
 *
 * VFIO cannot enable a vector without an eventfd. Strategies that wake by other means therefore
 * also signal it, so that any VFIO program works under them; for direct and page that takes an IRQ
 * thread, and its hop. A program that waits by those other means sets this flag and saves it. The
 * eventfd is then signalled by loopback triggers and catch-ups only.
 */
#define MSILAT_SELECT_NO_EVENTFD	(1u << 0)

/**
 * enum msilat_lock_state - state of the eventfd's wait-queue lock as a hard-IRQ primary saw it
 *
 * Classified without taking the lock. The hazard probe counts how often each was seen.
 *
 * @MSILAT_LOCK_FREE: nobody owned it.
 * @MSILAT_LOCK_HANDOFF: no owner, but a waiter has been promised the lock.
 * @MSILAT_LOCK_SELF: held by the task the interrupt interrupted.
 * @MSILAT_LOCK_RUNNING: held by a task running on another CPU.
 * @MSILAT_LOCK_NOT_RUNNING: held by a task that is not running.
 * @MSILAT_LOCK_OWN_THREAD: held by this vector's own signalling thread: benign, kept apart.
 * @MSILAT_LOCK_OTHER_THREAD: held by the signalling thread of another vector.
 * @MSILAT_LOCK_STATES: number of states.
 */
enum msilat_lock_state {
	MSILAT_LOCK_FREE = 0,
	MSILAT_LOCK_HANDOFF = 1,
	MSILAT_LOCK_SELF = 2,
	MSILAT_LOCK_RUNNING = 3,
	MSILAT_LOCK_NOT_RUNNING = 4,
	MSILAT_LOCK_OWN_THREAD = 5,
	MSILAT_LOCK_OTHER_THREAD = 6,
	MSILAT_LOCK_STATES = 7,
};

/**
 * struct msilat_counters - counters of one vector since the device was opened
 *
 * Read as a set under the lock that serialises control; the writers are not stopped, so the
 * counters of a vector under fire may be apart by the events in flight.
 *
 * @vector: in: vector number.
 * @irq: out: Linux IRQ number, 0 while the vector is not armed.
 * @isr: hard-IRQ primary entries = records ever written to the isr ring. 0 for strategies
 *	without a primary of ours.
 * @threads: entries of the signalling context.
 * @signals: deliveries of an interrupt issued to the waiter = records in the delivery ring,
 *	catch-ups excluded.
 * @catchups: catch-up signals; each has a delivery record of its own.
 * @loopbacks: signals by VFIO_IRQ_SET_ACTION_TRIGGER with DATA_NONE or DATA_BOOL; no record.
 * @guarded: signals that eventfd's recursion guard was seen to refuse: the event is lost.
 * @withheld: signals withheld by fault injection (module parameter fault_withhold); counted in
 *	@signals too, so that an observer must find them lost.
 * @lock_states: hazard probe, indexed by enum msilat_lock_state; sums to @isr.
 * @recursion: primaries that found the interrupted task inside eventfd code (its recursion guard
 *	set): eventfd_signal() there would have warned and lost the event.
 * @injected: interrupts raised by MSILAT_OP_INJECT.
 * @resent: those of @injected that the platform delivered from softirq instead of hard IRQ: they
 *	say nothing about interrupt latency.
 * @eventfds: eventfd signals sent beside the strategy's own wake, see MSILAT_SELECT_NO_EVENTFD.
 *	Fewer than @signals when several interrupts met one run of the thread that sends them.
 * @waits: calls of MSILAT_WAIT that returned events.
 * @waited: events that those calls returned, loopbacks and catch-ups included.
 * @marks: mark writes of this vector's handlers.
 * @mark_runaways: times marks were disarmed because interrupts came without progress of a task.
 * @thread: thread ID of the signalling thread in the caller's PID namespace; 0 where there is none,
 *	it is not known yet, or it is not of that namespace. Set its priority to place it against
 *	the waiter. An IRQ thread's is known from its first run.
 * @reserved: zero.
 */
struct msilat_counters {
	__u32 vector;
	__u32 irq;
	__u64 isr;
	__u64 threads;
	__u64 signals;
	__u64 catchups;
	__u64 loopbacks;
	__u64 guarded;
	__u64 withheld;
	__u64 lock_states[MSILAT_LOCK_STATES];
	__u64 recursion;
	__u64 injected;
	__u64 resent;
	__u64 eventfds;
	__u64 waits;
	__u64 waited;
	__u64 marks;
	__u64 mark_runaways;
	__u32 thread;
	__u32 reserved;
};

/**
 * enum msilat_stage - stages of an interrupt that the driver can mark on the device
 * @MSILAT_STAGE_ISR: entry of our hard-IRQ primary. Strategies without one never write it.
 * @MSILAT_STAGE_THREAD: entry of the signalling thread, where there is one.
 * @MSILAT_STAGE_SIGNAL: just before the waiter is woken.
 * @MSILAT_STAGES: number of stages.
 */
enum msilat_stage {
	MSILAT_STAGE_ISR = 0,
	MSILAT_STAGE_THREAD = 1,
	MSILAT_STAGE_SIGNAL = 2,
	MSILAT_STAGES = 3,
};

/**
 * struct msilat_mark - argument of MSILAT_OP_MARK
 *
 * A mark is a posted MMIO write to the device that a handler does first thing in a stage; a device
 * that stamps its arrival needs no clock of the host. -EINVAL for a vector, stage, width or flag
 * that does not exist, a BAR that is not memory (I/O, the ROM) or an address that is misaligned,
 * outside the BAR or on the MSI-X table or pending bits; -EAGAIN while memory decoding is off, a
 * reset is going on or the device is not in D0; -EIO for a device that is offline; -EBUSY for a BAR
 * that another driver holds, -ENODEV for one that cannot be mapped; -ENOMEM. A refused call leaves
 * the marks as they were.
 *
 * All marks of a device are disarmed together, never to be re-armed by the driver: when the
 * user resets the device, writes the command register (whatever value), power-management or reset
 * registers, or requests low power; when the kernel resets the device or reports an error of it;
 * and when more than a fixed number of interrupts came without progress of a task, which a mark
 * aimed at a doorbell leads to. (A hot reset that the kernel refuses has disarmed them as well: it
 * has to be done before.) msilat_region.mark_generation tells. They stay programmed; a
 * MSILAT_OP_MARK call for any of them arms that one and no other.
 *
 * @vector: in: vector number.
 * @stage: in: enum msilat_stage.
 * @flags: in: MSILAT_MARK_*.
 * @bar: in: BAR number, 0 to 5.
 * @width: in: bytes, 1, 2, 4 or 8.
 * @generation: out: msilat_region.mark_generation when armed.
 * @offset: in: offset in the BAR, a multiple of @width.
 * @value: in: what is written.
 */
struct msilat_mark {
	__u32 vector;
	__u32 stage;
	__u32 flags;
	__u32 bar;
	__u32 width;
	__u32 generation;
	__u64 offset;
	__u64 value;
};

#define MSILAT_MARK_CLEAR	(1u << 0)	/* disarm and forget; the rest is ignored */

/**
 * struct msilat_inject - argument of MSILAT_OP_INJECT
 *
 * The kernel raises the vector's own interrupt. On most platforms a CPU sends it to itself or to
 * the CPU the vector is bound to, where it arrives in hard IRQ as the device's would.
 *
 * -EINVAL for a vector that the device does not have or that is not armed; -EBUSY while a handler
 * has not yet run for the one before; -EOPNOTSUPP, or what the interrupt controller says, where it
 * cannot raise it.
 *
 * @vector: in: vector number.
 * @reserved: in: zero.
 * @sent: out: stamp just before it was raised.
 * @sequence: out: interrupts injected so far into this vector, this one included.
 */
struct msilat_inject {
	__u32 vector;
	__u32 reserved;
	__u64 sent;
	__u64 sequence;
};

/**
 * struct msilat_ctl - argument of MSILAT_CTL
 * @argsz: in: size of the structure the caller passes. Less than needed for @op: -EINVAL.
 * @flags: in: none defined, must be 0.
 * @op: in: enum msilat_op. Unknown: -ENOTTY.
 * @reserved: must be 0.
 * @query: for MSILAT_OP_QUERY.
 * @strategy: for MSILAT_OP_STRATEGY.
 * @counters: for MSILAT_OP_COUNTERS.
 * @mark: for MSILAT_OP_MARK.
 * @inject: for MSILAT_OP_INJECT.
 *
 * Written only on success, and no more of it than @op has a use for.
 */
struct msilat_ctl {
	__u32 argsz;
	__u32 flags;
	__u32 op;
	__u32 reserved;
	union {
		struct msilat_query query;
		struct msilat_select strategy;
		struct msilat_counters counters;
		struct msilat_mark mark;
		struct msilat_inject inject;
	};
};

/**
 * MSILAT_CTL - the control ioctl, on a VFIO device file descriptor
 *
 * Its number lies outside VFIO's own space (type ';'). A device bound to another driver answers
 * -ENOTTY, which is how a program tells the drivers apart.
 */
#define MSILAT_CTL	_IO(0xBE, 0x40)

/**
 * MSILAT_WAIT - the wait ioctl: sleeps until a vector is delivered
 *
 * For thread-direct and direct. The argument is a value, not a pointer: MSILAT_WAIT_ARG(). Takes
 * none of the locks of control, and copies nothing. Events that came before the call are returned
 * at once; catch-ups and loopback triggers count as events. A vector has one waiter.
 *
 * Returns the number of events since the last return, at least 1 (and at most INT_MAX, the rest is
 * kept), or -1 with errno:
 *
 * EINVAL: no such vector; or it is not armed, or its strategy in force does not wake by this ioctl.
 * EBUSY: another thread waits for the vector.
 * EINTR: a signal came. It is never restarted.
 * ECANCELED: the vector was disarmed or re-armed, or the device reset, while the caller waited or,
 *	if @generation is not 0, since that generation (and not EINVAL then). A reset makes old what
 *	is in force up to its end, until the next re-arm. Events that had arrived come first.
 * ENODEV: the driver is being unbound. This stays so until the device is closed. Events that had
 *	arrived are returned before the first ENODEV, whether the vector is armed or not.
 * EIO: from VFIO, as for any call: the device sleeps and cannot be woken.
 *
 * close() of the device in another thread does not end a wait: the call itself keeps the file open.
 * To end it from outside, send the thread a signal or the vector a loopback trigger
 * (VFIO_IRQ_SET_ACTION_TRIGGER with VFIO_IRQ_SET_DATA_NONE). Only the latter is free of races with
 * a thread that is about to wait.
 */
#define MSILAT_WAIT	_IO(0xBE, 0x41)

/**
 * MSILAT_WAIT_ARG() - argument of MSILAT_WAIT
 * @vector: vector number
 * @generation: msilat_query.generation or msilat_region.generation that the caller takes to be in
 *	force; 0: whichever is. A program of 32 bits can only pass 0: an argument is a pointer wide
 */
#define MSILAT_WAIT_ARG(vector, generation)	((__u64)(generation) << 32 | (__u32)(vector))

/* ---- the region ------------------------------------------------------------------------ */

/* VFIO_REGION_TYPE_PCI_VENDOR_TYPE with a vendor number the PCI-SIG has not given out. */
#define MSILAT_REGION_TYPE	((1u << 31) | 0xfffe)
#define MSILAT_REGION_SUBTYPE	1
#define MSILAT_REGION_MAGIC	0x4c534d31u	/* "1MSL" in memory */

/**
 * enum msilat_clock - what the stamps count
 * @MSILAT_CLOCK_TSC: x86 time-stamp counter.
 * @MSILAT_CLOCK_CNTVCT: arm64 virtual counter.
 */
enum msilat_clock {
	MSILAT_CLOCK_TSC = 1,
	MSILAT_CLOCK_CNTVCT = 2,
};

/**
 * struct msilat_region - header at offset 0 of the region
 * @magic: MSILAT_REGION_MAGIC.
 * @version: MSILAT_UAPI_VERSION.
 * @header_size: bytes of this header that are valid.
 * @vectors: number of vector blocks.
 * @vector_offset: offset of the block of vector 0 in the region.
 * @vector_stride: distance between blocks.
 * @ring_records: records in each ring, a power of two.
 * @isr_offset: offset of the isr ring in a block.
 * @delivery_offset: offset of the delivery ring in a block.
 * @clock: enum msilat_clock.
 * @generation: raised by each re-arm (strategy change, SET_IRQS).
 * @strategy: enum msilat_strategy in force since that re-arm.
 * @in_force: both, stored at once: who needs a pair that belongs together loads this (acquire).
 * @clock_hz: as in struct msilat_query.
 * @select_flags: MSILAT_SELECT_* of the latest selection, stored ahead of @in_force: may be younger
 *	than that while a selection goes on. MSILAT_OP_QUERY has all three as they belong together.
 * @mark_generation: raised whenever marks are disarmed by something else than MSILAT_OP_MARK.
 */
struct msilat_region {
	__u32 magic;
	__u32 version;
	__u32 header_size;
	__u32 vectors;
	__u32 vector_offset;
	__u32 vector_stride;
	__u32 ring_records;
	__u32 isr_offset;
	__u32 delivery_offset;
	__u32 clock;
	union {
		struct {
			__u32 generation;
			__u32 strategy;
		};
		__u64 in_force;
	};
	__u64 clock_hz;
	__u32 select_flags;
	__u32 mark_generation;
};

/**
 * struct msilat_vector - start of a vector block
 *
 * Each ring has one writer. The writer fills record number n (from 0) at index
 * n & (ring_records - 1) and then publishes by storing n + 1 to the ring's head with release
 * semantics. A reader loads the head with acquire semantics, copies a record, and accepts the copy
 * if the record's @seq is n + 1 before and after: a writer sets @seq to 0 before it overwrites a
 * record, so a torn copy is always noticed. A reader that was lapped finds a larger @seq.
 *
 * @isr_head: records ever written to the isr ring. Written in hard IRQ only.
 * @pad0: keeps the two writers on cache lines of their own.
 * @delivery_head: records ever written to the delivery ring. Written by the signalling context.
 * @pad1: as @pad0.
 * @page_events: for strategy page: events published since the device was opened, catch-ups and
 *	loopbacks included. A waiter spins on it with acquire loads; the difference from what it saw
 *	last is the number of events. The delivery record of an event is there before it counts.
 *	Other strategies leave it alone.
 * @pad2: as @pad0.
 */
struct msilat_vector {
	__u64 isr_head;
	__u64 pad0[7];
	__u64 delivery_head;
	__u64 pad1[7];
	__u64 page_events;
	__u64 pad2[7];
};

/**
 * struct msilat_isr - record of one hard-IRQ primary
 * @seq: record number + 1; 0 while being written.
 * @isr: stamp at handler entry.
 * @lock_state: enum msilat_lock_state that the hazard probe saw.
 * @flags: MSILAT_ISR_*.
 * @reserved: zero.
 */
struct msilat_isr {
	__u64 seq;
	__u64 isr;
	__u32 lock_state;
	__u32 flags;
	__u64 reserved;
};

#define MSILAT_ISR_RECURSION	(1u << 0)	/* interrupted task was inside eventfd code */

/**
 * struct msilat_delivery - record of one signal to the waiter
 * @seq: record number + 1; 0 while being written.
 * @thread: stamp at entry of the signalling thread; 0 where there is none.
 * @signal: stamp just before the waiter is woken. For a catch-up: the time of the re-arm; the wake
 *	follows later, and may follow that of younger records.
 * @first_isr: number of the first isr record this delivery consumed.
 * @last_isr: number of the last one. last - first is the ISR-to-thread merge. Both are ~0 where
 *	there is no primary of ours, and for a catch-up.
 * @flags: MSILAT_DELIVERY_*.
 * @reserved: zero.
 */
struct msilat_delivery {
	__u64 seq;
	__u64 thread;
	__u64 signal;
	__u64 first_isr;
	__u64 last_isr;
	__u32 flags;
	__u32 reserved[5];
};

#define MSILAT_DELIVERY_CATCHUP	 (1u << 0)	/* sent by a re-arm, not by an interrupt */
#define MSILAT_DELIVERY_WITHHELD (1u << 1)	/* fault injection kept the signal back */

#endif /* _UAPI_MSILAT_H */
