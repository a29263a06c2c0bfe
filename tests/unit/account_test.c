// SPDX-License-Identifier: GPL-2.0-only
#include "account.h"
#include "unit.h"

static struct account a;

/* A run of 1000 events, each with its interrupt, thread, signal and wake. */
static struct account_in clean(void)
{
	return (struct account_in){
		.fired = 1000, .driver = true, .primary = true, .isr = 1000, .threads = 1000,
		.signals = 1000, .wake = "eventfd", .values = 1000, .wakes = 1000, .seen = 1000,
	};
}

static void expect(uint64_t device_to_isr, uint64_t isr_to_thread, uint64_t wake,
		   uint64_t unknown, uint64_t lost, uint64_t unexplained)
{
	assert_true(a.device_to_isr == device_to_isr);
	assert_true(a.isr_to_thread == isr_to_thread);
	assert_true(a.wake == wake);
	assert_true(a.unknown == unknown);
	assert_true(a.lost == lost);
	assert_true(a.unexplained == unexplained);
	assert_int_equal(a.valid, !lost && !unexplained);
}

static void nothing_merged_nothing_lost(void **state)
{
	const struct account_in in = clean();

	(void)state;
	account_close(&a, &in);
	expect(0, 0, 0, ACCOUNT_UNKNOWN, 0, 0);
	assert_string_equal(a.text, "1000 fired = 1000 wakes + 0 merged; none lost");
}

static void nothing_fired(void **state)
{
	const struct account_in in = { .driver = true, .primary = true, .wake = "page" };

	(void)state;
	account_close(&a, &in);
	expect(0, 0, 0, ACCOUNT_UNKNOWN, 0, 0);
}

static void merges_at_each_place(void **state)
{
	struct account_in in = clean();

	(void)state;
	in.isr = in.threads = in.signals = in.values = in.wakes = 996;
	account_close(&a, &in);
	expect(4, 0, 0, ACCOUNT_UNKNOWN, 0, 0);
	assert_string_equal(a.text, "1000 fired = 996 wakes + 4 merged (4 device to ISR); none lost");

	in = clean();
	in.threads = in.signals = in.values = in.wakes = 990;
	account_close(&a, &in);
	expect(0, 10, 0, ACCOUNT_UNKNOWN, 0, 0);
	assert_text(a.text, "(10 ISR to thread)");

	in = clean();
	in.wakes = 999;
	account_close(&a, &in);
	expect(0, 0, 1, ACCOUNT_UNKNOWN, 0, 0);
	assert_text(a.text, "(1 eventfd)");

	in = clean();
	in.isr = 900;
	in.threads = in.signals = in.values = 870;
	in.wakes = 869;
	account_close(&a, &in);
	expect(100, 30, 1, ACCOUNT_UNKNOWN, 0, 0);
	assert_string_equal(a.text, "1000 fired = 869 wakes + 131 merged "
			    "(100 device to ISR, 30 ISR to thread, 1 eventfd); none lost");
}

static void a_signal_that_never_arrived(void **state)
{
	struct account_in in = clean();

	(void)state;
	/* The 500th of 1000 was dropped; the next wake covered its event in time. */
	in.values = in.wakes = 999;
	account_close(&a, &in);
	expect(0, 0, 0, ACCOUNT_UNKNOWN, 1, 0);
	assert_string_equal(a.text, "1000 fired = 999 wakes + 0 merged; 1 LOST");
	/* The same, but it was missed first: it is one event all the same. */
	in.overdue = 1;
	account_close(&a, &in);
	expect(0, 0, 0, ACCOUNT_UNKNOWN, 1, 0);
	/* It was the last one. */
	in.overdue = 0;
	in.seen = 999;
	account_close(&a, &in);
	expect(0, 0, 0, ACCOUNT_UNKNOWN, 1, 0);
}

static void an_interrupt_that_never_came(void **state)
{
	struct account_in in = clean();

	(void)state;
	in.isr = in.threads = in.signals = in.values = in.wakes = 999;
	in.overdue = 1;
	account_close(&a, &in);
	expect(0, 0, 0, ACCOUNT_UNKNOWN, 1, 0);
	/* Without the time-out nobody can tell it from a merge in the pending bit. */
	in.overdue = 0;
	account_close(&a, &in);
	expect(1, 0, 0, ACCOUNT_UNKNOWN, 0, 0);
	/* The device stopped after 600. */
	in = clean();
	in.isr = in.threads = in.signals = in.values = in.wakes = in.seen = 600;
	account_close(&a, &in);
	expect(0, 0, 0, ACCOUNT_UNKNOWN, 400, 0);
}

