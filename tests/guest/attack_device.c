// SPDX-License-Identifier: GPL-2.0-only
/* VFIO's other calls, and what a user may do to a device: decoding, power, reset. */
#include <errno.h>
#include <linux/pci_regs.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "attack.h"

/* --- other ioctls ---------------------------------------------------------------------------- */

/* Reset is not among them: attack_disturb() does that, rarely. */
static const unsigned long requests[] = {
	VFIO_DEVICE_GET_INFO, VFIO_DEVICE_GET_REGION_INFO, VFIO_DEVICE_GET_IRQ_INFO,
	VFIO_DEVICE_GET_PCI_HOT_RESET_INFO, VFIO_DEVICE_PCI_HOT_RESET, VFIO_DEVICE_IOEVENTFD,
	VFIO_DEVICE_QUERY_GFX_PLANE, VFIO_GROUP_GET_STATUS, VFIO_GET_API_VERSION,
	_IO(0xBE, 0x3f), _IO(0xBE, 0x42), _IO(0xBE, 0), _IO(';', 99), _IO(';', 200),
};

void attack_info(struct attack *a)
{
	struct rng *r = &a->rng;
	unsigned long request = requests[rng_below(r, sizeof(requests) / sizeof(requests[0]))];
	enum attack_kind kind = ATTACK_INFO;
	struct attack_state before;
	uint32_t words[16] = { 0 };
	long ret;

	words[0] = rng_one_in(r, 3) ? rng_hostile(r, sizeof(words)) : sizeof(words);
	if (rng_one_in(r, 4))
		words[1] = rng_hostile(r, 1);
	words[2] = rng_hostile(r, a->target->region.index + 1);
	bait_lay(&a->bait, r, bait_choose(r), words, sizeof(words));
	snprintf(a->what, sizeof(a->what), "ioctl %#lx argsz %u words %#x %#x at %s", request,
		 words[0], words[1], words[2], bait_name(a->bait.place));
	ret = ioctl(a->target->card.dev.fd, request, a->bait.at);
	/* Of a hot reset the core alone can say that it is not to be: marks are disarmed before. */
	if (request == VFIO_DEVICE_PCI_HOT_RESET)
		kind = ATTACK_HOT_RESET;
	attack_judge(a, kind, ret < 0 ? -errno : 0, SUCCESS | E(EINVAL) | E(EFAULT) | E(ENOTTY) |
		     E(ENODEV) | E(ENOSPC) | E(EPERM), &before);
}

/* --- disturbances ---------------------------------------------------------------------------- */

static void set_memory(struct attack *a, bool on)
{
	struct vdev *d = &a->target->card.dev;
	uint16_t command = PCI_COMMAND_MASTER | (on ? PCI_COMMAND_MEMORY : 0);
	off_t at = (off_t)d->config + PCI_COMMAND;
	struct attack_state before;

	snprintf(a->what, sizeof(a->what), "memory decoding %s", on ? "on" : "off");
	a->memory = on;
	attack_judge(a, ATTACK_CONFIG, pwrite(d->fd, &command, 2, at) == 2 ? 0 : -errno, SUCCESS,
		     &before);
}

static void reset(struct attack *a)
{
	struct attack_state before;
	bool edu = a->target->card.edu;
	int ret;

	snprintf(a->what, sizeof(a->what), "reset");
	ret = ioctl(a->target->card.dev.fd, VFIO_DEVICE_RESET) ? -errno : 0;
	/* edu knows no reset of its own, and another caller's may be going on. */
	attack_judge(a, ATTACK_RESET, ret, edu ? E(EINVAL) : SUCCESS | (a->alone ? 0 : E(EAGAIN)),
		     &before);
}

/* Asleep for a moment, by the device's own register. */
static void sleep_state(struct attack *a)
{
	struct vdev *d = &a->target->card.dev;
	unsigned int cap = attack_capability(d, PCI_CAP_ID_PM);
	struct attack_state before;
	uint16_t d3 = ATTACK_D3, d0 = ATTACK_D0;
	off_t at;

	if (!cap)
		return;
	at = (off_t)d->config + cap + PCI_PM_CTRL;
	snprintf(a->what, sizeof(a->what), "to D3hot and back");
	if (pwrite(d->fd, &d3, 2, at) != 2 || pwrite(d->fd, &d0, 2, at) != 2)
		attack_fault(a, "PMCSR: %s", strerrorname_np(errno));
	attack_judge(a, ATTACK_CONFIG, 0, SUCCESS, &before);
}

static int feature(struct attack *a, uint32_t flags)
{
	struct vfio_device_feature f = { .argsz = sizeof(f), .flags = flags };

	return ioctl(a->target->card.dev.fd, VFIO_DEVICE_FEATURE, &f) ? -errno : 0;
}

/* Low power by VFIO's feature; older kernels have none. */
static void low_power(struct attack *a)
{
	struct attack_state before;
	int ret;

	snprintf(a->what, sizeof(a->what), "low power entry");
	ret = feature(a, VFIO_DEVICE_FEATURE_SET | VFIO_DEVICE_FEATURE_LOW_POWER_ENTRY);
	attack_judge(a, ATTACK_FEATURE, ret, SUCCESS | E(ENOTTY) | (a->alone ? 0 : E(EINVAL)),
		     &before);
	snprintf(a->what, sizeof(a->what), "low power exit");
	ret = feature(a, VFIO_DEVICE_FEATURE_SET | VFIO_DEVICE_FEATURE_LOW_POWER_EXIT);
	attack_judge(a, ATTACK_FEATURE, ret, SUCCESS | E(ENOTTY), &before);
}

void attack_disturb(struct attack *a)
{
	switch (rng_below(&a->rng, 12)) {
	case 0:
		reset(a);
		break;
	case 1:
	case 2:
		sleep_state(a);
		break;
	case 3:
	case 4:
		low_power(a);
		break;
	default:
		set_memory(a, false);
		/* So that others see it off, too; alone it is left so for some calls. */
		if (!a->alone) {
			usleep(rng_below(&a->rng, 1000));
			set_memory(a, true);
		} else if (rng_below(&a->rng, 2)) {
			set_memory(a, true);
		}
		break;
	}
}
