/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PORT_H
#define PORT_H

int port_open(const char *key);

#endif
