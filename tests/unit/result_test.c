// SPDX-License-Identifier: GPL-2.0-only
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "result.h"
#include "tree.h"
#include "unit.h"

static struct result r;
static struct reason why;
static char root[TREE_PATH_MAX];

static int setup(void **state)
{
	if (tree_open(state))
		return -1;
	strcpy(root, tree_path("/results"));
	memset(&why, 0, sizeof(why));
	return 0;
}

static int open_label(const char *label)
{
	return result_open(&r, root, label, "split", &why);
}

static void commit(const char *name, const char *text)
{
	FILE *f = result_create(&r, name, &why);

	assert_non_null(f);
	fputs(text, f);
	assert_int_equal(result_commit(&r, f, name, &why), 0);
}

static bool exists(const char *path)
{
	struct stat st;

	return !lstat(tree_path(path), &st);
}

static void from_beginning_to_end(void **state)
{
	(void)state;
	assert_int_equal(open_label("one"), 0);
	assert_string_equal(r.label, "one");
	assert_true(exists("/results/one.partial") && !exists("/results/one"));
	commit("manifest.json", "{}\n");
	assert_int_equal(result_finish(&r, &why), 0);
	assert_true(!exists("/results/one.partial"));
	assert_string_equal(tree_text("/results/one/manifest.json"), "{}\n");
}

static void the_root_is_made_with_all_above_it(void **state)
{
	(void)state;
	strcpy(root, tree_path("/a/b/c/results"));
	assert_int_equal(open_label("one"), 0);
	assert_true(exists("/a/b/c/results/one.partial"));
	assert_int_equal(open_label("two"), 0);
}

static void a_label_is_used_once(void **state)
{
	(void)state;
	assert_int_equal(open_label("one"), 0);
	/* While it is being written... */
	assert_reason(open_label("one"), -EEXIST, &why, "results/one: this result exists");
	assert_text(why.text, "--label");
	/* ...and afterwards. */
	snprintf(r.partial, sizeof(r.partial), "%s/one.partial", root);
	snprintf(r.final, sizeof(r.final), "%s/one", root);
	assert_int_equal(result_finish(&r, &why), 0);
	assert_reason(open_label("one"), -EEXIST, &why, "this result exists");
	assert_false(exists("/results/one.partial"));
}

static void a_file_or_dangling_link_of_that_name(void **state)
{
	(void)state;
	tree_put("/results/one", "a file");
	assert_int_equal(open_label("one"), -EEXIST);
	tree_link("/results/two", "/nowhere");
	assert_int_equal(open_label("two"), -EEXIST);
	assert_false(exists("/results/two.partial"));
}

static void labels_that_are_no_names(void **state)
{
	static const char *const bad[] = {
		"a/b", "/", ".", "..", ".hidden", "x.partial", "one/",
	};
	char too_long[300];
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(bad); i++)
		assert_reason(open_label(bad[i]), -EINVAL, &why, "not usable as a directory name");
	memset(too_long, 'x', sizeof(too_long) - 1);
	too_long[sizeof(too_long) - 1] = '\0';
	assert_int_equal(open_label(too_long), -EINVAL);
	assert_int_equal(open_label("partial"), 0);
	assert_int_equal(open_label("a b"), 0);
}

static void labels_of_its_own_count_up(void **state)
{
	char date[16], want[64];
	time_t now = time(NULL);
	struct tm tm;
	int i;

	(void)state;
	gmtime_r(&now, &tm);
	strftime(date, sizeof(date), "%Y-%m-%d", &tm);
	for (i = 1; i <= 12; i++) {
		assert_int_equal(open_label(""), 0);
		snprintf(want, sizeof(want), "%s-split-%d", date, i);
		assert_string_equal(r.label, want);
		/* Finished and unfinished ones count alike. */
		if (i % 2)
			assert_int_equal(result_finish(&r, &why), 0);
	}
}

static void a_root_that_cannot_be_made(void **state)
{
	(void)state;
	tree_put("/results", "a file is in the way");
	assert_int_equal(open_label("one"), -ENOTDIR);
	assert_text(why.text, "results");
	assert_text(why.text, "--results");
	strcpy(root, "/proc/nosuch");
	assert_int_not_equal(open_label("one"), 0);
	assert_text(why.text, "/proc/nosuch");
	assert_text(why.text, "--results");
}

