// SPDX-License-Identifier: GPL-2.0-only
/* Command lines of msilat run: an argument a line. */
#include <errno.h>
#include <string.h>

#include "fuzz.h"
#include "params.h"

#define ARGS_MAX 64

static const char *const samples[] = {
	"-p\n80\nsim", "--priority=80\n-a\n1\n--irq-prio\n50", "-D\n5m\n-l\n1000000\n-i\n100",
	"--strategy\nsplit\n--wait=epoll\n-S\nself", "-q\n--json\n--samples", "--help",
	"--sim\nmerge=thread,delay=5\n--label\nx\n--results\ny", "--\n-p\n5", "-qp5", "--seed\n1", NULL,
};
static const char *const words[] = {
	"-", "--", "=", "\n", "0", "-1", "9223372036854775807", "9223372036854775808", "d", "h", "\n\n",
	"--re", "-h", NULL,
};

static const char *text_of(const struct params *p, const struct option_row *row)
{
	return *(const char *const *)((const char *)p + row->offset);
}

static void check_ranges(const struct params *p)
{
	const struct option_row *row;
	const char *text;
	int64_t value, unset;
	unsigned int i;

	for (row = params_rows; row->name; row++) {
		if (row->type == OPTION_NUMBER || row->type == OPTION_DURATION) {
			value = *(const int64_t *)((const char *)p + row->offset);
			unset = *(const int64_t *)((const char *)&params_default + row->offset);
			fuzz_check(value == unset || (value >= row->min && value <= row->max),
				   row->name);
		}
		if (row->type != OPTION_TEXT && row->type != OPTION_CHOICE)
			continue;
		text = text_of(p, row);
		fuzz_check(text, row->name);
		for (i = 0; *text && row->choice && row->choice(i) && row->choice(i) != text; i++)
			;
		fuzz_check(!*text || !row->choice || row->choice(i) ||
			   text == text_of(&params_default, row), row->name);
	}
}

static void ignore(void *arg, const char *name, const char *value, bool bare)
{
	*(size_t *)arg += strlen(name) + strlen(value) + bare;
}

static void target(const char *input, size_t size)
{
	char copy[FUZZ_INPUT_MAX + 1], *argv[ARGS_MAX + 2], *p = copy, name[] = "run";
	struct reason why = { .text = "" };
	struct params params = params_default;
	int argc = 0, first = -1, ret;
	size_t sum = 0;

	memcpy(copy, input, size + 1);
	argv[argc++] = name;
	while (p && argc <= ARGS_MAX)
		argv[argc++] = strsep(&p, "\n");
	argv[argc] = NULL;
	ret = options_parse(params_rows, &params, argc, argv, &first, &why);
	fuzz_check(!ret || ret == OPTION_HELP || ret == -EINVAL, "another answer");
	fuzz_check((ret == -EINVAL) == (why.text[0] != '\0'), "error and reason disagree");
	check_ranges(&params);
	if (ret)
		return;
	fuzz_check(first >= 1 && first <= argc, "first argument");
	options_each(params_rows, &params, ignore, &sum);
}

int main(void)
{
	return fuzz_main(&(struct fuzz){ samples, words, target });
}
