// SPDX-License-Identifier: GPL-2.0-only
/*
 * disarm BDF ROUNDS: everything that must disarm marks, on an igb, with marks armed on several
 * vectors and their interrupts coming all the time. They are injected: what is done to the device
 * cannot stop them.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/pci_regs.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "card.h"
#include "check.h"

#define VECTORS 4
#define IGB_MTA 0x5200	/* nothing but memory, cleared by a reset */
#define SETTLE_US 30000
#define LOOK_US 1000
#define PATIENCE_US 60000000
#define MORE 20		/* times as many deeds, until either side has won the race */

static struct card card;
static struct vdev *dev = &card.dev;
static uint32_t armed_generation;
static atomic_bool stop;
static unsigned int pm_cap, express_cap;

/* --- what is done to the device -------------------------------------------------------------- */

static unsigned int find_capability(unsigned int id)
{
	unsigned int at = vdev_config16(dev, PCI_CAPABILITY_LIST) & 0xfc;

	while (at && (vdev_config16(dev, at) & 0xff) != id)
		at = vdev_config16(dev, at) >> 8 & 0xfc;
	if (!at)
		check_die("%s: no capability %#x", dev->bdf, id);
	return at;
}

static int refused_now(void)
{
	struct msilat_ctl ctl = { .mark = { .width = 4, .offset = IGB_MTA } };

	return vdev_ctl(dev, MSILAT_OP_MARK, &ctl);
}

static bool by_reset(void)
{
	return !ioctl(dev->fd, VFIO_DEVICE_RESET);
}

static bool by_function_reset(void)
{
	uint16_t control = vdev_config16(dev, express_cap + PCI_EXP_DEVCTL);

	vdev_set_config16(dev, express_cap + PCI_EXP_DEVCTL, control | PCI_EXP_DEVCTL_BCR_FLR);
	return true;
}

/*
 * ENOTTY comes after the reset: the kernel waits for a link that QEMU's root port does not report.
 * That it took place the register tells.
 */
static bool by_hot_reset(void)
{
	struct {
		struct vfio_pci_hot_reset head;
		int32_t group;
	} reset = { .head = { .argsz = sizeof(reset), .count = 1 }, .group = dev->group };

	return !ioctl(dev->fd, VFIO_DEVICE_PCI_HOT_RESET, &reset) || errno == ENOTTY;
}

static bool by_sysfs(void)
{
	char path[128];
	bool done;
	int fd;

	snprintf(path, sizeof(path), "/sys/bus/pci/devices/%s/reset", dev->bdf);
	fd = open(path, O_WRONLY);
	done = fd >= 0 && write(fd, "1", 1) == 1;
	close(fd);
	return done;
}

static bool by_decoding(void)
{
	uint16_t cmd = vdev_config16(dev, PCI_COMMAND);
	int ret;

	vdev_set_config16(dev, PCI_COMMAND, cmd & (uint16_t)~PCI_COMMAND_MEMORY);
	ret = refused_now();
	usleep(SETTLE_US);
	vdev_set_config16(dev, PCI_COMMAND, cmd);
	return ret == -EAGAIN;
}

/* Four bytes that begin before the command register. */
static bool by_straddling(void)
{
	uint32_t value = (uint32_t)vdev_config16(dev, PCI_COMMAND) << 16 |
			 vdev_config16(dev, PCI_DEVICE_ID);

	return pwrite(dev->fd, &value, 4, (off_t)dev->config + PCI_DEVICE_ID) == 4;
}

static bool by_sleep(void)
{
	uint16_t control = vdev_config16(dev, pm_cap + PCI_PM_CTRL) &
			   (uint16_t)~PCI_PM_CTRL_STATE_MASK;
	int ret;

	vdev_set_config16(dev, pm_cap + PCI_PM_CTRL, control | 3);
	ret = refused_now();
	usleep(SETTLE_US);
	vdev_set_config16(dev, pm_cap + PCI_PM_CTRL, control);
	return ret == -EAGAIN;
}

static bool feature(uint32_t number)
{
	struct vfio_device_feature f = {
		.argsz = sizeof(f), .flags = VFIO_DEVICE_FEATURE_SET | number,
	};

	return !ioctl(dev->fd, VFIO_DEVICE_FEATURE, &f);
}

