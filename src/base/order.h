/* SPDX-License-Identifier: MIT */
/* Ascending orders of plain numbers, for qsort. */
#pragma once

#include <stdint.h>

#define TS_ASCENDING(name, type)                               \
    static inline int name(const void *a, const void *b)       \
    {                                                          \
        const type x = *(const type *)a, y = *(const type *)b; \
        return (x > y) - (x < y);                              \
    }

TS_ASCENDING(ts_ascending_f64, double)
TS_ASCENDING(ts_ascending_i32, int32_t)
TS_ASCENDING(ts_ascending_u64, uint64_t)
