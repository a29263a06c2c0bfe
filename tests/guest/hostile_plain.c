// SPDX-License-Identifier: GPL-2.0-only
/*
 * Calls that any VFIO driver must answer as vfio-pci does. The calls are decided by the seed alone,
 * so that the trace of one driver can be held against that of another. The device must not fire.
 *
 * What of the state can be seen: whatever an index has armed, a loopback trigger of it brings to
 * light. A call that was refused may not have changed it, with one exception that is VFIO's: a
 * block with a bad descriptor in it leaves the whole block disarmed.
 */
#include <errno.h>
#include <linux/pci_regs.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "check.h"
#include "hostile.h"

#define SELECT_STREAM 1000	/* apart from the calls: another driver has no such thing */
#define STRANGE_REGION 32	/* no driver has that many */

/* struct seen - what VFIO shows of the device's interrupts */
struct seen {
	int32_t loopback[VFIO_PCI_NUM_IRQS];
	uint32_t flags[VFIO_PCI_NUM_IRQS];
	uint64_t arrived[ATTACK_FDS];
	uint16_t command;
};

static struct attack_target *target;
static struct rng calls, selects;
static struct bait bait;
static char what[320];

static uint64_t drain_one(int fd)
{
	uint64_t value, sum = 0;

	/* A semaphore gives its value in ones. */
	while ((value = vdev_drain(fd)))
		sum += value;
	return sum;
}

static void drain_all(struct seen *s)
{
	unsigned int i;

	for (i = 0; i < target->eventfds; i++)
		s->arrived[i] = drain_one(target->fds[i]);
}

/* Each index is triggered as far as it goes: a kernel may refuse vectors that are not enabled. */
static struct seen look(void)
{
	struct vdev *d = &target->card.dev;
	struct vfio_irq_info info;
	struct seen s = { 0 };
	uint32_t index, vector;

	drain_all(&s);
	memset(s.arrived, 0, sizeof(s.arrived));
	for (index = 0; index < VFIO_PCI_NUM_IRQS; index++) {
		vdev_irq_info(d, index, &info);
		s.flags[index] = info.flags;
		for (vector = 0; vector < info.count; vector++) {
			int ret = vdev_set_irqs(d, index, VDEV_NONE, vector, 1, NULL);

			if (ret) {
				s.loopback[index] = ret;
				break;
			}
		}
	}
	drain_all(&s);
	s.command = vdev_config16(d, PCI_COMMAND);
	return s;
}

static void tell(unsigned int call, long ret, const struct seen *s, const struct seen *before)
{
	unsigned int i;

	printf("%u %s: %ld", call, what, ret);
	if (memcmp(s, before, sizeof(*s))) {
		printf(" |");
		for (i = 0; i < VFIO_PCI_NUM_IRQS; i++)
			printf(" %d/%#x", s->loopback[i], s->flags[i]);
		printf(" | %#x |", s->command);
		for (i = 0; i < target->eventfds; i++)
			printf(" %llu", (unsigned long long)s->arrived[i]);
	}
	putchar('\n');
}

/* --- the calls ------------------------------------------------------------------------------- */

/* Returns true when a refusal may have disarmed vectors. */
static bool set_irqs(long *ret)
{
	struct attack_irq_set s;

	attack_irqs_choose(&calls, target, &s);
	bait_lay(&bait, &calls, bait_choose(&calls), &s.set, s.size);
	snprintf(what, sizeof(what), "SET_IRQS %s at %s", s.what, bait_name(bait.place));
	*ret = ioctl(target->card.dev.fd, VFIO_DEVICE_SET_IRQS, bait.at);
	return s.set.index == target->card.index && s.set.flags == VDEV_EVENTFD;
}

