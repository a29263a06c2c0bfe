/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef CHANNEL_H
#define CHANNEL_H

/*
 * What leaves a guest that is about to be lost: a port behind which QEMU appends every byte to a
 * file on the host. What was written has arrived, whatever happens in the next instruction.
 *
 * Two streams share it, told apart by the top bit of each byte, so that their writers need no lock
 * between them, which a thread could take with it when its CPU is lost:
 *
 * - marks, one byte for one thing that happened, top bit clear: '0' and '1' an interrupt raised on
 *   that vector, written before it is; 'g' an event that eventfd's recursion guard refused.
 * - text, line by line, top bit set.
 */

/** channel_open - get access to the port; before any thread is made; ends the program if refused */
void channel_open(void);

/** channel_mark - write a mark; any thread */
void channel_mark(char mark);

/** channel_line - write a line of text, as printf without a newline; any thread, one at a time */
void channel_line(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

#endif
