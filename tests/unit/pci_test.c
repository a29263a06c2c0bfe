// SPDX-License-Identifier: GPL-2.0-only
#include "fakepci.h"
#include "pci.h"
#include "tree.h"
#include "unit.h"

static char bdf[PCI_BDF_MAX];
static struct pci_function fn;
static struct reason why;

static void add(const char *address)
{
	const struct fakepci f = { .bdf = address };

	fakepci_add(&f);
}

static void resolves(const char *text, const char *want)
{
	if (pci_resolve(bdf, text, &why))
		fail_msg("%s: %s", text, why.text);
	assert_string_equal(bdf, want);
}

static void addresses_of_any_domain(void **state)
{
	(void)state;
	add("0000:03:00.0");
	add("0000:ff:1f.7");
	add("10000:01:00.0");
	add("fedcba98:02:1f.3");
	resolves("0000:03:00.0", "0000:03:00.0");
	resolves("0:03:00.0", "0000:03:00.0");
	resolves("0000:3:0.0", "0000:03:00.0");
	resolves("0000:FF:1F.7", "0000:ff:1f.7");
	resolves("10000:01:00.0", "10000:01:00.0");
	resolves("010000:01:00.0", "10000:01:00.0");
	resolves("fedcba98:02:1f.3", "fedcba98:02:1f.3");
}

static void a_short_address_that_is_unambiguous(void **state)
{
	(void)state;
	add("0000:03:00.0");
	add("10000:01:00.0");
	resolves("03:00.0", "0000:03:00.0");
	resolves("3:0.0", "0000:03:00.0");
	resolves("01:00.0", "10000:01:00.0");
}

static void a_short_address_in_several_domains(void **state)
{
	(void)state;
	add("0000:03:00.0");
	add("10000:03:00.0");
	assert_reason(pci_resolve(bdf, "03:00.0", &why), -ENOTUNIQ, &why, "2 PCI domains");
	assert_text(why.text, "put the domain in front");
	resolves("10000:03:00.0", "10000:03:00.0");
}

static void what_is_no_address(void **state)
{
	static const char *const bad[] = {
		"", ":", "::", "x", "eth0", "03", "03:00", "03:00.", "03:00.8", "03:20.0", "03:00.0x",
		"03:00.0.0", "0000:03:00.0:0", "g000:03:00.0", "0000:g3:00.0", "0000:03:00.g", "-1:00.0",
		"000000000:03:00.0", "0000:103:00.0", "0000::00.0", "0000:03:.0", "0000:03:00.-0",
		"03:+0.0", "03: 0.0", "03:00.+0", " 03:00.0", "03:00.0 ", "0x0:03:00.0", "0x:00.0",
		"03:0x.0", "03 :00.0",
	};
	unsigned int passed = 0;
	size_t i;

	(void)state;
	add("0000:03:00.0");
	add("0000:00:00.0");
	for (i = 0; i < ARRAY_SIZE(bad); i++) {
		if (pci_resolve(bdf, bad[i], &why) != -EINVAL) {
			printf("# \"%s\" passes for an address\n", bad[i]);
			passed++;
			continue;
		}
		assert_text(why.text, "write it like 0000:03:00.0");
	}
	assert_int_equal(passed, 0);
}

static void no_such_function(void **state)
{
	(void)state;
	add("0000:03:00.0");
	assert_reason(pci_resolve(bdf, "0000:04:00.0", &why), -ENODEV, &why, "0000:04:00.0");
	assert_text(why.text, "msilat list");
	assert_reason(pci_resolve(bdf, "1:03:00.0", &why), -ENODEV, &why, "no such PCI function");
	assert_reason(pci_read(&fn, "0000:04:00.0", &why), -ENODEV, &why, "0000:04:00.0");
}

static void no_pci_bus(void **state)
{
	struct pci_function *list;

	(void)state;
	assert_reason(pci_resolve(bdf, "03:00.0", &why), -ENODEV, &why, "no PCI bus here");
	assert_reason(pci_scan(&list, &why), -ENODEV, &why, "no PCI bus here");
}

static void everything_sysfs_says(void **state)
{
	const struct fakepci f = {
		.bdf = "0000:03:00.0", .ids = "0x1234 0x11e8 0x00ff00", .driver = "vfio-pci",
		.group = 14, .msi = 4, .msix = 17,
	};

	(void)state;
	fakepci_add(&f);
	tree_put(fakepci_path(f.bdf, "numa_node"), "1\n");
	assert_int_equal(pci_read(&fn, f.bdf, &why), 0);
	assert_string_equal(fn.bdf, f.bdf);
	assert_true(fn.vendor == 0x1234 && fn.device == 0x11e8 && fn.class == 0xff00);
	assert_string_equal(fn.driver, "vfio-pci");
	assert_int_equal(fn.group, 14);
	assert_int_equal(fn.numa_node, 1);
	assert_true(fn.caps_known && fn.msi == 8 && fn.msix == 17);
	assert_true(!fn.bridge && !fn.block && !fn.netdev[0]);
}

