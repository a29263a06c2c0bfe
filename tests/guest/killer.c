// SPDX-License-Identifier: GPL-2.0-only
/*
 * killer BDF SEED COUNT: COUNT times a process uses the device in one of the ways there are and is
 * killed at a random moment. After each, nothing of it may be left: no interrupt, no thread, no
 * reference to the module; the device can be opened at once, is as new, and delivers.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "card.h"
#include "check.h"
#include "rng.h"

#define VECTORS 16
#define STRATEGIES 9
#define EVENTS 3
#define POLLER_PRIORITY 40
#define PAUSE_US 100
#define BEFORE_READY_US 60000
#define AFTER_READY_US 15000
#define PATIENCE_MS 60000
#define PF_KTHREAD 0x00200000	/* Linux' sched.h */
#define FAULTS_SHOWN 10

static const char *bdf;
static struct rng rng;
static unsigned int bad, round_no, good_roles[16];
static const char *role_name;

static void fault(const char *what, long value)
{
	if (bad++ < FAULTS_SHOWN)
		check_note("round %u, %s: %s (%ld)", round_no, role_name, what, value);
}

/* --- the process that is killed -------------------------------------------------------------- */

static struct card card;
static int fds[VECTORS];

static void *fire(void *arg)
{
	unsigned int i;

	(void)arg;
	for (;;) {
		for (i = 0; i < card.vectors; i++)
			card_fire(&card, i);
		usleep(PAUSE_US);
	}
	return NULL;
}

static int arm(void)
{
	int ret = vdev_arm(&card.dev, card.index, card.vectors, fds);

	card_prepare(&card);
	return ret;
}

static void select_flags(uint32_t strategy, uint32_t flags)
{
	struct msilat_ctl ctl = { .strategy = { .strategy = strategy, .flags = flags } };

	if (vdev_ctl(&card.dev, MSILAT_OP_STRATEGY, &ctl))
		exit(1);
}

static void be_poller(void)
{
	struct sched_param param = { .sched_priority = POLLER_PRIORITY };

	sched_setscheduler(0, SCHED_FIFO, &param);
}

static void role_read(void)
{
	struct pollfd p = { .fd = fds[0], .events = POLLIN };

	be_poller();
	for (;;) {
		poll(&p, 1, -1);
		vdev_drain(fds[0]);
	}
}

static void *wait_for(void *arg)
{
	unsigned int vector = (unsigned int)(uintptr_t)arg;

	be_poller();
	while (ioctl(card.dev.fd, MSILAT_WAIT, MSILAT_WAIT_ARG(vector, 0)) > 0)
		;
	fprintf(stderr, "a wait ended: %m\n");
	exit(1);
}

/* A waiter on each vector, as many threads. */
static void wait_all(uint32_t strategy)
{
	pthread_t thread;
	unsigned int i;

	select_flags(strategy, MSILAT_SELECT_NO_EVENTFD);
	for (i = 1; i < card.vectors; i++)
		pthread_create(&thread, NULL, wait_for, (void *)(uintptr_t)i);
	wait_for(NULL);
}

static void role_direct(void)
{
	wait_all(MSILAT_STRATEGY_DIRECT);
}

static void role_thread_direct(void)
{
	wait_all(MSILAT_STRATEGY_THREAD_DIRECT);
}

static void role_page(void)
{
	const struct msilat_vector *v;

	select_flags(MSILAT_STRATEGY_PAGE, MSILAT_SELECT_NO_EVENTFD);
	vdev_map_region(&card.dev);
	v = (const void *)((const char *)card.dev.region + card.dev.region->vector_offset);
	for (;;)
		__atomic_load_n(&v->page_events, __ATOMIC_ACQUIRE);
}

static void role_rearm(void)
{
	for (;;) {
		vdev_disarm(&card.dev, card.index);
		arm();
	}
}

static void role_switch(void)
{
	uint32_t permitted = vdev_query(&card.dev).permitted, strategy;

	for (;;)
		for (strategy = 1; strategy < STRATEGIES; strategy++)
			if (permitted & 1u << strategy)
				select_flags(strategy, 0);
}

