/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The wait queue of an eventfd, from outside.
 */
#ifndef _MSILAT_WQH_H
#define _MSILAT_WQH_H

#include <linux/container_of.h>
#include <linux/poll.h>

struct msilat_wqh_capture {
	poll_table table;
	wait_queue_head_t *wqh;
};

static inline void msilat_wqh_queue_proc(struct file *file, wait_queue_head_t *wqh,
					 poll_table *table)
{
	container_of(table, struct msilat_wqh_capture, table)->wqh = wqh;
}

/**
 * msilat_wqh_of() - finds the wait queue of an eventfd
 * @eventfd: file of an eventfd
 *
 * Polls the file once; the wait queue gets no entry. The head is embedded in the eventfd_ctx (KVM's
 * irqfd builds on the same), so it lives as long as a reference to that, with or without the file.
 * Process context.
 *
 * Return: the wait queue, NULL if the file shows none.
 */
static inline wait_queue_head_t *msilat_wqh_of(struct file *eventfd)
{
	struct msilat_wqh_capture capture = {};

	init_poll_funcptr(&capture.table, msilat_wqh_queue_proc);
	vfs_poll(eventfd, &capture.table);
	return capture.wqh;
}

#endif /* _MSILAT_WQH_H */
