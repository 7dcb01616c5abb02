/* SPDX-License-Identifier: MIT */
/* Random numbers as pure functions.
 *
 * A number is a function of (seed, stream, index) and of nothing else: no hidden state, so the same numbers come out on
 * one thread and on many, in any order, and after a resume. `seed` is the user's --seed; `stream` tells uses apart (a
 * body's id, a generator's place in the scene); `index` counts within the stream. The function is Philox4x32-10 of
 * Salmon, Moraes, Dror and Shaw, "Parallel random numbers: as easy as 1, 2, 3" (SC 2011): ten rounds that turn a
 * 128-bit counter (index, stream) under a 64-bit key (seed) into 128 random bits. It passes BigCrush.
 *
 * Uniform and normal numbers of the same (seed, stream, index) come from the same bits: use an index once.
 * The normal numbers use libm's log and cos, so their last bit may differ between C libraries; all else is integer. */
#pragma once

#include <stdint.h>

/* The 128 random bits of one counter. */
typedef struct ts_random_block {
    uint32_t word[4];
} ts_random_block;

/* Philox4x32-10 itself, words in the order of the published test vectors. */
ts_random_block ts_random_philox(const uint32_t counter[4], const uint32_t key[2]);

/* 64 random bits. */
uint64_t ts_random_u64(uint64_t seed, uint64_t stream, uint64_t index);
/* Uniform in [0, 1), a multiple of 2^-53. */
double ts_random_uniform(uint64_t seed, uint64_t stream, uint64_t index);
/* Uniform in [low, high); `low` when the range is empty. */
double ts_random_range(uint64_t seed, uint64_t stream, uint64_t index, double low, double high);
/* Standard normal (Box–Muller; |value| < 8.6). */
double ts_random_normal(uint64_t seed, uint64_t stream, uint64_t index);
/* Uniform in 0 … n-1 without bias; 0 when n is 0. */
uint64_t ts_random_below(uint64_t seed, uint64_t stream, uint64_t index, uint64_t n);

/* A cursor for sequential use: each call takes one index. Plain data, to be stored in a checkpoint as it is. */
typedef struct ts_random {
    uint64_t seed;
    uint64_t stream;
    uint64_t counter; /* index of the next number */
} ts_random;

static inline ts_random ts_random_make(uint64_t seed, uint64_t stream)
{
    return (ts_random){seed, stream, 0};
}
static inline uint64_t ts_random_next_u64(ts_random *r)
{
    return ts_random_u64(r->seed, r->stream, r->counter++);
}
static inline double ts_random_next_uniform(ts_random *r)
{
    return ts_random_uniform(r->seed, r->stream, r->counter++);
}
static inline double ts_random_next_range(ts_random *r, double low, double high)
{
    return ts_random_range(r->seed, r->stream, r->counter++, low, high);
}
static inline double ts_random_next_normal(ts_random *r)
{
    return ts_random_normal(r->seed, r->stream, r->counter++);
}
static inline uint64_t ts_random_next_below(ts_random *r, uint64_t n)
{
    return ts_random_below(r->seed, r->stream, r->counter++, n);
}
