// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <fcntl.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "check.h"
#include "contend.h"
#include "uapi/contend.h"

#define CPUS 2
#define PRIORITY 35	/* below the waiters */
#define HOLD_NS 50000
#define PAUSE_NS 2000000

static int contenders[CPUS] = { -1, -1 };

void contend_start(int fd)
{
	unsigned int cpus = (unsigned int)sysconf(_SC_NPROCESSORS_ONLN), cpu;

	for (cpu = 0; cpu < CPUS && cpu < cpus; cpu++) {
		struct msilat_contend_start start = {
			.argsz = sizeof(start),
			.manners = (1u << MSILAT_CONTEND_MANNERS) - 1,
			.eventfd = fd,
			.cpu = cpu,
			.priority = PRIORITY,
			.hold_ns = HOLD_NS,
			.pause_ns = PAUSE_NS,
			.duration_ms = MSILAT_CONTEND_DURATION_MS_MAX,
			.seed = cpu + 1,
		};

		contenders[cpu] = open("/dev/msilat-contend", O_RDWR | O_CLOEXEC);
		if (contenders[cpu] < 0 && errno == ENOENT)
			return;
		if (contenders[cpu] < 0 ||
		    ioctl(contenders[cpu], MSILAT_CONTEND_START, &start))
			check_die("contender on CPU %u", cpu);
	}
}

uint64_t contend_stop(void)
{
	struct msilat_contend_stats stats = { .argsz = sizeof(stats) };
	uint64_t reached = 0;
	unsigned int cpu, manner;

	for (cpu = 0; cpu < CPUS; cpu++) {
		if (contenders[cpu] < 0)
			continue;
		if (ioctl(contenders[cpu], MSILAT_CONTEND_STOP) ||
		    ioctl(contenders[cpu], MSILAT_CONTEND_STATS, &stats))
			check_die("ending the contender on CPU %u", cpu);
		for (manner = 0; manner < MSILAT_CONTEND_MANNERS; manner++)
			reached += stats.reached[manner];
		close(contenders[cpu]);
		contenders[cpu] = -1;
	}
	return reached;
}
