// SPDX-License-Identifier: GPL-2.0-only
/*
 * contract BDF: what uapi/msilat.h promises beyond VFIO, on a device bound to msilat-vfio-pci.
 * contract BDF gate: who may select nothread, with the module loaded with allow_unsafe=1.
 * contract BDF default STRATEGY: what is in force after opening.
 */
#include <errno.h>
#include <linux/capability.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "card.h"
#include "check.h"
#include "strategy.h"

#define EVENTS 50
#define PATIENCE_MS 10000
#define BIT(n) (1u << (n))
#define UNSAFE BIT(MSILAT_STRATEGY_NOTHREAD)
#define SAFE (BIT(STRATEGIES) - BIT(MSILAT_STRATEGY_THREAD) - UNSAFE)

static struct card card;
static struct vdev *dev = &card.dev;

static int raw_ctl(struct msilat_ctl *ctl)
{
	return ioctl(dev->fd, MSILAT_CTL, ctl) ? -errno : 0;
}

static void control_errors(void)
{
	const uint32_t head = offsetof(struct msilat_ctl, query);
	struct msilat_ctl ctl = { .argsz = 4 };

	check_is(raw_ctl(&ctl), -EINVAL, "argsz smaller than the head");
	ctl = (struct msilat_ctl){ .argsz = head };
	check_is(raw_ctl(&ctl), -EINVAL, "argsz without room for the answer");
	ctl = (struct msilat_ctl){ .argsz = head + sizeof(ctl.query) - 1 };
	check_is(raw_ctl(&ctl), -EINVAL, "argsz one byte too small");
	ctl = (struct msilat_ctl){ .argsz = head + sizeof(ctl.query) };
	check_is(raw_ctl(&ctl), 0, "argsz as large as needed");
	ctl = (struct msilat_ctl){ .argsz = 1u << 20 };
	check_is(raw_ctl(&ctl), 0, "argsz of a longer, future structure");
	ctl = (struct msilat_ctl){ .argsz = sizeof(ctl), .flags = 1 };
	check_is(raw_ctl(&ctl), -EINVAL, "unknown flag");
	ctl = (struct msilat_ctl){ .argsz = sizeof(ctl), .reserved = 1 };
	check_is(raw_ctl(&ctl), -EINVAL, "reserved field not zero");
	ctl = (struct msilat_ctl){ .argsz = sizeof(ctl), .op = MSILAT_OP_STRATEGY,
				   .strategy = { MSILAT_STRATEGY_THREAD, .reserved = 1 } };
	check_is(raw_ctl(&ctl), -EINVAL, "reserved field of a selection not zero");
	ctl = (struct msilat_ctl){ .argsz = sizeof(ctl), .op = 999 };
	check_is(raw_ctl(&ctl), -ENOTTY, "unknown operation");
	check_is(raw_ctl(NULL), -EFAULT, "no structure at all");
	check_is(ioctl(dev->fd, _IO(0xBE, 0x7f), &ctl) ? -errno : 0, -ENOTTY, "unknown ioctl");
	ctl = (struct msilat_ctl){ .counters.vector = card.vectors };
	check_is(vdev_ctl(dev, MSILAT_OP_COUNTERS, &ctl), -EINVAL, "a vector too many");
	ctl.counters.vector = ~0u;
	check_is(vdev_ctl(dev, MSILAT_OP_COUNTERS, &ctl), -EINVAL, "vector ~0");
	check_is(vdev_select(dev, MSILAT_STRATEGY_STOCK, NULL), -EINVAL, "strategy stock");
	check_is(vdev_select(dev, 99, NULL), -EINVAL, "strategy 99");
	check_is(vdev_select(dev, ~0u, NULL), -EINVAL, "strategy ~0");
}

