// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "clock.h"
#include "sysfs.h"

#define BRACKETS 16

static uint64_t now_ns(clockid_t id)
{
	struct timespec ts;

	clock_gettime(id, &ts);
	return ts.tv_sec * 1000000000ull + ts.tv_nsec;
}

uint64_t clock_monotonic(void)
{
	return now_ns(CLOCK_MONOTONIC);
}

void clock_sample(struct clock_point *point)
{
	uint64_t before, after, ns;
	int i;

	point->width = UINT64_MAX;
	for (i = 0; i < BRACKETS; i++) {
		before = clock_read();
		ns = now_ns(CLOCK_MONOTONIC_RAW);
		after = clock_read();
		if (after - before >= point->width)
			continue;
		point->width = after - before;
		point->cycles = before + (after - before) / 2;
		point->ns = ns;
	}
}

int clock_calibrate(struct clock_rate *rate, const struct clock_point *from,
		    const struct clock_point *to)
{
	if (to->cycles <= from->cycles || to->ns <= from->ns)
		return -ERANGE;
	rate->hz = (double)(to->cycles - from->cycles) * 1e9 / (double)(to->ns - from->ns);
	/* Either point may be off by half its bracket, and the clock is read in whole ns. */
	rate->error_ppm = ((double)(from->width + to->width) / 2 + rate->hz / 1e9) * 1e6 /
			  (double)(to->cycles - from->cycles);
	rate->drift_ppm = 0;
	return 0;
}

double clock_ns(const struct clock_rate *rate, uint64_t cycles)
{
	return (double)cycles * 1e9 / rate->hz;
}

/* True if the first "flags" line of /proc/cpuinfo names the flag. */
static bool cpu_flag(const char *flag)
{
	char path[SYSFS_PATH_MAX], line[8192], *word, *save;
	bool found = false;
	FILE *f;

	if (sysfs_path(path, "/proc/cpuinfo"))
		return false;
	f = fopen(path, "re");
	if (!f)
		return false;
	while (!found && fgets(line, sizeof(line), f)) {
		if (strncmp(line, "flags", 5))
			continue;
		for (word = strtok_r(line, " \t\n", &save); word && !found;
		     word = strtok_r(NULL, " \t\n", &save))
			found = !strcmp(word, flag);
		break;
	}
	fclose(f);
	return found;
}

void clock_check(struct clock_health *health)
{
	static const char dir[] = "/sys/devices/system/clocksource/clocksource0";
	char available[128] = "";

	memset(health, 0, sizeof(*health));
	health->steady = true;
	if (sysfs_read(health->source, sizeof(health->source), "%s/current_clocksource", dir) < 0)
		health->source[0] = '\0';
	sysfs_read(available, sizeof(available), "%s/available_clocksource", dir);
#if defined(__aarch64__)
	/* The architected timer runs at one rate on all CPUs by definition. */
	strcpy(health->name, "cntvct");
	health->trusted = true;
#else
	strcpy(health->name, "tsc");
	/* The kernel takes "tsc" off the list when its watchdog finds it unstable. */
	if (strstr(available, "tsc")) {
		health->trusted = true;
	} else if (!*available && cpu_flag("constant_tsc") && cpu_flag("nonstop_tsc")) {
		health->trusted = true;
		snprintf(health->text, sizeof(health->text),
			 "judged by CPU flags: sysfs lists no clock sources");
	} else {
		snprintf(health->text, sizeof(health->text),
			 "the kernel does not trust the TSC (clock sources: %s); see dmesg",
			 *available ? available : "not listed");
	}
#endif
}
