/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef MSILAT_VERSION_H
#define MSILAT_VERSION_H

#define MSILAT_VERSION "0.1.0"

#endif
