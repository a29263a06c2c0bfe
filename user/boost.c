// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <tracefs.h>

#include "boost.h"

#define INSTANCE "msilat-hazard"	/* one at a time: who uses it holds the lock of knobs_init() */
#define SYSTEM "sched"
#define EVENT "sched_pi_setprio"
#define BUFFER_KB 512			/* each CPU; an event takes less than 64 bytes */

/* libtracefs writes its warnings to standard error; what goes wrong is told by the return value. */
static void be_silent(void)
{
	tracefs_set_loglevel(TEP_LOG_NONE);
	tep_set_loglevel(TEP_LOG_NONE);
}

static int load_event(struct boost *b, struct reason *why)
{
	static const char *const systems[] = { SYSTEM, NULL };

	b->tep = tracefs_local_events_system(NULL, systems);
	b->event = b->tep ? tep_find_event_by_name(b->tep, SYSTEM, EVENT) : NULL;
	if (!b->event)
		return reason_set(why, -ENOTSUP, "this kernel has no trace event " EVENT);
	return 0;
}

int boost_open(struct boost *b, struct reason *why)
{
	const char *dir;
	int ret;

	memset(b, 0, sizeof(*b));
	be_silent();
	if (tracefs_tracing_dir_is_mounted(false, &dir) <= 0)
		return reason_set(why, -ENOENT,
				  "tracefs is not mounted: mount -t tracefs tracefs /sys/kernel/tracing");
	ret = load_event(b, why);
	if (ret)
		goto close;
	errno = 0;
	b->instance = tracefs_instance_create(INSTANCE);
	if (!b->instance) {
		ret = reason_set(why, errno ? -errno : -EIO, "%s/instances: %s", dir,
				 strerror(errno ? errno : EIO));
		goto close;
	}
	/* One that a kill -9 has left may count still. */
	tracefs_event_disable(b->instance, SYSTEM, EVENT);
	tracefs_trace_off(b->instance);
	tracefs_instance_set_buffer_size(b->instance, BUFFER_KB, -1);
	return 0;

close:
	boost_close(b);
	return ret;
}

void boost_close(struct boost *b)
{
	if (b->instance) {
		tracefs_event_disable(b->instance, SYSTEM, EVENT);
		tracefs_instance_destroy(b->instance);
		tracefs_instance_free(b->instance);
	}
	if (b->tep)
		tep_free(b->tep);
	memset(b, 0, sizeof(*b));
}

int boost_start(struct boost *b, pid_t tid, struct reason *why)
{
	char filter[96];

	snprintf(filter, sizeof(filter), "pid == %d || comm ~ \"msilat-*\"", tid);
	errno = 0;
	if (tracefs_instance_clear(b->instance) < 0 ||
	    tracefs_event_file_write(b->instance, SYSTEM, EVENT, "filter", filter) < 0 ||
	    tracefs_event_enable(b->instance, SYSTEM, EVENT) < 0 ||
	    tracefs_trace_on(b->instance) < 0)
		return reason_set(why, errno ? -errno : -EIO, "trace event " EVENT ": %s",
				  strerror(errno ? errno : EIO));
	return 0;
}

struct reading {
	struct boost_count *counts;
	unsigned int n;
	bool missed;
};

/* A boost raises the priority, which is a lower number; the way back is an event too. */
static int count_one(struct tep_event *event, struct tep_record *record, int cpu, void *context)
{
	struct reading *reading = context;
	unsigned long long pid, before, after;
	unsigned int i;

	(void)cpu;
	reading->missed |= record->missed_events != 0;
	if (tep_get_field_val(NULL, event, "pid", record, &pid, 0) ||
	    tep_get_field_val(NULL, event, "oldprio", record, &before, 0) ||
	    tep_get_field_val(NULL, event, "newprio", record, &after, 0))
		return 0;
	for (i = 0; i < reading->n; i++)
		if (reading->counts[i].tid == (pid_t)pid && (int)after < (int)before)
			reading->counts[i].boosts++;
	return 0;
}

int boost_stop(struct boost *b, struct boost_count *counts, unsigned int n, struct reason *why)
{
	struct reading reading = { .counts = counts, .n = n };
	unsigned int i;

	for (i = 0; i < n; i++)
		counts[i].boosts = 0;
	tracefs_trace_off(b->instance);
	tracefs_event_disable(b->instance, SYSTEM, EVENT);
	errno = 0;
	if (tracefs_iterate_raw_events(b->tep, b->instance, NULL, 0, count_one, &reading) < 0)
		return reason_set(why, errno ? -errno : -EIO, "the trace cannot be read: %s",
				  strerror(errno ? errno : EIO));
	if (reading.missed)
		return reason_set(why, -EOVERFLOW, "more boosts than the trace buffer holds");
	return 0;
}
