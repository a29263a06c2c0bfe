/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef MSILAT_LIVE_H
#define MSILAT_LIVE_H

#include "run.h"

/**
 * live_show - draw the live line on standard error, over the last one
 * @r: run under way, its account closed a moment ago.
 *
 * Elapsed and left, events seen and fired, merged, lost, latencies, rate. 100 columns at most.
 */
void live_show(const struct run *r);

/**
 * live_text - draw any text as the live line, cut to the terminal's width
 */
void live_text(const char *text);

/** live_clear - remove the line */
void live_clear(void);

#endif