static void a_root_too_long(void **state)
{
	static char deep[RESULT_PATH_MAX + 10];

	(void)state;
	memset(deep, 'd', sizeof(deep) - 1);
	assert_int_equal(result_open(&r, deep, "one", "split", &why), -ENAMETOOLONG);
	/* It fits, but nothing in it would. */
	snprintf(deep, sizeof(deep), "%s%0*d", tree_path("/"), RESULT_PATH_MAX - 100, 0);
	assert_int_not_equal(result_open(&r, deep, "one", "split", &why), 0);
}

static void a_reader_never_finds_half_a_file(void **state)
{
	FILE *f;

	(void)state;
	assert_int_equal(open_label("one"), 0);
	commit("histogram.tsv", "first\n");
	f = result_create(&r, "histogram.tsv", &why);
	assert_non_null(f);
	fputs("second, half", f);
	fflush(f);
	assert_string_equal(tree_text("/results/one.partial/histogram.tsv"), "first\n");
	fputs("\n", f);
	assert_int_equal(result_commit(&r, f, "histogram.tsv", &why), 0);
	assert_string_equal(tree_text("/results/one.partial/histogram.tsv"), "second, half\n");
	assert_false(exists("/results/one.partial/histogram.tsv.tmp"));
}

/* A limit on file size fails a write as a full disk does. */
static void a_write_that_fails_keeps_what_was_there(void **state)
{
	struct rlimit before, tight;
	char block[9000];
	FILE *f;
	int ret;

	(void)state;
	assert_int_equal(open_label("one"), 0);
	commit("histogram.tsv", "first\n");
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
	tight = (struct rlimit){ 4096, before.rlim_max };
	signal(SIGXFSZ, SIG_IGN);
	f = result_create(&r, "histogram.tsv", &why);
	assert_non_null(f);
	memset(block, 'x', sizeof(block));
	setrlimit(RLIMIT_FSIZE, &tight);
	fwrite(block, sizeof(block), 1, f);
	ret = result_commit(&r, f, "histogram.tsv", &why);
	setrlimit(RLIMIT_FSIZE, &before);
	assert_true(ret == -EFBIG || ret == -EIO);
	assert_text(why.text, "one.partial/histogram.tsv");
	assert_text(why.text, "what was written before is kept");
	assert_string_equal(tree_text("/results/one.partial/histogram.tsv"), "first\n");
}

static void a_directory_that_vanished(void **state)
{
	FILE *f;

	(void)state;
	assert_int_equal(open_label("one"), 0);
	f = result_create(&r, "x", &why);
	assert_non_null(f);
	tree_remove("/results/one.partial/x.tmp");
	assert_reason(result_commit(&r, f, "x", &why), -ENOENT, &why, "one.partial/x");
	tree_remove("/results/one.partial");
	assert_null(result_create(&r, "x", &why));
	assert_text(why.text, "one.partial/x");
	assert_int_equal(result_finish(&r, &why), -ENOENT);
	assert_text(why.text, "cannot rename");
}

static void a_stream_grows_under_its_own_name(void **state)
{
	FILE *f;

	(void)state;
	assert_int_equal(open_label("one"), 0);
	f = result_stream(&r, "samples.bin", &why);
	assert_non_null(f);
	fputs("abc", f);
	fflush(f);
	assert_string_equal(tree_text("/results/one.partial/samples.bin"), "abc");
	fclose(f);
}

static void an_abandoned_result_leaves_nothing(void **state)
{
	FILE *f;

	(void)state;
	assert_int_equal(open_label("one"), 0);
	f = result_stream(&r, "samples.bin", &why);
	assert_non_null(f);
	fclose(f);
	result_abandon(&r);
	assert_false(exists("/results/one.partial"));
	/* One that has a checkpoint stays. */
	assert_int_equal(open_label("one"), 0);
	commit("manifest.json", "{}\n");
	result_abandon(&r);
	assert_true(exists("/results/one.partial/manifest.json"));
	/* One that was never opened. */
	memset(&r, 0, sizeof(r));
	result_abandon(&r);
}

#define TEST(test) cmocka_unit_test_setup_teardown(test, setup, tree_close)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(from_beginning_to_end),
		TEST(the_root_is_made_with_all_above_it),
		TEST(a_label_is_used_once),
		TEST(a_file_or_dangling_link_of_that_name),
		TEST(labels_that_are_no_names),
		TEST(labels_of_its_own_count_up),
		TEST(a_root_that_cannot_be_made),
		TEST(a_root_too_long),
		TEST(a_reader_never_finds_half_a_file),
		TEST(a_write_that_fails_keeps_what_was_there),
		TEST(a_directory_that_vanished),
		TEST(a_stream_grows_under_its_own_name),
		TEST(an_abandoned_result_leaves_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
