// SPDX-License-Identifier: GPL-2.0-only
/* What the subcommands share. */
#include <signal.h>
#include <stdio.h>
#include <sys/signalfd.h>

#include "subcommands.h"

static const struct option_row no_rows[] = { { 0 } };

int cmd_parse(const char *usage, const char *summary, const struct option_row *rows, void *params,
	      int argc, char **argv, int *first)
{
	struct reason why = { 0 };
	int ret;

	if (!rows)
		rows = no_rows;
	ret = options_parse(rows, params, argc, argv, first, &why);
	if (!ret)
		return -1;
	if (ret == OPTION_HELP) {
		printf("Usage: msilat %s %s\n%s\n\n", argv[0], usage, summary);
		options_help(rows, params, stdout);
		return EXIT_OK;
	}
	return cmd_fail(&why);
}

int cmd_catch_signals(void)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGHUP);
	sigprocmask(SIG_BLOCK, &set, NULL);
	return signalfd(-1, &set, SFD_CLOEXEC);
}

int cmd_fail(const struct reason *why)
{
	fprintf(stderr, "msilat: %s\n", why->text[0] ? why->text : "out of memory");
	return EXIT_ERROR;
}

void cmd_echo(const char *path, const char *text)
{
	fprintf(stderr, "  echo %s > %s\n", text[0] ? text : "''", path);
}
