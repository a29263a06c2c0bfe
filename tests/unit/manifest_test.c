// SPDX-License-Identifier: GPL-2.0-only
/* The manifest of a real run on sim, and manifests that are damaged. */
#include <time.h>
#include <unistd.h>

#include "host.h"
#include "manifest.h"
#include "summary.h"
#include "tree.h"
#include "unit.h"

static struct run *r;
static struct reason why;
static char results[TREE_PATH_MAX];

/* A short run on sim, from preparation to accounts; the machine's own /sys and /proc. */
static int run_once(void **state)
{
	static char command[] = "run", target[] = "sim";
	static char *argv[] = { command, target, NULL };
	const struct timespec pause = { .tv_nsec = 1000000 };
	int i;

	if (tree_open(state))
		return -1;
	strcpy(results, tree_path("/results"));
	unsetenv("MSILAT_SYSROOT");
	r = calloc(1, sizeof(*r));
	if (!r)
		return -1;
	r->params = params_default;
	r->params.results = results;
	r->params.label = "unit";
	r->params.loops = 50;
	r->params.interval_us = 10;
	r->params.seed = 1;
	r->params.priority = 0;
	r->params.quiet = true;
	r->argc = 2;
	r->argv = argv;
	if (run_prepare(r, "sim", &why) || run_start(r, &why)) {
		fprintf(stderr, "%s\n", why.text);
		return -1;
	}
	for (i = 0; i < 10000 && !run_finished(r); i++)
		nanosleep(&pause, NULL);
	run_stop(r, false);
	return 0;
}

static int release(void **state)
{
	run_release(r);
	free(r);
	return tree_close(state);
}

/* "a.b" is key b of the object at key a. */
static const json_t *at(const json_t *o, const char *path)
{
	char key[64];
	size_t len;

	while (o && *path) {
		len = strcspn(path, ".");
		snprintf(key, sizeof(key), "%.*s", (int)len, path);
		o = json_object_get(o, key);
		path += len + (path[len] == '.');
	}
	return o;
}

static void every_key_of_the_schema(void **state)
{
	static const struct {
		const char *path;
		char type;	/* text, number, boolean, object, array; N: null */
	} keys[] = {
		{ "schema", 'n' }, { "tool", 'o' }, { "tool.name", 's' }, { "tool.version", 's' },
		{ "state", 's' }, { "label", 's' }, { "command", 'a' }, { "started", 's' },
		{ "elapsed_s", 'n' }, { "mode", 's' }, { "unit", 's' }, { "device", 'o' },
		{ "device.backend", 's' }, { "device.name", 's' }, { "device.vector", 'n' },
		{ "strategy", 's' }, { "wait", 's' }, { "eventfd", 's' }, { "scenario", 's' }, { "poller", 'o' },
		{ "poller.policy", 's' }, { "poller.priority", 'n' }, { "poller.cpu", 'n' },
		{ "irq_thread", 'N' }, { "priority_relation", 's' }, { "trigger", 'o' },
		{ "schedule", 'o' }, { "schedule.interval_us", 'n' }, { "schedule.jitter_us", 'n' },
		{ "schedule.seed", 'n' }, { "schedule.count", 'n' }, { "schedule.duration_s", 'n' },
		{ "load", 'N' }, { "host", 'o' }, { "host.kernel", 's' }, { "host.realtime", 'b' },
		{ "host.cmdline", 's' }, { "host.mitigations", 'o' }, { "host.cpu", 's' },
		{ "lab", 'N' }, { "clock", 'o' }, { "clock.source", 's' }, { "clock.hz", 'n' },
		{ "clock.error_ppm", 'n' }, { "clock.stable", 'b' }, { "counts", 'o' },
		{ "counts.fired", 'n' }, { "counts.isr", 'n' }, { "counts.threads", 'n' },
		{ "counts.signals", 'n' }, { "counts.catchups", 'n' }, { "counts.values", 'n' },
		{ "counts.wakes", 'n' }, { "counts.samples", 'n' }, { "counts.lost", 'n' },
		{ "counts.ring_drops", 'n' }, { "merges", 'o' }, { "merges.device_to_isr", 'n' },
		{ "merges.isr_to_thread", 'n' }, { "merges.wake", 'n' }, { "merges.unknown", 'N' },
		{ "invariant", 'o' }, { "invariant.holds", 'b' }, { "invariant.text", 's' },
		{ "verdicts", 'a' }, { "valid", 'b' }, { "exit", 'n' }, { "stages", 'a' },
	};
	json_t *m = manifest_json(r);
	const json_t *v;
	bool fits;
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(keys); i++) {
		v = at(m, keys[i].path);
		fits = v && (keys[i].type == 's' ? json_is_string(v) :
			     keys[i].type == 'n' ? json_is_number(v) :
			     keys[i].type == 'b' ? json_is_boolean(v) :
			     keys[i].type == 'o' ? json_is_object(v) :
			     keys[i].type == 'a' ? json_is_array(v) : json_is_null(v));
		if (!fits)
			fail_msg("%s: missing, or of another type than %c", keys[i].path,
				 keys[i].type);
	}
	json_decref(m);
}

