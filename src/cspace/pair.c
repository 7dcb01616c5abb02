/* SPDX-License-Identifier: MIT */
#include "cspace/pair.h"

#include <math.h>

#include "base/bytes.h"
#include "base/hash.h"
#include "base/memory.h"
#include "shape/outline.h"

/* Forms that differ by less than this, as a share of their own radius, count as one: what scaling an outline there and
 * back leaves. */
static const double form_grain = 1e-9;

/* A number > 0 to within the grain, relative: 30 bits, and a power of two. */
static void hash_size(ts_hash_stream *stream, double size)
{
    int power;
    long long part = llround(frexp(size, &power) * 0x1p30);
    if (part == 1LL << 30) { /* rounded up to the next power */
        part >>= 1;
        power++;
    }
    unsigned char bytes[16];
    ts_put_u64(ts_put_u64(bytes, (uint64_t)part), (uint64_t)(int64_t)power);
    ts_hash_add(stream, bytes, sizeof bytes);
}

/* A hash of the form that rounding does not change (but for values on the edge between two grains, where a map is then
 * made twice). In the outline's own radius: in that of a far larger partner, all small forms would be alike. */
static uint64_t hash_form(const ts_outline *outline, double radius)
{
    const double grain = form_grain * radius;
    ts_hash_stream stream;
    ts_hash_begin(&stream, 1);
    hash_size(&stream, radius);
    for (size_t c = 0; c < ts_outline_contour_count(outline); c++) {
        ts_contour contour = ts_outline_get_contour(outline, c);
        unsigned char bytes[24]; /* little-endian: the hash stands in files */
        ts_put_u64(bytes, contour.vertex_count);
        ts_hash_add(&stream, bytes, 8);
        for (size_t i = 0; i < contour.vertex_count; i++) {
            const ts_vertex *v = &contour.vertex[i];
            unsigned char *end = ts_put_u64(bytes, (uint64_t)llround(v->x / grain));
            end = ts_put_u64(end, (uint64_t)llround(v->y / grain));
            ts_put_u64(end, (uint64_t)llround(v->bulge / form_grain));
            ts_hash_add(&stream, bytes, sizeof bytes);
        }
    }
    return ts_hash_end(&stream);
}

/* About the centre of mass, in the pair's unit. */
static ts_status normalize(const ts_outline *from, double unit, ts_outline **outline, ts_error *error)
{
    ts_outline_mass mass = ts_outline_get_mass(from);
    const double shift[2] = {-mass.centre[0] / unit, -mass.centre[1] / unit};
    return ts_outline_place(from, 1 / unit, 0, shift, outline, error);
}

ts_status ts_pair_adopt(ts_outline *a, ts_outline *b, double unit, ts_pair **pair, ts_error *error)
{
    *pair = NULL;
    TS_AUTO(ts_pair_free_at) ts_pair *p = ts_alloc(1, sizeof *p);
    if (!p) {
        ts_outline_free(a);
        ts_outline_free(b);
        return ts_fail_memory(error, sizeof *p);
    }
    *p = (ts_pair){.a = a, .b = b, .unit = unit};
    TS_TRY(ts_outline_symmetry(p->a, 0, &p->symmetry_a, error));
    TS_TRY(ts_outline_symmetry(p->b, 0, &p->symmetry_b, error));
    p->radius_a = ts_outline_get_mass(p->a).radius;
    p->radius_b = ts_outline_get_mass(p->b).radius;
    p->small = fmin(p->radius_a, p->radius_b);
    p->reach = p->radius_a + p->radius_b;
    p->hash_a = hash_form(p->a, p->radius_a);
    p->hash_b = hash_form(p->b, p->radius_b);
    p->same = p->hash_a == p->hash_b;
    *pair = ts_give(&p);
    return TS_OK;
}

ts_status ts_pair_create(const ts_outline *a, const ts_outline *b, ts_pair **pair, ts_error *error)
{
    *pair = NULL;
    double unit = fmax(ts_outline_get_mass(a).radius, ts_outline_get_mass(b).radius);
    ts_outline *own_a = NULL, *own_b = NULL;
    ts_status status = normalize(a, unit, &own_a, error);
    if (status == TS_OK)
        status = normalize(b, unit, &own_b, error);
    if (status != TS_OK) {
        ts_outline_free(own_a);
        return status;
    }
    return ts_pair_adopt(own_a, own_b, unit, pair, error);
}

bool ts_pair_is_turned(const ts_pair *pair)
{
    return pair->hash_a > pair->hash_b;
}

void ts_pair_turn(ts_pair *pair)
{
    ts_pair p = *pair;
    pair->a = p.b, pair->b = p.a;
    pair->radius_a = p.radius_b, pair->radius_b = p.radius_a;
    pair->symmetry_a = p.symmetry_b, pair->symmetry_b = p.symmetry_a;
    pair->hash_a = p.hash_b, pair->hash_b = p.hash_a;
}

void ts_pair_free(ts_pair *pair)
{
    if (!pair)
        return;
    ts_outline_free(pair->a);
    ts_outline_free(pair->b);
    ts_free(pair);
}
