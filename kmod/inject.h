/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Injection: a vector's interrupt without its device.
 */
#ifndef _MSILAT_INJECT_H
#define _MSILAT_INJECT_H

#include <linux/compiler.h>

#include "vector.h"

struct msilat_device;

long msilat_inject_ctl(struct msilat_device *dev, struct msilat_inject *arg);
void msilat_inject_forget(struct msilat_vector_ctx *vec);
void msilat_inject_arrive(struct msilat_vector_ctx *vec);

/**
 * msilat_inject_note() - notes that a handler has run since the last injection
 * @vec: vector
 *
 * In the first handler of ours that an interrupt runs. Three instructions while nothing is
 * injected.
 */
static __always_inline void msilat_inject_note(struct msilat_vector_ctx *vec)
{
	if (unlikely(READ_ONCE(vec->injecting)))
		msilat_inject_arrive(vec);
}

#endif /* _MSILAT_INJECT_H */