static void what_the_run_was(void **state)
{
	json_t *m = manifest_json(r);

	(void)state;
	assert_int_equal(json_integer_value(at(m, "schema")), 1);
	assert_string_equal(json_string_value(at(m, "state")), "complete");
	assert_string_equal(json_string_value(at(m, "label")), "unit");
	assert_string_equal(json_string_value(at(m, "unit")), "ns");
	assert_string_equal(json_string_value(at(m, "strategy")), "split");
	assert_string_equal(json_string_value(at(m, "priority_relation")), "none");
	assert_string_equal(json_string_value(at(m, "poller.policy")), "OTHER");
	assert_string_equal(json_string_value(json_array_get(at(m, "command"), 0)), "msilat");
	assert_string_equal(json_string_value(json_array_get(at(m, "command"), 2)), "sim");
	assert_int_equal(strlen(json_string_value(at(m, "started"))), strlen("2026-12-01T12:03:04Z"));
	assert_int_equal(json_integer_value(at(m, "counts.fired")), 50);
	assert_int_equal(json_integer_value(at(m, "counts.lost")), 0);
	assert_int_equal(json_integer_value(at(m, "schedule.jitter_us")), 2);
	assert_true(json_is_true(at(m, "valid")));
	assert_int_equal(json_integer_value(at(m, "exit")), 0);
	json_decref(m);
}

static void stages_in_order_and_true(void **state)
{
	static const char *const names[] = {
		"sent-user", "sent-isr", "isr-thread", "thread-signal", "signal-user",
	};
	json_t *m = manifest_json(r);
	const json_t *s, *q;
	double min, max, mean, last, v;
	size_t i, j;

	(void)state;
	assert_int_equal(json_array_size(at(m, "stages")), ARRAY_SIZE(names));
	for (i = 0; i < ARRAY_SIZE(names); i++) {
		s = json_array_get(at(m, "stages"), i);
		assert_string_equal(json_string_value(at(s, "name")), names[i]);
		assert_true(json_is_null(at(s, "commonest")));
		min = json_number_value(at(s, "min"));
		max = json_number_value(at(s, "max"));
		mean = json_number_value(at(s, "mean"));
		assert_true(min <= mean && mean <= max);
		/* 50 values carry p50 and nothing further out. */
		assert_int_equal(json_array_size(at(s, "percentiles")),
				 json_integer_value(at(s, "count")) >= 20);
		for (last = 0, j = 0; j < json_array_size(at(s, "percentiles")); j++) {
			q = json_array_get(at(s, "percentiles"), j);
			v = json_number_value(at(q, "value"));
			assert_true(json_number_value(at(q, "low")) <= v);
			assert_true(json_number_value(at(q, "high")) >= v);
			assert_true(v >= last && v <= max + 0.1);
			last = v;
		}
	}
	json_decref(m);
}

