// SPDX-License-Identifier: GPL-2.0-only
/* VFIO_DEVICE_SET_IRQS, by VFIO's interface. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>

#include "attack.h"

#define HEAD offsetof(struct vfio_irq_set, data)
#define KNOWN_FLAGS (VFIO_IRQ_SET_DATA_TYPE_MASK | VFIO_IRQ_SET_ACTION_TYPE_MASK)

/* --- arguments ------------------------------------------------------------------------------- */

static uint32_t choose_flags(struct rng *r)
{
	static const uint32_t data[] = { VFIO_IRQ_SET_DATA_NONE, VFIO_IRQ_SET_DATA_BOOL,
					 VFIO_IRQ_SET_DATA_EVENTFD, VFIO_IRQ_SET_DATA_EVENTFD };
	static const uint32_t action[] = { VFIO_IRQ_SET_ACTION_MASK, VFIO_IRQ_SET_ACTION_UNMASK,
					   VFIO_IRQ_SET_ACTION_TRIGGER,
					   VFIO_IRQ_SET_ACTION_TRIGGER,
					   VFIO_IRQ_SET_ACTION_TRIGGER,
					   VFIO_IRQ_SET_ACTION_TRIGGER };
	uint32_t flags = data[rng_below(r, 4)] | action[rng_below(r, 6)];

	if (rng_one_in(r, 12))
		flags ^= 1u << rng_below(r, 32);
	if (rng_one_in(r, 32))
		flags = rng_below(r, 64);
	return flags;
}

/* One descriptor: its number, and for people what it is. */
static int32_t choose_fd(struct rng *r, const struct attack_target *t, char *what)
{
	static const int32_t odd[] = { -2, INT_MIN, INT_MAX };
	uint32_t i;

	switch (rng_below(r, 16)) {
	case 0:
	case 1:
		strcpy(what, " -");
		return -1;
	case 2:
		i = rng_below(r, 4);
		sprintf(what, " b%u", i);
		return t->fds[t->eventfds + i];
	case 3:
		i = rng_below(r, 3);
		sprintf(what, " o%u", i);
		return odd[i];
	default:
		i = rng_below(r, t->eventfds);
		sprintf(what, " e%u", i);
		return t->fds[i];
	}
}

static void choose_data(struct rng *r, const struct attack_target *t, struct attack_irq_set *s)
{
	uint32_t count = s->set.count < ATTACK_VECTORS * 2 ? s->set.count : 0;
	char *end = s->what + strlen(s->what), bool_data[ATTACK_VECTORS * 2];
	uint32_t i;

	s->size = HEAD;
	if (s->set.flags & VFIO_IRQ_SET_DATA_EVENTFD) {
		s->size += count * sizeof(int32_t);
		for (i = 0; i < count; i++) {
			s->set.data[i] = choose_fd(r, t, end);
			if (end < s->what + sizeof(s->what) - 16)
				end += strlen(end);
		}
	} else if (s->set.flags & VFIO_IRQ_SET_DATA_BOOL) {
		s->size += count;
		for (i = 0; i < count; i++)
			bool_data[i] = (char)rng_below(r, 3);
		memcpy(s->set.data, bool_data, count);
	}
}

