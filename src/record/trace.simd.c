/* SPDX-License-Identifier: MIT */
/* Packets of eight rays through trees of boxes: what one ray needs of a node or a thing, the others need as well. */
#include "record/trace_work.h"

#include "base/kernel.h"
#include "base/simd.h"

/* ---- Eight lanes ---- */

typedef double f8 __attribute__((vector_size(64)));
typedef int64_t i8 __attribute__((vector_size(64)));
typedef double f8_in_memory __attribute__((vector_size(64), may_alias));
typedef int64_t i8_in_memory __attribute__((vector_size(64), may_alias));

/* Where a ray that is done ends: no box begins before it. */
#define DONE (-1e300)

TS_SIMD f8 all(double a)
{
    return (f8){a, a, a, a, a, a, a, a};
}
TS_SIMD f8 load(const double *from)
{
    return *(const f8_in_memory *)from;
}
TS_SIMD f8 pick(i8 mask, f8 a, f8 b)
{
    return (f8)((mask & (i8)a) | (~mask & (i8)b));
}
TS_SIMD i8 pick_i(i8 mask, i8 a, i8 b)
{
    return (mask & a) | (~mask & b);
}
/* Exactly a < b ? a : b in each lane, and a > b ? a : b. */
TS_SIMD f8 least(f8 a, f8 b)
{
#if defined(__AVX512F__)
    return (f8)_mm512_min_pd((__m512d)a, (__m512d)b);
#else
    return pick((i8)(a < b), a, b);
#endif
}
TS_SIMD f8 most(f8 a, f8 b)
{
#if defined(__AVX512F__)
    return (f8)_mm512_max_pd((__m512d)a, (__m512d)b);
#else
    return pick((i8)(a > b), a, b);
#endif
}
TS_SIMD f8 root(f8 a)
{
#if defined(__AVX512F__)
    return (f8)_mm512_sqrt_pd((__m512d)a);
#else
    f8 r;
    for (int i = 0; i < TS_LANES; i++)
        r[i] = sqrt(a[i]);
    return r;
#endif
}
/* bit i where lane i is all ones */
TS_SIMD unsigned bits(i8 mask)
{
#if defined(__AVX512DQ__)
    return (unsigned)_mm512_movepi64_mask((__m512i)mask);
#else
    unsigned b = 0;
    for (int i = 0; i < TS_LANES; i++)
        b |= (unsigned)(mask[i] & 1) << i;
    return b;
#endif
}
TS_SIMD bool any(i8 mask)
{
    return bits(mask) != 0;
}

typedef struct vec8 {
    f8 x, y, z;
} vec8;

