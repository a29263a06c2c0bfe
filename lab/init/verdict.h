/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef VERDICT_H
#define VERDICT_H

int verdict_open(void);
void verdict_line(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
