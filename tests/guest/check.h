/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef CHECK_H
#define CHECK_H

#include <stdbool.h>

/**
 * check - one test case
 * @good: did it hold?
 * @fmt: what was checked, as printf
 *
 * Prints "ok - …" or "not ok - …"; the host numbers the cases (lib.bash).
 *
 * Return: @good.
 */
bool check(bool good, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/**
 * check_is - test case for a number
 * @got: what came
 * @want: what had to come; both are named when they differ
 * @fmt: what was checked, as printf
 *
 * Return: whether they are equal.
 */
bool check_is(long long got, long long want, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/** check_note - a line that explains, as printf */
void check_note(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/** check_die - nothing can be tested: says why, with errno, and ends the program */
void check_die(const char *fmt, ...) __attribute__((format(printf, 1, 2), noreturn));

/**
 * check_done - the last line, with the number of cases: without it the program counts as crashed
 *
 * Return: exit code, 0 or 1 when a case failed.
 */
int check_done(void);

#endif