void attack_irqs_choose(struct rng *r, const struct attack_target *t, struct attack_irq_set *s)
{
	uint32_t n;

	memset(s, 0, sizeof(*s));
	s->set.index = rng_below(r, 4) ? t->card.index : rng_hostile(r, VFIO_PCI_NUM_IRQS);
	n = s->set.index < VFIO_PCI_NUM_IRQS ? t->irqs[s->set.index] : 1;
	s->set.start = rng_one_in(r, 3) ? rng_hostile(r, n) : 0;
	s->set.count = rng_one_in(r, 4) ? rng_hostile(r, n + 1) : n - (n ? rng_below(r, n) : 0);
	if (rng_one_in(r, 8))
		s->set.count = 0;
	if (s->set.start < n && s->set.count <= n && !rng_one_in(r, 8) &&
	    s->set.start + s->set.count > n)
		s->set.count = n - s->set.start;
	s->set.flags = choose_flags(r);
	snprintf(s->what, sizeof(s->what), "index %u flags %#x start %u count %u", s->set.index,
		 s->set.flags, s->set.start, s->set.count);
	choose_data(r, t, s);
	s->set.argsz = (uint32_t)s->size;
	if (rng_one_in(r, 10)) {
		s->set.argsz = rng_hostile(r, (uint32_t)s->size);
		snprintf(s->what + strlen(s->what), 24, " argsz %u", s->set.argsz);
	}
}

/* --- not alone ------------------------------------------------------------------------------- */

/* What is wrong with the arguments in any state of the device. */
static errset irqs_faults(const struct attack *a, const struct attack_irq_set *s)
{
	uint32_t n = s->set.index < VFIO_PCI_NUM_IRQS ? a->target->irqs[s->set.index] : 0;
	uint32_t data = s->set.flags & VFIO_IRQ_SET_DATA_TYPE_MASK;
	uint32_t action = s->set.flags & VFIO_IRQ_SET_ACTION_TYPE_MASK;
	uint64_t bytes = 0;
	errset faults = 0;

	if (a->bait.readable < HEAD)
		return E(EFAULT);
	if (s->set.argsz < HEAD || s->set.index >= VFIO_PCI_NUM_IRQS ||
	    s->set.flags & ~KNOWN_FLAGS || __builtin_popcount(data) != 1 || s->set.start >= n ||
	    (uint64_t)s->set.start + s->set.count > n)
		return E(EINVAL);
	if (data == VFIO_IRQ_SET_DATA_EVENTFD)
		bytes = s->set.count * sizeof(int32_t);
	else if (data == VFIO_IRQ_SET_DATA_BOOL)
		bytes = s->set.count;
	if (s->set.argsz - HEAD < bytes)
		return E(EINVAL);
	if (a->bait.readable - HEAD < bytes)
		faults |= E(EFAULT);
	if (__builtin_popcount(action) != 1)
		faults |= E(ENOTTY) | E(EINVAL);
	return faults;
}

void attack_irqs(struct attack *a)
{
	struct attack_state before;
	struct attack_irq_set s;
	errset faults;
	int ret;

	attack_irqs_choose(&a->rng, a->target, &s);
	bait_lay(&a->bait, &a->rng, bait_choose(&a->rng), &s.set, s.size);
	snprintf(a->what, sizeof(a->what), "SET_IRQS %s at %s", s.what, bait_name(a->bait.place));
	faults = irqs_faults(a, &s);
	if (!faults)
		faults = SUCCESS | E(EINVAL) | E(ENOTTY) | E(EBADF) | E(EBUSY) | E(ENOMEM) |
			 E(ENOSPC);
	/* The kernel's word for enabling no vector at all. */
	if (faults & SUCCESS && !(s.set.start + s.set.count))
		faults |= E(ERANGE);
	ret = ioctl(a->target->card.dev.fd, VFIO_DEVICE_SET_IRQS, a->bait.at);
	attack_judge(a, ATTACK_IRQS, ret < 0 ? -errno : ret, faults, &before);
}

/* --- alone ----------------------------------------------------------------------------------- */

