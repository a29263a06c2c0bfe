// SPDX-License-Identifier: GPL-2.0-only
#include <math.h>
#include <stddef.h>

#include "json.h"

const char *json_text(const json_t *o, const char *key)
{
	const char *s = json_string_value(json_object_get(o, key));

	return s ? s : "-";
}

double json_number(const json_t *o, const char *key)
{
	return json_number_value(json_object_get(o, key));
}

const json_t *json_percentile(const json_t *stage, double p)
{
	const json_t *q;
	size_t i;

	json_array_foreach(json_object_get(stage, "percentiles"), i, q)
		if (fabs(json_number(q, "p") - p) < 1e-9)
			return q;
	return NULL;
}
