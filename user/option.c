// SPDX-License-Identifier: GPL-2.0-only
#include <ctype.h>
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "option.h"

#define ROWS_MAX 64

static int64_t *number_at(const struct option_row *row, const void *params)
{
	return (int64_t *)((char *)params + row->offset);
}

static const char **text_at(const struct option_row *row, const void *params)
{
	return (const char **)((char *)params + row->offset);
}

static bool *flag_at(const struct option_row *row, const void *params)
{
	return (bool *)((char *)params + row->offset);
}

/* Seconds in one of a duration's unit; 0 if there is no such unit. */
static int64_t unit(const char *suffix)
{
	static const struct {
		const char *suffix;
		int64_t seconds;
	} units[] = { { "", 1 }, { "s", 1 }, { "m", 60 }, { "h", 3600 }, { "d", 86400 } };
	size_t i;

	for (i = 0; i < sizeof(units) / sizeof(units[0]); i++)
		if (!strcmp(suffix, units[i].suffix))
			return units[i].seconds;
	return 0;
}

static int set_number(const struct option_row *row, void *params, const char *text,
		      struct reason *why)
{
	int64_t value, scale;
	char *end;

	errno = 0;
	value = strtoll(text, &end, 10);
	/* strtoll() passes over white space. */
	if (isspace((unsigned char)*text))
		end = (char *)text;
	scale = row->type == OPTION_DURATION ? unit(end) : !*end;
	if (end == text || !scale)
		return reason_set(why, -EINVAL, "--%s %s: not a %s%s", row->name, text,
				  row->type == OPTION_DURATION ? "duration" : "number",
				  row->type == OPTION_DURATION ? "; write 90, 90s, 5m, 2h or 1d" : "");
	if (errno || value < row->min || value > row->max / scale)
		return reason_set(why, -EINVAL, "--%s %s: must be %" PRId64 " to %" PRId64 "%s",
				  row->name, text, row->min, row->max,
				  row->type == OPTION_DURATION ? " seconds" : "");
	*number_at(row, params) = value * scale;
	return 0;
}

static int set_choice(const struct option_row *row, void *params, const char *text,
		      struct reason *why)
{
	char all[256] = "";
	const char *c;
	unsigned int i;

	for (i = 0; (c = row->choice(i)); i++) {
		if (!strcmp(c, text)) {
			*text_at(row, params) = c;
			return 0;
		}
		if (strlen(all) + strlen(c) + 3 < sizeof(all)) {
			strcat(all, i ? ", " : "");
			strcat(all, c);
		}
	}
	return reason_set(why, -EINVAL, "--%s %s: must be one of %s", row->name, text, all);
}

static int set(const struct option_row *row, void *params, const char *text, struct reason *why)
{
	switch (row->type) {
	case OPTION_FLAG:
		*flag_at(row, params) = true;
		return 0;
	case OPTION_NUMBER:
	case OPTION_DURATION:
		return set_number(row, params, text, why);
	case OPTION_CHOICE:
		return set_choice(row, params, text, why);
	case OPTION_TEXT:
		break;
	}
	if (!*text)
		return reason_set(why, -EINVAL, "--%s: the value is empty", row->name);
	*text_at(row, params) = text;
	return 0;
}

/* Build what getopt_long() needs. Values: 1000 + row; a letter stands for itself. */
static void getopt_tables(const struct option_row *rows, struct option *longs, char *shorts)
{
	unsigned int i, n = 0;

	/* '+' is not used: options may follow the device. ':' tells a missing argument apart. */
	*shorts++ = ':';
	for (i = 0; rows[i].name; i++) {
		longs[n++] = (struct option){
			.name = rows[i].name,
			.has_arg = rows[i].type == OPTION_FLAG ? no_argument : required_argument,
			.val = 1000 + (int)i,
		};
		if (!rows[i].letter)
			continue;
		*shorts++ = rows[i].letter;
		if (rows[i].type != OPTION_FLAG)
			*shorts++ = ':';
	}
	longs[n++] = (struct option){ .name = "help", .has_arg = no_argument, .val = 'h' };
	longs[n] = (struct option){ 0 };
	*shorts++ = 'h';
	*shorts = '\0';
}

static const struct option_row *row_of(const struct option_row *rows, int value)
{
	unsigned int i;

	if (value >= 1000)
		return &rows[value - 1000];
	for (i = 0; rows[i].name; i++)
		if (rows[i].letter == value)
			return &rows[i];
	return NULL;
}

