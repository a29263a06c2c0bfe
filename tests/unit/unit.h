/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef UNIT_H
#define UNIT_H

/* What cmocka.h needs before it, in the order it asks for. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reason.h"

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))

/**
 * assert_text - the text holds the part; shows both if not
 */
#define assert_text(text, part) do {							\
	const char *text_ = (text), *part_ = (part);					\
	if (!strstr(text_, part_))							\
		fail_msg("\"%s\" does not hold \"%s\"", text_, part_);			\
} while (0)

/**
 * assert_reason - a call failed as it should and says so in one line
 * @ret: what it returned.
 * @err: wanted -errno.
 * @why: its reason.
 * @part: text that must be in it.
 */
#define assert_reason(ret, err, why, part) do {						\
	assert_int_equal((ret), (err));							\
	assert_text((why)->text, (part));						\
	assert_null(strchr((why)->text, '\n'));						\
} while (0)

/* SplitMix64, so that the data does not come from the generator under test. */
static inline uint64_t unit_random(uint64_t *state)
{
	uint64_t z = *state += 0x9e3779b97f4a7c15ull;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
	z = (z ^ z >> 27) * 0x94d049bb133111ebull;
	return z ^ z >> 31;
}

#endif
