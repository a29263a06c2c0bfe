// SPDX-License-Identifier: GPL-2.0-only
/*
 * A contender has two threads, both SCHED_FIFO and bound to one CPU.
 *
 * The holder takes the lock the way eventfd does, holds it in one of several manners, lets go and
 * pauses. The rival is one priority above it and idle until the holder, lock in hand, wakes it. It
 * then preempts the holder at once, and either keeps the CPU for a while (the owner of the lock
 * does not run) or asks for the lock itself (there is a waiter, whom the lock is handed to).
 * Nothing is left to chance or to the load, and no thread ever sleeps of its own will with the
 * lock: that would be a bug in its own right.
 *
 * All waiting with the lock in hand, or with preemption off, is busy and bounded: in time by the
 * clock, and should that fail by the number of steps.
 */
#include <linux/cpu.h>
#include <linux/cpumask.h>
#include <linux/delay.h>
#include <linux/err.h>
#include <linux/eventfd.h>
#include <linux/file.h>
#include <linux/hrtimer.h>
#include <linux/kthread.h>
#include <linux/ktime.h>
#include <linux/math.h>
#include <linux/prandom.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/topology.h>
#include <uapi/linux/sched/types.h>

#include "../wqh.h"
#include "contender.h"

#define CONTENDER_STEP_NS	1000

/* What the holder asks of the rival. */
enum contender_request {
	CONTENDER_NOTHING,
	CONTENDER_PREEMPT,
	CONTENDER_LOCK,
};

/**
 * struct contender - a contender
 *
 * @start: what was asked for
 * @ctx: the eventfd; keeps @wqh alive
 * @wqh: its wait queue
 * @holder: thread that holds the lock
 * @rival: thread above it
 * @request: enum contender_request; set by the holder, back to nothing by the rival when it is done
 * @rival_ran: the rival has begun with the request
 * @rival_locked: the rival has got the lock
 * @random: of the pauses; the holder's
 * @stopped: threads are gone; guarded by the caller's lock
 * @running: the holder's time is not over
 * @stats: written by the holder
 */
struct contender {
	struct msilat_contend_start start;
	struct eventfd_ctx *ctx;
	wait_queue_head_t *wqh;
	struct task_struct *holder;
	struct task_struct *rival;
	int request;
	bool rival_ran;
	bool rival_locked;
	struct rnd_state random;
	bool stopped;
	bool running;
	struct msilat_contend_stats stats;
};

/**
 * struct contender_manner - how the lock is held
 *
 * @name: for the log
 * @rt_only: it needs a lock whose owner can be preempted
 * @hold: called with the lock held
 * @linger: called when it has been let go, NULL for nothing; undoes what @hold has left
 *
 * The last of the two that there is returns whether the state wanted was reached.
 */
struct contender_manner {
	const char *name;
	bool rt_only;
	bool (*hold)(struct contender *c);
	bool (*linger)(struct contender *c);
};

/* One contender for each CPU, or the bounds of one would not be those of a CPU. */
static struct cpumask contender_cpus;

static void contender_busy(u32 ns)
{
	u64 end = ktime_get_ns() + ns;
	u32 steps;

	for (steps = DIV_ROUND_UP(ns, CONTENDER_STEP_NS); steps && ktime_get_ns() < end; steps--)
		ndelay(CONTENDER_STEP_NS);
}

/*
 * Wakes the rival, who preempts the caller before this returns, unless a waiter of higher priority
 * has lent the caller its own. Returns whether it did. The lock is held.
 */
static bool contender_challenge(struct contender *c, enum contender_request request)
{
	/* Still waiting for the lock since last time: others were faster. */
	if (READ_ONCE(c->request) != CONTENDER_NOTHING)
		return false;

	WRITE_ONCE(c->rival_ran, false);
	WRITE_ONCE(c->rival_locked, false);
	WRITE_ONCE(c->request, request);
	wake_up_process(c->rival);
	return READ_ONCE(c->rival_ran);
}

static bool contender_hold_running(struct contender *c)
{
	contender_busy(c->start.hold_ns);
	return true;
}

static bool contender_hold_preempted(struct contender *c)
{
	return contender_challenge(c, CONTENDER_PREEMPT);
}

