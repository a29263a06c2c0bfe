// SPDX-License-Identifier: GPL-2.0-only
/*
 * wait BDF: what uapi/msilat.h promises about MSILAT_WAIT, under every strategy that wakes by it.
 * wait BDF reset: the same about a reset, on a device that has one.
 * wait BDF unbind: waits until the driver is unbound; what calls return then.
 * wait BDF rest: learns by the request interrupt that it is; what is left of a vector's events.
 * wait BDF forever: waits until it is killed.
 */
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "check.h"
#include "strategy.h"
#include "waiter.h"

#define SETTLE_MS 100

static void refusals(void)
{
	struct waiter w;
	uint32_t s;

	check_is(vdev_wait(dev, card.vectors, 0), -EINVAL, "a vector too many");
	check_is(vdev_wait(dev, ~0u, 0), -EINVAL, "vector ~0");
	check_is(vdev_wait(dev, 0, 0), -EINVAL, "nothing armed");
	for (s = MSILAT_STRATEGY_THREAD; s < STRATEGIES; s++) {
		if (vdev_select(dev, s, NULL))
			continue;
		check_is(vdev_wait(dev, 0, 0), -EINVAL, "%s: not armed", strategy_name(s));
		if (strategy_has_wait(s))
			continue;
		if (vdev_arm(dev, card.index, 1, &fd))
			check_die("arming");
		waiter_begin(&w, 0, 0);
		check_is(waiter_result(&w), -EINVAL,
			 "%s: does not wake by this ioctl", strategy_name(s));
		vdev_disarm(dev, card.index);
	}
}

static void events(uint32_t flags)
{
	struct msilat_counters a = vdev_counters(dev, 0), b;
	struct waiter w;

	waiter_begin(&w, 0, 0);
	check(waiter_stays(&w), "%s: it waits", what);
	waiter_fire();
	check_is(waiter_result(&w), 1, "%s: an event ends it", what);
	waiter_fire();
	waiter_fire();
	waiter_fire();
	waiter_begin(&w, 0, waiter_generation());
	check_is(waiter_result(&w), 3, "%s: events that came before are returned at once", what);
	waiter_begin(&w, 0, waiter_generation());
	check(waiter_end(&w), "%s: and once", what);
	b = vdev_counters(dev, 0);
	check_is((long long)(b.signals - a.signals), 4, "%s: signals are counted", what);
	check_is((long long)(b.waits - a.waits), 3, "%s: calls are counted", what);
	check_is((long long)(b.waited - a.waited), 5, "%s: what they returned is counted", what);
	vdev_settle(SETTLE_MS * 1000);
	b = vdev_counters(dev, 0);
	check_is((long long)(b.eventfds - a.eventfds), flags ? 0 : 4,
		 "%s: eventfd signals are counted", what);
	check_is((long long)vdev_drain(fd), flags ? 1 : 5, "%s: the eventfd has %s", what,
		 flags ? "the loopback alone" : "all of them");
}

static void loopbacks(void)
{
	struct msilat_counters a = vdev_counters(dev, 0), b;
	uint8_t on = 1, off = 0;
	struct waiter w;

	waiter_begin(&w, 0, 0);
	vdev_set_irqs(dev, card.index, VDEV_BOOL, 0, 1, &off);
	check(waiter_stays(&w), "%s: a false bool ends nothing", what);
	vdev_set_irqs(dev, card.index, VDEV_BOOL, 0, 1, &on);
	check_is(waiter_result(&w), 1, "%s: a loopback by DATA_BOOL ends it", what);
	waiter_begin(&w, 0, 0);
	check(waiter_end(&w), "%s: a loopback by DATA_NONE ends it", what);
	b = vdev_counters(dev, 0);
	check_is((long long)(b.loopbacks - a.loopbacks), 2, "%s: loopbacks are counted", what);
	check_is((long long)(b.signals - a.signals), 0, "%s: not as signals", what);
	check_is((long long)vdev_drain(fd), 2, "%s: they reach the eventfd", what);
}

