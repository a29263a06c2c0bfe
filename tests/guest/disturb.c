// SPDX-License-Identifier: GPL-2.0-only
/*
 * disturb BDF SEED COUNT: marks are armed on every vector and written all the time, as somebody
 * else fires the device (load); COUNT times it is reset, put to sleep or made deaf to MMIO. Each
 * time the marks must have been disarmed, stay so, and be armed again when asked. Then the same
 * with others arming marks and changing the strategy meanwhile.
 */
#include <errno.h>
#include <linux/pci_regs.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "attack.h"
#include "check.h"

#define PATIENCE_US 60000000
#define LOOK_US 2000
#define QUIET_US 5000
#define MORE 20
#define SETTLE_US 100000	/* a function may need as long after a reset (PCIe 6.6.2) */
#define FAULTS_SHOWN 10
#define IGB_LEDCTL 0xe00

static struct attack_target target;
static struct card *card = &target.card;
static struct vdev *dev = &target.card.dev;
static struct rng rng;
static unsigned int round_no, bad;
static const char *kind_name;

static void fault(const char *what, long long value)
{
	if (bad++ < FAULTS_SHOWN)
		check_note("round %u, %s: %s (%lld)", round_no, kind_name, what, value);
}

static uint32_t generation(void)
{
	return *(const volatile uint32_t *)&dev->region->mark_generation;
}

static int mark(uint32_t vector, uint32_t stage, uint32_t width, uint64_t value, uint32_t *armed)
{
	struct msilat_ctl ctl = { .mark = { .vector = vector, .stage = stage, .width = width,
					    .offset = card->edu ? 4 : IGB_LEDCTL,
					    .value = value } };
	int ret = vdev_ctl(dev, MSILAT_OP_MARK, &ctl);

	if (armed)
		*armed = ctl.mark.generation;
	return ret;
}

static uint64_t marks_written(void)
{
	uint64_t sum = 0;
	unsigned int i;

	for (i = 0; i < card->vectors; i++)
		sum += vdev_counters(dev, i).marks;
	return sum;
}

/* Whether marks are written: events come by themselves. */
static bool marks_flow(void)
{
	uint64_t before = marks_written();
	unsigned int us;

	for (us = 0; us < PATIENCE_US; us += LOOK_US) {
		if (marks_written() > before)
			return true;
		usleep(LOOK_US);
	}
	return false;
}

static void arm_all(void)
{
	uint32_t vector, stage, armed = 0;
	int ret;

	for (vector = 0; vector < card->vectors; vector++)
		for (stage = 0; stage < MSILAT_STAGES; stage++) {
			ret = mark(vector, stage, 4, rng_next(&rng), &armed);
			if (ret)
				fault("a mark is refused", ret);
		}
	if (armed != generation())
		fault("armed at another generation than is shown", armed);
}

/* --- disturbances ---------------------------------------------------------------------------- */

static void to_command(uint16_t set, uint16_t clear)
{
	vdev_set_config16(dev, PCI_COMMAND,
			  (vdev_config16(dev, PCI_COMMAND) & (uint16_t)~clear) | set);
}

/* What a mark is answered while the device is deaf. */
static void refused_meanwhile(void)
{
	int ret = mark(0, MSILAT_STAGE_SIGNAL, 4, 1, NULL);

	if (ret != -EAGAIN)
		fault("a mark on a deaf device is answered", ret);
}

static void memory_off(bool alone)
{
	to_command(0, PCI_COMMAND_MEMORY);
	if (alone)
		refused_meanwhile();
	to_command(PCI_COMMAND_MEMORY, 0);
}

static void asleep(bool alone)
{
	unsigned int at = attack_capability(dev, PCI_CAP_ID_PM) + PCI_PM_CTRL;

	vdev_set_config16(dev, at, ATTACK_D3);
	if (alone)
		refused_meanwhile();
	vdev_set_config16(dev, at, ATTACK_D0);
}

static void reset(bool alone)
{
	int ret = ioctl(dev->fd, VFIO_DEVICE_RESET) ? -errno : 0;

	if (ret && (alone || ret != -EAGAIN))
		fault("reset", ret);
}

/* Function-level reset by the device's own register. */
static void reset_by_register(bool alone)
{
	unsigned int at = attack_capability(dev, PCI_CAP_ID_EXP) + PCI_EXP_DEVCTL;

	(void)alone;
	vdev_set_config16(dev, at, vdev_config16(dev, at) | PCI_EXP_DEVCTL_BCR_FLR);
	usleep(SETTLE_US);
}

static void low_power(bool alone)
{
	struct vfio_device_feature f = { .argsz = sizeof(f), .flags = VFIO_DEVICE_FEATURE_SET |
					 VFIO_DEVICE_FEATURE_LOW_POWER_ENTRY };

	if (ioctl(dev->fd, VFIO_DEVICE_FEATURE, &f)) {
		fault("low power", -errno);
		return;
	}
	if (alone)
		refused_meanwhile();
	f.flags = VFIO_DEVICE_FEATURE_SET | VFIO_DEVICE_FEATURE_LOW_POWER_EXIT;
	if (ioctl(dev->fd, VFIO_DEVICE_FEATURE, &f))
		fault("full power", -errno);
}

static const struct {
	const char *name;
	void (*run)(bool alone);
	bool on_edu;
} disturbances[] = {
	{ "memory decoding off", memory_off, true },
	{ "low power", low_power, true },
	{ "D3hot", asleep, false },
	{ "reset", reset, false },
	{ "reset by register", reset_by_register, false },
};

