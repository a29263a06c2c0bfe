// SPDX-License-Identifier: GPL-2.0-only
/*
 * exercise BDF course COUNT ROUNDS: drives a device through everything its interrupts can go
 *	through, until the kernel has taken COUNT of them; strategies are switched, and vectors
 *	disarmed and armed again, ROUNDS times each.
 * exercise BDF calm: ten interrupts, far apart and without contention. For a strategy that is known
 *	to lose the guest when there is any.
 * exercise BDF hold: fires, with contention, until the driver asks for the device back.
 *
 * Judges nothing. It runs under a kernel that does, works with any VFIO driver that is bound to the
 * device, and prints what it did as "NAME VALUE" lines, which lab/validate reads. It stops when the
 * kernel has made a report: lockdep is silent from then on.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "books.h"
#include "check.h"
#include "contend.h"
#include "lanes.h"
#include "storm.h"
#include "subject.h"

#define SEED 20261201u
#define TICK_US 20000
#define IDLE_TICKS 500
#define STEP_US 2000
#define CALM_ROUNDS 10
#define CALM_PAUSE_US 100000
#define ROUNDS_PER_RESET 8
#define HOLD_SECONDS 60

static struct subject subject;
static struct lanes lanes;
static uint64_t unaccounted, contended;
static unsigned int seed = SEED;
static uint64_t began;

static uint64_t now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

static void tell(const char *name, uint64_t value)
{
	printf("%s %" PRIu64 "\n", name, value);
}

/* What there is to say after each part, so that a guest that is lost has told the most of it. */
static void tell_progress(const char *part)
{
	printf("part %s\n", part);
	tell("milliseconds", now_ms() - began);
	tell("interrupts", subject_interrupts(&subject));
	tell("unaccounted", unaccounted);
	tell("contended", contended);
	books_tell(&lanes);
}

static void start_load(void)
{
	lanes_wait(&lanes);
	storm_start(&lanes);
	contend_start(lanes.lane[0].fd);
	lanes_fire(&lanes, seed++);
}

static void stop_load(void)
{
	lanes_cease();
	contended += contend_stop();
	storm_stop();
	lanes_unwait(&lanes);
}

/* Each vector alone, with nothing else going on. */
static void call(const char *part, unsigned int times)
{
	lanes_wait(&lanes);
	while (times-- && !subject_reported()) {
		unaccounted += books_call(&lanes, part);
		usleep(CALM_PAUSE_US / lanes.vectors);
	}
	lanes_unwait(&lanes);
}

/* What another thread of the program might do meanwhile; each takes the locks of control. */
static void disturb(unsigned int turn)
{
	unsigned int vector = turn % lanes.vectors;
	int ret;

	if (subject_loopback(&subject, vector))
		check_die("loopback to vector %u", vector);
	if (!subject.ours)
		return;
	vdev_query(&subject.card.dev);
	vdev_counters(&subject.card.dev, vector);
	if (subject_mark(&subject, vector, turn % MSILAT_STAGES))
		check_die("mark of vector %u", vector);
	ret = subject_inject(&subject, vector);
	if (ret && ret != -EBUSY)
		check_die("injecting into vector %u", vector);
}

static void fire_until(const char *part, uint64_t goal)
{
	uint64_t now = 0, last = 0;
	unsigned int turn = 0, idle = 0;

	books_open(&lanes);
	start_load();
	while (now < goal && idle < IDLE_TICKS && !subject_reported()) {
		usleep(TICK_US);
		disturb(turn++);
		now = subject_interrupts(&subject);
		idle = now == last ? idle + 1 : 0;
		last = now;
	}
	if (idle == IDLE_TICKS)
		printf("note %s: interrupts have stopped\n", part);
	stop_load();
	unaccounted += books_close(&lanes, part);
	tell_progress(part);
}

static void switches(unsigned int rounds)
{
	uint64_t catchups = 0, done = 0;

	books_open(&lanes);
	start_load();
	for (; done < rounds && !subject_reported(); done++) {
		catchups += subject_select(&subject, subject.other, 0);
		usleep(STEP_US);
		catchups += subject_select(&subject, subject.strategy, 0);
		usleep(STEP_US);
	}
	stop_load();
	unaccounted += books_close_switched(&lanes, "switches");
	if (catchups != 2 * done * lanes.vectors) {
		printf("note switches: %" PRIu64 " catch-ups\n", catchups);
		unaccounted++;
	}
	call("after switches", 1);
	tell("switches", 2 * done);
	tell_progress("switches");
}

