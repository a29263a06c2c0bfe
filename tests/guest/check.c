// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"

static unsigned int cases, failed;

static void __attribute__((constructor)) line_by_line(void)
{
	setvbuf(stdout, NULL, _IOLBF, 0);
}

static bool report(bool good, const char *fmt, va_list ap)
{
	cases++;
	failed += !good;
	fputs(good ? "ok - " : "not ok - ", stdout);
	vprintf(fmt, ap);
	putchar('\n');
	return good;
}

bool check(bool good, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	report(good, fmt, ap);
	va_end(ap);
	return good;
}

bool check_is(long long got, long long want, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	report(got == want, fmt, ap);
	va_end(ap);
	if (got != want)
		check_note("got %lld, wanted %lld", got, want);
	return got == want;
}

void check_note(const char *fmt, ...)
{
	va_list ap;

	/* One line, whichever thread else has something to say. */
	flockfile(stdout);
	fputs("# ", stdout);
	va_start(ap, fmt);
	vprintf(fmt, ap);
	va_end(ap);
	putchar('\n');
	funlockfile(stdout);
}

void check_die(const char *fmt, ...)
{
	const char *error = strerror(errno);
	va_list ap;

	fputs("not ok - cannot go on: ", stdout);
	va_start(ap, fmt);
	vprintf(fmt, ap);
	va_end(ap);
	printf(": %s\n", error);
	exit(2);
}

int check_done(void)
{
	printf("done %u\n", cases);
	return failed ? 1 : 0;
}
