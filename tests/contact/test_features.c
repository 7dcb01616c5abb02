/* SPDX-License-Identifier: MIT */
/* Contacts by features, beside the exact gap of two outlines, which knows nothing of them (cspace/loose.h), and
 * beside brute force. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/check.h"

#include "base/random.h"
#include "contact/features.h"
#include "cspace/loose.h"
#include "shape/outline.h"
#include "touchstone/touchstone.h"

static ts_outline *outline_of(const ts_vertex *vertex, size_t count)
{
    ts_outline *o, *centred;
    OK(ts_outline_adopt(&(ts_contour){vertex, count, false}, 1, NULL, 0, &o, ERROR));
    ts_outline_mass mass = ts_outline_get_mass(o);
    OK(ts_outline_place(o, 1, 0, (const double[2]){-mass.centre[0], -mass.centre[1]}, &centred, ERROR));
    ts_outline_free(o);
    return centred;
}

/* A hash sign without its hole, a box, a rounded box, a triangle with a dent, a thin L. */
enum { SHAPES = 5 };
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
    switch (which) {
    case 0:
        return outline_of(hash, sizeof hash / sizeof *hash);
    case 1:
        return outline_of(box, 4);
    case 2:
        return outline_of(rounded, 8);
    case 3:
        return outline_of(dented, 3);
    default:
        return outline_of(ell, 6);
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

/* Where two shapes overlap by little, the deepest place is as deep as they overlap, up to what corners that meet
 * head on differ by; no place lies
 * anywhere but at the overlap; and apart there is none. */
static void places_agree_with_the_gap(void **state)
{
    (void)state;
    int overlapping = 0;
    for (int i = 0; i < SHAPES; i++)
        for (int j = 0; j < SHAPES; j++) {
            ts_outline *oa = shape(i), *ob = shape(j);
            ts_features *a = features_of(oa), *b = features_of(ob);
            ts_loose *la, *lb;
            OK(ts_loose_create(oa, 1, 1, &la, ERROR));
            OK(ts_loose_create(ob, 1, 1, &lb, ERROR));
            for (uint64_t k = 0; k < 4000; k++) {
                uint64_t at = (uint64_t)(i * SHAPES + j) * 100000 + 4 * k;
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
                /* places that are shallow need not lie inside, and a sharp tip that was passed through has none */
                const double shallow = 0.036;
                const bool sharp = i == 3 || j == 3;
                if (c.gap >= 0 ? deepest < -shallow
                               : (count == 0 && c.gap < -1e-3 && !sharp) || deepest < 3 * c.gap - shallow) {
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
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(places_agree_with_the_gap)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