static bool by_low_power(void)
{
	int ret;

	if (!feature(VFIO_DEVICE_FEATURE_LOW_POWER_ENTRY))
		return false;
	ret = refused_now();
	usleep(SETTLE_US);
	return feature(VFIO_DEVICE_FEATURE_LOW_POWER_EXIT) && ret == -EAGAIN;
}

/*
 * struct deed - something that disarms
 * @resets: afterwards the register that is marked is 0, unless somebody wrote it once more.
 */
static const struct deed {
	const char *name;
	bool (*fn)(void);
	bool resets;
} deeds[] = {
	{ "VFIO_DEVICE_RESET", by_reset, true },
	{ "a function-level reset by the capability", by_function_reset, true },
	{ "VFIO_DEVICE_PCI_HOT_RESET", by_hot_reset, true },
	{ "a reset through sysfs", by_sysfs, true },
	{ "memory decoding off and on", by_decoding, false },
	{ "a write that covers half of the command register's neighbour", by_straddling, false },
	{ "D3 and back", by_sleep, false },
	{ "low power and back", by_low_power, false },
};


#define DEEDS (sizeof(deeds) / sizeof(deeds[0]))
/* --- interrupts and marks -------------------------------------------------------------------- */

static void *inject_all(void *arg)
{
	unsigned int vector;

	(void)arg;
	while (!atomic_load(&stop)) {
		for (vector = 0; vector < VECTORS; vector++) {
			struct msilat_ctl ctl = { .inject.vector = vector };
			int ret = vdev_ctl(dev, MSILAT_OP_INJECT, &ctl);

			if (ret && ret != -EBUSY)
				check_die("injecting: %d", ret);
		}
		usleep(50);
	}
	return NULL;
}

static int arm(unsigned int vector, unsigned int stage)
{
	struct msilat_ctl ctl = { .mark = {
		.vector = vector, .stage = stage, .width = 4,
		.offset = IGB_MTA + 4 * vector, .value = 0x5a5a5a5a,
	} };
	int ret = vdev_ctl(dev, MSILAT_OP_MARK, &ctl);

	if (!ret)
		armed_generation = ctl.mark.generation;
	return ret;
}

static bool arm_all(void)
{
	unsigned int vector, stage, bad = 0;

	for (vector = 0; vector < VECTORS; vector++)
		for (stage = 0; stage < MSILAT_STAGES; stage++)
			bad += arm(vector, stage) != 0;
	return !bad;
}

static uint64_t marks(void)
{
	unsigned int vector;
	uint64_t n = 0;

	for (vector = 0; vector < VECTORS; vector++)
		n += vdev_counters(dev, vector).marks;
	return n;
}

static uint64_t primaries(void)
{
	unsigned int vector;
	uint64_t n = 0;

	for (vector = 0; vector < VECTORS; vector++)
		n += vdev_counters(dev, vector).isr;
	return n;
}

static uint32_t generation(void)
{
	return __atomic_load_n(&dev->region->mark_generation, __ATOMIC_ACQUIRE);
}

static unsigned int written(void)
{
	unsigned int vector, n = 0;

	for (vector = 0; vector < VECTORS; vector++)
		n += dev->bar[IGB_MTA / 4 + vector] != 0;
	return n;
}

/* --- the test -------------------------------------------------------------------------------- */

/* Waits until a count has grown; false when it does not within a minute. */
static bool grows(uint64_t (*count)(void))
{
	uint64_t before = count();
	unsigned int us;

	for (us = 0; us < PATIENCE_US && count() == before; us += LOOK_US)
		usleep(LOOK_US);
	return count() > before;
}

struct tally {
	unsigned int done, armed, flowed, marked, raised, clean, silent;
};

static void one_round(const struct deed *deed, struct tally *t)
{
	uint64_t after;

	t->armed += arm_all();
	t->marked += grows(marks);
	t->done += deed->fn();
	after = marks();
	t->raised += generation() == armed_generation + 1;
	t->flowed += grows(primaries);
	vdev_settle(SETTLE_US);
	t->clean += !deed->resets || !written();
	t->silent += marks() == after;
}

