/* SPDX-License-Identifier: MIT */
/* Contacts by features, beside the exact gap of two outlines, which knows nothing of them (cspace/loose.h), and
 * beside brute force. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/check.h"

#include "base/random.h"
#include "contact/feature_lanes.h"
#include "contact/features.h"
#include "cspace/loose.h"
#include "shape/outline.h"
#include "support/isa.h"
#include "touchstone/touchstone.h"

TS_TEST_TABLES(ts_feature_kernels, ts_feature);

static ts_outline *outline_of(const ts_vertex *vertex, size_t count)
{
    ts_outline *o, *centred;
    OK(ts_outline_adopt(&(ts_contour){vertex, count, false}, 1, NULL, 0, &o, ERROR));
    ts_outline_mass mass = ts_outline_get_mass(o);
    OK(ts_outline_place(o, 1, 0, (const double[2]){-mass.centre[0], -mass.centre[1]}, &centred, ERROR));
    ts_outline_free(o);
    return centred;
}

/* A hash sign without its hole, a box, a rounded box, a triangle with a dent, a thin L, a star. */
enum { STAR = 5, SHAPES = 6 };
static ts_outline *shape(int which)
{
    static const ts_vertex hash[] = {{0.64, -0.28, 0},  {0.64, -0.12, 0},  {0.28, -0.12, 0},  {0.28, 0.12, 0},
                                     {0.64, 0.12, 0},   {0.64, 0.28, 0},   {0.28, 0.28, 0},   {0.28, 0.64, 0},
                                     {0.12, 0.64, 0},   {0.12, 0.28, 0},   {-0.12, 0.28, 0},  {-0.12, 0.64, 0},
                                     {-0.28, 0.64, 0},  {-0.28, 0.28, 0},  {-0.64, 0.28, 0},  {-0.64, 0.12, 0},
                                     {-0.28, 0.12, 0},  {-0.28, -0.12, 0}, {-0.64, -0.12, 0}, {-0.64, -0.28, 0},
                                     {-0.28, -0.28, 0}, {-0.28, -0.64, 0}, {-0.12, -0.64, 0}, {-0.12, -0.28, 0},
                                     {0.12, -0.28, 0},  {0.12, -0.64, 0},  {0.28, -0.64, 0},  {0.28, -0.28, 0}};
    static const ts_vertex box[] = {{-0.5, -0.3, 0}, {0.5, -0.3, 0}, {0.5, 0.3, 0}, {-0.5, 0.3, 0}};
    const double q = tan(TS_PI / 8), r = 0.1;
    const ts_vertex rounded[] = {{-0.5 + r, -0.3, 0}, {0.5 - r, -0.3, q}, {0.5, -0.3 + r, 0}, {0.5, 0.3 - r, q},
                                 {0.5 - r, 0.3, 0},   {-0.5 + r, 0.3, q}, {-0.5, 0.3 - r, 0}, {-0.5, -0.3 + r, q}};
    static const ts_vertex dented[] = {{-0.6, -0.4, 0}, {0.6, -0.4, -0.3}, {0, 0.6, 0.2}};
    static const ts_vertex ell[] = {{-0.5, -0.5, 0}, {0.5, -0.5, 0}, {0.5, -0.4, 0},
                                    {-0.4, -0.4, 0}, {-0.4, 0.5, 0}, {-0.5, 0.5, 0}};
    static const ts_vertex star[] = {{0.6, 0, 0},  {0.17, 0.17, 0},   {0, 0.6, 0},  {-0.17, 0.17, 0},
                                     {-0.6, 0, 0}, {-0.17, -0.17, 0}, {0, -0.6, 0}, {0.17, -0.17, 0}};
    switch (which) {
    case 0:
        return outline_of(hash, sizeof hash / sizeof *hash);
    case 1:
        return outline_of(box, 4);
    case 2:
        return outline_of(rounded, 8);
    case 3:
        return outline_of(dented, 3);
    case 4:
        return outline_of(ell, 6);
    default:
        return outline_of(star, 8);
    }
}