static void role_inject(void)
{
	for (;;) {
		struct msilat_ctl ctl = { .inject.vector = 0 };

		vdev_ctl(&card.dev, MSILAT_OP_INJECT, &ctl);
	}
}

static void role_mark(void)
{
	uint32_t stage, vector;

	select_flags(MSILAT_STRATEGY_SPLIT, 0);
	for (vector = 0;; vector = (vector + 1) % card.vectors)
		for (stage = 0; stage < MSILAT_STAGES; stage++) {
			struct msilat_ctl ctl = { .mark = {
				.vector = vector, .stage = stage, .width = 4,
				.offset = card.edu ? 4 : 0xe00,
			} };

			vdev_ctl(&card.dev, MSILAT_OP_MARK, &ctl);
			if (!(stage & 1)) {
				ctl.mark.flags = MSILAT_MARK_CLEAR;
				vdev_ctl(&card.dev, MSILAT_OP_MARK, &ctl);
			}
		}
}

static const struct {
	const char *name;
	void (*run)(void);
	uint32_t strategy;	/* without which it makes no sense; 0: none */
} roles[] = {
	{ "reading", role_read, 0 },
	{ "waiting under direct", role_direct, MSILAT_STRATEGY_DIRECT },
	{ "waiting under thread-direct", role_thread_direct, MSILAT_STRATEGY_THREAD_DIRECT },
	{ "spinning on the page", role_page, MSILAT_STRATEGY_PAGE },
	{ "arming and disarming", role_rearm, 0 },
	{ "changing the strategy", role_switch, 0 },
	{ "injecting", role_inject, 0 },
	{ "marking", role_mark, 0 },
};

#define ROLES (sizeof(roles) / sizeof(roles[0]))

static void be_killed(unsigned int role, uint32_t strategy, int ready)
{
	pthread_t thread;
	unsigned int i;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (card_open(&card, bdf))
		exit(1);
	for (i = 0; i < card.vectors; i++)
		fds[i] = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
	select_flags(strategy, 0);
	if (arm() || pthread_create(&thread, NULL, fire, NULL) || write(ready, "", 1) != 1)
		exit(1);
	roles[role].run();
}

/* --- what may be left ------------------------------------------------------------------------ */

static bool file_has(const char *path, const char *text)
{
	static char buffer[1 << 16];
	ssize_t n;
	size_t at = 0;
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		check_die("%s", path);
	while (at < sizeof(buffer) - 1 && (n = read(fd, buffer + at, sizeof(buffer) - 1 - at)) > 0)
		at += (size_t)n;
	buffer[at] = '\0';
	close(fd);
	return strstr(buffer, text);
}

static long module_references(void)
{
	FILE *f = fopen("/sys/module/msilat_vfio_pci/refcnt", "re");
	long n;

	if (!f || fscanf(f, "%ld", &n) != 1)
		check_die("the module's reference count");
	fclose(f);
	return n;
}

/* Kernel threads that serve something in particular: workers come and go as they like. */
static unsigned int kernel_threads(void)
{
	struct dirent *entry;
	DIR *proc = opendir("/proc");
	unsigned int n = 0;

	if (!proc)
		check_die("/proc");
	while ((entry = readdir(proc))) {
		char path[300], comm[64], state;
		unsigned int flags = 0;
		FILE *f;

		if (entry->d_name[0] < '1' || entry->d_name[0] > '9')
			continue;
		snprintf(path, sizeof(path), "/proc/%s/stat", entry->d_name);
		f = fopen(path, "re");
		if (!f)
			continue;
		if (fscanf(f, "%*d (%63[^)]) %c %*d %*d %*d %*d %*d %u", comm, &state, &flags) == 3 &&
		    flags & PF_KTHREAD && strncmp(comm, "kworker", 7))
			n++;
		fclose(f);
	}
	closedir(proc);
	return n;
}

