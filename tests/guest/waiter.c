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

void begin(struct waiter *w, uint32_t vector, uint32_t generation)
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

bool still_waits(struct waiter *w)
{
	vdev_settle(STILL_MS * 1000);
	return !atomic_load(&w->returned);
}

int ended(struct waiter *w)
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

void loopback(uint32_t vector)
{
	if (vdev_set_irqs(dev, card.index, VDEV_NONE, vector, 1, NULL))
		check_die("loopback");
}

bool end_by_loopback(struct waiter *w)
{
	bool waited = still_waits(w);

	loopback(w->vector);
	return ended(w) == 1 && waited;
}

uint32_t generation(void)
{
	return vdev_query(dev).generation;
}

void select_with(uint32_t strategy, uint32_t flags)
{
	if (vdev_select_with(dev, strategy, flags, NULL))
		check_die("selecting %s", strategy_name(strategy));
}

void arm(uint32_t strategy, uint32_t flags)
{
	struct waiter w;

	select_with(strategy, flags);
	if (vdev_arm(dev, card.index, 1, &fd))
		check_die("arming");
	card_prepare(&card);
	loopback(0);
	begin(&w, 0, 0);
	if (ended(&w) < 1)
		check_die("%s: a loopback does not arrive", what);
	vdev_drain(fd);
}

void fire(void)
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
