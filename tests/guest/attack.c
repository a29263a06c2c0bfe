// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <fcntl.h>
#include <linux/pci_regs.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <unistd.h>

#include "attack.h"
#include "check.h"

#define FAULTS_SHOWN 8
#define CLOSED_FD 1000

/* --- the target ------------------------------------------------------------------------------ */

static uint32_t config32(struct vdev *d, unsigned int offset)
{
	return vdev_config16(d, offset) | (uint32_t)vdev_config16(d, offset + 2) << 16;
}

unsigned int attack_capability(struct vdev *d, uint8_t id)
{
	unsigned int at = vdev_config16(d, PCI_CAPABILITY_LIST) & 0xfc;
	uint16_t head;

	for (; at; at = head >> 8 & 0xfc) {
		head = vdev_config16(d, at);
		if ((head & 0xff) == id)
			return at;
	}
	return 0;
}

void attack_wake(struct attack_target *t)
{
	unsigned int pm = attack_capability(&t->card.dev, PCI_CAP_ID_PM);

	if (pm)
		vdev_set_config16(&t->card.dev, pm + PCI_PM_CTRL, ATTACK_D0);
	card_prepare(&t->card);
	card_forget(&t->card);
}

/* Where marks must not go: the MSI-X table and the pending bits. */
static void learn_msix(struct attack_target *t)
{
	struct vdev *d = &t->card.dev;
	unsigned int cap = attack_capability(d, PCI_CAP_ID_MSIX);
	uint32_t at[2], size[2];
	unsigned int i, n;

	if (!cap)
		return;
	n = (vdev_config16(d, cap + PCI_MSIX_FLAGS) & PCI_MSIX_FLAGS_QSIZE) + 1u;
	at[0] = config32(d, cap + PCI_MSIX_TABLE);
	at[1] = config32(d, cap + PCI_MSIX_PBA);
	size[0] = n * PCI_MSIX_ENTRY_SIZE;
	size[1] = (n + 63) / 64 * 8;
	for (i = 0; i < 2; i++) {
		struct attack_bar *bar = &t->bars[at[i] & PCI_MSIX_TABLE_BIR];

		bar->forbidden[i][0] = at[i] & PCI_MSIX_TABLE_OFFSET;
		bar->forbidden[i][1] = bar->forbidden[i][0] + size[i];
	}
}

static void learn_bars(struct attack_target *t)
{
	struct vdev *d = &t->card.dev;
	struct vfio_region_info info;
	unsigned int i;

	for (i = 0; i < 6; i++) {
		if (vdev_region_info(d, i, &info))
			check_die("BAR %u", i);
		t->bars[i].offset = info.offset;
		t->bars[i].size = info.size;
		t->bars[i].mappable = info.flags & VFIO_REGION_INFO_FLAG_MMAP;
		t->bars[i].memory = info.size && !(config32(d, PCI_BASE_ADDRESS_0 + 4 * i) &
						   PCI_BASE_ADDRESS_SPACE_IO);
	}
	if (vdev_region_info(d, VFIO_PCI_CONFIG_REGION_INDEX, &info))
		check_die("configuration space");
	t->config_size = info.size;
	learn_msix(t);
}

static void make_fds(struct attack_target *t)
{
	unsigned int i;

	t->eventfds = t->card.vectors + 2;
	for (i = 0; i < t->eventfds; i++)
		t->fds[i] = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC |
				       (i % 3 == 2 ? EFD_SEMAPHORE : 0));
	t->fds[i++] = open("/dev/null", O_RDWR | O_CLOEXEC);
	t->fds[i++] = epoll_create1(EPOLL_CLOEXEC);
	t->fds[i++] = t->card.dev.fd;
	t->fds[i++] = CLOSED_FD;
	while (i < ATTACK_FDS)
		t->fds[i++] = -1;
}

void attack_target_init(struct attack_target *t, const char *bdf)
{
	struct vfio_region_info info;
	struct msilat_ctl ctl = { 0 };
	unsigned int i;

	*t = (struct attack_target){ 0 };
	if (card_open(&t->card, bdf) || t->card.vectors > ATTACK_VECTORS)
		check_die("%s: opening it", bdf);
	attack_wake(t);
	learn_bars(t);
	make_fds(t);
	for (i = 0; i < VFIO_PCI_NUM_IRQS; i++) {
		struct vfio_irq_info irq;

		t->irqs[i] = vdev_irq_info(&t->card.dev, i, &irq) ? 0 : irq.count;
	}
	if (vdev_ctl(&t->card.dev, MSILAT_OP_QUERY, &ctl))
		return;
	t->known = ctl.query.known;
	t->permitted = ctl.query.permitted;
	if (vdev_region_info(&t->card.dev, ctl.query.region, &info))
		check_die("msilat's region");
	t->region.index = ctl.query.region;
	t->region.offset = info.offset;
	t->region.size = info.size;
	vdev_map_region(&t->card.dev);
}

/* --- the state ------------------------------------------------------------------------------- */

static uint32_t armed_vectors(struct attack *a)
{
	uint32_t armed = 0;
	unsigned int i;

	for (i = 0; i < a->target->card.vectors; i++)
		armed |= (uint32_t)!!vdev_counters(&a->target->card.dev, i).irq << i;
	return armed;
}

struct attack_state attack_look(struct attack *a)
{
	struct vdev *d = &a->target->card.dev;
	struct attack_state s = { .query = vdev_query(d) };