#define KINDS (sizeof(disturbances) / sizeof(disturbances[0]))

static unsigned int choose(void)
{
	unsigned int kind;

	do
		kind = rng_below(&rng, KINDS);
	while (card->edu && !disturbances[kind].on_edu);
	kind_name = disturbances[kind].name;
	return kind;
}

/* --- alone ----------------------------------------------------------------------------------- */

static void any_strategy(void)
{
	uint32_t strategy;

	do
		strategy = rng_below(&rng, ATTACK_STRATEGIES);
	while (!(target.permitted & 1u << strategy));
	if (vdev_select(dev, strategy, NULL))
		fault("a strategy is refused", strategy);
}

static void disturbed(void)
{
	unsigned int kind = choose();
	uint32_t before;
	uint64_t written;

	any_strategy();
	arm_all();
	if (!marks_flow())
		fault("armed marks are not written", 0);
	before = generation();
	disturbances[kind].run(true);
	if (generation() == before)
		fault("the marks have not been disarmed, generation", before);
	attack_wake(&target);
	before = generation();
	written = marks_written();
	vdev_settle(QUIET_US);
	if (marks_written() != written)
		fault("disarmed marks are written", (long long)(marks_written() - written));
	if (generation() != before)
		fault("the generation changes without cause", generation());
}

static void alone(unsigned int count)
{
	bad = 0;
	for (round_no = 0; round_no < count; round_no++)
		disturbed();
	check_is(bad, 0, "%u times marks were disarmed by what happened to the device, and stayed so",
		 count);
	kind_name = "afterwards";
	arm_all();
	check(marks_flow(), "afterwards marks are written again");
}

/* On edu a register shows what was written last: a refused call must not have replaced the mark. */
static void refused_keeps(void)
{
	const uint32_t value = 0x12345678;
	uint32_t stage;

	for (stage = 0; stage < MSILAT_STAGES; stage++)
		mark(0, stage, 4, value, NULL);
	check(marks_flow(), "a mark is written");
	check_is(dev->bar[1], (uint32_t)~value, "it is what was programmed");
	for (stage = 0; stage < MSILAT_STAGES; stage++)
		check_is(mark(0, stage, 3, ~value, NULL), -EINVAL, "a bad one is refused");
	check(marks_flow(), "the mark is written as before");
	check_is(dev->bar[1], (uint32_t)~value, "and is what it was");
}

/* --- with others ----------------------------------------------------------------------------- */

static atomic_bool stop;
static atomic_ullong others_bad, others_good;

static void *keep_marking(void *arg)
{
	struct rng r = rng_stream((uintptr_t)arg, 1);

	while (!atomic_load(&stop)) {
		int ret = mark(rng_below(&r, card->vectors), rng_below(&r, MSILAT_STAGES), 4,
			       rng_next(&r), NULL);

		if (ret && ret != -EAGAIN)
			atomic_fetch_add(&others_bad, 1);
		else if (!ret)
			atomic_fetch_add(&others_good, 1);
	}
	return NULL;
}

static void *keep_switching(void *arg)
{
	struct rng r = rng_stream((uintptr_t)arg, 2);
	uint32_t strategy;

	while (!atomic_load(&stop)) {
		strategy = rng_below(&r, ATTACK_STRATEGIES);
		if (target.permitted & 1u << strategy && vdev_select(dev, strategy, NULL))
			atomic_fetch_add(&others_bad, 1);
		usleep(LOOK_US);
	}
	return NULL;
}

static void with_others(unsigned int count, uint64_t seed)
{
	pthread_t threads[3];
	unsigned int i;

	bad = 0;
	for (i = 0; i < 3; i++)
		if (pthread_create(&threads[i], NULL, i < 2 ? keep_marking : keep_switching,
				   (void *)(uintptr_t)(seed + i)))
			check_die("thread");
	/* On, if no mark has got in between. */
	for (round_no = 0; round_no < count || (!others_good && round_no < MORE * count);
	     round_no++) {
		disturbances[choose()].run(false);
		attack_wake(&target);
		usleep(rng_below(&rng, LOOK_US));
	}
	atomic_store(&stop, true);
	for (i = 0; i < 3; i++)
		pthread_join(threads[i], NULL);
	check_is(bad + (long long)others_bad, 0, "%u disturbances with marks and strategies being "
		 "set meanwhile", count);
	check(others_good > 0, "of the marks %llu were accepted", (unsigned long long)others_good);
	kind_name = "afterwards";
	attack_wake(&target);
	any_strategy();
	arm_all();
	check(marks_flow(), "afterwards marks are written again");
}

int main(int argc, char **argv)
{
	int fds[ATTACK_VECTORS];
	unsigned int i, count;
	uint64_t seed;

	if (argc < 4)
		check_die("usage: disturb BDF SEED COUNT");
	seed = strtoull(argv[2], NULL, 0);
	count = (unsigned int)atoi(argv[3]);
	rng = rng_stream(seed, 0);
	attack_target_init(&target, argv[1]);
	for (i = 0; i < card->vectors; i++)
		fds[i] = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
	if (vdev_arm(dev, card->index, card->vectors, fds))
		check_die("arming");
	attack_wake(&target);
	if (card->edu)
		refused_keeps();
	alone(count);
	with_others(count, seed);
	vdev_disarm(dev, card->index);
	card_close(card);
	return check_done();
}
