// SPDX-License-Identifier: GPL-2.0-only
/* MSILAT_CTL: arguments good and bad, and what uapi/msilat.h says comes of them. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>

#include "attack.h"
#include "edu.h"

#define BIT(n) (1u << (n))
#define HEAD offsetof(struct msilat_ctl, query)
#define IGB_LEDCTL 0xe00	/* drives LEDs, and the emulated card has none */

/* Strategies that wake by something else than the eventfd. */
#define OTHER_WAKE (BIT(MSILAT_STRATEGY_THREAD_DIRECT) | BIT(MSILAT_STRATEGY_DIRECT) | \
		    BIT(MSILAT_STRATEGY_PAGE))

static const struct {
	enum attack_kind kind;
	const char *name;
	size_t size;
} ops[] = {
	[MSILAT_OP_QUERY] = { ATTACK_QUERY, "QUERY", sizeof(struct msilat_query) },
	[MSILAT_OP_STRATEGY] = { ATTACK_STRATEGY, "STRATEGY", sizeof(struct msilat_select) },
	[MSILAT_OP_COUNTERS] = { ATTACK_COUNTERS, "COUNTERS", sizeof(struct msilat_counters) },
	[MSILAT_OP_MARK] = { ATTACK_MARK, "MARK", sizeof(struct msilat_mark) },
	[MSILAT_OP_INJECT] = { ATTACK_INJECT, "INJECT", sizeof(struct msilat_inject) },
};

#define OPS (sizeof(ops) / sizeof(ops[0]))

/* --- strategy -------------------------------------------------------------------------------- */

static void choose_strategy(struct attack *a, struct msilat_select *s)
{
	struct rng *r = &a->rng;

	s->strategy = rng_hostile(r, ATTACK_STRATEGIES);
	if (rng_one_in(r, 3))
		s->flags = rng_below(r, 8) ? MSILAT_SELECT_NO_EVENTFD : BIT(rng_below(r, 32));
	if (rng_one_in(r, 16))
		s->reserved = rng_hostile(r, 0);
	s->previous = s->generation = s->catchups = (uint32_t)rng_next(r);
	snprintf(a->what + strlen(a->what), 64, " strategy %u flags %#x reserved %u", s->strategy,
		 s->flags, s->reserved);
}

static errset strategy_faults(const struct attack *a, const struct msilat_select *s)
{
	uint32_t bit = s->strategy < 32 ? BIT(s->strategy) : 0;
	errset faults = 0;

	if (!(a->target->known & bit))
		faults |= E(EINVAL);
	else if (!(a->target->permitted & bit))
		faults |= E(EPERM);
	if (s->flags & ~MSILAT_SELECT_NO_EVENTFD || s->reserved)
		faults |= E(EINVAL);
	if (s->flags & MSILAT_SELECT_NO_EVENTFD && !(bit & OTHER_WAKE))
		faults |= E(EINVAL);
	return faults;
}

static void strategy_done(struct attack *a, const struct msilat_select *in,
			  const struct msilat_select *out, const struct attack_state *before)
{
	const struct msilat_query *was = &before->query, *is = &a->state.query;

	if (is->strategy != in->strategy || is->select_flags != in->flags)
		attack_fault(a, "in force: strategy %u flags %#x", is->strategy, is->select_flags);
	if (out->previous != was->strategy)
		attack_fault(a, "previous strategy %u, was %u", out->previous, was->strategy);
	if (out->generation != is->generation || is->generation != was->generation + 1)
		attack_fault(a, "generation %u answered, %u queried, %u before", out->generation,
			     is->generation, was->generation);
	if (out->catchups != was->enabled || is->enabled != was->enabled)
		attack_fault(a, "%u catch-ups, %u vectors enabled, %u before", out->catchups,
			     is->enabled, was->enabled);
	if (is->irq_index != was->irq_index)
		attack_fault(a, "irq_index %u, was %u", is->irq_index, was->irq_index);
}

/* --- counters -------------------------------------------------------------------------------- */

static void choose_counters(struct attack *a, struct msilat_counters *c)
{
	c->vector = rng_hostile(&a->rng, a->target->card.vectors);
	c->reserved = (uint32_t)rng_next(&a->rng);
	snprintf(a->what + strlen(a->what), 64, " vector %u", c->vector);
}

static void counters_done(struct attack *a, const struct msilat_counters *in,
			  const struct msilat_counters *out)
{
	uint64_t states = 0;
	unsigned int i;

	for (i = 0; i < MSILAT_LOCK_STATES; i++)
		states += out->lock_states[i];
	if (out->vector != in->vector || out->reserved)
		attack_fault(a, "vector %u, reserved %u", out->vector, out->reserved);
	/* Writers are not stopped: the one primary in flight may be counted in one of them only. */
	if (states + 1 < out->isr || states > out->isr + 1)
		attack_fault(a, "lock states sum to %llu, primaries %llu",
			     (unsigned long long)states, (unsigned long long)out->isr);
	if (out->resent > out->injected || out->withheld > out->signals + 1)
		attack_fault(a, "resent %llu of %llu, withheld %llu of %llu",
			     (unsigned long long)out->resent, (unsigned long long)out->injected,
			     (unsigned long long)out->withheld, (unsigned long long)out->signals);
	if (a->alone && !out->irq != !(a->state.armed & BIT(in->vector)))
		attack_fault(a, "Linux IRQ %u, armed %#x", out->irq, a->state.armed);
}

