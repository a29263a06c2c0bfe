// SPDX-License-Identifier: GPL-2.0-only
/* read(), write() and mmap() on the device, and what can be done to a mapping. */
#include <errno.h>
#include <linux/pci_regs.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "attack.h"

#define PAGE 4096ull
#define REGION_SHIFT 40		/* of vfio-pci's offsets */
#define IGB_LEDCTL 0xe00

/* --- read and write -------------------------------------------------------------------------- */

struct access {
	uint64_t base;		/* of the region in the device's file */
	uint64_t size;
	uint64_t position;
	size_t length;
	errset moods;		/* what a good access may be answered nevertheless */
};

static void choose_access(struct attack *a, struct access *x)
{
	const struct attack_target *t = a->target;
	struct rng *r = &a->rng;
	uint32_t bar;

	*x = (struct access){ 0 };
	switch (rng_below(r, 4)) {
	case 0:
		/* A region that does not exist; negative offsets among them. */
		x->base = (uint64_t)(t->region.index + 1 + rng_hostile(r, 1 << 20) % (1 << 23)) <<
			  REGION_SHIFT;
		break;
	case 1:
		bar = rng_below(r, 6);
		x->base = t->bars[bar].offset;
		x->size = t->bars[bar].size;
		x->moods = E(EIO);
		break;
	case 2:
		x->base = t->card.dev.config;
		x->size = t->config_size;
		x->moods = E(EFAULT);	/* VFIO's word for an access beyond the end */
		break;
	default:
		x->base = t->region.offset;
		x->size = t->region.size;
		break;
	}
	x->position = rng_below(r, 3) ? rng_hostile(r, (uint32_t)x->size) :
		      rng_next(r) >> (64 - rng_below(r, REGION_SHIFT));
	/* Registers are read one by one: long reads of them take long. Elsewhere any length. */
	x->length = x->moods ? rng_below(r, 65) : rng_hostile(r, BAIT_ROOM);
	if (rng_one_in(r, 16) && !x->moods)
		x->length = (size_t)rng_next(r) >> rng_below(r, 33);
}

static errset allowed_reads(const struct attack *a, const struct access *x)
{
	uint64_t there = x->position < x->size ? x->size - x->position : 0;
	uint64_t offset = x->base + x->position;
	errset allowed = x->moods;

	if ((int64_t)offset < 0 || x->length > INT64_MAX || (int64_t)(offset + x->length) < 0)
		return E(EINVAL) | E(EOVERFLOW) | E(EFAULT) | (x->length ? 0 : SUCCESS);
	if (!x->length)
		return SUCCESS | E(EINVAL) | E(EFAULT);
	if (x->position >> REGION_SHIFT)
		return allowed | E(EINVAL) | E(EFAULT) | SUCCESS;
	if (!there)
		return allowed | E(EINVAL) | (x->length > a->bait.readable ? E(EFAULT) : 0);
	if (there > x->length)
		there = x->length;
	if (!a->bait.writable || a->bait.readable < there)
		return allowed | E(EFAULT);
	/* The kernel looks at where the whole buffer would lie before it reads a part of it. */
	return allowed | SUCCESS | (x->length > a->bait.readable ? E(EFAULT) : 0);
}

static void read_something(struct attack *a)
{
	static const char nothing[BAIT_ROOM / 2];
	struct attack_state before;
	struct access x;
	errset allowed;
	ssize_t n;
	size_t size;

	choose_access(a, &x);
	size = x.length < sizeof(nothing) ? x.length : sizeof(nothing);
	bait_lay(&a->bait, &a->rng, bait_choose(&a->rng), nothing, size);
	snprintf(a->what, sizeof(a->what), "read %zu bytes at %#llx + %#llx to %s", x.length,
		 (unsigned long long)x.base, (unsigned long long)x.position,
		 bait_name(a->bait.place));
	allowed = allowed_reads(a, &x);
	n = pread(a->target->card.dev.fd, a->bait.at, x.length, (off_t)(x.base + x.position));
	if (attack_judge(a, ATTACK_READ, n < 0 ? -errno : 0, allowed, &before) &&
	    n > (ssize_t)x.length)
		attack_fault(a, "%zd bytes read", n);
}

