/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef MSILAT_KNOB_H
#define MSILAT_KNOB_H

#include "reason.h"

#define KNOBS_MAX 16

/**
 * struct knobs - settings of the host that a run changed
 * @count: how many.
 * @lock: file descriptor of the lock that keeps two runs from saving each other's changes.
 * @knob: path and the text it held before.
 */
struct knobs {
	int count;
	int lock;
	struct {
		char path[160];
		char before[256];
	} knob[KNOBS_MAX];
};

/**
 * knobs_init - take the lock; before anything is changed
 *
 * Root takes /run/lock/msilat.lock; an ordinary user, who can change no knob, takes none.
 *
 * Return: 0, -EBUSY when another run holds it, or -errno.
 */
int knobs_init(struct knobs *k, struct reason *why);

/**
 * knobs_set - save a knob and set it
 * @path: complete path.
 *
 * Return: 0 or -errno; a knob that could not be set is as it was.
 */
int knobs_set(struct knobs *k, const char *path, const char *text, struct reason *why);

/** knobs_restore - put everything back, in reverse order, and release the lock */
void knobs_restore(struct knobs *k);

#endif
