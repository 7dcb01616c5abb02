/* SPDX-License-Identifier: MIT */
/* Part of the bench `maps`: one network asked and trained by us and by PyTorch. */
#pragma once

#include "bench.h"
#include "touchstone/map.h"

/* What PyTorch reached with one network. */
typedef struct ts_peer_rates {
    char name[64];   /* "PyTorch 1.13.0"; empty: it is not here */
    double query;    /* values with gradient a second, its best batch, by hand or not; NaN: not measured */
    double training; /* samples a second, at its best batch */
} ts_peer_rates;

/* Rows of one network map's gap network: queries with gradient, share of the core's peak, training; `peak` in
 * operations a second. */
ts_status ts_bench_map_network(ts_bench *bench, const ts_map *map, double peak, ts_peer_rates *peer, ts_error *error);
