// SPDX-License-Identifier: GPL-2.0-only
/* The parser, and with it every row of params_rows. */
#include "option.h"
#include "params.h"
#include "unit.h"

#define ARGS_MAX 16

static struct params p;
static struct reason why;
static int first;
static char args[ARGS_MAX][128];
static char *argv[ARGS_MAX + 1];
static int argc;

/* Parse "run" and these arguments. */
static int parse(unsigned int n, const char *const *list)
{
	unsigned int i;

	assert_true(n < ARGS_MAX);
	strcpy(args[0], "run");
	argv[0] = args[0];
	for (i = 0; i < n; i++) {
		snprintf(args[i + 1], sizeof(args[0]), "%s", list[i]);
		argv[i + 1] = args[i + 1];
	}
	argc = (int)n + 1;
	argv[argc] = NULL;
	p = params_default;
	memset(&why, 0, sizeof(why));
	return options_parse(params_rows, &p, argc, argv, &first, &why);
}

#define PARSE(...) parse(ARRAY_SIZE(((const char *const[]){ __VA_ARGS__ })),	\
			 (const char *const[]){ __VA_ARGS__ })

static const struct option_row *row(const char *name)
{
	const struct option_row *r;

	for (r = params_rows; r->name; r++)
		if (!strcmp(r->name, name))
			return r;
	fail_msg("there is no option --%s", name);
	return NULL;
}

static int64_t number_of(const struct option_row *r)
{
	return *(int64_t *)((char *)&p + r->offset);
}

static const char *text_of(const struct option_row *r)
{
	return *(const char **)((char *)&p + r->offset);
}

/* Give one option one value in each way it can be written; the last return value. */
static void give(const struct option_row *r, const char *value, int want)
{
	char joined[192], letter[3] = { '-', r->letter, '\0' }, name[64];

	snprintf(name, sizeof(name), "--%s", r->name);
	assert_int_equal(PARSE(name, value), want);
	snprintf(joined, sizeof(joined), "--%s=%s", r->name, value);
	assert_int_equal(PARSE(joined), want);
	if (!r->letter)
		return;
	assert_int_equal(PARSE(letter, value), want);
	if (!*value)
		return;
	snprintf(joined, sizeof(joined), "-%c%s", r->letter, value);
	assert_int_equal(PARSE(joined), want);
}

static void good_number(const struct option_row *r, int64_t value)
{
	char text[32];

	snprintf(text, sizeof(text), "%lld", (long long)value);
	give(r, text, 0);
	assert_true(number_of(r) == value);
}

static void bad_value(const struct option_row *r, const char *text, const char *part)
{
	char name[64];

	give(r, text, -EINVAL);
	snprintf(name, sizeof(name), "--%s", r->name);
	assert_text(why.text, name);
	assert_text(why.text, text);
	assert_text(why.text, part);
	assert_null(strchr(why.text, '\n'));
}

static void bad_number(const struct option_row *r, int64_t value)
{
	char text[32];

	snprintf(text, sizeof(text), "%lld", (long long)value);
	bad_value(r, text, "must be");
}

/* The ranges as the documents promise them, apart from the table. */
static void every_number_and_its_range(void **state)
{
	static const struct {
		const char *name;
		int64_t min, max;
	} numbers[] = {
		{ "priority", 0, 99 }, { "affinity", 0, 8191 }, { "irq-prio", 1, 99 },
		{ "irq-cpu", 0, 8191 }, { "loops", 1, 1000000000000 }, { "interval", 1, 60000000 },
		{ "jitter", 0, 60000000 }, { "seed", 1, INT64_MAX }, { "burst", 1, 1024 },
		{ "trigger-prio", 0, 99 }, { "trigger-cpu", 0, 8191 }, { "recorder-cpu", 0, 8191 },
		{ "timeout", 1, 3600000 }, { "vector", 0, 2047 },
	};
	static const char *const no_numbers[] = {
		"x", "1x", "0x10", "1.5", "1,5", "1e3", "--", "+", "1 2", " ", "1 ", " 1",
	};
	const struct option_row *r;
	unsigned int count = 0;
	size_t i, j;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(numbers); i++) {
		r = row(numbers[i].name);
		assert_int_equal(r->type, OPTION_NUMBER);
		good_number(r, numbers[i].min);
		good_number(r, numbers[i].min + 1);
		good_number(r, numbers[i].max - 1);
		good_number(r, numbers[i].max);
		bad_number(r, numbers[i].min - 1);
		bad_number(r, -5);
		if (numbers[i].max < INT64_MAX)
			bad_number(r, numbers[i].max + 1);
		bad_value(r, "9223372036854775808", "must be");
		bad_value(r, "99999999999999999999999", "must be");
		bad_value(r, "-99999999999999999999999", "must be");
		for (j = 0; j < ARRAY_SIZE(no_numbers); j++)
			bad_value(r, no_numbers[j], "not a number");
		give(r, "", -EINVAL);
	}
	for (r = params_rows; r->name; r++)
		count += r->type == OPTION_NUMBER;
	assert_int_equal(count, ARRAY_SIZE(numbers));
}

