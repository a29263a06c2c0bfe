// SPDX-License-Identifier: GPL-2.0-only
/* What comes before a run: checks, device, interrupt, clock. Also what comes after: release. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

#include "irq.h"
#include "run.h"
#include "samples.h"

#define RING_RECORDS 32768
#define CALIBRATION_NS 20000000
#define DRIFT_PPM 500		/* between the calibration before and on the run */
#define DEFAULT_LOOPS 10000
#define EXACT_HZ 1e9		/* -icount shift=0: one instruction is one nanosecond */
#define EXACT_ERROR 1e-3

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
static int choose_strategy(struct run *r, struct reason *why)
{
	struct pci_function fn;
	bool ours;
	int ret;

	r->strategy = strategy_find(r->params.strategy);
	if (r->sim) {
		if (!r->strategy)
			r->strategy = strategy_find("split");
		if (!r->strategy->primary)
			return reason_set(why, -EINVAL,
					  "--strategy %s: backend sim plays split and nothread",
					  r->strategy->name);
		return 0;
	}
	ret = pci_read(&fn, r->bdf, why);
	if (ret)
		return ret;
	ours = !strcmp(fn.driver, strategy_find("thread")->driver);
	if (!r->strategy)
		r->strategy = strategy_find(ours ? "thread" : "stock");
	if (strcmp(fn.driver, r->strategy->driver))
		return reason_set(why, -ENODEV,
				  "%s: strategy %s needs driver %s, but it is bound to %s; use: msilat bind --driver %s %s",
				  r->bdf, r->strategy->name, r->strategy->driver,
				  fn.driver[0] ? fn.driver : "none", r->strategy->driver, r->bdf);
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

/*
 * A busy poller that no thread its event needs can displace waits for ever. On 7.3 nothing helps:
 * sched_rt_runtime_us equals the period and the deadline server feeds SCHED_OTHER threads only.
 */
static int check_spin(struct run *r, struct reason *why)
{
	const struct params *p = &r->params;
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
	if (r->irq_thread.tid && r->irq_cpu == p->cpu && p->priority >= r->irq_thread.priority)
		return reason_set(why, -EDEADLK,
				  "--wait %s: the IRQ thread (priority %d) shares CPU %lld with a poller of priority %lld and would never run; use -p %d, --irq-prio or another --irq-cpu",
				  r->wait_ops->name, r->irq_thread.priority, (long long)p->cpu,
				  (long long)p->priority,
				  r->irq_thread.priority > 1 ? r->irq_thread.priority - 1 : 0);
	return 0;
}

static enum run_relation relation_of(const struct run *r)
{
	if (!r->irq_thread.tid || !r->params.priority)
		return RUN_NONE;
	if (r->params.priority < r->irq_thread.priority)
		return RUN_BELOW;
	return r->params.priority == r->irq_thread.priority ? RUN_EQUAL : RUN_ABOVE;
}

/* Put the interrupt where it was asked for and find its thread. */
static int place_irq(struct run *r, struct reason *why)
{
	struct params *p = &r->params;
	int cpu, ret;

	r->irq = device_irq(&r->device);
	if (r->irq) {
		cpu = (int)(p->irq_cpu < 0 ? p->cpu : p->irq_cpu);
		ret = irq_route(&r->knobs, r->irq, cpu, why);
		/* The old CPU may stay effective until the first interrupt at the new one. */
		r->irq_cpu = ret ? irq_cpu(r->irq) : cpu;
		/* An ordinary user cannot route: an error only if it was asked for. */
		if (ret && p->irq_cpu >= 0)
			return ret;
	} else {
		r->irq_cpu = -1;
	}
	ret = sched_find_irq_thread(&r->irq_thread, r->irq);
	if (p->irq_priority > 0) {
		if (ret)
			return reason_set(why, -ENOENT,
					  "--irq-prio %lld: strategy %s has no IRQ thread here",
					  (long long)p->irq_priority, r->strategy->name);
		ret = sched_set_fifo(r->irq_thread.tid, (int)p->irq_priority, "the IRQ thread",
				     why);
		if (ret)
			return ret;
		r->irq_thread.priority = (int)p->irq_priority;
	}
	r->relation = relation_of(r);
	return 0;
}

static int start_clock(struct run *r, struct reason *why)
{
	struct timespec pause = { .tv_nsec = CALIBRATION_NS };
	int ret;

	clock_check(&r->health);
	clock_sample(&r->first);
	nanosleep(&pause, NULL);
	clock_sample(&r->last);
	ret = clock_calibrate(&r->first_rate, &r->first, &r->last);
	r->rate = r->first_rate;
	if (ret)
		return reason_set(why, ret, "the cycle counter stood still for %d ms: unusable",
				  CALIBRATION_NS / 1000000);
	if (r->mode == LAB_EXACT && fabs(r->rate.hz / EXACT_HZ - 1) > EXACT_ERROR)
		return reason_set(why, -ERANGE,
				  "exact mode: the cycle counter runs at %.0f Hz instead of one cycle per instruction (1 GHz)",
				  r->rate.hz);
	return 0;
}

void run_calibrate(struct run *r)
{
	struct clock_rate now;
	double bound;

	if (clock_calibrate(&now, &r->first, &r->last)) {
		r->health.stable = false;
		strcpy(r->health.text, "the cycle counter went backwards during the run");
		return;
	}
	bound = r->first_rate.error_ppm + now.error_ppm + DRIFT_PPM;
	now.drift_ppm = (now.hz / r->first_rate.hz - 1) * 1e6;
	if (fabs(now.drift_ppm) > bound) {
		r->health.stable = false;
		snprintf(r->health.text, sizeof(r->health.text),
			 "the cycle counter changed its rate by %.0f ppm during the run",
			 now.drift_ppm);
	}
	/* A run of a few ms is no better a baseline than the calibration before it. */
	if (now.error_ppm > r->first_rate.error_ppm) {
		now.hz = r->first_rate.hz;
		now.error_ppm = r->first_rate.error_ppm;
	}
	r->rate = now;
}

/* Stamps that this device, strategy and wait mode have. */
static unsigned int stamps(const struct run *r)
{
	unsigned int present = 1u << STAMP_USER;

	if (r->device.caps.sent)
		present |= 1u << STAMP_SENT;
	if (r->device.delivery.region) {
		present |= 1u << STAMP_SIGNAL;
		if (r->strategy->primary || r->sim)
			present |= 1u << STAMP_ISR;
		if (r->strategy->thread)
			present |= 1u << STAMP_THREAD;
	}
	if (r->wait_ops->two_calls)
		present |= 1u << STAMP_DONE;
	return present;
}

static int open_device(struct run *r, struct reason *why)
{
	const struct device_config cfg = {
		.bdf = r->sim ? NULL : r->bdf,
		.vector = (uint32_t)r->params.vector,
		.mode = r->mode,
		.sim = r->params.sim,
	};
	int ret;

	ret = device_open(&r->device, r->backend, &cfg, why);
	if (ret)
		return ret;
	if (r->scenario->timer && !r->device.caps.timer)
		ret = reason_set(why, -ENOTSUP, "--scenario %s: %s", r->scenario->name,
				 r->device.caps.no_timer);
	if (!ret && r->device.delivery.ops)
		ret = r->device.delivery.ops->select(&r->device.delivery, r->strategy, why);
	if (ret)
		device_close(&r->device);
	return ret;
}

static int open_eventfds(struct run *r, struct reason *why)
{
	r->eventfd = eventfd(0, EFD_CLOEXEC);
	r->done = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (r->eventfd < 0 || r->done < 0)
		return reason_set(why, -errno, "eventfd: %s", strerror(errno));
	return 0;
}

static void close_eventfds(struct run *r)
{
	if (r->eventfd >= 0)
		close(r->eventfd);
	if (r->done >= 0)
		close(r->done);
}

/* Arm the vector, settle, and note where every counter stands. */
static int arm(struct run *r, struct reason *why)
{
	int ret;

	ret = device_arm(&r->device, r->eventfd, why);
	if (ret)
		return ret;
	ret = place_irq(r, why);
	if (!ret)
		ret = check_spin(r, why);
	if (!ret)
		ret = wait_open(&r->poller.wait, r->wait_ops, r->eventfd, &r->poller.stop, why);
	if (ret) {
		device_disarm(&r->device);
		return ret;
	}
	if (r->device.delivery.ops)
		r->device.delivery.ops->counters(&r->device.delivery, (uint32_t)r->params.vector,
						 &r->before);
	r->irqs_before = irq_count(r->irq);
	return 0;
}

static int start_recording(struct run *r, struct reason *why)
{
	int ret;

	recorder_init(&r->recorder, &r->ring, &r->device.delivery, (uint32_t)r->params.vector,
		      stamps(r));
	if (!r->params.samples)
		return 0;
	r->recorder.file = result_stream(&r->result, "samples.bin", why);
	if (!r->recorder.file)
		return -EIO;
	ret = samples_begin(r->recorder.file, r->rate.hz);
	if (ret)
		reason_set(why, ret, "samples.bin: %s", strerror(-ret));
	return ret;
}

static int choose(struct run *r, const char *target, struct reason *why)
{
	int ret;

	r->mode = lab_mode();
	r->scenario = scenario_find(r->params.scenario);
	r->wait_ops = wait_find(r->params.wait);
	ret = choose_backend(r, target, why);
	if (!ret)
		ret = choose_strategy(r, why);
	if (!ret)
		ret = choose_cpus(r, why);
	if (!ret)
		ret = choose_schedule(r, why);
	if (!ret)
		ret = start_clock(r, why);
	return ret;
}

int run_prepare(struct run *r, const char *target, struct reason *why)
{
	int ret;

	ret = choose(r, target, why);
	if (ret)
		return ret;
	ret = result_open(&r->result, r->params.results, r->params.label, r->strategy->name, why);
	if (ret)
		return ret;
	/* Before anything that will be written to on the measured path: fork() shares all pages. */
	if (r->scenario->busy) {
		ret = scenario_compute(&r->busy, (int)r->params.cpu, why);
		if (ret)
			goto abandon_result;
	}
	ret = ring_init(&r->ring, RING_RECORDS);
	if (ret)
		goto rest;
	ret = open_eventfds(r, why);
	if (ret)
		goto close_eventfds;
	ret = r->sim ? 0 : knobs_init(&r->knobs, why);
	if (ret)
		goto close_eventfds;
	ret = open_device(r, why);
	if (ret)
		goto restore_knobs;
	ret = arm(r, why);
	if (ret)
		goto close_device;
	ret = start_recording(r, why);
	if (ret)
		goto disarm;
	r->memory_locked = !sched_lock_memory();
	clock_gettime(CLOCK_REALTIME, &r->started);
	clock_sample(&r->first);
	return 0;

disarm:
	if (r->recorder.file)
		fclose(r->recorder.file);
	wait_close(&r->poller.wait);
	device_disarm(&r->device);
close_device:
	device_close(&r->device);
restore_knobs:
	if (!r->sim)
		knobs_restore(&r->knobs);
close_eventfds:
	close_eventfds(r);
	ring_free(&r->ring);
rest:
	run_rest(r);
abandon_result:
	result_abandon(&r->result);
	return ret;
}

void run_rest(struct run *r)
{
	if (r->busy)
		scenario_rest(r->busy);
	r->busy = 0;
}

void run_release(struct run *r)
{
	run_rest(r);
	wait_close(&r->poller.wait);
	if (!r->sim)
		knobs_restore(&r->knobs);
	device_disarm(&r->device);
	device_close(&r->device);
	close_eventfds(r);
	ring_free(&r->ring);
}
