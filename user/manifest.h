/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef MSILAT_MANIFEST_H
#define MSILAT_MANIFEST_H

#include <jansson.h>

#include "run.h"

#define MANIFEST_SCHEMA 1

/**
 * manifest_json - everything that must be known about a run beside its numbers, and its numbers
 *
 * The shape is documented in results/README.md. Reads the snapshot that run_account() took.
 *
 * Return: a new object, NULL without memory.
 */
json_t *manifest_json(const struct run *r);

/**
 * manifest_load - read the manifest of a result directory
 * @dir: result directory, finished or partial.
 *
 * Return: a new object, or NULL with @why (no result directory, damaged, newer schema).
 */
json_t *manifest_load(const char *dir, struct reason *why);

#endif
