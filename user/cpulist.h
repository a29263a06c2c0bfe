/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef MSILAT_CPULIST_H
#define MSILAT_CPULIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CPULIST_MAX 8192	/* NR_CPUS of the largest x86 kernel configuration */

/**
 * struct cpulist - a set of CPU numbers
 * @bits: one bit per CPU.
 */
struct cpulist {
	uint64_t bits[CPULIST_MAX / 64];
};

/**
 * cpulist_parse - read the kernel's list format
 * @list: receives the set.
 * @text: e.g. "0-3,8", "0-31:2/8" (the first 2 of each 8), "" or "none" (empty).
 *
 * Return: 0, -EINVAL for anything else, -ERANGE for a CPU number of CPULIST_MAX or more.
 */
int cpulist_parse(struct cpulist *list, const char *text);

/**
 * cpulist_format - write a set in the kernel's list format
 * @text: receives it, without strides; cut at a comma (and ended by "…") when @size is too small.
 */
void cpulist_format(const struct cpulist *list, char *text, size_t size);

bool cpulist_has(const struct cpulist *list, int cpu);
void cpulist_add(struct cpulist *list, int cpu);
void cpulist_del(struct cpulist *list, int cpu);

/** cpulist_count - number of CPUs in the set */
int cpulist_count(const struct cpulist *list);

/** cpulist_last - highest CPU of the set, or -1 when it is empty */
int cpulist_last(const struct cpulist *list);

/**
 * cpulist_online - CPUs that are online now
 *
 * From /sys/devices/system/cpu/online; a kernel without CPU hotplug may lack it, then CPU 0.
 */
void cpulist_online(struct cpulist *list);

/**
 * cpulist_allowed - CPUs the calling thread may run on (affinity mask, cpuset)
 *
 * Return: 0 or -errno.
 */
int cpulist_allowed(struct cpulist *list);

/**
 * cpulist_usable - can the calling thread be bound to a CPU?
 *
 * Asks the kernel by trying: an isolated CPU is outside the affinity mask a shell hands on and can
 * be used all the same; one outside the cpuset cannot. The thread's mask is the same afterwards.
 */
bool cpulist_usable(int cpu);

/**
 * cpulist_bind - bind the calling thread to a set of CPUs
 *
 * Return: 0 or -errno (-EINVAL: none of them is online and allowed).
 */
int cpulist_bind(const struct cpulist *list);

#endif
