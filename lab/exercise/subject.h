/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What is being judged: a device under a driver, and how that driver wakes who waits.
 */
#ifndef SUBJECT_H
#define SUBJECT_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "card.h"

/**
 * enum wake - what a subject's events are waited for with
 * @WAKE_EVENTFD: the eventfd: every VFIO driver.
 * @WAKE_IOCTL: MSILAT_WAIT.
 * @WAKE_PAGE: the page in msilat's region.
 */
enum wake {
	WAKE_EVENTFD,
	WAKE_IOCTL,
	WAKE_PAGE,
};

/**
 * struct subject - the device, open
 * @card: the device.
 * @ours: its driver answers to MSILAT_CTL; else nothing but plain VFIO is used.
 * @strategy: the one in force at open, which is the one that is judged.
 * @other: a safe strategy to switch to and back from.
 * @wake: how @strategy wakes.
 * @taken: interrupts taken before vectors were last freed, see subject_interrupts().
 */
struct subject {
	struct card card;
	bool ours;
	uint32_t strategy;
	uint32_t other;
	enum wake wake;
	uint64_t taken;
};

/** subject_open - open a device that is bound to the driver; 0 or -errno when VFIO refuses it */
int subject_open(struct subject *s, const char *bdf);

/** subject_close - silence the device, give it back */
void subject_close(struct subject *s);

/** subject_arm - @count eventfds on the vectors from 0, spread over the CPUs; ends on refusal */
void subject_arm(struct subject *s, const int *fds, unsigned int count);

/** subject_disarm - free the vectors, keeping what was counted for them; ends on refusal */
void subject_disarm(struct subject *s);

/**
 * subject_learn - find out how the strategy wakes, by what the driver says to calls that only
 * some strategies understand. Vectors armed, device silent.
 */
void subject_learn(struct subject *s);

/**
 * subject_select - put a strategy into force
 * @flags: MSILAT_SELECT_*
 *
 * Ends the program when that is refused.
 *
 * Return: catch-ups sent.
 */
uint32_t subject_select(struct subject *s, uint32_t strategy, uint32_t flags);

/** subject_interrupts - hard interrupts the kernel has taken for the device since it was opened */
uint64_t subject_interrupts(struct subject *s);

/** subject_loopback - VFIO's trigger without an interrupt for one vector; 0 or -errno */
int subject_loopback(struct subject *s, unsigned int vector);

/** subject_inject - raise the interrupt of one vector without the device; 0 or -errno */
int subject_inject(struct subject *s, unsigned int vector);

/** subject_mark - have one stage of one vector write to a harmless register; 0 or -errno */
int subject_mark(struct subject *s, unsigned int vector, unsigned int stage);

/** subject_reported - has the kernel made a report: lockdep is off, or the kernel is tainted? */
bool subject_reported(void);

/** subject_wake_name - a word for an enum wake */
const char *subject_wake_name(enum wake wake);

/**
 * subject_wait - MSILAT_WAIT
 * @vector: which
 * @block: wait; else take only what is there already
 *
 * Return: events, or -errno.
 */
int subject_wait(struct subject *s, unsigned int vector, bool block);

#endif
