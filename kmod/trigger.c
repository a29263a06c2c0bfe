// SPDX-License-Identifier: GPL-2.0-only
/*
 * The error and request interrupts: eventfds that the core signals when the device fails or is to
 * be given back. The core does the work; only VFIO_DEVICE_SET_IRQS for them is here, because it
 * must not be passed to the core while MSI is ours (irqs.c says why).
 */
#include <linux/eventfd.h>
#include <linux/vfio.h>

#include "compat.h"
#include "trigger.h"

static int trigger_replace(struct vfio_pci_core_device *core, u32 index, s32 fd)
{
	struct eventfd_ctx *ctx;
	int ret;

	if (fd == -1)
		return compat_trigger_replace(core, index, NULL);
	if (fd < 0)
		return -EINVAL;

	ctx = eventfd_ctx_fdget(fd);
	if (IS_ERR(ctx))
		return PTR_ERR(ctx);

	ret = compat_trigger_replace(core, index, ctx);
	if (ret)
		eventfd_ctx_put(ctx);
	return ret;
}

/**
 * msilat_trigger_set() - VFIO_DEVICE_SET_IRQS for the error or the request interrupt
 * @core: device; igate held
 * @hdr: header, validated; its index is one of the two
 * @data: what follows it, as long as @hdr says; NULL for nothing
 *
 * Return: 0, -EINVAL, -ENOTTY for an action these do not have, -ENOMEM, or -EBADF.
 */
int msilat_trigger_set(struct vfio_pci_core_device *core, const struct vfio_irq_set *hdr,
		       const void *data)
{
	struct eventfd_ctx *ctx = compat_trigger(core, hdr->index);

	if ((hdr->flags & VFIO_IRQ_SET_ACTION_TYPE_MASK) != VFIO_IRQ_SET_ACTION_TRIGGER)
		return -ENOTTY;

	if (hdr->flags & VFIO_IRQ_SET_DATA_NONE) {
		if (!ctx)
			return -EINVAL;
		if (!hdr->count)
			return compat_trigger_replace(core, hdr->index, NULL);
		compat_eventfd_signal(ctx);
		return 0;
	}

	if (!hdr->count)
		return -EINVAL;

	if (hdr->flags & VFIO_IRQ_SET_DATA_EVENTFD)
		return trigger_replace(core, hdr->index, *(const s32 *)data);

	if (*(const u8 *)data && ctx)
		compat_eventfd_signal(ctx);
	return 0;
}