static void nothing_but_a_vendor(void **state)
{
	(void)state;
	/* No newline, as some kernels of fake trees, and nothing else at all. */
	tree_put(fakepci_path("0000:03:00.0", "vendor"), "0x8086");
	assert_int_equal(pci_read(&fn, "0000:03:00.0", &why), 0);
	assert_int_equal(fn.vendor, 0x8086);
	assert_string_equal(fn.driver, "");
	assert_true(fn.group == -1 && fn.numa_node == -1 && !fn.caps_known && !fn.msi && !fn.msix);
}

static void empty_attributes(void **state)
{
	static const char *const names[] = { "device", "class", "numa_node", "config" };
	size_t i;

	(void)state;
	add("0000:03:00.0");
	for (i = 0; i < ARRAY_SIZE(names); i++)
		tree_put(fakepci_path("0000:03:00.0", names[i]), "");
	assert_int_equal(pci_read(&fn, "0000:03:00.0", &why), 0);
	assert_true(fn.device == 0 && fn.class == 0 && fn.numa_node == -1 && !fn.caps_known);
	tree_put(fakepci_path("0000:03:00.0", "vendor"), "");
	assert_int_equal(pci_read(&fn, "0000:03:00.0", &why), -ENODEV);
}

static void every_number_of_vectors(void **state)
{
	unsigned int i;

	(void)state;
	for (i = 0; i < 6; i++) {
		const struct fakepci f = { .bdf = "0000:03:00.0", .msi = i + 1 };

		fakepci_add(&f);
		assert_int_equal(pci_read(&fn, f.bdf, &why), 0);
		assert_int_equal(fn.msi, 1u << i);
		assert_int_equal(fn.msix, 0);
	}
	for (i = 1; i <= 2048; i *= 2) {
		const struct fakepci f = { .bdf = "0000:03:00.0", .msix = i };

		fakepci_add(&f);
		assert_int_equal(pci_read(&fn, f.bdf, &why), 0);
		assert_int_equal(fn.msix, i);
		assert_int_equal(fn.msi, 0);
	}
}

/* An ordinary user reads 64 bytes: the list begins beyond them. */
static void a_user_sees_64_bytes(void **state)
{
	struct fakepci f = { .bdf = "0000:03:00.0", .msi = 1, .config_size = 64 };

	(void)state;
	fakepci_add(&f);
	assert_int_equal(pci_read(&fn, f.bdf, &why), 0);
	assert_true(!fn.caps_known && !fn.msi && !fn.msix);
	f.config_size = 63;
	fakepci_add(&f);
	assert_int_equal(pci_read(&fn, f.bdf, &why), 0);
	assert_false(fn.caps_known);
}

static void put_config(const unsigned char cfg[FAKEPCI_CONFIG])
{
	tree_put_bytes(fakepci_path("0000:03:00.0", "config"), cfg, FAKEPCI_CONFIG);
	assert_int_equal(pci_read(&fn, "0000:03:00.0", &why), 0);
}

static void broken_capability_lists(void **state)
{
	unsigned char cfg[FAKEPCI_CONFIG] = { 0 };

	(void)state;
	add("0000:03:00.0");
	/* No list at all. */
	cfg[0x34] = 0x40;
	cfg[0x40] = 0x05;
	put_config(cfg);
	assert_true(fn.caps_known && !fn.msi);
	/* It points at itself. */
	cfg[0x06] = 0x10;
	cfg[0x41] = 0x40;
	put_config(cfg);
	assert_int_equal(fn.msi, 1);
	/* A ring of two. */
	cfg[0x41] = 0x60;
	cfg[0x60] = 0x11;
	cfg[0x61] = 0x40;
	put_config(cfg);
	assert_true(fn.msi == 1 && fn.msix == 1);
	/* Into the header, where no capability can be. */
	memset(cfg, 0, sizeof(cfg));
	cfg[0x06] = 0x10;
	cfg[0x34] = 0x10;
	cfg[0x10] = 0x05;
	put_config(cfg);
	assert_int_equal(fn.msi, 0);
	/* The last four bytes, and the two low bits of a pointer do not count. */
	cfg[0x34] = 0xff;
	cfg[0xfc] = 0x05;
	cfg[0xfd] = 0x13;
	put_config(cfg);
	assert_int_equal(fn.msi, 1);
	/* All ones: the function is gone from the bus. */
	memset(cfg, 0xff, sizeof(cfg));
	put_config(cfg);
	assert_true(!fn.msi && !fn.msix);
}

