/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef MSILAT_SUMMARY_H
#define MSILAT_SUMMARY_H

#include <jansson.h>
#include <stdio.h>

/**
 * summary_print - a result as a person reads it: set-up, accounting, table of stages, verdicts
 * @manifest: of a finished or partial result.
 *
 * At most 100 columns.
 */
void summary_print(const json_t *manifest, FILE *out);

#define SUMMARY_NUMBER_MAX 32

/**
 * summary_number - write a number with a space between groups of three digits
 * @text: receives it, SUMMARY_NUMBER_MAX bytes at most.
 *
 * Return: @text.
 */
char *summary_number(char *text, double value);

#endif
