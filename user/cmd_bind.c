// SPDX-License-Identifier: GPL-2.0-only
#include <stddef.h>
#include <stdio.h>

#include "binding.h"
#include "subcommands.h"
#include "sysfs.h"

struct bind_params {
	const char *driver;
	bool force;
	bool quiet;
};

static const char *driver_name(unsigned int i)
{
	static const char *const drivers[] = { "msilat-vfio-pci", "vfio-pci" };

	return i < 2 ? drivers[i] : NULL;
}

#define AT(field) offsetof(struct bind_params, field)

static const struct option_row bind_rows[] = {
	{ "driver", 'd', OPTION_CHOICE, AT(driver), 0, 0, "NAME", "driver", driver_name },
	{ "force", 'f', OPTION_FLAG, AT(force), 0, 0, NULL,
	  "take it although a network interface or a disk uses it", NULL },
	{ "quiet", 'q', OPTION_FLAG, AT(quiet), 0, 0, NULL, "do not echo what is written", NULL },
	{ 0 },
};

/* unbind has --quiet only. */
#define UNBIND_ROWS (&bind_rows[2])

static int each(int argc, char **argv, int first, const struct bind_params *p,
		int (*fn)(const char *bdf, const struct bind_params *p, struct reason *why))
{
	struct reason why = { 0 };
	char bdf[PCI_BDF_MAX];
	int ret = EXIT_OK;

	if (first == argc) {
		fprintf(stderr, "msilat: %s: which function? (msilat list)\n", argv[0]);
		return EXIT_ERROR;
	}
	sysfs_echo(p->quiet ? NULL : cmd_echo);
	for (; first < argc; first++)
		if (pci_resolve(bdf, argv[first], &why) || fn(bdf, p, &why))
			ret = cmd_fail(&why);
	return ret;
}

static int bind_one(const char *bdf, const struct bind_params *p, struct reason *why)
{
	return binding_bind(bdf, p->driver, p->force, why);
}

static int unbind_one(const char *bdf, const struct bind_params *p, struct reason *why)
{
	(void)p;
	return binding_unbind(bdf, why);
}

int cmd_bind(int argc, char **argv)
{
	struct bind_params p = { .driver = driver_name(0) };
	int first, ret;

	ret = cmd_parse("[options] BDF…", "Hands PCI functions over to a VFIO driver; "
			"msilat unbind undoes it.", bind_rows, &p, argc, argv, &first);
	return ret < 0 ? each(argc, argv, first, &p, bind_one) : ret;
}

int cmd_unbind(int argc, char **argv)
{
	struct bind_params p = { 0 };
	int first, ret;

	ret = cmd_parse("[options] BDF…", "Gives functions back to the driver they had before "
			"msilat bind.", UNBIND_ROWS, &p, argc, argv, &first);
	return ret < 0 ? each(argc, argv, first, &p, unbind_one) : ret;
}