	s.mark_generation = *(const volatile uint32_t *)&d->region->mark_generation;
	s.armed = a->state.armed;
	if (s.query.generation != a->state.query.generation ||
	    s.query.enabled != a->state.query.enabled)
		s.armed = armed_vectors(a);
	if (s.query.enabled != (uint32_t)__builtin_popcount(s.armed))
		attack_fault(a, "%u vectors enabled, %#x have an IRQ", s.query.enabled, s.armed);
	if (s.query.generation != d->region->generation ||
	    s.query.strategy != d->region->strategy)
		attack_fault(a, "the region shows generation %u strategy %u, the query %u and %u",
			     d->region->generation, d->region->strategy, s.query.generation,
			     s.query.strategy);
	return s;
}

static void compare_states(struct attack *a, const char *when, const struct attack_state *was)
{
	const struct msilat_query *b = &was->query, *q = &a->state.query;

	if (memcmp(b, q, sizeof(*q)))
		attack_fault(a, "%s: strategy %u flags %#x enabled %u index %u generation %u, were "
			     "%u %#x %u %u %u", when, q->strategy, q->select_flags, q->enabled,
			     q->irq_index, q->generation, b->strategy, b->select_flags, b->enabled,
			     b->irq_index, b->generation);
	if (was->armed != a->state.armed)
		attack_fault(a, "%s: vectors %#x are armed, were %#x", when, a->state.armed,
			     was->armed);
	if (was->mark_generation != a->state.mark_generation)
		attack_fault(a, "%s: mark generation %u, was %u", when, a->state.mark_generation,
			     was->mark_generation);
}

/* --- judging --------------------------------------------------------------------------------- */

void attack_fault(struct attack *a, const char *fmt, ...)
{
	char text[256];
	va_list ap;

	if (a->bad++ >= FAULTS_SHOWN)
		return;
	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	check_note("call %llu of stream %u: %s: %s", a->call, a->stream, a->what, text);
}

static void tell_allowed(char *text, size_t size, errset allowed)
{
	size_t at = 0;
	int e;

	*text = '\0';
	for (e = 0; e < 128; e++)
		if (allowed & E(e) && at < size)
			at += (size_t)snprintf(text + at, size - at, " %s",
					       e ? strerrorname_np(e) : "success");
}

bool attack_judge(struct attack *a, enum attack_kind kind, long result, errset allowed,
		  struct attack_state *before)
{
	int error = result < 0 ? (int)-result : 0;
	char text[200];

	a->call++;
	if (error)
		__atomic_fetch_add(&a->refused[kind][error & 127], 1, __ATOMIC_RELAXED);
	else
		__atomic_fetch_add(&a->good[kind], 1, __ATOMIC_RELAXED);
	if (!(allowed & E(error & 127))) {
		tell_allowed(text, sizeof(text), allowed);
		attack_fault(a, "%s; allowed:%s", error ? strerrorname_np(error) : "success", text);
	}
	if (!a->alone)
		return !error;
	*before = a->state;
	a->state = attack_look(a);
	if (kind == ATTACK_HOT_RESET)
		before->mark_generation = a->state.mark_generation;
	if (error)
		compare_states(a, "refused", before);
	else if (kind != ATTACK_STRATEGY && kind != ATTACK_IRQS && kind < ATTACK_FEATURE)
		compare_states(a, "changes nothing", before);
	return !error;
}

void attack_init(struct attack *a, struct attack_target *t, uint64_t seed, uint32_t stream,
		 bool alone)
{
	*a = (struct attack){ .target = t, .rng = rng_stream(seed, stream), .stream = stream,
			      .alone = alone, .memory = true };
	bait_init(&a->bait);
	if (!alone)
		return;
	a->state.armed = armed_vectors(a);
	a->state = attack_look(a);
}

const char *attack_kind_name(enum attack_kind kind)
{
	static const char *const names[ATTACK_KINDS] = {
		"query", "strategy", "counters", "mark", "inject", "unknown operation", "changing arguments",
		"wait", "set_irqs", "read", "write", "map", "remap", "info", "feature", "config", "reset",
		"hot reset",
	};

	return names[kind];
}

void attack_tell(const struct attack *a, unsigned int attackers)
{
	unsigned int kind, e, i;
	char line[400];

	for (kind = 0; kind < ATTACK_KINDS; kind++) {
		unsigned long long good = 0, refused, all = 0;
		int at = 0;

		*line = '\0';
		for (i = 0; i < attackers; i++)
			good += a[i].good[kind];
		for (e = 1; e < 128; e++) {
			for (i = 0, refused = 0; i < attackers; i++)
				refused += a[i].refused[kind][e];
			all += refused;
			if (refused && at < 350)
				at += sprintf(line + at, ", %s %llu", strerrorname_np((int)e),
					      refused);
		}
		if (good || all)
			check_note("%s: success %llu%s", attack_kind_name(kind), good, line);
	}
}

/* --- memory that may not be there ------------------------------------------------------------ */

static __thread sigjmp_buf on_fault;
static __thread volatile sig_atomic_t expecting;

static void faulted(int signal)
{
	if (!expecting) {
		/* Not ours: die of it. */
		struct sigaction action = { .sa_handler = SIG_DFL };

		sigaction(signal, &action, NULL);
		return;
	}
	siglongjmp(on_fault, 1);
}

static void __attribute__((constructor)) catch_faults(void)
{
	struct sigaction action = { .sa_handler = faulted };

	sigaction(SIGBUS, &action, NULL);
	sigaction(SIGSEGV, &action, NULL);
}

bool attack_peek(const volatile uint32_t *at, uint32_t *value)
{
	if (sigsetjmp(on_fault, 1)) {
		expecting = 0;
		return false;
	}
	expecting = 1;
	*value = *at;
	expecting = 0;
	return true;
}