static void a_long_list_is_read_to_its_end(void **state)
{
	unsigned char cfg[FAKEPCI_CONFIG] = { 0 };
	unsigned int pos;

	(void)state;
	add("0000:03:00.0");
	cfg[0x06] = 0x10;
	cfg[0x34] = 0x40;
	for (pos = 0x40; pos < 0xfc; pos += 4) {
		cfg[pos] = 0x09;
		cfg[pos + 1] = (unsigned char)(pos + 4);
	}
	cfg[0xfc] = 0x05;
	put_config(cfg);
	assert_true(fn.caps_known && fn.msi == 1);
}

static void bridges(void **state)
{
	unsigned char cfg[FAKEPCI_CONFIG] = { 0 };
	const struct fakepci host = { .bdf = "0000:00:00.0", .ids = "0x8086 0x29c0 0x060000" };

	(void)state;
	add("0000:03:00.0");
	cfg[0x0e] = 0x81;
	put_config(cfg);
	assert_true(fn.bridge);
	cfg[0x0e] = 0x80;
	put_config(cfg);
	assert_false(fn.bridge);
	fakepci_add(&host);
	assert_int_equal(pci_read(&fn, host.bdf, &why), 0);
	assert_true(fn.bridge);
}

static void who_uses_it(void **state)
{
	const struct fakepci disk = { .bdf = "0000:04:00.0", .ids = "0x144d 0xa808 0x010802" };

	(void)state;
	add("0000:03:00.0");
	tree_link("/sys/class/net/lo", "../../devices/virtual/net/lo");
	tree_link("/sys/class/net/ens5",
		  "../../devices/pci0000:00/0000:00:05.0/virtio1/net/ens5");
	assert_int_equal(pci_read(&fn, "0000:03:00.0", &why), 0);
	assert_string_equal(fn.netdev, "");
	/* A virtio interface is one level further down than others. */
	tree_link("/sys/class/net/enp3s0",
		  "../../devices/pci0000:00/0000:03:00.0/virtio0/net/enp3s0");
	assert_int_equal(pci_read(&fn, "0000:03:00.0", &why), 0);
	assert_string_equal(fn.netdev, "enp3s0");
	assert_false(fn.block);
	fakepci_add(&disk);
	assert_int_equal(pci_read(&fn, disk.bdf, &why), 0);
	assert_false(fn.block);
	/* NVMe with multipath: the disk is a virtual device, the controller is not. */
	tree_link("/sys/class/block/nvme0n1",
		  "../../devices/virtual/nvme-subsystem/nvme-subsys0/nvme0n1");
	assert_int_equal(pci_read(&fn, disk.bdf, &why), 0);
	assert_false(fn.block);
	tree_link("/sys/class/nvme/nvme0", "../../devices/pci0000:00/0000:04:00.0/nvme/nvme0");
	assert_int_equal(pci_read(&fn, disk.bdf, &why), 0);
	assert_true(fn.block);
	tree_remove("/sys/class/nvme/nvme0");
	tree_link("/sys/class/block/sda", "../../devices/pci0000:00/0000:04:00.0/ata1/host0/"
		  "target0:0:0/0:0:0:0/block/sda");
	assert_int_equal(pci_read(&fn, disk.bdf, &why), 0);
	assert_true(fn.block);
}

static void a_scan_is_sorted(void **state)
{
	static const char *const sorted[] = {
		"0000:00:01.0", "0000:00:02.0", "0000:00:02.1", "0000:0a:00.0", "0000:10:00.0",
		"0001:00:00.0", "10000:00:00.0",
	};
	static const unsigned int order[] = { 4, 6, 0, 3, 5, 2, 1 };
	struct pci_function *list;
	int n, i;

	(void)state;
	for (i = 0; i < 7; i++)
		add(sorted[order[i]]);
	tree_mkdir("/sys/bus/pci/devices/rubbish");
	n = pci_scan(&list, &why);
	assert_int_equal(n, 7);
	for (i = 0; i < n; i++)
		assert_string_equal(list[i].bdf, sorted[i]);
	free(list);
}

static void an_empty_bus(void **state)
{
	struct pci_function *list;

	(void)state;
	tree_mkdir("/sys/bus/pci/devices");
	assert_int_equal(pci_scan(&list, &why), 0);
	free(list);
}