static void reset(void)
{
	struct vfio_device_info info = { .argsz = sizeof(info) };

	if (ioctl(subject.card.dev.fd, VFIO_DEVICE_GET_INFO, &info) ||
	    !(info.flags & VFIO_DEVICE_FLAGS_RESET))
		return;
	if (ioctl(subject.card.dev.fd, VFIO_DEVICE_RESET))
		check_die("reset");
	card_prepare(&subject.card);
}

/* Takes the last vector's eventfd away and hangs it there again, the others being in use. */
static void swap_one(void)
{
	struct vector *v = &lanes.vector[lanes.vectors - 1];
	struct vdev *dev = &subject.card.dev;
	int none = -1;

	if (vdev_set_irqs(dev, subject.card.index, VDEV_EVENTFD, v->index, 1, &none) ||
	    vdev_set_irqs(dev, subject.card.index, VDEV_EVENTFD, v->index, 1, &v->lane->fd))
		check_die("changing the eventfd of vector %u", v->index);
}

/* Disarmed vectors lose events, and may. The calls that follow must show that nothing stays so. */
static void rearms(unsigned int rounds)
{
	uint64_t done = 0;

	start_load();
	for (; done < rounds && !subject_reported(); done++) {
		usleep(STEP_US);
		swap_one();
		usleep(STEP_US);
		if (done % ROUNDS_PER_RESET == ROUNDS_PER_RESET - 1)
			reset();
		subject_disarm(&subject);
		usleep(STEP_US);
		lanes_arm(&lanes);
	}
	stop_load();
	call("after re-arms", 1);
	tell("rearms", done);
	tell_progress("re-arms");
}

static void course(uint64_t goal, unsigned int rounds)
{
	uint64_t middle = subject.wake == WAKE_EVENTFD ? goal : goal / 2;

	call("calm", CALM_ROUNDS);
	tell_progress("calm");
	if (!subject_reported())
		fire_until("contention", middle);
	if (subject.wake != WAKE_EVENTFD && !subject_reported()) {
		subject_select(&subject, subject.strategy, MSILAT_SELECT_NO_EVENTFD);
		fire_until("without eventfd", goal);
		subject_select(&subject, subject.strategy, 0);
	}
	if (subject.ours && !subject_reported())
		switches(rounds);
	if (!subject_reported())
		rearms(rounds);
}

static void calm(void)
{
	call("calm", CALM_ROUNDS);
	tell_progress("calm");
}

static void hold(void)
{
	int request = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);

	if (request < 0 || vdev_set_irqs(&subject.card.dev, VFIO_PCI_REQ_IRQ_INDEX, VDEV_EVENTFD, 0,
					 1, &request))
		check_die("request interrupt");
	start_load();
	puts("part hold");
	if (!vdev_await(request, HOLD_SECONDS * 1000))
		check_die("nobody asked for the device in %d s", HOLD_SECONDS);
	stop_load();
	tell_progress("held");
}

static void begin(const char *bdf)
{
	int ret;

	began = now_ms();
	ret = subject_open(&subject, bdf);
	if (ret) {
		errno = -ret;
		check_die("opening %s", bdf);
	}
	lanes_make(&lanes, &subject);
	lanes_arm(&lanes);
	subject_learn(&subject);
	/* What the learning left behind is no event. */
	lanes_drain(&lanes);
	printf("ours %d\nwake %s\nvectors %u\nindex %s\nseed %u\n", subject.ours,
	       subject_wake_name(subject.wake), subject.card.vectors,
	       subject.card.index == VDEV_MSIX ? "MSI-X" : "MSI", SEED);
	if (subject.ours) {
		tell("strategy", subject.strategy);
		tell("known", vdev_query(&subject.card.dev).known);
	}
}

int main(int argc, char **argv)
{
	if (argc < 3)
		check_die("usage: exercise BDF course COUNT ROUNDS | calm | hold");
	begin(argv[1]);
	if (!strcmp(argv[2], "course") && argc == 5)
		course(strtoull(argv[3], NULL, 10), (unsigned int)atoi(argv[4]));
	else if (!strcmp(argv[2], "calm"))
		calm();
	else if (!strcmp(argv[2], "hold"))
		hold();
	else
		check_die("unknown course %s", argv[2]);
	if (subject_reported())
		puts("reported 1");
	subject_disarm(&subject);
	subject_close(&subject);
	puts("done 1");
	return 0;
}