static void a_sample_dropped_by_the_ring(void **state)
{
	struct account_in in = clean();

	(void)state;
	in.ring_drops = 3;
	account_close(&a, &in);
	expect(0, 0, 0, ACCOUNT_UNKNOWN, 3, 0);
	assert_text(a.text, "3 LOST (3 of them dropped by the ring)");
}

static void catch_ups_are_signals_without_event(void **state)
{
	struct account_in in = clean();

	(void)state;
	in.catchups = 2;
	in.values = in.wakes = 1002;
	account_close(&a, &in);
	expect(0, 0, 0, ACCOUNT_UNKNOWN, 0, 0);
	assert_text(a.text, "1000 fired + 2 catch-ups = 1002 wakes");
	in.values = in.wakes = 1001;
	account_close(&a, &in);
	expect(0, 0, 0, ACCOUNT_UNKNOWN, 1, 0);
}

/* Strategy thread: no primary of ours; the kernel's count of hard IRQs stands in where known. */
static void without_a_primary(void **state)
{
	struct account_in in = clean();

	(void)state;
	in.primary = false;
	in.isr = 0;
	in.threads = in.signals = in.values = in.wakes = 990;
	account_close(&a, &in);
	expect(ACCOUNT_UNKNOWN, ACCOUNT_UNKNOWN, 0, 10, 0, 0);
	assert_text(a.text, "(10 place unknown)");
	in.irqs_known = true;
	in.irqs = 993;
	account_close(&a, &in);
	expect(7, 3, 0, ACCOUNT_UNKNOWN, 0, 0);
}

static void stock_counts_nothing_inside(void **state)
{
	struct account_in in = {
		.fired = 1000, .wake = "eventfd", .values = 990, .wakes = 985, .seen = 1000,
	};

	(void)state;
	account_close(&a, &in);
	expect(ACCOUNT_UNKNOWN, ACCOUNT_UNKNOWN, 5, 10, 0, 0);
	assert_text(a.text, "15 merged (5 eventfd, 10 place unknown)");
	/* Events after the last wake are known to be lost. */
	in = (struct account_in){ .fired = 1000, .wake = "eventfd", .values = 998, .wakes = 998,
				  .seen = 998 };
	account_close(&a, &in);
	expect(ACCOUNT_UNKNOWN, ACCOUNT_UNKNOWN, 0, 0, 2, 0);
	/* So are those overdue. */
	in = (struct account_in){ .fired = 1000, .wake = "eventfd", .values = 998, .wakes = 998,
				  .seen = 1000, .overdue = 2 };
	account_close(&a, &in);
	expect(ACCOUNT_UNKNOWN, ACCOUNT_UNKNOWN, 0, 0, 2, 0);
}

/* The poller was starved past the time-out: one wake took two signals, and nothing was lost. */
static void an_event_that_was_overdue_and_delivered(void **state)
{
	struct account_in in = clean();

	(void)state;
	in.overdue = 1;
	in.wakes = 999;
	account_close(&a, &in);
	expect(0, 0, 1, ACCOUNT_UNKNOWN, 0, 0);
	/* Another one was lost meanwhile. */
	in.values = 999;
	in.wakes = 998;
	in.overdue = 2;
	account_close(&a, &in);
	expect(0, 0, 1, ACCOUNT_UNKNOWN, 1, 0);
	/* The same without a primary of ours, and on stock. */
	in = clean();
	in.overdue = 1;
	in.wakes = 999;
	in.primary = false;
	in.isr = 0;
	account_close(&a, &in);
	expect(ACCOUNT_UNKNOWN, ACCOUNT_UNKNOWN, 1, 0, 0, 0);
	in.irqs_known = true;
	in.irqs = 1000;
	account_close(&a, &in);
	expect(0, 0, 1, ACCOUNT_UNKNOWN, 0, 0);
	in = (struct account_in){ .fired = 1000, .wake = "eventfd", .values = 1000, .wakes = 999,
				  .seen = 1000, .overdue = 1 };
	account_close(&a, &in);
	expect(ACCOUNT_UNKNOWN, ACCOUNT_UNKNOWN, 1, 0, 0, 0);
}

/*
 * The poller waits on the eventfd, but the strategy wakes by something else: a thread signals it.
 */
static void an_eventfd_signalled_beside(void **state)
{
	struct account_in in = clean();

	(void)state;
	in.beside = true;
	in.eventfds = in.values = in.wakes = 990;
	account_close(&a, &in);
	expect(0, 10, 0, ACCOUNT_UNKNOWN, 0, 0);
	in.values = in.wakes = 989;
	account_close(&a, &in);
	expect(0, 10, 0, ACCOUNT_UNKNOWN, 1, 0);
	/* Where nobody waits on it, it does not matter what becomes of it. */
	in = clean();
	in.eventfds = 990;
	account_close(&a, &in);
	expect(0, 0, 0, ACCOUNT_UNKNOWN, 0, 0);
}

