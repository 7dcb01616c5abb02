/* SPDX-License-Identifier: MIT */
/* Packets of eight rays through trees of boxes: what one ray needs of a node or a thing, the others need as well. */
#include "record/trace_work.h"

#include "base/kernel.h"
#include "base/simd.h"

/* ---- Lanes: as many as the instruction set has; a packet is walked in parts of so many rays ---- */

#if defined(__AVX512DQ__)
#define WIDE 8
#elif defined(__AVX__)
#define WIDE 4
#else
#define WIDE 2
#endif

typedef double fw __attribute__((vector_size(8 * WIDE)));
typedef int64_t iw __attribute__((vector_size(8 * WIDE)));
typedef double fw_in_memory __attribute__((vector_size(8 * WIDE), may_alias));
typedef int64_t iw_in_memory __attribute__((vector_size(8 * WIDE), may_alias));

/* Where a ray that is done ends: no box begins before it. */
#define DONE (-1e300)

TS_SIMD fw load(const double *from)
{
    return *(const fw_in_memory *)from;
}
/* pick: a where the mask is all ones, else b. least, most: exactly a < b ? a : b and a > b ? a : b, as the instructions
 * have it. bits: bit i where lane i of a mask is all ones. */
#if defined(__AVX512DQ__)
TS_SIMD fw all(double a)
{
    return (fw)_mm512_set1_pd(a);
}
TS_SIMD fw pick(iw mask, fw a, fw b)
{
    return (fw)((mask & (iw)a) | (~mask & (iw)b));
}
TS_SIMD fw least(fw a, fw b)
{
    return (fw)_mm512_min_pd((__m512d)a, (__m512d)b);
}
TS_SIMD fw most(fw a, fw b)
{
    return (fw)_mm512_max_pd((__m512d)a, (__m512d)b);
}
TS_SIMD fw root(fw a)
{
    return (fw)_mm512_sqrt_pd((__m512d)a);
}
TS_SIMD unsigned bits(iw mask)
{
    return (unsigned)_mm512_movepi64_mask((__m512i)mask);
}
#elif defined(__AVX__)
TS_SIMD fw all(double a)
{
    return ts_f64x4_broadcast(a);
}
TS_SIMD fw pick(iw mask, fw a, fw b)
{
    return ts_f64x4_select(mask, a, b);
}
TS_SIMD fw least(fw a, fw b)
{
    return ts_f64x4_min(a, b);
}
TS_SIMD fw most(fw a, fw b)
{
    return ts_f64x4_max(a, b);
}
TS_SIMD fw root(fw a)
{
    return ts_f64x4_sqrt(a);
}
TS_SIMD unsigned bits(iw mask)
{
    return (unsigned)ts_mask_bits(mask);
}
#else
TS_SIMD fw all(double a)
{
    return (fw){a, a};
}
TS_SIMD fw pick(iw mask, fw a, fw b)
{
    return (fw)((mask & (iw)a) | (~mask & (iw)b));
}
TS_SIMD fw least(fw a, fw b)
{
    return pick((iw)(a < b), a, b);
}
TS_SIMD fw most(fw a, fw b)
{
    return pick((iw)(a > b), a, b);
}
TS_SIMD fw root(fw a)
{
    return (fw){sqrt(a[0]), sqrt(a[1])};
}
TS_SIMD unsigned bits(iw mask)
{
    return (unsigned)(mask[0] & 1) | (unsigned)(mask[1] & 2);
}
#endif
TS_SIMD iw pick_i(iw mask, iw a, iw b)
{
    return (mask & a) | (~mask & b);
}
TS_SIMD iw all_i(int64_t a)
{
    const iw zero = {0};
    return zero + a;
}
TS_SIMD bool any(iw mask)
{
    return bits(mask) != 0;
}

typedef struct vecw {
    fw x, y, z;
} vecw;