static long region_info(void)
{
	struct vfio_region_info info = { .argsz = sizeof(info) };

	info.index = rng_below(&calls, 2) ? rng_below(&calls, VFIO_PCI_NUM_REGIONS) :
		     STRANGE_REGION + rng_hostile(&calls, 8);
	if (rng_one_in(&calls, 4))
		info.argsz = rng_hostile(&calls, sizeof(info));
	bait_lay(&bait, &calls, bait_choose(&calls), &info, sizeof(info));
	snprintf(what, sizeof(what), "GET_REGION_INFO index %u argsz %u at %s", info.index,
		 info.argsz, bait_name(bait.place));
	return ioctl(target->card.dev.fd, VFIO_DEVICE_GET_REGION_INFO, bait.at);
}

static long irq_info(void)
{
	struct vfio_irq_info info = { .argsz = sizeof(info) };

	info.index = rng_hostile(&calls, VFIO_PCI_NUM_IRQS);
	if (rng_one_in(&calls, 4))
		info.argsz = rng_hostile(&calls, sizeof(info));
	bait_lay(&bait, &calls, bait_choose(&calls), &info, sizeof(info));
	snprintf(what, sizeof(what), "GET_IRQ_INFO index %u argsz %u at %s", info.index, info.argsz,
		 bait_name(bait.place));
	return ioctl(target->card.dev.fd, VFIO_DEVICE_GET_IRQ_INFO, bait.at);
}

static long feature(void)
{
	static const uint32_t operations[] = { VFIO_DEVICE_FEATURE_PROBE, VFIO_DEVICE_FEATURE_GET,
					       VFIO_DEVICE_FEATURE_SET };
	struct {
		struct vfio_device_feature head;
		uint8_t data[24];
	} f = { .head.argsz = sizeof(f) };

	f.head.flags = rng_hostile(&calls, 14) & VFIO_DEVICE_FEATURE_MASK;
	/* Asked for only: a sleeping device is for others to test. */
	f.head.flags |= operations[0];
	if (rng_one_in(&calls, 2))
		f.head.flags |= operations[1 + rng_below(&calls, 2)];
	if (rng_one_in(&calls, 4))
		f.head.argsz = rng_hostile(&calls, sizeof(f));
	bait_lay(&bait, &calls, bait_choose(&calls), &f, sizeof(f));
	snprintf(what, sizeof(what), "FEATURE flags %#x argsz %u at %s", f.head.flags, f.head.argsz,
		 bait_name(bait.place));
	return ioctl(target->card.dev.fd, VFIO_DEVICE_FEATURE, bait.at);
}

/* A region's number, its size as far as that is known: ours is left out, the other has none. */
static uint64_t choose_region(uint64_t *size)
{
	uint32_t index = rng_below(&calls, 8);

	*size = index < 6 ? target->bars[index].size : 0;
	if (index == 6) {
		*size = 256;
		return target->card.dev.config;
	}
	if (index == 7)
		index = STRANGE_REGION + rng_hostile(&calls, 1 << 16);
	return (uint64_t)index << 40;
}

static long read_region(void)
{
	uint64_t size, base = choose_region(&size), at = rng_hostile(&calls, (uint32_t)size);
	size_t length = rng_below(&calls, 33);
	static const char nothing[33];

	bait_lay(&bait, &calls, bait_choose(&calls), nothing, length);
	snprintf(what, sizeof(what), "read %zu at %#llx + %#llx to %s", length,
		 (unsigned long long)base, (unsigned long long)at, bait_name(bait.place));
	return pread(target->card.dev.fd, bait.at, length, (off_t)(base + at));
}

static long map_region(void)
{
	uint64_t size, base = choose_region(&size);
	uint64_t pages = size / 4096;
	/* Within the offsets of that region: the next could be ours. */
	uint64_t at = rng_hostile(&calls, (uint32_t)pages) % (1u << 27) * 4096ull;
	size_t length = rng_hostile(&calls, (uint32_t)pages + 1) * 4096ull;
	int prot = rng_below(&calls, 2) ? PROT_READ : PROT_READ | PROT_WRITE;
	int flags = rng_below(&calls, 4) ? MAP_SHARED : MAP_PRIVATE;
	void *p;

	snprintf(what, sizeof(what), "mmap %zu at %#llx + %#llx prot %d flags %d", length,
		 (unsigned long long)base, (unsigned long long)at, prot, flags);
	p = mmap(NULL, length, prot, flags, target->card.dev.fd, (off_t)(base + at));
	if (p == MAP_FAILED)
		return -1;
	munmap(p, length);
	return 0;
}

