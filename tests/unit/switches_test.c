// SPDX-License-Identifier: GPL-2.0-only
#include <unistd.h>

#include "switches.h"
#include "tree.h"
#include "unit.h"

static void the_field_is_found(void **state)
{
	(void)state;
	tree_put("/proc/77/status", "Name:\tirq/25-msilat\nPid:\t77\n"
		 "voluntary_ctxt_switches:\t1234\nnonvoluntary_ctxt_switches:\t56\n");
	assert_true(switches_involuntary(77) == 56);
	tree_put("/proc/77/status", "voluntary_ctxt_switches:\t1\nnonvoluntary_ctxt_switches:\t\n");
	assert_true(switches_involuntary(77) == SWITCHES_UNKNOWN);
	tree_put("/proc/77/status", "voluntary_ctxt_switches:\t1\n");
	assert_true(switches_involuntary(77) == SWITCHES_UNKNOWN);
}

static void there_is_no_such_thread(void **state)
{
	(void)state;
	assert_true(switches_involuntary(78) == SWITCHES_UNKNOWN);
	assert_true(switches_involuntary(0) == SWITCHES_UNKNOWN);
	assert_int_equal(switches_thread("msilat-poller"), 0);
}

static void a_thread_is_found_by_name(void **state)
{
	(void)state;
	tree_put("/proc/self/task/10/comm", "msilat\n");
	tree_put("/proc/self/task/11/comm", "msilat-poller\n");
	tree_put("/proc/self/task/12/comm", "msilat-poller2\n");
	assert_int_equal(switches_thread("msilat-poller"), 11);
	assert_int_equal(switches_thread("poller"), 0);
}

/* The kernel's own text, whatever its version. */
static void this_threads_own(void **state)
{
	(void)state;
	assert_true(switches_involuntary(getpid()) != SWITCHES_UNKNOWN);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(the_field_is_found, tree_open, tree_close),
		cmocka_unit_test_setup_teardown(there_is_no_such_thread, tree_open, tree_close),
		cmocka_unit_test_setup_teardown(a_thread_is_found_by_name, tree_open, tree_close),
		cmocka_unit_test(this_threads_own),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
