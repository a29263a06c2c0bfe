// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>

#include "text.h"

json_t *text_json(const char *text)
{
	json_t *json = json_string(text);
	char *copy, *p;

	if (json)
		return json;
	copy = strdup(text);
	if (!copy)
		return NULL;
	for (p = copy; *p; p++)
		if ((unsigned char)*p >= 0x80)
			*p = '?';
	json = json_string(copy);
	free(copy);
	return json;
}