static void query(void)
{
	struct msilat_query q = vdev_query(dev);

	check_is(q.uapi_version, MSILAT_UAPI_VERSION, "query: version of the interface");
	check_is(q.known, SAFE | UNSAFE, "query: the strategies known");
	check_is(q.permitted, SAFE, "query: the safe ones are permitted");
	check_is(q.strategy, MSILAT_STRATEGY_THREAD, "query: thread is the default");
	check_is(q.vectors, card.vectors, "query: the vectors VFIO tells");
	check_is(q.enabled, 0, "query: none is armed");
	check_is(q.irq_index, ~0u, "query: no index is enabled");
	check(q.clock_hz > 100000000, "query: the clock runs at %llu Hz",
	      (unsigned long long)q.clock_hz);
	check(q.version[0] && !q.version[sizeof(q.version) - 1], "query: module version %.31s",
	      q.version);
	check_is(vdev_select(dev, MSILAT_STRATEGY_NOTHREAD, NULL), -EPERM,
		 "nothread is refused without allow_unsafe");
	check_is(vdev_query(dev).strategy, MSILAT_STRATEGY_THREAD,
		 "a refused strategy changes nothing");
}

/* The region as VFIO shows it: flags, and the type capability by which it is found. */
static void region_info(void)
{
	const uint32_t flags = VFIO_REGION_INFO_FLAG_READ | VFIO_REGION_INFO_FLAG_MMAP |
			       VFIO_REGION_INFO_FLAG_CAPS;
	struct vfio_device_info info = { .argsz = sizeof(info) };
	union {
		struct vfio_region_info region;
		char bytes[256];
	} u = { .region = { .argsz = sizeof(u), .index = vdev_query(dev).region } };
	struct vfio_region_info_cap_type *type;

	check_is(ioctl(dev->fd, VFIO_DEVICE_GET_INFO, &info), 0, "device info");
	check_is(u.region.index, info.num_regions - 1, "the region is counted among the device's");
	check_is(ioctl(dev->fd, VFIO_DEVICE_GET_REGION_INFO, &u.region), 0, "region info");
	check_is(u.region.flags, flags, "region: readable, mappable, not writable");
	type = (struct vfio_region_info_cap_type *)(u.bytes + u.region.cap_offset);
	if (!check(u.region.cap_offset && u.region.cap_offset < sizeof(u), "region: capability"))
		return;
	check_is(type->header.id, VFIO_REGION_INFO_CAP_TYPE, "region: of the type capability");
	check_is(type->type, MSILAT_REGION_TYPE, "region: type");
	check_is(type->subtype, MSILAT_REGION_SUBTYPE, "region: subtype");
	u.region = (struct vfio_region_info){ .argsz = sizeof(u), .index = info.num_regions };
	check_is(ioctl(dev->fd, VFIO_DEVICE_GET_REGION_INFO, &u.region) ? -errno : 0, -EINVAL,
		 "there is no region behind it");
}

static int map_errno(int prot, int flags, uint64_t offset, size_t size)
{
	void *p = mmap(NULL, size, prot, flags, dev->fd, (off_t)(dev->region_offset + offset));

	if (p == MAP_FAILED)
		return errno;
	munmap(p, size);
	return 0;
}

static void region_is_read_only(void)
{
	void *map = (void *)dev->region;
	size_t size = dev->region_size;
	uint64_t value = 0;

	check_is(map_errno(PROT_READ | PROT_WRITE, MAP_SHARED, 0, size), EACCES,
		 "a writable mapping is refused");
	check(map_errno(PROT_READ | PROT_EXEC, MAP_SHARED, 0, size),
	      "an executable mapping is refused");
	check(map_errno(PROT_READ | PROT_WRITE, MAP_PRIVATE, 0, size),
	      "a private writable mapping is refused");
	check(map_errno(PROT_READ, MAP_SHARED, 0, size + 4096), "a mapping too long is refused");
	check(map_errno(PROT_READ, MAP_SHARED, size, 4096), "a mapping behind it is refused");
	check_is(mprotect(map, size, PROT_READ | PROT_WRITE) ? errno : 0, EACCES,
		 "a mapping cannot be made writable");
	check_is(mprotect(map, size, PROT_READ | PROT_EXEC) ? errno : 0, EACCES,
		 "a mapping cannot be made executable");
	check_is(pwrite(dev->fd, &value, sizeof(value), (off_t)dev->region_offset) < 0 ? errno : 0,
		 EINVAL, "write() is refused");
}