TS_SIMD vec8 cross8(vec8 a, vec8 b)
{
    return (vec8){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
TS_SIMD f8 dot8(vec8 a, vec8 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}
TS_SIMD vec8 all3(ts_vec3 a)
{
    return (vec8){all(a.x), all(a.y), all(a.z)};
}
TS_SIMD vec8 sub8(vec8 a, ts_vec3 b)
{
    return (vec8){a.x - b.x, a.y - b.y, a.z - b.z};
}
/* Rᵀ a · s */
TS_SIMD vec8 turn_back(const ts_mat3 *r, vec8 a, double s)
{
    return (vec8){(r->m[0][0] * a.x + r->m[1][0] * a.y + r->m[2][0] * a.z) * s,
                  (r->m[0][1] * a.x + r->m[1][1] * a.y + r->m[2][1] * a.z) * s,
                  (r->m[0][2] * a.x + r->m[1][2] * a.y + r->m[2][2] * a.z) * s};
}

/* ---- Rays ---- */

typedef struct rays {
    vec8 o, d, inv;  /* origin, direction, 1 / direction */
    f8 far;          /* nearest hit so far; below 0: done */
    i8 item, part;   /* that it hit */
    unsigned behind; /* bit k: the first ray goes down axis k */
} rays;

/* 1 / a, finite for zero. */
TS_SIMD f8 inverse(f8 a)
{
    const double tiny = 1e-40;
    return 1.0 / pick((i8)(a < tiny) & (i8)(a > -tiny), all(tiny), a);
}

TS_SIMD void direct(rays *r)
{
    r->inv = (vec8){inverse(r->d.x), inverse(r->d.y), inverse(r->d.z)};
    r->behind = (unsigned)(r->d.x[0] < 0) | (unsigned)(r->d.y[0] < 0) << 1 | (unsigned)(r->d.z[0] < 0) << 2;
}

/* An interval of each ray. */
typedef struct span {
    f8 near, far;
} span;

TS_SIMD span meet(span a, span b)
{
    return (span){most(a.near, b.near), least(a.far, b.far)};
}
TS_SIMD span slab(f8 o, f8 inv, double low, double high)
{
    f8 a = (low - o) * inv, b = (high - o) * inv;
    return (span){least(a, b), most(a, b)};
}
TS_SIMD span in_box(const rays *r, const double low[3], const double high[3])
{
    span x = slab(r->o.x, r->inv.x, low[0], high[0]), y = slab(r->o.y, r->inv.y, low[1], high[1]),
         z = slab(r->o.z, r->inv.z, low[2], high[2]);
    return meet(meet(x, y), z);
}

/* Where a ray t ↦ a t² + 2 b t + c is below 0; empty where it is nowhere. */
TS_SIMD span below_zero(f8 a, f8 b, f8 c)
{
    f8 inside = b * b - a * c;
    i8 none = (i8)(inside < 0);
    f8 s = root(most(inside, all(0))), i = 1.0 / a;
    return (span){pick(none, all(1), (-b - s) * i), pick(none, all(-1), (s - b) * i)};
}

/* Takes hits in: `near` where `mask`. */
TS_SIMD void keep(rays *r, i8 mask, f8 near, int64_t item, i8 part, bool shadow)
{
    mask &= (i8)(near > 0) & (i8)(near < r->far);
    const i8 zero = {0};
    r->far = pick(mask, shadow ? all(DONE) : near, r->far);
    r->item = pick_i(mask, zero + item, r->item);
    if (!shadow)
        r->part = pick_i(mask, part, r->part);
}

TS_SIMD void keep_span(rays *r, span s, int64_t item, i8 part, bool shadow)
{
    keep(r, (i8)(s.near <= s.far), s.near, item, part, shadow);
}

/* ---- Walking ---- */

typedef void leaf_function(rays *r, const void *context, int32_t first, int count, bool shadow);

/* Nearer children first, by the first ray's direction. */
TS_SIMD void walk(const ts_trace_node *node, rays *r, leaf_function *leaf, const void *context, bool shadow)
{
    int32_t stack[TS_TRACE_STACK];
    int height = 0;
    int32_t at = 0;
    for (;;) {
        const ts_trace_node *n = &node[at];
        span s = in_box(r, n->low, n->high);
        /* boxes may be flat: a small excess makes up for rounding */
        i8 hit = (i8)(s.near <= s.far * (1 + 1e-12)) & (i8)(s.far >= 0) & (i8)(s.near < r->far);
        if (any(hit)) {
            if (n->count == 0) {
                bool second = (r->behind >> n->axis) & 1;
                stack[height++] = second ? at + 1 : n->first;
                at = second ? n->first : at + 1;
                continue;
            }
            leaf(r, context, n->first, n->count, shadow);
            if (shadow && !any((i8)(r->far >= 0)))
                return;
        }
        if (height == 0)
            return;
        at = stack[--height];
    }
}

/* ---- Things ---- */

/* Möller and Trumbore's: barycentric coordinates by determinants; a ray that comes from behind sees nothing. */
TS_SIMD void meet_triangles(rays *r, const void *context, int32_t first, int count, bool shadow)
{
    const ts_trace_mesh *mesh = context;
    for (int32_t i = first; i < first + count; i++) {
        const ts_trace_triangle *t = &mesh->triangle[i];
        vec8 e1 = all3(t->edge1), e2 = all3(t->edge2);
        vec8 p = cross8(r->d, e2);
        f8 det = dot8(e1, p), inv = 1.0 / det;
        vec8 s = sub8(r->o, t->corner);
        f8 u = dot8(s, p) * inv;
        vec8 q = cross8(s, e1);
        f8 v = dot8(r->d, q) * inv, near = dot8(e2, q) * inv;
        const double slack = 1e-10;
        i8 hit = (i8)(det > 0) & (i8)(u >= -slack) & (i8)(v >= -slack) & (i8)(u + v <= 1 + slack);
        const i8 zero = {0};
        keep(r, hit, near, 0, zero + i, shadow);
    }
}

/* A function of its own, so that walking things does not carry it along. */
static __attribute__((noinline)) void walk_mesh(rays *r, const ts_trace_mesh *mesh, int64_t item, bool shadow)
{
    if (mesh->tree.node.count == 0)
        return;
    rays own = *r;
    const i8 none = {-1, -1, -1, -1, -1, -1, -1, -1};
    own.item = none;
    direct(&own);
    if (shadow)
        walk(mesh->tree.node.item, &own, meet_triangles, mesh, true);
    else
        walk(mesh->tree.node.item, &own, meet_triangles, mesh, false);
    i8 hit = (i8)(own.item >= 0);
    const i8 zero = {0};
    r->far = own.far;
    r->item = pick_i(hit, zero + item, r->item);
    r->part = own.part;
}

/* The half-spaces of all faces; the one entered last is the one that is seen. */
TS_SIMD void meet_hull(rays *r, const rays *own, const ts_hull *hull, int64_t item, bool shadow)
{
    f8 near = all(-1e300), far = all(1e300);
    i8 face = {0};
    const i8 zero = {0};
    for (size_t f = 0; f < hull->face_count; f++) {
        vec8 n = all3(hull->normal[f]);
        f8 speed = dot8(own->d, n), t = (hull->offset[f] - dot8(own->o, n)) * inverse(speed);
        i8 enters = (i8)(speed < 0), later = enters & (i8)(t > near);
        near = pick(later, t, near);
        face = pick_i(later, zero + (int64_t)f, face);
        far = pick(~enters & (i8)(t < far), t, far);
    }
    keep_span(r, (span){near, far}, item, face, shadow);
}

/* Everything that is turned: in its own frame. */
static __attribute__((noinline)) void meet_turned(rays *r, const ts_trace_item *item, const ts_trace_frame *frame,
                                                  int64_t index, bool shadow)
{
    rays own = *r;
    double shrink = item->kind == TS_SOLID_HULL || item->kind == TS_SOLID_MESH ? 1 / frame->scale : 1;
    own.o = turn_back(&frame->turn, sub8(r->o, item->centre), shrink);
    own.d = turn_back(&frame->turn, r->d, shrink);
    const i8 zero = {0};
    if (item->kind == TS_SOLID_HULL) {
        meet_hull(r, &own, frame->hull, index, shadow);
        return;
    }
    if (item->kind == TS_SOLID_MESH) {
        walk_mesh(&own, frame->mesh, index, shadow);
        r->far = own.far;
        r->item = own.item;
        r->part = own.part;
        return;
    }
    if (item->kind == TS_SOLID_BOX) {
        direct(&own);
        double low[3] = {-frame->half.x, -frame->half.y, -frame->half.z};
        double high[3] = {frame->half.x, frame->half.y, frame->half.z};
        keep_span(r, in_box(&own, low, high), index, zero, shadow);
        return;
    }
    /* cylinder and capsule: around the axis and between the ends */
    double rr = item->radius * item->radius, h = item->half_length;
    f8 a = own.d.x * own.d.x + own.d.y * own.d.y, b = own.d.x * own.o.x + own.d.y * own.o.y;
    f8 c = own.o.x * own.o.x + own.o.y * own.o.y - rr;
    span s = meet(below_zero(most(a, all(1e-60)), b, c), slab(own.o.z, inverse(own.d.z), -h, h));
    if (item->kind == TS_SOLID_CAPSULE) {
        f8 near = pick((i8)(s.near <= s.far), s.near, all(1e300));
        for (int end = -1; end <= 1; end += 2) {
            f8 z = own.o.z - end * h;
            span ball = below_zero(a + own.d.z * own.d.z, b + own.d.z * z, c + z * z);
            near = pick((i8)(ball.near <= ball.far), least(near, ball.near), near);
        }
        keep(r, (i8)(near < 1e300), near, index, zero, shadow);
    } else {
        keep_span(r, s, index, zero, shadow);
    }
}

TS_SIMD void meet_items(rays *r, const void *context, int32_t first, int count, bool shadow)
{
    const ts_trace_world *world = context;
    const i8 zero = {0};
    for (int32_t i = first; i < first + count; i++) {
        const ts_trace_item *item = &world->item[i];
        if (item->kind == TS_SOLID_SPHERE) {
            /* directions are unit; the shorter way, by the foot of the centre, keeps far spheres round */
            vec8 s = sub8(r->o, item->centre);
            f8 b = dot8(s, r->d);
            vec8 foot = {s.x - b * r->d.x, s.y - b * r->d.y, s.z - b * r->d.z};
            f8 inside = item->radius * item->radius - dot8(foot, foot);
            i8 hit = (i8)(inside >= 0);
            if (any(hit))
                keep(r, hit, -b - root(most(inside, all(0))), i, zero, shadow);
        } else {
            meet_turned(r, item, &world->frame[i], i, shadow);
        }
    }
}

TS_SIMD rays take(const ts_trace_packet *packet)
{
    const i8 none = {-1, -1, -1, -1, -1, -1, -1, -1}, zero = {0};
    rays r = {.o = {load(packet->ox), load(packet->oy), load(packet->oz)},
              .d = {load(packet->dx), load(packet->dy), load(packet->dz)},
              .far = pick((i8)(load(packet->far) >= 0), load(packet->far), all(DONE)),
              .item = none,
              .part = zero};
    direct(&r);
    return r;
}

static void closest(const ts_trace_world *world, ts_trace_packet *packet)
{
    rays r = take(packet);
    if (world->node)
        walk(world->node, &r, meet_items, world, false);
    *(f8_in_memory *)packet->far = r.far;
    *(i8_in_memory *)packet->item = r.item;
    *(i8_in_memory *)packet->part = r.part;
}

static unsigned blocked(const ts_trace_world *world, ts_trace_packet *packet)
{
    rays r = take(packet);
    if (world->node)
        walk(world->node, &r, meet_items, world, true);
    return bits((i8)(r.item >= 0));
}

const ts_trace_kernels TS_KERNEL(ts_trace) = {closest, blocked};
