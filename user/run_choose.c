// SPDX-License-Identifier: GPL-2.0-only
/* What a run is made of, before anything is touched: what was asked for, completed and checked. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "run.h"

#define DEFAULT_LOOPS 10000

static int choose_backend(struct run *r, const char *target, struct reason *why)
{
	const struct device_ops *wanted = device_find(r->params.backend);
	struct pci_function fn;
	int ret;

	if (!strcmp(target, device_sim.name)) {
		r->sim = true;
		r->backend = &device_sim;
		if (wanted && wanted != &device_sim)
			return reason_set(why, -EINVAL, "--backend %s: the target is sim",
					  wanted->name);
		return 0;
	}
	ret = pci_resolve(r->bdf, target, why);
	if (!ret)
		ret = pci_read(&fn, r->bdf, why);
	if (ret)
		return ret;
	if (fn.caps_known && !fn.msi && !fn.msix)
		return reason_set(why, -ENOTSUP, "%s: has neither MSI nor MSI-X (msilat list)",
				  r->bdf);
	if (wanted && !wanted->matches)
		return reason_set(why, -EINVAL, "--backend %s drives no PCI function: run %s instead of %s",
				  wanted->name, wanted->name, r->bdf);
	r->backend = wanted ? wanted : device_best(&fn);
	if (!r->backend)
		return reason_set(why, -ENOTSUP,
				  "%s: no backend of this release can drive device %04x:%04x (msilat list)",
				  r->bdf, fn.vendor, fn.device);
	return 0;
}

/* The strategy must be one that the driver in place implements. */
static int check_driver(struct run *r, const struct pci_function *fn, struct reason *why)
{
	if (r->backend->needs_ours && !strategy_ours(r->strategy))
		return reason_set(why, -ENOTSUP,
				  "--strategy %s: backend %s raises the interrupts through our driver; use another strategy, after: msilat bind %s",
				  r->strategy->name, r->backend->name, r->bdf);
	if (strcmp(fn->driver, r->strategy->driver))
		return reason_set(why, -ENODEV,
				  "%s: strategy %s needs driver %s, but it is bound to %s; use: msilat bind --driver %s %s",
				  r->bdf, r->strategy->name, r->strategy->driver,
				  fn->driver[0] ? fn->driver : "none", r->strategy->driver, r->bdf);
	return 0;
}

static int choose_strategy(struct run *r, struct reason *why)
{
	const struct strategy *ours = strategy_find("thread");
	struct pci_function fn;
	int ret;

	r->strategy = strategy_find(r->params.strategy);
	if (r->sim) {
		if (!r->strategy)
			r->strategy = strategy_find("split");
		if (!strategy_ours(r->strategy))
			return reason_set(why, -EINVAL,
					  "--strategy %s: backend sim plays the strategies of %s only",
					  r->strategy->name, ours->driver);
		return 0;
	}
	ret = pci_read(&fn, r->bdf, why);
	if (ret)
		return ret;
	if (!r->strategy)
		r->strategy = r->backend->needs_ours || !strcmp(fn.driver, ours->driver) ?
			ours : strategy_find("stock");
	return check_driver(r, &fn, why);
}

/* The strategies that wake by something, for a message. */
static const char *strategies_that_wake(char *text, size_t size, enum strategy_wake wake)
{
	const struct strategy *s;
	unsigned int i;

	text[0] = '\0';
	for (i = 0; (s = strategy_at(i)); i++)
		if (s->wake == wake && strlen(text) + strlen(s->name) + 5 < size) {
			strcat(text, text[0] ? " or " : "");
			strcat(text, s->name);
		}
	return text;
}

/*
 * Every strategy reaches the eventfd one way or another; the other wakes are each strategy's own.
 * Where nobody waits on the eventfd its signal is left out, because it costs a thread hop.
 */