static ts_features *features_of(const ts_outline *o)
{
    ts_features *f;
    ts_contour contour = ts_outline_get_contour(o, 0);
    OK(ts_features_create(&contour, 1, o->distance, 1, &f, ERROR));
    return f;
}

static ts_relative pose(double x, double y, double angle)
{
    return (ts_relative){cos(angle), sin(angle), x, y};
}

static size_t ask(const ts_features *a, const ts_features *b, const ts_relative *a_in_b, double reach,
                  ts_feature_contact *out)
{
    uint64_t key[4096];
    const ts_relative b_in_a = ts_relative_inverse(*a_in_b);
    size_t count = ts_feature_candidates(a, b, a_in_b, &b_in_a, reach, 0.02, 0.02, key, 4096), found = 0;
    assert_true(count <= 4096);
    for (size_t i = 0; i < count; i++) {
        assert_true(i == 0 || key[i] > key[i - 1]);
        ts_facing is = ts_feature_contact_at(a, b, a_in_b, &b_in_a, key[i], &out[found]);
        if (is == TS_APART_FROM || !(out[found].gap < reach))
            continue;
        if (is == TS_BEHIND)
            out[found].key |= TS_FEATURE_HIDES;
        found++;
    }
    return ts_feature_contacts_choose(a, b, out, found);
}

/* Where two shapes overlap by little, the deepest place is as deep as they overlap, up to what corners that meet head
 * on differ by; no place lies anywhere but at the overlap; and apart there is none. */
static void places_agree_with_the_gap(void **state)
{
    (void)state;
    int overlapping = 0, lost = 0;
    for (int i = 0; i < STAR; i++)
        for (int j = 0; j < STAR; j++) {
            ts_outline *oa = shape(i), *ob = shape(j);
            ts_features *a = features_of(oa), *b = features_of(ob);
            ts_loose *la, *lb;
            OK(ts_loose_create(oa, 1, 1, &la, ERROR));
            OK(ts_loose_create(ob, 1, 1, &lb, ERROR));
            for (uint64_t k = 0; k < 4000; k++) {
                uint64_t at = (uint64_t)(i * STAR + j) * 100000 + 4 * k;
                double x = 2.6 * ts_random_uniform(7, 1, at) - 1.3, y = 2.6 * ts_random_uniform(7, 1, at + 1) - 1.3,
                       angle = 2 * TS_PI * ts_random_uniform(7, 1, at + 2);
                ts_map_pose p = {.a = {x, y, angle}, .b = {0, 0, 0}, .scale = 1};
                ts_map_contact c;
                ts_loose_query(1, (const ts_loose *const[]){la}, (const ts_loose *const[]){lb}, &p, &c);
                if (c.gap < -0.02)
                    continue;
                ts_relative r = pose(x, y, angle);
                ts_feature_contact place[256];
                size_t count = ask(a, b, &r, 0, place);
                double deepest = 0;
                for (size_t n = 0; n < count; n++)
                    deepest = fmin(deepest, place[n].gap);
                /* places that are shallow need not lie inside */
                const double shallow = 0.036;
                /* where a sharp tip has cut off a corner, no corner is inside the other shape */
                if ((i == 3 || j == 3) && count == 0 && c.gap < -1e-3) {
                    lost++;
                    continue;
                }
                if (c.gap >= 0 ? deepest < -shallow : (count == 0 && c.gap < -1e-3) || deepest < 3 * c.gap - shallow) {
                    printf("%d on %d at (%.6g, %.6g, %.6g): gap %.5g, %zu places, deepest %.5g\n", i, j, x, y, angle,
                           c.gap, count, deepest);
                    for (size_t n = 0; n < count; n++)
                        printf("   side %u, %u, %u: gap %.5g at (%.4g, %.4g), normal (%.3g, %.3g)\n",
                               ts_feature_side(place[n].key), ts_feature_a(place[n].key), ts_feature_b(place[n].key),
                               place[n].gap, place[n].x, place[n].y, place[n].nx, place[n].ny);
                    fail();
                }
                overlapping += c.gap < 0;
            }
            ts_loose_free(la);
            ts_loose_free(lb);
            ts_features_free(a);
            ts_features_free(b);
            ts_outline_free(oa);
            ts_outline_free(ob);
        }
    assert_true(overlapping > 1000);
    assert_true(1000 * lost <= overlapping);
}