/* The rival waits for the lock when this returns, and cannot run when it gets it. */
static bool contender_hold_promised(struct contender *c)
{
	bool waits = contender_challenge(c, CONTENDER_LOCK);

	preempt_disable();
	return waits;
}

static bool contender_linger_promised(struct contender *c)
{
	bool promised;

	contender_busy(c->start.hold_ns);
	promised = READ_ONCE(c->rival_ran) && !READ_ONCE(c->rival_locked);
	preempt_enable();
	return promised;
}

static const struct contender_manner contender_manners[MSILAT_CONTEND_MANNERS] = {
	[MSILAT_CONTEND_RUNNING] = {
		.name = "running",
		.hold = contender_hold_running,
	},
	[MSILAT_CONTEND_NOT_RUNNING] = {
		.name = "not-running",
		.rt_only = true,
		.hold = contender_hold_preempted,
	},
	[MSILAT_CONTEND_HANDOFF] = {
		.name = "handoff",
		.rt_only = true,
		.hold = contender_hold_promised,
		.linger = contender_linger_promised,
	},
};

static void contender_count(struct contender *c, int manner, bool reached, u64 waited, u64 held)
{
	struct msilat_contend_stats *stats = &c->stats;

	WRITE_ONCE(stats->holds[manner], stats->holds[manner] + 1);
	WRITE_ONCE(stats->reached[manner], stats->reached[manner] + reached);
	WRITE_ONCE(stats->hold_ns, stats->hold_ns + held);
	WRITE_ONCE(stats->hold_ns_max, max(stats->hold_ns_max, held));
	WRITE_ONCE(stats->wait_ns_max, max(stats->wait_ns_max, waited));
}

static void contender_round(struct contender *c, int manner)
{
	const struct contender_manner *m = &contender_manners[manner];
	u64 asked, taken, left;
	unsigned long flags;
	bool reached;

	asked = ktime_get_ns();
	spin_lock_irqsave(&c->wqh->lock, flags);
	taken = ktime_get_ns();
	reached = m->hold(c);
	left = ktime_get_ns();
	spin_unlock_irqrestore(&c->wqh->lock, flags);
	if (m->linger)
		reached = m->linger(c);

	contender_count(c, manner, reached, taken - asked, left - taken);
}

/* The next of the manners asked for. */
static int contender_next(const struct contender *c, int manner)
{
	do {
		manner = (manner + 1) % MSILAT_CONTEND_MANNERS;
	} while (!(c->start.manners & BIT(manner)));
	return manner;
}

/* At least pause_ns, less than twice that: a fixed period could fall into step with the events. */
static void contender_pause(struct contender *c)
{
	u32 ns = c->start.pause_ns;
	ktime_t pause = ns_to_ktime((u64)ns + prandom_u32_state(&c->random) % ns);

	set_current_state(TASK_IDLE);
	if (!kthread_should_stop())
		schedule_hrtimeout_range(&pause, 0, HRTIMER_MODE_REL);
	__set_current_state(TASK_RUNNING);
}

static void contender_park(void)
{
	for (;;) {
		set_current_state(TASK_IDLE);
		if (kthread_should_stop())
			break;
		schedule();
	}
	__set_current_state(TASK_RUNNING);
}

static void contender_report(const struct contender *c)
{
	int i;

	for (i = 0; i < MSILAT_CONTEND_MANNERS; i++) {
		if (c->stats.holds[i])
			pr_info("CPU %u: held %s %llu times, %llu as wanted\n", c->start.cpu,
				contender_manners[i].name, c->stats.holds[i], c->stats.reached[i]);
	}
	pr_info("CPU %u: stops; longest hold %llu ns, longest wait %llu ns\n", c->start.cpu,
		c->stats.hold_ns_max, c->stats.wait_ns_max);
}

/*
 * The kernel moves the threads of a CPU that goes offline to another, which may have a contender of
 * its own, and from where the rival does not preempt. The round in which that happens is the last.
 */
static bool contender_is_home(const struct contender *c)
{
	return task_cpu(current) == c->start.cpu;
}

