/* SPDX-License-Identifier: MIT */
/* Numbers on their way to a file or from one. The same lines do both, so that a reader and its writer cannot differ:
 *
 *     static void visit_mark(ts_archive *a, ts_mark *mark)
 *     {
 *         ts_archive_u64(a, &mark->bytes);
 *         ts_archive_u64(a, &mark->count); …
 *     }
 *
 * A writer leaves the values as they are. Bytes that are missing read as zero and set from.bad. */
#pragma once

#include <math.h>

#include "base/bytes.h"
#include "scene/scene.h"

typedef struct ts_archive {
    unsigned char *to, *end;             /* where the next byte is written, and the end of the room; NULL: it is read */
    void (*flush)(struct ts_archive *a); /* makes room for at least 8 more bytes; may be NULL where there is enough */
    ts_bytes from;
    bool bounded; /* numbers must not only be finite, but small enough for products of them to be finite */
    bool sane;    /* all that were read are */
} ts_archive;

/* Keeps products finite, as the setters of a scene do; false for NaN. */
static inline bool ts_archive_is_sane(double value)
{
    return fabs(value) <= TS_MAGNITUDE_MAX;
}

static inline unsigned char *ts_archive_room(ts_archive *a, size_t size)
{
    if (size > (size_t)(a->end - a->to))
        a->flush(a);
    a->to += size;
    return a->to - size;
}

static inline void ts_archive_flag(ts_archive *a, bool *value)
{
    if (a->to)
        ts_put_u8(ts_archive_room(a, 1), *value);
    else
        *value = ts_take_u8(&a->from) != 0;
}

static inline void ts_archive_u32(ts_archive *a, uint32_t *value)
{
    if (a->to)
        ts_put_u32(ts_archive_room(a, 4), *value);
    else
        *value = ts_take_u32(&a->from);
}

static inline void ts_archive_u64(ts_archive *a, uint64_t *value)
{
    if (a->to)
        ts_put_u64(ts_archive_room(a, 8), *value);
    else
        *value = ts_take_u64(&a->from);
}

static inline void ts_archive_i64(ts_archive *a, int64_t *value)
{
    uint64_t bits = (uint64_t)*value;
    ts_archive_u64(a, &bits);
    *value = (int64_t)bits;
}

static inline void ts_archive_f64(ts_archive *a, double *value, int count)
{
    for (int k = 0; k < count; k++) {
        if (a->to) {
            ts_put_f64(ts_archive_room(a, 8), value[k]);
            continue;
        }
        value[k] = ts_take_f64(&a->from);
        a->sane = a->sane && (a->bounded ? ts_archive_is_sane(value[k]) : isfinite(value[k]));
    }
}

static inline void ts_archive_f32(ts_archive *a, float *value, int count)
{
    for (int k = 0; k < count; k++) {
        if (a->to) {
            ts_put_f32(ts_archive_room(a, 4), value[k]);
            continue;
        }
        value[k] = ts_take_f32(&a->from);
        a->sane = a->sane && isfinite(value[k]);
    }
}

/* Numbers that do not stand side by side. */
static inline void ts_archive_each(ts_archive *a, double *const *value, size_t count)
{
    for (size_t i = 0; i < count; i++)
        ts_archive_f64(a, value[i], 1);
}
