// SPDX-License-Identifier: GPL-2.0-only
#include <sched.h>

#include "cpulist.h"
#include "tree.h"
#include "unit.h"

static struct cpulist list;

static const char *format(size_t size)
{
	static char text[8192];

	memset(text, 'x', sizeof(text));
	cpulist_format(&list, text, size);
	assert_true(strlen(text) < size);
	assert_int_equal(text[size], 'x');
	return text;
}

static void good_lists(void **state)
{
	static const struct {
		const char *text, *canonical;
		int count, last;
	} good[] = {
		{ "", "", 0, -1 },
		{ "none", "", 0, -1 },
		{ "0", "0", 1, 0 },
		{ "0-3,8", "0-3,8", 5, 8 },
		{ "8,0-3", "0-3,8", 5, 8 },
		{ "1,2,3", "1-3", 3, 3 },
		{ "5-5", "5", 1, 5 },
		{ "0-31:2/8", "0-1,8-9,16-17,24-25", 8, 25 },
		{ "0-9:1/2", "0,2,4,6,8", 5, 8 },
		{ "1-10:3/4", "1-3,5-7,9-10", 8, 10 },
		{ "4-7:2/2", "4-7", 4, 7 },
		{ "63-64", "63-64", 2, 64 },
		{ "0,8191", "0,8191", 2, 8191 },
		{ "0-8191", "0-8191", 8192, 8191 },
		{ "1024-2047", "1024-2047", 1024, 2047 },
		{ "007", "7", 1, 7 },
		{ "3,3,1-4", "1-4", 4, 4 },
	};
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(good); i++) {
		assert_int_equal(cpulist_parse(&list, good[i].text), 0);
		assert_int_equal(cpulist_count(&list), good[i].count);
		assert_int_equal(cpulist_last(&list), good[i].last);
		assert_string_equal(format(256), good[i].canonical);
	}
}

static void bad_lists(void **state)
{
	static const char *const bad[] = {
		",", "0,", ",0", "0,,1", "a", "0x3", "-1", "+1", " 1", "1 ", "1-", "-", "3-1", "1-2-3",
		"0-3:", "0-3:2", "0-3:2/", "0-3:/4", "0-3:0/4", "0-3:2/0", "0-3:5/4", "1:1/2", "0-3/2",
		"none,1", "all", "0\n", "1.5", "0-3:2/4x", "N",
	};
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(bad); i++)
		if (cpulist_parse(&list, bad[i]) != -EINVAL)
			fail_msg("\"%s\" is not refused", bad[i]);
}

static void numbers_out_of_range(void **state)
{
	static const char *const bad[] = {
		"8192", "0-8192", "8192-8193", "4294967296", "18446744073709551616",
		"99999999999999999999999999", "0-3:2/9000",
	};
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(bad); i++)
		assert_int_equal(cpulist_parse(&list, bad[i]), -ERANGE);
}

static void random_sets_survive_a_round_trip(void **state)
{
	static char text[65536];
	struct cpulist back;
	uint64_t seed = 17;
	int round, i, n;

	(void)state;
	for (round = 0; round < 200; round++) {
		memset(&list, 0, sizeof(list));
		n = (int)(unit_random(&seed) % 3000);
		for (i = 0; i < n; i++)
			cpulist_add(&list, (int)(unit_random(&seed) % CPULIST_MAX));
		cpulist_format(&list, text, sizeof(text));
		assert_int_equal(cpulist_parse(&back, text), 0);
		assert_memory_equal(&list, &back, sizeof(list));
	}
}

static void add_del_has(void **state)
{
	(void)state;
	memset(&list, 0, sizeof(list));
	cpulist_add(&list, 0);
	cpulist_add(&list, 64);
	cpulist_add(&list, CPULIST_MAX - 1);
	assert_true(cpulist_has(&list, 0) && cpulist_has(&list, 64));
	assert_true(cpulist_has(&list, CPULIST_MAX - 1));
	assert_false(cpulist_has(&list, 1));
	assert_false(cpulist_has(&list, -1));
	assert_false(cpulist_has(&list, CPULIST_MAX));
	cpulist_del(&list, 64);
	assert_false(cpulist_has(&list, 64));
	assert_int_equal(cpulist_count(&list), 2);
}

