// SPDX-License-Identifier: GPL-2.0-only
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "check.h"
#include "strategy.h"
#include "waiter.h"

#define SETTLE_US 20000
#define STILL_MS 100	/* who has not returned by then does not return */

struct card card;
struct vdev *const dev = &card.dev;
int fd;
char what[64];

static void *wait_once(void *arg)
{
	struct waiter *w = arg;

	atomic_store(&w->tid, (int)syscall(SYS_gettid));
	w->result = vdev_wait(dev, w->vector, w->generation);
	atomic_store(&w->returned, true);
	return NULL;
}

static bool is_asleep(int tid)
{
	char path[64], state = 0;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/self/task/%d/stat", tid);
	f = fopen(path, "re");
	if (!f)
		return false;
	if (fscanf(f, "%*d (%*[^)]) %c", &state) != 1)
		state = 0;
	fclose(f);
	return state == 'S';
}

void waiter_begin(struct waiter *w, uint32_t vector, uint32_t generation)
{
	int calm = 0;

	*w = (struct waiter){ .vector = vector, .generation = generation };
	if (pthread_create(&w->thread, NULL, wait_once, w))
		check_die("waiter");
	while (!atomic_load(&w->returned) && calm < 5) {
		usleep(1000);
		calm = atomic_load(&w->tid) && is_asleep(w->tid) ? calm + 1 : 0;
	}
}

bool waiter_stays(struct waiter *w)
{
	vdev_settle(STILL_MS * 1000);
	return !atomic_load(&w->returned);
}

int waiter_result(struct waiter *w)
{
	int ms;

	for (ms = 0; !atomic_load(&w->returned); ms++) {
		if (ms == PATIENCE_MS)
			check_die("%s: a call does not return", what);
		usleep(1000);
	}
	pthread_join(w->thread, NULL);
	return w->result;
}

void waiter_loopback(uint32_t vector)
{
	if (vdev_set_irqs(dev, card.index, VDEV_NONE, vector, 1, NULL))
		check_die("loopback");
}

bool waiter_end(struct waiter *w)
{
	bool waited = waiter_stays(w);

	waiter_loopback(w->vector);
	return waiter_result(w) == 1 && waited;
}

uint32_t waiter_generation(void)
{
	return vdev_query(dev).generation;
}

void waiter_select(uint32_t strategy, uint32_t flags)
{
	if (vdev_select_with(dev, strategy, flags, NULL))
		check_die("selecting %s", strategy_name(strategy));
}

void waiter_arm(uint32_t strategy, uint32_t flags)
{
	struct waiter w;

	waiter_select(strategy, flags);
	if (vdev_arm(dev, card.index, 1, &fd))
		check_die("arming");
	card_prepare(&card);
	waiter_loopback(0);
	waiter_begin(&w, 0, 0);
	if (waiter_result(&w) < 1)
		check_die("%s: a loopback does not arrive", what);
	vdev_drain(fd);
}

void waiter_fire(void)
{
	uint64_t signals = vdev_counters(dev, 0).signals;
	int ms;

	card_fire(&card, 0);
	for (ms = 0; vdev_counters(dev, 0).signals == signals; ms++) {
		if (ms == PATIENCE_MS)
			check_die("%s: an event does not arrive", what);
		usleep(1000);
	}
	vdev_settle(SETTLE_US);
}
