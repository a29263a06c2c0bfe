/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef MSILAT_LAB_H
#define MSILAT_LAB_H

#include <stdbool.h>

/**
 * enum lab_mode - where a run takes place
 * @LAB_HARDWARE: a bare host.
 * @LAB_LIVE: the virtual lab with a running clock: times are an emulator's.
 * @LAB_EXACT: the virtual lab with counted instructions: one cycle is one instruction.
 */
enum lab_mode {
	LAB_HARDWARE,
	LAB_LIVE,
	LAB_EXACT,
};

/** lab_mode - from msilat_lab= on the kernel command line, which lab/guest sets */
enum lab_mode lab_mode(void);

/** lab_mode_name - "hardware", "live" or "exact" */
const char *lab_mode_name(enum lab_mode mode);

/**
 * lab_each - facts about the lab that lab/guest left in /etc/msilat-lab
 * @fn: called with each key and value, in file order; they are valid during the call only.
 *
 * Return: number of facts, 0 outside the lab.
 */
int lab_each(void (*fn)(void *arg, const char *key, const char *value), void *arg);

#endif
