/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Fault injection for tests: one signal that does not arrive.
 */
#ifndef _MSILAT_FAULT_H
#define _MSILAT_FAULT_H

#include <linux/jump_label.h>

#include "vector.h"

DECLARE_STATIC_KEY_FALSE(msilat_fault_key);

bool msilat_fault_due(struct msilat_device *dev);
void msilat_fault_init(void);

/**
 * msilat_fault_withholds() - is this the signal to keep back?
 * @vec: vector about to signal an interrupt
 *
 * Any context. Costs a no-op unless the module was loaded with fault_withhold.
 *
 * Return: true if the caller must not signal.
 */
static __always_inline bool msilat_fault_withholds(struct msilat_vector_ctx *vec)
{
	return static_branch_unlikely(&msilat_fault_key) && msilat_fault_due(vec->dev);
}

#endif /* _MSILAT_FAULT_H */