/* The ring region cannot be written, wherever and whatever. */
static void write_region(struct attack *a)
{
	const struct attack_target *t = a->target;
	uint64_t position = rng_hostile(&a->rng, (uint32_t)t->region.size);
	size_t length = 1 + rng_below(&a->rng, 64);
	static const char nothing[64];
	struct attack_state before;
	ssize_t n;

	bait_lay(&a->bait, &a->rng, bait_choose(&a->rng), nothing, length);
	snprintf(a->what, sizeof(a->what), "write %zu bytes at %#llx of the region from %s", length,
		 (unsigned long long)position, bait_name(a->bait.place));
	n = pwrite(t->card.dev.fd, a->bait.at, length, (off_t)(t->region.offset + position));
	attack_judge(a, ATTACK_WRITE, n < 0 ? -errno : 0, E(EINVAL) | E(EFAULT), &before);
}

/* A register that takes any write, in any width and from anywhere. */
static void write_register(struct attack *a)
{
	const struct attack_target *t = a->target;
	uint64_t at = t->card.edu ? 4 : IGB_LEDCTL;
	size_t length = 1u << rng_below(&a->rng, 3);
	static const char value[8] = { 0x55 };
	struct attack_state before;
	errset allowed;
	ssize_t n;

	bait_lay(&a->bait, &a->rng, bait_choose(&a->rng), value, length);
	snprintf(a->what, sizeof(a->what), "write %zu bytes to a register from %s", length,
		 bait_name(a->bait.place));
	allowed = a->bait.readable < length ? E(EFAULT) : SUCCESS;
	if (!a->alone || !a->memory)
		allowed |= E(EIO);
	n = pwrite(t->card.dev.fd, a->bait.at, length, (off_t)(t->bars[0].offset + at));
	attack_judge(a, ATTACK_WRITE, n < 0 ? -errno : 0, allowed, &before);
}

void attack_read(struct attack *a)
{
	switch (rng_below(&a->rng, 6)) {
	case 0:
		write_region(a);
		break;
	case 1:
		write_register(a);
		break;
	default:
		read_something(a);
		break;
	}
}

/* --- mappings -------------------------------------------------------------------------------- */

struct mapping {
	bool ring;		/* of msilat's region, else of a BAR */
	uint64_t size;		/* of the region or BAR, in whole pages */
	uint64_t base;
	uint64_t position;
	size_t length;
	int prot;
	int flags;
};

static uint64_t whole_pages(uint64_t size)
{
	return (size + PAGE - 1) & -PAGE;
}

static void choose_mapping(struct attack *a, struct mapping *m)
{
	static const int prots[] = { PROT_READ, PROT_READ, PROT_READ, PROT_NONE, PROT_WRITE,
				     PROT_READ | PROT_WRITE, PROT_READ | PROT_EXEC, PROT_EXEC };
	const struct attack_target *t = a->target;
	struct rng *r = &a->rng;
	uint32_t bar = rng_below(r, 6), pages;

	m->ring = rng_below(r, 3);
	m->base = m->ring ? t->region.offset : t->bars[bar].offset;
	m->size = whole_pages(m->ring ? t->region.size :
			      t->bars[bar].mappable ? t->bars[bar].size : 0);
	pages = (uint32_t)(m->size / PAGE);
	m->position = rng_below(r, 3) ? 0 : rng_hostile(r, pages) * PAGE;
	m->length = rng_below(r, 3) ? m->size : (size_t)rng_hostile(r, pages + 1) * PAGE;
	if (rng_one_in(r, 6))
		m->length += rng_below(r, 2 * PAGE) - PAGE;
	if (rng_one_in(r, 12))
		m->position += rng_below(r, PAGE);
	if (rng_one_in(r, 12))
		m->position = rng_next(r) >> rng_below(r, 40);
	m->prot = prots[rng_below(r, sizeof(prots) / sizeof(prots[0]))];
	m->flags = rng_below(r, 6) ? MAP_SHARED : MAP_PRIVATE;
	if (rng_one_in(r, 6))
		m->flags |= rng_below(r, 2) ? MAP_POPULATE : MAP_NORESERVE;
}

