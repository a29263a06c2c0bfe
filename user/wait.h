/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef MSILAT_WAIT_H
#define MSILAT_WAIT_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "delivery.h"
#include "reason.h"
#include "ring.h"
#include "strategy.h"

struct wait;

/**
 * struct wait_ops - a wait mode
 * @name: as on the command line.
 * @summary: one line for help.
 * @wake: what it is woken by.
 * @busy: it does not sleep: a thread that its event needs on the same CPU may starve.
 * @two_calls: consuming the event is a system call of its own: the stage done exists.
 * @open: prepare to wait. 0 or -errno. NULL: nothing to prepare.
 * @wait: wait for the next event. Poller; one blocking system call (spin: as many as it takes;
 *	page: none). 0, or -EINTR when @w->stop was found set (busy modes only), or another -errno.
 * @kick: end @wait from outside once @w->stop is set, free of races with a poller that is about to
 *	wait. Returns by how much that raises what the waits return in all: 0 or 1. Any thread.
 * @take: take what has come and not been waited for, @kick included. Does not sleep. For whoever
 *	has ended the poller.
 * @close: undo @open; NULL: nothing to undo.
 */
struct wait_ops {
	const char *name;
	const char *summary;
	enum strategy_wake wake;
	bool busy;
	bool two_calls;
	int (*open)(struct wait *w);
	int (*wait)(struct wait *w, struct wake *wake);
	uint64_t (*kick)(struct wait *w);
	uint64_t (*take)(struct wait *w);
	void (*close)(struct wait *w);
};

/**
 * struct wait_target - what there is to wait on
 * @eventfd: the vector signals it.
 * @delivery: the driver's side; its ops are NULL on stock vfio-pci.
 * @vector: the vector.
 */
struct wait_target {
	int eventfd;
	struct delivery *delivery;
	uint32_t vector;
};

/**
 * struct wait - an open wait
 * @ops: its mode.
 * @on: what is waited on.
 * @aux: the mode's own descriptor, or -1.
 * @arg: of MSILAT_WAIT: vector and generation.
 * @page: the count to watch; @seen: what it was when it was last looked at.
 * @stop: set by another thread to end a busy wait.
 */
struct wait {
	const struct wait_ops *ops;
	struct wait_target on;
	int aux;
	uint64_t arg;
	const __u64 *page;
	uint64_t seen;
	const _Atomic int *stop;
};

/** wait_mode - the wait modes in display order; NULL past the last */
const struct wait_ops *wait_mode(unsigned int i);

/** wait_find - by name; NULL if there is none */
const struct wait_ops *wait_find(const char *name);

/** wait_default - the mode for what a strategy wakes by */
const struct wait_ops *wait_default(const struct strategy *strategy);

/**
 * wait_open - prepare to wait
 * @on: copied. The vector is armed: what comes from now on is waited for.
 *
 * Return: 0 or -errno.
 */
int wait_open(struct wait *w, const struct wait_ops *ops, const struct wait_target *on,
	      const _Atomic int *stop, struct reason *why);
void wait_close(struct wait *w);

/** wait_nonblock - make reads of the eventfd return instead of sleep; for modes that need it */
int wait_nonblock(struct wait *w);

/** wait_consume - read the eventfd and stamp done; for modes of two system calls */
int wait_consume(struct wait *w, struct wake *wake);

/* @kick and @take of the modes that wait on the eventfd. */
uint64_t wait_kick_eventfd(struct wait *w);
uint64_t wait_take_eventfd(struct wait *w);

extern const struct wait_ops wait_read;
extern const struct wait_ops wait_poll;
extern const struct wait_ops wait_epoll;
extern const struct wait_ops wait_spin;
extern const struct wait_ops wait_direct;
extern const struct wait_ops wait_page;

#endif
