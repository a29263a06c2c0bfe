/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef MSILAT_WAIT_H
#define MSILAT_WAIT_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "reason.h"
#include "ring.h"

struct wait;

/**
 * struct wait_ops - a wait mode
 * @name: as on the command line.
 * @summary: one line for help.
 * @busy: it does not sleep: a thread that its event needs on the same CPU may starve.
 * @two_calls: consuming the event is a system call of its own: the stage done exists.
 * @open: prepare to wait on @w->fd. 0 or -errno.
 * @wait: wait for the next signal. Poller; one blocking system call (spin: as many as it takes).
 *	0, or -EINTR when @w->stop was found set (busy modes only), or another -errno.
 * @close: undo @open.
 */
struct wait_ops {
	const char *name;
	const char *summary;
	bool busy;
	bool two_calls;
	int (*open)(struct wait *w);
	int (*wait)(struct wait *w, struct wake *wake);
	void (*close)(struct wait *w);
};

/**
 * struct wait - an open wait
 * @ops: its mode.
 * @fd: the eventfd.
 * @aux: the mode's own descriptor, or -1.
 * @stop: set by another thread to end a busy wait.
 */
struct wait {
	const struct wait_ops *ops;
	int fd;
	int aux;
	const _Atomic int *stop;
};

/** wait_mode - the wait modes in display order; NULL past the last */
const struct wait_ops *wait_mode(unsigned int i);

/** wait_find - by name; NULL if there is none */
const struct wait_ops *wait_find(const char *name);

/**
 * wait_open - prepare to wait on an eventfd
 *
 * Return: 0 or -errno.
 */
int wait_open(struct wait *w, const struct wait_ops *ops, int fd, const _Atomic int *stop,
	      struct reason *why);
void wait_close(struct wait *w);

/** wait_nonblock - make reads of the eventfd return instead of sleep; for modes that need it */
int wait_nonblock(struct wait *w);

/** wait_consume - read the eventfd and stamp done; for modes of two system calls */
int wait_consume(struct wait *w, struct wake *wake);

extern const struct wait_ops wait_read;
extern const struct wait_ops wait_poll;
extern const struct wait_ops wait_epoll;
extern const struct wait_ops wait_spin;

#endif