/* --- marks ----------------------------------------------------------------------------------- */

/* A register that takes any write: a mark there disturbs nothing. */
static void choose_harmless(struct attack *a, struct msilat_mark *m)
{
	m->bar = 0;
	m->width = 4;
	m->offset = a->target->card.edu ? 4 : IGB_LEDCTL;
}

/* What a mark's BAR and offset run into; 0: it may be written. */
static bool mark_address_bad(const struct attack *a, const struct msilat_mark *m)
{
	const struct attack_bar *bar;
	unsigned int i;

	if (m->bar > 5 || (m->width != 1 && m->width != 2 && m->width != 4 && m->width != 8))
		return true;
	bar = &a->target->bars[m->bar];
	if (!bar->memory || m->offset % m->width || bar->size < m->width ||
	    m->offset > bar->size - m->width)
		return true;
	for (i = 0; i < 2; i++)
		if (m->offset < bar->forbidden[i][1] && m->offset + m->width > bar->forbidden[i][0])
			return true;
	return false;
}

static uint64_t hostile_offset(struct attack *a, const struct attack_bar *bar)
{
	struct rng *r = &a->rng;

	switch (rng_below(r, 5)) {
	case 0:
		return bar->size - rng_below(r, 9);
	case 1:
		return bar->forbidden[0][rng_below(r, 2)] + rng_below(r, 17) - 8;
	case 2:
		return bar->forbidden[1][rng_below(r, 2)] + rng_below(r, 17) - 8;
	case 3:
		return rng_next(r) >> rng_below(r, 64);
	default:
		return -(uint64_t)rng_below(r, 9);
	}
}

static void choose_mark(struct attack *a, struct msilat_mark *m)
{
	struct rng *r = &a->rng;

	*m = (struct msilat_mark){ .vector = rng_hostile(r, a->target->card.vectors),
				   .stage = rng_hostile(r, MSILAT_STAGES),
				   .value = rng_next(r) };
	choose_harmless(a, m);
	switch (rng_below(r, 6)) {
	case 0:
		m->flags = MSILAT_MARK_CLEAR;
		break;
	case 1:
		m->flags = BIT(rng_below(r, 32));
		break;
	case 2:
		m->bar = rng_hostile(r, 6);
		m->offset = hostile_offset(a, &a->target->bars[m->bar % 6]);
		break;
	case 3:
		m->width = rng_hostile(r, 9);
		m->offset = hostile_offset(a, &a->target->bars[0]);
		break;
	}
	/* Whatever is good must also be harmless. */
	if (!mark_address_bad(a, m))
		choose_harmless(a, m);
	snprintf(a->what + strlen(a->what), 128,
		 " vector %u stage %u flags %#x bar %u width %u offset %#llx", m->vector, m->stage,
		 m->flags, m->bar, m->width, (unsigned long long)m->offset);
}

static errset mark_faults(const struct attack *a, const struct msilat_mark *m)
{
	errset faults = 0;

	if (m->vector >= a->target->card.vectors || m->stage >= MSILAT_STAGES ||
	    m->flags & ~MSILAT_MARK_CLEAR)
		faults |= E(EINVAL);
	if (m->flags & MSILAT_MARK_CLEAR)
		return faults;
	if (mark_address_bad(a, m))
		faults |= E(EINVAL);
	if (a->alone && !a->memory)
		faults |= E(EAGAIN);
	return faults;
}

/* --- inject ---------------------------------------------------------------------------------- */

static void choose_inject(struct attack *a, struct msilat_inject *i)
{
	i->vector = rng_hostile(&a->rng, a->target->card.vectors);
	i->reserved = rng_below(&a->rng, 8) ? 0 : rng_hostile(&a->rng, 0);
	i->sent = i->sequence = 0;
	snprintf(a->what + strlen(a->what), 64, " vector %u reserved %u", i->vector, i->reserved);
}

static errset inject_faults(const struct attack *a, const struct msilat_inject *i)
{
	if (i->vector >= a->target->card.vectors || i->reserved)
		return E(EINVAL);
	return a->alone && !(a->state.armed & BIT(i->vector)) ? E(EINVAL) : 0;
}

static void inject_done(struct attack *a, const struct msilat_inject *out)
{
	if (!out->sent || !out->sequence)
		attack_fault(a, "sent %llu, sequence %llu", (unsigned long long)out->sent,
			     (unsigned long long)out->sequence);
}

/* --- the call -------------------------------------------------------------------------------- */

static void choose_arguments(struct attack *a, struct msilat_ctl *ctl)
{
	switch (ctl->op) {
	case MSILAT_OP_STRATEGY:
		choose_strategy(a, &ctl->strategy);
		break;
	case MSILAT_OP_COUNTERS:
		choose_counters(a, &ctl->counters);
		break;
	case MSILAT_OP_MARK:
		choose_mark(a, &ctl->mark);
		break;
	case MSILAT_OP_INJECT:
		choose_inject(a, &ctl->inject);
		break;
	}
}

