// SPDX-License-Identifier: GPL-2.0-only
#include <sys/stat.h>

#include "sysfs.h"
#include "tree.h"
#include "unit.h"

static void text_loses_trailing_white_space_only(void **state)
{
	static const struct {
		const char *content, *text;
	} cases[] = {
		{ "abc\n", "abc" }, { "abc", "abc" }, { "", "" }, { "\n", "" }, { " \t\n", "" },
		{ " a b \n\n", " a b" }, { "a\nb\n", "a\nb" },
	};
	char text[64];
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		tree_put("/sys/x", cases[i].content);
		assert_int_equal(sysfs_read(text, sizeof(text), "/sys/%s", "x"),
				 strlen(cases[i].text));
		assert_string_equal(text, cases[i].text);
	}
}

static void a_long_text_is_cut(void **state)
{
	char text[8];

	(void)state;
	tree_put("/sys/x", "0123456789\n");
	assert_int_equal(sysfs_read(text, sizeof(text), "/sys/x"), 7);
	assert_string_equal(text, "0123456");
}

static void missing_files_and_directories(void **state)
{
	char text[8];
	uint64_t value;

	(void)state;
	assert_int_equal(sysfs_read(text, sizeof(text), "/sys/none"), -ENOENT);
	assert_int_equal(sysfs_read_u64(&value, "/sys/none"), -ENOENT);
	assert_int_equal(sysfs_link(text, sizeof(text), "/sys/none"), -ENOENT);
	tree_mkdir("/sys/dir");
	assert_int_equal(sysfs_read(text, sizeof(text), "/sys/dir"), -EISDIR);
}

static void numbers(void **state)
{
	static const struct {
		const char *text;
		uint64_t value;
	} good[] = {
		{ "0\n", 0 }, { "1", 1 }, { "42\n", 42 }, { "0x8086\n", 0x8086 },
		{ "0x020000\n", 0x20000 }, { "18446744073709551615\n", UINT64_MAX },
		{ "0xffffffffffffffff", UINT64_MAX },
	};
	uint64_t value;
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(good); i++) {
		tree_put("/sys/n", good[i].text);
		assert_int_equal(sysfs_read_u64(&value, "/sys/n"), 0);
		assert_true(value == good[i].value);
	}
}

/* The kernel prints decimal without leading zeros; what has one must not be read as octal. */
static void a_leading_zero_is_not_octal(void **state)
{
	uint64_t value = 0;
	int ret;

	(void)state;
	tree_put("/sys/n", "010\n");
	ret = sysfs_read_u64(&value, "/sys/n");
	assert_true(ret == -EINVAL || (!ret && value == 10));
}

static void bad_numbers(void **state)
{
	static const char *const bad[] = {
		"", "\n", "x", "-1", "-1\n", " -1", "\t-5", "12x", "0x", "0xg", "1 2", "1,2",
		"18446744073709551616", "0x10000000000000000", "1.5", "--", "(null)",
	};
	uint64_t value;
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(bad); i++) {
		tree_put("/sys/n", bad[i]);
		if (sysfs_read_u64(&value, "/sys/n") != -EINVAL)
			fail_msg("\"%s\" is taken for %llu", bad[i], (unsigned long long)value);
	}
}

static void links(void **state)
{
	char text[16];

	(void)state;
	tree_link("/sys/driver", "../../../bus/pci/drivers/vfio-pci");
	assert_int_equal(sysfs_link(text, sizeof(text), "/sys/driver"), 8);
	assert_string_equal(text, "vfio-pci");
	tree_link("/sys/driver", "plain");
	assert_int_equal(sysfs_link(text, sizeof(text), "/sys/driver"), 5);
	assert_string_equal(text, "plain");
	tree_link("/sys/driver", "/a/name-longer-than-that");
	assert_int_equal(sysfs_link(text, sizeof(text), "/sys/driver"), -ENAMETOOLONG);
	tree_put("/sys/file", "x");
	assert_int_equal(sysfs_link(text, sizeof(text), "/sys/file"), -EINVAL);
}

