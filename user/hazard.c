// SPDX-License-Identifier: GPL-2.0-only
/* The matrix of msilat hazard: its axes, its cells, its options. */
#include <errno.h>
#include <string.h>

#include "hazard.h"
#include "rows.h"

static const char *const cpus[HAZARD_CPUS] = {
	[HAZARD_SAME] = "same",
	[HAZARD_OTHER] = "other",
};

const char *hazard_cpu_name(unsigned int cpu)
{
	return cpu < HAZARD_CPUS ? cpus[cpu] : NULL;
}

const char *hazard_relation_name(unsigned int i)
{
	return i < RUN_ABOVE ? run_relation_name(i + 1) : NULL;
}

const char *hazard_contender_name(unsigned int i)
{
	const struct contender_ops *ops = i ? contender_at(i - 1) : NULL;

	if (!i)
		return "none";
	return ops ? ops->name : NULL;
}

/* A busy one would starve what its event needs on the same CPU. */
const struct wait_ops *hazard_wait(unsigned int i)
{
	const struct wait_ops *ops;
	unsigned int mode;

	for (mode = 0; (ops = wait_mode(mode)); mode++)
		if (!ops->busy && !i--)
			return ops;
	return NULL;
}

const char *hazard_wait_name(unsigned int i)
{
	const struct wait_ops *ops = hazard_wait(i);

	return ops ? ops->name : NULL;
}

static void all_names(char *text, size_t size, const char *(*name)(unsigned int i))
{
	unsigned int i;

	*text = '\0';
	for (i = 0; name(i); i++) {
		if (strlen(text) + strlen(name(i)) + 3 > size)
			return;
		strcat(text, i ? ", " : "");
		strcat(text, name(i));
	}
}

static int add_name(const char *option, const char *word, const char *(*name)(unsigned int i),
		    unsigned int *mask, struct reason *why)
{
	char all[160];
	unsigned int i;

	for (i = 0; name(i); i++) {
		if (strcmp(word, name(i)) && strcmp(word, "all"))
			continue;
		*mask |= 1u << i;
		if (strcmp(word, "all"))
			return 0;
	}
	if (!strcmp(word, "all"))
		return 0;
	all_names(all, sizeof(all), name);
	return reason_set(why, -EINVAL, "--%s %s: must be a list of %s, or all", option, word, all);
}

int hazard_list(const char *option, const char *text, const char *(*name)(unsigned int i),
		unsigned int *mask, struct reason *why)
{
	char copy[256], *rest = copy, *word;
	int ret;

	*mask = 0;
	if (strlen(text) >= sizeof(copy))
		return reason_set(why, -EINVAL, "--%s: the list is too long", option);
	strcpy(copy, text);
	while ((word = strsep(&rest, ","))) {
		ret = add_name(option, word, name, mask, why);
		if (ret)
			return ret;
	}
	return 0;
}

/* Append the cells that differ in the contender only. */
static size_t add_contenders(const struct hazard_axes *axes, struct hazard_cell cell,
			     struct hazard_cell *cells, size_t n)
{
	unsigned int kind, cpu;

	for (kind = 0; hazard_contender_name(kind); kind++) {
		if (!(axes->contenders & 1u << kind))
			continue;
		cell.contender = kind ? contender_at(kind - 1) : NULL;
		if (kind && cell.contender->shares && cell.wait->wake != STRATEGY_WAKE_EVENTFD)
			continue;
		for (cpu = 0; cpu < HAZARD_CPUS; cpu++) {
			if (kind && !(axes->contender_cpus & 1u << cpu))
				continue;
			cell.contender_cpu = cpu;
			if (cells)
				cells[n] = cell;
			n++;
			if (!kind)
				break;
		}
	}
	return n;
}

/* Where the poller is woken in hard IRQ there is no thread to be below or above. */
static bool relation_fits(const struct hazard_axes *axes, unsigned int relation,
			  const struct wait_ops *wait)
{
	const struct strategy *s = axes->strategy;

	if (wait->wake == s->wake && s->thread == STRATEGY_THREAD_NONE)
		return relation == RUN_NONE;
	return axes->relations & 1u << relation;
}

