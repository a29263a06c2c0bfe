// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "scenario.h"

static const struct scenario scenarios[] = {
	{ "sync", false, false, false, "a SCHED_OTHER thread stores to the device" },
	{ "idle", false, true, false, "a timer of the device fires into an idle CPU" },
	{ "busy", false, true, true, "the same while another process computes there" },
	{ "self", true, false, false, "the poller stores to the device, then waits" },
};

const struct scenario *scenario_at(unsigned int i)
{
	return i < sizeof(scenarios) / sizeof(scenarios[0]) ? &scenarios[i] : NULL;
}

const struct scenario *scenario_find(const char *name)
{
	const struct scenario *s;
	unsigned int i;

	for (i = 0; (s = scenario_at(i)); i++)
		if (!strcmp(s->name, name))
			return s;
	return NULL;
}

static void __attribute__((noreturn)) compute(int cpu, pid_t parent)
{
	struct sched_param param = { 0 };
	struct cpulist list = { 0 };
	volatile unsigned long n = 0;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(1);
	cpulist_add(&list, cpu);
	if (sched_setscheduler(0, SCHED_OTHER, &param) || cpulist_bind(&list))
		_exit(1);
	for (;;)
		n++;
}

int scenario_compute(pid_t *pid, int cpu, struct reason *why)
{
	pid_t parent = getpid();

	*pid = fork();
	if (*pid < 0)
		return reason_set(why, -errno, "cannot start the computing process: %s",
				  strerror(errno));
	if (!*pid)
		compute(cpu, parent);
	return 0;
}

void scenario_rest(pid_t pid)
{
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}
