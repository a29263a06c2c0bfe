// SPDX-License-Identifier: GPL-2.0-only
/*
 * semantics BDF [STRATEGY]: does to a device all that VFIO_DEVICE_SET_IRQS allows and much that it
 * does not, and prints what the kernel answered and what arrived. On plain vfio-pci and on our
 * driver, under each strategy, it must print the same.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "card.h"
#include "check.h"

#define VECTORS 16
#define INTX VFIO_PCI_INTX_IRQ_INDEX

static struct card card;
static int fds[VECTORS], no_eventfd;
static useconds_t settle_us;	/* time for what was pending before a vector was enabled */

/* A line: the call, its answer, and what every eventfd holds then. */
static void tell(const char *what, int ret)
{
	unsigned int i;

	/* A thousand calls of the matrix have nothing pending, and settling takes milliseconds. */
	if (settle_us)
		vdev_settle(settle_us);
	else
		usleep(0);
	printf("%s: %d, got", what, ret);
	for (i = 0; i < card.vectors; i++)
		printf(" %llu", (unsigned long long)vdev_drain(fds[i]));
	putchar('\n');
}

static int eventfds(unsigned int start, unsigned int count)
{
	return vdev_set_irqs(&card.dev, card.index, VDEV_EVENTFD, start, count, fds + start);
}

static int loopback(unsigned int start, unsigned int count)
{
	return vdev_set_irqs(&card.dev, card.index, VDEV_NONE, start, count, NULL);
}

/* Every vector once, with time to arrive. Vectors that are off must stay silent. */
static void fire_all(const char *what)
{
	unsigned int i;

	card_prepare(&card);
	for (i = 0; i < card.vectors; i++) {
		card_fire(&card, i);
		vdev_settle(10000);
	}
	tell(what, 0);
}

static void everything_off(void)
{
	uint32_t index;

	for (index = 0; index < VFIO_PCI_NUM_IRQS; index++)
		vdev_disarm(&card.dev, index);
}

static void tell_info(void)
{
	struct vfio_irq_info info;
	uint32_t index;
	int ret;

	for (index = 0; index <= VFIO_PCI_NUM_IRQS; index++) {
		ret = vdev_irq_info(&card.dev, index, &info);
		printf("irq info %u: %d, flags %#x, count %u\n", index, ret, info.flags,
		       info.count);
	}
}

/* The states that matter to a call: nothing enabled, MSI or MSI-X, INTx. */
static int enter_state(unsigned int state)
{
	everything_off();
	switch (state) {
	case 1:
		return eventfds(0, 1);
	case 2:
		return vdev_set_irqs(&card.dev, INTX, VDEV_EVENTFD, 0, 1, fds);
	default:
		return 0;
	}
}

/* One call of the matrix, from a fresh state. */
static void one_call(unsigned int state, uint32_t index, uint32_t flags, uint32_t start,
		     uint32_t count)
{
	static const uint8_t bools[4] = { 1, 0, 1, 1 };
	const void *data = NULL;
	char what[96];

	if (flags & VFIO_IRQ_SET_DATA_EVENTFD)
		data = fds;
	else if (flags & VFIO_IRQ_SET_DATA_BOOL)
		data = bools;
	snprintf(what, sizeof(what), "state %u (%d) index %u flags %#x start %u count %u", state,
		 enter_state(state), index, flags, start, count);
	tell(what, vdev_set_irqs(&card.dev, index, flags, start, count, data));
}

static void matrix(void)
{
	static const uint32_t flags[] = {
		VDEV_EVENTFD,
		VDEV_NONE,
		VDEV_BOOL,
		VFIO_IRQ_SET_DATA_NONE | VFIO_IRQ_SET_ACTION_MASK,
		VFIO_IRQ_SET_DATA_BOOL | VFIO_IRQ_SET_ACTION_UNMASK,
		VFIO_IRQ_SET_DATA_EVENTFD | VFIO_IRQ_SET_ACTION_UNMASK,
		VFIO_IRQ_SET_DATA_NONE,
		VFIO_IRQ_SET_DATA_NONE | VDEV_EVENTFD,
		1u << 8,
	};
	uint32_t state, index, start, count;
	size_t f;

	for (state = 0; state < 3; state++)
		for (index = 0; index <= VFIO_PCI_NUM_IRQS; index++)
			for (f = 0; f < sizeof(flags) / sizeof(flags[0]); f++)
				for (start = 0; start < 2; start++)
					for (count = 0; count < 3; count++)
						one_call(state, index, flags[f], start, count);
	everything_off();
}

