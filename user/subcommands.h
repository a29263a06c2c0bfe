/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef MSILAT_SUBCOMMANDS_H
#define MSILAT_SUBCOMMANDS_H

#include "option.h"
#include "reason.h"

/*
 * Exit codes of the program (results/README.md). Subcommands return them; main() exits.
 */
#define EXIT_OK		0
#define EXIT_ERROR	1
#define EXIT_THRESHOLD	2
#define EXIT_INVALID	3

int cmd_list(int argc, char **argv);
int cmd_bind(int argc, char **argv);
int cmd_unbind(int argc, char **argv);
int cmd_run(int argc, char **argv);
int cmd_show(int argc, char **argv);
int cmd_hazard(int argc, char **argv);

/**
 * cmd_parse - parse a subcommand's options and deal with --help and errors
 * @usage: what comes after the subcommand's name, e.g. "BDF [options]".
 * @summary: one line.
 * @rows: options; NULL for none.
 * @params: parameters, set to their defaults.
 * @first: receives the index of the first argument that is no option.
 *
 * Return: -1 to go on, else the exit code.
 */
int cmd_parse(const char *usage, const char *summary, const struct option_row *rows, void *params,
	      int argc, char **argv, int *first);

/**
 * cmd_catch_signals - let SIGINT, SIGTERM and SIGHUP end a measurement in order
 *
 * They are blocked in all threads to come and read from a descriptor. One that comes while the
 * measurement is prepared ends it as soon as it has begun.
 *
 * Return: the descriptor.
 */
int cmd_catch_signals(void);

/** cmd_fail - show a reason; returns EXIT_ERROR */
int cmd_fail(const struct reason *why);

/** cmd_echo - announce what is written to the host, for sysfs_echo() */
void cmd_echo(const char *path, const char *text);

#endif
