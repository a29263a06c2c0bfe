// SPDX-License-Identifier: GPL-2.0-only
/* Settings of the host, and the interrupt's among them. */
#include <unistd.h>

#include "irq.h"
#include "knob.h"
#include "sysfs.h"
#include "tree.h"
#include "unit.h"

static struct knobs k;
static struct reason why;
static char writes[2048];

static void note(const char *path, const char *text)
{
	size_t len = strlen(writes);

	snprintf(writes + len, sizeof(writes) - len, "%s=%s;", strrchr(path, '/') + 1, text);
	/* A real attribute has no old content. */
	if (truncate(path, 0))
		return;
}

static int setup(void **state)
{
	if (tree_open(state))
		return -1;
	tree_mkdir("/run/lock");
	writes[0] = '\0';
	memset(&why, 0, sizeof(why));
	sysfs_echo(note);
	return knobs_init(&k, &why);
}

static int teardown(void **state)
{
	knobs_restore(&k);
	sysfs_echo(NULL);
	return tree_close(state);
}

static int set(const char *path, const char *text)
{
	char full[TREE_PATH_MAX];

	strcpy(full, tree_path(path));
	return knobs_set(&k, full, text, &why);
}

static void put_back_in_reverse_order(void **state)
{
	(void)state;
	tree_put("/proc/a", "1\n");
	tree_put("/proc/b", "2\n");
	assert_int_equal(set("/proc/a", "10"), 0);
	assert_int_equal(set("/proc/b", "20"), 0);
	assert_int_equal(set("/proc/a", "11"), 0);
	assert_string_equal(tree_text("/proc/a"), "11\n");
	knobs_restore(&k);
	assert_string_equal(writes, "a=10;b=20;a=11;a=10;b=2;a=1;");
	assert_string_equal(tree_text("/proc/a"), "1\n");
	assert_string_equal(tree_text("/proc/b"), "2\n");
}

static void what_is_set_already_is_not_touched(void **state)
{
	(void)state;
	tree_put("/proc/a", "1\n");
	assert_int_equal(set("/proc/a", "1"), 0);
	knobs_restore(&k);
	assert_string_equal(writes, "");
}

static void a_knob_that_cannot_be_set_is_as_it_was(void **state)
{
	(void)state;
	assert_reason(set("/proc/none", "1"), -ENOENT, &why, "/proc/none");
	assert_int_equal(k.count, 0);
	/* A directory can be read no more than written. */
	tree_mkdir("/proc/dir");
	assert_int_not_equal(set("/proc/dir", "1"), 0);
	assert_int_equal(k.count, 0);
}

static void one_that_is_gone_does_not_keep_the_others(void **state)
{
	(void)state;
	tree_put("/proc/a", "1\n");
	tree_put("/proc/b", "2\n");
	assert_int_equal(set("/proc/a", "10"), 0);
	assert_int_equal(set("/proc/b", "20"), 0);
	tree_remove("/proc/b");
	knobs_restore(&k);
	assert_string_equal(tree_text("/proc/a"), "1\n");
}

static void more_than_the_table_holds(void **state)
{
	char path[32];
	int i;

	(void)state;
	for (i = 0; i <= KNOBS_MAX; i++) {
		snprintf(path, sizeof(path), "/proc/k%d", i);
		tree_put(path, "0\n");
		assert_int_equal(set(path, "1"), i < KNOBS_MAX ? 0 : -E2BIG);
	}
	assert_string_equal(tree_text(path), "0\n");
	knobs_restore(&k);
	assert_string_equal(tree_text("/proc/k0"), "0\n");
}

/* What was there could not be put back if it did not fit. */
static void a_value_too_long_to_remember(void **state)
{
	char text[600];

	(void)state;
	memset(text, '7', sizeof(text) - 1);
	text[sizeof(text) - 1] = '\0';
	tree_put("/proc/long", text);
	if (!set("/proc/long", "1"))
		knobs_restore(&k);
	assert_string_equal(strtok((char *)tree_text("/proc/long"), "\n"), text);
}