static void a_round_trip_through_the_directory(void **state)
{
	json_t *written, *read;
	char dir[2 * TREE_PATH_MAX];

	(void)state;
	assert_int_equal(run_write(r, &why), 0);
	snprintf(dir, sizeof(dir), "%s/unit.partial", results);
	read = manifest_load(dir, &why);
	assert_non_null(read);
	written = manifest_json(r);
	/* The file has twelve digits of a number; compare what is written again. */
	{
		char *a = json_dumps(written, JSON_SORT_KEYS | JSON_REAL_PRECISION(12));
		char *b = json_dumps(read, JSON_SORT_KEYS | JSON_REAL_PRECISION(12));

		assert_string_equal(a, b);
		free(a);
		free(b);
	}
	json_decref(read);
	json_decref(written);
}

/* Seen where the clock's warning was longer than a line. */
static void a_long_warning_is_folded(void **state)
{
	char *text, *line, *save;
	size_t size;
	json_t *m;
	FILE *f;

	(void)state;
	r->health.trusted = false;
	snprintf(r->health.text, sizeof(r->health.text),
		 "the kernel does not trust the TSC (clock sources: hpet acpi_pm one two three)");
	m = manifest_json(r);
	f = open_memstream(&text, &size);
	summary_print(m, f);
	fclose(f);
	json_decref(m);
	assert_text(text, "  WARN clock: ");
	assert_text(text, "three)");
	for (line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save))
		assert_true(strlen(line) <= 100 || !strstr(line, "WARN"));
	free(text);
}

static void a_summary_of_it(void **state)
{
	json_t *m = manifest_json(r);
	char *text;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	(void)state;
	summary_print(m, f);
	fclose(f);
	json_decref(m);
	assert_text(text, "sim vector 0, split, wait read, scenario sync");
	assert_text(text, "events 50 fired = ");
	assert_text(text, "none lost");
	assert_text(text, "sent → user");
	assert_text(text, "p99.99 needs 100 000");
	assert_null(strstr(text, "INVALID"));
	free(text);
}

/* The verdict on the clock, and whether the run stands. */
static void judge(bool trusted, bool steady, bool sim, bool ok, bool valid)
{
	const struct clock_health health = r->health;
	const bool was_sim = r->sim;
	const json_t *v, *clock = NULL;
	json_t *m;
	size_t i;

	r->health.trusted = trusted;
	r->health.steady = steady;
	r->sim = sim;
	m = manifest_json(r);
	r->health = health;
	r->sim = was_sim;
	json_array_foreach(at(m, "verdicts"), i, v)
		if (!strcmp(json_string_value(at(v, "name")), "clock"))
			clock = v;
	assert_non_null(clock);
	assert_int_equal(json_is_true(at(clock, "ok")), ok);
	assert_int_equal(json_is_true(at(m, "clock.stable")), ok);
	assert_int_equal(json_is_true(at(m, "valid")), valid);
	assert_int_equal(json_integer_value(at(m, "exit")), valid ? 0 : 3);
	json_decref(m);
}

/* Seen on virtual machines whose only clock source is kvm-clock: every run on sim was invalid. */
static void an_untrusted_counter_on_sim_is_a_warning(void **state)
{
	(void)state;
	judge(true, true, true, true, true);
	judge(false, true, true, false, true);
	judge(false, true, false, false, false);
	judge(true, true, false, true, true);
	judge(true, false, true, false, false);
	judge(true, false, false, false, false);
	judge(false, false, true, false, false);
}

/* ---- without a run ---- */

#define DIR "/results/x"

static json_t *load(const char *text)
{
	tree_put(DIR "/manifest.json", text);
	memset(&why, 0, sizeof(why));
	return manifest_load(tree_path(DIR), &why);
}