/* getopt_long() names a bad short option in optopt, a long one only in argv. */
static int bad_option(int c, char **argv, struct reason *why)
{
	char letter[3] = { '-', (char)optopt, '\0' };
	const char *name = optopt && optopt < 1000 ? letter : argv[optind - 1];

	if (c == ':')
		return reason_set(why, -EINVAL, "%s: needs a value (msilat %s --help)",
				  argv[optind - 1], argv[0]);
	return reason_set(why, -EINVAL, "%s: unknown or ambiguous option (msilat %s --help)", name,
			  argv[0]);
}

int options_parse(const struct option_row *rows, void *params, int argc, char **argv, int *first,
		  struct reason *why)
{
	struct option longs[ROWS_MAX + 2];
	char shorts[2 * ROWS_MAX + 4];
	int c, ret;

	getopt_tables(rows, longs, shorts);
	opterr = 0;
	optind = 0;	/* glibc: start afresh, whatever was parsed before */
	while ((c = getopt_long(argc, argv, shorts, longs, NULL)) != -1) {
		if (c == 'h')
			return OPTION_HELP;
		if (c == '?' || c == ':')
			return bad_option(c, argv, why);
		ret = set(row_of(rows, c), params, optarg, why);
		if (ret)
			return ret;
	}
	*first = optind;
	return 0;
}

static void help_default(const struct option_row *row, const void *defaults, FILE *out)
{
	switch (row->type) {
	case OPTION_FLAG:
		break;
	case OPTION_NUMBER:
	case OPTION_DURATION:
		/* A default below the range means "decided at run time"; the help line says how. */
		if (*number_at(row, defaults) >= row->min)
			fprintf(out, " [%" PRId64 "]", *number_at(row, defaults));
		break;
	case OPTION_TEXT:
	case OPTION_CHOICE:
		if (*text_at(row, defaults) && **text_at(row, defaults))
			fprintf(out, " [%s]", *text_at(row, defaults));
		break;
	}
}

#define HELP_AT 29	/* column where help begins */
#define HELP_END 92	/* where a list is continued below; room is left for the default */

/* "help: one, two", in as many lines as it takes. */
static void help_choices(const struct option_row *row, FILE *out)
{
	int at = HELP_AT + (int)strlen(row->help);
	const char *c;
	unsigned int n;

	for (n = 0; row->choice && (c = row->choice(n)); n++) {
		at += fprintf(out, "%s", n ? "," : ":");
		if (at + 1 + (int)strlen(c) > HELP_END)
			at = fprintf(out, "\n%*s", HELP_AT - 1, "") - 1;
		at += fprintf(out, " %s", c);
	}
}

void options_help(const struct option_row *rows, const void *defaults, FILE *out)
{
	char left[48];
	unsigned int i;
	int len;

	for (i = 0; rows[i].name; i++) {
		if (rows[i].letter)
			len = snprintf(left, sizeof(left), "  -%c, --%s", rows[i].letter,
				       rows[i].name);
		else
			len = snprintf(left, sizeof(left), "      --%s", rows[i].name);
		if (rows[i].arg)
			snprintf(left + len, sizeof(left) - len, " %s", rows[i].arg);
		fprintf(out, "%-*s %s", HELP_AT - 1, left, rows[i].help);
		help_choices(&rows[i], out);
		help_default(&rows[i], defaults, out);
		fputc('\n', out);
	}
	fprintf(out, "%-*s %s\n", HELP_AT - 1, "  -h, --help", "this text");
}

void options_each(const struct option_row *rows, const void *params,
		  void (*fn)(void *arg, const char *name, const char *value, bool bare), void *arg)
{
	const char *text;
	char number[32];
	unsigned int i;

	for (i = 0; rows[i].name; i++) {
		switch (rows[i].type) {
		case OPTION_FLAG:
			fn(arg, rows[i].name, *flag_at(&rows[i], params) ? "true" : "false", true);
			break;
		case OPTION_NUMBER:
		case OPTION_DURATION:
			snprintf(number, sizeof(number), "%" PRId64, *number_at(&rows[i], params));
			fn(arg, rows[i].name, number, true);
			break;
		case OPTION_TEXT:
		case OPTION_CHOICE:
			text = *text_at(&rows[i], params);
			fn(arg, rows[i].name, text ? text : "", false);
			break;
		}
	}
}