static void two_runs_do_not_save_each_others_changes(void **state)
{
	struct knobs other;

	(void)state;
	if (geteuid())
		skip();
	assert_reason(knobs_init(&other, &why), -EBUSY, &why, "another msilat");
	assert_text(why.text, "msilat.lock");
	knobs_restore(&k);
	assert_int_equal(knobs_init(&other, &why), 0);
	knobs_restore(&other);
	assert_int_equal(knobs_init(&k, &why), 0);
}

static void a_system_without_run_lock(void **state)
{
	(void)state;
	if (geteuid())
		skip();
	knobs_restore(&k);
	tree_remove("/run/lock/msilat.lock");
	tree_remove("/run/lock");
	assert_int_equal(knobs_init(&k, &why), 0);
	assert_non_null(tree_text("/run/msilat.lock"));
}

static void hard_irqs_are_summed_over_the_cpus(void **state)
{
	static const struct {
		const char *text;
		uint64_t count;
	} cases[] = {
		{ "0\n", 0 }, { "5\n", 5 }, { "1,2,3,4\n", 10 }, { "0,0,7", 7 },
		{ "4294967295,4294967295\n", 8589934590 }, { "", UINT64_MAX }, { "1,x\n", UINT64_MAX },
		{ "1 2\n", UINT64_MAX },
	};
	size_t i;

	(void)state;
	assert_true(irq_count(25) == UINT64_MAX);
	assert_true(irq_count(0) == UINT64_MAX);
	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		tree_put("/sys/kernel/irq/25/per_cpu_count", cases[i].text);
		assert_true(irq_count(25) == cases[i].count);
	}
}

static void hard_irqs_of_a_thousand_cpus(void **state)
{
	static char text[16384];
	char *end = text;
	int i;

	(void)state;
	for (i = 0; i < 1024; i++)
		end += sprintf(end, "%s%d", i ? "," : "", 1000000);
	tree_put("/sys/kernel/irq/25/per_cpu_count", text);
	assert_true(irq_count(25) == 1024000000ull);
}

static void the_cpu_of_an_interrupt(void **state)
{
	static const struct {
		const char *text;
		int cpu;
	} cases[] = {
		{ "3\n", 3 }, { "0", 0 }, { "1-2\n", -1 }, { "1,3\n", -1 }, { "", -1 }, { "x\n", -1 },
	};
	size_t i;

	(void)state;
	assert_int_equal(irq_cpu(25), -1);
	assert_int_equal(irq_cpu(0), -1);
	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		tree_put("/proc/irq/25/effective_affinity_list", cases[i].text);
		assert_int_equal(irq_cpu(25), cases[i].cpu);
	}
}

static void an_interrupt_is_routed_and_put_back(void **state)
{
	(void)state;
	tree_put("/proc/irq/25/smp_affinity_list", "0-7\n");
	assert_int_equal(irq_route(&k, 25, 3, &why), 0);
	assert_string_equal(tree_text("/proc/irq/25/smp_affinity_list"), "3\n");
	knobs_restore(&k);
	assert_string_equal(tree_text("/proc/irq/25/smp_affinity_list"), "0-7\n");
	assert_reason(irq_route(&k, 26, 3, &why), -ENOENT, &why, "IRQ 26 cannot be sent to CPU 3");
	assert_text(why.text, "--irq-cpu");
}

#define TEST(test) cmocka_unit_test_setup_teardown(test, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(put_back_in_reverse_order),
		TEST(what_is_set_already_is_not_touched),
		TEST(a_knob_that_cannot_be_set_is_as_it_was),
		TEST(one_that_is_gone_does_not_keep_the_others),
		TEST(more_than_the_table_holds),
		TEST(a_value_too_long_to_remember),
		TEST(two_runs_do_not_save_each_others_changes),
		TEST(a_system_without_run_lock),
		TEST(hard_irqs_are_summed_over_the_cpus),
		TEST(hard_irqs_of_a_thousand_cpus),
		TEST(the_cpu_of_an_interrupt),
		TEST(an_interrupt_is_routed_and_put_back),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
