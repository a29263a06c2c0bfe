// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cpulist.h"
#include "sysfs.h"

bool cpulist_has(const struct cpulist *list, int cpu)
{
	return cpu >= 0 && cpu < CPULIST_MAX && (list->bits[cpu / 64] >> (cpu % 64) & 1);
}

void cpulist_add(struct cpulist *list, int cpu)
{
	list->bits[cpu / 64] |= 1ull << (cpu % 64);
}

void cpulist_del(struct cpulist *list, int cpu)
{
	list->bits[cpu / 64] &= ~(1ull << (cpu % 64));
}

int cpulist_count(const struct cpulist *list)
{
	int i, n = 0;

	for (i = 0; i < CPULIST_MAX / 64; i++)
		n += __builtin_popcountll(list->bits[i]);
	return n;
}

int cpulist_last(const struct cpulist *list)
{
	int cpu;

	for (cpu = CPULIST_MAX - 1; cpu >= 0; cpu--)
		if (cpulist_has(list, cpu))
			return cpu;
	return -1;
}

/* Read one decimal number and move on; -EINVAL without a digit, -ERANGE beyond CPULIST_MAX. */
static int number(const char **text, int *value)
{
	unsigned long v;
	char *end;

	if (**text < '0' || **text > '9')
		return -EINVAL;
	errno = 0;
	v = strtoul(*text, &end, 10);
	if (errno || v >= CPULIST_MAX)
		return -ERANGE;
	*value = (int)v;
	*text = end;
	return 0;
}

/* One item: N, N-M or N-M:used/group. */
static int item(struct cpulist *list, const char **text)
{
	int first, last, used = 1, group = 1, cpu, ret;

	ret = number(text, &first);
	if (ret)
		return ret;
	last = first;
	if (**text == '-') {
		(*text)++;
		ret = number(text, &last);
		if (ret)
			return ret;
		if (**text == ':') {
			(*text)++;
			ret = number(text, &used);
			if (ret || **text != '/')
				return ret ? ret : -EINVAL;
			(*text)++;
			ret = number(text, &group);
			if (ret)
				return ret;
		}
	}
	if (last < first || !group || !used || used > group)
		return -EINVAL;
	for (cpu = first; cpu <= last; cpu++)
		if ((cpu - first) % group < used)
			cpulist_add(list, cpu);
	return 0;
}

int cpulist_parse(struct cpulist *list, const char *text)
{
	int ret;

	memset(list, 0, sizeof(*list));
	if (!*text || !strcmp(text, "none"))
		return 0;
	for (;;) {
		ret = item(list, &text);
		if (ret)
			return ret;
		if (!*text)
			return 0;
		if (*text++ != ',')
			return -EINVAL;
	}
}

void cpulist_format(const struct cpulist *list, char *text, size_t size)
{
	static const char more[] = "…";
	char one[32];
	size_t len = 0;
	int cpu, last, n;

	text[0] = '\0';
	for (cpu = 0; cpu < CPULIST_MAX; cpu++) {
		if (!cpulist_has(list, cpu))
			continue;
		for (last = cpu; cpulist_has(list, last + 1); last++)
			;
		n = last == cpu ? snprintf(one, sizeof(one), "%s%d", len ? "," : "", cpu) :
			snprintf(one, sizeof(one), "%s%d-%d", len ? "," : "", cpu, last);
		if (len + n + sizeof(more) > size) {
			if (len + sizeof(more) <= size)
				strcpy(text + len, more);
			return;
		}
		strcpy(text + len, one);
		len += n;
		cpu = last;
	}
}

void cpulist_online(struct cpulist *list)
{
	char text[4096];

	if (sysfs_read(text, sizeof(text), "/sys/devices/system/cpu/online") <= 0 ||
	    cpulist_parse(list, text) || !cpulist_count(list)) {
		memset(list, 0, sizeof(*list));
		cpulist_add(list, 0);
	}
}

int cpulist_allowed(struct cpulist *list)
{
	size_t size = CPU_ALLOC_SIZE(CPULIST_MAX);
	cpu_set_t *set = CPU_ALLOC(CPULIST_MAX);
	int cpu, ret = 0;

	memset(list, 0, sizeof(*list));
	if (!set)
		return -ENOMEM;
	CPU_ZERO_S(size, set);
	if (sched_getaffinity(0, size, set))
		ret = -errno;
	for (cpu = 0; !ret && cpu < CPULIST_MAX; cpu++)
		if (CPU_ISSET_S(cpu, size, set))
			cpulist_add(list, cpu);
	CPU_FREE(set);
	return ret;
}

int cpulist_bind(const struct cpulist *list)
{
	size_t size = CPU_ALLOC_SIZE(CPULIST_MAX);
	cpu_set_t *set = CPU_ALLOC(CPULIST_MAX);
	int cpu, ret = 0;

	if (!set)
		return -ENOMEM;
	CPU_ZERO_S(size, set);
	for (cpu = 0; cpu < CPULIST_MAX; cpu++)
		if (cpulist_has(list, cpu))
			CPU_SET_S(cpu, size, set);
	if (sched_setaffinity(0, size, set))
		ret = -errno;
	CPU_FREE(set);
	return ret;
}

bool cpulist_usable(int cpu)
{
	struct cpulist before, one = { 0 };

	if (cpu < 0 || cpu >= CPULIST_MAX || cpulist_allowed(&before))
		return false;
	cpulist_add(&one, cpu);
	if (cpulist_bind(&one))
		return false;
	cpulist_bind(&before);
	return true;
}
