// SPDX-License-Identifier: GPL-2.0-only
/*
 * MSILAT_WAIT: the thread that wants the interrupt is woken by it, with nothing in between.
 *
 * A call takes none of the locks of control: it may sleep for ever. It claims the vector by writing
 * its task into an empty word, for rcuwait has room for one sleeper. Everything it touches lives
 * until the device is closed, and the call itself keeps the file open.
 *
 * Teardown (igate held) closes the wait, raises the epoch, wakes the sleeper and, before it frees
 * anything, waits until the call that it found has let go: none that began under the old order
 * survives it.
 *
 *	call				teardown
 *	claim = current			open = false
 *	(full barrier)			(barrier)
 *	load epoch			epoch++, wake
 *	(read barrier)			(full barrier)
 *	load open			load ends
 *	ends++				wait until !claim, or ends has changed
 *	claim = NULL
 *
 * A call that finds the wait open has loaded the old epoch, so it sees the change; one that loads
 * the new epoch finds the wait closed. When it drops the claim it wakes the drainer if the wait is
 * closed by then; a full barrier between the store and the load on both sides makes sure that one
 * of them sees the other. A call that finds the wait closed beforehand does not claim it, unless
 * there are events to take from it. Threads that do so in a loop cannot hold teardown up, however
 * the claim passes among them: once one has left whom teardown may have found, those that follow
 * have come to a wait that was closed, where nobody sleeps. (ends is the sum of two counters, so
 * that the way back of a call with events is no longer for it.)
 *
 * A reset only cancels: it raises the epoch without closing, and without a lock of control
 * (reset.c). vectors_lock keeps the vectors there while it and .request walk them: both come at any
 * time, for a device that is not open as well. It also orders resets and re-arms: a reset makes the
 * generation stale that it finds under the lock, and what has become stale stays so.
 */
#include <linux/kernel.h>
#include <linux/nospec.h>
#include <linux/sched.h>
#include <linux/spinlock.h>

#include "device.h"
#include "vector.h"
#include "wait.h"

/* Takes the events there are, as many as an int can tell; returns their number. Claim held. */
static long wait_take(struct msilat_wait *wait)
{
	s64 events;

	if (!atomic64_read(&wait->pending))
		return 0;
	events = atomic64_xchg(&wait->pending, 0);
	if (unlikely(events > INT_MAX)) {
		atomic64_add(events - INT_MAX, &wait->pending);
		events = INT_MAX;
	}
	WRITE_ONCE(wait->calls, wait->calls + 1);
	WRITE_ONCE(wait->events, wait->events + events);
	return events;
}

static bool wait_is_stale(const struct msilat_wait *wait, u32 generation)
{
	return generation && (s32)(generation - READ_ONCE(wait->stale)) <= 0;
}

/* From now on @generation is stale, and all before it are. vectors_lock held. */
static void wait_make_stale(struct msilat_wait *wait, u32 generation)
{
	if ((s32)(generation - wait->stale) > 0)
		WRITE_ONCE(wait->stale, generation);
}

/* What arrives from now on is for nobody. */
static long wait_end(struct msilat_wait *wait)
{
	WRITE_ONCE(wait->ended, true);
	return -ENODEV;
}

/*
 * Is it over for a caller who names this generation, open or not? He gets what had arrived before.
 * Who names none, or one that is not stale, is told of a wait that is closed that there is nothing
 * to wait for, and the events stay: they are for whoever arms the vector again. Nobody will when
 * the driver is being unbound.
 */
static bool wait_is_over(struct msilat_device *dev, const struct msilat_wait *wait, u32 generation)
{
	return wait_is_stale(wait, generation) || READ_ONCE(dev->gone);
}

/* The answer to a call that may not wait, once there is no event for it. */
static long wait_refusal(struct msilat_device *dev, struct msilat_wait *wait, u32 generation)
{
	if (READ_ONCE(dev->gone))
		return wait_end(wait);
	return wait_is_stale(wait, generation) ? -ECANCELED : -EINVAL;
}

/* With the wait claimed by the caller. */
static long wait_claimed(struct msilat_device *dev, struct msilat_wait *wait, u32 generation)
{
	int epoch = atomic_read(&wait->epoch);
	long events = 0, ret;
	bool open, over;

	smp_rmb(); /* epoch before open and stale, see above */
	open = smp_load_acquire(&wait->open); /* who finds it closed knows what is stale */
	over = wait_is_over(dev, wait, generation);
	if (likely(open) || over)
		events = wait_take(wait);
	if (events)
		return events;
	if (unlikely(!open || over)) {
		ret = wait_refusal(dev, wait, generation);
		goto in_vain;
	}

	ret = rcuwait_wait_event(&wait->sleeper, atomic64_read(&wait->pending) ||
				 atomic_read(&wait->epoch) != epoch || READ_ONCE(dev->gone),
				 TASK_INTERRUPTIBLE);
	events = wait_take(wait);
	if (likely(events))
		return events;
	if (READ_ONCE(dev->gone))
		ret = wait_end(wait);
	else if (atomic_read(&wait->epoch) != epoch)
		ret = -ECANCELED;

in_vain:
	WRITE_ONCE(wait->vain, wait->vain + 1);
	return ret;
}

