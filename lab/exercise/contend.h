/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The contention module, where it is loaded: on each CPU a kernel thread that brings the lock of an
 * eventfd into each state that an interrupt could meet, for a time user space could not choose.
 */
#ifndef CONTEND_H
#define CONTEND_H

#include <stdint.h>

/** contend_start - have the lock of eventfd @fd contended for; nothing without the module */
void contend_start(int fd);

/** contend_stop - end it; returns how often the lock was brought into the state wanted */
uint64_t contend_stop(void);

#endif
