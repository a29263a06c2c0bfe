// SPDX-License-Identifier: GPL-2.0-only
/*
 * holder BDF: holds the device open, an eventfd on vector 0 and one on VFIO's request interrupt,
 * by which the kernel asks for the device when it is unbound. Gives it back then, and exits with 0.
 */
#include <stdio.h>
#include <sys/eventfd.h>

#include "card.h"
#include "check.h"

#define PATIENCE_MS 60000

int main(int argc, char **argv)
{
	int event = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
	int request = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
	struct card card;

	if (argc < 2 || card_open(&card, argv[1]) || vdev_arm(&card.dev, card.index, 1, &event) ||
	    vdev_set_irqs(&card.dev, VFIO_PCI_REQ_IRQ_INDEX, VDEV_EVENTFD, 0, 1, &request))
		check_die("usage: holder BDF");
	puts("holding");
	if (!vdev_await(request, PATIENCE_MS))
		check_die("nobody asked for the device in %d ms", PATIENCE_MS);
	card_close(&card);
	puts("given back");
	return 0;
}
