/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Arguments laid where a call may reach for them in vain: nowhere, in the kernel, against the end
 * of what is mapped, in memory that cannot be written.
 */
#ifndef BAIT_H
#define BAIT_H

#include <stdbool.h>
#include <stddef.h>

#include "rng.h"

#define BAIT_ROOM 8192		/* bytes that can be written to a good place */

/**
 * enum bait_place - where an argument lies
 * @BAIT_GOOD: in memory, with room behind it.
 * @BAIT_EDGE: in memory, and the last byte of it is the last one mapped.
 * @BAIT_SHORT: as BAIT_EDGE, but its last bytes lie beyond.
 * @BAIT_READONLY: in memory that the kernel cannot write to for this process.
 * @BAIT_NULL: at 0.
 * @BAIT_UNMAPPED: where nothing is mapped.
 * @BAIT_KERNEL: at an address of the kernel's, or of nobody's.
 * @BAIT_PLACES: number of places.
 */
enum bait_place {
	BAIT_GOOD,
	BAIT_EDGE,
	BAIT_SHORT,
	BAIT_READONLY,
	BAIT_NULL,
	BAIT_UNMAPPED,
	BAIT_KERNEL,
	BAIT_PLACES,
};

/**
 * struct bait - an argument in its place; one for each thread
 * @at: the address for the call.
 * @place: what kind of place that is.
 * @readable: bytes from there that can be read.
 * @writable: they can be written, too.
 * @area: two pages of memory; what follows is not accessible.
 * @alias: the page behind @view, to be written through.
 * @view: the read-only page.
 * @hole: an address that nothing is mapped at.
 */
struct bait {
	void *at;
	enum bait_place place;
	size_t readable;
	bool writable;
	char *area;
	char *alias;
	char *view;
	char *hole;
};

/** bait_init - map what baits need; ends the program when that fails */
void bait_init(struct bait *b);

/** bait_choose - a place for the next argument: mostly a good one */
enum bait_place bait_choose(struct rng *r);

/**
 * bait_lay - put an argument in its place
 * @r: decides where exactly, and how much of a short one is there
 * @data: the argument
 * @size: its size, at most a page
 */
void bait_lay(struct bait *b, struct rng *r, enum bait_place place, const void *data, size_t size);

/** bait_name - the word for a place */
const char *bait_name(enum bait_place place);

#endif