/**
 * msilat_wait_ioctl() - MSILAT_WAIT
 * @dev: open device
 * @arg: MSILAT_WAIT_ARG()
 *
 * Process context, no lock held.
 *
 * Return: number of events, -EINVAL, -EBUSY, -EINTR, -ECANCELED or -ENODEV, see uapi/msilat.h.
 */
long msilat_wait_ioctl(struct msilat_device *dev, unsigned long arg)
{
	u32 vector = lower_32_bits(arg);
	u32 generation = upper_32_bits(arg);
	struct msilat_wait *wait;
	long ret;

	if (vector >= dev->nvec)
		return -EINVAL;
	wait = &dev->vectors[array_index_nospec(vector, dev->nvec)].wait;

	if (unlikely(READ_ONCE(wait->ended)))
		return -ENODEV;
	/* As in wait_claimed(). */
	if (unlikely(!smp_load_acquire(&wait->open)) &&
	    !(wait_is_over(dev, wait, generation) && atomic64_read(&wait->pending)))
		return wait_refusal(dev, wait, generation);
	if (cmpxchg(&wait->claim, NULL, current))
		return -EBUSY;

	ret = wait_claimed(dev, wait, generation);

	xchg(&wait->claim, NULL); /* a full barrier: before the load of open, see above */
	if (unlikely(!READ_ONCE(wait->open)))
		rcuwait_wake_up(&wait->drainer);
	return ret;
}

/* Makes what came before the device's generation stale. igate held. */
static void wait_outdate(struct msilat_device *dev, struct msilat_wait *wait)
{
	spin_lock(&dev->vectors_lock);
	wait_make_stale(wait, dev->generation - 1);
	spin_unlock(&dev->vectors_lock);
}

/**
 * msilat_wait_open() - lets calls in
 * @dev: open device
 * @wait: one of its, closed and drained
 *
 * For callers who name the device's generation or none. Process context, igate held.
 */
void msilat_wait_open(struct msilat_device *dev, struct msilat_wait *wait)
{
	wait_outdate(dev, wait);
	smp_store_release(&wait->open, true); /* pairs with the claim, a full barrier */
}

/**
 * msilat_wait_close() - cancels the call that waits and lets no other in
 * @dev: open device, its generation raised
 * @wait: one of its, open or not
 *
 * Process context, igate held. msilat_wait_drain() must follow before anything is freed.
 */
void msilat_wait_close(struct msilat_device *dev, struct msilat_wait *wait)
{
	wait_outdate(dev, wait);
	smp_store_release(&wait->open, false); /* stale before open, for wait_claimed() */
	smp_mb__before_atomic(); /* open before epoch, see above */
	atomic_inc(&wait->epoch);
	rcuwait_wake_up(&wait->sleeper);
}

/* Calls that had the claim, and have nothing left to do but to drop it. */
static u64 wait_ends(const struct msilat_wait *wait)
{
	return READ_ONCE(wait->calls) + READ_ONCE(wait->vain);
}

/**
 * msilat_wait_drain() - waits until a call that was cancelled has let go
 * @wait: wait, closed
 *
 * Process context, igate held, memory_lock not.
 */
void msilat_wait_drain(struct msilat_wait *wait)
{
	u64 ends = wait_ends(wait); /* behind the barrier of the wake-up, see above */

	rcuwait_wait_event(&wait->drainer, !READ_ONCE(wait->claim) || wait_ends(wait) != ends,
			   TASK_UNINTERRUPTIBLE);
}

/**
 * msilat_wait_cancel_all() - cancels the calls that wait, because the device is being reset
 * @dev: device, open or not
 *
 * Also those to come that take the present generation to be in force. Process context, any lock
 * held.
 */
void msilat_wait_cancel_all(struct msilat_device *dev)
{
	unsigned int i;

	spin_lock(&dev->vectors_lock);
	for (i = 0; i < dev->nvec; i++) {
		struct msilat_wait *wait = &dev->vectors[i].wait;

		wait_make_stale(wait, dev->generation);
		smp_mb__before_atomic(); /* who sees the epoch sees what is stale */
		atomic_inc(&wait->epoch);
		rcuwait_wake_up(&wait->sleeper);
	}
	spin_unlock(&dev->vectors_lock);
}

/**
 * msilat_wait_end_all() - ends all waits until the device is closed: it is to be given back
 * @dev: device, open or not
 *
 * Process context, any lock held.
 */
void msilat_wait_end_all(struct msilat_device *dev)
{
	unsigned int i;

	spin_lock(&dev->vectors_lock);
	WRITE_ONCE(dev->gone, true);
	for (i = 0; i < dev->nvec; i++)
		rcuwait_wake_up(&dev->vectors[i].wait.sleeper);
	spin_unlock(&dev->vectors_lock);
}