TS_SIMD vecw cross_w(vecw a, vecw b)
{
    return (vecw){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
TS_SIMD fw dot_w(vecw a, vecw b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}
TS_SIMD vecw all3(ts_vec3 a)
{
    return (vecw){all(a.x), all(a.y), all(a.z)};
}
TS_SIMD vecw sub_w(vecw a, ts_vec3 b)
{
    return (vecw){a.x - b.x, a.y - b.y, a.z - b.z};
}
/* Rᵀ a · s */
TS_SIMD vecw turn_back(const ts_mat3 *r, vecw a, double s)
{
    return (vecw){(r->m[0][0] * a.x + r->m[1][0] * a.y + r->m[2][0] * a.z) * s,
                  (r->m[0][1] * a.x + r->m[1][1] * a.y + r->m[2][1] * a.z) * s,
                  (r->m[0][2] * a.x + r->m[1][2] * a.y + r->m[2][2] * a.z) * s};
}

/* ---- Rays ---- */

typedef struct rays {
    vecw o, d, inv;  /* origin, direction, 1 / direction */
    fw far;          /* nearest hit so far; below 0: done */
    iw item, part;   /* that it hit */
    unsigned behind; /* axes that the packet's first ray goes down, of all parts of the packet */
    double first[3]; /* its direction */
} rays;

/* 1 / a, finite for zero. */
TS_SIMD fw inverse(fw a)
{
    const double tiny = 1e-40;
    return 1.0 / pick((iw)(a < tiny) & (iw)(a > -tiny), all(tiny), a);
}

/* Bit k: goes down axis k. */
TS_SIMD unsigned behind_of(double x, double y, double z)
{
    return (unsigned)(x < 0) | (unsigned)(y < 0) << 1 | (unsigned)(z < 0) << 2;
}

TS_SIMD void direct(rays *r)
{
    r->inv = (vecw){inverse(r->d.x), inverse(r->d.y), inverse(r->d.z)};
}

/* An interval of each ray. */
typedef struct span {
    fw near, far;
} span;

TS_SIMD span meet(span a, span b)
{
    return (span){most(a.near, b.near), least(a.far, b.far)};
}
TS_SIMD span slab(fw o, fw inv, double low, double high)
{
    fw a = (low - o) * inv, b = (high - o) * inv;
    return (span){least(a, b), most(a, b)};
}
TS_SIMD span in_box(const rays *r, const double low[3], const double high[3])
{
    span x = slab(r->o.x, r->inv.x, low[0], high[0]), y = slab(r->o.y, r->inv.y, low[1], high[1]),
         z = slab(r->o.z, r->inv.z, low[2], high[2]);
    return meet(meet(x, y), z);
}

/* Where a ray t ↦ a t² + 2 b t + c is below 0; empty where it is nowhere. */
TS_SIMD span below_zero(fw a, fw b, fw c)
{
    fw inside = b * b - a * c;
    iw none = (iw)(inside < 0);
    fw s = root(most(inside, all(0))), i = 1.0 / a;
    return (span){pick(none, all(1), (-b - s) * i), pick(none, all(-1), (s - b) * i)};
}

/* Takes hits in: `near` where `mask`. */
TS_SIMD void keep(rays *r, iw mask, fw near, int64_t item, iw part, bool shadow)
{
    mask &= (iw)(near > 0) & (iw)(near < r->far);
    r->far = pick(mask, shadow ? all(DONE) : near, r->far);
    r->item = pick_i(mask, all_i(item), r->item);
    if (!shadow)
        r->part = pick_i(mask, part, r->part);
}

TS_SIMD void keep_span(rays *r, span s, int64_t item, iw part, bool shadow)
{
    keep(r, (iw)(s.near <= s.far), s.near, item, part, shadow);
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
        iw hit = (iw)(s.near <= s.far * (1 + 1e-12)) & (iw)(s.far >= 0) & (iw)(s.near < r->far);
        if (any(hit)) {
            if (n->count == 0) {
                bool second = (r->behind >> n->axis) & 1;
                stack[height++] = second ? at + 1 : n->first;
                at = second ? n->first : at + 1;
                continue;
            }
            leaf(r, context, n->first, n->count, shadow);
            if (shadow && !any((iw)(r->far >= 0)))
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
        vecw e1 = all3(t->edge1), e2 = all3(t->edge2);
        vecw p = cross_w(r->d, e2);
        fw det = dot_w(e1, p), inv = 1.0 / det;
        vecw s = sub_w(r->o, t->corner);
        fw u = dot_w(s, p) * inv;
        vecw q = cross_w(s, e1);
        fw v = dot_w(r->d, q) * inv, near = dot_w(e2, q) * inv;
        const double slack = 1e-10;
        iw hit = (iw)(det > 0) & (iw)(u >= -slack) & (iw)(v >= -slack) & (iw)(u + v <= 1 + slack);
        keep(r, hit, near, 0, all_i(i), shadow);
    }
}

/* A function of its own, so that walking things does not carry it along. */
static __attribute__((noinline)) void walk_mesh(rays *r, const ts_trace_mesh *mesh, int64_t item, bool shadow)
{
    if (mesh->tree.node.count == 0)
        return;
    rays own = *r;
    own.item = all_i(-1);
    direct(&own);
    own.behind = behind_of(own.first[0], own.first[1], own.first[2]);
    if (shadow)
        walk(mesh->tree.node.item, &own, meet_triangles, mesh, true);
    else
        walk(mesh->tree.node.item, &own, meet_triangles, mesh, false);
    iw hit = (iw)(own.item >= 0);
    r->far = own.far;
    r->item = pick_i(hit, all_i(item), r->item);
    r->part = own.part;
}

/* The half-spaces of all faces; the one entered last is the one that is seen. */
TS_SIMD void meet_hull(rays *r, const rays *own, const ts_hull *hull, int64_t item, bool shadow)
{
    fw near = all(-1e300), far = all(1e300);
    iw face = {0};
    for (size_t f = 0; f < hull->face_count; f++) {
        vecw n = all3(hull->normal[f]);
        fw speed = dot_w(own->d, n), t = (hull->offset[f] - dot_w(own->o, n)) * inverse(speed);
        iw enters = (iw)(speed < 0), later = enters & (iw)(t > near);
        near = pick(later, t, near);
        face = pick_i(later, all_i((int64_t)f), face);
        far = pick(~enters & (iw)(t < far), t, far);
    }
    keep_span(r, (span){near, far}, item, face, shadow);
}

/* Everything that is turned: in its own frame. */
static __attribute__((noinline)) void meet_turned(rays *r, const ts_trace_item *item, const ts_trace_frame *frame,
                                                  int64_t index, bool shadow)
{
    rays own = *r;
    double shrink = item->kind == TS_SOLID_HULL || item->kind == TS_SOLID_MESH ? 1 / frame->scale : 1;
    own.o = turn_back(&frame->turn, sub_w(r->o, item->centre), shrink);
    own.d = turn_back(&frame->turn, r->d, shrink);
    if (item->kind == TS_SOLID_HULL) {
        meet_hull(r, &own, frame->hull, index, shadow);
        return;
    }
    if (item->kind == TS_SOLID_MESH) {
        ts_vec3 first = ts_mat3_apply_transposed(frame->turn, (ts_vec3){r->first[0], r->first[1], r->first[2]});
        own.first[0] = first.x;
        own.first[1] = first.y;
        own.first[2] = first.z;
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
        keep_span(r, in_box(&own, low, high), index, all_i(0), shadow);
        return;
    }
    /* cylinder and capsule: around the axis and between the ends */
    double rr = item->radius * item->radius, h = item->half_length;
    fw a = own.d.x * own.d.x + own.d.y * own.d.y, b = own.d.x * own.o.x + own.d.y * own.o.y;
    fw c = own.o.x * own.o.x + own.o.y * own.o.y - rr;
    span s = meet(below_zero(most(a, all(1e-60)), b, c), slab(own.o.z, inverse(own.d.z), -h, h));
    if (item->kind == TS_SOLID_CAPSULE) {
        fw near = pick((iw)(s.near <= s.far), s.near, all(1e300));
        for (int end = -1; end <= 1; end += 2) {
            fw z = own.o.z - end * h;
            span ball = below_zero(a + own.d.z * own.d.z, b + own.d.z * z, c + z * z);
            near = pick((iw)(ball.near <= ball.far), least(near, ball.near), near);
        }
        keep(r, (iw)(near < 1e300), near, index, all_i(0), shadow);
    } else {
        keep_span(r, s, index, all_i(0), shadow);
    }
}

TS_SIMD void meet_items(rays *r, const void *context, int32_t first, int count, bool shadow)
{
    const ts_trace_world *world = context;
    for (int32_t i = first; i < first + count; i++) {
        const ts_trace_item *item = &world->item[i];
        if (item->kind == TS_SOLID_SPHERE) {
            /* directions are unit; the shorter way, by the foot of the centre, keeps far spheres round */
            vecw s = sub_w(r->o, item->centre);
            fw b = dot_w(s, r->d);
            vecw foot = {s.x - b * r->d.x, s.y - b * r->d.y, s.z - b * r->d.z};
            fw inside = item->radius * item->radius - dot_w(foot, foot);
            iw hit = (iw)(inside >= 0);
            if (any(hit))
                keep(r, hit, -b - root(most(inside, all(0))), i, all_i(0), shadow);
        } else {
            meet_turned(r, item, &world->frame[i], i, shadow);
        }
    }
}

/* Rays `at`, … of a packet. */
TS_SIMD rays take(const ts_trace_packet *packet, int at)
{
    fw far = load(packet->far + at);
    rays r = {.o = {load(packet->ox + at), load(packet->oy + at), load(packet->oz + at)},
              .d = {load(packet->dx + at), load(packet->dy + at), load(packet->dz + at)},
              .far = pick((iw)(far >= 0), far, all(DONE)),
              .item = all_i(-1),
              .part = all_i(0),
              .first = {packet->dx[0], packet->dy[0], packet->dz[0]}};
    r.behind = behind_of(r.first[0], r.first[1], r.first[2]);
    direct(&r);
    return r;
}

static void closest(const ts_trace_world *world, ts_trace_packet *packet)
{
    for (int at = 0; at < TS_LANES; at += WIDE) {
        rays r = take(packet, at);
        if (world->node)
            walk(world->node, &r, meet_items, world, false);
        *(fw_in_memory *)(packet->far + at) = r.far;
        *(iw_in_memory *)(packet->item + at) = r.item;
        *(iw_in_memory *)(packet->part + at) = r.part;
    }
}

static unsigned blocked(const ts_trace_world *world, ts_trace_packet *packet)
{
    unsigned found = 0;
    for (int at = 0; at < TS_LANES; at += WIDE) {
        rays r = take(packet, at);
        if (world->node)
            walk(world->node, &r, meet_items, world, true);
        found |= bits((iw)(r.item >= 0)) << at;
    }
    return found;
}

const ts_trace_kernels TS_KERNEL(ts_trace) = {closest, blocked};