static void test_deed(const struct deed *deed, unsigned int rounds)
{
	struct tally t = { 0 };
	unsigned int n;

	for (n = 0; n < rounds; n++)
		one_round(deed, &t);
	check_is(t.armed, rounds, "%s: marks are armed", deed->name);
	check_is(t.marked, rounds, "%s: and written", deed->name);
	check_is(t.done, rounds, "%s: done, none can be armed meanwhile", deed->name);
	check_is(t.raised, rounds, "%s: the generation is one higher", deed->name);
	check_is(t.flowed, rounds, "%s: interrupts keep coming", deed->name);
	check_is(t.silent, rounds, "%s: no mark is written any more", deed->name);
	if (deed->resets)
		check_is(t.clean, rounds, "%s: none was written after it", deed->name);
}

/* What is no danger to a mark leaves it alone. */
static void test_harmless(void)
{
	check(arm_all(), "marks are armed");
	vdev_set_config16(dev, PCI_CACHE_LINE_SIZE, vdev_config16(dev, PCI_CACHE_LINE_SIZE));
	vdev_set_config16(dev, PCI_STATUS, 0);
	vdev_set_config16(dev, express_cap + PCI_EXP_LNKCTL,
			  vdev_config16(dev, express_cap + PCI_EXP_LNKCTL));
	check_is(generation(), armed_generation, "writes to other registers disarm nothing");
	check(grows(marks), "the marks are still written");
}

static atomic_ulong accepted, refused, wrong;

static bool both_won(unsigned int times)
{
	return atomic_load(&accepted) >= times && atomic_load(&refused) >= times;
}

static void *arm_always(void *arg)
{
	unsigned int n = 0;
	int ret;

	(void)arg;
	while (!atomic_load(&stop)) {
		ret = arm(n % VECTORS, n % MSILAT_STAGES);
		n++;
		atomic_fetch_add(ret ? ret == -EAGAIN ? &refused : &wrong : &accepted, 1);
	}
	return NULL;
}

/* Arming and disarming race; whoever wins, the last deed leaves nothing armed. */
static void test_race(unsigned int rounds)
{
	unsigned int n, failed = 0;
	pthread_t armer;
	uint64_t after;

	atomic_store(&stop, false);
	if (pthread_create(&armer, NULL, arm_always, NULL))
		check_die("armer");
	for (n = 0; n < rounds * DEEDS || (n < MORE * rounds * DEEDS && !both_won(rounds)); n++) {
		const struct deed *deed = &deeds[n % DEEDS];

		failed += !deed->fn();
		usleep(SETTLE_US);
	}
	atomic_store(&stop, true);
	pthread_join(armer, NULL);
	failed += !by_reset();
	after = marks();
	vdev_settle(SETTLE_US);
	check_is(failed, 0, "%u deeds while marks are armed all the time", n);
	check_is((long long)atomic_load(&wrong), 0, "arming was refused with EAGAIN only");
	check(both_won(rounds), "either won at times: armed %lu times, refused %lu times",
	      atomic_load(&accepted), atomic_load(&refused));
	check_is(written(), 0, "after the last reset none was written");
	check_is((long long)marks(), (long long)after, "and none is");
}

int main(int argc, char **argv)
{
	unsigned int n, rounds = argc > 2 ? (unsigned int)atoi(argv[2]) : 0;
	pthread_t injector;
	int fds[VECTORS];

	if (!rounds || card_open(&card, argv[1]) || card.edu)
		check_die("usage: disarm BDF ROUNDS, of an igb");
	vdev_map_region(dev);
	pm_cap = find_capability(PCI_CAP_ID_PM);
	express_cap = find_capability(PCI_CAP_ID_EXP);
	for (n = 0; n < VECTORS; n++)
		fds[n] = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
	if (vdev_arm(dev, card.index, VECTORS, fds) ||
	    vdev_select(dev, MSILAT_STRATEGY_SPLIT, NULL))
		check_die("arming");
	if (pthread_create(&injector, NULL, inject_all, NULL))
		check_die("injector");
	for (n = 0; n < sizeof(deeds) / sizeof(deeds[0]); n++)
		test_deed(&deeds[n], rounds);
	test_harmless();
	atomic_store(&stop, true);
	pthread_join(injector, NULL);
	test_race(rounds);
	card_close(&card);
	return check_done();
}
