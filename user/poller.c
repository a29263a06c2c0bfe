// SPDX-License-Identifier: GPL-2.0-only
/*
 * The only hot code of the program. Between two waits it allocates nothing, takes no lock, prints
 * nothing and makes no system call but the wait (two where the wait mode needs two).
 */
#include <errno.h>
#include <sys/eventfd.h>

#include "clock.h"
#include "poller.h"

/*
 * Complete and publish the sample of a wake: what the device had sent by cycle count @user and the
 * poller had not seen before. Returns the newest event seen.
 */
static inline uint64_t record(struct poller *p, struct sample *s, uint64_t user, uint64_t seen)
{
	/* What another reader has taken is not new. */
	if (__builtin_expect(p->shared != NULL, 0))
		seen = shared_seen(p->shared, seen);
	device_observe(p->device, user, seen, &s->observation);
	s->progress = s->seq - seen;
	seen = s->seq;
	/* The poller is the only writer: no read-modify-write is needed. */
	atomic_store_explicit(&p->values,
			      atomic_load_explicit(&p->values, memory_order_relaxed) + s->values,
			      memory_order_relaxed);
	ring_publish(p->ring, s);
	atomic_store_explicit(&p->seen, seen, memory_order_release);
	return seen;
}

/* The wait returned an error. Returns true if that means nothing and it is to be repeated. */
static bool __attribute__((cold)) wait_again(struct poller *p, int ret)
{
	if (atomic_load(&p->stop))
		return false;
	if (ret == -EINTR || ret == -EAGAIN)
		return true;
	atomic_store(&p->error, ret);
	return false;
}

static void *poller_main(void *arg)
{
	struct poller *p = arg;
	int (*const wait)(struct wait *w, struct wake *wake) = p->wait.ops->wait;
	uint64_t seen = 0;
	struct sample *s;
	int ret;

	for (;;) {
		if (p->schedule) {
			ret = schedule_wait(p->schedule);
			if (!ret)
				ret = schedule_send(p->schedule);
			if (ret < 0)
				atomic_store(&p->error, ret);
			if (ret)
				break;
		}
		s = ring_reserve(p->ring);
		do {
			ret = wait(&p->wait, &s->wake);
		} while (__builtin_expect(ret, 0) && wait_again(p, ret));
		if (__builtin_expect(ret, 0))
			break;
		if (__builtin_expect(atomic_load_explicit(&p->stop, memory_order_acquire), 0)) {
			p->unrecorded = s->values;
			break;
		}
		seen = record(p, s, s->user, seen);
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
static void account_rest(struct poller *p, uint64_t kicks)
{
	uint64_t rest = p->unrecorded + p->wait.ops->take(&p->wait);
	struct sample *s;

	if (rest <= kicks)
		return;
	s = ring_reserve(p->ring);
	s->wake = (struct wake){ .value = rest - kicks };
	record(p, s, clock_read(), atomic_load(&p->seen));
}

void poller_stop(struct poller *p)
{
	uint64_t kicks;

	atomic_store_explicit(&p->stop, 1, memory_order_release);
	kicks = p->wait.ops->kick(&p->wait);
	pthread_join(p->thread, NULL);
	account_rest(p, kicks);
}
