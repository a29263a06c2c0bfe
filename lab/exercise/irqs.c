// SPDX-License-Identifier: GPL-2.0-only
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "irqs.h"

#define IRQS_MAX 64
#define LINE_MAX_BYTES 4096

/* Linux' numbers of the device's allocated vectors, in order. Returns how many. */
static unsigned int numbers(const char *bdf, unsigned int *irqs)
{
	struct dirent **names;
	unsigned int count = 0;
	char path[128];
	int i, n;

	snprintf(path, sizeof(path), "/sys/bus/pci/devices/%s/msi_irqs", bdf);
	n = scandir(path, &names, NULL, versionsort);
	for (i = 0; i < n; i++) {
		if (names[i]->d_name[0] != '.' && count < IRQS_MAX)
			irqs[count++] = (unsigned int)atoi(names[i]->d_name);
		free(names[i]);
	}
	if (n >= 0)
		free(names);
	return count;
}

/* Sum of the counts on a line of /proc/interrupts, behind its "N:". */
static uint64_t sum(char *counts)
{
	uint64_t total = 0;
	char *end;

	for (;; counts = end) {
		uint64_t n = strtoull(counts, &end, 10);

		if (end == counts || (*end != ' ' && *end != '\n'))
			return total;
		total += n;
	}
}

uint64_t irqs_taken(const char *bdf)
{
	unsigned int irqs[IRQS_MAX], count = numbers(bdf, irqs), i, irq;
	char line[LINE_MAX_BYTES];
	uint64_t total = 0;
	int behind;
	FILE *f;

	f = fopen("/proc/interrupts", "re");
	if (!f)
		return 0;
	while (fgets(line, sizeof(line), f)) {
		if (sscanf(line, " %u:%n", &irq, &behind) != 1)
			continue;
		for (i = 0; i < count; i++)
			if (irqs[i] == irq)
				total += sum(line + behind);
	}
	fclose(f);
	return total;
}

void irqs_spread(const char *bdf)
{
	unsigned int irqs[IRQS_MAX], count = numbers(bdf, irqs), i;
	long cpus = sysconf(_SC_NPROCESSORS_ONLN);
	char path[64];
	FILE *f;

	for (i = 0; i < count; i++) {
		snprintf(path, sizeof(path), "/proc/irq/%u/smp_affinity_list", irqs[i]);
		f = fopen(path, "we");
		if (!f)
			continue;
		fprintf(f, "%ld\n", (long)i % cpus);
		fclose(f);
	}
}