static void busy(void)
{
	struct waiter first, second;

	waiter_begin(&first, 0, 0);
	waiter_begin(&second, 0, 0);
	check_is(waiter_result(&second), -EBUSY, "%s: a second waiter is refused", what);
	check(waiter_end(&first), "%s: the first waits on", what);
	waiter_begin(&second, 0, 0);
	check(waiter_end(&second), "%s: the vector is free again", what);
}

static void interrupted(int signal)
{
	(void)signal;
}

static void signals(void)
{
	struct sigaction action = { .sa_handler = interrupted, .sa_flags = SA_RESTART };
	struct waiter w;

	sigaction(SIGUSR1, &action, NULL);
	waiter_begin(&w, 0, 0);
	pthread_kill(w.thread, SIGUSR1);
	check_is(waiter_result(&w), -EINTR, "%s: a signal ends it, SA_RESTART or not", what);
	waiter_begin(&w, 0, 0);
	check(waiter_end(&w), "%s: the vector is free after a signal", what);
}

static void cancels(uint32_t strategy, uint32_t flags)
{
	struct waiter w;
	int none = -1;

	waiter_begin(&w, 0, 0);
	vdev_arm(dev, card.index, 1, &none);
	check_is(waiter_result(&w), -ECANCELED, "%s: taking the eventfd off cancels", what);
	check_is(vdev_wait(dev, 0, 0), -EINVAL, "%s: then there is nothing to wait for", what);
	waiter_arm(strategy, flags);
	waiter_begin(&w, 0, 0);
	vdev_arm(dev, card.index, 1, &fd);
	check_is(waiter_result(&w), -ECANCELED, "%s: arming again cancels", what);
	waiter_arm(strategy, flags);
	waiter_begin(&w, 0, 0);
	vdev_disarm(dev, card.index);
	check_is(waiter_result(&w), -ECANCELED, "%s: disabling cancels", what);
	waiter_arm(strategy, flags);
	waiter_begin(&w, 0, 0);
	waiter_select(strategy, flags);
	check_is(waiter_result(&w), -ECANCELED, "%s: selecting the same strategy cancels", what);
	waiter_arm(strategy, flags);
	waiter_begin(&w, 0, 0);
	waiter_select(MSILAT_STRATEGY_SPLIT, 0);
	check_is(waiter_result(&w), -ECANCELED, "%s: selecting another strategy cancels", what);
	waiter_arm(strategy, flags);
	waiter_begin(&w, 0, 0);
	check_is(vdev_select(dev, 99, NULL), -EINVAL, "%s: a strategy that is refused", what);
	check(waiter_end(&w), "%s: cancels nothing", what);
}

static void pending_survives(uint32_t strategy, uint32_t flags)
{
	waiter_arm(strategy, flags);
	waiter_fire();
	waiter_select(MSILAT_STRATEGY_SPLIT, 0);
	check_is(vdev_wait(dev, 0, 0), -EINVAL, "%s: pending, but not under split", what);
	waiter_select(strategy, flags);
	check_is(vdev_wait(dev, 0, 0), 2, "%s: an event survives changes of the strategy, and the "
		 "catch-up comes to it", what);
	waiter_fire();
	vdev_disarm(dev, card.index);
	check_is(vdev_wait(dev, 0, 0), -EINVAL, "%s: pending, but not armed", what);
	vdev_arm(dev, card.index, 1, &fd);
	check_is(vdev_wait(dev, 0, 0), 1, "%s: an event survives disarming", what);
}

