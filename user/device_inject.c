// SPDX-License-Identifier: GPL-2.0-only
/*
 * Backend inject: any PCI function with MSI or MSI-X under our driver, which raises the function's
 * own interrupt by the kernel's means. The device takes no part, so it need not be known, and the
 * way from its core to the CPU is not measured: `sent` is the moment just before the interrupt was
 * raised.
 *
 * The driver says what it stamped when the call returns, and by then the poller may have run. So
 * the event is noted with a stamp of our own before, and settled with the driver's afterwards.
 *
 * One interrupt at a time: the driver refuses another before a handler has run for the one before
 * (EBUSY). Then the event is not sent yet, so that no wake is taken for its, and is tried again
 * until the handler has run: nothing is skipped and nothing is merged before the handler.
 */
#include <errno.h>
#include <string.h>
#include <time.h>

#include "clock.h"
#include "device.h"

#define RETRY_NS 50000
#define PATIENCE_NS 1000000000ull	/* an interrupt that takes longer is not coming */

static bool inject_matches(const struct pci_function *fn)
{
	return !fn->bridge && (!fn->caps_known || fn->msi || fn->msix);
}

static int inject_open(struct device *dev, const struct device_config *cfg, struct reason *why)
{
	if (!dev->delivery.ops)
		return reason_set(why, -ENODEV,
				  "%s: backend inject raises interrupts through msilat-vfio-pci, but it is bound to %s; use: msilat bind %s",
				  cfg->bdf, dev->vfio.fn.driver, cfg->bdf);
	dev->caps.sent = true;
	dev->caps.late = true;
	dev->caps.no_timer = "backend inject raises interrupts by a call and has no timer";
	return 0;
}

static void inject_close(struct device *dev)
{
	(void)dev;
}

static int give_up(struct device *dev, int ret)
{
	fired_withdraw(&dev->fired);
	if (ret == -EBUSY)
		return reason_set(&dev->why, ret,
				  "the interrupt injected last was not handled within %llu ms: it got lost, or its CPU is starved",
				  PATIENCE_NS / 1000000);
	if (ret == -ENOTTY)
		return reason_set(&dev->why, ret,
				  "the msilat-vfio-pci that is loaded cannot inject interrupts; build and load both from the same release");
	return reason_set(&dev->why, ret, "the kernel cannot inject the interrupt: %s",
			  strerror(-ret));
}

static int inject_fire(struct device *dev)
{
	const struct delivery *d = &dev->delivery;
	const struct timespec pause = { .tv_nsec = RETRY_NS };
	struct msilat_inject in;
	uint64_t seq, end = 0;
	int ret;

	seq = fired_note(&dev->fired, clock_read());
	while ((ret = d->ops->inject(&dev->delivery, dev->cfg.vector, &in)) == -EBUSY) {
		fired_restamp(&dev->fired, FIRED_NOT_YET);
		if (!end)
			end = clock_monotonic() + PATIENCE_NS;
		if (clock_monotonic() > end)
			break;
		nanosleep(&pause, NULL);
		fired_restamp(&dev->fired, clock_read());
	}
	if (ret)
		return give_up(dev, ret);
	fired_settle(&dev->fired, in.sent);
	/* The driver counts since it was opened, and so do we. */
	if (in.sequence != seq)
		return reason_set(&dev->why, -EPROTO,
				  "the driver counts %llu interrupts injected, this program %llu: somebody else has a hand in it",
				  (unsigned long long)in.sequence, (unsigned long long)seq);
	return 0;
}

const struct device_ops device_inject = {
	.name = "inject",
	.summary = "any function with MSI under our driver, which raises the interrupt itself",
	.matches = inject_matches,
	.needs_ours = true,
	.open = inject_open,
	.close = inject_close,
	.fire = inject_fire,
	.sequence = device_noted_sequence,
	.observe = device_noted_observe,
};