static void region_reads(void)
{
	size_t size = dev->region_size;
	char *copy = malloc(size), two[16];
	off_t at = (off_t)dev->region_offset;

	check_is(pread(dev->fd, copy, size, at), (long long)size, "read() of the whole region");
	check(!memcmp(copy, dev->region, size), "read() gives what the mapping shows");
	check_is(pread(dev->fd, two, sizeof(two), at + (off_t)size - 8), 8,
		 "read() over the end is short");
	check_is(pread(dev->fd, two, 8, at + (off_t)size) < 0 ? errno : 0, EINVAL,
		 "read() behind the end is refused");
	free(copy);
}

static void region_header(void)
{
	const struct msilat_region *r = dev->region;
	uint64_t ring = (uint64_t)r->ring_records;

	check_is(r->magic, MSILAT_REGION_MAGIC, "header: magic");
	check_is(r->version, MSILAT_UAPI_VERSION, "header: version");
	check_is(r->header_size, sizeof(*r), "header: size");
	check_is(r->vectors, card.vectors, "header: vectors");
	check_is(r->clock, MSILAT_CLOCK_TSC, "header: clock");
	check_is((long long)r->clock_hz, (long long)vdev_query(dev).clock_hz, "header: frequency");
	check(ring && !(ring & (ring - 1)), "header: %llu records, a power of two",
	      (unsigned long long)ring);
	check(r->isr_offset >= sizeof(struct msilat_vector) &&
	      r->delivery_offset >= r->isr_offset + ring * sizeof(struct msilat_isr) &&
	      r->vector_stride >= r->delivery_offset + ring * sizeof(struct msilat_delivery) &&
	      r->vector_offset >= r->header_size, "header: nothing overlaps");
	check(r->vector_offset + (uint64_t)r->vector_stride * r->vectors <= dev->region_size,
	      "header: all blocks lie in the region");
}

static const struct msilat_vector *block(unsigned int vector)
{
	const struct msilat_region *r = dev->region;

	return (const void *)((const char *)r + r->vector_offset + vector * r->vector_stride);
}

static struct msilat_delivery delivery(unsigned int vector, uint64_t n)
{
	const struct msilat_region *r = dev->region;
	const struct msilat_delivery *ring =
		(const void *)((const char *)block(vector) + r->delivery_offset);

	return ring[n & (r->ring_records - 1)];
}

static struct msilat_isr isr(unsigned int vector, uint64_t n)
{
	const struct msilat_region *r = dev->region;
	const struct msilat_isr *ring =
		(const void *)((const char *)block(vector) + r->isr_offset);

	return ring[n & (r->ring_records - 1)];
}

/* The record of one event that nobody else disturbed. Returns what is wrong with it. */
static const char *record_fault(uint32_t strategy)
{
	uint64_t n = block(0)->delivery_head, m = block(0)->isr_head;
	struct msilat_delivery d = delivery(0, n - 1);
	struct msilat_isr i;

	if (d.seq != n)
		return "delivery: seq is not its number plus one";
	if (d.flags || !d.signal || d.thread > d.signal)
		return "delivery: flags or stamps";
	if (!d.thread == strategy_has_thread(strategy))
		return "delivery: a thread's stamp where there is none, or the reverse";
	if (!strategy_has_primary(strategy))
		return d.first_isr == UINT64_MAX && d.last_isr == UINT64_MAX ? NULL :
			"delivery: names isr records that do not exist";
	i = isr(0, m - 1);
	if (i.seq != m || d.first_isr != m - 1 || d.last_isr != m - 1)
		return "delivery: does not name the isr record it consumed";
	if (!i.isr || i.isr > d.signal || (d.thread && i.isr > d.thread))
		return "isr: its stamp is not the first";
	return i.lock_state < MSILAT_LOCK_STATES ? NULL : "isr: unknown lock state";
}

