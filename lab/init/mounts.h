/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef MOUNTS_H
#define MOUNTS_H

#include <stdbool.h>

int mounts_kernel(void);
int mounts_out(bool now);
int mounts_full(void);

#endif
