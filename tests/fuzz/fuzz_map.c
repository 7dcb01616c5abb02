/* SPDX-License-Identifier: MIT */
/* Any bytes as a map file: what is accepted is asked, and must answer with numbers and read the same when written
 * again. Each input is tried as it is, and again with the right size, checksums and hashes of outlines, since no
 * mutation would guess those. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/hash.h"
#include "base/memory.h"
#include "cspace/map.h"
#include "cspace/map_file.h"
#include "shape/outline.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { PREFIX = 32, CHECKSUM = 8, VERTICES_MAX = 200, BETWEEN = 8 + 8 + 4 + 4 + 76 + 88 + 8 }; /* text … hashes */

/* The next outline of the file, or NULL. */
static ts_outline *take_outline(ts_bytes *from)
{
    static ts_vertex vertex[VERTICES_MAX];
    ts_contour contour[VERTICES_MAX];
    size_t used = 0;
    uint64_t contours = ts_take_u64(from);
    if (contours > VERTICES_MAX)
        return NULL;
    for (size_t i = 0; i < contours; i++) {
        uint64_t count = ts_take_u64(from);
        ts_take_u32(from);
        if (count > VERTICES_MAX - used)
            return NULL;
        contour[i] = (ts_contour){.vertex = vertex + used, .vertex_count = (size_t)count};
        for (size_t k = 0; k < count; k++, used++) {
            vertex[used].x = ts_take_f64(from);
            vertex[used].y = ts_take_f64(from);
            vertex[used].bulge = ts_take_f64(from);
            /* farther out nothing is accepted anyway, and rounding to the hash's grain would overflow */
            if (!(fabs(vertex[used].x) <= 2 && fabs(vertex[used].y) <= 2 && fabs(vertex[used].bulge) <= 1e9))
                return NULL;
        }
    }
    ts_outline *outline = NULL;
    if (from->bad || ts_outline_adopt(contour, (size_t)contours, NULL, 0, &outline, NULL) != TS_OK)
        return NULL;
    return outline;
}

static void fix_hashes(uint8_t *data, size_t size)
{
    ts_bytes from = ts_bytes_of(data + PREFIX, size - PREFIX - CHECKSUM);
    uint32_t length = ts_take_u32(&from);
    if (length > 32 || !ts_take(&from, length) || !ts_take(&from, BETWEEN))
        return;
    uint8_t *hash = data + (from.at - data);
    if (!ts_take(&from, 16))
        return;
    ts_outline *a = take_outline(&from), *b = a ? take_outline(&from) : NULL;
    ts_pair *pair;
    if (!b) {
        ts_outline_free(a);
        return;
    }
    if (ts_pair_adopt(a, b, 1, &pair, NULL) != TS_OK)
        return;
    ts_put_u64(ts_put_u64(hash, pair->hash_a), pair->hash_b);
    ts_pair_free(pair);
}

static void sign(uint8_t *data, size_t size)
{
    if (size < PREFIX + CHECKSUM)
        return;
    ts_put_u64(data + 16, size - PREFIX - CHECKSUM);
    ts_put_u64(data + 24, ts_hash(data, 24, 0));
    fix_hashes(data, size);
    ts_put_u64(data + size - CHECKSUM, ts_hash(data, size - CHECKSUM, 0));
}

static bool is_finite(const ts_map_contact *c)
{
    return isfinite(c->gap) && isfinite(c->normal[0]) && isfinite(c->normal[1]) && isfinite(c->slope) &&
           isfinite(c->turn_a) && isfinite(c->turn_b) && isfinite(c->arm_a) && isfinite(c->arm_b) &&
           isfinite(c->point_a[0]) && isfinite(c->point_a[1]) && isfinite(c->point_b[0]) && isfinite(c->point_b[1]);
}

static void ask(const ts_map *map)
{
    enum { POSES = 64 };
    double unit = map->pair->unit;
    ts_map_pose pose[POSES];
    ts_map_contact contact[POSES];
    if (!(unit > 1e-100 && unit < 1e100))
        return; /* products of the queries' own metres may leave the range of numbers */
    for (int i = 0; i < POSES; i++) {
        /* a spiral from the centre to beyond the reach */
        double r = unit * 2.5 * i / POSES;
        pose[i] = (ts_map_pose){.a = {0, 0, i}, .b = {r * cos(2.4 * i), r * sin(2.4 * i), 0.7 * i}, .scale = 1};
    }
    ts_map_query(map, POSES, pose, contact);
    for (int i = 0; i < POSES; i++)
        if (!is_finite(&contact[i]))
            abort();
}

static void load(const uint8_t *data, size_t size)
{
    ts_map *map, *again;
    ts_error error = {0};
    unsigned char *bytes, *twice;
    size_t length, twice_length;
    if (ts_map_decode(data, size, "map", &map, &error) != TS_OK) {
        if (map || error.message[0] == 0)
            abort();
        return;
    }
    ask(map);
    if (ts_map_encode(map, &bytes, &length, NULL) != TS_OK ||
        ts_map_decode(bytes, length, "again", &again, NULL) != TS_OK ||
        ts_map_encode(again, &twice, &twice_length, NULL) != TS_OK)
        abort();
    if (length != twice_length || (map->made_at != 0 && memcmp(bytes, twice, length) != 0))
        abort();
    ts_free(bytes);
    ts_free(twice);
    ts_map_free(map);
    ts_map_free(again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    load(data, size);
    uint8_t *copy = malloc(size + 1);
    if (!copy)
        return 0;
    if (size > 0)
        memcpy(copy, data, size);
    sign(copy, size);
    load(copy, size);
    free(copy);
    return 0;
}
