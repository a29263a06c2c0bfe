/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef RUN_H
#define RUN_H

#include <sys/types.h>

#include "settings.h"

int run_reap(pid_t pid);
int run_wait(char *const argv[]);
int run_modprobe(char *words);
int run_payload(const struct settings *s);

#endif