static void every_duration(void **state)
{
	static const char *const names[] = { "duration", "checkpoint" };
	static const struct {
		const char *text;
		int64_t seconds;
	} good[] = {
		{ "1", 1 }, { "90", 90 }, { "90s", 90 }, { "5m", 300 }, { "2h", 7200 }, { "1d", 86400 },
	};
	static const char *const bad[] = {
		"x", "5w", "5ms", "1.5h", "5 m", "m", "5mm", "5S", "1h30m", " 5m",
	};
	const struct option_row *r;
	size_t i, j;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(names); i++) {
		r = row(names[i]);
		assert_int_equal(r->type, OPTION_DURATION);
		for (j = 0; j < ARRAY_SIZE(good); j++) {
			give(r, good[j].text, 0);
			assert_true(number_of(r) == good[j].seconds);
		}
		for (j = 0; j < ARRAY_SIZE(bad); j++)
			bad_value(r, bad[j], "not a duration");
		bad_value(r, "0", "must be");
		bad_value(r, "0d", "must be");
		bad_value(r, "-1", "must be");
		bad_value(r, "-1d", "must be");
		bad_value(r, "9223372036854775807d", "must be");
		give(r, "", -EINVAL);
	}
	give(row("duration"), "366d", 0);
	assert_int_equal(p.duration, 366 * 86400);
	bad_value(row("duration"), "367d", "must be");
	bad_value(row("duration"), "8785h", "must be");
	give(row("checkpoint"), "24h", 0);
	bad_value(row("checkpoint"), "86401", "must be");
}

static void every_choice(void **state)
{
	static const struct {
		const char *name;
		const char *choices[10];
	} all[] = {
		{ "strategy", { "stock", "thread", "split", "kthread", "irqwork", "nothread",
				"thread-direct", "direct", "page" } },
		{ "wait", { "read", "poll", "epoll", "spin", "direct", "page" } },
		{ "scenario", { "sync", "idle", "busy", "self" } },
		{ "backend", { "edu", "inject", "sim" } },
	};
	const struct option_row *r;
	size_t i, j;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(all); i++) {
		r = row(all[i].name);
		assert_int_equal(r->type, OPTION_CHOICE);
		bad_value(r, "rubbish", "must be one of");
		for (j = 0; all[i].choices[j]; j++) {
			assert_text(why.text, all[i].choices[j]);
			give(r, all[i].choices[j], 0);
			assert_string_equal(text_of(r), all[i].choices[j]);
			bad_value(r, "rubbish", "must be one of");
		}
		assert_null(r->choice((unsigned int)j));
		give(r, "", -EINVAL);
		give(r, "STOCK", -EINVAL);
	}
}

static void every_text(void **state)
{
	static const char *const names[] = { "results", "label", "sim" };
	const struct option_row *r;
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(names); i++) {
		r = row(names[i]);
		assert_int_equal(r->type, OPTION_TEXT);
		give(r, "some text, with=signs", 0);
		assert_string_equal(text_of(r), "some text, with=signs");
		give(r, "", -EINVAL);
		assert_text(why.text, "the value is empty");
	}
}

static void every_flag(void **state)
{
	(void)state;
	assert_int_equal(PARSE("sim"), 0);
	assert_true(!p.samples && !p.quiet && !p.json && !p.eventfd);
	assert_int_equal(PARSE("--samples", "--quiet", "--json", "--eventfd"), 0);
	assert_true(p.samples && p.quiet && p.json && p.eventfd);
	assert_int_equal(PARSE("-q"), 0);
	assert_true(p.quiet && !p.samples && !p.json);
	assert_int_equal(PARSE("--quiet=yes"), -EINVAL);
	assert_text(why.text, "--quiet");
}

/* What is not given stays as params_default has it, whatever else is. */
static void defaults_stay(void **state)
{
	struct params want = params_default;

	(void)state;
	assert_int_equal(PARSE("sim"), 0);
	assert_memory_equal(&p, &want, sizeof(p));
	assert_int_equal(PARSE("-p", "80"), 0);
	want.priority = 80;
	assert_memory_equal(&p, &want, sizeof(p));
	assert_string_equal(want.wait, "");
	assert_string_equal(want.scenario, "sync");
	assert_int_equal(want.interval_us, 1000);
}

static void options_may_follow_the_device(void **state)
{
	(void)state;
	assert_int_equal(PARSE("-p", "80", "sim", "-l", "5"), 0);
	assert_int_equal(first, argc - 1);
	assert_string_equal(argv[first], "sim");
	assert_true(p.priority == 80 && p.loops == 5);
	assert_int_equal(PARSE("-q", "--", "-l"), 0);
	assert_string_equal(argv[first], "-l");
	assert_int_equal(PARSE("-"), 0);
	assert_string_equal(argv[first], "-");
}

static void the_last_one_counts(void **state)
{
	(void)state;
	assert_int_equal(PARSE("-p", "80", "--priority", "20"), 0);
	assert_int_equal(p.priority, 20);
}

