/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A random call to the driver and what may come of it.
 *
 * Each kind of call chooses its arguments from the attacker's stream of random numbers, derives
 * from uapi/msilat.h, from VFIO's interface and from what it knows about the device the set of
 * results that are allowed, makes the call and has it judged. An attacker that is alone knows the
 * device's state, so that its set is narrow, and checks besides that a refused call has changed
 * nothing. With others at work the set has every result that some state of the device allows.
 */
#ifndef ATTACK_H
#define ATTACK_H

#include <pthread.h>

#include "bait.h"
#include "card.h"
#include "rng.h"

#define ATTACK_VECTORS 16
#define ATTACK_STRATEGIES 9
#define ATTACK_FDS 20

/* A set of results: 0 stands for success, other numbers for errno. */
typedef unsigned __int128 errset;
#define E(errno_) ((errset)1 << (errno_))
#define SUCCESS E(0)

enum attack_kind {
	ATTACK_QUERY,
	ATTACK_STRATEGY,
	ATTACK_COUNTERS,
	ATTACK_MARK,
	ATTACK_INJECT,
	ATTACK_UNKNOWN_OP,
	ATTACK_SHIFTING,
	ATTACK_WAIT,
	ATTACK_IRQS,
	ATTACK_READ,
	ATTACK_WRITE,
	ATTACK_MAP,
	ATTACK_REMAP,
	ATTACK_INFO,
	ATTACK_FEATURE,
	ATTACK_CONFIG,
	ATTACK_RESET,
	ATTACK_HOT_RESET,
	ATTACK_KINDS,
};

/**
 * struct attack_target - the device under attack, shared by all attackers
 * @card: it.
 * @known: the strategies it knows (msilat_query.known).
 * @permitted: those that may be selected.
 * @bars: its BARs.
 * @region: where msilat's region is; size 0 on another driver.
 * @config_size: bytes of its configuration space.
 * @irqs: vectors of each VFIO IRQ index.
 * @fds: descriptors for SET_IRQS: first @eventfds good ones, then some that are not eventfds.
 * @eventfds: how many.
 */
struct attack_target {
	struct card card;
	uint32_t known;
	uint32_t permitted;
	struct attack_bar {
		uint64_t offset;
		uint64_t size;
		bool memory;
		bool mappable;
		uint64_t forbidden[2][2];	/* start and end: MSI-X table, pending bits */
	} bars[6];
	struct {
		uint32_t index;
		uint64_t offset;
		uint64_t size;
	} region;
	uint64_t config_size;
	uint32_t irqs[VFIO_PCI_NUM_IRQS];
	int fds[ATTACK_FDS];
	unsigned int eventfds;
};

/**
 * struct attack_state - what a call may not change unless it succeeds
 * @query: answer to MSILAT_OP_QUERY.
 * @mark_generation: as the region shows it.
 * @armed: bit mask of the vectors that have a Linux IRQ.
 */
struct attack_state {
	struct msilat_query query;
	uint32_t mark_generation;
	uint32_t armed;
};

/**
 * struct attack - an attacker: one thread
 * @target: the device.
 * @rng: decides everything.
 * @bait: memory for arguments.
 * @alone: nobody else makes calls, and none of the device's state is unknown.
 * @memory: (alone) memory decoding is on.
 * @state: (alone) as it was after the last call.
 * @stream: number of its stream of random numbers.
 * @waiting: it is in a call that a signal has to end.
 * @thread: who it is, for that signal.
 * @call: number of calls made.
 * @what: the call, for people.
 * @bad: results that were not allowed and changes that were not due.
 * @good: successes by kind; any thread may read them, atomically.
 * @refused: refusals by kind and errno; likewise.
 */
struct attack {
	struct attack_target *target;
	struct rng rng;
	struct bait bait;
	bool alone;
	bool memory;
	struct attack_state state;
	uint32_t stream;
	volatile int waiting;
	pthread_t thread;
	unsigned long long call;
	char what[256];
	unsigned long long bad;
	unsigned long long good[ATTACK_KINDS];
	unsigned int refused[ATTACK_KINDS][128];
};

/** attack_target_init - open a device and learn what is to be known; ends the program if not */
void attack_target_init(struct attack_target *t, const char *bdf);

/** attack_init - an attacker with stream @stream of @seed; @alone: see struct attack */
void attack_init(struct attack *a, struct attack_target *t, uint64_t seed, uint32_t stream,
		 bool alone);

/** attack_fault - something is wrong: says what, with the call that showed it; as printf */
void attack_fault(struct attack *a, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/**
 * attack_judge - count a result and see whether it is allowed
 * @result: what the call returned, or -errno
 *
 * An attacker that is alone also looks at the state: none of it may have changed when the call was
 * refused. It is up to the caller to look at a->state after a success, and to what it was @before.
 *
 * Return: whether the call succeeded.
 */
bool attack_judge(struct attack *a, enum attack_kind kind, long result, errset allowed,
		  struct attack_state *before);

/** attack_look - the state as it is now */
struct attack_state attack_look(struct attack *a);

/** attack_tell - what was called how often and how it ended, as notes */
void attack_tell(const struct attack *a, unsigned int attackers);

/** attack_kind_name - the word for a kind of call */
const char *attack_kind_name(enum attack_kind kind);

/* The kinds of calls. Each makes one. */

/** attack_ctl - MSILAT_CTL, any operation */
void attack_ctl(struct attack *a);

/** attack_wait - MSILAT_WAIT; a.alone or not, signals have to come or it may not return */
void attack_wait(struct attack *a);

/** attack_irqs - VFIO_DEVICE_SET_IRQS, for an attacker that is not alone */
void attack_irqs(struct attack *a);

/** attack_arm - VFIO_DEVICE_SET_IRQS, for one that is alone: the model knows all of it */
void attack_arm(struct attack *a);

/** attack_read - read() and write() on the device, everything that cannot wedge it */
void attack_read(struct attack *a);

/** attack_map - mmap() of the ring region or a BAR, and what can be done to a mapping */
void attack_map(struct attack *a);

/** attack_info - VFIO's other ioctls */
void attack_info(struct attack *a);

/** attack_disturb - memory decoding, power state, reset */
void attack_disturb(struct attack *a);

/**
 * struct attack_irq_set - arguments of one SET_IRQS
 * @set: the header and room for its data.
 * @size: bytes that the call needs.
 * @what: the call, for people: the same whatever the descriptors' numbers are.
 */
struct attack_irq_set {
	struct {
		uint32_t argsz, flags, index, start, count;
		int32_t data[ATTACK_VECTORS * 2];
	} set;
	size_t size;
	char what[192];
};

/** attack_irqs_choose - arguments for a SET_IRQS, valid or not */
void attack_irqs_choose(struct rng *r, const struct attack_target *t, struct attack_irq_set *s);

/* Values of the power-management control register. */
#define ATTACK_D0 0
#define ATTACK_D3 3

/** attack_wake - to D0, memory decoding and bus mastering on: as it was opened */
void attack_wake(struct attack_target *t);

/** attack_capability - offset of a capability in configuration space, 0: there is none */
unsigned int attack_capability(struct vdev *d, uint8_t id);

/** attack_peek - read a word that may not be there; returns whether it was */
bool attack_peek(const volatile uint32_t *at, uint32_t *value);

#endif