static void a_list_too_long_is_cut_at_a_comma(void **state)
{
	size_t size;
	char *text, *end;

	(void)state;
	assert_int_equal(cpulist_parse(&list, "0-100:1/2"), 0);
	assert_string_equal(format(14), "0,2,4,6,8…");
	/* Whatever the size: whole numbers, then the mark; never a byte too many. */
	for (size = 4; size < 40; size++) {
		text = strdup(format(size));
		assert_non_null(text);
		end = strstr(text, "…");
		assert_non_null(end);
		assert_string_equal(end, "…");
		assert_true(end == text || (end[-1] >= '0' && end[-1] <= '9'));
		*end = '\0';
		assert_int_equal(cpulist_parse(&list, text), 0);
		free(text);
		assert_int_equal(cpulist_parse(&list, "0-100:1/2"), 0);
	}
}

static void online(void **state)
{
	(void)state;
	tree_put("/sys/devices/system/cpu/online", "0-3,6\n");
	cpulist_online(&list);
	assert_string_equal(format(64), "0-3,6");
	tree_put("/sys/devices/system/cpu/online", "0,2");
	cpulist_online(&list);
	assert_string_equal(format(64), "0,2");
}

static void online_falls_back_to_cpu_0(void **state)
{
	(void)state;
	cpulist_online(&list);
	assert_string_equal(format(64), "0");
	tree_put("/sys/devices/system/cpu/online", "");
	cpulist_online(&list);
	assert_string_equal(format(64), "0");
	tree_put("/sys/devices/system/cpu/online", "rubbish\n");
	cpulist_online(&list);
	assert_string_equal(format(64), "0");
}

static void allowed_and_bound(void **state)
{
	struct cpulist before, one = { 0 }, now;
	int cpu;

	(void)state;
	assert_int_equal(cpulist_allowed(&before), 0);
	assert_true(cpulist_count(&before) > 0);
	cpu = cpulist_last(&before);
	cpulist_add(&one, cpu);
	assert_int_equal(cpulist_bind(&one), 0);
	assert_int_equal(sched_getcpu(), cpu);
	assert_int_equal(cpulist_allowed(&now), 0);
	assert_memory_equal(&now, &one, sizeof(now));
	assert_int_equal(cpulist_bind(&before), 0);
}

static void bound_to_no_cpu_there_is(void **state)
{
	struct cpulist none = { 0 };

	(void)state;
	assert_int_equal(cpulist_bind(&none), -EINVAL);
	cpulist_add(&none, CPULIST_MAX - 1);
	assert_int_equal(cpulist_bind(&none), -EINVAL);
}

static void usable_is_asked_of_the_kernel(void **state)
{
	struct cpulist before, after, one = { 0 };
	int cpu;

	(void)state;
	assert_int_equal(cpulist_allowed(&before), 0);
	cpu = cpulist_last(&before);
	assert_true(cpulist_usable(cpu));
	assert_false(cpulist_usable(-1));
	assert_false(cpulist_usable(CPULIST_MAX - 1));
	assert_false(cpulist_usable(CPULIST_MAX));
	assert_int_equal(cpulist_allowed(&after), 0);
	assert_memory_equal(&before, &after, sizeof(after));
	/* A mask that leaves a CPU out does not make it unusable, and stays as it is. */
	for (cpu = 0; !cpulist_has(&before, cpu); cpu++)
		;
	cpulist_add(&one, cpu);
	assert_int_equal(cpulist_bind(&one), 0);
	assert_true(cpulist_usable(cpulist_last(&before)));
	assert_int_equal(cpulist_allowed(&after), 0);
	assert_memory_equal(&one, &after, sizeof(after));
	assert_int_equal(cpulist_bind(&before), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(good_lists),
		cmocka_unit_test(bad_lists),
		cmocka_unit_test(numbers_out_of_range),
		cmocka_unit_test(random_sets_survive_a_round_trip),
		cmocka_unit_test(add_del_has),
		cmocka_unit_test(a_list_too_long_is_cut_at_a_comma),
		cmocka_unit_test_setup_teardown(online, tree_open, tree_close),
		cmocka_unit_test_setup_teardown(online_falls_back_to_cpu_0, tree_open, tree_close),
		cmocka_unit_test(allowed_and_bound),
		cmocka_unit_test(bound_to_no_cpu_there_is),
		cmocka_unit_test(usable_is_asked_of_the_kernel),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
