/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef MSILAT_HOST_H
#define MSILAT_HOST_H

#include <jansson.h>
#include <stdbool.h>

/**
 * host_json - fingerprint of this host, as far as it bears on a latency
 * @cpu: the measured CPU, whose governor and idle states are recorded.
 *
 * Kernel and its command line, RT or not, mitigations, RT throttling and deadline servers, CPU
 * model, isolation, governor, idle states, clock source. What the host does not tell is null.
 * Nothing in it names the host or its users: "id" is a one-way hash of the machine ID.
 *
 * Return: a new object, NULL without memory.
 */
json_t *host_json(int cpu);

/** host_realtime - this kernel is PREEMPT_RT */
bool host_realtime(void);

#endif
