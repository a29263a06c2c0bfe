/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Contenders: kernel threads that work on the wait-queue lock of an eventfd.
 */
#ifndef _MSILAT_CONTENDER_H
#define _MSILAT_CONTENDER_H

#include "../uapi/contend.h"

struct contender;

struct contender *contender_start(const struct msilat_contend_start *start);
void contender_stop(struct contender *c);
void contender_free(struct contender *c);

bool contender_is_stopped(const struct contender *c);
void contender_stats(const struct contender *c, struct msilat_contend_stats *stats);

#endif /* _MSILAT_CONTENDER_H */
