// SPDX-License-Identifier: GPL-2.0-only
/*
 * storm BDF SECONDS SEED: waiters on every vector, under fire, while signals hit them, intruders
 * compete with them, who name old generations too, vectors are armed anew, strategies change, the
 * device is reset. In the end each event has been returned once.
 */
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "card.h"
#include "check.h"
#include "rng.h"
#include "strategy.h"

#define VECTORS 16
#define WAITERS (VECTORS + 1)	/* the last one is the intruder */
#define SETTLE_US 300000
#define MORE_S 60

static struct card card;
static struct vdev *dev = &card.dev;
static int fds[VECTORS];
static pthread_t waiters[WAITERS], firing, signalling;
static atomic_bool stop, calm;
static _Atomic uint64_t returned[VECTORS], calls[VECTORS];
static _Atomic uint64_t interrupted, cancelled, refused, busy, unexpected;
static unsigned int resets;

/* One call; the next one comes a little later where there is nothing to wait for. */
static void wait_once(uint32_t vector, uint32_t generation)
{
	int got = vdev_wait(dev, vector, generation);

	switch (got) {
	case -EINTR:
		interrupted++;
		break;
	case -ECANCELED:
		cancelled++;
		usleep(200);
		break;
	case -EINVAL:
		refused++;
		usleep(200);
		break;
	case -EBUSY:
		busy++;
		usleep(200);
		break;
	default:
		unexpected += got <= 0;
		if (got <= 0)
			break;
		returned[vector] += (unsigned int)got;
		calls[vector]++;
	}
}

static void *wait_events(void *arg)
{
	uint32_t vector = (uint32_t)(uintptr_t)arg, n;

	for (n = 0; !atomic_load(&stop); n++) {
		uint32_t generation = __atomic_load_n(&dev->region->generation, __ATOMIC_ACQUIRE);

		if (vector < card.vectors)
			wait_once(vector, n % 2 ? generation : 0);
		else
			wait_once(n % card.vectors, generation - n % 3);
	}
	return NULL;
}

static void *fire_events(void *arg)
{
	unsigned int i;

	(void)arg;
	while (!atomic_load(&calm)) {
		for (i = 0; i < card.vectors; i++)
			card_fire(&card, i);
		usleep(100);
	}
	return NULL;
}

static void *signal_waiters(void *arg)
{
	struct rng rng = rng_stream(*(uint64_t *)arg, 1);

	while (!atomic_load(&calm)) {
		pthread_kill(waiters[rng_below(&rng, card.vectors + 1)], SIGUSR1);
		usleep(500);
	}
	return NULL;
}

static void nothing(int signal)
{
	(void)signal;
}

static void start(uint64_t *seed)
{
	struct sigaction action = { .sa_handler = nothing };
	unsigned int i;

	atomic_store(&stop, false);
	atomic_store(&calm, false);
	sigaction(SIGUSR1, &action, NULL);
	for (i = 0; i <= card.vectors; i++)
		if (pthread_create(&waiters[i], NULL, wait_events, (void *)(uintptr_t)i))
			check_die("waiter");
	if (pthread_create(&firing, NULL, fire_events, NULL) ||
	    pthread_create(&signalling, NULL, signal_waiters, seed))
		check_die("threads");
}

static void finish(void)
{
	unsigned int i;

	atomic_store(&calm, true);
	pthread_join(firing, NULL);
	pthread_join(signalling, NULL);
	vdev_settle(SETTLE_US);
	atomic_store(&stop, true);
	for (i = 0; i <= card.vectors; i++) {
		while (pthread_tryjoin_np(waiters[i], NULL)) {
			pthread_kill(waiters[i], SIGUSR1);
			usleep(1000);
		}
	}
}

/* --- what happens meanwhile ------------------------------------------------------------------ */

static void arm_all(void)
{
	if (vdev_arm(dev, card.index, card.vectors, fds))
		check_die("arming");
	card_prepare(&card);
}

static void arm_one(struct rng *rng)
{
	uint32_t vector = rng_below(rng, card.vectors);
	int none = -1;

	if (rng_below(rng, 2))
		vdev_set_irqs(dev, card.index, VDEV_EVENTFD, vector, 1, &none);
	if (vdev_set_irqs(dev, card.index, VDEV_EVENTFD, vector, 1, &fds[vector]))
		check_die("arming vector %u", vector);
}

static void reset(void)
{
	if (!ioctl(dev->fd, VFIO_DEVICE_RESET)) {
		resets++;
		card_prepare(&card);
	}
}

