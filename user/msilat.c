// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "subcommands.h"
#include "version.h"

static const struct {
	const char *name;
	int (*run)(int argc, char **argv);
	const char *summary;
} subcommands[] = {
	{ "list", cmd_list, "PCI functions that can be measured, and why others cannot" },
	{ "bind", cmd_bind, "hand a function over to a VFIO driver" },
	{ "unbind", cmd_unbind, "give it back to the driver it had" },
	{ "run", cmd_run, "measure, and write a result directory" },
	{ "hazard", cmd_hazard, "contention and priorities: what they cost, table of all cases" },
	{ "show", cmd_show, "print results" },
};

#define SUBCOMMANDS (sizeof(subcommands) / sizeof(subcommands[0]))

static void usage(FILE *out)
{
	size_t i;

	fputs("msilat measures how long this host takes from a PCIe device's MSI to a thread in user\n"
	      "space.\n\nUsage: msilat COMMAND [options]\n\n", out);
	for (i = 0; i < SUBCOMMANDS; i++)
		fprintf(out, "  %-8s %s\n", subcommands[i].name, subcommands[i].summary);
	fputs("\nmsilat COMMAND --help lists a command's options; msilat --version.\n"
	      "Exit: 0 ok, 1 error, 2 threshold exceeded, 3 run invalid.\n", out);
}

static int dispatch(int argc, char **argv)
{
	size_t i;

	if (argc < 2) {
		usage(stderr);
		return EXIT_ERROR;
	}
	if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h") || !strcmp(argv[1], "help")) {
		usage(stdout);
		return EXIT_OK;
	}
	if (!strcmp(argv[1], "--version")) {
		puts("msilat " MSILAT_VERSION);
		return EXIT_OK;
	}
	for (i = 0; i < SUBCOMMANDS; i++)
		if (!strcmp(argv[1], subcommands[i].name))
			return subcommands[i].run(argc - 1, argv + 1);
	fprintf(stderr, "msilat: %s: no such command (msilat --help)\n", argv[1]);
	return EXIT_ERROR;
}

int main(int argc, char **argv)
{
	int ret = dispatch(argc, argv);

	/* What was to be printed and is not is an error, whatever went well before. */
	if (fflush(stdout) || ferror(stdout)) {
		fprintf(stderr, "msilat: standard output: %s\n", strerror(errno));
		return EXIT_ERROR;
	}
	return ret;
}
