// SPDX-License-Identifier: GPL-2.0-only
/* The matrix of msilat hazard, and what is made of its cells. */
#include "hazard.h"
#include "unit.h"

#define ALL ((unsigned int)~0)
#define CONTENDER(i) (2u << (i))

static struct hazard_cell cells[1024];

static struct hazard_axes every(const char *strategy)
{
	return (struct hazard_axes){
		.strategy = strategy_find(strategy),
		.relations = 1u << RUN_BELOW | 1u << RUN_EQUAL | 1u << RUN_ABOVE,
		.poller_cpus = ALL, .waits = 7, .contenders = ALL, .contender_cpus = ALL,
	};
}

static size_t kinds(void)
{
	size_t n = 0;

	while (contender_at((unsigned int)n))
		n++;
	return n;
}

static void all_combinations_once(void **state)
{
	struct hazard_axes axes = every("split");
	size_t n = hazard_cells(&axes, NULL), i, k;

	(void)state;
	/* CPUs x relations x wait modes x (none, and each contender on both CPUs). */
	assert_int_equal(n, 2 * 3 * 3 * (1 + 2 * kinds()));
	assert_int_equal(hazard_cells(&axes, cells), n);
	for (i = 0; i < n; i++) {
		assert_true(cells[i].relation >= RUN_BELOW && cells[i].relation <= RUN_ABOVE);
		assert_false(cells[i].wait->busy);
		assert_int_equal(cells[i].wait->wake, STRATEGY_WAKE_EVENTFD);
		for (k = i + 1; k < n; k++)
			assert_memory_not_equal(&cells[i], &cells[k], sizeof(cells[i]));
	}
}

static void one_cell(void **state)
{
	struct hazard_axes axes = {
		.strategy = strategy_find("split"), .relations = 1u << RUN_ABOVE,
		.poller_cpus = 1u << HAZARD_OTHER, .waits = 2, .contenders = CONTENDER(0),
		.contender_cpus = 1u << HAZARD_SAME,
	};

	(void)state;
	assert_int_equal(hazard_cells(&axes, cells), 1);
	assert_int_equal(cells[0].relation, RUN_ABOVE);
	assert_int_equal(cells[0].poller_cpu, HAZARD_OTHER);
	assert_string_equal(cells[0].wait->name, "poll");
	assert_ptr_equal(cells[0].contender, contender_at(0));
	assert_int_equal(cells[0].contender_cpu, HAZARD_SAME);
	/* Without a contender its CPU is no reason for two cells, nor for none. */
	axes.contenders = 1;
	axes.contender_cpus = 0;
	assert_int_equal(hazard_cells(&axes, cells), 1);
	assert_null(cells[0].contender);
	axes.contender_cpus = ALL;
	assert_int_equal(hazard_cells(&axes, cells), 1);
}

/* In hard IRQ there is no thread to relate to, and what is not waited on cannot be shared. */
static void direct_is_a_control(void **state)
{
	struct hazard_axes axes = every("direct");
	size_t n, i, direct = 0;

	(void)state;
	axes.waits = 15;
	n = hazard_cells(&axes, cells);
	for (i = 0; i < n; i++) {
		if (cells[i].wait->wake == STRATEGY_WAKE_EVENTFD) {
			assert_int_not_equal(cells[i].relation, RUN_NONE);
			continue;
		}
		direct++;
		assert_int_equal(cells[i].relation, RUN_NONE);
		assert_true(!cells[i].contender || !cells[i].contender->shares);
	}
	/* On both CPUs: none, poll and epoll on both CPUs. */
	assert_int_equal(direct, 2 * (1 + 2 * 2));
	axes = every("thread-direct");
	axes.waits = 8;
	axes.poller_cpus = 1;
	assert_int_equal(hazard_cells(&axes, cells), 3 * (1 + 2 * 2));
}

