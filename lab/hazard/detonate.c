// SPDX-License-Identifier: GPL-2.0-only
/*
 * detonate [--crash-this-machine] BDF SCENARIO COUNT SEED inject|device
 *
 * Runs strategy nothread where it is unsafe until the kernel complains or COUNT interrupts have
 * been raised. BDF is an igb bound to msilat-vfio-pci, which was loaded with allow_unsafe=1.
 * Scenarios:
 *
 *   vectors   two vectors on one eventfd on two CPUs, and a reader; user space only
 *   storms    the same while others poll the eventfd and add it to epoll sets
 *   contend   the same with the module msilat-contend on both CPUs (loaded with allow_unsafe=1)
 *
 * The machine is lost, as a rule. So this is refused outside a virtual machine, unless the option
 * says that it is meant. Needs the channel (channel.h), by which it says how far it is.
 *
 * Exit: 0 all raised and no complaint; on standard output then what was counted, as NAME VALUE. 1
 * the kernel has complained; 2 it could not be tried.
 */
#include <cpuid.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "blast.h"
#include "channel.h"
#include "check.h"
#include "complaint.h"
#include "disturb.h"

#define USAGE "usage: detonate [--crash-this-machine] BDF vectors|storms|contend COUNT SEED " \
	      "inject|device\n"
#define SAMPLE_US 20000
/* What follows a complaint in the log is still to be read, if this CPU is among the living. */
#define LAST_WORDS_S 5

enum scenario { VECTORS, STORMS, CONTEND };

static const char *const scenario_names[] = { "vectors", "storms", "contend" };

/* CPUID leaf 1, ECX bit 31: what hypervisors set and no processor does. */
static bool in_virtual_machine(void)
{
	unsigned int a, b, c, d;

	return __get_cpuid(1, &a, &b, &c, &d) && c & 1u << 31;
}

static int find_scenario(const char *name)
{
	int i;

	for (i = 0; i < (int)(sizeof(scenario_names) / sizeof(scenario_names[0])); i++)
		if (!strcmp(name, scenario_names[i]))
			return i;
	return -1;
}

static void disturb(enum scenario scenario, const struct blast *b)
{
	if (scenario == STORMS)
		disturb_storms(b->fd);
	else if (scenario == CONTEND)
		disturb_contend(b->fd, b->seed);
}

/* Sums up a counter of all vectors. */
static struct msilat_counters counters(struct blast *b)
{
	struct msilat_counters sum = { 0 }, c;
	unsigned int v, i;

	for (v = 0; v < BLAST_VECTORS; v++) {
		c = vdev_counters(&b->card->dev, v);
		sum.isr += c.isr;
		sum.signals += c.signals;
		sum.guarded += c.guarded;
		sum.recursion += c.recursion;
		for (i = 0; i < MSILAT_LOCK_STATES; i++)
			sum.lock_states[i] += c.lock_states[i];
	}
	return sum;
}

/* Tells the host of events that the guard has refused, as they are found. */
static void mark_guarded(uint64_t *known, uint64_t guarded)
{
	for (; *known < guarded; (*known)++)
		channel_mark('g');
}

static void report(struct blast *b, uint64_t values)
{
	static const char *const states[MSILAT_LOCK_STATES] = {
		"free", "handoff", "self", "running", "not_running", "own_thread", "other_thread",
	};
	struct msilat_counters c = counters(b);
	unsigned int i;

	printf("raised %llu\n", (unsigned long long)blast_raised());
	printf("isr %llu\n", (unsigned long long)c.isr);
	printf("signals %llu\n", (unsigned long long)c.signals);
	printf("values %llu\n", (unsigned long long)values);
	printf("guarded %llu\n", (unsigned long long)c.guarded);
	printf("recursion %llu\n", (unsigned long long)c.recursion);
	for (i = 0; i < MSILAT_LOCK_STATES; i++)
		printf("%s %llu\n", states[i], (unsigned long long)c.lock_states[i]);
}

static int run(struct blast *b, enum scenario scenario)
{
	uint64_t guarded = 0, values;

	if (vdev_select(&b->card->dev, MSILAT_STRATEGY_NOTHREAD, NULL))
		check_die("strategy nothread; is the module loaded with allow_unsafe=1?");
	blast_arm(b);
	complaint_start(blast_raised);
	disturb(scenario, b);
	blast_raise(b);
	while (blast_going(b)) {
		usleep(SAMPLE_US);
		mark_guarded(&guarded, counters(b).guarded);
	}
	if (complaint_made()) {
		sleep(LAST_WORDS_S);
		return 1;
	}
	complaint_end();
	values = blast_finish(b);
	mark_guarded(&guarded, counters(b).guarded);
	if (complaint_made())
		return 1;
	report(b, values);
	return 0;
}

int main(int argc, char **argv)
{
	struct blast blast = { 0 };
	struct card card;
	bool meant = false;
	int scenario;

	if (argc > 1 && !strcmp(argv[1], "--crash-this-machine")) {
		meant = true;
		argv++;
		argc--;
	}
	scenario = argc == 6 ? find_scenario(argv[2]) : -1;
	if (scenario < 0 || (strcmp(argv[5], "inject") && strcmp(argv[5], "device"))) {
		fputs(USAGE, stderr);
		return 2;
	}
	if (!in_virtual_machine() && !meant) {
		fputs("detonate: this is no virtual machine, and would crash; "
		      "use the lab (make hazard-demo), or --crash-this-machine\n", stderr);
		return 2;
	}
	channel_open();
	if (card_open(&card, argv[1]) || card.vectors < BLAST_VECTORS)
		check_die("%s: a device with two vectors", argv[1]);
	blast.card = &card;
	blast.count = strtoull(argv[3], NULL, 10);
	blast.seed = (uint32_t)strtoul(argv[4], NULL, 10);
	blast.inject = !strcmp(argv[5], "inject");
	return run(&blast, (enum scenario)scenario);
}
