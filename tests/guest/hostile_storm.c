// SPDX-License-Identifier: GPL-2.0-only
/* Calls by one thread that knows everything, calls by many that know little. */
#include <errno.h>
#include <linux/pci_regs.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "check.h"
#include "hostile.h"

#define TICK_US 5000
#define THREADS 8
#define EVENTS 20
#define PATIENCE_MS 60000
#define COVERING 1000		/* calls from which on a run has to see everything */
#define MORE 10			/* times as many calls, if it has not by then */

static struct attack attackers[THREADS];
static unsigned int nattackers;
static atomic_bool stop;

/* --- signals: what ends a wait --------------------------------------------------------------- */

static void nothing(int signal)
{
	(void)signal;
}

static void *tick(void *arg)
{
	unsigned int i;

	(void)arg;
	while (!atomic_load(&stop)) {
		usleep(TICK_US);
		for (i = 0; i < nattackers; i++)
			if (attackers[i].waiting)
				pthread_kill(attackers[i].thread, SIGUSR1);
	}
	return NULL;
}

static pthread_t start_ticking(void)
{
	struct sigaction action = { .sa_handler = nothing };
	pthread_t thread;

	sigaction(SIGUSR1, &action, NULL);
	atomic_store(&stop, false);
	if (pthread_create(&thread, NULL, tick, NULL))
		check_die("thread");
	return thread;
}

/* --- coverage -------------------------------------------------------------------------------- */

static const enum attack_kind may_succeed[] = {
	ATTACK_QUERY, ATTACK_STRATEGY, ATTACK_COUNTERS, ATTACK_MARK, ATTACK_INJECT, ATTACK_WAIT,
	ATTACK_IRQS, ATTACK_READ, ATTACK_MAP, ATTACK_CONFIG,
};

#define KINDS (sizeof(may_succeed) / sizeof(may_succeed[0]))

/* Whether a kind of call was seen to succeed and, where it can, to be refused; by all attackers. */
static bool kind_covered(enum attack_kind kind, unsigned long long *good,
			 unsigned long long *refused)
{
	unsigned int i, e;

	*good = *refused = 0;
	for (i = 0; i < nattackers; i++) {
		*good += __atomic_load_n(&attackers[i].good[kind], __ATOMIC_RELAXED);
		for (e = 0; e < 128; e++)
			*refused += __atomic_load_n(&attackers[i].refused[kind][e],
						    __ATOMIC_RELAXED);
	}
	return *good && (*refused || kind == ATTACK_CONFIG);
}

static bool all_covered(void)
{
	unsigned long long good, refused;
	unsigned int i;

	for (i = 0; i < KINDS; i++)
		if (!kind_covered(may_succeed[i], &good, &refused))
			return false;
	return true;
}

/*
 * Whether an attacker has calls left to make. What a few of them have not met by chance comes with
 * more: it goes on until every kind is covered, MORE times as long at most. A short run to find a
 * fault again need not see everything.
 */
static bool goes_on(const struct attack *a, unsigned int calls, bool cover)
{
	return a->call < calls ||
	       (cover && a->call < (unsigned long long)calls * MORE && !all_covered());
}

static void check_coverage(const char *mode)
{
	unsigned long long good, refused;
	unsigned int i;

	for (i = 0; i < KINDS; i++) {
		bool covered = kind_covered(may_succeed[i], &good, &refused);

		check(covered, "%s: %s both succeeds (%llu) and is refused (%llu)", mode,
		      attack_kind_name(may_succeed[i]), good, refused);
	}
}

/* --- alone ----------------------------------------------------------------------------------- */

static void one_alone(struct attack *a)
{
	static void (*const kinds[])(struct attack *) = {
		attack_ctl, attack_ctl, attack_ctl, attack_ctl, attack_wait, attack_wait,
		attack_arm, attack_arm, attack_read, attack_map, attack_info,
	};

	if (rng_one_in(&a->rng, 100) || (!a->memory && rng_one_in(&a->rng, 4)))
		attack_disturb(a);
	else
		kinds[rng_below(&a->rng, sizeof(kinds) / sizeof(kinds[0]))](a);
}