static void bad_descriptors(void)
{
	int closed = dup(no_eventfd), copy[VECTORS];

	close(closed);
	tell("a closed descriptor", vdev_arm(&card.dev, card.index, 1, &closed));
	tell("no eventfd", vdev_arm(&card.dev, card.index, 1, &no_eventfd));
	tell("minus one alone", vdev_arm(&card.dev, card.index, 1, &(int){ -1 }));
	tell("off", vdev_disarm(&card.dev, card.index));
	tell("on", eventfds(0, card.vectors));
	memcpy(copy, fds, sizeof(copy));
	copy[card.vectors - 1] = no_eventfd;
	tell("the last one bad", vdev_arm(&card.dev, card.index, card.vectors, copy));
	fire_all("fired after it");
	tell("loopback after it", loopback(0, card.vectors));
	tell("off", vdev_disarm(&card.dev, card.index));
}

static void ranges(void)
{
	unsigned int n = card.vectors, half = n / 2;
	int copy[VECTORS];

	tell("on, one", eventfds(0, 1));
	fire_all("fired, one");
	tell("grow by the others", eventfds(half, n - half));
	fire_all("fired, two ends");
	tell("beyond the end", eventfds(n - 1, 2));
	tell("far beyond", eventfds(n, 1));
	tell("all", eventfds(0, n));
	fire_all("fired, all");
	memcpy(copy, fds, sizeof(copy));
	copy[half] = -1;
	tell("one taken out", vdev_set_irqs(&card.dev, card.index, VDEV_EVENTFD, half, 1,
					    copy + half));
	fire_all("fired without it");
	tell("loopback without it", loopback(0, n));
	tell("put back", eventfds(half, 1));
	fire_all("fired with it");
	tell("the same again", eventfds(0, n));
	fire_all("fired as before");
	tell("off", vdev_disarm(&card.dev, card.index));
	fire_all("fired while off");
	tell("off again", vdev_disarm(&card.dev, card.index));
	tell("loopback while off", loopback(0, 1));
}

static void shared_eventfd(void)
{
	int copy[VECTORS];
	unsigned int i;

	for (i = 0; i < card.vectors; i++)
		copy[i] = fds[0];
	tell("all on one eventfd", vdev_arm(&card.dev, card.index, card.vectors, copy));
	fire_all("fired to one eventfd");
	tell("off", vdev_disarm(&card.dev, card.index));
}

/* A call whose structure ends at the end of readable memory, its data beyond. */
static int data_beyond(uint32_t index, uint32_t flags)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	char *pages = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
			   -1, 0);
	struct vfio_irq_set *set;
	int ret;

	if (pages == MAP_FAILED || mprotect(pages + page, page, PROT_NONE))
		check_die("memory");
	set = (void *)(pages + page - sizeof(*set));
	*set = (struct vfio_irq_set){
		.argsz = sizeof(*set) + sizeof(int32_t), .flags = flags, .index = index, .count = 1,
	};
	ret = ioctl(card.dev.fd, VFIO_DEVICE_SET_IRQS, set) ? -errno : 0;
	munmap(pages, 2 * page);
	return ret;
}

static void no_data(const char *when)
{
	uint32_t index;

	for (index = 0; index < VFIO_PCI_NUM_IRQS; index++)
		printf("index %u, %s, no data: mask %d, trigger %d\n", index, when,
		       data_beyond(index, VFIO_IRQ_SET_DATA_EVENTFD | VFIO_IRQ_SET_ACTION_MASK),
		       data_beyond(index, VDEV_EVENTFD));
}

/* What a driver in user space may do to the device meanwhile. */
static void other_calls(void)
{
	uint16_t command = vdev_config16(&card.dev, 4);

	no_data("off");
	tell("on", eventfds(0, card.vectors));
	no_data("on");
	tell("INTx meanwhile", vdev_set_irqs(&card.dev, INTX, VDEV_EVENTFD, 0, 1, fds));
	tell("the other index", vdev_arm(&card.dev, card.index ^ 3, 1, fds));
	vdev_set_config16(&card.dev, 4, command & ~2);
	tell("again, memory decoding off", eventfds(0, card.vectors));
	printf("command %#x\n", vdev_config16(&card.dev, 4));
	fire_all("fired, memory decoding on");
	tell("reset", ioctl(card.dev.fd, VFIO_DEVICE_RESET) ? -errno : 0);
	fire_all("fired after the reset");
	tell("the same again", eventfds(0, card.vectors));
	fire_all("fired after that");
	tell("off", vdev_disarm(&card.dev, card.index));
}

int main(int argc, char **argv)
{
	unsigned int i;
	int ret;

	ret = argc > 1 ? card_open(&card, argv[1]) : -EINVAL;
	if (ret || card.vectors > VECTORS)
		check_die("usage: semantics BDF [STRATEGY] (%d)", ret);
	if (argc > 2 && vdev_select(&card.dev, (uint32_t)atoi(argv[2]), NULL))
		check_die("strategy %s", argv[2]);
	for (i = 0; i < VECTORS; i++)
		fds[i] = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
	no_eventfd = open("/dev/null", O_RDWR | O_CLOEXEC);
	tell_info();
	matrix();
	settle_us = 10000;
	bad_descriptors();
	ranges();
	shared_eventfd();
	other_calls();
	everything_off();
	card_close(&card);
	return 0;
}
