/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef MSILAT_RESULT_H
#define MSILAT_RESULT_H

#include <stdbool.h>
#include <stdio.h>

#include "reason.h"

#define RESULT_PATH_MAX 1024

/**
 * struct result - a result directory that is being written
 * @partial: its path while the run goes on: <results>/<label>.partial.
 * @final: its path afterwards: <results>/<label>.
 * @label: its name.
 */
struct result {
	char partial[RESULT_PATH_MAX];
	char final[RESULT_PATH_MAX];
	char label[128];
};

/**
 * result_open - make the directory
 * @root: where result directories live; made if it is missing.
 * @label: wanted name, or "" for <date>-<strategy>-<n>.
 * @strategy: for the name.
 *
 * Return: 0; -EEXIST when a result of that name exists, finished or partial; -EINVAL for a name
 * that is no file name; or -errno.
 */
int result_open(struct result *r, const char *root, const char *label, const char *strategy,
		struct reason *why);

/**
 * result_create - begin a file of the result
 * @name: file name.
 *
 * Writes go to a temporary name, so that a reader, and a kill at any moment, finds the previous
 * checkpoint's file whole.
 *
 * Return: a stream for result_commit(), or NULL with @why.
 */
FILE *result_create(struct result *r, const char *name, struct reason *why);

/**
 * result_commit - end a file: flush, check for errors, put it in place
 *
 * Closes the stream in any case. Return: 0 or -errno (-ENOSPC: disk full), with @why.
 */
int result_commit(struct result *r, FILE *f, const char *name, struct reason *why);

/**
 * result_stream - open a file of the result that grows during the run (samples.bin)
 *
 * Return: the stream, closed by the caller, or NULL with @why.
 */
FILE *result_stream(struct result *r, const char *name, struct reason *why);

/** result_finish - rename the directory to its final name; 0 or -errno with @why */
int result_finish(struct result *r, struct reason *why);

/** result_abandon - remove the directory if nothing was ever committed to it */
void result_abandon(struct result *r);

#endif
