/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef MSILAT_SCHED_H
#define MSILAT_SCHED_H

#include <pthread.h>
#include <stdbool.h>
#include <sys/types.h>

#include "cpulist.h"
#include "reason.h"

/**
 * struct sched_want - how a thread of the kit is to run
 * @name: thread name, 15 characters.
 * @priority: SCHED_FIFO priority; 0 for SCHED_OTHER.
 * @cpu: CPU to run on; -1 for those in @cpus.
 * @cpus: used when @cpu is -1; NULL leaves the affinity alone.
 */
struct sched_want {
	const char *name;
	int priority;
	int cpu;
	const struct cpulist *cpus;
};

/**
 * sched_start - start a thread with its policy, priority, CPU and a small, touched stack
 *
 * The policy is always explicit: by default a thread inherits its creator's, and a trigger that
 * inherited the poller's real-time priority would measure an artefact.
 *
 * Return: 0 or -errno, with @why (-EPERM: names RLIMIT_RTPRIO).
 */
int sched_start(pthread_t *thread, const struct sched_want *want, void *(*fn)(void *), void *arg,
		struct reason *why);

/**
 * sched_lock_memory - keep all pages of the process in memory
 *
 * Return: 0, or -errno (-EPERM, -ENOMEM: RLIMIT_MEMLOCK) - a warning, not the end of a run.
 */
int sched_lock_memory(void);

/**
 * struct sched_thread - a thread of the kernel
 * @tid: thread ID, 0 if there is none.
 * @priority: its SCHED_FIFO priority, 0 if it is not real-time.
 */
struct sched_thread {
	pid_t tid;
	int priority;
};

/**
 * sched_find_irq_thread - find "irq/<irq>-…" in /proc
 *
 * A kernel that is not PREEMPT_RT has one only with threadirqs or where the driver asked for it.
 *
 * Return: 0 or -ENOENT (@t->tid is then 0).
 */
int sched_find_irq_thread(struct sched_thread *t, unsigned int irq);

/** sched_find_thread - find a thread of the kernel by its name, as in comm; 0 or -ENOENT */
int sched_find_thread(struct sched_thread *t, const char *name);

/** sched_read_thread - look up the priority of thread @tid; 0, or -ENOENT if there is none */
int sched_read_thread(struct sched_thread *t, pid_t tid);

/** sched_send - make a thread run on one CPU; 0 or -errno with @why */
int sched_send(pid_t tid, int cpu, const char *what, struct reason *why);

/** sched_set_fifo - set a thread's SCHED_FIFO priority; 0 or -errno with @why */
int sched_set_fifo(pid_t tid, int priority, const char *what, struct reason *why);

#endif
