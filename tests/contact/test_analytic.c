/* SPDX-License-Identifier: MIT */
/* Contacts of discs with discs, half-planes and circles: against the formulas in long double, in every instruction
 * set with the same bits, for every number of candidates a batch can have. */
/* the reference is in long double on purpose */
#pragma GCC diagnostic ignored "-Wdouble-promotion"

#include <math.h>
#include <string.h>

#include "support/check.h"

#include "base/random.h"
#include "contact/analytic.h"
#include "support/isa.h"

TS_TEST_TABLES(ts_analytic_kernels, ts_analytic);

enum { PARTS = 40, WALLS = 6 };

typedef struct setting {
    ts_random random;
    ts_frame2 part[PARTS];
    ts_wall_frame wall[WALLS];
    ts_candidate pair[TS_BATCH];
    double spring[TS_BATCH];
} setting;

/* Discs crowded in a unit square, sizes 1 : 10, so that about half of the pairs touch. */
static void crowd(setting *s, uint64_t seed)
{
    s->random = ts_random_make(seed, 0);
    for (int i = 0; i < PARTS; i++)
        s->part[i] = (ts_frame2){.x = ts_random_next_uniform(&s->random),
                                 .y = ts_random_next_uniform(&s->random),
                                 .radius = ts_random_next_range(&s->random, 0.04, 0.4),
                                 .inv_mass = 1};
    for (int i = 0; i < WALLS; i++) {
        double angle = ts_random_next_range(&s->random, 0, 7);
        s->wall[i] = (ts_wall_frame){.kind = i < 4 ? TS_WALL_FLAT : TS_WALL_CIRCLE,
                                     .nx = cos(angle),
                                     .ny = sin(angle),
                                     .radius = 0.6,
                                     .absent = i == 3};
        s->wall[i].frame.x = ts_random_next_uniform(&s->random);
        s->wall[i].frame.y = ts_random_next_uniform(&s->random);
    }
}

static void choose_pairs(setting *s, bool walls)
{
    for (int k = 0; k < TS_BATCH; k++) {
        s->pair[k].b = (int32_t)ts_random_next_below(&s->random, PARTS);
        do
            s->pair[k].a = (int32_t)ts_random_next_below(&s->random, walls ? WALLS : PARTS);
        while (!walls && s->pair[k].a == s->pair[k].b);
        s->spring[k] = k % 3 == 0 ? 0 : ts_random_next_range(&s->random, -1, 1);
    }
}

/* The distance of candidate k in long double, and its normal. */
static long double gap_of(const setting *s, int k, bool walls, long double normal[2])
{
    const ts_frame2 *b = &s->part[s->pair[k].b], *a = walls ? &s->wall[s->pair[k].a].frame : &s->part[s->pair[k].a];
    long double dx = (long double)b->x - a->x, dy = (long double)b->y - a->y, distance = sqrtl(dx * dx + dy * dy);
    normal[0] = dx / distance;
    normal[1] = dy / distance;
    if (!walls)
        return distance - a->radius - b->radius;
    const ts_wall_frame *w = &s->wall[s->pair[k].a];
    if (w->kind == TS_WALL_CIRCLE) {
        normal[0] = -normal[0];
        normal[1] = -normal[1];
        return w->radius - distance - b->radius;
    }
    normal[0] = w->nx;
    normal[1] = w->ny;
    return dx * w->nx + dy * w->ny - b->radius;
}

/* A batch against the formulas. Returns the number of contacts. */
static int check_batch(const setting *s, int count, bool walls, const ts_contact_batch *out, const double *spring)
{
    int found = 0;
    for (int k = 0; k < count; k++) {
        long double n[2], gap = gap_of(s, k, walls, n);
        bool touches = gap < 0 && !(walls && s->wall[s->pair[k].a].absent);
        if (!touches) {
            assert_true(spring[k] == 0); /* a contact that opens forgets */
            continue;
        }
        assert_true(spring[k] == s->spring[k]); /* one that lasts does not */
        assert_true(found < out->count);
        assert_int_equal(out->history[found], k); /* in the candidates' order */
        assert_int_equal(out->a[found], s->pair[k].a);
        assert_int_equal(out->b[found], s->pair[k].b);
        NEAR(out->gap[found], (double)gap, 1e-15);
        NEAR(out->nx[found], (double)n[0], 1e-14);
        NEAR(out->ny[found], (double)n[1], 1e-14);
        NEAR(hypot(out->nx[found], out->ny[found]), 1, 1e-15);
        /* the point on B is on B's rim, towards A, and the two points are one gap apart along the normal */
        const ts_frame2 *b = &s->part[s->pair[k].b];
        const ts_frame2 *a = walls ? &s->wall[s->pair[k].a].frame : &s->part[s->pair[k].a];
        NEAR(out->bx[found], (double)(-b->radius * n[0]), 1e-14);
        NEAR(out->by[found], (double)(-b->radius * n[1]), 1e-14);
        NEAR(b->x + out->bx[found] - (a->x + out->ax[found]), (double)(gap * n[0]), 2e-15);
        NEAR(b->y + out->by[found] - (a->y + out->ay[found]), (double)(gap * n[1]), 2e-15);
        found++;
    }
    assert_int_equal(out->count, found);
    return found;
}

