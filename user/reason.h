/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef MSILAT_REASON_H
#define MSILAT_REASON_H

/**
 * struct reason - why something failed, in one line for a person
 * @text: names the thing that failed and the remedy; empty while nothing did.
 *
 * Library code never prints. It returns -errno and leaves the line here; cmd_*.c shows it.
 */
struct reason {
	char text[512];
};

/**
 * reason_set - fill a reason and hand the error on
 * @why: where the line goes; may be NULL.
 * @err: negative errno, returned unchanged, so that callers can write `return reason_set(...)`.
 * @fmt: printf format of the line, without a trailing newline.
 *
 * Return: @err.
 */
int reason_set(struct reason *why, int err, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

#endif