static void peers_that_block_a_group(void **state)
{
	const struct fakepci all[] = {
		{ .bdf = "0000:03:00.0", .driver = "vfio-pci", .group = 9 },
		{ .bdf = "0000:03:00.1", .driver = "ahci", .group = 9 },
		{ .bdf = "0000:03:00.2", .driver = NULL, .group = 9 },
		{ .bdf = "0000:03:00.3", .driver = "msilat-vfio-pci", .group = 9 },
		{ .bdf = "0000:03:00.4", .driver = "pcieport", .group = 9 },
		{ .bdf = "0000:03:00.5", .driver = "pci-stub", .group = 9 },
		{ .bdf = "0000:03:00.6", .driver = "snd_hda_intel", .group = 9 },
		{ .bdf = "0000:04:00.0", .driver = "igb", .group = 10 },
	};
	char text[128];
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(all); i++)
		fakepci_add(&all[i]);
	assert_int_equal(pci_read(&fn, "0000:03:00.0", &why), 0);
	assert_int_equal(pci_group_peers(&fn, text, sizeof(text)), 2);
	assert_text(text, "0000:03:00.1 (ahci)");
	assert_text(text, "0000:03:00.6 (snd_hda_intel)");
	assert_text(text, "), 0000");
	/* Too small for both: cut, not overrun; the count stays. */
	memset(text, 'x', sizeof(text));
	assert_int_equal(pci_group_peers(&fn, text, 16), 2);
	assert_true(strlen(text) < 16);
	assert_int_equal(text[16], 'x');
	assert_int_equal(pci_read(&fn, "0000:04:00.0", &why), 0);
	assert_int_equal(pci_group_peers(&fn, text, sizeof(text)), 0);
	assert_string_equal(text, "");
}

static void interrupt_numbers(void **state)
{
	unsigned int irqs[4];

	(void)state;
	add("0000:03:00.0");
	assert_int_equal(pci_irqs("0000:03:00.0", irqs, 4), 0);
	tree_put(fakepci_path("0000:03:00.0", "msi_irqs/101"), "msix\n");
	tree_put(fakepci_path("0000:03:00.0", "msi_irqs/99"), "msix\n");
	tree_put(fakepci_path("0000:03:00.0", "msi_irqs/100"), "msix\n");
	assert_int_equal(pci_irqs("0000:03:00.0", irqs, 4), 3);
	assert_true(irqs[0] == 99 && irqs[1] == 100 && irqs[2] == 101);
	assert_int_equal(pci_irqs("0000:03:00.0", irqs, 2), 2);
}

static void names(void **state)
{
	char name[PCI_NAME_MAX];

	(void)state;
	fn = (struct pci_function){ .vendor = 0x8086, .device = 0x1521, .class = 0x20000 };
	pci_name(&fn, name);
	assert_string_equal(name, "network controller 8086:1521");
	tree_put("/usr/share/misc/pci.ids",
		 "# comment\n\n0e11  Compaq Computer Corporation\n\t1521  Not this one\n"
		 "8086  Intel Corporation\n\t1520  I350 Virtual Function\n"
		 "\t1521  I350 Gigabit Network Connection\n\t\t108e 7b16  A subsystem\n"
		 "9004  Adaptec\n\t1521  Nor this\n");
	pci_name(&fn, name);
	assert_string_equal(name, "Intel I350 Gigabit Network Connection");
	fn.device = 0x9999;
	pci_name(&fn, name);
	assert_string_equal(name, "network controller 8086:9999");
	fn.class = 0xff0000;
	pci_name(&fn, name);
	assert_string_equal(name, "device 8086:9999");
	fn.vendor = 0x1234;
	fn.device = 0x11e8;
	pci_name(&fn, name);
	assert_string_equal(name, "QEMU edu");
}

static void names_longer_than_the_buffer(void **state)
{
	char ids[600], name[PCI_NAME_MAX];

	(void)state;
	snprintf(ids, sizeof(ids), "8086  %0200d\n\t1521  %0200d\n", 1, 2);
	tree_put("/usr/share/misc/pci.ids", ids);
	fn = (struct pci_function){ .vendor = 0x8086, .device = 0x1521 };
	pci_name(&fn, name);
	assert_true(strlen(name) < PCI_NAME_MAX);
	assert_text(name, "0000");
}

#define IN_TREE(test) cmocka_unit_test_setup_teardown(test, tree_open, tree_close)

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_TREE(addresses_of_any_domain),
		IN_TREE(a_short_address_that_is_unambiguous),
		IN_TREE(a_short_address_in_several_domains),
		IN_TREE(what_is_no_address),
		IN_TREE(no_such_function),
		IN_TREE(no_pci_bus),
		IN_TREE(everything_sysfs_says),
		IN_TREE(nothing_but_a_vendor),
		IN_TREE(empty_attributes),
		IN_TREE(every_number_of_vectors),
		IN_TREE(a_user_sees_64_bytes),
		IN_TREE(broken_capability_lists),
		IN_TREE(a_long_list_is_read_to_its_end),
		IN_TREE(bridges),
		IN_TREE(who_uses_it),
		IN_TREE(a_scan_is_sorted),
		IN_TREE(an_empty_bus),
		IN_TREE(peers_that_block_a_group),
		IN_TREE(interrupt_numbers),
		IN_TREE(names),
		IN_TREE(names_longer_than_the_buffer),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