/* Calls `check` for every two shapes in random poses of A that may touch, with the keys of all their features. */
typedef struct meeting {
    const ts_features *a, *b;
    const ts_outline *outline_a, *outline_b;
    ts_relative a_in_b, b_in_a;
    double x, y, angle;
    uint64_t random; /* an index for more random numbers */
} meeting;

static void meet(void check(const meeting *, const uint64_t *key, size_t count), uint64_t poses)
{
    for (int i = 0; i < SHAPES; i++)
        for (int j = 0; j < SHAPES; j++) {
            ts_outline *oa = shape(i), *ob = shape(j);
            ts_features *a = features_of(oa), *b = features_of(ob);
            for (uint64_t k = 0; k < poses; k++) {
                const uint64_t at = ((uint64_t)(i * SHAPES + j) * poses + k) * 16;
                meeting m = {a, b, oa, ob, .random = at + 3};
                m.x = 2.2 * ts_random_uniform(11, 2, at) - 1.1;
                m.y = 2.2 * ts_random_uniform(11, 2, at + 1) - 1.1;
                m.angle = 2 * TS_PI * ts_random_uniform(11, 2, at + 2);
                m.a_in_b = pose(m.x, m.y, m.angle);
                m.b_in_a = ts_relative_inverse(m.a_in_b);
                static uint64_t key[4096];
                size_t count = ts_feature_candidates(a, b, &m.a_in_b, &m.b_in_a, 0, 0.05, 0.05, key, 4096);
                assert_true(count <= 4096);
                check(&m, key, count);
            }
            ts_features_free(a);
            ts_features_free(b);
            ts_outline_free(oa);
            ts_outline_free(ob);
        }
}

static size_t seen;

/* Before points have moved by a bound, nothing is accepted. */
static void check_bounds(const meeting *m, const uint64_t *key, size_t count)
{
    const double way = 0.04 * ts_random_uniform(11, 2, m->random),
                 turn = way * (ts_random_uniform(11, 2, m->random + 1) - 0.5),
                 to = 2 * TS_PI * ts_random_uniform(11, 2, m->random + 2), shift = way - fabs(turn) * m->a->radius;
    /* A turns about its origin and shifts: its points move by no more than `way` against B, and so do B's against A
     * that are within its radius; turning by 1 rad moves by that radius */
    const ts_relative a_in_b = pose(m->x + shift * cos(to), m->y + shift * sin(to), m->angle + turn),
                      b_in_a = ts_relative_inverse(a_in_b);
    for (size_t i = 0; i < count; i++) {
        double touch, face;
        ts_feature_contact place;
        ts_feature_bounds(m->a, m->b, &m->a_in_b, &m->b_in_a, key[i], 0, m->a->radius, &touch, &face);
        assert_true(face >= touch && touch >= 0);
        ts_facing is = ts_feature_contact_at(m->a, m->b, &a_in_b, &b_in_a, key[i], &place);
        if (is == TS_APART_FROM || place.gap >= 0)
            continue;
        assert_true(touch <= way * (1 + 1e-9) + 1e-12);
        assert_true(is == TS_BEHIND || face <= way * (1 + 1e-9) + 1e-12);
        seen += touch > 0;
    }
}

static void bounds_hold(void **state)
{
    (void)state;
    seen = 0;
    meet(check_bounds, 2000);
    assert_true(seen > 1000);
}

