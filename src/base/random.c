/* SPDX-License-Identifier: MIT */
#include "base/random.h"

#include "base/vec.h"

/* Multipliers and Weyl increments of Philox4x32 (SC 2011, section 3.3). */
#define MULTIPLIER_0 0xD2511F53u
#define MULTIPLIER_1 0xCD9E8D57u
#define WEYL_0       0x9E3779B9u /* golden ratio */
#define WEYL_1       0xBB67AE85u /* √3 - 1 */
#define ROUNDS       10

ts_random_block ts_random_philox(const uint32_t counter[4], const uint32_t key[2])
{
    uint32_t a = counter[0], b = counter[1], c = counter[2], d = counter[3], k0 = key[0], k1 = key[1];
    for (int round = 0; round < ROUNDS; round++) {
        uint64_t p = (uint64_t)MULTIPLIER_0 * a, q = (uint64_t)MULTIPLIER_1 * c;
        a = (uint32_t)(q >> 32) ^ b ^ k0;
        b = (uint32_t)q;
        c = (uint32_t)(p >> 32) ^ d ^ k1;
        d = (uint32_t)p;
        k0 += WEYL_0;
        k1 += WEYL_1;
    }
    return (ts_random_block){{a, b, c, d}};
}

static ts_random_block block_at(uint64_t seed, uint64_t stream, uint64_t index)
{
    uint32_t counter[4] = {(uint32_t)index, (uint32_t)(index >> 32), (uint32_t)stream, (uint32_t)(stream >> 32)};
    uint32_t key[2] = {(uint32_t)seed, (uint32_t)(seed >> 32)};
    return ts_random_philox(counter, key);
}

static uint64_t join(uint32_t low, uint32_t high)
{
    return (uint64_t)high << 32 | low;
}

/* The upper 53 bits as a fraction in [0, 1). */
static double fraction(uint64_t bits)
{
    return (double)(bits >> 11) * 0x1p-53;
}

uint64_t ts_random_u64(uint64_t seed, uint64_t stream, uint64_t index)
{
    ts_random_block block = block_at(seed, stream, index);
    return join(block.word[0], block.word[1]);
}

double ts_random_uniform(uint64_t seed, uint64_t stream, uint64_t index)
{
    return fraction(ts_random_u64(seed, stream, index));
}

double ts_random_range(uint64_t seed, uint64_t stream, uint64_t index, double low, double high)
{
    double value = low + (high - low) * ts_random_uniform(seed, stream, index);
    /* rounding may reach `high`, which the half-open range excludes */
    return value < high ? value : low < high ? nextafter(high, low) : low;
}

double ts_random_normal(uint64_t seed, uint64_t stream, uint64_t index)
{
    ts_random_block block = block_at(seed, stream, index);
    /* 1 - u lies in (0, 1], where the logarithm is finite */
    double u = 1 - fraction(join(block.word[0], block.word[1])), v = fraction(join(block.word[2], block.word[3]));
    return sqrt(-2 * log(u)) * cos(2 * TS_PI * v);
}

uint64_t ts_random_below(uint64_t seed, uint64_t stream, uint64_t index, uint64_t n)
{
    if (n == 0)
        return 0;
    /* Lemire (2019): the high half of bits × n, rejecting the 2^64 mod n products that would make some values likelier.
     * A rejected draw is repeated under the next key, so that no other index is used up. A repeat has a chance under
     * n / 2^64 ≤ 1/2 and the cap is never met. */
    uint64_t threshold = (0 - n) % n;
    __uint128_t product = 0;
    for (int attempt = 0; attempt < 256; attempt++) {
        product = (__uint128_t)ts_random_u64(seed, stream, index) * n;
        if ((uint64_t)product >= threshold)
            break;
        seed += 0x9E3779B97F4A7C15u;
    }
    return (uint64_t)(product >> 64);
}
