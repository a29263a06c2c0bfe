// SPDX-License-Identifier: GPL-2.0-only
/* What comes before a run: device, interrupt, clock. Also what comes after: release. */
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
#define EXACT_HZ 1e9		/* -icount shift=0: one instruction is one nanosecond */
#define EXACT_ERROR 1e-3

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
		r->health.steady = false;
		strcpy(r->health.text, "the cycle counter went backwards during the run");
		return;
	}
	bound = r->first_rate.error_ppm + now.error_ppm + DRIFT_PPM;
	now.drift_ppm = (now.hz / r->first_rate.hz - 1) * 1e6;
	if (fabs(now.drift_ppm) > bound) {
		r->health.steady = false;
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

/*
 * The thread a strategy signals from, if there is one here: off PREEMPT_RT some run in hard IRQ.
 * The driver's own is always there, seen or not.
 */
static bool has_thread(const struct run *r)
{
	return r->strategy->thread != STRATEGY_THREAD_NONE &&
	       (r->sim || r->irq_thread.tid || r->strategy->thread == STRATEGY_THREAD_KTHREAD);
}

/* Stamps that this device, strategy and wait mode have. */
static unsigned int stamps(const struct run *r)
{
	unsigned int present = 1u << STAMP_USER;

	if (r->device.caps.sent)
		present |= 1u << STAMP_SENT;
	if (r->device.delivery.region && run_own_wake(r)) {
		present |= 1u << STAMP_SIGNAL;
		if (r->strategy->primary)
			present |= 1u << STAMP_ISR;
		if (has_thread(r))
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
		.sharing = r->sharing,
		.mode = r->mode,
		.sim = r->params.sim,
	};
	uint32_t flags = r->eventfd_use == RUN_EVENTFD_SILENT ? MSILAT_SELECT_NO_EVENTFD : 0;
	int ret;

	ret = device_open(&r->device, r->backend, &cfg, why);
	if (ret)
		return ret;
	if (r->scenario->timer && !r->device.caps.timer)
		ret = reason_set(why, -ENOTSUP, "--scenario %s: %s", r->scenario->name,
				 r->device.caps.no_timer);
	if (!ret && r->device.delivery.ops)
		ret = r->device.delivery.ops->select(&r->device.delivery, r->strategy, flags,
						      why);
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
	const struct wait_target on = {
		.eventfd = r->eventfd,
		.delivery = &r->device.delivery,
		.vector = (uint32_t)r->params.vector,
	};
	int ret;

	ret = device_arm(&r->device, r->eventfd, why);
	if (ret)
		return ret;
	ret = run_place(r, why);
	if (ret)
		goto disarm;
	ret = wait_open(&r->poller.wait, r->wait_ops, &on, &r->poller.stop, why);
	if (ret)
		goto unplace;
	if (r->device.delivery.ops)
		r->device.delivery.ops->counters(&r->device.delivery, (uint32_t)r->params.vector,
						 &r->before);
	r->irqs_before = irq_count(r->irq);
	return 0;

unplace:
	run_unplace(r);
disarm:
	device_disarm(&r->device);
	return ret;
}

static int start_recording(struct run *r, struct reason *why)
{
	static const struct delivery none;
	struct fired *late = r->device.caps.late ? &r->device.fired : NULL;
	int ret;

	recorder_init(&r->recorder, &r->ring, run_own_wake(r) ? &r->device.delivery : &none,
		      (uint32_t)r->params.vector, late, stamps(r));
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

static int open_result(struct run *r, struct reason *why)
{
	if (r->part)
		return 0;
	return result_open(&r->result, r->params.results, r->params.label, r->strategy->name, why);
}

int run_prepare(struct run *r, const char *target, struct reason *why)
{
	int ret;

	ret = run_choose(r, target, why);
	if (!ret)
		ret = start_clock(r, why);
	if (ret)
		return ret;
	ret = open_result(r, why);
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
	r->knobs.lock = -1;
	ret = r->sim || r->part ? 0 : knobs_init(&r->knobs, why);
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
	run_unplace(r);
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
	run_unplace(r);
	if (!r->sim)
		knobs_restore(&r->knobs);
	device_disarm(&r->device);
	device_close(&r->device);
	close_eventfds(r);
	ring_free(&r->ring);
}
