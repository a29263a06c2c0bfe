// SPDX-License-Identifier: GPL-2.0-only
/*
 * load BDF [PAUSE_US]: fires an edu or every vector of an igb through sysfs for as long as it
 * lives, whatever driver the device has, whoever has it open, resets it or switches it off
 * meanwhile. Needs iomem=relaxed on the kernel command line.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "card.h"
#include "check.h"

#define PAUSE_US 200
#define BAR_SIZE 0x20000

static uint16_t device_id(const char *bdf)
{
	char path[128];
	uint16_t id = 0;
	int fd;

	snprintf(path, sizeof(path), "/sys/bus/pci/devices/%s/config", bdf);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0 || pread(fd, &id, 2, 2) != 2)
		check_die("%s", path);
	close(fd);
	return id;
}

int main(int argc, char **argv)
{
	useconds_t pause = argc > 2 ? (useconds_t)atoi(argv[2]) : PAUSE_US;
	struct card c = { 0 };
	char path[128];
	unsigned int i;
	int fd;

	if (argc < 2)
		check_die("usage: load BDF [PAUSE_US]");
	c.edu = device_id(argv[1]) == 0x11e8;
	c.vectors = c.edu ? 1 : 10;
	snprintf(path, sizeof(path), "/sys/bus/pci/devices/%s/resource0", argv[1]);
	fd = open(path, O_RDWR | O_CLOEXEC);
	if (fd < 0)
		check_die("%s", path);
	c.dev.bar = mmap(NULL, BAR_SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (c.dev.bar == MAP_FAILED)
		check_die("mapping %s", path);
	puts("firing");
	for (;;) {
		card_forget(&c);
		card_enable(&c);
		for (i = 0; i < c.vectors; i++)
			card_fire(&c, i);
		usleep(pause);
	}
}
