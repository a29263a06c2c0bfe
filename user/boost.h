/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef MSILAT_BOOST_H
#define MSILAT_BOOST_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "reason.h"

struct tracefs_instance;
struct tep_handle;
struct tep_event;

/**
 * struct boost - counts priority-inheritance boosts (trace event sched:sched_pi_setprio)
 *
 * In a trace instance of its own, so that nobody else's tracing is touched. A boost that is
 * recorded lies on the path that is measured: count in another pass than the latency.
 *
 * @instance: the trace instance, NULL when boosts cannot be counted.
 * @tep: knows the event's layout.
 * @event: the event.
 */
struct boost {
	struct tracefs_instance *instance;
	struct tep_handle *tep;
	struct tep_event *event;
};

/**
 * struct boost_count - boosts of one thread
 * @tid: thread.
 * @boosts: times its priority was raised.
 */
struct boost_count {
	pid_t tid;
	uint64_t boosts;
};

/**
 * boost_open - make the trace instance
 *
 * Return: 0 or -errno, with @why in a few words: tracefs is not mounted, the kernel does not trace,
 * no permission. @b can be closed then and counts nothing.
 */
int boost_open(struct boost *b, struct reason *why);
void boost_close(struct boost *b);

/**
 * boost_start - begin to count
 * @tid: the signalling thread; threads of this program are recorded as well.
 *
 * Return: 0 or -errno, with @why.
 */
int boost_start(struct boost *b, pid_t tid, struct reason *why);

/**
 * boost_stop - end counting
 * @counts: @tid is set; @boosts receives the count. @n of them.
 *
 * Return: 0, -EOVERFLOW when events were overwritten, or -errno; with @why.
 */
int boost_stop(struct boost *b, struct boost_count *counts, unsigned int n, struct reason *why);

#endif