/* A thread that has been stopped is seen for a moment longer. */
static unsigned int settled_threads(unsigned int expected)
{
	unsigned int i, n = kernel_threads();

	for (i = 0; i < 100 && n > expected; i++) {
		usleep(20000);
		n = kernel_threads();
	}
	return n;
}

/* The device as the next one finds it. */
static void use_afresh(uint32_t strategy)
{
	struct msilat_query q;
	unsigned int i, missed = 0;
	int ret;

	ret = card_open(&card, bdf);
	if (ret) {
		fault("the device does not open", ret);
		return;
	}
	q = vdev_query(&card.dev);
	if (q.enabled || q.generation || q.irq_index != ~0u || q.select_flags ||
	    q.strategy != MSILAT_STRATEGY_THREAD)
		fault("the device is not as new: its generation", q.generation);
	for (i = 0; i < card.vectors; i++)
		fds[i] = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
	select_flags(strategy, 0);
	if (arm())
		fault("the device cannot be armed", 0);
	for (i = 0; i < EVENTS * card.vectors && !missed; i++) {
		card_fire(&card, i % card.vectors);
		missed += !vdev_await(fds[i % card.vectors], PATIENCE_MS);
	}
	if (missed)
		fault("an event does not arrive, strategy", strategy);
	for (i = 0; i < card.vectors; i++)
		close(fds[i]);
	card_close(&card);
}

/* --- rounds ---------------------------------------------------------------------------------- */

static uint32_t any_strategy(uint32_t permitted)
{
	uint32_t strategy;

	do
		strategy = rng_below(&rng, STRATEGIES);
	while (!(permitted & 1u << strategy));
	return strategy;
}

static void kill_one(unsigned int role, uint32_t permitted)
{
	uint32_t strategy = any_strategy(permitted);
	int ready[2], status = 0;
	char byte;
	pid_t pid;

	role_name = roles[role].name;
	if (pipe2(ready, O_CLOEXEC))
		check_die("pipe");
	fflush(stdout);
	pid = fork();
	if (pid < 0)
		check_die("fork");
	if (!pid)
		be_killed(role, strategy, ready[1]);
	close(ready[1]);
	/* Now and then while it is still opening the device. */
	if (rng_one_in(&rng, 4))
		usleep(rng_below(&rng, BEFORE_READY_US));
	else if (read(ready[0], &byte, 1) == 1)
		usleep(rng_below(&rng, AFTER_READY_US));
	close(ready[0]);
	kill(pid, SIGKILL);
	if (waitpid(pid, &status, 0) != pid)
		check_die("waitpid");
	if (!WIFSIGNALED(status) || WTERMSIG(status) != SIGKILL)
		fault("ended by itself, status", status);
	else
		good_roles[role]++;
}

int main(int argc, char **argv)
{
	unsigned int count, role = 0, threads, left;
	struct msilat_query q;
	long references;

	if (argc < 4)
		check_die("usage: killer BDF SEED COUNT");
	bdf = argv[1];
	rng = rng_stream(strtoull(argv[2], NULL, 0), 0);
	count = (unsigned int)atoi(argv[3]);
	references = module_references();
	threads = kernel_threads();
	if (card_open(&card, bdf))
		check_die("%s", bdf);
	q = vdev_query(&card.dev);
	card_close(&card);
	check_is(q.known, 0x1fe, "all strategies of the interface are known");
	for (round_no = 0; round_no < count; round_no++) {
		do
			role = (role + 1) % ROLES;
		while (roles[role].strategy && !(q.permitted & 1u << roles[role].strategy));
		kill_one(role, q.permitted);
		if (file_has("/proc/interrupts", "vfio-msi"))
			fault("an interrupt is left", 0);
		if (module_references() != references)
			fault("references to the module", module_references());
		use_afresh(any_strategy(q.permitted));
		left = settled_threads(threads);
		if (left > threads)
			fault("kernel threads left", (long)(left - threads));
	}
	for (role = 0; role < ROLES; role++)
		check_note("killed while %s: %u", roles[role].name, good_roles[role]);
	check_is(bad, 0, "%u processes killed, and nothing is left of any", count);
	return check_done();
}
