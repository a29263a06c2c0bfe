/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Marks of an open device, and what tests of them share.
 */
#ifndef VMARK_H
#define VMARK_H

#include "vdev.h"

/** vmark_stages - names of enum msilat_stage */
extern const char *const vmark_stages[MSILAT_STAGES];

/** vmark_at - a mark of vector 0: @value, four bytes, at @offset of BAR 0 */
struct msilat_mark vmark_at(unsigned int stage, uint64_t offset, uint64_t value);

/** vmark_set - MSILAT_OP_MARK; @generation may be NULL, else what it was armed with; 0 or -errno */
int vmark_set(struct vdev *d, const struct msilat_mark *mark, uint32_t *generation);

/** vmark_clear - clear the mark of a stage of vector 0; 0 or -errno */
int vmark_clear(struct vdev *d, unsigned int stage);

/** vmark_count - mark writes of vector 0 */
uint64_t vmark_count(struct vdev *d);

/** vmark_generation - mark_generation of the region, which must be mapped */
uint32_t vmark_generation(const struct vdev *d);

/** vmark_settle - wait until vector 0 has come to rest in all its contexts */
void vmark_settle(struct vdev *d);

/** vmark_signals - deliveries of vector 0 */
uint64_t vmark_signals(struct vdev *d);

/** vmark_handled - wait, up to 5 s, until there are more deliveries than @before, then settle */
void vmark_handled(struct vdev *d, uint64_t before);

/** vmark_select - MSILAT_OP_STRATEGY with flags; 0 or -errno */
int vmark_select(struct vdev *d, uint32_t strategy, uint32_t flags);

/** vmark_strategies - @fn under each strategy, and with each flag, that the caller may select */
void vmark_strategies(struct vdev *d,
		      void (*fn)(uint32_t strategy, uint32_t flags, const char *name));

#endif