static void an_unambiguous_beginning_is_enough(void **state)
{
	(void)state;
	assert_int_equal(PARSE("--prio", "30"), 0);
	assert_int_equal(p.priority, 30);
	/* --recorder-cpu or --results. */
	assert_int_equal(PARSE("--re", "30"), -EINVAL);
	assert_text(why.text, "--re: unknown or ambiguous option");
}

static void unknown_options(void **state)
{
	(void)state;
	assert_int_equal(PARSE("sim", "--frobnicate", "-q"), -EINVAL);
	assert_text(why.text, "--frobnicate: unknown");
	assert_text(why.text, "msilat run --help");
	assert_int_equal(PARSE("-q", "-Z", "sim"), -EINVAL);
	assert_text(why.text, "-Z: unknown");
	assert_int_equal(PARSE("-qZ", "sim"), -EINVAL);
	assert_text(why.text, "-Z: unknown");
}

static void a_missing_value(void **state)
{
	const struct option_row *r;
	char text[64];

	(void)state;
	for (r = params_rows; r->name; r++) {
		if (r->type == OPTION_FLAG)
			continue;
		snprintf(text, sizeof(text), "--%s", r->name);
		assert_int_equal(PARSE("sim", text), -EINVAL);
		assert_text(why.text, text);
		assert_text(why.text, "needs a value");
		if (!r->letter)
			continue;
		snprintf(text, sizeof(text), "-%c", r->letter);
		assert_int_equal(PARSE("sim", text), -EINVAL);
		assert_text(why.text, text);
		assert_text(why.text, "needs a value");
	}
}

static void help_is_help_wherever_it_stands(void **state)
{
	(void)state;
	assert_int_equal(PARSE("--help"), OPTION_HELP);
	assert_int_equal(PARSE("-h"), OPTION_HELP);
	assert_int_equal(PARSE("sim", "-p", "5", "--help"), OPTION_HELP);
}

static void names_and_letters_are_unique(void **state)
{
	const struct option_row *a, *b;

	(void)state;
	for (a = params_rows; a->name; a++) {
		assert_true(a->letter != 'h' && strcmp(a->name, "help"));
		assert_non_null(a->help);
		assert_true(a->type == OPTION_FLAG || a->arg);
		for (b = a + 1; b->name; b++) {
			assert_string_not_equal(a->name, b->name);
			assert_true(!a->letter || a->letter != b->letter);
			assert_true(a->offset != b->offset);
		}
	}
}

static void help_names_every_option_choice_and_default(void **state)
{
	const struct option_row *r;
	char *text, part[64];
	unsigned int i;
	size_t size;
	FILE *f;

	(void)state;
	f = open_memstream(&text, &size);
	options_help(params_rows, &params_default, f);
	fclose(f);
	for (r = params_rows; r->name; r++) {
		snprintf(part, sizeof(part), "--%s", r->name);
		assert_text(text, part);
		assert_text(text, r->help);
		for (i = 0; r->choice && r->choice(i); i++)
			assert_text(text, r->choice(i));
		if (!r->letter)
			continue;
		snprintf(part, sizeof(part), "-%c, --%s", r->letter, r->name);
		assert_text(text, part);
	}
	assert_text(text, "pause between events [1000]");
	assert_text(text, "[sync]");
	/* "-1" stands for a decision and is no default to show. */
	assert_null(strstr(text, "[-1]"));
	assert_text(text, "-h, --help");
	free(text);
}

static char each[4096];

static void collect(void *arg, const char *name, const char *value, bool bare)
{
	size_t len = strlen(each);

	assert_ptr_equal(arg, each);
	snprintf(each + len, sizeof(each) - len, "%s=%s%s;", name, bare ? "" : "'", value);
}

static void each_option_is_handed_out(void **state)
{
	const struct option_row *r;
	char part[64];

	(void)state;
	each[0] = '\0';
	assert_int_equal(PARSE("-p", "80", "-D", "2m", "--label", "x", "-q", "sim"), 0);
	options_each(params_rows, &p, collect, each);
	for (r = params_rows; r->name; r++) {
		snprintf(part, sizeof(part), "%s=", r->name);
		assert_text(each, part);
	}
	assert_text(each, ";priority=80;");
	assert_text(each, ";duration=120;");
	assert_text(each, ";label='x;");
	assert_text(each, ";quiet=true;");
	assert_text(each, ";json=false;");
	assert_text(each, ";backend=';");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_number_and_its_range),
		cmocka_unit_test(every_duration),
		cmocka_unit_test(every_choice),
		cmocka_unit_test(every_text),
		cmocka_unit_test(every_flag),
		cmocka_unit_test(defaults_stay),
		cmocka_unit_test(options_may_follow_the_device),
		cmocka_unit_test(the_last_one_counts),
		cmocka_unit_test(an_unambiguous_beginning_is_enough),
		cmocka_unit_test(unknown_options),
		cmocka_unit_test(a_missing_value),
		cmocka_unit_test(help_is_help_wherever_it_stands),
		cmocka_unit_test(names_and_letters_are_unique),
		cmocka_unit_test(help_names_every_option_choice_and_default),
		cmocka_unit_test(each_option_is_handed_out),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
