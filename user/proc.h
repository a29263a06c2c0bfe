/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef MSILAT_PROC_H
#define MSILAT_PROC_H

#include <stdbool.h>
#include <sys/types.h>

/**
 * proc_find - look for a process or thread by its name
 * @dir: "/proc" for the processes, those of the kernel among them; "/proc/self/task" for the
 *       threads of this process.
 * @fits: whether the text of a comm file, without its newline, is what is looked for;
 *        called with @name.
 *
 * Return: the thread ID of the first that fits, 0 if there is none.
 */
pid_t proc_find(const char *dir, bool (*fits)(const char *comm, const char *name),
		const char *name);

/** proc_is_named - for proc_find(): the whole name is @name */
bool proc_is_named(const char *comm, const char *name);

#endif
