/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef TARGET_H
#define TARGET_H

#include "wait.h"

/*
 * Something to wait on, whatever the wait mode: the driver that backend sim plays, under a strategy
 * that wakes that mode.
 */

/** target_open - begin; the eventfd is in the answer */
struct wait_target target_open(const struct wait_ops *ops);

/** target_signal - wake the waiter once, by what wakes it */
void target_signal(void);

/** target_rearm - what somebody else would do to the device: a wait of old is cancelled */
void target_rearm(void);

void target_close(void);

#endif