/* Lanes say what ts_feature_contact_at says. */
static void check_lanes(const meeting *m, const uint64_t *key, size_t count)
{
    const double c = 0.8, s = 0.6; /* B's axes in the world */
    const double tolerance = m->a->tolerance + m->b->tolerance;
    const ts_relative *to = &m->a_in_b;
    const double ax = c * to->dx - s * to->dy, ay = s * to->dx + c * to->dy; /* from B to A in the world */
    const ts_feature_stance side[2] = {
        {m->a_in_b, c, s, 0, 0, tolerance, m->b->beyond_most, -1, 0},
        {m->b_in_a, c * to->c - s * to->s, s * to->c + c * to->s, ax, ay, tolerance, m->a->beyond_most, 1, 0}};
    ts_feature_lane lane[2 * TS_FEATURE_LANES];
    uint64_t of[2 * TS_FEATURE_LANES];
    int lanes = 0;
    for (size_t i = 0; i < count && lanes < 2 * TS_FEATURE_LANES; i++) {
        const unsigned on = ts_feature_side(key[i]);
        const uint32_t fa = ts_feature_a(key[i]), fb = ts_feature_b(key[i]);
        if (on == TS_SIDE_POINTS)
            continue;
        const ts_feature_point *p = on == TS_SIDE_POINT_A ? &m->a->point[fa] : &m->b->point[fb];
        const ts_feature_edge *e = on == TS_SIDE_POINT_A ? &m->b->edge[fb] : &m->a->edge[fa];
        if (e->radius > 0 || p->goes_on[0] || p->goes_on[1])
            continue;
        of[lanes] = key[i];
        lane[lanes++] = (ts_feature_lane){p, e, &side[on]};
    }
    for (int isa = 0; isa < ts_test_isa_count(); isa++) {
        ts_feature_answers out;
        ts_feature_table[isa]->ask(lane, lanes, &out);
        for (int l = 0; l < lanes; l++) {
            ts_feature_contact place;
            ts_facing is = ts_feature_contact_at(m->a, m->b, &m->a_in_b, &m->b_in_a, of[l], &place);
            NEAR(out.gap[l], place.gap, 1e-14);
            NEAR(out.nx[l], c * place.nx - s * place.ny, 1e-14);
            NEAR(out.ny[l], s * place.nx + c * place.ny, 1e-14);
            NEAR(out.x[l], c * place.x - s * place.y, 1e-14);
            NEAR(out.y[l], s * place.x + c * place.y, 1e-14);
            if (ts_feature_bits(out.unsure, l, l + 1))
                continue;
            const bool near = place.gap < 0;
            assert_true((ts_feature_bits(out.facing, l, l + 1) != 0) == (near && is == TS_FACING));
            assert_true((ts_feature_bits(out.behind, l, l + 1) != 0) == (near && is == TS_BEHIND));
            seen += near && is == TS_FACING;
        }
    }
}

static void lanes_agree(void **state)
{
    (void)state;
    seen = 0;
    meet(check_lanes, 300);
    assert_true(seen > 1000);
}

/* The corner of a box, pressed into an inner angle, touches both sides of it. */
static void an_inner_angle_touches_twice(void **state)
{
    (void)state;
    ts_outline *oa = shape(1), *ob = shape(4); /* a box, a thin L */
    ts_features *a = features_of(oa), *b = features_of(ob);
    ts_contour ell = ts_outline_get_contour(ob, 0);
    /* the inner angle of the L is its fourth vertex, the box's lower left corner is at (-0.5, -0.3) */
    const double x = ell.vertex[3].x, y = ell.vertex[3].y;
    for (int i = 0; i < 3; i++) {
        const double d[2] = {0.001 + 0.002 * i, 0.003};
        const ts_relative r = pose(x + 0.5 - d[0], y + 0.3 - d[1], 0);
        ts_feature_contact place[64];
        double gap[2] = {0, 0}; /* along x, along y */
        size_t count = ask(a, b, &r, 0, place);
        for (size_t k = 0; k < count; k++)
            if (hypot(place[k].x - x, place[k].y - y) < 0.01)
                gap[fabs(place[k].nx) > 0.5 ? 0 : 1] = place[k].gap;
        NEAR(gap[0], -d[0], 1e-12);
        NEAR(gap[1], -d[1], 1e-12);
    }
    ts_features_free(a);
    ts_features_free(b);
    ts_outline_free(oa);
    ts_outline_free(ob);
}

