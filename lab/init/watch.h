/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef WATCH_H
#define WATCH_H

#include <stdbool.h>

int watch_start(bool heartbeat);
void watch_finish(void);

#endif
