// SPDX-License-Identifier: GPL-2.0-only
/*
 * Where the interrupt and the thread that signals run, how the poller's priority relates to that
 * thread's, and whether a busy poller would keep what its event needs from running.
 */
#include <errno.h>
#include <stdio.h>

#include "irq.h"
#include "run.h"

/* Send the interrupt where it was asked for. */
static int place_irq(struct run *r, struct reason *why)
{
	const struct params *p = &r->params;
	int cpu, ret;

	r->irq_cpu = -1;
	r->irq = device_irq(&r->device);
	if (!r->irq)
		return 0;
	cpu = (int)(p->irq_cpu < 0 ? p->cpu : p->irq_cpu);
	ret = irq_route(&r->knobs, r->irq, cpu, why);
	/* The old CPU may stay effective until the first interrupt at the new one. */
	r->irq_cpu = ret ? irq_cpu(r->irq) : cpu;
	/* An ordinary user cannot route: an error only if it was asked for. */
	return p->irq_cpu >= 0 ? ret : 0;
}

/*
 * The thread that signals. Where the waiter is woken in hard IRQ it is the one that signals the
 * eventfd, if it is signalled too: it does not wake the waiter, but it competes with it.
 */
static enum strategy_thread kind_of_thread(const struct run *r)
{
	if (r->strategy->thread != STRATEGY_THREAD_NONE)
		return r->strategy->thread;
	if (r->strategy->wake != STRATEGY_WAKE_EVENTFD && r->eventfd_use != RUN_EVENTFD_SILENT)
		return STRATEGY_THREAD_IRQ;
	return STRATEGY_THREAD_NONE;
}

/* The driver knows its own threads from the start; others only once they have run. */
static pid_t told_by_driver(struct run *r)
{
	struct msilat_counters c;

	if (!r->device.delivery.ops ||
	    r->device.delivery.ops->counters(&r->device.delivery, (uint32_t)r->params.vector, &c))
		return 0;
	return (pid_t)c.thread;
}

static void find_thread(struct run *r)
{
	char name[32];

	r->irq_thread_kind = kind_of_thread(r);
	r->irq_thread = (struct sched_thread){ 0 };
	switch (r->irq_thread_kind) {
	case STRATEGY_THREAD_NONE:
		break;
	case STRATEGY_THREAD_IRQ:
		sched_find_irq_thread(&r->irq_thread, r->irq);
		break;
	case STRATEGY_THREAD_KTHREAD:
		sched_read_thread(&r->irq_thread, told_by_driver(r));
		break;
	case STRATEGY_THREAD_IRQ_WORK:
		/* One for each CPU: that of the CPU the interrupt will come to. */
		snprintf(name, sizeof(name), "irq_work/%d", r->irq_cpu);
		sched_find_thread(&r->irq_thread, name);
		break;
	}
}

static enum run_relation relation_of(const struct run *r)
{
	if (!r->irq_thread.tid || !r->params.priority)
		return RUN_NONE;
	if (r->params.priority < r->irq_thread.priority)
		return RUN_BELOW;
	return r->params.priority == r->irq_thread.priority ? RUN_EQUAL : RUN_ABOVE;
}

/*
 * Give the thread the priority that was asked for. An IRQ thread follows its interrupt from CPU to
 * CPU and an irq_work thread belongs to one; a kthread has to be sent after it.
 */
static int place_thread(struct run *r, struct reason *why)
{
	const struct params *p = &r->params;
	const char *kind = strategy_thread_name(r->irq_thread_kind);
	int ret;

	if (r->irq_thread_kind == STRATEGY_THREAD_KTHREAD && r->irq_thread.tid && r->irq_cpu >= 0) {
		ret = sched_send(r->irq_thread.tid, r->irq_cpu, kind, why);
		if (ret)
			return ret;
	}
	if (p->irq_priority <= 0)
		return 0;
	if (!r->irq_thread.tid)
		return reason_set(why, -ENOENT, "--irq-prio %lld: strategy %s has no thread here",
				  (long long)p->irq_priority, r->strategy->name);
	ret = sched_set_fifo(r->irq_thread.tid, (int)p->irq_priority, kind, why);
	if (ret)
		return ret;
	/* The other threads go with the vector; this one stays, and it is not ours alone. */
	if (r->irq_thread_kind == STRATEGY_THREAD_IRQ_WORK)
		r->irq_thread_was = r->irq_thread;
	r->irq_thread.priority = (int)p->irq_priority;
	return 0;
}

void run_unplace(struct run *r)
{
	if (r->irq_thread_was.tid)
		sched_set_fifo(r->irq_thread_was.tid, r->irq_thread_was.priority, "", NULL);
	r->irq_thread_was.tid = 0;
}

/*
 * A busy poller that no thread its event needs can displace waits for ever. On 7.3 nothing helps:
 * sched_rt_runtime_us equals the period and the deadline server feeds SCHED_OTHER threads only.
 */
static int check_busy(struct run *r, struct reason *why)
{
	const struct params *p = &r->params;
	bool needed = r->strategy->thread != STRATEGY_THREAD_NONE ||
		      r->wait_ops->wake != r->strategy->wake;
	struct cpulist others;
	bool alone;

	if (!r->wait_ops->busy || !p->priority)
		return 0;
	alone = !run_others(r, &others);
	if (!r->scenario->poller_fires && p->trigger_priority <= p->priority &&
	    (p->trigger_cpu < 0 ? alone : p->trigger_cpu == p->cpu))
		return reason_set(why, -EDEADLK,
				  "--wait %s: the thread that fires shares CPU %lld with a poller of higher or equal priority and would never run; use --scenario self or another --trigger-cpu",
				  r->wait_ops->name, (long long)p->cpu);
	if (r->sim && alone)
		return reason_set(why, -EDEADLK, "--wait %s: backend sim needs a second CPU or -p 0",
				  r->wait_ops->name);
	if (needed && r->irq_thread.tid && (r->irq_cpu < 0 || r->irq_cpu == p->cpu) &&
	    p->priority >= r->irq_thread.priority)
		return reason_set(why, -EDEADLK,
				  "--wait %s: the %s (priority %d) shares CPU %lld with a poller of priority %lld and would never run; use -p %d, --irq-prio or another --irq-cpu",
				  r->wait_ops->name, strategy_thread_name(r->irq_thread_kind),
				  r->irq_thread.priority, (long long)p->cpu, (long long)p->priority,
				  r->irq_thread.priority > 1 ? r->irq_thread.priority - 1 : 0);
	return 0;
}

int run_place(struct run *r, struct reason *why)
{
	int ret;

	ret = place_irq(r, why);
	if (ret)
		return ret;
	find_thread(r);
	ret = place_thread(r, why);
	if (ret)
		return ret;
	r->relation = relation_of(r);
	ret = check_busy(r, why);
	if (ret)
		run_unplace(r);
	return ret;
}