/* Configuration space that VFIO emulates or that does a device no harm. */
static long write_config(void)
{
	struct vdev *d = &target->card.dev;
	unsigned int msi = attack_capability(d, PCI_CAP_ID_MSI);
	unsigned int msix = attack_capability(d, PCI_CAP_ID_MSIX);
	unsigned int pm = attack_capability(d, PCI_CAP_ID_PM);
	unsigned int at;
	uint16_t value = (uint16_t)rng_next(&calls);

	switch (rng_below(&calls, 5)) {
	case 0:
		at = PCI_BASE_ADDRESS_0 + 2 * rng_below(&calls, 12);
		break;
	case 1:
		at = msi + PCI_MSI_FLAGS + 2 * rng_below(&calls, 5);
		break;
	case 2:
		at = msix ? msix + PCI_MSIX_FLAGS : PCI_INTERRUPT_LINE;
		break;
	case 3:
		at = pm ? pm + PCI_PM_CTRL : PCI_INTERRUPT_LINE;
		value = rng_below(&calls, 2) ? ATTACK_D0 : ATTACK_D3;
		break;
	default:
		at = PCI_COMMAND;
		value &= PCI_COMMAND_MEMORY | PCI_COMMAND_MASTER | PCI_COMMAND_INTX_DISABLE;
		break;
	}
	snprintf(what, sizeof(what), "write %#x at %#x", value, at);
	return pwrite(d->fd, &value, 2, (off_t)d->config + at);
}

static long reset(void)
{
	snprintf(what, sizeof(what), "RESET");
	return ioctl(target->card.dev.fd, VFIO_DEVICE_RESET);
}

static bool one_call(long *ret)
{
	switch (rng_below(&calls, 400) ? rng_below(&calls, 20) : 20) {
	case 0:
		*ret = region_info();
		return false;
	case 1:
		*ret = irq_info();
		return false;
	case 2:
		*ret = feature();
		return false;
	case 3:
	case 4:
		*ret = read_region();
		return false;
	case 5:
		*ret = map_region();
		return false;
	case 6:
		*ret = write_config();
		return false;
	case 20:
		*ret = reset();
		return false;
	default:
		return set_irqs(ret);
	}
}

/* On our driver: another strategy, whose catch-ups are nobody's business here. */
static void change_strategy(void)
{
	struct msilat_ctl ctl = { .strategy.strategy = rng_below(&selects, ATTACK_STRATEGIES) };
	struct seen s;

	if (!target->region.size || !rng_one_in(&selects, 4))
		return;
	if (!(target->permitted & 1u << ctl.strategy.strategy))
		return;
	if (ctl.strategy.strategy >= MSILAT_STRATEGY_DIRECT && rng_below(&selects, 2))
		ctl.strategy.flags = MSILAT_SELECT_NO_EVENTFD;
	if (vdev_ctl(&target->card.dev, MSILAT_OP_STRATEGY, &ctl))
		printf("strategy %u is refused\n", ctl.strategy.strategy);
	drain_all(&s);
}

void hostile_plain(struct attack_target *t, uint64_t seed, unsigned int count)
{
	struct seen before, after;
	unsigned int i;

	target = t;
	calls = rng_stream(seed, 0);
	selects = rng_stream(seed, SELECT_STREAM);
	bait_init(&bait);
	before = look();
	for (i = 0; i < count; i++) {
		bool may_disarm;
		long ret;

		may_disarm = one_call(&ret);
		if (ret < 0)
			ret = -errno;
		after = look();
		tell(i, ret, &after, &before);
		if (ret < 0 && memcmp(&before, &after, sizeof(after)) &&
		    !(may_disarm && (ret == -EBADF || ret == -EINVAL)))
			puts("! a refused call changed something");
		before = after;
		change_strategy();
	}
	attack_wake(t);
}