/* ---- Stars, whose tips are acute ---- */

/* Two stars, A turned and moved in B's frame, as plain polygons. */
#define STAR_MOST 12
typedef struct polygon {
    int count;
    double x[STAR_MOST], y[STAR_MOST];
} polygon;

static polygon star(int tips, double inner)
{
    polygon p = {.count = 2 * tips};
    for (int i = 0; i < p.count; i++) {
        const double r = i % 2 ? inner : 1, at = TS_PI * i / tips;
        p.x[i] = r * cos(at), p.y[i] = r * sin(at);
    }
    return p;
}

static polygon moved(const polygon *p, const ts_relative *r)
{
    polygon to = {.count = p->count};
    for (int i = 0; i < p->count; i++) {
        to.x[i] = r->c * p->x[i] - r->s * p->y[i] + r->dx;
        to.y[i] = r->s * p->x[i] + r->c * p->y[i] + r->dy;
    }
    return to;
}

static ts_outline *polygon_outline(const polygon *p)
{
    ts_vertex vertex[STAR_MOST];
    ts_outline *o;
    for (int i = 0; i < p->count; i++)
        vertex[i] = (ts_vertex){p->x[i], p->y[i], 0};
    OK(ts_outline_adopt(&(ts_contour){vertex, (size_t)p->count, false}, 1, NULL, 0, &o, ERROR));
    return o;
}

static bool holds(const polygon *p, double x, double y)
{
    bool inside = false;
    for (int i = 0, j = p->count - 1; i < p->count; j = i++)
        if ((p->y[i] > y) != (p->y[j] > y) && x < p->x[i] + (p->x[j] - p->x[i]) * (y - p->y[i]) / (p->y[j] - p->y[i]))
            inside = !inside;
    return inside;
}

static double side_of(double ax, double ay, double bx, double by, double x, double y)
{
    return (bx - ax) * (y - ay) - (by - ay) * (x - ax);
}

/* Whether two polygons, one moved by (dx, dy), overlap: edges that cross, or a corner inside. */
static bool overlap(const polygon *p, const polygon *q, double dx, double dy)
{
    for (int i = 0, k = p->count - 1; i < p->count; k = i++) {
        const double x0 = p->x[k] + dx, y0 = p->y[k] + dy, x1 = p->x[i] + dx, y1 = p->y[i] + dy;
        if (holds(q, x1, y1))
            return true;
        for (int j = 0, l = q->count - 1; j < q->count; l = j++)
            if (side_of(x0, y0, x1, y1, q->x[j], q->y[j]) * side_of(x0, y0, x1, y1, q->x[l], q->y[l]) < 0 &&
                side_of(q->x[l], q->y[l], q->x[j], q->y[j], x0, y0) *
                        side_of(q->x[l], q->y[l], q->x[j], q->y[j], x1, y1) <
                    0)
                return true;
    }
    for (int j = 0; j < q->count; j++)
        if (holds(p, q->x[j] - dx, q->y[j] - dy))
            return true;
    return false;
}

/* How far A must move to be free of B, up to `most`, to a tenth, in the best one of 32 directions. */
static double way_out(const polygon *a, const polygon *b, double most)
{
    if (!overlap(a, b, 0, 0))
        return 0;
    for (double way = 1e-4; way < most; way *= 1.1)
        for (int i = 0; i < 32; i++)
            if (!overlap(a, b, way * cos(TS_PI * i / 16), way * sin(TS_PI * i / 16)))
                return way;
    return most;
}

