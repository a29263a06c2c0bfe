/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef MSILAT_RUN_H
#define MSILAT_RUN_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>
#include <time.h>

#include "account.h"
#include "clock.h"
#include "device.h"
#include "knob.h"
#include "lab.h"
#include "params.h"
#include "poller.h"
#include "recorder.h"
#include "result.h"
#include "scenario.h"
#include "schedule.h"
#include "strategy.h"
#include "trigger.h"
#include "wait.h"

/**
 * enum run_state - how far a run got
 * @RUN_RUNNING: under way (a checkpoint says so).
 * @RUN_COMPLETE: everything asked for was fired and drained.
 * @RUN_INTERRUPTED: ended by a signal; what was fired is drained and complete.
 * @RUN_FAILED: the device stopped interrupting, or something broke.
 */
enum run_state {
	RUN_RUNNING,
	RUN_COMPLETE,
	RUN_INTERRUPTED,
	RUN_FAILED,
};

/**
 * enum run_relation - priority of the poller against the thread that signals
 * @RUN_NONE: there is no such thread, or the poller is not real-time.
 */
enum run_relation {
	RUN_NONE,
	RUN_BELOW,
	RUN_EQUAL,
	RUN_ABOVE,
};

/**
 * enum run_eventfd - what becomes of the eventfd
 * @RUN_EVENTFD_WAIT: the poller waits on it.
 * @RUN_EVENTFD_BESIDE: it is signalled beside what wakes the poller, and nobody looks.
 * @RUN_EVENTFD_SILENT: the driver leaves it alone.
 */
enum run_eventfd {
	RUN_EVENTFD_WAIT,
	RUN_EVENTFD_BESIDE,
	RUN_EVENTFD_SILENT,
};

/**
 * struct run - everything about one run
 * @params: what was asked for; CPU fields filled in.
 * @argc: command line, for the manifest; likewise @argv.
 * @mode: where it takes place.
 * @sim: the device is in this process.
 * @part: this is a part of something larger, which keeps the result directory and holds the lock on
 *	the host's settings; set by the caller before run_prepare().
 * @sharing: so many vectors after the measured one signal the same eventfd; likewise.
 * @bdf: canonical address, "" for a device in this process.
 * @backend: how the device is driven.
 * @strategy, @wait_ops, @scenario: what @params names.
 * @eventfd_use: whether the driver signals the eventfd.
 * @device: the open device.
 * @eventfd: what the vector signals.
 * @done: eventfd that is written when a thread of the run ends by itself.
 * @irq: Linux IRQ number, 0 if unknown.
 * @irq_thread: the thread of the kernel that signals, if any; @irq_thread_kind: what it is.
 * @irq_thread_was: what to give it back at the end; tid 0 for nothing.
 * @irq_cpu: its CPU, -1 if unknown.
 * @relation: see above.
 * @knobs: host settings changed.
 * @result: the directory.
 * @recording: snapshot of the recorder's results, taken by run_account().
 * @ring, @recorder, @poller, @schedule, @trigger: the machinery.
 * @inline_recorder: the trigger drains, because there is no CPU to spare (or in exact mode, where
 *	nothing may run that the measurement does not need).
 * @busy: process that computes in scenario busy, 0 if none.
 * @stop: ends the schedule.
 * @health: what the kernel says of the cycle counter.
 * @first, @last: clock points at start and end.
 * @first_rate: short calibration before the run.
 * @rate: calibration on the run so far.
 * @before: driver's counters at the start; @after: now.
 * @irqs_before: kernel's count of hard IRQs then; UINT64_MAX if unknown.
 * @links: what each link counted, filled by run_account().
 * @resent: interrupts injected that did not come in hard IRQ.
 * @account: where every event went.
 * @state: how far it got.
 * @memory_locked: mlockall() worked.
 * @started: wall clock at start.
 * @elapsed_s: duration of the measurement.
 * @why: why @state is RUN_FAILED.
 */
