/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef MSILAT_DEVICE_H
#define MSILAT_DEVICE_H

#include <stdbool.h>
#include <stdint.h>

#include "delivery.h"
#include "fired.h"
#include "lab.h"
#include "pci.h"
#include "reason.h"
#include "vfio.h"

struct device;

/**
 * struct device_config - what a backend is opened with
 * @bdf: canonical address; NULL for a backend in this process.
 * @vector: vector that will be measured.
 * @sharing: so many vectors after it signal the same eventfd.
 * @mode: where the run takes place.
 * @sim: options of the sim backend, "" for none.
 */
struct device_config {
	const char *bdf;
	uint32_t vector;
	uint32_t sharing;
	enum lab_mode mode;
	const char *sim;
};

/**
 * struct device_caps - what a backend can do
 * @sent: it knows when each event was sent. Without it no latency can be given.
 * @late: its sent stamps are final only after the poller may have seen the event (fired_settle()).
 * @timer: it can fire by itself (scenarios idle and busy).
 * @timer_ns: how long its timer takes; 0 if that can be chosen.
 * @no_timer: why @timer is false, for a message.
 */
struct device_caps {
	bool sent;
	bool late;
	bool timer;
	uint64_t timer_ns;
	const char *no_timer;
};

/**
 * struct device_ops - a backend: something that sends interrupts and knows when
 *
 * One thread opens, arms and closes. One thread fires. The poller observes.
 */
struct device_ops {
	const char *name;
	const char *summary;

	/* The backend can drive this function. NULL: it drives none, it is all software. */
	bool (*matches)(const struct pci_function *fn);

	/* It needs our driver: strategy stock cannot be measured with it. */
	bool needs_ours;

	/* On success @dev->caps and @dev->delivery are valid. A VFIO device is open already. */
	int (*open)(struct device *dev, const struct device_config *cfg, struct reason *why);
	void (*close)(struct device *dev);

	/*
	 * Connect the vector to an eventfd. Interrupts sent later reach it; one left over from
	 * before may. NULL: vfio_arm() does it.
	 */
	int (*arm)(struct device *dev, int fd, struct reason *why);
	void (*disarm)(struct device *dev);

	/*
	 * The device sends its MSI exactly once. The event is noted before. Firing thread. 0; or
	 * -errno, with @dev->why, when it did not (the event is not noted) or can fire no more.
	 */
	int (*fire)(struct device *dev);

	/*
	 * The device will send its MSI exactly once, by itself. @due receives the cycle count at
	 * which it does, 0 if it cannot be known. The event is noted. Firing thread.
	 */
	int (*schedule)(struct device *dev, uint64_t *due);

	/* Newest event the device claims to have sent or scheduled. Any thread. */
	uint64_t (*sequence)(struct device *dev);

	/* Where the device stood at cycle count @user. Poller; wait-free. */
	void (*observe)(struct device *dev, uint64_t user, uint64_t seen, struct observation *o);
};

/**
 * struct device - an open device
 * @ops: backend.
 * @caps: what it can do.
 * @cfg: what it was opened with.
 * @vfio: the VFIO device; valid if @ops->matches is set.
 * @delivery: the driver's side.
 * @fired: sequence and stamps, for backends whose device keeps none.
 * @noted: the backend answers from @fired alone.
 * @why: why an event could not be fired; the firing thread's, to be read once it has ended.
 * @regs: mapped BAR 0, or NULL.
 * @regs_size: its size.
 * @priv: the backend's own.
 */
struct device {
	const struct device_ops *ops;
	struct device_caps caps;
	struct device_config cfg;
	struct vfio vfio;
	struct delivery delivery;
	struct fired fired;
	bool noted;
	struct reason why;
	volatile void *regs;
	size_t regs_size;
	void *priv;
};

/** device_backend - the backends in order of preference; NULL past the last */
const struct device_ops *device_backend(unsigned int i);

/** device_backend_name - the name of the i-th backend; NULL past the last */
const char *device_backend_name(unsigned int i);

/** device_find - backend by name; NULL if there is none */
const struct device_ops *device_find(const char *name);

/** device_best - best backend for a function; NULL if none can drive it */
const struct device_ops *device_best(const struct pci_function *fn);

/**
 * device_open - open a device with a backend
 *
 * Return: 0 or -errno, with @why.
 */
int device_open(struct device *dev, const struct device_ops *ops, const struct device_config *cfg,
		struct reason *why);
void device_close(struct device *dev);

/** device_arm - connect the measured vector to an eventfd; 0 or -errno */
int device_arm(struct device *dev, int fd, struct reason *why);
void device_disarm(struct device *dev);

/** device_irq - Linux IRQ number of the measured vector; 0 if unknown or none */
unsigned int device_irq(struct device *dev);

/*
 * For backends whose device has no sequence number or stamps of its own: what the firing thread
 * noted in @dev->fired.
 */
uint64_t device_noted_sequence(struct device *dev);
void device_noted_observe(struct device *dev, uint64_t user, uint64_t seen,
			  struct observation *o);

/**
 * device_observe - where the device stood at a wake
 *
 * Poller; wait-free. As the backend's observe(), without the call where the answer is in memory.
 */
static inline void device_observe(struct device *dev, uint64_t user, uint64_t seen,
				  struct observation *o)
{
	if (__builtin_expect(dev->noted, 1))
		fired_observe(&dev->fired, user, seen, o);
	else
		dev->ops->observe(dev, user, seen, o);
}

extern const struct device_ops device_edu;
extern const struct device_ops device_inject;
extern const struct device_ops device_sim;

#endif
