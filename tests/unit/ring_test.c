// SPDX-License-Identifier: GPL-2.0-only
#include <pthread.h>
#include <sched.h>

#include "push.h"
#include "ring.h"
#include "unit.h"

static struct ring ring;

/* A sample whose parts all follow from its number, so that a torn one is noticed. */
static struct sample numbered(uint64_t n)
{
	return (struct sample){
		.seq = n, .sent = n * 3, .user = n ^ 0x5555555555555555ull, .done = ~n,
		.values = (uint32_t)n, .progress = (uint32_t)(n >> 7),
	};
}

static bool is_numbered(const struct sample *s)
{
	const struct sample want = numbered(s->seq);

	return !memcmp(s, &want, sizeof(want));
}

static void capacity_must_be_a_power_of_two(void **state)
{
	static const uint64_t bad[] = { 0, 3, 6, 100, 4097 };
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(bad); i++)
		assert_int_equal(ring_init(&ring, bad[i]), -EINVAL);
	assert_int_equal(ring_init(&ring, 1), 0);
	ring_free(&ring);
	assert_null(ring.records);
}

static void an_impossible_capacity_is_refused(void **state)
{
	(void)state;
	assert_int_equal(ring_init(&ring, 1ull << 56), -ENOMEM);
	/* Its size in bytes does not fit 64 bits. */
	assert_int_not_equal(ring_init(&ring, 1ull << 63), 0);
	assert_int_not_equal(ring_init(&ring, 1ull << 60), 0);
}

static void first_in_first_out_across_the_wrap(void **state)
{
	uint64_t in = 0, out = 0;
	struct sample s;
	int i, round;

	(void)state;
	assert_int_equal(ring_init(&ring, 8), 0);
	assert_false(ring_pop(&ring, &s));
	for (round = 0; round < 100; round++) {
		for (i = 0; i < 1 + round % 8; i++) {
			s = numbered(in++);
			ring_push(&ring, &s);
		}
		while (ring_pop(&ring, &s)) {
			assert_true(is_numbered(&s));
			assert_int_equal(s.seq, out++);
		}
		assert_int_equal(in, out);
	}
	assert_int_equal(atomic_load(&ring.drops), 0);
	ring_free(&ring);
}

static void a_full_ring_drops_and_counts(void **state)
{
	struct sample s;
	uint64_t i;

	(void)state;
	assert_int_equal(ring_init(&ring, 4), 0);
	for (i = 0; i < 7; i++) {
		s = numbered(i);
		ring_push(&ring, &s);
	}
	assert_int_equal(atomic_load(&ring.drops), 3);
	assert_true(ring_pop(&ring, &s));
	assert_int_equal(s.seq, 0);
	s = numbered(7);
	ring_push(&ring, &s);
	assert_int_equal(atomic_load(&ring.drops), 3);
	for (i = 1; i < 4; i++) {
		assert_true(ring_pop(&ring, &s));
		assert_int_equal(s.seq, i);
	}
	assert_true(ring_pop(&ring, &s));
	assert_int_equal(s.seq, 7);
	assert_false(ring_pop(&ring, &s));
	ring_free(&ring);
}

/* The poller reserves before it waits; what is popped meanwhile makes room for its sample. */
static void room_made_between_reserve_and_publish(void **state)
{
	struct sample s, *place;
	uint64_t i;

	(void)state;
	assert_int_equal(ring_init(&ring, 2), 0);
	for (i = 0; i < 2; i++) {
		place = ring_reserve(&ring);
		*place = numbered(i);
		ring_publish(&ring, place);
	}
	place = ring_reserve(&ring);
	*place = numbered(2);
	assert_true(ring_pop(&ring, &s));
	ring_publish(&ring, place);
	assert_int_equal(atomic_load(&ring.drops), 0);
	/* Full again, and this time nobody makes room. */
	place = ring_reserve(&ring);
	*place = numbered(3);
	ring_publish(&ring, place);
	assert_int_equal(atomic_load(&ring.drops), 1);
	for (i = 1; i < 3; i++) {
		assert_true(ring_pop(&ring, &s));
		assert_true(is_numbered(&s));
		assert_int_equal(s.seq, i);
	}
	assert_false(ring_pop(&ring, &s));
	ring_free(&ring);
}

static void a_place_that_is_not_published_is_not_popped(void **state)
{
	struct sample s;

	(void)state;
	assert_int_equal(ring_init(&ring, 4), 0);
	*ring_reserve(&ring) = numbered(7);
	assert_false(ring_pop(&ring, &s));
	assert_ptr_equal(ring_reserve(&ring), ring_reserve(&ring));
	ring_free(&ring);
}

#define PUSHES 2000000

static void *producer(void *arg)
{
	struct sample s;
	uint64_t i;

	(void)arg;
	for (i = 0; i < PUSHES; i++) {
		s = numbered(i);
		ring_push(&ring, &s);
		/* Let the consumer drain now and then, or all but the first few are dropped. */
		if (!(i % 512))
			sched_yield();
	}
	return NULL;
}

static void two_threads_lose_nothing_uncounted(void **state)
{
	uint64_t popped = 0, last = 0;
	pthread_t thread;
	bool done = false;
	struct sample s;

	(void)state;
	assert_int_equal(ring_init(&ring, 1024), 0);
	assert_int_equal(pthread_create(&thread, NULL, producer, NULL), 0);
	while (!done) {
		done = !pthread_tryjoin_np(thread, NULL);
		while (ring_pop(&ring, &s)) {
			assert_true(is_numbered(&s));
			assert_true(!popped || s.seq > last);
			last = s.seq;
			popped++;
		}
	}
	printf("# %llu popped, %llu dropped\n", (unsigned long long)popped,
	       (unsigned long long)atomic_load(&ring.drops));
	assert_int_equal(popped + atomic_load(&ring.drops), PUSHES);
	assert_true(popped >= 1024);
	ring_free(&ring);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(capacity_must_be_a_power_of_two),
		cmocka_unit_test(an_impossible_capacity_is_refused),
		cmocka_unit_test(first_in_first_out_across_the_wrap),
		cmocka_unit_test(a_full_ring_drops_and_counts),
		cmocka_unit_test(room_made_between_reserve_and_publish),
		cmocka_unit_test(a_place_that_is_not_published_is_not_popped),
		cmocka_unit_test(two_threads_lose_nothing_uncounted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