static void select_any(struct rng *rng, uint32_t allowed)
{
	uint32_t strategy, flags = rng_below(rng, 2) ? MSILAT_SELECT_NO_EVENTFD : 0;

	do
		strategy = rng_below(rng, STRATEGIES);
	while (!(allowed & 1u << strategy));
	if (!strategy_has_alone(strategy))
		flags = 0;
	if (vdev_select_with(dev, strategy, flags, NULL))
		check_die("selecting %s", strategy_name(strategy));
}

static void disturb(struct rng *rng, uint32_t allowed)
{
	switch (rng_below(rng, 8)) {
	case 0:
		arm_one(rng);
		break;
	case 1:
		vdev_disarm(dev, card.index);
		arm_all();
		break;
	case 2:
		reset();
		break;
	case 3:
	case 4:
		vdev_set_irqs(dev, card.index, VDEV_NONE, rng_below(rng, card.vectors), 1, NULL);
		break;
	default:
		select_any(rng, allowed);
	}
	usleep(rng_below(rng, 2000));
}

/*
 * @exact: only strategies that wake by MSILAT_WAIT are allowed, so what it returned is all there
 * is.
 */
static void storm(const char *name, struct rng *rng, uint32_t allowed, unsigned int seconds,
		  bool exact)
{
	struct msilat_counters a[VECTORS], b;
	uint64_t seed = rng_next(rng);
	time_t end = time(NULL) + seconds;
	uint64_t events = 0;
	unsigned int i;
	int got;

	select_any(rng, allowed);
	arm_all();
	for (i = 0; i < card.vectors; i++) {
		returned[i] = calls[i] = 0;
		a[i] = vdev_counters(dev, i);
	}
	interrupted = cancelled = refused = busy = unexpected = 0;
	start(&seed);
	/* Longer, if a busy host has kept signals and changes from meeting a waiter. */
	while (time(NULL) <= end || (!(interrupted && cancelled) && time(NULL) <= end + MORE_S))
		disturb(rng, allowed);
	finish();
	if (vdev_select(dev, MSILAT_STRATEGY_DIRECT, NULL))
		check_die("direct");
	for (i = 0; i < card.vectors; i++) {
		got = vdev_wait(dev, i, 0);
		if (got <= 0)
			check_die("vector %u: no catch-up", i);
		returned[i] += (unsigned int)got;
		calls[i]++;
		events += returned[i];
		b = vdev_counters(dev, i);
		check_is((long long)(b.waited - a[i].waited), (long long)returned[i],
			 "%s: vector %u: counted is what was returned", name, i);
		check_is((long long)(b.waits - a[i].waits), (long long)calls[i],
			 "%s: vector %u: so are the calls", name, i);
		if (exact)
			check_is((long long)returned[i],
				 (long long)(b.signals - a[i].signals + b.catchups -
					     a[i].catchups + b.loopbacks - a[i].loopbacks),
				 "%s: vector %u: each event is returned once", name, i);
	}
	vdev_disarm(dev, card.index);
	check_is((long long)unexpected, 0, "%s: no error that is not promised", name);
	check(events && interrupted && cancelled, "%s: %llu events, %llu calls interrupted, "
	      "%llu cancelled, %llu met another waiter, %llu came to nothing", name,
	      (unsigned long long)events, (unsigned long long)interrupted,
	      (unsigned long long)cancelled, (unsigned long long)busy,
	      (unsigned long long)refused);
}

int main(int argc, char **argv)
{
	const uint32_t wait = 1u << MSILAT_STRATEGY_DIRECT | 1u << MSILAT_STRATEGY_THREAD_DIRECT;
	const uint32_t safe = (1u << STRATEGIES) - 2 - (1u << MSILAT_STRATEGY_NOTHREAD);
	struct rng rng;
	unsigned int i, seconds;

	if (argc < 4 || card_open(&card, argv[1]) || card.vectors > VECTORS)
		check_die("usage: storm BDF SECONDS SEED");
	seconds = (unsigned int)atoi(argv[2]);
	rng = rng_stream(strtoull(argv[3], NULL, 0), 0);
	check_note("seed %s", argv[3]);
	vdev_map_region(dev);
	for (i = 0; i < card.vectors; i++)
		fds[i] = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
	storm("waiters", &rng, wait, seconds, true);
	storm("everything", &rng, safe, seconds, false);
	check_note("%u resets", resets);
	check(card.edu || resets, "the device was reset if it can be");
	card_close(&card);
	return check_done();
}