static void what_is_no_result(void **state)
{
	static char deep[2000];

	(void)state;
	assert_null(manifest_load(tree_path("/nosuch"), &why));
	assert_text(why.text, "not a result directory");
	tree_mkdir("/empty");
	assert_null(manifest_load(tree_path("/empty"), &why));
	assert_text(why.text, "not a result directory");
	memset(deep, 'd', sizeof(deep) - 1);
	assert_null(manifest_load(deep, &why));
	assert_text(why.text, "path is too long");
}

static void damaged_manifests(void **state)
{
	static const char *const bad[] = {
		"", " ", "x", "{", "}", "{\"schema\": 1", "{\"schema\": 1}}", "{'schema': 1}",
		"{\"schema\": 1, \"schema\": 1}", "{\"schema\": 1,}", "\x01\x02", "{\"schema\": 1e999}",
		"{\"a\": \"\xff\xfe\", \"schema\": 1}",
	};
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(bad); i++) {
		if (load(bad[i]))
			fail_msg("\"%s\" is taken for a manifest", bad[i]);
		assert_text(why.text, "damaged at line");
		assert_text(why.text, "manifest.json");
	}
}

static void other_schemas(void **state)
{
	static const char *const bad[] = {
		"{}", "[]", "{\"schema\": 2}", "{\"schema\": \"1\"}", "{\"schema\": 0}",
		"{\"schema\": null}", "[1]",
	};
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(bad); i++) {
		assert_null(load(bad[i]));
		assert_text(why.text, "this program reads 1");
	}
}

/* A manifest of another hand may lack anything; show must not fall over it. */
static void a_manifest_with_nothing_in_it(void **state)
{
	static const char *const odd[] = {
		"{\"schema\": 1}",
		"{\"schema\": 1, \"stages\": 5, \"verdicts\": {}, \"device\": [], \"poller\": null}",
		"{\"schema\": 1, \"stages\": [5, null, {}, {\"name\": 7}, [], \"x\"]}",
		"{\"schema\": 1, \"verdicts\": [1, {}, {\"ok\": false}]}",
		"{\"schema\": 1, \"mode\": \"exact\", \"stages\": [{\"count\": 1}, 7, {\"count\": 0}]}",
		"{\"schema\": 1, \"irq_thread\": {}, \"interrupt\": {\"cpu\": \"x\"}, \"probe\": {}}",
		"{\"schema\": 1, \"stages\": [{\"name\": \"a-name-that-is-longer-than-its-column-"
		"by-far\", \"count\": 5, \"percentiles\": [1, {\"p\": 50}, {\"p\": \"50\"}]}]}",
		"{\"schema\": 1, \"stages\": [{\"name\": \"nodash\", \"count\": 1e300, \"min\": -1e300,"
		"\"max\": 1e300, \"percentiles\": [{\"p\": 50, \"value\": 1e300, \"low\": -1e300,"
		"\"high\": 1e300}, {\"p\": 99.99, \"value\": -1e308}]}]}",
		"{\"schema\": 1, \"mode\": \"exact\", \"stages\": [{\"name\": \"a-b\", \"count\": 1,"
		"\"min\": 1e300, \"commonest\": -1e300, \"commonest_count\": 1e300}]}",
	};
	char *text;
	size_t i, size;
	json_t *m;
	FILE *f;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(odd); i++) {
		m = load(odd[i]);
		assert_non_null(m);
		f = open_memstream(&text, &size);
		summary_print(m, f);
		fclose(f);
		json_decref(m);
		assert_text(text, "INVALID: do not use these numbers");
		free(text);
	}
}

static void numbers_for_people(void **state)
{
	static const struct {
		double value;
		const char *text;
	} cases[] = {
		{ 0, "0" }, { 7, "7" }, { 999, "999" }, { 1000, "1 000" }, { 12345.6, "12 346" },
		{ 1000003, "1 000 003" }, { -1, "-1" }, { -123, "-123" }, { -1234, "-1 234" },
		{ 1e12, "1 000 000 000 000" },
	};
	char text[40];
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(cases); i++)
		assert_string_equal(summary_number(text, cases[i].value), cases[i].text);
}