static int contender_holder(void *arg)
{
	struct contender *c = arg;
	u64 end = ktime_get_ns() + c->start.duration_ms * (u64)NSEC_PER_MSEC;
	int manner = MSILAT_CONTEND_MANNERS - 1;

	while (!kthread_should_stop() && ktime_get_ns() < end && contender_is_home(c)) {
		manner = contender_next(c, manner);
		contender_round(c, manner);
		contender_pause(c);
	}
	WRITE_ONCE(c->running, false);
	contender_report(c);
	contender_park();
	return 0;
}

static void contender_serve(struct contender *c)
{
	unsigned long flags;

	WRITE_ONCE(c->rival_ran, true);
	if (READ_ONCE(c->request) == CONTENDER_PREEMPT) {
		contender_busy(c->start.hold_ns);
	} else {
		spin_lock_irqsave(&c->wqh->lock, flags);
		WRITE_ONCE(c->rival_locked, true);
		spin_unlock_irqrestore(&c->wqh->lock, flags);
	}
	WRITE_ONCE(c->request, CONTENDER_NOTHING);
}

static int contender_rival(void *arg)
{
	struct contender *c = arg;

	for (;;) {
		set_current_state(TASK_IDLE);
		if (READ_ONCE(c->request) != CONTENDER_NOTHING) {
			__set_current_state(TASK_RUNNING);
			contender_serve(c);
			continue;
		}
		if (kthread_should_stop())
			break;
		schedule();
	}
	__set_current_state(TASK_RUNNING);
	return 0;
}

/* --- starting and stopping ------------------------------------------------------------------- */

static int contender_check(const struct msilat_contend_start *s)
{
	int i;

	if (!s->manners || s->manners >= BIT(MSILAT_CONTEND_MANNERS))
		return -EINVAL;
	if (s->hold_ns < MSILAT_CONTEND_HOLD_NS_MIN || s->hold_ns > MSILAT_CONTEND_HOLD_NS_MAX)
		return -EINVAL;
	if (s->pause_ns < s->hold_ns || s->pause_ns > MSILAT_CONTEND_PAUSE_NS_MAX)
		return -EINVAL;
	if (!s->priority || s->priority > MSILAT_CONTEND_PRIORITY_MAX)
		return -EINVAL;
	if (!s->duration_ms || s->duration_ms > MSILAT_CONTEND_DURATION_MS_MAX)
		return -EINVAL;

	for (i = 0; i < MSILAT_CONTEND_MANNERS; i++) {
		if (s->manners & BIT(i) && contender_manners[i].rt_only &&
		    !IS_ENABLED(CONFIG_PREEMPT_RT))
			return -EOPNOTSUPP;
	}
	return 0;
}

static int contender_get_eventfd(struct contender *c)
{
	struct file *file = eventfd_fget(c->start.eventfd);

	if (IS_ERR(file))
		return PTR_ERR(file);

	c->wqh = msilat_wqh_of(file);
	c->ctx = eventfd_ctx_fileget(file);
	fput(file);
	if (IS_ERR(c->ctx))
		return PTR_ERR(c->ctx);
	if (!c->wqh) {
		eventfd_ctx_put(c->ctx);
		return -EINVAL;
	}
	return 0;
}

/* A thread that is not running yet. CPU hotplug is locked out. */
static struct task_struct *contender_thread(struct contender *c, int (*fn)(void *),
					    const char *role, u32 priority)
{
	struct sched_attr attr = {
		.size = sizeof(attr),
		.sched_policy = SCHED_FIFO,
		.sched_priority = priority,
	};
	struct task_struct *task;
	int ret;

	task = kthread_create_on_node(fn, c, cpu_to_node(c->start.cpu), "contend-%s/%u", role,
				      c->start.cpu);
	if (IS_ERR(task))
		return task;

	kthread_bind(task, c->start.cpu);
	ret = sched_setattr_nocheck(task, &attr);
	if (ret) {
		kthread_stop(task);
		return ERR_PTR(ret);
	}
	return task;
}

