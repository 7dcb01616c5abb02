/* SPDX-License-Identifier: MIT */
/* Bodies that are held from all sides: elastic reflections among them do not end. And those that are nearly held: there
 * they do. */
#include <math.h>
#include <string.h>

#include "dynamics/impact_memory.h"
#include "support/check.h"

#define DOF   2
#define PI    3.14159265358979323846
#define GIVEN 20000 /* passes */

/* How normals and friction are resolved. */
typedef enum way { BY_OPERATOR, STAGGERED, BY_SWEEPS, WAYS } way;

typedef struct outcome {
    double w[DOF];
    ts_impact_report report;
} outcome;

/* Rows of a scratch, unit masses; `normal` of each. */
static void set_row(ts_impact_scratch *m, size_t k, int32_t a, int32_t b, const double normal[2])
{
    const size_t dof = (size_t)m->dof;
    m->a.item[k] = a;
    m->b.item[k] = b;
    for (size_t d = 0; d < dof; d++) {
        const double along = d < 2 ? normal[d] : 0, aside = d == 0 ? -normal[1] : d == 1 ? normal[0] : 0;
        m->gb.item[dof * k + d] = along;
        m->ga.item[dof * k + d] = -along;
        m->tb.item[dof * k + d] = aside;
        m->ta.item[dof * k + d] = -aside;
    }
    m->drift.item[k] = m->slip.item[k] = m->fall.item[k] = m->room.item[k] = m->mu.item[k] = 0;
    m->lambda.item[k] = m->rub.item[k] = m->gap.item[k] = 0;
    m->size.item[k] = m->inverse.item[k] = 1;
}

static void open_scratch(ts_impact_scratch *m, size_t contacts, size_t blocks)
{
    OK(ts_impact_scratch_create(m, "gr", 3, ERROR));
    OK(ts_impact_scratch_reserve(m, contacts + blocks, ERROR));
    m->count = contacts;
    m->blocks = blocks;
    memset(m->w.item, 0, 3 * blocks * sizeof *m->w.item);
    memset(m->flight.item, 0, 3 * blocks * sizeof *m->flight.item);
}

static void solve(ts_impact_scratch *m, double restitution, way how)
{
    const ts_impact_rules rules = {.restitution = restitution,
                                   .staggered = how == STAGGERED ? 10 : 0,
                                   .sweeps = how == BY_SWEEPS ? 1000 : 0,
                                   .time_step = 0.01};
    ts_impact_energy energy;
    OK(ts_impact_solve(m, &rules, &energy, ERROR));
}

/* A ball that flies at one of two walls which open upwards by this angle; one wall alone: 0. */
static outcome in_wedge(double aperture, size_t walls, double restitution, way how)
{
    ts_impact_scratch m = {0};
    const double s = sin(0.5 * aperture), c = cos(0.5 * aperture), normal[2][2] = {{c, s}, {-c, s}};
    outcome out;
    open_scratch(&m, walls, 1);
    for (size_t k = 0; k < walls; k++)
        set_row(&m, k, -1, 0, normal[k]);
    m.w.item[0] = -1;
    solve(&m, restitution, how);
    out = (outcome){{m.w.item[0], m.w.item[1]}, m.report};
    ts_impact_scratch_free(&m);
    return out;
}

/* Between two walls that face each other it can only have no velocity across in the end, whatever c. With one wall it
 * bounces with c. */
static void a_ball_between_walls_is_found_to_be_locked(void **state)
{
    (void)state;
    for (way how = 0; how < WAYS; how++)
        for (size_t walls = 1; walls <= 2; walls++) {
            const outcome out = in_wedge(0, walls, 0.5, how);
            assert_true(out.report.finished);
            assert_int_equal(out.report.locked, walls == 2);
            assert_true(out.report.passes <= 64);
            NEAR(out.w[0], walls == 2 ? 0 : 0.5, 1e-9);
        }
}

/* Reflections turn its velocity by α each, from sideways to upwards: by a quarter of a turn. Half of what it comes out
 * with is elastic, |w| = 1. */
