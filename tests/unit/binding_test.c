// SPDX-License-Identifier: GPL-2.0-only
/*
 * binding.c against a tree in which this test plays the kernel: sysfs_write() announces each
 * write before it is done, and the hook does what the kernel would.
 */
#include <sys/stat.h>
#include <unistd.h>

#include "binding.h"
#include "fakepci.h"
#include "sysfs.h"
#include "tree.h"
#include "unit.h"

#define BDF "0000:03:00.0"
#define OURS "msilat-vfio-pci"
#define RECORD "/run/msilat/bind/" BDF

static struct reason why;
static char writes[2048];	/* "path=text;" in order, without the common beginning */
static bool refuse;		/* our driver does not take the function */
static char override[64];
static char original[64];	/* driver that takes it without an override */

static void set_driver(const char *driver)
{
	char link[128];

	if (!driver) {
		tree_remove(fakepci_path(BDF, "driver"));
		return;
	}
	snprintf(link, sizeof(link), "../../../bus/pci/drivers/%s", driver);
	tree_link(fakepci_path(BDF, "driver"), link);
}

/* The kernel's part. Plain files are emptied first: a real attribute has no old content. */
static void kernel(const char *path, const char *text)
{
	const char *name = strrchr(path, '/') + 1, *driver;
	size_t len = strlen(writes);

	snprintf(writes + len, sizeof(writes) - len, "%s=%s;", name, text);
	if (truncate(path, 0))
		return;
	if (!strcmp(name, "unbind"))
		set_driver(NULL);
	if (!strcmp(name, "driver_override"))
		snprintf(override, sizeof(override), "%s", text);
	if (!strcmp(name, "drivers_probe")) {
		driver = override[0] ? override : original;
		if (driver[0] && !(refuse && !strcmp(driver, OURS)))
			set_driver(driver);
	}
}

static int setup(void **state)
{
	static const char *const drivers[] = { OURS, "vfio-pci", "igb" };
	const struct fakepci fn = { .bdf = BDF, .driver = "igb", .group = 14, .msi = 1, .msix = 3 };
	char path[128];
	size_t i;

	if (tree_open(state))
		return -1;
	for (i = 0; i < ARRAY_SIZE(drivers); i++) {
		snprintf(path, sizeof(path), "/sys/bus/pci/drivers/%s/unbind", drivers[i]);
		tree_put(path, "");
	}
	tree_put("/sys/bus/pci/drivers_probe", "");
	tree_mkdir("/run");
	fakepci_add(&fn);
	writes[0] = override[0] = '\0';
	strcpy(original, "igb");
	refuse = false;
	memset(&why, 0, sizeof(why));
	sysfs_echo(kernel);
	return 0;
}

static int teardown(void **state)
{
	sysfs_echo(NULL);
	return tree_close(state);
}

static void driver_is(const char *want)
{
	char name[64];

	if (sysfs_link(name, sizeof(name), "%s", fakepci_path(BDF, "driver")) < 0)
		name[0] = '\0';
	assert_string_equal(name, want);
}

static void bind_and_unbind(void **state)
{
	(void)state;
	assert_int_equal(binding_bind(BDF, OURS, false, &why), 0);
	driver_is(OURS);
	assert_string_equal(writes, "unbind=" BDF ";driver_override=" OURS ";drivers_probe=" BDF ";");
	assert_string_equal(tree_text(fakepci_path(BDF, "driver_override")), OURS "\n");
	assert_string_equal(tree_text(RECORD), "driver=igb\noverride=\n");
	writes[0] = '\0';
	assert_int_equal(binding_unbind(BDF, &why), 0);
	driver_is("igb");
	assert_string_equal(writes, "unbind=" BDF ";driver_override=;drivers_probe=" BDF ";");
	assert_string_equal(tree_text(fakepci_path(BDF, "driver_override")), "\n");
	assert_null(tree_text(RECORD));
}

