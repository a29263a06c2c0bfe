/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Random numbers that a seed decides: the same on every machine, a stream for each user. Small
 * enough to be read, good enough to choose calls (splitmix64, Steele et al., OOPSLA 2014).
 */
#ifndef RNG_H
#define RNG_H

#include <stdbool.h>
#include <stdint.h>

/** struct rng - one stream; any value of @state starts one */
struct rng {
	uint64_t state;
};

/** rng_stream - stream number @n of a seed */
static inline struct rng rng_stream(uint64_t seed, uint64_t n)
{
	return (struct rng){ seed ^ (n + 1) * 0xd1342543de82ef95ull };
}

/** rng_next - 64 random bits */
static inline uint64_t rng_next(struct rng *r)
{
	uint64_t z = r->state += 0x9e3779b97f4a7c15ull;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
	z = (z ^ z >> 27) * 0x94d049bb133111ebull;
	return z ^ z >> 31;
}

/** rng_below - a number from 0 to @n - 1; @n from 1 to 2^32 */
static inline uint32_t rng_below(struct rng *r, uint64_t n)
{
	return (uint32_t)((rng_next(r) >> 32) * n >> 32);
}

/** rng_one_in - true once in @n times */
static inline bool rng_one_in(struct rng *r, uint32_t n)
{
	return !rng_below(r, n);
}

/**
 * rng_hostile - a number that is likely to be where a check is wrong
 * @limit: the first one that is not valid
 *
 * Half of them are valid where @limit is not 0; the others lie around the limit, at powers of two
 * and their neighbours, at either end of 32 bits, or anywhere.
 */
static inline uint32_t rng_hostile(struct rng *r, uint32_t limit)
{
	switch (rng_below(r, 8)) {
	case 0:
		return limit + rng_below(r, 3);
	case 1:
		return (1u << rng_below(r, 32)) - 1 + rng_below(r, 3);
	case 2:
		return ~0u - rng_below(r, 3);
	case 3:
		return (uint32_t)rng_next(r);
	default:
		return limit ? rng_below(r, limit) : 0;
	}
}

#endif
