/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Mark writes: posted MMIO writes to the device by which handlers tell it that they run.
 */
#ifndef _MSILAT_MARK_H
#define _MSILAT_MARK_H

#include <linux/compiler.h>
#include <linux/rcupdate.h>

#include "vector.h"

struct msilat_device;

long msilat_mark_ctl(struct msilat_device *dev, struct msilat_mark *arg);
void msilat_mark_counters(struct msilat_vector_ctx *vec, struct msilat_counters *counters);

void msilat_mark_block(struct msilat_device *dev);
void msilat_mark_unblock(struct msilat_device *dev);
bool msilat_mark_blocks_config(struct msilat_device *dev, loff_t pos, size_t count);

void msilat_mark_init(struct msilat_device *dev);
void msilat_mark_open(struct msilat_device *dev);
void msilat_mark_close(struct msilat_device *dev);

void msilat_mark_write(struct msilat_mark_ctx __rcu **slot);

/**
 * msilat_mark() - writes the mark of a stage if there is one and it is armed
 * @vec: vector
 * @stage: stage that the calling handler enters
 *
 * First thing in the stage, before its stamp: the device is told as early as possible, and what the
 * write costs lies on the host's side of the stamp, in the stage that ends here. Three instructions
 * where no mark is programmed. Any context that handles interrupts.
 */
static __always_inline void msilat_mark(struct msilat_vector_ctx *vec, enum msilat_stage stage)
{
	if (unlikely(rcu_access_pointer(vec->marks[stage])))
		msilat_mark_write(&vec->marks[stage]);
}

#endif /* _MSILAT_MARK_H */
