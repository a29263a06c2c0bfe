// SPDX-License-Identifier: GPL-2.0-only
/*
 * MSILAT_WAIT: the thread that wants the interrupt is woken by it, with nothing in between.
 *
 * A call takes none of the locks of control: it may sleep for ever. It claims the vector by writing
 * its task into an empty word, for rcuwait has room for one sleeper. Everything it touches lives
 * until the device is closed, and the call itself keeps the file open.
 *
 * Teardown (igate held) closes the wait, raises the epoch, wakes the sleeper and, before it frees
 * anything, waits until the claim is gone: no call that began under the old order survives it.
 *
 *	call				teardown
 *	claim = current			open = false
 *	(full barrier)			(barrier)
 *	load epoch			epoch++, wake
 *	(read barrier)			(full barrier)
 *	load open			wait until !claim
 *
 * A call that finds the wait open has loaded the old epoch, so it sees the change; one that loads
 * the new epoch finds the wait closed. When it drops the claim it wakes the drainer if the wait is
 * closed by then; a full barrier between the store and the load on both sides makes sure that one
 * of them sees the other. A call that finds the wait closed beforehand does not claim it, unless
 * there are events to take from it, so threads that call in a loop cannot hold teardown up.
 *
 * A reset only cancels: it raises the epoch without closing, and without a lock of control
 * (reset.c). vectors_lock keeps the vectors there while it and .request walk them: both come at any
 * time, for a device that is not open as well.
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
	return generation && (s32)(generation - READ_ONCE(wait->generation)) < 0;
}

/* What arrives from now on is for nobody. */
static long wait_end(struct msilat_wait *wait)
{
	WRITE_ONCE(wait->ended, true);
	return -ENODEV;
}

/* Has a wait that is closed something for a caller who names this generation? */
static bool wait_has_rest(const struct msilat_wait *wait, u32 generation)
{
	return wait_is_stale(wait, generation) && atomic64_read(&wait->pending);
}

/*
 * The answer of a wait that is closed, or open for another generation only. Who says which
 * generation he takes to be in force lived through the change, and got what had arrived before it;
 * who does not is told that there is nothing to wait for, and the events stay.
 */
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
	bool open, stale;

	smp_rmb(); /* epoch before open, see above */
	open = smp_load_acquire(&wait->open); /* who finds it closed knows the generation */
	stale = wait_is_stale(wait, generation);
	if (likely(open) || stale)
		events = wait_take(wait);
	if (events)
		return events;
	if (unlikely(!open || stale))
		return wait_refusal(dev, wait, generation);

	ret = rcuwait_wait_event(&wait->sleeper, atomic64_read(&wait->pending) ||
				 atomic_read(&wait->epoch) != epoch || READ_ONCE(dev->gone),
				 TASK_INTERRUPTIBLE);
	events = wait_take(wait);
	if (likely(events))
		return events;
	if (READ_ONCE(dev->gone))
		return wait_end(wait);
	return atomic_read(&wait->epoch) != epoch ? -ECANCELED : ret;
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
	if (unlikely(!smp_load_acquire(&wait->open)) && !wait_has_rest(wait, generation))
		return wait_refusal(dev, wait, generation);
	if (cmpxchg(&wait->claim, NULL, current))
		return -EBUSY;

	ret = wait_claimed(dev, wait, generation);

	smp_store_mb(wait->claim, NULL); /* before the load of open: see above */
	if (unlikely(!READ_ONCE(wait->open)))
		rcuwait_wake_up(&wait->drainer);
	return ret;
}

/**
 * msilat_wait_open() - lets calls in
 * @wait: wait, closed and drained
 * @generation: generation of the re-arm that opens it
 *
 * Process context, igate held.
 */
void msilat_wait_open(struct msilat_wait *wait, u32 generation)
{
	WRITE_ONCE(wait->generation, generation);
	smp_store_release(&wait->open, true); /* pairs with the claim, a full barrier */
}

/**
 * msilat_wait_close() - cancels the call that waits and lets no other in
 * @wait: wait, open or not
 * @generation: generation of the change that closes it
 *
 * Process context, igate held. msilat_wait_drain() must follow before anything is freed.
 */
void msilat_wait_close(struct msilat_wait *wait, u32 generation)
{
	WRITE_ONCE(wait->generation, generation);
	smp_store_release(&wait->open, false); /* generation before open, for wait_claimed() */
	smp_mb__before_atomic(); /* open before epoch, see above */
	atomic_inc(&wait->epoch);
	rcuwait_wake_up(&wait->sleeper);
}

/**
 * msilat_wait_drain() - waits until a call that was cancelled has let go
 * @wait: wait, closed
 *
 * Process context, igate held, memory_lock not.
 */
void msilat_wait_drain(struct msilat_wait *wait)
{
	rcuwait_wait_event(&wait->drainer, !READ_ONCE(wait->claim), TASK_UNINTERRUPTIBLE);
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

		WRITE_ONCE(wait->generation, READ_ONCE(dev->generation) + 1);
		smp_mb__before_atomic(); /* who sees the epoch sees the generation */
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