static void lists_of_names(void **state)
{
	struct reason why;
	unsigned int mask;

	(void)state;
	assert_int_equal(hazard_list("wait", "read", hazard_wait_name, &mask, &why), 0);
	assert_int_equal(mask, 1);
	assert_int_equal(hazard_list("wait", "epoll,read", hazard_wait_name, &mask, &why), 0);
	assert_int_equal(mask, 5);
	assert_int_equal(hazard_list("relation", "all", hazard_relation_name, &mask, &why), 0);
	assert_int_equal(mask, 7);
	assert_int_equal(hazard_list("contender", "none", hazard_contender_name, &mask, &why), 0);
	assert_int_equal(mask, 1);
	assert_int_equal(hazard_list("poller-cpu", "same,same", hazard_cpu_name, &mask, &why), 0);
	assert_int_equal(mask, 1);
}

static void lists_that_are_none(void **state)
{
	struct reason why;
	unsigned int mask;
	char text[400];

	(void)state;
	assert_reason(hazard_list("wait", "spin", hazard_wait_name, &mask, &why), -EINVAL, &why,
		      "--wait spin: must be a list of read, poll, epoll");
	assert_reason(hazard_list("wait", "read,", hazard_wait_name, &mask, &why), -EINVAL, &why,
		      "--wait : must be");
	assert_reason(hazard_list("relation", "below above", hazard_relation_name, &mask, &why),
		      -EINVAL, &why, "--relation below above: must be a list of below, equal, above");
	assert_reason(hazard_list("relation", "none", hazard_relation_name, &mask, &why), -EINVAL,
		      &why, "--relation none");
	assert_reason(hazard_list("contender", "Poll", hazard_contender_name, &mask, &why), -EINVAL,
		      &why, "none, poll, epoll, reader, vector, irqfd");
	memset(text, 'x', sizeof(text) - 1);
	text[sizeof(text) - 1] = '\0';
	assert_reason(hazard_list("wait", text, hazard_wait_name, &mask, &why), -EINVAL, &why,
		      "too long");
}

static json_t *cell(const char *relation, const char *on, const char *wait, int min, int median,
		    bool contended)
{
	return json_pack("{s:s, s:s, s:s, s:o, s:{s:i, s:[{s:i, s:i}], s:i, s:i, s:i},"
			 " s:{s:i, s:i, s:i}, s:{s:i, s:i}, s:{s:i, s:i}, s:{s:i, s:i},"
			 " s:{s:s, s:i}, s:{s:s}, s:{s:s}, s:b}",
			 "relation", relation, "poller_on", on, "wait", wait, "contender",
			 contended ? json_pack("{s:s, s:s, s:i, s:b}", "kind", "epoll", "on", "other",
					       "taken", 7,
					       "taken_is_a_guess", on[0] == 'o') : json_null(),
			 "latency", "min", min, "percentiles", "p", 50, "value", median, "max",
			 2 * median, "commonest", min + 1, "paths", 3,
			 "probe", "free", 90, "running", 9, "own_thread", 1,
			 "counts", "fired", 100, "isr", 100,
			 "boosts", "irq_thread", 40, "events", 40,
			 "involuntary_switches", "poller", 1, "irq_thread", 200,
			 "poller", "policy", "FIFO", "priority", 49,
			 "irq_thread", "kind", "kthread", "invariant", "text", "100 fired; 1 LOST", "valid", !contended);
}

static json_t *manifest(const char *mode)
{
	json_t *m = json_pack("{s:s, s:s, s:s, s:{s:s, s:i}, s:i, s:i, s:{s:s, s:s, s:i}, s:i, s:b}",
			      "mode", mode, "state", "interrupted", "strategy", "split", "device",
			      "bdf", "0000:00:05.0", "vector", 0, "irq_cpu", 1, "other_cpu", 0,
			      "irq_thread", "kind", "IRQ thread", "policy", "FIFO", "priority", 50,
			      "cells_planned", 9, "valid", false);
	json_t *all = json_array();

	json_array_append_new(all, cell("below", "same", "read", 1000, 2000, false));
	json_array_append_new(all, cell("below", "same", "read", 1, 1, true));
	json_array_append_new(all, cell("above", "same", "read", 2500, 3000, false));
	json_array_append_new(all, cell("above", "same", "epoll", 9999999, 9999999, false));
	json_array_append_new(all, cell("below", "other", "read", 4000, 999999999, true));
	json_object_set_new(m, "cells", all);
	json_object_set_new(m, "left_out", json_pack("[{s:s, s:s}]", "left_out", "irqfd", "why",
						     "/dev/kvm: no"));
	return m;
}