static void arm_range(struct attack *a, uint32_t start, uint32_t count)
{
	struct attack_target *t = a->target;
	uint32_t expected = a->state.query.irq_index == t->card.index ? a->state.armed : 0;
	struct attack_state before;
	int fds[ATTACK_VECTORS];
	uint32_t i;
	int ret;

	for (i = 0; i < count; i++) {
		bool take_out = rng_one_in(&a->rng, 4);

		fds[i] = take_out ? -1 : t->fds[rng_below(&a->rng, t->eventfds)];
		expected = (expected & ~(1u << (start + i))) | (uint32_t)!take_out << (start + i);
	}
	snprintf(a->what, sizeof(a->what), "arm %u vectors from %u", count, start);
	ret = vdev_set_irqs(&t->card.dev, t->card.index, VDEV_EVENTFD, start, count, fds);
	if (attack_judge(a, ATTACK_IRQS, ret, SUCCESS, &before) && a->state.armed != expected)
		attack_fault(a, "armed %#x instead of %#x", a->state.armed, expected);
}

static void disarm_all(struct attack *a)
{
	struct attack_target *t = a->target;
	bool owned = a->state.query.irq_index == t->card.index;
	struct attack_state before;
	int ret;

	snprintf(a->what, sizeof(a->what), "disarm all");
	ret = vdev_disarm(&t->card.dev, t->card.index);
	if (attack_judge(a, ATTACK_IRQS, ret, owned ? SUCCESS : E(EINVAL), &before) &&
	    (a->state.armed || a->state.query.irq_index != ~0u))
		attack_fault(a, "armed %#x, index %u", a->state.armed, a->state.query.irq_index);
}

/* Triggers change nothing; on an index that is not enabled they are refused. */
static void loop_back(struct attack *a)
{
	struct attack_target *t = a->target;
	bool owned = a->state.query.irq_index == t->card.index;
	uint32_t start = rng_below(&a->rng, t->card.vectors);
	static const uint8_t bools[ATTACK_VECTORS] = { 1, 1, 0, 1, 0, 0, 2, 1 };
	bool none = rng_below(&a->rng, 2);
	struct attack_state before;
	int ret;

	snprintf(a->what, sizeof(a->what), "loop back vectors from %u", start);
	ret = vdev_set_irqs(&t->card.dev, t->card.index, none ? VDEV_NONE : VDEV_BOOL, start,
			    t->card.vectors - start, bools);
	if (attack_judge(a, ATTACK_IRQS, ret, owned ? SUCCESS : E(EINVAL), &before) &&
	    memcmp(&before, &a->state, sizeof(before)))
		attack_fault(a, "the state has changed");
}

/* Calls that no state of this device allows. */
static void arm_badly(struct attack *a)
{
	struct attack_target *t = a->target;
	uint32_t index = t->card.index, start = 0, count = 1, flags = VDEV_EVENTFD;
	struct attack_state before;
	int ret;

	switch (rng_below(&a->rng, 5)) {
	case 0:
		index = VFIO_PCI_NUM_IRQS + rng_below(&a->rng, 3);
		break;
	case 1:
		start = t->card.vectors + rng_below(&a->rng, 3);
		break;
	case 2:
		count = t->card.vectors + 1;
		break;
	case 3:
		flags |= VFIO_IRQ_SET_DATA_NONE;
		break;
	default:
		flags |= 1u << (6 + rng_below(&a->rng, 26));
		break;
	}
	snprintf(a->what, sizeof(a->what), "arm index %u start %u count %u flags %#x", index, start,
		 count, flags);
	ret = vdev_set_irqs(&t->card.dev, index, flags, start, count, t->fds);
	attack_judge(a, ATTACK_IRQS, ret, E(EINVAL), &before);
}

void attack_arm(struct attack *a)
{
	uint32_t n = a->target->card.vectors, start;

	switch (rng_below(&a->rng, 6)) {
	case 0:
		disarm_all(a);
		break;
	case 1:
		arm_badly(a);
		break;
	case 2:
		loop_back(a);
		break;
	default:
		/* Enabled at first with all of them, as some kernels allow no more later. */
		if (a->state.query.irq_index != a->target->card.index) {
			arm_range(a, 0, n);
			break;
		}
		start = rng_below(&a->rng, n);
		arm_range(a, start, 1 + rng_below(&a->rng, n - start));
		break;
	}
}