static void generations(uint32_t strategy, uint32_t flags)
{
	struct waiter w;
	uint32_t g;

	waiter_arm(strategy, flags);
	g = waiter_generation();
	waiter_begin(&w, 0, g);
	check(waiter_end(&w), "%s: the generation in force waits", what);
	waiter_begin(&w, 0, g + 1);
	check(waiter_end(&w), "%s: so does a later one", what);
	waiter_fire();
	waiter_select(strategy, flags);
	waiter_begin(&w, 0, g);
	check_is(waiter_result(&w), 2, "%s: an old generation gets what has arrived", what);
	waiter_begin(&w, 0, g);
	check_is(waiter_result(&w), -ECANCELED, "%s: and then hears that it is over", what);
	waiter_begin(&w, 0, g + 1);
	check(waiter_end(&w), "%s: the new one waits", what);
	waiter_fire();
	waiter_select(MSILAT_STRATEGY_SPLIT, 0);
	check_is(vdev_wait(dev, 0, g + 1), 1, "%s: under split, the old one gets the rest", what);
	check_is(vdev_wait(dev, 0, g + 1), -ECANCELED, "%s: and hears that it is over", what);
	check_is(vdev_wait(dev, 0, g + 2), -EINVAL, "%s: the new one has nothing to wait for",
		 what);
	vdev_disarm(dev, card.index);
	check_is(vdev_wait(dev, 0, g + 2), -ECANCELED, "%s: disarming makes it old", what);
	check_is(vdev_wait(dev, 0, 0), -EINVAL, "%s: who names none has nothing to wait for", what);
}

/* Another vector's changes leave a call alone. */
static void other_vector(uint32_t strategy, uint32_t flags)
{
	int none = -1, ret;
	struct waiter w;
	uint32_t g;

	if (card.vectors < 2)
		return;
	waiter_arm(strategy, flags);
	g = waiter_generation();
	waiter_begin(&w, 0, g);
	ret = vdev_set_irqs(dev, card.index, VDEV_EVENTFD, 1, 1, &none);
	if (ret == -EINVAL) {
		/* Before 6.5 only vectors enabled at first can be changed. */
		check_note("%s: this kernel enables no vector later", what);
		check(waiter_end(&w), "%s: what is refused leaves vector 0 alone", what);
		return;
	}
	if (ret)
		check_die("vector 1");
	check_is(waiter_generation(), g + 1, "%s: vector 1 is changed", what);
	check(waiter_end(&w), "%s: vector 0 waits on", what);
	waiter_begin(&w, 0, g);
	check(waiter_end(&w), "%s: its generation is still good", what);
}

static void with_strategy(uint32_t strategy, uint32_t flags)
{
	snprintf(what, sizeof(what), "%s%s", strategy_name(strategy), flags ? " alone" : "");
	waiter_arm(strategy, flags);
	events(flags);
	loopbacks();
	busy();
	signals();
	cancels(strategy, flags);
	pending_survives(strategy, flags);
	generations(strategy, flags);
	other_vector(strategy, flags);
	vdev_disarm(dev, card.index);
}

/* The device's descriptor goes while a thread is in the call, which keeps the file. */
static void closing(const char *bdf)
{
	struct card again;
	struct waiter w;

	waiter_arm(MSILAT_STRATEGY_DIRECT, 0);
	waiter_begin(&w, 0, 0);
	close(dev->fd);
	check(waiter_stays(&w), "close() in another thread does not end it");
	pthread_kill(w.thread, SIGUSR1);
	check_is(waiter_result(&w), -EINTR, "a signal does");
	card.dev.fd = -1;
	vdev_close(dev);
	check_is(card_open(&again, bdf), 0, "the device is closed then, and can be opened");
	card_close(&again);
}

int main(int argc, char **argv)
{
	uint32_t s;
	int ret;

	if (argc < 2)
		check_die("usage: wait BDF [reset|unbind|rest|forever]");
	fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
	ret = card_open(&card, argv[1]);
	if (ret)
		check_die("opening %s: %d", argv[1], ret);
	if (argc > 2) {
		waiter_over(argv[2]);
		card_close(&card);
		return check_done();
	}
	refusals();
	for (s = 0; s < STRATEGIES; s++) {
		if (!strategy_has_wait(s))
			continue;
		with_strategy(s, 0);
		with_strategy(s, MSILAT_SELECT_NO_EVENTFD);
	}
	closing(argv[1]);
	return check_done();
}
