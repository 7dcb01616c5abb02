/* SPDX-License-Identifier: MIT */
/* Winding numbers by rays, against discs and boxes counted one by one: from every place of a piece and either way a ray
 * says the same. */
#include "support/check.h"

#include "base/random.h"
#include "shape/repair_work.h"

enum { SHAPES = 150, PIECES = 4 * SHAPES };

/* A disc of two half circles or a box of four lines, run through so many times counter-clockwise. */
typedef struct figure {
    double x, y, r;
    bool round;
    int32_t turns;
} figure;

typedef struct scene {
    figure figure[SHAPES];
    ts_mend_curve piece[PIECES];
    uint32_t owner[PIECES];
    uint32_t count;
} scene;

static scene S;

static int32_t get(const void *owner, uint32_t i, ts_mend_curve *curve)
{
    const scene *s = owner;
    *curve = s->piece[i];
    return s->figure[s->owner[i]].turns;
}

static void add(uint32_t owner, double x0, double y0, double x1, double y1, double bulge)
{
    ts_segment s = {x0, y0, x1, y1, bulge};
    S.owner[S.count] = owner;
    S.piece[S.count++] = ts_mend_curve_make(&s);
}

/* Half circles at multiples of 45°, or nearly: rays then hit their own ends, and those of others. */
static void draw(ts_random *g, bool nested)
{
    S.count = 0;
    for (uint32_t i = 0; i < SHAPES; i++) {
        figure *f = &S.figure[i];
        f->r = nested ? 0.005 * (i + 1) : ts_random_next_range(g, 0.01, 0.3);
        f->x = nested ? 0 : ts_random_next_range(g, -0.7, 0.7);
        f->y = nested ? 0 : ts_random_next_range(g, -0.7, 0.7);
        f->round = ts_random_next_below(g, 2);
        f->r *= nested && f->round ? 1.2 : 1;
        f->turns = (int32_t)ts_random_next_below(g, 5) - 2;
        double x = f->x, y = f->y, r = f->r;
        if (f->round) {
            double a = (double)ts_random_next_below(g, 8) * TS_PI / 4, c = r * cos(a), s = r * sin(a);
            add(i, x + c, y + s, x - c, y - s, 1);
            add(i, x - c, y - s, x + c, y + s, 1);
        } else {
            add(i, x - r, y - r, x + r, y - r, 0);
            add(i, x + r, y - r, x + r, y + r, 0);
            add(i, x + r, y + r, x - r, y + r, 0);
            add(i, x - r, y + r, x - r, y - r, 0);
        }
    }
}

/* By how much a point lies inside. */
static double depth(const figure *f, ts_vec2 p)
{
    double dx = fabs(p.x - f->x), dy = fabs(p.y - f->y);
    return f->r - (f->round ? hypot(dx, dy) : fmax(dx, dy));
}

/* To the left of a piece its own figure is inside. False when another passes so near that nobody can tell. */
static bool truth(uint32_t piece, ts_vec2 p, int64_t *left)
{
    *left = 0;
    for (uint32_t i = 0; i < SHAPES; i++) {
        double d = depth(&S.figure[i], p);
        if (i != S.owner[piece] && fabs(d) < 1e-12)
            return false;
        if (i == S.owner[piece] || d > 0)
            *left += S.figure[i].turns;
    }
    return true;
}

static void rays_agree(void **state)
{
    (void)state;
    size_t told = 0;
    for (int trial = 0; trial < 24; trial++) {
        ts_random g = ts_random_make(6, (uint64_t)trial);
        draw(&g, trial & 1);
        ts_mend_field field = {.get = get, .owner = &S, .margin = 1e-10};
        OK(ts_mend_field_make(&field, S.count, trial & 2, ERROR));
        for (uint32_t i = 0; i < S.count; i++)
            for (int part = 0; part < TS_MEND_PARTS; part++) {
                int64_t left;
                if (!truth(i, ts_mend_field_probe(&field, i, (ts_mend_part)part), &left))
                    continue;
                for (int longer = 0; longer < 2; longer++) {
                    int64_t said = ts_mend_field_left(&field, i, (ts_mend_part)part, longer);
                    if (said != left)
                        fail_msg("trial %d, piece %u, part %d, way %d: %lld, not %lld", trial, i, part, longer,
                                 (long long)said, (long long)left);
                    told++;
                }
            }
        ts_mend_field_free(&field);
    }
    assert_true(told > 24 * 6 * 2 * SHAPES); /* next to all */
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(rays_agree)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
