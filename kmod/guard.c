// SPDX-License-Identifier: GPL-2.0-only
/*
 * The runaway guard.
 *
 * A mark that is aimed at a doorbell raises the interrupt whose handler writes it. What then
 * happens depends on the context that writes:
 *
 * In hard IRQ the next interrupt is pending before the handler returns, and the CPU takes it before
 * it executes one instruction of what it interrupted. Nothing else runs there any more, for ever.
 * The sign of it is exact: all registers of the interrupted context are the same from one interrupt
 * to the next, for if one instruction had been executed at least the instruction pointer would
 * differ. No clock is asked; how long an interrupt takes differs by orders of magnitude between a
 * machine, an emulator and a debug kernel.
 *   An idle CPU looks alike from one sleep to the next, whatever woke it. There, progress is that
 * the idle loop has gone round: entering and leaving idle is counted by the kernel (for RCU),
 * twice for each interrupt that meets an idle CPU and twice for each round of the loop. Without
 * rounds what remains comes from interrupts that irqs_sum leaves out, such as the tick's, far
 * fewer than those of a storm.
 *   Other evidence of progress is worth nothing here: a signalling thread or a waiter may run on
 * another CPU while this one is lost.
 *
 * In a thread the write makes the thread run again before it could go to sleep: it keeps its CPU
 * from everything of lower priority. Progress is that the thread has been switched out: of its own
 * accord, or preempted, provided that this happens once in GUARD_SHARE writes at least: a poller
 * above its thread does so at each event, while a periodic thread of high priority that gets a
 * slice in between says nothing about the rest.
 *
 * Limits. A loop slow enough for the interrupted context to execute an instruction between two
 * interrupts is none for the guard: it slows the CPU down as any device with a high rate of
 * interrupts does, but tasks get on, and with them the user who can end it. And a CPU that executes
 * an endless loop of one instruction looks like one that executes nothing: MSILAT_GUARD_LIMIT
 * interrupts there disarm marks that do no harm. So does one that executes a guest of KVM: each
 * interrupt stops the guest, and meets the host in one and the same place. And so does an idle CPU
 * where the kernel does not count idle transitions (uniprocessor kernels).
 */
#include <linux/kernel_stat.h>
#include <linux/preempt.h>
#include <linux/sched.h>
#include <linux/string.h>

#include <asm/irq_regs.h>

#include "compat.h"
#include "guard.h"

#define GUARD_SHARE	16

static void guard_note_irq(struct msilat_guard *guard, const struct pt_regs *regs)
{
	guard->regs = *regs;
	guard->watching = compat_idle_transitions();
	guard->irqs = __this_cpu_read(kstat.irqs_sum);
}

/* The idle loop has gone round for half of the interrupts at least since guard_note_irq(). */
static bool guard_idled(const struct msilat_guard *guard)
{
	unsigned long irqs = __this_cpu_read(kstat.irqs_sum) - guard->irqs;
	u32 transitions = compat_idle_transitions() - guard->watching;

	return transitions >= 3 * irqs;
}

static bool guard_progress_irq(struct msilat_guard *guard, u64 writes)
{
	const struct pt_regs *regs = get_irq_regs();

	/* In softirq, where an interrupt controller has to have an edge sent again by software. */
	if (!regs)
		return true;
	if (!guard->from) {
		guard_note_irq(guard, regs);
		guard->from = writes;
		return false;
	}
	if (memcmp(regs, &guard->regs, sizeof(*regs)))
		return true;
	return is_idle_task(current) && guard_idled(guard);
}

static bool guard_progress_thread(struct msilat_guard *guard, u64 writes)
{
	if (!guard->from) {
		guard->task = current;
		guard->nvcsw = current->nvcsw;
		guard->nivcsw = current->nivcsw;
		guard->from = writes;
		return false;
	}
	if (current != guard->task || current->nvcsw != guard->nvcsw)
		return true;
	return (current->nivcsw - guard->nivcsw) * GUARD_SHARE >= writes - guard->from;
}

/**
 * msilat_guard_trips() - has a mark been written too often without progress of a task?
 * @guard: guard of the mark
 * @writes: how often the mark has been written, this time included
 *
 * Called in the context that has written the mark, preemption off, at each write that is more than
 * MSILAT_GUARD_LOOK from the base of the guard.
 *
 * Return: true if so.
 */
bool msilat_guard_trips(struct msilat_guard *guard, u64 writes)
{
	bool progress;

	if (in_task())
		progress = guard_progress_thread(guard, writes);
	else
		progress = guard_progress_irq(guard, writes);

	if (progress) {
		guard->base = writes;
		guard->from = 0;
	}
	return writes - guard->base > MSILAT_GUARD_LIMIT;
}
