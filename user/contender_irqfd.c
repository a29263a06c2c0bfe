// SPDX-License-Identifier: GPL-2.0-only
/*
 * Contender irqfd: attaches the eventfd to a KVM virtual machine and detaches it again and again.
 *
 * While it is attached KVM takes every signal off the eventfd, inside the eventfd's lock, and so it
 * does when it is detached. How many that were nobody can count; what is missing at the end is
 * taken to be it. So a cell with this contender cannot tell a loss from what KVM took.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/kvm.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "contender.h"

#define KVM "/dev/kvm"
#define GSI 5
#define DETACHED_NS 1000000	/* between two attachments, so that the poller gets most events */

static int make_vm(int kvm)
{
	int vm = ioctl(kvm, KVM_CREATE_VM, 0);

	if (vm < 0)
		return -errno;
	if (ioctl(vm, KVM_CREATE_IRQCHIP, 0)) {
		close(vm);
		return -errno;
	}
	return vm;
}

static int irqfd_open(struct contender *c, struct reason *why)
{
	c->fd[0] = open(KVM, O_RDWR | O_CLOEXEC);
	if (c->fd[0] < 0)
		return reason_set(why, -errno, "%s: %s", KVM, strerror(errno));
	c->fd[1] = make_vm(c->fd[0]);
	if (c->fd[1] < 0) {
		close(c->fd[0]);
		return reason_set(why, c->fd[1], "KVM cannot make a machine with interrupts: %s",
				  strerror(-c->fd[1]));
	}
	return 0;
}

static void irqfd_close(struct contender *c)
{
	close(c->fd[1]);
	close(c->fd[0]);
}

static int irqfd_available(const struct device *dev, struct reason *why)
{
	struct contender c = { 0 };
	int ret;

	(void)dev;
	ret = irqfd_open(&c, why);
	if (!ret)
		irqfd_close(&c);
	return ret;
}

static int irqfd_step(struct contender *c)
{
	struct kvm_irqfd irqfd = { .fd = (uint32_t)c->eventfd, .gsi = GSI };
	struct timespec pause = { .tv_nsec = DETACHED_NS };

	if (ioctl(c->fd[1], KVM_IRQFD, &irqfd))
		return -errno;
	irqfd.flags = KVM_IRQFD_FLAG_DEASSIGN;
	if (ioctl(c->fd[1], KVM_IRQFD, &irqfd))
		return -errno;
	/* Nobody waits for what may be gone. */
	shared_pass(c->shared, shared_issued(c->shared, c->device));
	nanosleep(&pause, NULL);
	return 1;
}

const struct contender_ops contender_irqfd = {
	.name = "irqfd",
	.summary = "attaches the eventfd to a KVM machine and detaches it",
	.shares = true,
	.blind = true,
	.available = irqfd_available,
	.open = irqfd_open,
	.step = irqfd_step,
	.close = irqfd_close,
};
