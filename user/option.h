/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef MSILAT_OPTION_H
#define MSILAT_OPTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "reason.h"

/**
 * enum option_type - what an option takes, and the type of its field
 * @OPTION_FLAG: nothing; bool.
 * @OPTION_NUMBER: decimal number within the row's range; int64_t.
 * @OPTION_DURATION: number with an optional s, m, h or d; seconds in an int64_t.
 * @OPTION_TEXT: any non-empty text; const char *.
 * @OPTION_CHOICE: one of the row's choices; const char *.
 */
enum option_type {
	OPTION_FLAG,
	OPTION_NUMBER,
	OPTION_DURATION,
	OPTION_TEXT,
	OPTION_CHOICE,
};

/**
 * struct option_row - everything there is to know about an option
 * @name: long name..
 * @letter: short name, 0 if none.
 * @type: see above.
 * @offset: of its field in the parameter structure.
 * @min: smallest number or duration; likewise @max.
 * @arg: name of the argument for help.
 * @help: one line.
 * @choice: i-th choice of OPTION_CHOICE, NULL past the last.
 *
 * The parser, the range check, the help text, the man page check and the manifest read the same
 * table. A table ends with a row whose @name is NULL.
 */
struct option_row {
	const char *name;
	char letter;
	enum option_type type;
	size_t offset;
	int64_t min;
	int64_t max;
	const char *arg;
	const char *help;
	const char *(*choice)(unsigned int i);
};

#define OPTION_HELP 1	/* options_parse(): --help was given */

/**
 * options_parse - parse a command line into a parameter structure
 * @rows: table.
 * @params: structure, set to its defaults.
 * @argc: as main() got it, from the subcommand's name on; likewise @argv, which is permuted.
 * @first: receives the index of the first argument that is no option.
 * @why: on failure names the option, the value and what would be right.
 *
 * Return: 0, OPTION_HELP, or -EINVAL.
 */
int options_parse(const struct option_row *rows, void *params, int argc, char **argv, int *first,
		  struct reason *why);

/** options_help - print the table as help */
void options_help(const struct option_row *rows, const void *defaults, FILE *out);

/**
 * options_each - hand out each option's value as text
 * @fn: called with name, value and whether the value is a number or flag (true, false).
 */
void options_each(const struct option_row *rows, const void *params,
		  void (*fn)(void *arg, const char *name, const char *value, bool bare),
		  void *arg);

#endif