static void a_host_that_tells_nothing(void **state)
{
	json_t *host = host_json(0);

	(void)state;
	assert_non_null(host);
	assert_true(json_is_null(at(host, "cmdline")));
	assert_true(json_is_null(at(host, "cpu")));
	assert_true(json_is_null(at(host, "rt_runtime_us")));
	assert_true(json_is_null(at(host, "id")));
	assert_true(json_is_object(at(host, "mitigations")));
	json_decref(host);
}

static void what_a_host_tells(void **state)
{
	json_t *host;

	(void)state;
	tree_put("/sys/kernel/realtime", "1\n");
	tree_put("/proc/cmdline", "quiet isolcpus=3\n");
	tree_put("/proc/cpuinfo", "processor\t: 0\nmodel name\t: A CPU: fast\nflags\t\t: x\n");
	tree_put("/proc/sys/kernel/sched_rt_runtime_us", "-1\n");
	tree_put("/proc/sys/kernel/sched_rt_period_us", "rubbish\n");
	tree_put("/sys/devices/system/cpu/vulnerabilities/meltdown", "Not affected\n");
	tree_put("/sys/devices/system/cpu/cpu2/cpuidle/state0/name", "C6\n");
	tree_put("/sys/devices/system/cpu/cpu2/cpuidle/state0/latency", "85\n");
	tree_put("/sys/devices/system/cpu/cpu2/cpuidle/state0/disable", "1\n");
	tree_put("/etc/machine-id", "0123456789abcdef0123456789abcdef\n");
	host = host_json(2);
	assert_true(json_is_true(at(host, "realtime")));
	assert_string_equal(json_string_value(at(host, "cmdline")), "quiet isolcpus=3");
	assert_string_equal(json_string_value(at(host, "cpu")), "A CPU: fast");
	assert_int_equal(json_integer_value(at(host, "rt_runtime_us")), -1);
	assert_true(json_is_null(at(host, "rt_period_us")));
	assert_string_equal(json_string_value(at(host, "mitigations.meltdown")), "Not affected");
	assert_int_equal(json_integer_value(at(json_array_get(at(host, "idle_states"), 0),
					       "exit_us")), 85);
	assert_true(json_is_true(at(json_array_get(at(host, "idle_states"), 0), "disabled")));
	/* The machine is told apart, not named. */
	assert_int_equal(strlen(json_string_value(at(host, "id"))), 16);
	assert_null(strstr("0123456789abcdef0123456789abcdef", json_string_value(at(host, "id"))));
	json_decref(host);
}

/* A file of another encoding must not take the manifest away. */
static void a_host_that_tells_rubbish(void **state)
{
	json_t *host;
	char *text;

	(void)state;
	tree_put("/proc/cmdline", "caf\xe9 \xff\n");
	tree_put("/proc/cpuinfo", "model name\t: \xff\xfe\n");
	tree_put("/sys/devices/system/cpu/vulnerabilities/x", "\xc3\x28\n");
	host = host_json(0);
	text = json_dumps(host, 0);
	assert_non_null(text);
	free(text);
	json_decref(host);
}

#define RUN(test) cmocka_unit_test(test)
#define IN_TREE(test) cmocka_unit_test_setup_teardown(test, tree_open, tree_close)

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(every_key_of_the_schema, run_once),
		RUN(what_the_run_was),
		RUN(an_untrusted_counter_on_sim_is_a_warning),
		RUN(stages_in_order_and_true),
		RUN(a_round_trip_through_the_directory),
		RUN(a_summary_of_it),
		cmocka_unit_test_teardown(a_long_warning_is_folded, release),
		IN_TREE(what_is_no_result),
		IN_TREE(damaged_manifests),
		IN_TREE(other_schemas),
		IN_TREE(a_manifest_with_nothing_in_it),
		IN_TREE(numbers_for_people),
		IN_TREE(a_host_that_tells_nothing),
		IN_TREE(what_a_host_tells),
		IN_TREE(a_host_that_tells_rubbish),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
