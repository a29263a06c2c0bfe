// SPDX-License-Identifier: GPL-2.0-only
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device.h"
#include "pci.h"
#include "strategy.h"
#include "subcommands.h"
#include "wait.h"

struct list_params {
	bool all;
	bool strategies;
};

#define AT(field) offsetof(struct list_params, field)

static const struct option_row list_rows[] = {
	{ "all", 0, OPTION_FLAG, AT(all), 0, 0, NULL,
	  "also bridges and functions without MSI", NULL },
	{ "strategies", 0, OPTION_FLAG, AT(strategies), 0, 0, NULL,
	  "list the delivery strategies instead", NULL },
	{ 0 },
};

static void put_vectors(const struct pci_function *fn, char text[24])
{
	if (fn->msix)
		snprintf(text, 24, "%u MSI-X", fn->msix);
	else if (fn->msi)
		snprintf(text, 24, "%u MSI", fn->msi);
	else
		snprintf(text, 24, "%s", fn->caps_known ? "none" : "? (root)");
}

/* Why a function cannot be measured as things are, or what stands in the way; "" for nothing. */
static void put_obstacle(const struct pci_function *fn, char *text, size_t size)
{
	char peers[120];

	text[0] = '\0';
	if (fn->bridge)
		snprintf(text, size, "bridge");
	else if (fn->caps_known && !fn->msi && !fn->msix)
		snprintf(text, size, "no MSI");
	else if (fn->group < 0)
		snprintf(text, size, "no IOMMU");
	else if (fn->netdev[0])
		snprintf(text, size, "in use: %s", fn->netdev);
	else if (fn->block)
		snprintf(text, size, "carries a disk");
	else if (pci_group_peers(fn, peers, sizeof(peers)))
		snprintf(text, size, "group shared: %s", peers);
}

#define COLUMNS 100

static void print_one(const struct pci_function *fn)
{
	const struct device_ops *backend = device_best(fn);
	char name[PCI_NAME_MAX], vectors[24], group[16], obstacle[192], row[512];

	pci_name(fn, name);
	put_vectors(fn, vectors);
	put_obstacle(fn, obstacle, sizeof(obstacle));
	snprintf(group, sizeof(group), fn->group < 0 ? "-" : "%d", fn->group);
	snprintf(row, sizeof(row), "  %-12s %-31.31s %-8s %-5s %-15s %s", fn->bdf, name, vectors,
		 group, fn->driver[0] ? fn->driver : "-", backend ? backend->name : "none");
	printf("%s", row);
	/* What does not fit beside goes below. */
	if (obstacle[0] && strlen(row) + strlen(obstacle) + 4 > COLUMNS)
		printf("\n  %-12s", "");
	if (obstacle[0])
		printf("  (%s)", obstacle);
	putchar('\n');
}

/* A table whose columns a script can cut at two blanks; the first is what --strategy takes. */
static void print_strategies(void)
{
	const struct strategy *s;
	unsigned int i;

	printf("  %-13s  %-15s  %-10s  %-15s  %-6s  %s\n", "strategy", "driver", "wakes by",
	       "signals from", "wait", "on RT");
	for (i = 0; (s = strategy_at(i)); i++)
		printf("  %-13s  %-15s  %-10s  %-15s  %-6s  %s\n", s->name, s->driver,
		       strategy_wake_name(s->wake),
		       s->thread == STRATEGY_THREAD_NONE ? "hard IRQ" :
		       strategy_thread_name(s->thread), wait_default(s)->name,
		       s->safe ? "yes" : "NO");
}

int cmd_list(int argc, char **argv)
{
	struct list_params p = { 0 };
	struct pci_function *list;
	struct reason why = { 0 };
	int first, n, i, ret, hidden = 0, lone = 0;

	ret = cmd_parse("[options]", "Lists PCI functions, what can measure them, and what is in "
			"the way.", list_rows, &p, argc, argv, &first);
	if (ret >= 0)
		return ret;
	if (first < argc) {
		fprintf(stderr, "msilat: list: %s: it takes no arguments (msilat list --help)\n",
			argv[first]);
		return EXIT_ERROR;
	}
	if (p.strategies) {
		print_strategies();
		return EXIT_OK;
	}
	n = pci_scan(&list, &why);
	if (n < 0)
		return cmd_fail(&why);
	printf("  %-12s %-31s %-8s %-5s %-15s %s\n", "BDF", "device", "vectors", "group",
	       "driver", "backend");
	for (i = 0; i < n; i++) {
		if (!p.all && (list[i].bridge || (list[i].caps_known && !list[i].msi &&
						  !list[i].msix))) {
			hidden++;
			continue;
		}
		lone += list[i].group < 0;
		print_one(&list[i]);
	}
	if (lone)
		puts("  no IOMMU: enable VT-d or AMD-Vi in the firmware, and boot with intel_iommu=on");
	if (hidden)
		printf("  %d not shown: bridges, or without MSI (--all)\n", hidden);
	free(list);
	return EXIT_OK;
}