void hostile_alone(struct attack_target *t, uint64_t seed, unsigned int calls)
{
	struct attack *a = attackers;
	pthread_t ticking;

	attack_init(a, t, seed, 0, true);
	a->thread = pthread_self();
	nattackers = 1;
	ticking = start_ticking();
	while (goes_on(a, calls, calls >= COVERING))
		one_alone(a);
	atomic_store(&stop, true);
	pthread_join(ticking, NULL);
	attack_tell(attackers, 1);
	check_is((long long)a->bad, 0, "alone: %llu random calls, each as predicted; refused ones "
		 "changed nothing", a->call);
	if (calls >= COVERING)
		check_coverage("alone");
}

/* --- a storm --------------------------------------------------------------------------------- */

static unsigned int calls_each;
static bool covering;

static void *attack_with(struct attack *a, void (*const *kinds)(struct attack *), unsigned int n)
{
	a->thread = pthread_self();
	while (goes_on(a, calls_each, covering))
		kinds[rng_below(&a->rng, n)](a);
	return NULL;
}

static void *control(void *arg)
{
	static void (*const kinds[])(struct attack *) = { attack_ctl, attack_ctl, attack_info };

	return attack_with(arg, kinds, 3);
}

static void *irqs(void *arg)
{
	static void (*const kinds[])(struct attack *) = { attack_irqs };

	return attack_with(arg, kinds, 1);
}

static void *memory(void *arg)
{
	static void (*const kinds[])(struct attack *) = { attack_map, attack_read };

	return attack_with(arg, kinds, 2);
}

static void *waiting(void *arg)
{
	static void (*const kinds[])(struct attack *) = { attack_wait };

	return attack_with(arg, kinds, 1);
}

static void *everything(void *arg)
{
	static void (*const kinds[])(struct attack *) = {
		attack_ctl, attack_wait, attack_irqs, attack_map, attack_read, attack_info,
	};

	return attack_with(arg, kinds, 6);
}

/* Until the others are done; each takes long. */
static void *disturb(void *arg)
{
	struct attack *a = arg;

	a->thread = pthread_self();
	while (!atomic_load(&stop)) {
		attack_disturb(a);
		usleep(20000);
	}
	return NULL;
}

/* The header changes while the kernel reads it: whatever it sees, it may see only once. */
static union {
	struct vfio_irq_set set;
	struct msilat_ctl ctl;
	uint32_t words[64];
} shifting;

static void *shift(void *arg)
{
	static const uint32_t values[] = { 0, 1, 2, 3, 4, 5, 16, 20, 24, 32, 33, 34, 36, 64, 65, 68,
					   ~0u };
	struct attack *a = arg;

	while (!atomic_load(&stop)) {
		/* The operation stays: a mark might be aimed anywhere. */
		uint32_t word = rng_below(&a->rng, 10);
		uint32_t value = values[rng_below(&a->rng, sizeof(values) / sizeof(values[0]))];

		if (word == 2)
			value %= MSILAT_OP_MARK;
		*(volatile uint32_t *)&shifting.words[word] = value;
	}
	return NULL;
}

static void *use_shifting(void *arg)
{
	const errset allowed = SUCCESS | E(EINVAL) | E(ENOTTY) | E(EFAULT) | E(EBADF) | E(EBUSY) |
			       E(EPERM) | E(ENOMEM) | E(ENOSPC) | E(ERANGE);
	struct attack *a = arg;
	struct attack_state before;

	a->thread = pthread_self();
	while (goes_on(a, calls_each, covering)) {
		bool set = rng_below(&a->rng, 2);
		int ret;

		snprintf(a->what, sizeof(a->what), "%s with arguments that change",
			 set ? "SET_IRQS" : "CTL");
		*(volatile uint32_t *)&shifting.words[0] = sizeof(shifting);
		ret = ioctl(a->target->card.dev.fd, set ? VFIO_DEVICE_SET_IRQS : MSILAT_CTL,
			    &shifting);
		attack_judge(a, ATTACK_SHIFTING, ret < 0 ? -errno : 0, allowed,
			     &before);
	}
	return NULL;
}

