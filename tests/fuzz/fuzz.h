/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef FUZZ_H
#define FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * A mutation fuzzer without instrumentation: it takes samples of good input, breaks them in
 * random ways and feeds the results to a target, under the sanitizers. The target also checks what
 * must hold of its answer. A failure prints the seed, the number of the input and the input itself.
 *
 * Environment: FUZZ_SECONDS, how long (default 10); FUZZ_SEED, to repeat a run.
 */

#define FUZZ_INPUT_MAX 4096

/**
 * struct fuzz - a target
 * @samples: good input, NULL-terminated list of texts.
 * @words: pieces worth putting in anywhere, NULL-terminated list.
 * @target: is given a NUL-terminated copy of the input; @size does not count the NUL.
 */
struct fuzz {
	const char *const *samples;
	const char *const *words;
	void (*target)(const char *input, size_t size);
};

/** fuzz_main - fuzz until the time is over; what main() returns */
int fuzz_main(const struct fuzz *fuzz);

/** fuzz_random - next number of the run's generator, for choices of a target */
uint64_t fuzz_random(void);

/** fuzz_check - end the run with a failure unless @holds */
void fuzz_check(bool holds, const char *what);

/** fuzz_file - make a file in the fake tree that MSILAT_SYSROOT names, with directories */
void fuzz_file(const char *path, const void *data, size_t size);

/** fuzz_path - where a path of that tree really is; a static buffer */
const char *fuzz_path(const char *path);

#endif