size_t hazard_cells(const struct hazard_axes *axes, struct hazard_cell *cells)
{
	struct hazard_cell cell = { 0 };
	unsigned int relation, cpu, mode;
	size_t n = 0;

	for (cpu = 0; cpu < HAZARD_CPUS; cpu++) {
		if (!(axes->poller_cpus & 1u << cpu))
			continue;
		cell.poller_cpu = cpu;
		for (relation = RUN_NONE; relation <= RUN_ABOVE; relation++) {
			cell.relation = relation;
			for (mode = 0; (cell.wait = hazard_wait(mode)); mode++)
				if (axes->waits & 1u << mode &&
				    relation_fits(axes, relation, cell.wait))
					n = add_contenders(axes, cell, cells, n);
		}
	}
	return n;
}

#define AT(field) offsetof(struct hazard_params, field)

const struct option_row hazard_rows[] = {
	ROW_STRATEGY(struct hazard_params),
	{ "relation", 'r', OPTION_TEXT, AT(relation), 0, 0, "LIST",
	  "poller below, equal, above its IRQ thread", NULL },
	{ "wait", 'w', OPTION_TEXT, AT(wait), 0, 0, "LIST",
	  "read, poll, epoll; direct where the strategy has it", NULL },
	{ "contender", 'c', OPTION_TEXT, AT(contender), 0, 0, "LIST",
	  "none, poll, epoll, reader, vector, irqfd", NULL },
	{ "poller-cpu", 0, OPTION_TEXT, AT(poller_cpu), 0, 0, "LIST",
	  "poller on the interrupt's CPU or not: same, other", NULL },
	{ "contender-cpu", 0, OPTION_TEXT, AT(contender_cpu), 0, 0, "LIST",
	  "contender on the interrupt's CPU or not: same, other", NULL },
	{ "contender-prio", 0, OPTION_NUMBER, AT(contender_priority), 0, 99, "PRIO",
	  "SCHED_FIFO priority of the contender; 0: SCHED_OTHER", NULL },
	{ "irq-prio", 0, OPTION_NUMBER, AT(irq_priority), 2, 98, "PRIO",
	  "priority of the IRQ thread; as it is if not given", NULL },
	{ "irq-cpu", 0, OPTION_NUMBER, AT(irq_cpu), 0, ROW_CPU_LAST, "CPU",
	  "CPU of the interrupt; the last one allowed if not given", NULL },
	{ "other-cpu", 0, OPTION_NUMBER, AT(other_cpu), 0, ROW_CPU_LAST, "CPU",
	  "the other CPU; the last but that one if not given", NULL },
	{ "loops", 'l', OPTION_NUMBER, AT(loops), 1, 1000000000, "COUNT",
	  "events for each cell; 100 if neither -l nor -D is given", NULL },
	{ "duration", 'D', OPTION_DURATION, AT(duration), 1, 86400, "TIME",
	  "end each cell after a time", NULL },
	ROW_INTERVAL(struct hazard_params),
	ROW_JITTER(struct hazard_params),
	ROW_SEED(struct hazard_params),
	ROW_TIMEOUT(struct hazard_params),
	{ "vector", 0, OPTION_NUMBER, AT(vector), 0, 2046, "N", "vector to measure", NULL },
	ROW_BACKEND(struct hazard_params),
	ROW_RESULTS(struct hazard_params),
	{ "label", 0, OPTION_TEXT, AT(label), 0, 0, "NAME",
	  "name of the result; date, hazard and a number if not given", NULL },
	ROW_QUIET(struct hazard_params),
	{ "json", 0, OPTION_FLAG, AT(json), 0, 0, NULL,
	  "print the manifest instead of the tables", NULL },
	ROW_SIM(struct hazard_params),
	{ 0 },
};

const struct hazard_params hazard_default = {
	.strategy = "split",
	.relation = "all",
	.wait = "all",
	.contender = "all",
	.poller_cpu = "all",
	.contender_cpu = "all",
	.irq_priority = -1,
	.irq_cpu = -1,
	.other_cpu = -1,
	.interval_us = 200,
	.jitter_us = -1,
	.timeout_ms = 1000,
	.backend = "",
	.results = "results",
	.label = "",
	.sim = "",
};
