/* SPDX-License-Identifier: MIT */
/* A network map with random weights: quick to make, and every bit of it matters. For tests of files and of the cache,
 * for fuzz targets and their seeds; aborts when something fails. */
#pragma once

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/random.h"
#include "cspace/map.h"
#include "cspace/network_file.h"

#define must_do(call)        \
    do {                     \
        if ((call) != TS_OK) \
            abort();         \
    } while (0)

/* A box with one arm of an arc: neither has more symmetry than a mirror, and there are lines and arcs. `size` scales
 * both. */
static inline ts_pair *random_pair(double size)
{
    ts_outline *a, *b;
    ts_pair *pair;
    must_do(ts_outline_box(2 * size, 1 * size, 0.2 * size, &a, NULL));
    must_do(ts_outline_arc(0.5 * size, 0.2 * size, 2, false, &b, NULL));
    must_do(ts_pair_create(a, b, &pair, NULL));
    ts_outline_free(a);
    ts_outline_free(b);
    return pair;
}

static inline void random_weights(ts_perceptron *p, uint64_t seed, uint64_t stream)
{
    for (int layer = 0; layer <= p->depth; layer++) {
        double scale = sqrt(2.0 / ts_perceptron_columns(p, layer)); /* keeps activations of size 1 */
        size_t end = p->bias_at[layer] + (size_t)ts_perceptron_rows(p, layer);
        for (size_t i = p->weight_at[layer]; i < end; i++)
            p->parameter[i] = (float)(scale * ts_random_normal(seed, stream, i));
    }
    must_do(ts_perceptron_pack(p, NULL));
}

static inline ts_network *random_network(const ts_map_options *options)
{
    ts_network *network = ts_alloc(1, sizeof *network);
    if (!network)
        abort();
    network->encoding = options->encoding;
    network->frequency = 1;
    int32_t inputs = options->encoding == TS_ENCODING_RAW ? 3 : 4;
    must_do(ts_perceptron_create(inputs, 1, options->depth, options->width, &network->gap, NULL));
    must_do(ts_perceptron_create(inputs, 2, options->depth, options->width, &network->arm, NULL));
    random_weights(&network->gap, options->seed, 1);
    random_weights(&network->arm, options->seed, 2);
    return network;
}

/* Made at a fixed time, so that its file is always the same. Takes over the pair. */
static inline ts_map *random_map(ts_pair *pair, const ts_map_options *given, bool rounded)
{
    ts_map_options options;
    must_do(ts_map_options_complete(given, &options, NULL));
    ts_network *network = random_network(&options);
    if (rounded)
        must_do(ts_network_round(network, NULL));
    ts_map *map;
    must_do(ts_map_assemble(pair, &options, network, NULL, &map, NULL));
    map->info.build_seconds = 1.5;
    map->info.errors = (ts_map_errors){.samples = 1000,
                                       .mean = 0.01,
                                       .high = 0.02,
                                       .worst = 0.03,
                                       .normal_mean = 0.04,
                                       .normal_high = 0.05,
                                       .arm_mean = 0.06,
                                       .turn_mean = 0.08,
                                       .sign = 0.99,
                                       .surface = 0.07,
                                       .surface_limit = 1};
    map->made_at = 1700000000;
    return map;
}