static void bound_already(void **state)
{
	(void)state;
	set_driver(OURS);
	assert_int_equal(binding_bind(BDF, OURS, false, &why), 0);
	assert_string_equal(writes, "");
	assert_null(tree_text(RECORD));
}

static void a_function_without_driver(void **state)
{
	(void)state;
	set_driver(NULL);
	original[0] = '\0';
	assert_int_equal(binding_bind(BDF, OURS, false, &why), 0);
	assert_string_equal(writes, "driver_override=" OURS ";drivers_probe=" BDF ";");
	assert_string_equal(tree_text(RECORD), "driver=\noverride=\n");
	writes[0] = '\0';
	assert_int_equal(binding_unbind(BDF, &why), 0);
	driver_is("");
	assert_string_equal(writes, "unbind=" BDF ";driver_override=;");
}

static void an_override_is_put_back(void **state)
{
	(void)state;
	tree_put(fakepci_path(BDF, "driver_override"), "igb\n");
	assert_int_equal(binding_bind(BDF, "vfio-pci", false, &why), 0);
	assert_string_equal(tree_text(RECORD), "driver=igb\noverride=igb\n");
	assert_int_equal(binding_unbind(BDF, &why), 0);
	assert_string_equal(tree_text(fakepci_path(BDF, "driver_override")), "igb\n");
	driver_is("igb");
}

/* Binding again must not make the first VFIO driver the way back. */
static void the_first_record_stays(void **state)
{
	(void)state;
	assert_int_equal(binding_bind(BDF, "vfio-pci", false, &why), 0);
	assert_int_equal(binding_bind(BDF, OURS, false, &why), 0);
	driver_is(OURS);
	assert_string_equal(tree_text(RECORD), "driver=igb\noverride=\n");
	assert_int_equal(binding_unbind(BDF, &why), 0);
	driver_is("igb");
}

static void a_driver_that_does_not_take_it(void **state)
{
	(void)state;
	refuse = true;
	assert_reason(binding_bind(BDF, OURS, false, &why), -EIO, &why, "did not take it");
	assert_text(why.text, BDF);
	driver_is("igb");
	assert_string_equal(tree_text(fakepci_path(BDF, "driver_override")), "\n");
	assert_null(tree_text(RECORD));
}

/* The failure of a second bind must lead back to the first, and keep the record of the original. */
static void a_failed_second_bind_keeps_the_first(void **state)
{
	(void)state;
	assert_int_equal(binding_bind(BDF, "vfio-pci", false, &why), 0);
	refuse = true;
	assert_reason(binding_bind(BDF, OURS, false, &why), -EIO, &why, "did not take it");
	driver_is("vfio-pci");
	assert_string_equal(tree_text(RECORD), "driver=igb\noverride=\n");
	assert_int_equal(binding_unbind(BDF, &why), 0);
	driver_is("igb");
}

static void a_write_that_fails_is_undone(void **state)
{
	(void)state;
	tree_remove("/sys/bus/pci/drivers_probe");
	assert_reason(binding_bind(BDF, OURS, false, &why), -ENOENT, &why, "drivers_probe");
	assert_null(tree_text(RECORD));
	assert_string_equal(tree_text(fakepci_path(BDF, "driver_override")), "\n");
}

static void a_driver_that_is_not_loaded(void **state)
{
	(void)state;
	tree_remove("/sys/bus/pci/drivers/" OURS "/unbind");
	tree_remove("/sys/bus/pci/drivers/" OURS);
	assert_reason(binding_bind(BDF, OURS, false, &why), -ENODEV, &why, "modprobe " OURS);
	assert_string_equal(writes, "");
	driver_is("igb");
}

