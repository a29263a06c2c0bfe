/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef DISTURB_H
#define DISTURB_H

#include <stdint.h>

/*
 * Those who also use the eventfd while interrupts signal it. Each ends the program when it cannot
 * be done; none ever ends by itself.
 */

/**
 * disturb_storms - on each CPU a thread that polls the eventfd and one that adds it to an epoll set
 * and removes it, without pause
 */
void disturb_storms(int fd);

/** disturb_contend - a contender of the module msilat-contend on each CPU */
void disturb_contend(int fd, uint32_t seed);

#endif