/* Events one at a time: each arrives once, is counted once and has its record. */
static void events(uint32_t strategy, int fd)
{
	struct msilat_counters a = vdev_counters(dev, 0), b;
	const char *fault = NULL;
	uint64_t values = 0, states = 0;
	int i;

	for (i = 0; i < EVENTS && !fault; i++) {
		card_fire(&card, 0);
		values += vdev_await(fd, PATIENCE_MS);
		fault = record_fault(strategy);
	}
	b = vdev_counters(dev, 0);
	for (i = 0; i < MSILAT_LOCK_STATES; i++)
		states += b.lock_states[i];
	check(!fault, "%s: each event has a good record%s%s", strategy_name(strategy),
	      fault ? ": " : "", fault ? fault : "");
	check_is((long long)values, EVENTS, "%s: each event arrives once", strategy_name(strategy));
	check_is((long long)(b.signals - a.signals), EVENTS, "%s: signals", strategy_name(strategy));
	check_is((long long)(b.threads - a.threads), EVENTS, "%s: threads", strategy_name(strategy));
	check_is((long long)(b.isr - a.isr), strategy_has_primary(strategy) ? EVENTS : 0,
		 "%s: primaries", strategy_name(strategy));
	check_is((long long)states, (long long)b.isr, "%s: the hazard probe saw each primary",
		 strategy_name(strategy));
	check(b.irq, "%s: the vector has a Linux IRQ number", strategy_name(strategy));
}

/* A loopback is there when the call returns, counts apart and writes no record. */
static void loopback(uint32_t strategy, int fd)
{
	struct msilat_counters a = vdev_counters(dev, 0), b;
	uint64_t heads = block(0)->delivery_head + block(0)->isr_head;
	uint8_t on = 1, off = 0;

	check(!vdev_set_irqs(dev, card.index, VDEV_NONE, 0, 1, NULL) && vdev_drain(fd) == 1,
	      "%s: loopback by DATA_NONE is there at once", strategy_name(strategy));
	check(!vdev_set_irqs(dev, card.index, VDEV_BOOL, 0, 1, &on) && vdev_drain(fd) == 1,
	      "%s: loopback by DATA_BOOL is there at once", strategy_name(strategy));
	check(!vdev_set_irqs(dev, card.index, VDEV_BOOL, 0, 1, &off) && !vdev_drain(fd),
	      "%s: a false bool triggers nothing", strategy_name(strategy));
	b = vdev_counters(dev, 0);
	check_is((long long)(b.loopbacks - a.loopbacks), 2, "%s: loopbacks are counted",
		 strategy_name(strategy));
	check_is((long long)(b.signals - a.signals), 0, "%s: apart from signals",
		 strategy_name(strategy));
	check(block(0)->delivery_head + block(0)->isr_head == heads, "%s: and write no record",
	      strategy_name(strategy));
}

/* Selecting a strategy re-arms, with one catch-up that is counted and marked. */
static void rearm(uint32_t strategy, int fd)
{
	struct msilat_counters a = vdev_counters(dev, 0), b;
	uint32_t generation = vdev_query(dev).generation;
	uint64_t n = block(0)->delivery_head;
	struct msilat_select s;

	check_is(vdev_select(dev, strategy, &s), 0, "%s: selected again", strategy_name(strategy));
	b = vdev_counters(dev, 0);
	check_is(s.previous, strategy, "%s: it was in force before", strategy_name(strategy));
	check_is(s.catchups, 1, "%s: one catch-up", strategy_name(strategy));
	check_is(s.generation, generation + 1, "%s: a new generation", strategy_name(strategy));
	check(dev->region->generation == s.generation && dev->region->strategy == strategy,
	      "%s: the header shows it", strategy_name(strategy));
	check_is((long long)vdev_drain(fd), 1, "%s: the catch-up arrives", strategy_name(strategy));
	check_is((long long)(b.catchups - a.catchups), 1, "%s: it is counted", strategy_name(strategy));
	check_is((long long)(b.signals - a.signals), 0, "%s: not as a signal", strategy_name(strategy));
	check(delivery(0, n).seq == n + 1 && delivery(0, n).flags == MSILAT_DELIVERY_CATCHUP &&
	      delivery(0, n).first_isr == UINT64_MAX, "%s: its record says what it is",
	      strategy_name(strategy));
}

