// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/uio.h>
#include <unistd.h>

#include "check.h"
#include "lanes.h"

#define WAITER_PRIORITY 40
#define WAITER_STACK 65536
#define PAUSE_MAX_US 64
#define PAGE_US 20
#define REFUSED_US 200
#define SETTLE_US 200000
#define STOP (1ull << 40)	/* ends a waiter: more than all events together */

static struct lanes *all;
static pthread_t firing, watching;
static atomic_bool fire_stop, wait_stop;
static unsigned int fire_seed;

static void nothing(int number)
{
	(void)number;
}

/* --- taking events --------------------------------------------------------------------------- */

/* Takers overtake each other: what has been seen stays seen. */
static void raise_to(_Atomic uint64_t *seen, uint64_t fired)
{
	uint64_t old = atomic_load(seen);

	while (old < fired && !atomic_compare_exchange_weak(seen, &old, fired))
		;
}

static void enter(struct lane *lane, uint64_t value)
{
	atomic_fetch_add(&lane->values, value);
	raise_to(&lane->seen, atomic_load(&lane->fired));
}

uint64_t lanes_take(struct lane *lane)
{
	uint64_t value = 0;
	const struct iovec iov = { .iov_base = &value, .iov_len = sizeof(value) };

	if (preadv2(lane->fd, &iov, 1, -1, RWF_NOWAIT) == sizeof(value))
		enter(lane, value % STOP);
	return value;
}

int lanes_take_waited(struct lanes *l, struct vector *v, bool block)
{
	int ret = subject_wait(l->subject, v->index, block);

	if (ret < 0)
		return ret;
	atomic_fetch_add(&v->waited, (uint64_t)ret);
	raise_to(&v->seen, atomic_load(&v->fired));
	return 0;
}

static uint64_t page_events(struct lanes *l, struct vector *v)
{
	const struct msilat_region *r = l->subject->card.dev.region;
	const struct msilat_vector *block = (const void *)((const char *)r + r->vector_offset +
							   (size_t)v->index * r->vector_stride);

	return __atomic_load_n(&block->page_events, __ATOMIC_ACQUIRE);
}

static void take_paged(struct lanes *l, struct vector *v)
{
	uint64_t now = page_events(l, v);

	if (now == v->page)
		return;
	atomic_fetch_add(&v->paged, now - v->page);
	v->page = now;
	raise_to(&v->seen, atomic_load(&v->fired));
}

/* --- waiters --------------------------------------------------------------------------------- */

static void pin(unsigned int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu % (unsigned int)sysconf(_SC_NPROCESSORS_ONLN), &set);
	if (sched_setaffinity(0, sizeof(set), &set))
		check_die("CPU %u", cpu);
}

/* The waiter's place: the CPU that the vector of the same number interrupts. */
static void take_place(unsigned int number)
{
	struct sched_param param = { .sched_priority = WAITER_PRIORITY };

	pin(number);
	if (sched_setscheduler(0, SCHED_FIFO, &param))
		check_die("SCHED_FIFO");
}

static void read_lane(struct lane *lane)
{
	uint64_t value = 0;

	while (value < STOP) {
		if (read(lane->fd, &value, sizeof(value)) == sizeof(value))
			enter(lane, value % STOP);
		else if (errno != EINTR)
			check_die("read");
	}
}

static void poll_lane(struct lane *lane)
{
	struct pollfd p = { .fd = lane->fd, .events = POLLIN };

	do
		poll(&p, 1, -1);
	while (lanes_take(lane) < STOP);
}

static void epoll_lane(struct lane *lane)
{
	struct epoll_event event = { .events = EPOLLIN };
	int epoll = epoll_create1(EPOLL_CLOEXEC);

	if (epoll < 0 || epoll_ctl(epoll, EPOLL_CTL_ADD, lane->fd, &event))
		check_die("epoll");
	do
		epoll_wait(epoll, &event, 1, -1);
	while (lanes_take(lane) < STOP);
	close(epoll);
}

static void (*const ways[])(struct lane *lane) = { read_lane, poll_lane, epoll_lane };

#define WAYS (sizeof(ways) / sizeof(ways[0]))

static void *wait_lane(void *arg)
{
	struct lane *lane = arg;

	take_place((unsigned int)(lane - all->lane));
	ways[lane->how](lane);
	return NULL;
}

/*
 * Between strategies and while the vector is disarmed the call is refused: then look again later.
 * Once the driver has asked for the device back, it is refused for good.
 */
static void *wait_vector(void *arg)
{
	struct vector *v = arg;
	int ret;

	take_place(v->index);
	while (!atomic_load(&wait_stop)) {
		ret = lanes_take_waited(all, v, true);
		if (ret == -ENODEV)
			break;
		if (ret == -EINVAL || ret == -EBUSY)
			usleep(REFUSED_US);
		else if (ret && ret != -EINTR && ret != -ECANCELED)
			check_die("MSILAT_WAIT: %d", ret);
	}
	return NULL;
}

/* One thread for the pages of all vectors; it sleeps between looks, as it is not measured. */
static void *watch_pages(void *arg)
{
	unsigned int i;

	(void)arg;
	pin(1);
	while (!atomic_load(&wait_stop)) {
		for (i = 0; i < all->vectors; i++)
			take_paged(all, &all->vector[i]);
		usleep(PAGE_US);
	}
	return NULL;
}