/* CPU hotplug is locked out. */
static int contender_create_threads(struct contender *c)
{
	c->rival = contender_thread(c, contender_rival, "2", c->start.priority + 1);
	if (IS_ERR(c->rival))
		return PTR_ERR(c->rival);

	c->holder = contender_thread(c, contender_holder, "1", c->start.priority);
	if (IS_ERR(c->holder)) {
		kthread_stop(c->rival);
		return PTR_ERR(c->holder);
	}
	return 0;
}

static int contender_launch(struct contender *c)
{
	unsigned int cpu = c->start.cpu;
	int ret = -EINVAL;

	cpus_read_lock();
	if (cpu >= nr_cpu_ids || !cpu_online(cpu))
		goto unlock_cpus;

	ret = -EBUSY;
	if (cpumask_test_and_set_cpu(cpu, &contender_cpus))
		goto unlock_cpus;

	ret = contender_create_threads(c);
	if (ret)
		goto clear_cpu;
	c->running = true;
	wake_up_process(c->rival);
	wake_up_process(c->holder);
	goto unlock_cpus;

clear_cpu:
	cpumask_clear_cpu(cpu, &contender_cpus);
unlock_cpus:
	cpus_read_unlock();
	return ret;
}

/**
 * contender_start() - starts a contender
 * @start: what is asked for; checked here but for the size
 *
 * Process context.
 *
 * Return: the contender, to be freed with contender_free(); or an error pointer, as documented with
 * MSILAT_CONTEND_START.
 */
struct contender *contender_start(const struct msilat_contend_start *start)
{
	struct contender *c;
	int ret;

	ret = contender_check(start);
	if (ret)
		return ERR_PTR(ret);

	c = kzalloc(sizeof(*c), GFP_KERNEL_ACCOUNT);
	if (!c)
		return ERR_PTR(-ENOMEM);

	c->start = *start;
	prandom_seed_state(&c->random, start->seed);
	ret = contender_get_eventfd(c);
	if (ret)
		goto free_contender;
	ret = contender_launch(c);
	if (ret)
		goto put_eventfd;

	pr_info("CPU %u: %s[%d] starts: FIFO %u, manners %#x, hold %u ns, pause from %u ns, for %u ms, seed %u\n",
		start->cpu, current->comm, task_pid_nr(current), start->priority, start->manners,
		start->hold_ns, start->pause_ns, start->duration_ms, start->seed);
	return c;

put_eventfd:
	eventfd_ctx_put(c->ctx);
free_contender:
	kfree(c);
	return ERR_PTR(ret);
}

/**
 * contender_stop() - stops a contender, if that has not been done
 * @c: contender
 *
 * Its threads are gone when this returns, and its CPU is free for another one. Calls for the same
 * contender must not be made at once. Process context.
 */
void contender_stop(struct contender *c)
{
	if (c->stopped)
		return;

	/* In this order: the holder may still have a request for the rival. */
	kthread_stop(c->holder);
	kthread_stop(c->rival);
	cpumask_clear_cpu(c->start.cpu, &contender_cpus);
	c->stopped = true;
}

/**
 * contender_free() - stops and frees a contender
 * @c: contender
 *
 * Process context.
 */
void contender_free(struct contender *c)
{
	contender_stop(c);
	eventfd_ctx_put(c->ctx);
	kfree(c);
}

/**
 * contender_is_stopped() - has contender_stop() been called?
 * @c: contender
 *
 * Return: true if it has. One whose time is over keeps its place until then.
 */
bool contender_is_stopped(const struct contender *c)
{
	return c->stopped;
}

/**
 * contender_stats() - reads the statistics of a contender
 * @c: contender, running or not
 * @stats: all but argsz is filled in; of a running one the values may be apart by a round
 */
void contender_stats(const struct contender *c, struct msilat_contend_stats *stats)
{
	int i;

	stats->running = READ_ONCE(c->running);
	for (i = 0; i < MSILAT_CONTEND_MANNERS; i++) {
		stats->holds[i] = READ_ONCE(c->stats.holds[i]);
		stats->reached[i] = READ_ONCE(c->stats.reached[i]);
	}
	stats->hold_ns = READ_ONCE(c->stats.hold_ns);
	stats->hold_ns_max = READ_ONCE(c->stats.hold_ns_max);
	stats->wait_ns_max = READ_ONCE(c->stats.wait_ns_max);
}