static void functions_that_cannot_be_taken(void **state)
{
	const struct fakepci no_msi = { .bdf = "0000:04:00.0", .group = 15 };
	const struct fakepci no_iommu = { .bdf = "0000:05:00.0", .msi = 1 };
	const struct fakepci bridge = {
		.bdf = "0000:06:00.0", .ids = "0x8086 0x29c0 0x060400", .group = 16, .msi = 1,
	};
	const struct fakepci disk = {
		.bdf = "0000:07:00.0", .ids = "0x144d 0xa808 0x010802", .group = 17, .msix = 9,
	};

	(void)state;
	fakepci_add(&no_msi);
	fakepci_add(&no_iommu);
	fakepci_add(&bridge);
	fakepci_add(&disk);
	tree_link("/sys/class/nvme/nvme0",
		  "../../devices/pci0000:00/0000:00:1c.0/0000:07:00.0/nvme/nvme0");
	tree_link("/sys/class/net/enp3s0",
		  "../../devices/pci0000:00/0000:00:1d.0/" BDF "/net/enp3s0");
	assert_reason(binding_bind(no_msi.bdf, OURS, true, &why), -ENOTSUP, &why, "neither MSI nor");
	assert_reason(binding_bind(no_iommu.bdf, OURS, true, &why), -ENODEV, &why, "intel_iommu=on");
	assert_reason(binding_bind(bridge.bdf, OURS, true, &why), -ENOTSUP, &why, "bridge");
	assert_reason(binding_bind(disk.bdf, OURS, false, &why), -EBUSY, &why, "carries a disk");
	assert_reason(binding_bind(BDF, OURS, false, &why), -EBUSY, &why, "enp3s0");
	assert_text(why.text, "--force");
	assert_reason(binding_bind("0000:08:00.0", OURS, false, &why), -ENODEV, &why, "0000:08:00.0");
	assert_string_equal(writes, "");
	assert_int_equal(binding_bind(BDF, OURS, true, &why), 0);
	driver_is(OURS);
}

static void nothing_to_undo(void **state)
{
	(void)state;
	assert_reason(binding_unbind(BDF, &why), -ENOENT, &why, "nothing to undo");
	assert_string_equal(writes, "");
	driver_is("igb");
}

static void a_function_that_was_removed_loses_its_record(void **state)
{
	(void)state;
	assert_int_equal(binding_bind(BDF, OURS, false, &why), 0);
	tree_remove(fakepci_path(BDF, "vendor"));
	writes[0] = '\0';
	assert_int_equal(binding_unbind(BDF, &why), 0);
	assert_string_equal(writes, "");
	assert_null(tree_text(RECORD));
}

static void a_damaged_record(void **state)
{
	char junk[400];

	(void)state;
	assert_int_equal(binding_bind(BDF, OURS, false, &why), 0);
	memset(junk, 'j', sizeof(junk) - 1);
	junk[sizeof(junk) - 1] = '\0';
	memcpy(junk, "driver=", 7);
	tree_put(RECORD, junk);
	/* No such driver: it says so and keeps the record, whatever it is worth. */
	assert_int_not_equal(binding_unbind(BDF, &why), 0);
	assert_true(why.text[0]);
	assert_non_null(tree_text(RECORD));
}

static void no_place_for_the_record(void **state)
{
	struct stat st;

	(void)state;
	tree_put("/run/msilat", "a file is in the way");
	assert_int_not_equal(binding_bind(BDF, OURS, false, &why), 0);
	assert_text(why.text, "/run/msilat");
	assert_string_equal(writes, "");
	driver_is("igb");
	assert_int_equal(lstat(tree_path("/run/msilat"), &st), 0);
}

#define TEST(test) cmocka_unit_test_setup_teardown(test, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(bind_and_unbind),
		TEST(bound_already),
		TEST(a_function_without_driver),
		TEST(an_override_is_put_back),
		TEST(the_first_record_stays),
		TEST(a_driver_that_does_not_take_it),
		TEST(a_failed_second_bind_keeps_the_first),
		TEST(a_write_that_fails_is_undone),
		TEST(a_driver_that_is_not_loaded),
		TEST(functions_that_cannot_be_taken),
		TEST(nothing_to_undo),
		TEST(a_function_that_was_removed_loses_its_record),
		TEST(a_damaged_record),
		TEST(no_place_for_the_record),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