struct run {
	struct params params;
	int argc;
	char **argv;
	enum lab_mode mode;
	bool sim;
	bool part;
	uint32_t sharing;
	const struct device_ops *backend;
	const struct strategy *strategy;
	const struct wait_ops *wait_ops;
	const struct scenario *scenario;
	enum run_eventfd eventfd_use;
	char bdf[PCI_BDF_MAX];
	struct device device;
	int eventfd;
	int done;
	unsigned int irq;
	struct sched_thread irq_thread;
	struct sched_thread irq_thread_was;
	enum strategy_thread irq_thread_kind;
	int irq_cpu;
	enum run_relation relation;
	struct knobs knobs;
	struct result result;
	struct ring ring;
	struct recorder recorder;
	struct recording recording;
	struct poller poller;
	struct schedule schedule;
	struct trigger trigger;
	bool inline_recorder;
	pid_t busy;
	_Atomic int stop;
	struct clock_health health;
	struct clock_point first;
	struct clock_point last;
	struct clock_rate first_rate;
	struct clock_rate rate;
	struct msilat_counters before;
	struct msilat_counters after;
	uint64_t irqs_before;
	struct account_in links;
	uint64_t resent;
	struct account account;
	enum run_state state;
	bool memory_locked;
	struct timespec started;
	double elapsed_s;
	struct reason why;
};

/**
 * run_prepare - check what was asked for and set everything up
 * @r: zeroed but for @params, @argc and @argv, @part and @sharing.
 * @target: what the user named: a PCI address, or "sim".
 * @why: on failure names the thing and the remedy.
 *
 * After success the device is armed, threads are not started and run_release() must follow.
 *
 * Return: 0 or -errno; nothing is left changed or half-written then.
 */
int run_prepare(struct run *r, const char *target, struct reason *why);

/**
 * run_choose - complete and check what was asked for; touches nothing
 *
 * Return: 0 or -errno, with @why.
 */
int run_choose(struct run *r, const char *target, struct reason *why);

/**
 * run_place - place interrupt and signalling thread, find their relation to the poller
 *
 * For run_prepare(), once the vector is armed. Return: 0; -EDEADLK for a busy poller that would
 * wait for ever; or -errno, with @why.
 */
int run_place(struct run *r, struct reason *why);

/** run_unplace - undo what of run_place() does not go with the vector */
void run_unplace(struct run *r);

/**
 * run_start - start the threads; the first event fires after the first pause
 *
 * Return: 0 or -errno. run_stop() must follow after success.
 */
int run_start(struct run *r, struct reason *why);

/** run_finished - everything is fired, or the run cannot go on; any thread */
bool run_finished(struct run *r);

/** run_stop - end the schedule, drain the device, end the threads, close the account */
void run_stop(struct run *r, bool interrupted);

/** run_account - close the account on what has been counted up to now */
void run_account(struct run *r);

/**
 * run_others - CPUs for threads that have no business on the poller's
 * @others: this process's CPUs without the poller's; with it if it is the only one.
 *
 * Return: true if there is a CPU besides the poller's.
 */
bool run_others(const struct run *r, struct cpulist *others);

/** run_calibrate - calibrate the cycle counter on the run so far */
void run_calibrate(struct run *r);

/**
 * run_write - write the result as it stands
 *
 * Return: 0 or -errno, with @why.
 */
int run_write(struct run *r, struct reason *why);

/** run_release - undo run_prepare(): device, settings, memory */
void run_release(struct run *r);

/** run_rest - end the process that computes in scenario busy, if it runs */
void run_rest(struct run *r);

/**
 * run_own_wake - the poller waits for what the strategy itself wakes by
 *
 * Then what the waits return counts the driver's deliveries and its records belong to them; else it
 * counts the signals of an eventfd that is signalled beside.
 */
static inline bool run_own_wake(const struct run *r)
{
	return r->wait_ops->wake == r->strategy->wake;
}

/** run_valid - the numbers can be used: nothing lost, everything explained, the clock sound */
bool run_valid(const struct run *r);

/** run_relation_name - "below", "equal", "above" or "none" */
const char *run_relation_name(enum run_relation relation);

/** run_eventfd_name - "waited on", "signalled beside" or "silent" */
const char *run_eventfd_name(enum run_eventfd use);

/** run_state_name - "running", "complete", "interrupted" or "failed" */
const char *run_state_name(enum run_state state);

#endif
