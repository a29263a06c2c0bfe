// SPDX-License-Identifier: GPL-2.0-only
/*
 * keeper BDF HOW: holds the device, all its vectors armed, until it is to be given back. HOW it
 * learns that: "request" by VFIO's request interrupt, "wait" and "thread-wait" by ENODEV from
 * MSILAT_WAIT under direct and thread-direct, "late" by the request, but it takes its time,
 * "deaf" not at all, it closes after a while, "doomed" neither, somebody has to kill it.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "card.h"
#include "check.h"

#define VECTORS 16
#define PATIENCE_MS 60000
#define LATE_US 1500000
#define AGAIN 3
#define AGAIN_US 5000

static struct card card;

static void by_request(int request)
{
	if (!vdev_await(request, PATIENCE_MS))
		check_die("nobody asked for the device in %d ms", PATIENCE_MS);
}

/* Events come all the time; what counts is how they end, and that it stays so. */
static void by_wait(uint32_t strategy)
{
	unsigned int i;
	int ret;

	if (vdev_select(&card.dev, strategy, NULL))
		check_die("strategy %u", strategy);
	puts("holding");
	do
		ret = ioctl(card.dev.fd, MSILAT_WAIT, MSILAT_WAIT_ARG(0, 0));
	while (ret > 0);
	if (errno != ENODEV)
		check_die("the wait ended");
	for (i = 0; i < AGAIN; i++) {
		/* Time for events: they must not be told of any more. */
		usleep(AGAIN_US);
		if (ioctl(card.dev.fd, MSILAT_WAIT, MSILAT_WAIT_ARG(0, 0)) >= 0 || errno != ENODEV)
			check_die("a wait after the last one ended");
	}
}

int main(int argc, char **argv)
{
	int request = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC), fds[VECTORS];
	const char *how = argc > 2 ? argv[2] : "";
	unsigned int i;

	for (i = 0; i < VECTORS; i++)
		fds[i] = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
	if (argc < 3 || card_open(&card, argv[1]) ||
	    vdev_arm(&card.dev, card.index, card.vectors, fds))
		check_die("usage: keeper BDF request|wait|thread-wait|late|deaf|doomed");
	card_prepare(&card);
	if (strcmp(how, "deaf") && vdev_set_irqs(&card.dev, VFIO_PCI_REQ_IRQ_INDEX, VDEV_EVENTFD, 0,
						 1, &request))
		check_die("request interrupt");
	if (!strcmp(how, "wait")) {
		by_wait(MSILAT_STRATEGY_DIRECT);
	} else if (!strcmp(how, "thread-wait")) {
		by_wait(MSILAT_STRATEGY_THREAD_DIRECT);
	} else {
		puts("holding");
		if (!strcmp(how, "doomed"))
			pause();
		if (strcmp(how, "deaf"))
			by_request(request);
		if (strcmp(how, "request"))
			usleep(LATE_US);
	}
	card_close(&card);
	puts("given back");
	return 0;
}
