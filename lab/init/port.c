// SPDX-License-Identifier: GPL-2.0-only
/*
 * Ports behind each of which QEMU appends every byte to a file on the host. They are written by
 * OUT instructions, with no driver, no interrupt and no buffer in between.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/io.h>

#include "port.h"

#define COMMAND_LINE "/proc/cmdline"

/**
 * port_open() - find the port that the kernel's command line names and get access to it
 * @key: the parameter, with its "="
 *
 * Access is the calling thread's and that of threads and processes it creates later.
 *
 * Return: the port, -ENODEV when the command line names none, or another -errno.
 */
int port_open(const char *key)
{
	char line[4096], *at;
	size_t n;
	int port;
	FILE *f;

	f = fopen(COMMAND_LINE, "re");
	if (!f)
		return -errno;
	n = fread(line, 1, sizeof(line) - 1, f);
	fclose(f);
	line[n] = '\0';
	at = strstr(line, key);
	if (!at)
		return -ENODEV;
	port = (int)strtoul(at + strlen(key), NULL, 0);
	return ioperm(port, 1, 1) ? -errno : port;
}
