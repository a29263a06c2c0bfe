// SPDX-License-Identifier: GPL-2.0-only
/*
 * The verdict channel. Once verdict_line() has returned, the line is in the host's file, whatever
 * becomes of the guest in the next instruction. Nothing else in the guest uses the port.
 */
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/io.h>

#include "port.h"
#include "verdict.h"

static pthread_mutex_t verdict_lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned short verdict_port;

/**
 * verdict_open() - get access to the channel; call it before there is a second thread
 *
 * Return: 0, or -errno as of port_open().
 */
int verdict_open(void)
{
	int port = port_open("msilat_verdict=");

	if (port < 0)
		return port;
	verdict_port = port;
	return 0;
}

/**
 * verdict_line() - tell the host one line
 * @format: as for printf(), without a newline; what exceeds 400 bytes is cut
 *
 * Control characters become spaces, so that one call is always one line. Any thread may call.
 */
void verdict_line(const char *format, ...)
{
	char line[400];
	va_list args;
	char *c;

	va_start(args, format);
	vsnprintf(line, sizeof(line), format, args);
	va_end(args);

	pthread_mutex_lock(&verdict_lock);
	for (c = line; *c; c++)
		outb((unsigned char)*c < ' ' ? ' ' : *c, verdict_port);
	outb('\n', verdict_port);
	pthread_mutex_unlock(&verdict_lock);
}
