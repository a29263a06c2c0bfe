/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef MSILAT_CONTENDER_H
#define MSILAT_CONTENDER_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "device.h"
#include "knob.h"
#include "reason.h"
#include "shared.h"

struct contender;

/**
 * struct contender_ops - a way to work on the poller's eventfd while it is signalled
 * @name: as on the command line.
 * @summary: one line for help.
 * @shares: it reads or signals the eventfd: the account needs a struct shared.
 * @blind: what it takes off the eventfd cannot be counted where it is taken.
 * @waits: it has nothing to do until an event comes.
 * @vectors: vectors beside the measured one that it needs, armed with the same eventfd.
 * @available: can it be done on this host, with this device? 0, or -errno with @why, which says in
 *	a few words why not. NULL: everywhere.
 * @open: get ready. 0 or -errno with @why. NULL: nothing to do.
 * @step: one piece of work; called again and again by the contender's thread. Returns how many
 *	operations it was, or -errno. May block; a signal must end it (with 0).
 * @close: undo @open.
 */
struct contender_ops {
	const char *name;
	const char *summary;
	bool shares;
	bool blind;
	bool waits;
	uint32_t vectors;
	int (*available)(const struct device *dev, struct reason *why);
	int (*open)(struct contender *c, struct reason *why);
	int (*step)(struct contender *c);
	void (*close)(struct contender *c);
};

#define CONTENDER_FDS 3
#define CONTENDER_THREAD "msilat-contend"

/**
 * struct contender - a thread that contends
 * @ops: what it does.
 * @device: open and armed device.
 * @vector: vector measured.
 * @eventfd: what the vector signals.
 * @shared: set where @ops->shares.
 * @knobs: where a setting of the host is noted that it has to change.
 * @cpu: its CPU.
 * @priority: SCHED_FIFO priority, 0 for SCHED_OTHER. With a real-time priority it rests half of the
 *	time, so that others on its CPU are not starved.
 * @fd: descriptors of the kind's own.
 * @operations: what it has done.
 * @stop: ends it.
 * @error: -errno that ended it.
 * @finished: its thread is about to return.
 */
struct contender {
	const struct contender_ops *ops;
	struct device *device;
	uint32_t vector;
	int eventfd;
	struct shared *shared;
	struct knobs *knobs;
	int cpu;
	int priority;
	int fd[CONTENDER_FDS];
	_Atomic uint64_t operations;
	_Atomic int stop;
	_Atomic int error;
	_Atomic int finished;
	pthread_t thread;
};

/** contender_at - the kinds in display order; NULL past the last */
const struct contender_ops *contender_at(unsigned int i);

/** contender_find - by name; NULL if there is none */
const struct contender_ops *contender_find(const char *name);

/**
 * contender_start - open a contender and start its thread
 * @c: everything above @fd is set, the rest zero.
 *
 * Sleeps until the contender has done its first operation, unless it waits for an event.
 *
 * Return: 0 or -errno, with @why (-ETIMEDOUT: it did nothing for 10 s); then nothing is left.
 */
int contender_start(struct contender *c, struct reason *why);

/** contender_stop - end the thread, blocked or not, and close */
void contender_stop(struct contender *c);

extern const struct contender_ops contender_poll;
extern const struct contender_ops contender_epoll;
extern const struct contender_ops contender_reader;
extern const struct contender_ops contender_vector;
extern const struct contender_ops contender_irqfd;

#endif