static errset allowed_mappings(const struct mapping *m)
{
	errset faults = 0;

	if (!m->length || m->position % PAGE || !(m->flags & MAP_SHARED))
		faults |= E(EINVAL);
	if (m->position > m->size || m->length > m->size ||
	    whole_pages(m->length) > m->size - m->position)
		faults |= E(EINVAL) | E(ENOMEM) | E(EOVERFLOW);
	if (m->ring && m->prot & PROT_WRITE)
		faults |= E(EACCES);
	/* The kernel itself refuses to execute from files like a device's, the newer ones do. */
	if (m->prot & PROT_EXEC)
		faults |= E(EPERM) | (m->ring ? E(EACCES) : 0);
	if (m->prot & PROT_EXEC && !m->ring && faults == E(EPERM))
		return faults | SUCCESS;
	return faults ? faults : SUCCESS;
}

/* What must stay refused however a mapping of the rings is twisted. */
static void make_writable(struct attack *a, const struct mapping *m, char *at, size_t length)
{
	struct attack_state before;
	int prot = rng_below(&a->rng, 2) ? PROT_WRITE : PROT_EXEC | PROT_READ;
	int ret;

	if (!m->ring)
		return;
	snprintf(a->what, sizeof(a->what), "mprotect %zu bytes of the rings to %#x", length, prot);
	ret = mprotect(at, length, prot) ? -errno : 0;
	attack_judge(a, ATTACK_REMAP, ret, E(EACCES), &before);
}

/* Grown, moved, shrunk: nothing that was not mapped may become visible. */
static char *move(struct attack *a, const struct mapping *m, char *at, size_t *length)
{
	size_t wanted = (1 + rng_below(&a->rng, 2 * (*length / PAGE))) * PAGE;
	struct attack_state before;
	char *moved;

	snprintf(a->what, sizeof(a->what), "mremap from %zu to %zu bytes, %s", *length, wanted,
		 m->ring ? "rings" : "BAR");
	moved = mremap(at, *length, wanted, MREMAP_MAYMOVE);
	attack_judge(a, ATTACK_REMAP, moved == MAP_FAILED ? -errno : 0,
		     wanted > *length ? E(EFAULT) | E(EINVAL) : SUCCESS, &before);
	if (moved == MAP_FAILED)
		return at;
	*length = wanted;
	return moved;
}

static void look_at(struct attack *a, const struct mapping *m, const char *at, size_t length)
{
	uint32_t first, last;
	bool there = attack_peek((const void *)at, &first);

	if (!m->ring) {
		/* Of a BAR: there while memory decoding is on. */
		if (a->alone && a->memory && !there)
			attack_fault(a, "a mapped BAR is not there");
		return;
	}
	if (!there || !attack_peek((const void *)(at + length - 4), &last))
		attack_fault(a, "the mapping is not there");
	else if (!m->position && first != MSILAT_REGION_MAGIC)
		attack_fault(a, "the header begins with %#x", first);
}

static void twist(struct attack *a, const struct mapping *m, char *at)
{
	size_t length = whole_pages(m->length), part;

	if (m->prot & PROT_READ)
		look_at(a, m, at, length);
	make_writable(a, m, at, length);
	at = move(a, m, at, &length);
	make_writable(a, m, at, length);
	if (mprotect(at, length, PROT_READ))
		attack_fault(a, "mprotect to PROT_READ: %s", strerrorname_np(errno));
	look_at(a, m, at, length);
	part = rng_below(&a->rng, length / PAGE) * PAGE;
	if (part && munmap(at + length - part, part))
		attack_fault(a, "unmapping the end: %s", strerrorname_np(errno));
	look_at(a, m, at, length - part);
	if (munmap(at, length - part))
		attack_fault(a, "unmapping: %s", strerrorname_np(errno));
}

void attack_map(struct attack *a)
{
	struct attack_state before;
	struct mapping m;
	char *at;

	choose_mapping(a, &m);
	snprintf(a->what, sizeof(a->what), "mmap %zu bytes at %#llx of %#llx, %s, prot %#x flags %#x",
		 m.length, (unsigned long long)m.position, (unsigned long long)m.size,
		 m.ring ? "rings" : "BAR", (unsigned int)m.prot, (unsigned int)m.flags);
	at = mmap(NULL, m.length, m.prot, m.flags, a->target->card.dev.fd,
		  (off_t)(m.base + m.position));
	if (attack_judge(a, ATTACK_MAP, at == MAP_FAILED ? -errno : 0, allowed_mappings(&m),
			 &before))
		twist(a, &m, at);
}
