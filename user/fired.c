// SPDX-License-Identifier: GPL-2.0-only
#include "fired.h"

uint64_t fired_oldest(struct fired *f, uint64_t seen, uint64_t seq)
{
	/* Past FIRED_RECORDS the stamp has been overwritten by a newer event's. */
	if (seq <= seen || seq - seen >= FIRED_RECORDS)
		return 0;
	return atomic_load_explicit(&f->sent[(seen + 1) % FIRED_RECORDS], memory_order_relaxed);
}
