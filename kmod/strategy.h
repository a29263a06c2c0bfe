/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A delivery strategy: in which context an interrupt is turned into a wake-up, and by what.
 */
#ifndef _MSILAT_STRATEGY_H
#define _MSILAT_STRATEGY_H

#include <linux/interrupt.h>
#include <linux/types.h>

#include "uapi/msilat.h"

struct pci_dev;

/**
 * struct msilat_strategy_ops - what one strategy is made of
 *
 * The handlers get the struct msilat_vector_ctx as their cookie. They run only while the vector is
 * armed, so its @trigger, rings and @thread are there, and nobody but them writes its rings.
 *
 * @id: enum msilat_strategy, ABI
 * @name: as in the module parameter
 * @handler: primary handler; in hard IRQ where @irqflags say so, else the kernel may thread it
 * @thread_fn: handler in the IRQ thread, or NULL
 * @irqflags: IRQF_* for request_threaded_irq()
 * @bypass: vectors are offered to KVM for posted interrupts, as vfio-pci does. A posted interrupt
 *	runs no handler on the host, so only a strategy that promises no more than vfio-pci may
 *	set this.
 * @unsafe_on_rt: may take a sleeping lock in hard IRQ on PREEMPT_RT
 */
struct msilat_strategy_ops {
	u32 id;
	const char *name;
	irq_handler_t handler;
	irq_handler_t thread_fn;
	unsigned long irqflags;
	bool bypass;
	bool unsafe_on_rt;
};

extern const struct msilat_strategy_ops msilat_strategy_thread;
extern const struct msilat_strategy_ops msilat_strategy_split;
extern const struct msilat_strategy_ops msilat_strategy_nothread;

const struct msilat_strategy_ops *msilat_strategy_by_id(u32 id);
u32 msilat_strategy_known(void);
u32 msilat_strategy_permitted(void);
int msilat_strategy_admit(struct pci_dev *pdev, const struct msilat_strategy_ops *strategy);
const struct msilat_strategy_ops *msilat_strategy_default(struct pci_dev *pdev);

int msilat_strategy_init(void);

#endif /* _MSILAT_STRATEGY_H */
