// SPDX-License-Identifier: GPL-2.0-only
/*
 * outside BDF: fires edu through sysfs for as long as it lives, whoever has the device open or
 * opens and closes it meanwhile. Needs iomem=relaxed on the kernel command line.
 */
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "check.h"
#include "edu.h"

#define PAUSE_US 30

int main(int argc, char **argv)
{
	struct vdev d = { 0 };
	char path[128];
	int fd;

	snprintf(path, sizeof(path), "/sys/bus/pci/devices/%s/resource0", argc > 1 ? argv[1] : "");
	fd = open(path, O_RDWR | O_CLOEXEC);
	if (fd < 0)
		check_die("%s", path);
	d.bar = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (d.bar == MAP_FAILED)
		check_die("mapping %s", path);
	puts("firing");
	for (;;) {
		edu_fire(&d);
		edu_ack(&d);
		usleep(PAUSE_US);
	}
}