static void a_merge_at_the_wake_is_called_after_what_is_waited_on(void **state)
{
	struct account_in in = clean();

	(void)state;
	in.wakes = 997;
	in.wake = "wait ioctl";
	account_close(&a, &in);
	expect(0, 0, 3, ACCOUNT_UNKNOWN, 0, 0);
	assert_text(a.text, "= 997 wakes + 3 merged (3 wait ioctl)");
	in.wake = "page";
	account_close(&a, &in);
	assert_text(a.text, "(3 page)");
}

static void contradictions_are_unexplained(void **state)
{
	struct account_in in = clean();

	(void)state;
	in.seen = 1001;
	account_close(&a, &in);
	assert_true(a.unexplained == 1 && !a.valid);

	in = clean();
	in.isr = 1003;
	in.threads = in.signals = 1003;
	in.values = in.wakes = 1003;
	account_close(&a, &in);
	assert_true(a.unexplained == 3 && !a.valid);

	in = clean();
	in.isr = 998;
	account_close(&a, &in);
	/* Two more threads than interrupts; the two that are missing before look like merges. */
	assert_true(a.unexplained == 2 && a.device_to_isr == 2 && !a.valid);

	/* A thread of ours found its interrupt consumed by the run before: a merge there... */
	in = clean();
	in.signals = in.values = in.wakes = 998;
	account_close(&a, &in);
	expect(0, 2, 0, ACCOUNT_UNKNOWN, 0, 0);
	/* ...but a forced thread signals once for each entry, and none signals unentered. */
	in.primary = false;
	account_close(&a, &in);
	assert_true(a.unexplained == 2 && !a.valid);
	in = clean();
	in.threads = 997;
	account_close(&a, &in);
	assert_true(a.unexplained == 3 && !a.valid);

	in = clean();
	in.values = in.wakes = 1004;
	account_close(&a, &in);
	assert_true(a.unexplained == 4 && !a.valid);

	in = clean();
	in.wakes = 1005;
	account_close(&a, &in);
	assert_true(a.unexplained == 5 && !a.valid);
	assert_text(a.text, "5 UNEXPLAINED");

	in = (struct account_in){ .fired = 10, .values = 12, .wakes = 12, .seen = 10 };
	account_close(&a, &in);
	assert_true(a.unexplained == 2 && !a.valid);
}

static void under_way_nothing_in_flight_is_lost(void **state)
{
	struct account_in in = clean();

	(void)state;
	in.under_way = true;
	in.seen = 990;
	in.wakes = 980;
	in.signals = 3;
	in.isr = 2000;
	account_close(&a, &in);
	expect(ACCOUNT_UNKNOWN, ACCOUNT_UNKNOWN, 0, 10, 0, 0);
	assert_text(a.text, "1000 fired, 990 seen by 980 wakes; under way");
	in.overdue = 4;
	in.ring_drops = 1;
	account_close(&a, &in);
	expect(ACCOUNT_UNKNOWN, ACCOUNT_UNKNOWN, 0, 6, 5, 0);
}

static void the_text_fits_a_year_of_events(void **state)
{
	struct account_in in = {
		.fired = 999999999999, .driver = true, .primary = true, .isr = 888888888888,
		.threads = 777777777777, .signals = 777777777777, .catchups = 111111111111,
		.values = 555555555555, .wakes = 444444444444, .seen = 999999999999,
		.ring_drops = 111111111111, .wake = "wait ioctl", .foreign = 222222222222,
		.taken = 444444444444, .takes = 333333333333,
	};

	(void)state;
	account_close(&a, &in);
	assert_text(a.text, " (111111111111 of them dropped by the ring)");
}

/*
 * A model of the chain, fired in bursts as the trigger does: after each burst it waits, and what
 * no wake covered by then is a gap, which is overdue once a later wake covers it. In a burst,
 * events merge in the pending bit, at the thread or at the wake; or its last event is lost,
 * because its interrupt never comes or its signal is dropped.
 */
struct model {
	struct account_in in;
	uint64_t device, thread, wake, lost, gap;
};

static void deliver(struct model *m, bool first, uint64_t *seed, unsigned int rate)
{
	m->in.threads++;
	m->in.signals++;
	m->in.values++;
	if (!first && unit_random(seed) % rate == 0)
		m->wake++;
	else
		m->in.wakes++;
	m->in.seen = m->in.fired;
	m->in.overdue += m->gap;
	m->gap = 0;
}

