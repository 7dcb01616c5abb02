/* SPDX-License-Identifier: MIT */
/* Islands: sets of things that hang together. root[k] leads to the first of k's set, which is its own root. */
#pragma once

#include <stdint.h>

static inline int32_t ts_root_of(int32_t *root, int32_t k)
{
    while (root[k] != k)
        k = root[k] = root[root[k]];
    return k;
}

static inline void ts_unite(int32_t *root, int32_t a, int32_t b)
{
    a = ts_root_of(root, a);
    b = ts_root_of(root, b);
    root[a > b ? a : b] = a > b ? b : a;
}
