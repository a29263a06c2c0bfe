/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * MSILAT_WAIT: a vector's one waiter, woken without an eventfd.
 */
#ifndef _MSILAT_WAIT_H
#define _MSILAT_WAIT_H

#include <linux/atomic.h>
#include <linux/rcuwait.h>
#include <linux/types.h>

struct msilat_device;
struct task_struct;

/**
 * struct msilat_wait - where the waiter of one vector sleeps
 *
 * All zero is a wait that is closed and has seen no event. See wait.c for the protocol.
 *
 * @pending: events that no call has returned yet; kept while the wait is closed
 * @sleeper: the waiter while it sleeps
 * @claim: the thread that waits, from before it looks at anything else; NULL: nobody
 * @epoch: raised by whatever cancels a wait
 * @stale: calls that take this generation or an older one to be in force are cancelled; written
 *	under vectors_lock, and only ever raised
 * @open: the vector is armed, and its strategy wakes here
 * @ended: a call has been told that the device is to be given back; so are all that follow
 * @drainer: teardown, waiting for @claim to be dropped
 * @calls: calls that returned events; written by who holds @claim
 * @events: events that they returned; likewise
 * @vain: calls that held @claim and returned none; likewise
 */
struct msilat_wait {
	atomic64_t pending;
	struct rcuwait sleeper;
	struct task_struct *claim;
	atomic_t epoch;
	u32 stale;
	bool open;
	bool ended;
	struct rcuwait drainer;
	u64 calls;
	u64 events;
	u64 vain;
};

long msilat_wait_ioctl(struct msilat_device *dev, unsigned long arg);

void msilat_wait_open(struct msilat_device *dev, struct msilat_wait *wait);
void msilat_wait_close(struct msilat_device *dev, struct msilat_wait *wait);
void msilat_wait_drain(struct msilat_wait *wait);
void msilat_wait_cancel_all(struct msilat_device *dev);
void msilat_wait_end_all(struct msilat_device *dev);

/**
 * msilat_wait_post() - counts an event and wakes the waiter
 * @wait: wait; an event that nobody waits for is kept
 *
 * Takes no lock but the raw ones of a wake-up. Any context.
 */
static __always_inline void msilat_wait_post(struct msilat_wait *wait)
{
	atomic64_inc(&wait->pending);
	rcuwait_wake_up(&wait->sleeper); /* a full barrier, then looks for a sleeper */
}

#endif /* _MSILAT_WAIT_H */
