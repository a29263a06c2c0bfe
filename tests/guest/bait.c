// SPDX-License-Identifier: GPL-2.0-only
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "bait.h"
#include "check.h"

#define PAGE 4096

static void *map(size_t size, int prot, int flags, int fd)
{
	void *p = mmap(NULL, size, prot, flags, fd, 0);

	if (p == MAP_FAILED)
		check_die("mapping memory");
	return p;
}

void bait_init(struct bait *b)
{
	int fd = memfd_create("bait", MFD_CLOEXEC);

	if (fd < 0 || ftruncate(fd, PAGE))
		check_die("memfd");
	b->area = map(BAIT_ROOM + PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1);
	if (mprotect(b->area, BAIT_ROOM, PROT_READ | PROT_WRITE))
		check_die("mprotect");
	b->alias = map(PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, fd);
	b->view = map(PAGE, PROT_READ, MAP_SHARED, fd);
	/* Nothing else will be mapped here: it stays reserved, without access. */
	b->hole = map(PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1);
	close(fd);
}

enum bait_place bait_choose(struct rng *r)
{
	return rng_below(r, 4) ? BAIT_GOOD : rng_below(r, BAIT_PLACES);
}

/* The direct map and the text of the kernel, the last page, the first that is not a user's. */
static void *kernel_address(struct rng *r)
{
	static const uint64_t addresses[] = {
		0xffff888000000000, 0xffffffff81000000, 0xfffffffffffff000, 0xfffffffffffffff8,
		0x00007ffffffff000, 0x0000800000000000, 0x8000000000000000, 0xffff800000000000,
	};

	return (void *)(uintptr_t)addresses[rng_below(r, sizeof(addresses) / sizeof(*addresses))];
}

static void lay_in_area(struct bait *b, char *at, const void *data, size_t size)
{
	b->at = at;
	b->readable = (size_t)(b->area + BAIT_ROOM - at);
	b->writable = true;
	memcpy(at, data, size < b->readable ? size : b->readable);
}

void bait_lay(struct bait *b, struct rng *r, enum bait_place place, const void *data, size_t size)
{
	char *end = b->area + BAIT_ROOM;

	b->place = place;
	b->readable = 0;
	b->writable = false;
	switch (place) {
	case BAIT_GOOD:
		/* Across the border of two pages now and then. */
		lay_in_area(b, b->area + (rng_below(r, 2) ? 0 : PAGE - rng_below(r, PAGE)), data,
			    size);
		break;
	case BAIT_EDGE:
		lay_in_area(b, end - size, data, size);
		break;
	case BAIT_SHORT:
		lay_in_area(b, end - (size ? rng_below(r, size) : 0), data, size);
		break;
	case BAIT_READONLY:
		memcpy(b->alias, data, size);
		b->at = b->view;
		b->readable = PAGE;
		break;
	case BAIT_NULL:
		b->at = NULL;
		break;
	case BAIT_UNMAPPED:
		b->at = b->hole;
		break;
	default:
		b->at = kernel_address(r);
		break;
	}
}

const char *bait_name(enum bait_place place)
{
	static const char *const names[BAIT_PLACES] = {
		"good", "edge", "short", "read-only", "NULL", "unmapped", "kernel",
	};

	return names[place];
}