void hostile_storm(struct attack_target *t, uint64_t seed, unsigned int calls)
{
	static void *(*const roles[THREADS])(void *) = {
		control, irqs, memory, waiting, everything, use_shifting, disturb, shift,
	};
	unsigned long long bad = 0, made = 0;
	pthread_t threads[THREADS], ticking;
	unsigned int i;

	calls_each = calls / (THREADS - 2);
	covering = calls >= COVERING;
	for (i = 0; i < THREADS; i++)
		attack_init(&attackers[i], t, seed, i, false);
	nattackers = THREADS;
	ticking = start_ticking();
	for (i = 0; i < THREADS; i++)
		if (pthread_create(&threads[i], NULL, roles[i], &attackers[i]))
			check_die("thread");
	for (i = 0; i < THREADS; i++) {
		if (i == THREADS - 2)
			atomic_store(&stop, true);
		pthread_join(threads[i], NULL);
	}
	pthread_join(ticking, NULL);
	for (i = 0; i < THREADS; i++) {
		bad += attackers[i].bad;
		made += attackers[i].call;
	}
	attack_tell(attackers, THREADS);
	check_is((long long)bad, 0, "storm: %llu random calls by %u threads, each result is one of "
		 "those documented", made, THREADS - 1);
	if (covering)
		check_coverage("storm");
}

/* --- before and after ------------------------------------------------------------------------ */

void hostile_interface(struct attack_target *t)
{
	struct msilat_ctl mark = { .mark = { .flags = MSILAT_MARK_CLEAR } }, inject = { 0 };
	int ret;

	check_is(t->known, 0x1fe, "all strategies of the interface are known");
	check(vdev_ctl(&t->card.dev, MSILAT_OP_MARK, &mark) != -ENOTTY, "MSILAT_OP_MARK is there");
	check(vdev_ctl(&t->card.dev, MSILAT_OP_INJECT, &inject) != -ENOTTY,
	      "MSILAT_OP_INJECT is there");
	ret = ioctl(t->card.dev.fd, MSILAT_WAIT, MSILAT_WAIT_ARG(0, 0)) ? errno : 0;
	check(ret != ENOTTY, "MSILAT_WAIT is there");
}

/* What is known of a vector that does not deliver. */
static void tell_device(struct attack_target *t, unsigned int vector)
{
	struct vdev *d = &t->card.dev;
	struct msilat_counters c = vdev_counters(d, vector);
	struct msilat_query q = vdev_query(d);
	unsigned int pm = attack_capability(d, PCI_CAP_ID_PM);
	unsigned int msi = attack_capability(d, t->card.edu ? PCI_CAP_ID_MSI : PCI_CAP_ID_MSIX);

	check_note("vector %u: irq %u isr %llu threads %llu signals %llu", vector, c.irq,
		   (unsigned long long)c.isr, (unsigned long long)c.threads,
		   (unsigned long long)c.signals);
	check_note("command %#x, PM control %#x, MSI control %#x; %u of %u enabled, strategy %u "
		   "flags %#x", vdev_config16(d, PCI_COMMAND),
		   pm ? vdev_config16(d, pm + PCI_PM_CTRL) : 0, vdev_config16(d, msi + 2),
		   q.enabled, q.vectors, q.strategy, q.select_flags);
}

/* Events, one after the other, on every vector. Others may be firing, too. */
static unsigned int missed(struct attack_target *t, const int *fds)
{
	unsigned int i, n, missed = 0;

	for (n = 0; n < EVENTS && !missed; n++) {
		for (i = 0; i < t->card.vectors && !missed; i++) {
			card_fire(&t->card, i);
			missed = !vdev_await(fds[i], PATIENCE_MS);
			if (missed)
				tell_device(t, i);
		}
	}
	return missed;
}

void hostile_afterwards(struct attack_target *t)
{
	struct vdev *d = &t->card.dev;
	int fds[ATTACK_VECTORS];
	uint32_t i, strategy;

	for (i = 0; i < VFIO_PCI_NUM_IRQS; i++)
		vdev_disarm(d, i);
	attack_wake(t);
	check_is(vdev_query(d).enabled, 0, "afterwards: everything can be disarmed");
	for (i = 0; i < t->card.vectors; i++)
		fds[i] = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
	for (strategy = 1; strategy < ATTACK_STRATEGIES; strategy++) {
		if (!(t->permitted & 1u << strategy))
			continue;
		if (vdev_select(d, strategy, NULL) ||
		    vdev_arm(d, t->card.index, t->card.vectors, fds))
			check_die("afterwards: strategy %u", strategy);
		card_prepare(&t->card);
		check_is(missed(t, fds), 0, "afterwards: strategy %u delivers", strategy);
		vdev_disarm(d, t->card.index);
	}
}
