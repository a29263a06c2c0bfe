// SPDX-License-Identifier: GPL-2.0-only
/*
 * The only hot code of the program. Between two waits it allocates nothing, takes no lock, prints
 * nothing and makes no system call but the wait (two where the wait mode needs two).
 */
#include <errno.h>
#include <sys/eventfd.h>

#include "clock.h"
#include "poller.h"

#define KICK 1	/* what poller_stop() adds to the eventfd */

/* Read-modify-write is not needed: the poller is the only writer of its results. */
static inline void add(_Atomic uint64_t *counter, uint64_t n)
{
	atomic_store_explicit(counter, atomic_load_explicit(counter, memory_order_relaxed) + n,
			      memory_order_relaxed);
}

static inline void record(struct poller *p, const struct wake *wake, bool waited)
{
	uint64_t seen = atomic_load_explicit(&p->seen, memory_order_relaxed);
	struct observation o;
	struct sample s;

	p->device->ops->observe(p->device, wake->user, seen, &o);
	s.seq = o.seq;
	s.sent = o.sent;
	s.user = wake->user;
	s.done = wake->done;
	if (__builtin_expect(!waited, 0))
		s.sent = s.user = s.done = 0;
	s.values = (uint32_t)wake->value;
	s.progress = (uint32_t)(o.seq - seen);
	ring_push(p->ring, &s);
	add(&p->wakes, 1);
	add(&p->values, wake->value);
	atomic_store_explicit(&p->seen, o.seq, memory_order_release);
}

/* Wait for the next signal, past the ends of a wait that mean nothing. */
static int next_wake(struct poller *p, struct wake *wake)
{
	int ret;

	do {
		ret = p->wait.ops->wait(&p->wait, wake);
		if (__builtin_expect(!ret, 1))
			return 0;
	} while (!atomic_load(&p->stop) && (ret == -EINTR || ret == -EAGAIN));
	if (!atomic_load(&p->stop))
		atomic_store(&p->error, ret);
	return ret;
}

static void *poller_main(void *arg)
{
	struct poller *p = arg;
	struct wake wake;

	for (;;) {
		if (p->schedule && (schedule_wait(p->schedule) || schedule_send(p->schedule)))
			break;
		if (next_wake(p, &wake))
			break;
		if (__builtin_expect(atomic_load_explicit(&p->stop, memory_order_acquire), 0)) {
			p->unrecorded = wake.value;
			break;
		}
		record(p, &wake, true);
	}
	atomic_store(&p->finished, 1);
	eventfd_write(p->done, 1);
	return NULL;
}

int poller_start(struct poller *p, const struct sched_want *want, struct reason *why)
{
	return sched_start(&p->thread, want, poller_main, p, why);
}

/*
 * Signals of the device that came with or after the kick. They are events that arrived, so they
 * are accounted for; they have no latency, because nobody waited for them.
 */
static void account_rest(struct poller *p)
{
	struct wake wake = { .value = p->unrecorded };
	eventfd_t rest = 0;

	if (!wait_nonblock(&p->wait))
		eventfd_read(p->wait.fd, &rest);
	wake.value += rest;
	if (wake.value <= KICK)
		return;
	wake.value -= KICK;
	wake.user = clock_read();
	record(p, &wake, false);
}

void poller_stop(struct poller *p)
{
	atomic_store_explicit(&p->stop, 1, memory_order_release);
	eventfd_write(p->wait.fd, KICK);
	pthread_join(p->thread, NULL);
	account_rest(p);
}
