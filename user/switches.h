/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef MSILAT_SWITCHES_H
#define MSILAT_SWITCHES_H

#include <stdint.h>
#include <sys/types.h>

#define SWITCHES_UNKNOWN UINT64_MAX

/**
 * switches_involuntary - how often a thread was taken off its CPU although it could run
 * @tid: thread ID of any process, or of the kernel.
 *
 * Return: the count since the thread began, SWITCHES_UNKNOWN if there is no such thread.
 */
uint64_t switches_involuntary(pid_t tid);

/**
 * switches_thread - a thread of this process by its name
 *
 * Return: its thread ID, 0 if there is none.
 */
pid_t switches_thread(const char *name);

#endif