static void run(const ts_analytic_kernels *kernels, const setting *s, int count, bool walls, double *spring,
                ts_contact_batch *out)
{
    memset(out, 0, sizeof *out);
    memcpy(spring, s->spring, sizeof s->spring);
    if (walls)
        kernels->walls(s->wall, s->part, s->pair, count, 0, spring, out);
    else
        kernels->discs(s->part, s->pair, count, 0, spring, out);
}

static void agree_with_the_formulas(bool walls)
{
    int touching = 0, total = 0;
    for (uint64_t seed = 0; seed < 20; seed++)
        for (int count = 0; count <= TS_BATCH; count++) {
            setting s;
            ts_contact_batch first, out;
            double spring[TS_BATCH], first_spring[TS_BATCH];
            crowd(&s, 100 * seed + (uint64_t)count);
            choose_pairs(&s, walls);
            run(ts_analytic_table[0], &s, count, walls, first_spring, &first);
            touching += check_batch(&s, count, walls, &first, first_spring);
            total += count;
            for (int k = count; k < TS_BATCH; k++)
                assert_true(first_spring[k] == s.spring[k]); /* nothing beyond the candidates is touched */
            for (int isa = 1; isa < ts_test_isa_count(); isa++) {
                run(ts_analytic_table[isa], &s, count, walls, spring, &out);
                assert_memory_equal(&out, &first, sizeof out);
                assert_memory_equal(spring, first_spring, sizeof spring);
            }
        }
    assert_true(touching > total / 5 && touching < total * 4 / 5); /* both answers were asked for */
}

static void discs_agree_with_the_formulas(void **state)
{
    (void)state;
    agree_with_the_formulas(false);
}

static void walls_agree_with_the_formulas(void **state)
{
    (void)state;
    agree_with_the_formulas(true);
}

/* Discs on one point, and a disc on the centre of its container, have no direction: any unit vector will do. */
static void coincident_centres_have_a_unit_normal(void **state)
{
    (void)state;
    setting s = {0};
    for (int i = 0; i < PARTS; i++)
        s.part[i] = (ts_frame2){.x = 3, .y = -2, .radius = 1 + i};
    s.wall[0] = (ts_wall_frame){.frame = {.x = 3, .y = -2}, .kind = TS_WALL_CIRCLE, .radius = 0.5};
    for (int k = 0; k < TS_BATCH; k++)
        s.pair[k] = (ts_candidate){k % 7, 7 + k % 11};
    for (int isa = 0; isa < ts_test_isa_count(); isa++)
        for (int walls = 0; walls < 2; walls++) {
            ts_contact_batch out;
            double spring[TS_BATCH];
            for (int k = 0; walls && k < TS_BATCH; k++)
                s.pair[k].a = 0;
            run(ts_analytic_table[isa], &s, 5, walls, spring, &out);
            assert_int_equal(out.count, 5);
            for (int k = 0; k < 5; k++) {
                NEAR(hypot(out.nx[k], out.ny[k]), 1, 0);
                NEAR(out.gap[k], walls ? 0.5 - (1 + s.pair[k].b) : -(2.0 + s.pair[k].a + s.pair[k].b), 0);
                assert_true(isfinite(out.ax[k]) && isfinite(out.ay[k]) && isfinite(out.bx[k]) && isfinite(out.by[k]));
            }
        }
}

/* Discs that just touch do not overlap: no contact, whatever the vector they fall into. */
static void touching_is_not_overlapping(void **state)
{
    (void)state;
    setting s = {0};
    for (int i = 0; i < 10; i++)
        s.part[i] = (ts_frame2){.x = 2 * i, .radius = 1};
    s.wall[0] = (ts_wall_frame){.frame = {.y = -1}, .kind = TS_WALL_FLAT, .ny = 1};
    for (int k = 0; k < 9; k++)
        s.pair[k] = (ts_candidate){k, k + 1};
    for (int isa = 0; isa < ts_test_isa_count(); isa++)
        for (int count = 1; count <= 9; count++) {
            ts_contact_batch out;
            double spring[TS_BATCH];
            run(ts_analytic_table[isa], &s, count, false, spring, &out);
            assert_int_equal(out.count, 0);
            ts_analytic_table[isa]->walls(s.wall, s.part, (ts_candidate[]){{0, 1}}, 1, 0, spring, &out);
            assert_int_equal(out.count, 0);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(discs_agree_with_the_formulas),
        cmocka_unit_test(walls_agree_with_the_formulas),
        cmocka_unit_test(coincident_centres_have_a_unit_normal),
        cmocka_unit_test(touching_is_not_overlapping),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