/* Above against below, of the same wait mode and CPU, without a contender; by what the mode has. */
static void the_inversion_is_found(void **state)
{
	json_t *m = manifest("exact"), *all = hazard_inversion(m), *one = json_array_get(all, 0);

	(void)state;
	assert_int_equal(json_array_size(all), 1);
	assert_string_equal(json_string_value(json_object_get(one, "wait")), "read");
	assert_true(json_number_value(json_object_get(one, "ratio")) == 2.5);
	assert_true(json_number_value(json_object_get(one, "boosts_per_event")) == 1);
	assert_true(json_number_value(json_object_get(one, "switches_per_event")) == 2);
	json_decref(all);
	json_decref(m);
	m = manifest("hardware");
	all = hazard_inversion(m);
	assert_true(json_number_value(json_object_get(json_array_get(all, 0), "ratio")) == 1.5);
	json_decref(all);
	json_decref(m);
}

static void no_boosts_are_not_zero_boosts(void **state)
{
	json_t *m = manifest("exact"), *all;

	(void)state;
	json_object_set_new(json_array_get(json_object_get(m, "cells"), 2), "boosts", json_null());
	all = hazard_inversion(m);
	assert_true(json_is_null(json_object_get(json_array_get(all, 0), "boosts_per_event")));
	json_decref(all);
	json_decref(m);
}

/* Longest line of what is printed, in characters. */
static size_t print_width(const json_t *m, char **text)
{
	size_t size, widest = 0, n = 0;
	FILE *f = open_memstream(text, &size);
	const char *p;

	hazard_print(m, f);
	fclose(f);
	for (p = *text; *p; p++) {
		n = *p == '\n' ? 0 : n + ((*p & 0xc0) != 0x80);
		widest = n > widest ? n : widest;
	}
	return widest;
}

static void the_tables_fit_a_page(void **state)
{
	const char *const modes[] = { "exact", "live", "hardware", "sim" };
	json_t *m;
	char *text;
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(modes); i++) {
		m = manifest(modes[i]);
		assert_in_range(print_width(m, &text), 90, 100);
		assert_text(text, "INVALID");
		assert_text(text, "state: interrupted, 5 of 9 cells");
		assert_text(text, " epoll@other ");
		assert_text(text, "1.00");
		assert_text(text, "9.00");
		assert_text(text, "skipped: irqfd: /dev/kvm: no");
		assert_text(text, "  7 events were taken");
		assert_text(text, "  7 are missing where irqfd contends");
		assert_text(text, "1 LOST");
		free(text);
		json_decref(m);
	}
}

/* What a manifest from elsewhere lacks costs a dash, not a crash. */
static void an_empty_manifest_prints(void **state)
{
	json_t *m = json_pack("{s:[{}, {}]}", "cells");
	char *text;

	(void)state;
	assert_in_range(print_width(m, &text), 1, 100);
	free(text);
	json_decref(m);
}

static void priorities_of_the_poller(void **state)
{
	static struct hazard h;
	struct hazard_cell c = { .relation = RUN_BELOW };

	(void)state;
	h.irq_priority = 50;
	assert_int_equal(hazard_priority(&h, &c), 49);
	c.relation = RUN_EQUAL;
	assert_int_equal(hazard_priority(&h, &c), 50);
	c.relation = RUN_ABOVE;
	assert_int_equal(hazard_priority(&h, &c), 51);
	c.relation = RUN_NONE;
	assert_true(hazard_priority(&h, &c) > 0);
	h.sim = true;
	assert_int_equal(hazard_priority(&h, &c), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_combinations_once),
		cmocka_unit_test(one_cell),
		cmocka_unit_test(direct_is_a_control),
		cmocka_unit_test(lists_of_names),
		cmocka_unit_test(lists_that_are_none),
		cmocka_unit_test(the_inversion_is_found),
		cmocka_unit_test(no_boosts_are_not_zero_boosts),
		cmocka_unit_test(the_tables_fit_a_page),
		cmocka_unit_test(an_empty_manifest_prints),
		cmocka_unit_test(priorities_of_the_poller),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