static int choose_wait(struct run *r, struct reason *why)
{
	const struct wait_ops *own = wait_default(r->strategy);
	char others[128];

	r->wait_ops = wait_find(r->params.wait);
	if (!r->wait_ops)
		r->wait_ops = own;
	if (r->wait_ops->wake != r->strategy->wake && r->wait_ops->wake != STRATEGY_WAKE_EVENTFD)
		return reason_set(why, -EINVAL,
				  "--wait %s: strategy %s does not wake it; use --wait %s, or --strategy %s",
				  r->wait_ops->name, r->strategy->name, own->name,
				  strategies_that_wake(others, sizeof(others), r->wait_ops->wake));
	if (r->wait_ops->wake == STRATEGY_WAKE_EVENTFD)
		r->eventfd_use = RUN_EVENTFD_WAIT;
	else
		r->eventfd_use = r->params.eventfd ? RUN_EVENTFD_BESIDE : RUN_EVENTFD_SILENT;
	return 0;
}

static int check_cpu(int64_t cpu, const char *option, bool for_thread, struct reason *why)
{
	struct cpulist online;
	char text[256];

	if (cpu < 0)
		return 0;
	cpulist_online(&online);
	cpulist_format(&online, text, sizeof(text));
	if (!cpulist_has(&online, (int)cpu))
		return reason_set(why, -EINVAL, "--%s %lld: that CPU is not online (online: %s)",
				  option, (long long)cpu, text);
	if (for_thread && !cpulist_usable((int)cpu))
		return reason_set(why, -EINVAL,
				  "--%s %lld: that CPU is outside this process's cpuset (cpuset.cpus.effective of its cgroup)",
				  option, (long long)cpu);
	return 0;
}

static int choose_cpus(struct run *r, struct reason *why)
{
	struct params *p = &r->params;
	struct cpulist list;
	int ret;

	ret = check_cpu(p->cpu, "affinity", true, why);
	if (!ret)
		ret = check_cpu(p->trigger_cpu, "trigger-cpu", true, why);
	if (!ret)
		ret = check_cpu(p->recorder_cpu, "recorder-cpu", true, why);
	if (!ret)
		ret = check_cpu(p->irq_cpu, "irq-cpu", false, why);
	if (ret)
		return ret;
	if (p->cpu < 0) {
		if (cpulist_allowed(&list))
			cpulist_online(&list);
		p->cpu = cpulist_last(&list);
	}
	r->inline_recorder = !r->scenario->poller_fires && p->recorder_cpu < 0 &&
			     (r->mode == LAB_EXACT || !run_others(r, &list));
	return 0;
}

static int choose_schedule(struct run *r, struct reason *why)
{
	struct params *p = &r->params;
	struct timespec now;

	if (!p->loops && !p->duration)
		p->loops = DEFAULT_LOOPS;
	if (p->jitter_us < 0)
		p->jitter_us = p->interval_us / 5;
	if (!p->seed) {
		clock_gettime(CLOCK_REALTIME, &now);
		p->seed = (int64_t)(((uint64_t)now.tv_sec * 1000000007ull ^ now.tv_nsec) >> 1) | 1;
	}
	/* A poller that fires several and waits once would take an old signal for a new event. */
	if ((r->scenario->timer || r->scenario->poller_fires) && p->burst > 1)
		return reason_set(why, -EINVAL, "--burst %lld: scenario %s fires one by one; use sync",
				  (long long)p->burst, r->scenario->name);
	return 0;
}

int run_choose(struct run *r, const char *target, struct reason *why)
{
	int ret;

	r->mode = lab_mode();
	r->scenario = scenario_find(r->params.scenario);
	ret = choose_backend(r, target, why);
	if (!ret)
		ret = choose_strategy(r, why);
	if (!ret)
		ret = choose_wait(r, why);
	if (!ret)
		ret = choose_cpus(r, why);
	if (!ret)
		ret = choose_schedule(r, why);
	return ret;
}
