/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A delivery strategy: in which context an interrupt is turned into a wake-up, and by what.
 */
#ifndef _MSILAT_STRATEGY_H
#define _MSILAT_STRATEGY_H

#include <linux/interrupt.h>
#include <linux/types.h>

#include "uapi/msilat.h"

struct msilat_vector_ctx;
struct pci_dev;

/**
 * enum msilat_strategy_wake - what a waiter waits by
 * @MSILAT_WAKE_EVENTFD: the eventfd and nothing else.
 * @MSILAT_WAKE_WAIT: MSILAT_WAIT.
 * @MSILAT_WAKE_PAGE: the counter in the mapped region.
 */
enum msilat_strategy_wake {
	MSILAT_WAKE_EVENTFD,
	MSILAT_WAKE_WAIT,
	MSILAT_WAKE_PAGE,
};

/**
 * struct msilat_strategy_action - how the interrupt of a vector is requested
 * @handler: primary handler; in hard IRQ where @irqflags say so, else the kernel may thread it
 * @thread_fn: handler in the IRQ thread, or NULL
 * @irqflags: IRQF_* for request_threaded_irq(); never IRQF_ONESHOT without a @thread_fn
 */
struct msilat_strategy_action {
	irq_handler_t handler;
	irq_handler_t thread_fn;
	unsigned long irqflags;
};

/**
 * struct msilat_strategy_ops - what one strategy is made of
 *
 * The handlers get the struct msilat_vector_ctx as their cookie. They run only while the vector is
 * armed, so its @trigger, rings and @thread are there, and nobody but them writes its rings.
 *
 * @id: enum msilat_strategy, ABI
 * @name: as in the module parameter
 * @wake: what it wakes its waiter by
 * @action: how it is requested
 * @alone: the same with MSILAT_SELECT_NO_EVENTFD; no handler: it refuses that flag
 * @setup: makes what the handlers need, before the interrupt is requested; 0 or -errno. NULL:
 *	nothing
 * @settle: called once the interrupt is enabled, which may have chosen its CPU. NULL: nothing
 * @teardown: undoes @setup once the interrupt has been freed; what a primary has asked for is done
 *	on return. Like the other two: process context, igate and memory_lock held
 * @exit: called before the module goes, with no vector left. Process context. NULL: nothing
 * @bypass: vectors are offered to KVM for posted interrupts, as vfio-pci does. A posted interrupt
 *	runs no handler on the host, so only a strategy that promises no more than vfio-pci may
 *	set this.
 * @unsafe_on_rt: may take a sleeping lock in hard IRQ on PREEMPT_RT
 */
struct msilat_strategy_ops {
	u32 id;
	const char *name;
	enum msilat_strategy_wake wake;
	struct msilat_strategy_action action;
	struct msilat_strategy_action alone;
	int (*setup)(struct msilat_vector_ctx *vec);
	void (*settle)(struct msilat_vector_ctx *vec);
	void (*teardown)(struct msilat_vector_ctx *vec);
	void (*exit)(void);
	bool bypass;
	bool unsafe_on_rt;
};

extern const struct msilat_strategy_ops msilat_strategy_thread;
extern const struct msilat_strategy_ops msilat_strategy_split;
extern const struct msilat_strategy_ops msilat_strategy_nothread;
extern const struct msilat_strategy_ops msilat_strategy_thread_direct;
extern const struct msilat_strategy_ops msilat_strategy_kthread;
extern const struct msilat_strategy_ops msilat_strategy_irqwork;
extern const struct msilat_strategy_ops msilat_strategy_direct;
extern const struct msilat_strategy_ops msilat_strategy_page;

/* One more, from a file that is not in the tree: README.md, "Judging your own handler". */
#ifdef MSILAT_EXTRA
extern const struct msilat_strategy_ops MSILAT_EXTRA;
#define MSILAT_EXTRA_ENTRY	&MSILAT_EXTRA,
#else
#define MSILAT_EXTRA_ENTRY
#endif

/* A number for it: never given out. */
#define MSILAT_STRATEGY_OWN	31

const struct msilat_strategy_ops *msilat_strategy_by_id(u32 id);
bool msilat_strategy_takes(const struct msilat_strategy_ops *strategy, u32 select_flags);
u32 msilat_strategy_known(void);
u32 msilat_strategy_permitted(void);
int msilat_strategy_admit(struct pci_dev *pdev, const struct msilat_strategy_ops *strategy);
const struct msilat_strategy_ops *msilat_strategy_default(struct pci_dev *pdev);

int msilat_strategy_init(void);
void msilat_strategy_exit(void);

#endif /* _MSILAT_STRATEGY_H */
