/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef COMPLAINT_H
#define COMPLAINT_H

#include <stdbool.h>
#include <stdint.h>

/*
 * The kernel's log, read while it still can be.
 *
 * A thread on each CPU, above all others, looks at the log again and again rather than sleeping in
 * a read: the kernel wakes readers from the CPU that wrote, and a CPU that complains of itself in
 * hard IRQ may never come to that.
 *
 * A complaint goes out by the channel as "@CLASS COUNT TEXT" (CLASS as lab/init names it, COUNT the
 * interrupts raised when it was read), the lines of the log after it as they are. A kernel can also
 * be lost without a word: when no interrupt has been raised for some seconds that is told as
 * "@silence COUNT TEXT", and the kernel is asked to show what its CPUs do.
 */

/**
 * complaint_start - begin to watch, from the next record on
 * @raised: tells how many interrupts have been raised so far; called by the threads that watch
 *
 * Ends the program if that cannot be.
 */
void complaint_start(uint64_t (*raised)(void));

/** complaint_end - the last interrupt has been raised: silence is in order from now on */
void complaint_end(void);

/** complaint_made - has the kernel said more than a WARNING, or fallen silent? Any thread. */
bool complaint_made(void);

#endif
