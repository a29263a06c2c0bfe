// SPDX-License-Identifier: GPL-2.0-only
#include <dirent.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include "cpulist.h"
#include "host.h"
#include "sysfs.h"
#include "text.h"

#define CPU_DIR "/sys/devices/system/cpu"

static json_t *text_or_null(int len, const char *text)
{
	return len >= 0 ? text_json(text) : json_null();
}

/* An attribute as text; null if there is none. */
static void put_file(json_t *host, const char *key, const char *path)
{
	char text[4096];

	json_object_set_new(host, key, text_or_null(sysfs_read(text, sizeof(text), "%s", path),
						    text));
}

static void put_number(json_t *host, const char *key, const char *path)
{
	char text[64], *end;
	long long v;

	if (sysfs_read(text, sizeof(text), "%s", path) <= 0)
		goto unknown;
	v = strtoll(text, &end, 10);
	if (*end)
		goto unknown;
	json_object_set_new(host, key, json_integer(v));
	return;
unknown:
	json_object_set_new(host, key, json_null());
}

bool host_realtime(void)
{
	struct utsname u;
	uint64_t value;

	if (!sysfs_read_u64(&value, "/sys/kernel/realtime"))
		return value;
	return !uname(&u) && strstr(u.version, "PREEMPT_RT");
}

/* "key : value" of the first matching line of /proc/cpuinfo. */
static void put_cpuinfo(json_t *host, const char *key, const char *field)
{
	char path[SYSFS_PATH_MAX], line[8192], *value;
	FILE *f;

	json_object_set_new(host, key, json_null());
	if (sysfs_path(path, "/proc/cpuinfo"))
		return;
	f = fopen(path, "re");
	if (!f)
		return;
	while (fgets(line, sizeof(line), f)) {
		if (strncmp(line, field, strlen(field)))
			continue;
		value = strstr(line, ": ");
		if (!value)
			continue;
		value[strcspn(value, "\n")] = '\0';
		json_object_set_new(host, key, text_json(value + 2));
		break;
	}
	fclose(f);
}

static json_t *mitigations(void)
{
	char path[SYSFS_PATH_MAX], text[512];
	json_t *all = json_object();
	struct dirent *e;
	DIR *dir;

	if (sysfs_path(path, CPU_DIR "/vulnerabilities"))
		return all;
	dir = opendir(path);
	if (!dir)
		return all;
	while ((e = readdir(dir)))
		if (e->d_name[0] != '.' &&
		    sysfs_read(text, sizeof(text), CPU_DIR "/vulnerabilities/%s", e->d_name) >= 0)
			json_object_set_new(all, e->d_name, text_json(text));
	closedir(dir);
	return all;
}

/* Idle states of a CPU: name, exit latency, disabled or not. */
static json_t *idle_states(int cpu)
{
	json_t *all = json_array(), *one;
	char name[64], disable[16];
	uint64_t latency;
	int i;

	for (i = 0; i < 16; i++) {
		if (sysfs_read(name, sizeof(name), CPU_DIR "/cpu%d/cpuidle/state%d/name", cpu,
			       i) <= 0)
			break;
		one = json_object();
		json_object_set_new(one, "name", text_json(name));
		if (!sysfs_read_u64(&latency, CPU_DIR "/cpu%d/cpuidle/state%d/latency", cpu, i))
			json_object_set_new(one, "exit_us", json_integer((json_int_t)latency));
		if (sysfs_read(disable, sizeof(disable), CPU_DIR "/cpu%d/cpuidle/state%d/disable",
			       cpu, i) > 0)
			json_object_set_new(one, "disabled", json_boolean(strcmp(disable, "0")));
		json_array_append_new(all, one);
	}
	return all;
}

/* FNV-1a, salted: tells two results of one host from those of two hosts, and nothing more. */
static void put_id(json_t *host)
{
	char text[128], id[32];
	uint64_t hash = 0xcbf29ce484222325ull;
	const char *salt = "msilat", *p;

	if (sysfs_read(text, sizeof(text), "/etc/machine-id") <= 0) {
		json_object_set_new(host, "id", json_null());
		return;
	}
	for (p = salt; *p; p++)
		hash = (hash ^ (unsigned char)*p) * 0x100000001b3ull;
	for (p = text; *p; p++)
		hash = (hash ^ (unsigned char)*p) * 0x100000001b3ull;
	snprintf(id, sizeof(id), "%016llx", (unsigned long long)hash);
	json_object_set_new(host, "id", text_json(id));
}

static void put_kernel(json_t *host)
{
	struct utsname u;

	memset(&u, 0, sizeof(u));
	uname(&u);
	json_object_set_new(host, "kernel", text_json(u.release));
	json_object_set_new(host, "version", text_json(u.version));
	json_object_set_new(host, "machine", text_json(u.machine));
	json_object_set_new(host, "realtime", json_boolean(host_realtime()));
	put_file(host, "cmdline", "/proc/cmdline");
	put_number(host, "tainted", "/proc/sys/kernel/tainted");
	put_number(host, "rt_runtime_us", "/proc/sys/kernel/sched_rt_runtime_us");
	put_number(host, "rt_period_us", "/proc/sys/kernel/sched_rt_period_us");
}

static void put_cpu(json_t *host, int cpu)
{
	char path[SYSFS_PATH_MAX];

	put_cpuinfo(host, "cpu", "model name");
	put_cpuinfo(host, "microcode", "microcode");
	put_file(host, "cpus_online", CPU_DIR "/online");
	put_file(host, "cpus_isolated", CPU_DIR "/isolated");
	put_file(host, "cpus_nohz_full", CPU_DIR "/nohz_full");
	put_file(host, "smt", CPU_DIR "/smt/control");
	snprintf(path, sizeof(path), CPU_DIR "/cpu%d/topology/thread_siblings_list", cpu);
	put_file(host, "smt_siblings", path);
	snprintf(path, sizeof(path), CPU_DIR "/cpu%d/cpufreq/scaling_governor", cpu);
	put_file(host, "governor", path);
	put_file(host, "idle_driver", CPU_DIR "/cpuidle/current_driver");
	json_object_set_new(host, "idle_states", idle_states(cpu));
	/* The deadline server lets SCHED_OTHER threads run beside a FIFO thread that never ends. */
	snprintf(path, sizeof(path), "/sys/kernel/debug/sched/fair_server/cpu%d/runtime", cpu);
	put_number(host, "fair_server_runtime_ns", path);
	snprintf(path, sizeof(path), "/sys/kernel/debug/sched/fair_server/cpu%d/period", cpu);
	put_number(host, "fair_server_period_ns", path);
}

json_t *host_json(int cpu)
{
	json_t *host = json_object();

	if (!host)
		return NULL;
	put_id(host);
	put_kernel(host);
	put_cpu(host, cpu);
	json_object_set_new(host, "mitigations", mitigations());
	put_file(host, "clocksource", "/sys/devices/system/clocksource/clocksource0/current_clocksource");
	put_number(host, "timer_migration", "/proc/sys/kernel/timer_migration");
	put_number(host, "nmi_watchdog", "/proc/sys/kernel/nmi_watchdog");
	put_file(host, "transparent_hugepage", "/sys/kernel/mm/transparent_hugepage/enabled");
	return host;
}
