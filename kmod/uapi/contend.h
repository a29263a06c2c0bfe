/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Interface of msilat-contend, the lab's contention module: /dev/msilat-contend.
 *
 * Each open of the device can run one contender: a kernel thread, bound to a CPU, that takes and
 * holds the wait-queue lock of an eventfd, as all users of the eventfd do, over and over. What it
 * may ask of the machine is bounded, see MSILAT_CONTEND_*_MAX. It stops when its time is over, when
 * its CPU goes offline, when it is told to, or when the file is closed.
 *
 * To open the device and to start a contender needs CAP_SYS_RAWIO.
 */
#ifndef _UAPI_MSILAT_CONTEND_H
#define _UAPI_MSILAT_CONTEND_H

#include <linux/ioctl.h>
#include <linux/types.h>

/**
 * enum msilat_contend_manner - what an interrupt finds while a contender is at work
 *
 * Named for the state of the lock that they are made to produce (enum msilat_lock_state). On the
 * CPU of the contender an interrupt finds the first one as "self": it has interrupted the owner.
 *
 * @MSILAT_CONTEND_RUNNING: the owner runs. It waits busily with the lock in its hands.
 * @MSILAT_CONTEND_NOT_RUNNING: the owner does not run. While it has the lock, a thread above it
 *	takes its CPU away. PREEMPT_RT only: elsewhere who holds a spinlock is not preempted.
 * @MSILAT_CONTEND_HANDOFF: there is no owner, but a waiter has been promised the lock. It cannot
 *	take it because the previous owner keeps the CPU both are bound to. PREEMPT_RT only.
 * @MSILAT_CONTEND_MANNERS: number of manners.
 */
enum msilat_contend_manner {
	MSILAT_CONTEND_RUNNING = 0,
	MSILAT_CONTEND_NOT_RUNNING = 1,
	MSILAT_CONTEND_HANDOFF = 2,
	MSILAT_CONTEND_MANNERS = 3,
};

/* Bounds. The pause is at least the hold time, so that the lock is free half of the time. */
#define MSILAT_CONTEND_HOLD_NS_MIN	1000
#define MSILAT_CONTEND_HOLD_NS_MAX	100000
#define MSILAT_CONTEND_PAUSE_NS_MAX	1000000000
#define MSILAT_CONTEND_PRIORITY_MAX	48	/* its second thread: 49, below IRQ threads */
#define MSILAT_CONTEND_DURATION_MS_MAX	3600000

/**
 * struct msilat_contend_start - argument of MSILAT_CONTEND_START
 * @argsz: size of the structure the caller passes.
 * @manners: bit mask (1 << enum msilat_contend_manner), taken in turns; at least one.
 * @eventfd: the eventfd. The contender keeps it alive.
 * @cpu: where the contender runs. A CPU has one at most. If it goes offline the contender stops.
 * @priority: SCHED_FIFO priority of the contender; a second thread, for all manners but the first,
 *	is one above.
 * @hold_ns: how long the lock is held. For MSILAT_CONTEND_HANDOFF: how long it stays promised.
 * @pause_ns: shortest time between two holds; the longest is twice that.
 * @duration_ms: after this it stops by itself.
 * @seed: of the pauses.
 * @reserved: zero.
 */
struct msilat_contend_start {
	__u32 argsz;
	__u32 manners;
	__s32 eventfd;
	__u32 cpu;
	__u32 priority;
	__u32 hold_ns;
	__u32 pause_ns;
	__u32 duration_ms;
	__u32 seed;
	__u32 reserved;
};

/**
 * struct msilat_contend_stats - argument of MSILAT_CONTEND_STATS, filled in
 * @argsz: in: size of the structure the caller passes.
 * @running: 1 while the contender works, 0 once it has stopped.
 * @holds: how often it has held the lock, by manner.
 * @reached: of these, how often the state wanted was reached, as far as the contender can tell: the
 *	second thread did run, or had to wait.
 * @hold_ns: sum of the times the lock was held, the contender's own absence included.
 * @hold_ns_max: the longest of them.
 * @wait_ns_max: the longest time the contender itself waited for the lock.
 */
struct msilat_contend_stats {
	__u32 argsz;
	__u32 running;
	__u64 holds[MSILAT_CONTEND_MANNERS];
	__u64 reached[MSILAT_CONTEND_MANNERS];
	__u64 hold_ns;
	__u64 hold_ns_max;
	__u64 wait_ns_max;
};

/**
 * MSILAT_CONTEND_START - start a contender; the argument is a struct msilat_contend_start
 *
 * EINVAL: a value out of its bounds, no such CPU or one that is not online, or not an eventfd.
 * EOPNOTSUPP: a manner that this kernel knows no state for.
 * EBUSY: this file, or another one on this CPU, has a contender that was not stopped.
 * EPERM: without CAP_SYS_RAWIO. EBADF, EFAULT, ENOMEM as usual.
 */
#define MSILAT_CONTEND_START	_IO(0xBE, 0x60)

/**
 * MSILAT_CONTEND_STOP - stop the contender of this file, if it has one; no argument
 *
 * Returns when its threads are gone. Its statistics can still be read.
 */
#define MSILAT_CONTEND_STOP	_IO(0xBE, 0x61)

/**
 * MSILAT_CONTEND_STATS - read statistics; the argument is a struct msilat_contend_stats
 *
 * EINVAL: the structure is too small. ENOENT: this file never had a contender.
 */
#define MSILAT_CONTEND_STATS	_IO(0xBE, 0x62)

#endif /* _UAPI_MSILAT_CONTEND_H */