static void merging_burst(struct model *m, unsigned int n, uint64_t *seed, unsigned int rate)
{
	bool first = true;

	while (n--) {
		m->in.fired++;
		if (n && unit_random(seed) % rate == 0) {
			m->device++;
			continue;
		}
		m->in.isr++;
		if (n && unit_random(seed) % rate == 0) {
			m->thread++;
			continue;
		}
		deliver(m, first, seed, rate);
		first = false;
	}
}

static void losing_burst(struct model *m, unsigned int n, uint64_t *seed)
{
	while (--n) {
		m->in.fired++;
		m->in.isr++;
		deliver(m, true, seed, 1);
	}
	m->in.fired++;
	m->lost++;
	m->gap++;
	if (unit_random(seed) % 2)
		return;
	m->in.isr++;
	m->in.threads++;
	m->in.signals++;
}

static void run_model(struct model *m, uint64_t *seed)
{
	unsigned int bursts = (unsigned int)(unit_random(seed) % 200);
	unsigned int rate = 2 + (unsigned int)(unit_random(seed) % 50);
	unsigned int losses = 2 + (unsigned int)(unit_random(seed) % 300), n;

	memset(m, 0, sizeof(*m));
	m->in.driver = m->in.primary = true;
	m->in.wake = "wait ioctl";
	m->in.catchups = unit_random(seed) % 3;
	m->in.values = m->in.wakes = m->in.catchups;
	while (bursts--) {
		n = 1 + (unsigned int)(unit_random(seed) % 8);
		if (unit_random(seed) % losses == 0)
			losing_burst(m, n, seed);
		else
			merging_burst(m, n, seed, rate);
	}
}

static void a_random_chain_is_explained_exactly(void **state)
{
	uint64_t seed = 2026, merged = 0, lost = 0;
	struct model m;
	int i;

	(void)state;
	for (i = 0; i < 20000; i++) {
		run_model(&m, &seed);
		account_close(&a, &m.in);
		expect(m.device, m.thread, m.wake, ACCOUNT_UNKNOWN, m.lost, 0);
		merged += m.device + m.thread + m.wake;
		lost += m.lost;
	}
	printf("# %llu merges, %llu losses\n", (unsigned long long)merged,
	       (unsigned long long)lost);
	assert_true(merged > 100000 && lost > 10000);
}

/* The same chains seen through strategy thread, with and without the kernel's count. */
static void a_random_chain_without_a_primary(void **state)
{
	uint64_t seed = 2027;
	struct model m;
	int i;

	(void)state;
	for (i = 0; i < 20000; i++) {
		run_model(&m, &seed);
		m.in.primary = false;
		m.in.irqs = m.in.isr;
		m.in.isr = 0;
		account_close(&a, &m.in);
		expect(ACCOUNT_UNKNOWN, ACCOUNT_UNKNOWN, m.wake, m.device + m.thread, m.lost, 0);
		m.in.irqs_known = true;
		account_close(&a, &m.in);
		expect(m.device, m.thread, m.wake, ACCOUNT_UNKNOWN, m.lost, 0);
	}
}

static void a_random_chain_on_stock(void **state)
{
	uint64_t seed = 2028;
	struct model m;
	int i;

	(void)state;
	for (i = 0; i < 20000; i++) {
		run_model(&m, &seed);
		m.in.values -= m.in.catchups;
		m.in.wakes -= m.in.catchups;
		m.in.driver = m.in.primary = false;
		m.in.isr = m.in.threads = m.in.signals = m.in.catchups = 0;
		account_close(&a, &m.in);
		expect(ACCOUNT_UNKNOWN, ACCOUNT_UNKNOWN, m.wake, m.device + m.thread, m.lost, 0);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing_merged_nothing_lost),
		cmocka_unit_test(nothing_fired),
		cmocka_unit_test(merges_at_each_place),
		cmocka_unit_test(a_signal_that_never_arrived),
		cmocka_unit_test(an_interrupt_that_never_came),
		cmocka_unit_test(a_sample_dropped_by_the_ring),
		cmocka_unit_test(catch_ups_are_signals_without_event),
		cmocka_unit_test(without_a_primary),
		cmocka_unit_test(stock_counts_nothing_inside),
		cmocka_unit_test(an_event_that_was_overdue_and_delivered),
		cmocka_unit_test(an_eventfd_signalled_beside),
		cmocka_unit_test(a_merge_at_the_wake_is_called_after_what_is_waited_on),
		cmocka_unit_test(contradictions_are_unexplained),
		cmocka_unit_test(under_way_nothing_in_flight_is_lost),
		cmocka_unit_test(the_text_fits_a_year_of_events),
		cmocka_unit_test(a_random_chain_is_explained_exactly),
		cmocka_unit_test(a_random_chain_without_a_primary),
		cmocka_unit_test(a_random_chain_on_stock),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
