// SPDX-License-Identifier: GPL-2.0-only
#include "fired.h"

uint64_t fired_oldest(struct fired *f, uint64_t seen, uint64_t seq)
{
	/* Past FIRED_RECORDS the stamp has been overwritten by a newer event's. */
	if (seq <= seen || seq - seen >= FIRED_RECORDS)
		return 0;
	return atomic_load_explicit(&f->sent[(seen + 1) % FIRED_RECORDS], memory_order_relaxed);
}

void fired_restamp(struct fired *f, uint64_t sent)
{
	uint64_t seq = atomic_load_explicit(&f->count, memory_order_relaxed);

	atomic_store_explicit(&f->sent[seq % FIRED_RECORDS], sent, memory_order_relaxed);
}

void fired_settle(struct fired *f, uint64_t sent)
{
	fired_restamp(f, sent);
	atomic_store_explicit(&f->settled, atomic_load_explicit(&f->count, memory_order_relaxed),
			      memory_order_release);
}

void fired_withdraw(struct fired *f)
{
	atomic_store_explicit(&f->count, atomic_load_explicit(&f->count, memory_order_relaxed) - 1,
			      memory_order_release);
}

bool fired_settled(struct fired *f, uint64_t seq)
{
	return atomic_load_explicit(&f->settled, memory_order_acquire) >= seq;
}
