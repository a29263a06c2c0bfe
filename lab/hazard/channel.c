// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/io.h>

#include "channel.h"
#include "check.h"
#include "port.h"

#define LINE_MAX_BYTES 400
#define TEXT_BIT 0x80

static unsigned short channel_port;

void channel_open(void)
{
	int port = port_open("msilat_hazard=");

	if (port < 0) {
		errno = -port;
		check_die("no port named by msilat_hazard= on the kernel's command line");
	}
	channel_port = (unsigned short)port;
}

void channel_mark(char mark)
{
	outb((unsigned char)mark, channel_port);
}

void channel_line(const char *fmt, ...)
{
	char line[LINE_MAX_BYTES];
	va_list ap;
	char *c;

	va_start(ap, fmt);
	vsnprintf(line, sizeof(line), fmt, ap);
	va_end(ap);
	for (c = line; *c; c++)
		outb((unsigned char)(*c < ' ' ? ' ' : *c) | TEXT_BIT, channel_port);
	outb('\n' | TEXT_BIT, channel_port);
}