static void with_strategy(uint32_t strategy)
{
	int fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
	struct msilat_select s;

	check_is(vdev_select(dev, strategy, &s), 0, "%s: selected", strategy_name(strategy));
	check_is(s.catchups, 0, "%s: no vector, no catch-up", strategy_name(strategy));
	check_is(vdev_arm(dev, card.index, 1, &fd), 0, "%s: armed", strategy_name(strategy));
	card_prepare(&card);
	check_is(vdev_query(dev).enabled, 1, "%s: one vector enabled", strategy_name(strategy));
	check_is(vdev_query(dev).irq_index, card.index, "%s: at its index", strategy_name(strategy));
	events(strategy, fd);
	loopback(strategy, fd);
	rearm(strategy, fd);
	events(strategy, fd);
	check_is(vdev_arm(dev, card.index, 1, &(int){ -1 }), 0, "%s: taken off", strategy_name(strategy));
	check_is(vdev_query(dev).enabled, 0, "%s: no vector enabled", strategy_name(strategy));
	check_is(vdev_counters(dev, 0).irq, 0, "%s: no IRQ number", strategy_name(strategy));
	check_is(vdev_disarm(dev, card.index), 0, "%s: disabled", strategy_name(strategy));
	check_is(vdev_query(dev).irq_index, ~0u, "%s: no index enabled", strategy_name(strategy));
	close(fd);
}

static void drop_rawio(void)
{
	struct __user_cap_header_struct head = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct data[2];

	if (syscall(SYS_capget, &head, data))
		check_die("capget");
	data[CAP_SYS_RAWIO / 32].effective &= ~(1u << CAP_SYS_RAWIO % 32);
	if (syscall(SYS_capset, &head, data))
		check_die("capset");
}

static void gate(void)
{
	check_is(vdev_query(dev).permitted, SAFE | UNSAFE, "allow_unsafe: permitted to root");
	check_is(vdev_query(dev).strategy, MSILAT_STRATEGY_THREAD,
		 "allow_unsafe: thread remains the default");
	drop_rawio();
	check_is(vdev_query(dev).permitted, SAFE, "without CAP_SYS_RAWIO: only the safe ones");
	check_is(vdev_select(dev, MSILAT_STRATEGY_NOTHREAD, NULL), -EPERM,
		 "without CAP_SYS_RAWIO: nothread is refused");
	check_is(vdev_select(dev, MSILAT_STRATEGY_SPLIT, NULL), 0,
		 "without CAP_SYS_RAWIO: split is not");
}

int main(int argc, char **argv)
{
	uint32_t i;

	if (argc < 2 || card_open(&card, argv[1]))
		check_die("usage: contract BDF [gate|default STRATEGY]");
	if (argc > 3) {
		check_is(vdev_query(dev).strategy, atoi(argv[3]), "default: the parameter's strategy");
	} else if (argc > 2) {
		gate();
	} else {
		vdev_map_region(dev);
		control_errors();
		query();
		region_info();
		region_is_read_only();
		region_reads();
		region_header();
		for (i = 0; i < STRATEGIES; i++)
			if (SAFE & BIT(i))
				with_strategy(i);
	}
	card_close(&card);
	return check_done();
}