/* A pose of a star in which its first tip is by the outline of another, every other time by one of its tips. */
static ts_relative tip_by_outline(const polygon *p, uint64_t at, bool by_tip)
{
    const int edge = (int)(p->count * ts_random_uniform(13, 3, at)), next = (edge + 1) % p->count;
    const int from = by_tip && edge % 2 ? next : edge, to = from == edge ? next : edge;
    const double along = (by_tip ? 0.05 : 1) * ts_random_uniform(13, 3, at + 1),
                 angle = 2 * TS_PI * ts_random_uniform(13, 3, at + 2),
                 off = 0.06 * ts_random_uniform(13, 3, at + 3) - 0.03,
                 way = 2 * TS_PI * ts_random_uniform(13, 3, at + 4);
    return pose(p->x[from] + along * (p->x[to] - p->x[from]) + off * cos(way) - cos(angle),
                p->y[from] + along * (p->y[to] - p->y[from]) + off * sin(way) - sin(angle), angle);
}

static struct {
    int apart, overlapping, lost;
} stars;

static void check_star(const polygon *p, const ts_features *f, const ts_relative *r)
{
    const polygon a = moved(p, r);
    const double most = 0.1, depth = way_out(&a, p, most);
    if (depth >= most)
        return;
    stars.apart += depth == 0;
    stars.overlapping += depth > 0;
    for (int open = 0; open < 2; open++) {
        ts_feature_contact place[256];
        const size_t count = ask(f, f, r, open ? 0.02 : 0, place);
        double deepest = 0;
        for (size_t n = 0; n < count; n++)
            deepest = fmin(deepest, place[n].gap);
        stars.lost += !open && deepest == 0 && depth > 1e-3;
        if (-deepest <= 2 * depth + 1e-9)
            continue;
        printf("%d tips, inner %.1f, at (%.9g, %.9g, %.9g): way out %.5g, deepest %.5g\n", p->count / 2,
               hypot(p->x[1], p->y[1]), r->dx, r->dy, atan2(r->s, r->c), depth, deepest);
        for (size_t n = 0; n < count; n++)
            printf("   side %u, %u, %u: gap %.5g at (%.4g, %.4g), normal (%.3g, %.3g)\n", ts_feature_side(place[n].key),
                   ts_feature_a(place[n].key), ts_feature_b(place[n].key), place[n].gap, place[n].x, place[n].y,
                   place[n].nx, place[n].ny);
        fail();
    }
}

/* Where a tip meets the outline of another star no place is much deeper than the two overlap, by brute force, and none
 * where they do not; and where they overlap there is one, but for a few tips that have cut off another. */
static void stars_are_no_deeper_than_they_overlap(void **state)
{
    (void)state;
    for (int tips = 4; tips <= 6; tips++)
        for (int wide = 0; wide < 4; wide++) {
            const polygon p = star(tips, 0.3 + 0.1 * wide);
            ts_outline *o = polygon_outline(&p);
            ts_features *f = features_of(o);
            for (uint64_t k = 0; k < 3000; k++) {
                const ts_relative r = tip_by_outline(&p, ((uint64_t)(4 * tips + wide) * 3000 + k) * 8, k % 2);
                check_star(&p, f, &r);
            }
            ts_features_free(f);
            ts_outline_free(o);
        }
    assert_true(stars.apart > 1000 && stars.overlapping > 1000);
    assert_true(30 * stars.lost <= stars.overlapping);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(places_agree_with_the_gap), cmocka_unit_test(bounds_hold),
                                       cmocka_unit_test(lanes_agree), cmocka_unit_test(an_inner_angle_touches_twice),
                                       cmocka_unit_test(stars_are_no_deeper_than_they_overlap)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
