/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef MSILAT_TEXT_H
#define MSILAT_TEXT_H

#include <jansson.h>

/**
 * text_json - a JSON string of any text
 * @text: bytes from a host, a file or a command line; JSON needs UTF-8, they may be anything.
 *
 * A text that is not UTF-8 has all its bytes beyond ASCII replaced by '?': it is no longer the
 * same, but it does not cost the manifest.
 *
 * Return: a new string, NULL without memory.
 */
json_t *text_json(const char *text);

#endif