static void start(pthread_t *thread, void *(*function)(void *), void *arg)
{
	pthread_attr_t attr;

	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, WAITER_STACK);
	if (pthread_create(thread, &attr, function, arg))
		check_die("thread");
	pthread_attr_destroy(&attr);
}

void lanes_wait(struct lanes *l)
{
	unsigned int i;

	all = l;
	atomic_store(&wait_stop, false);
	for (i = 0; i < l->lanes; i++)
		start(&l->lane[i].waiter, wait_lane, &l->lane[i]);
	if (l->subject->wake == WAKE_IOCTL)
		for (i = 0; i < l->vectors; i++)
			start(&l->vector[i].waiter, wait_vector, &l->vector[i]);
	if (l->subject->wake == WAKE_PAGE)
		start(&watching, watch_pages, NULL);
}

void lanes_drain(struct lanes *l)
{
	unsigned int i;

	usleep(SETTLE_US);
	for (i = 0; i < l->lanes; i++)
		lanes_take(&l->lane[i]);
	for (i = 0; i < l->vectors; i++) {
		if (l->subject->wake == WAKE_IOCTL)
			while (!lanes_take_waited(l, &l->vector[i], false))
				;
		if (l->subject->wake == WAKE_PAGE)
			take_paged(l, &l->vector[i]);
	}
}

/* Only a loopback trigger ends MSILAT_WAIT free of races; the eventfd gets it too. */
void lanes_unwait(struct lanes *l)
{
	unsigned int i;

	atomic_store(&wait_stop, true);
	for (i = 0; l->subject->wake == WAKE_IOCTL && i < l->vectors; i++) {
		if (subject_loopback(l->subject, i))
			check_die("loopback to vector %u", i);
		pthread_join(l->vector[i].waiter, NULL);
	}
	if (l->subject->wake == WAKE_PAGE)
		pthread_join(watching, NULL);
	for (i = 0; i < l->lanes; i++) {
		if (eventfd_write(l->lane[i].fd, STOP))
			check_die("eventfd");
		pthread_join(l->lane[i].waiter, NULL);
	}
	lanes_drain(l);
}

void lanes_kick(struct lanes *l, struct vector *v)
{
	if (l->subject->wake == WAKE_IOCTL)
		pthread_kill(v->waiter, SIGUSR1);
}

/* --- firing ---------------------------------------------------------------------------------- */

void lanes_fire_one(struct lanes *l, struct vector *v)
{
	atomic_fetch_add(&v->fired, 1);
	atomic_fetch_add(&v->lane->fired, 1);
	card_fire(&l->subject->card, v->index);
}

/* xorshift32 of G. Marsaglia, "Xorshift RNGs", Journal of Statistical Software 8 (2003). */
static unsigned int draw(unsigned int *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 17;
	*state ^= *state << 5;
	return *state;
}

/* Bursts of all vectors and single ones, close together and apart. */
static void *fire_events(void *arg)
{
	unsigned int state = fire_seed | 1, i, choice;
	struct lanes *l = arg;

	pin(1);
	while (!atomic_load(&fire_stop)) {
		choice = draw(&state);
		if (choice & 3)
			lanes_fire_one(l, &l->vector[(choice >> 8) % l->vectors]);
		else
			for (i = 0; i < l->vectors; i++)
				lanes_fire_one(l, &l->vector[i]);
		if (choice & 4)
			usleep((choice >> 16) % PAUSE_MAX_US);
	}
	return NULL;
}

void lanes_fire(struct lanes *l, unsigned int seed)
{
	fire_seed = seed;
	atomic_store(&fire_stop, false);
	start(&firing, fire_events, l);
}

void lanes_cease(void)
{
	atomic_store(&fire_stop, true);
	pthread_join(firing, NULL);
	usleep(SETTLE_US);
}

/* --- making ---------------------------------------------------------------------------------- */

void lanes_make(struct lanes *l, struct subject *s)
{
	struct sigaction kicked = { .sa_handler = nothing };
	unsigned int i;

	*l = (struct lanes){ .subject = s, .vectors = s->card.vectors };
	if (l->vectors > LANES_MAX)
		check_die("%s: %u vectors, %u can be used", s->card.dev.bdf, l->vectors, LANES_MAX);
	sigaction(SIGUSR1, &kicked, NULL);
	l->lanes = l->vectors > 1 ? l->vectors - 1 : 1;
	for (i = 0; i < l->lanes; i++) {
		l->lane[i].fd = eventfd(0, EFD_CLOEXEC);
		l->lane[i].how = i % WAYS;
		if (l->lane[i].fd < 0)
			check_die("eventfd");
	}
	for (i = 0; i < l->vectors; i++) {
		l->vector[i].index = i;
		l->vector[i].lane = &l->lane[i ? i - 1 : 0];
	}
}

void lanes_arm(struct lanes *l)
{
	int fds[LANES_MAX];
	unsigned int i;

	for (i = 0; i < l->vectors; i++)
		fds[i] = l->vector[i].lane->fd;
	subject_arm(l->subject, fds, l->vectors);
	card_prepare(&l->subject->card);
}