static void paths_too_long(void **state)
{
	char path[SYSFS_PATH_MAX], text[8], name[SYSFS_PATH_MAX + 1];
	uint64_t value;

	(void)state;
	memset(name, 'a', sizeof(name) - 1);
	name[sizeof(name) - 1] = '\0';
	assert_int_equal(sysfs_path(path, "/sys/%s", name), -ENAMETOOLONG);
	assert_int_equal(sysfs_read(text, sizeof(text), "/sys/%s", name), -ENAMETOOLONG);
	assert_int_equal(sysfs_read_u64(&value, "/sys/%s", name), -ENAMETOOLONG);
	assert_int_equal(sysfs_link(text, sizeof(text), "/sys/%s", name), -ENAMETOOLONG);
	setenv("MSILAT_SYSROOT", name, 1);
	assert_int_equal(sysfs_path(path, "/sys"), -ENAMETOOLONG);
}

static void the_root_goes_in_front(void **state)
{
	char path[SYSFS_PATH_MAX];

	(void)state;
	assert_int_equal(sysfs_path(path, "/sys/%d", 5), 0);
	assert_string_equal(path, tree_path("/sys/5"));
	unsetenv("MSILAT_SYSROOT");
	assert_string_equal(sysfs_root(), "");
	assert_int_equal(sysfs_path(path, "/sys/%d", 5), 0);
	assert_string_equal(path, "/sys/5");
}

static char echoed[1024];

static void echo(const char *path, const char *text)
{
	char *end = echoed + strlen(echoed);

	snprintf(end, sizeof(echoed) - (size_t)(end - echoed), "%s=%s;",
		 path + strlen(sysfs_root()), text);
}

static void writes_end_with_a_newline_and_are_announced(void **state)
{
	struct reason why = { 0 };
	char path[SYSFS_PATH_MAX];

	(void)state;
	echoed[0] = '\0';
	tree_put("/sys/x", "");
	assert_int_equal(sysfs_path(path, "/sys/x"), 0);
	sysfs_echo(echo);
	assert_int_equal(sysfs_write(path, "value", &why), 0);
	assert_string_equal(tree_text("/sys/x"), "value\n");
	sysfs_echo(NULL);
	assert_int_equal(sysfs_write(path, "other", &why), 0);
	assert_string_equal(tree_text("/sys/x"), "other\n");
	assert_string_equal(echoed, "/sys/x=value;");
}

static void writes_that_fail_say_where_and_what(void **state)
{
	struct reason why = { 0 };
	char path[SYSFS_PATH_MAX], text[512];

	(void)state;
	assert_int_equal(sysfs_path(path, "/sys/none"), 0);
	assert_reason(sysfs_write(path, "value", &why), -ENOENT, &why, "/sys/none");
	assert_text(why.text, "'value'");
	assert_text(why.text, "No such file");
	assert_null(tree_text("/sys/none"));
	assert_reason(sysfs_write("/dev/full", "value", &why), -ENOSPC, &why, "/dev/full");
	memset(text, 'v', sizeof(text) - 1);
	text[sizeof(text) - 1] = '\0';
	assert_reason(sysfs_write(path, text, &why), -EINVAL, &why, "too long");
}

#define IN_TREE(test) cmocka_unit_test_setup_teardown(test, tree_open, tree_close)

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_TREE(text_loses_trailing_white_space_only),
		IN_TREE(a_long_text_is_cut),
		IN_TREE(missing_files_and_directories),
		IN_TREE(numbers),
		IN_TREE(a_leading_zero_is_not_octal),
		IN_TREE(bad_numbers),
		IN_TREE(links),
		IN_TREE(paths_too_long),
		IN_TREE(the_root_goes_in_front),
		IN_TREE(writes_end_with_a_newline_and_are_announced),
		IN_TREE(writes_that_fail_say_where_and_what),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