static void a_wedge_is_left_by_reflections(void **state)
{
    (void)state;
    static const double aperture[] = {0.3, 0.02, 5e-3, 1e-3, 2.5e-4};
    for (way how = 0; how < WAYS; how++)
        for (size_t i = 0; i < sizeof aperture / sizeof *aperture; i++) {
            const outcome out = in_wedge(aperture[i], 2, 0.5, how);
            assert_true(out.report.finished && !out.report.locked);
            NEAR((double)out.report.passes, 0.5 * PI / aperture[i], 2 + 1e-3 / aperture[i]);
            NEAR(out.w[1], 0.5, 0.5 * aperture[i] + 1e-6);
        }
}

/* One that would take more passes than there are is locked; that is seen early. */
static void a_narrower_one_is_locked(void **state)
{
    (void)state;
    static const double aperture[] = {1e-4, 3e-5, 1e-6, 1e-9};
    for (way how = 0; how < WAYS; how++)
        for (size_t i = 0; i < sizeof aperture / sizeof *aperture; i++) {
            assert_true(PI / aperture[i] > GIVEN);
            const outcome out = in_wedge(aperture[i], 2, 0.5, how);
            assert_true(out.report.finished && out.report.locked && out.report.passes <= 64);
            NEAR(out.w[0], 0, 1e-4);
        }
}

/* A row of balls that touch, the first of which is struck; and, beside it, one that moves between two walls that hold
 * it. */
static void open_row_and_lock(ts_impact_scratch *m, int32_t row)
{
    const double x[2] = {1, 0}, back[2] = {-1, 0};
    open_scratch(m, (size_t)row + 1, (size_t)row + 1);
    for (int32_t i = 0; i + 1 < row; i++)
        set_row(m, (size_t)i, i, i + 1, x);
    set_row(m, (size_t)row - 1, -1, row, x);
    set_row(m, (size_t)row, -1, row, back);
    m->w.item[0] = 1;
    m->w.item[3 * row] = -1;
}

/* A shock goes through a row of balls, one contact a pass, while elsewhere one ball is locked: the row bounces
 * nevertheless. */
static void what_is_loose_bounces_beside_what_is_locked(void **state)
{
    (void)state;
    enum { row = 3000 };
    const double c = 0.5;
    for (way how = 0; how < WAYS; how++) {
        ts_impact_scratch m = {0};
        open_row_and_lock(&m, row);
        solve(&m, c, how);
        assert_true(m.report.finished && m.report.locked);
        assert_true(m.report.passes < row + 10);
        if (how != BY_SWEEPS) /* inelastic, all of them go together; sweeps come near that alone */
            NEAR(m.w.item[3 * (row - 1)], c + (1 - c) / row, 1e-9);
        assert_true(m.w.item[3 * (row - 1)] > 0.9 * c);
        NEAR(m.w.item[3 * row], 0, 1e-9);
        ts_impact_scratch_free(&m);
    }
}

/* With c = 1 nothing may be lost: what is locked turns round, and what is loose bounces as it would without. */
static void without_loss_what_is_locked_turns_round(void **state)
{
    (void)state;
    enum { row = 100 };
    for (way how = 0; how < WAYS; how++) {
        if (how == STAGGERED) /* knows no locks with c = 1 */
            continue;
        ts_impact_scratch m = {0};
        open_row_and_lock(&m, row);
        m.w.item[3 * row + 1] = 0.5; /* along the walls */
        solve(&m, 1, how);
        assert_true(m.report.finished && m.report.locked);
        for (size_t i = 0; i < row; i++)
            NEAR(m.w.item[3 * i], i + 1 == row, 1e-9);
        NEAR(m.w.item[3 * row], 1, 1e-12);
        NEAR(m.w.item[3 * row + 1], 0.5, 1e-15);
        for (size_t k = 0; k <= row; k++)
            assert_true(m.lambda.item[k] >= 0);
        ts_impact_scratch_free(&m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_ball_between_walls_is_found_to_be_locked),
        cmocka_unit_test(a_wedge_is_left_by_reflections),
        cmocka_unit_test(a_narrower_one_is_locked),
        cmocka_unit_test(what_is_loose_bounces_beside_what_is_locked),
        cmocka_unit_test(without_loss_what_is_locked_turns_round),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
