// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>

#include "clock.h"
#include "delivery.h"

static int kmod_ctl(const struct delivery *d, struct msilat_ctl *ctl)
{
	ctl->argsz = sizeof(*ctl);
	return ioctl(d->vfio->device, MSILAT_CTL, ctl) < 0 ? -errno : 0;
}

static int kmod_select(struct delivery *d, const struct strategy *strategy, uint32_t flags,
		       struct reason *why)
{
	struct msilat_ctl ctl = {
		.op = MSILAT_OP_STRATEGY,
		.strategy = { .strategy = strategy->number, .flags = flags },
	};
	int ret = kmod_ctl(d, &ctl);

	if (ret == -EPERM)
		return reason_set(why, ret,
				  "strategy %s can crash a PREEMPT_RT kernel and was refused: it needs root "
				  "and msilat-vfio-pci loaded with allow_unsafe=1", strategy->name);
	if (ret == -EINVAL)
		return reason_set(why, ret,
				  "the msilat-vfio-pci that is loaded does not know strategy %s; build and load "
				  "both from the same release", strategy->name);
	if (ret)
		return reason_set(why, ret, "strategy %s: the driver refused: %s", strategy->name,
				  strerror(-ret));
	return 0;
}

static int kmod_counters(const struct delivery *d, uint32_t vector, struct msilat_counters *c)
{
	struct msilat_ctl ctl = {
		.op = MSILAT_OP_COUNTERS,
		.counters = { .vector = vector },
	};
	int ret = kmod_ctl(d, &ctl);

	if (!ret)
		*c = ctl.counters;
	return ret;
}

static int kmod_wait(struct delivery *d, uint64_t arg, uint64_t *user)
{
	int n = ioctl(d->vfio->device, MSILAT_WAIT, arg);

	*user = clock_read();
	return n < 0 ? -errno : n;
}

static int kmod_trigger(struct delivery *d, uint32_t vector)
{
	return vfio_trigger(d->vfio, vector);
}

static int kmod_inject(struct delivery *d, uint32_t vector, struct msilat_inject *in)
{
	struct msilat_ctl ctl = {
		.op = MSILAT_OP_INJECT,
		.inject = { .vector = vector },
	};
	int ret = kmod_ctl(d, &ctl);

	if (!ret)
		*in = ctl.inject;
	return ret;
}

static const struct delivery_ops kmod_ops = {
	.select = kmod_select,
	.counters = kmod_counters,
	.wait = kmod_wait,
	.trigger = kmod_trigger,
	.inject = kmod_inject,
};

int delivery_open(struct delivery *d, struct vfio *v, struct reason *why)
{
	struct msilat_ctl ctl = { .op = MSILAT_OP_QUERY };
	const void *base;
	int ret;

	memset(d, 0, sizeof(*d));
	d->vfio = v;
	ret = kmod_ctl(d, &ctl);
	if (ret == -ENOTTY)
		return 0;
	if (ret)
		return reason_set(why, ret, "%s: MSILAT_CTL: %s", v->fn.bdf, strerror(-ret));
	if (ctl.query.uapi_version != MSILAT_UAPI_VERSION)
		return reason_set(why, -EPROTO,
				  "msilat-vfio-pci %.32s speaks interface version %u, this program %u; "
				  "build and load both from the same release", ctl.query.version,
				  ctl.query.uapi_version, MSILAT_UAPI_VERSION);
	ret = vfio_map_region(v, ctl.query.region, &base, &d->size, why);
	if (ret)
		return ret;
	d->region = base;
	if (d->region->magic != MSILAT_REGION_MAGIC ||
	    d->region->version != MSILAT_UAPI_VERSION) {
		munmap((void *)base, d->size);
		d->region = NULL;
		return reason_set(why, -EPROTO, "%s: region %u is not one of msilat's", v->fn.bdf,
				  ctl.query.region);
	}
	d->ops = &kmod_ops;
	return 0;
}

void delivery_close(struct delivery *d)
{
	if (d->region && d->size)
		munmap((void *)d->region, d->size);
	d->region = NULL;
	d->ops = NULL;
}

static const struct msilat_vector *block(const struct delivery *d, uint32_t vector)
{
	return (const void *)((const char *)d->region + d->region->vector_offset +
			      (size_t)vector * d->region->vector_stride);
}

/*
 * Copy record n of a ring whose records begin with their seq. The writer zeroes seq before and
 * sets it after it fills a record, so a copy between two equal, expected values is whole.
 */
static int copy(const struct delivery *d, const __u64 *head, const char *ring, uint64_t n,
		void *record, size_t size)
{
	const char *slot = ring + (n & (d->region->ring_records - 1)) * size;
	uint64_t before, after;

	if (n >= __atomic_load_n(head, __ATOMIC_ACQUIRE))
		return -EAGAIN;
	before = __atomic_load_n((const uint64_t *)slot, __ATOMIC_ACQUIRE);
	memcpy(record, slot, size);
	__atomic_thread_fence(__ATOMIC_ACQUIRE);
	after = __atomic_load_n((const uint64_t *)slot, __ATOMIC_RELAXED);
	return before == n + 1 && after == n + 1 ? 0 : -ESTALE;
}

int delivery_isr(const struct delivery *d, uint32_t vector, uint64_t n, struct msilat_isr *record)
{
	const struct msilat_vector *v;

	if (!d->region || vector >= d->region->vectors)
		return -EAGAIN;
	v = block(d, vector);
	return copy(d, &v->isr_head, (const char *)v + d->region->isr_offset, n, record,
		    sizeof(*record));
}

int delivery_record(const struct delivery *d, uint32_t vector, uint64_t n,
		    struct msilat_delivery *record)
{
	const struct msilat_vector *v;

	if (!d->region || vector >= d->region->vectors)
		return -EAGAIN;
	v = block(d, vector);
	return copy(d, &v->delivery_head, (const char *)v + d->region->delivery_offset, n,
		    record, sizeof(*record));
}

const __u64 *delivery_page(const struct delivery *d, uint32_t vector)
{
	if (!d->region || vector >= d->region->vectors)
		return NULL;
	return &block(d, vector)->page_events;
}

uint64_t delivery_head(const struct delivery *d, uint32_t vector)
{
	if (!d->region || vector >= d->region->vectors)
		return 0;
	return __atomic_load_n(&block(d, vector)->delivery_head, __ATOMIC_ACQUIRE);
}