static uint32_t choose_argsz(struct rng *r, size_t needed)
{
	switch (rng_below(r, 12)) {
	case 0:
		return rng_hostile(r, (uint32_t)needed);
	case 1:
		return (uint32_t)needed - 1 - rng_below(r, 4);
	case 2:
		return (uint32_t)HEAD - 2 + rng_below(r, 4);
	case 3:
		return (uint32_t)needed + rng_below(r, 4096);
	case 4:
		return (uint32_t)needed;
	default:
		return sizeof(struct msilat_ctl);
	}
}

/* What is wrong with the operation's own part of the structure. */
static errset op_faults(const struct attack *a, const struct msilat_ctl *ctl)
{
	switch (ctl->op) {
	case MSILAT_OP_STRATEGY:
		return strategy_faults(a, &ctl->strategy);
	case MSILAT_OP_COUNTERS:
		return ctl->counters.vector < a->target->card.vectors ? 0 : E(EINVAL);
	case MSILAT_OP_MARK:
		return mark_faults(a, &ctl->mark);
	case MSILAT_OP_INJECT:
		return inject_faults(a, &ctl->inject);
	case MSILAT_OP_QUERY:
		return 0;
	default:
		return E(ENOTTY);
	}
}

/* What a call that has nothing wrong with it may be answered nevertheless. */
static errset op_moods(const struct attack *a, uint32_t op)
{
	switch (op) {
	case MSILAT_OP_STRATEGY:
		return a->alone ? 0 : E(ENOMEM);
	case MSILAT_OP_MARK:
		return a->alone ? 0 : E(EAGAIN);
	case MSILAT_OP_INJECT:
		return E(EBUSY) | E(EOPNOTSUPP) | (a->alone ? 0 : E(EINVAL));
	default:
		return 0;
	}
}

static errset allowed_results(const struct attack *a, const struct msilat_ctl *ctl, size_t needed)
{
	const struct bait *b = &a->bait;
	errset faults = op_faults(a, ctl), claimed = 0;

	if (ctl->argsz < needed || ctl->flags || ctl->reserved)
		faults |= E(EINVAL);
	if (b->readable < needed || !b->writable)
		faults |= E(EFAULT);
	/* More is claimed than is there, and not needed: it may be missed. */
	if (b->readable < ctl->argsz && b->readable < sizeof(*ctl))
		claimed = E(EFAULT);
	return claimed | (faults ? faults : SUCCESS | op_moods(a, ctl->op));
}

void attack_ctl(struct attack *a)
{
	static const uint8_t weights[] = {
		MSILAT_OP_QUERY, MSILAT_OP_STRATEGY, MSILAT_OP_STRATEGY, MSILAT_OP_COUNTERS,
		MSILAT_OP_MARK, MSILAT_OP_MARK, MSILAT_OP_MARK, MSILAT_OP_INJECT,
	};
	struct rng *r = &a->rng;
	struct msilat_ctl in = { 0 }, out = { 0 };
	struct attack_state before;
	size_t needed = HEAD;
	errset allowed;
	int ret;

	in.op = rng_below(r, 16) ? weights[rng_below(r, sizeof(weights))] : rng_hostile(r, OPS);
	if (in.op < OPS)
		needed += ops[in.op].size;
	snprintf(a->what, sizeof(a->what), "CTL %s (%u)", in.op < OPS ? ops[in.op].name : "?",
		 in.op);
	choose_arguments(a, &in);
	in.argsz = choose_argsz(r, needed);
	in.flags = rng_one_in(r, 16) ? BIT(rng_below(r, 32)) : 0;
	in.reserved = rng_one_in(r, 16) ? rng_hostile(r, 0) : 0;
	bait_lay(&a->bait, r, bait_choose(r), &in, needed);
	snprintf(a->what + strlen(a->what), 64, " argsz %u/%zu flags %#x reserved %u at %s",
		 in.argsz, needed, in.flags, in.reserved, bait_name(a->bait.place));
	allowed = allowed_results(a, &in, needed);

	ret = ioctl(a->target->card.dev.fd, MSILAT_CTL, a->bait.at) ? -errno : 0;
	if (!attack_judge(a, in.op < OPS ? ops[in.op].kind : ATTACK_UNKNOWN_OP, ret, allowed,
			  &before))
		return;
	if (a->bait.readable < needed)
		return;
	memcpy(&out, a->bait.at, needed);
	if (in.op == MSILAT_OP_STRATEGY && a->alone)
		strategy_done(a, &in.strategy, &out.strategy, &before);
	else if (in.op == MSILAT_OP_COUNTERS)
		counters_done(a, &in.counters, &out.counters);
	else if (in.op == MSILAT_OP_INJECT)
		inject_done(a, &out.inject);
	else if (in.op == MSILAT_OP_QUERY && a->alone &&
		 memcmp(&out.query, &before.query, sizeof(out.query)))
		attack_fault(a, "answers differ");
}
