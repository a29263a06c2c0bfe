/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef MSILAT_JSON_H
#define MSILAT_JSON_H

#include <jansson.h>

/** json_text - a member that is a string; "-" if there is none */
const char *json_text(const json_t *o, const char *key);

/** json_number - a member that is a number; 0 if there is none */
double json_number(const json_t *o, const char *key);

/** json_percentile - of a stage in a manifest: its percentile @p; NULL if the count was too low */
const json_t *json_percentile(const json_t *stage, double p);

#endif
