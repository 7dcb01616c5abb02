/* SPDX-License-Identifier: MIT */
/* The hash against XXH3's published values, and the stream against the whole. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/hash.h"
#include "base/random.h"

/* xxhash's own sanity buffer (tests/sanity_test.c), with its table of XSUM_XXH3_64bits results. */
static void hash_gives_the_published_values(void **state)
{
    (void)state;
    static unsigned char buffer[2400];
    uint64_t generator = 2654435761u;
    for (size_t i = 0; i < sizeof buffer; i++) {
        buffer[i] = (unsigned char)(generator >> 56);
        generator *= 11400714785074694797u;
    }
    const uint64_t seed = 0x9E3779B185EBCA8Du;
    static const struct {
        size_t size;
        int seeded;
        uint64_t value;
    } known[] = {
        {0, 0, 0x2D06800538D394C2u},    {0, 1, 0xA8A6B918B2F0364Au},    {1, 0, 0xC44BDFF4074EECDBu},
        {1, 1, 0x032BE332DD766EF8u},    {6, 0, 0x27B56A84CD2D7325u},    {6, 1, 0x84589C116AB59AB9u},
        {12, 0, 0xA713DAF0DFBB77E7u},   {12, 1, 0xE7303E1B2336DE0Eu},   {24, 0, 0xA3FE70BF9D3510EBu},
        {24, 1, 0x850E80FC35BDD690u},   {48, 0, 0x397DA259ECBA1F11u},   {48, 1, 0xADC2CBAA44ACC616u},
        {80, 0, 0xBCDEFBBB2C47C90Au},   {80, 1, 0xC6DD0CB699532E73u},   {195, 0, 0xCD94217EE362EC3Au},
        {195, 1, 0xBA68003D370CB3D9u},  {2048, 0, 0xDD59E2C3A5F038E0u}, {2048, 1, 0x66F81670669ABABCu},
        {2240, 0, 0x6E73A90539CF2948u}, {2240, 1, 0x757BA8487D1B5247u},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        assert_true(ts_hash(buffer, known[i].size, known[i].seeded ? seed : 0) == known[i].value);
    assert_true(ts_hash(NULL, 0, 0) == known[0].value);
}

static void a_stream_in_pieces_hashes_as_the_whole(void **state)
{
    (void)state;
    static unsigned char data[5000];
    for (size_t i = 0; i < sizeof data; i++)
        data[i] = (unsigned char)ts_random_u64(1, 1, i);
    for (uint64_t trial = 0; trial < 300; trial++) {
        size_t size = ts_random_below(2, 1, trial, sizeof data), at = 0;
        uint64_t seed = trial % 3;
        ts_hash_stream stream, copy;
        ts_hash_begin(&stream, seed);
        for (uint64_t piece = 0; at < size; piece++) {
            size_t step = ts_random_below(3, trial, piece, size - at + 1);
            ts_hash_add(&stream, data + at, step);
            at += step;
        }
        ts_hash_add(&stream, NULL, 0);
        assert_true(ts_hash_end(&stream) == ts_hash(data, size, seed));
        /* asking changes nothing, and a copy is a stream of its own */
        copy = stream;
        ts_hash_add(&copy, "x", 1);
        assert_true(ts_hash_end(&stream) == ts_hash(data, size, seed));
        assert_true(ts_hash_end(&copy) != ts_hash_end(&stream));
    }
}

static void one_bit_changes_the_hash(void **state)
{
    (void)state;
    unsigned char data[64] = {0};
    uint64_t before = ts_hash(data, sizeof data, 0);
    for (int bit = 0; bit < 512; bit++) {
        data[bit / 8] ^= (unsigned char)(1 << bit % 8);
        assert_true(ts_hash(data, sizeof data, 0) != before);
        data[bit / 8] ^= (unsigned char)(1 << bit % 8);
    }
}

int main(void)
{
    const struct CMUnitTest test[] = {
        cmocka_unit_test(hash_gives_the_published_values),
        cmocka_unit_test(a_stream_in_pieces_hashes_as_the_whole),
        cmocka_unit_test(one_bit_changes_the_hash),
    };
    return cmocka_run_group_tests(test, NULL, NULL);
}
