// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "cpulist.h"
#include "irq.h"
#include "sysfs.h"

/* 11 characters a CPU, for as many CPUs as a kernel can have. */
#define COUNTS_MAX (12 * CPULIST_MAX)

uint64_t irq_count(unsigned int irq)
{
	char *text, *p;
	uint64_t sum = 0;

	if (!irq)
		return UINT64_MAX;
	text = malloc(COUNTS_MAX);
	if (!text)
		return UINT64_MAX;
	if (sysfs_read(text, COUNTS_MAX, "/sys/kernel/irq/%u/per_cpu_count", irq) <= 0) {
		free(text);
		return UINT64_MAX;
	}
	for (p = text;; p++) {
		sum += strtoull(p, &p, 10);
		if (*p != ',')
			break;
	}
	if (*p)
		sum = UINT64_MAX;
	free(text);
	return sum;
}

int irq_cpu(unsigned int irq)
{
	struct cpulist list;
	char text[512];

	if (!irq ||
	    sysfs_read(text, sizeof(text), "/proc/irq/%u/effective_affinity_list", irq) <= 0 ||
	    cpulist_parse(&list, text) || cpulist_count(&list) != 1)
		return -1;
	return cpulist_last(&list);
}

int irq_route(struct knobs *knobs, unsigned int irq, int cpu, struct reason *why)
{
	char path[SYSFS_PATH_MAX], text[16];
	int ret;

	ret = sysfs_path(path, "/proc/irq/%u/smp_affinity_list", irq);
	if (ret)
		return ret;
	snprintf(text, sizeof(text), "%d", cpu);
	ret = knobs_set(knobs, path, text, NULL);
	if (ret)
		return reason_set(why, ret, "IRQ %u cannot be sent to CPU %d (%s): choose another "
				  "--irq-cpu", irq, cpu, path);
	return 0;
}
