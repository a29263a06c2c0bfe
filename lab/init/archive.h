/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef ARCHIVE_H
#define ARCHIVE_H

int archive_send(const char *dir);

#endif
