/* SPDX-License-Identifier: MIT */
/* Coulomb's law under impact as it is by default, recomputed from the impulses and rows of every step of a pile, in the
 * plane and in space:
 *
 *     λ ≥ 0        |z| ≤ μ λ        no contact goes on closing        a contact that slips has z = −μ λ s / |s|
 *
 * The first three hold in every step, the last one to 2% of what impulses change, wherever the step says that it has
 * settled to 1%. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "support/check.h"

#include "dynamics/impact_memory.h"
#include "support/world.h"
#include "workspace.h"

typedef struct tally {
    size_t contacts, sliding, sticking, few; /* few: sticking contacts of steps that are settled to 1% */
    double beyond;                           /* the largest |z| / (μ λ) − 1 */
    double closing; /* fastest rate below zero, over the largest change of a rate by an impulse in its step */
    double slip;    /* fastest slip of the `few`, over the same */
} tally;

/* Without restitution everything is worked out for the mean velocity of the flight. */
static void look(const ts_test_world *w, tally *to)
{
    const ts_impact_scratch *m = w->work->own; /* both kinds of memory begin with it */
    const ts_rows n = ts_impact_normals(m);
    ts_rows t = ts_impact_tangents(m), x = ts_impact_across(m);
    const bool two = ts_impact_has_across(m);
    static double u[20000];
    double fastest = 0;
    t.drift = x.drift = NULL; /* walls stand still; the array was used for other things since */
    assert_true(m->blocks * (size_t)m->dof < sizeof u / sizeof *u);
    for (size_t k = 0; k < m->count; k++) /* what impulses change of rates */
        fastest = fmax(fastest, m->lambda.item[k] * ts_rows_square(&n, k));
    if (!(fastest > 0))
        return;
    for (size_t i = 0; i < m->blocks * (size_t)m->dof; i++)
        u[i] = m->w.item[i] + m->flight.item[i];
    for (size_t k = 0; k < m->count; k++) {
        const double most = m->mu.item[k] * m->lambda.item[k], z = hypot(m->rub.item[k], two ? m->rub_x.item[k] : 0);
        const double slip = hypot(ts_rows_rate(&t, k, u), two ? ts_rows_rate(&x, k, u) : 0);
        assert_true(m->lambda.item[k] >= 0);
        if (z > 0)
            to->beyond = fmax(to->beyond, most > 0 ? z / most - 1 : HUGE_VAL);
        to->closing = fmax(to->closing, -(ts_rows_rate(&n, k, u) + m->room.item[k]) / fastest);
        to->contacts += most > 0;
        to->sliding += most > 0 && z > 0.999 * most;
        const bool settled = !ts_impact_unsettled(&m->report), sticks = most > 0 && z < 0.9 * most;
        to->sticking += sticks;
        to->few += sticks && settled;
        if (!settled || !(slip > 0))
            continue;
        const double lacks = hypot(m->rub.item[k] + most * ts_rows_rate(&t, k, u) / slip,
                                   two ? m->rub_x.item[k] + most * ts_rows_rate(&x, k, u) / slip : 0);
        to->slip = fmax(to->slip, fmin(slip, lacks * ts_rows_square(&t, k)) / fastest);
    }
}

/* `dynamics`: what it has besides its kind and friction. */
static tally drop(const char *scene, const char *dynamics, int threads, uint64_t steps)
{
    ts_test_world w = {0};
    tally all = {0};
    char text[2048];
    snprintf(text, sizeof text, scene, dynamics);
    OK(ts_scene_parse(text, strlen(text), "pile", NULL, &w.scene, ERROR));
    ts_test_start(&w, threads);
    const double before = w.state->budget.lost_normal + w.state->budget.lost_friction;
    for (uint64_t i = 0; i < steps; i++) {
        ts_test_step(&w, 1);
        const ts_impact_scratch *m = w.work->own;
        if (m->count > 0)
            look(&w, &all);
    }
    assert_true(w.state->budget.lost_normal + w.state->budget.lost_friction > before);
    ts_test_close(&w);
    return all;
}

static void check_law(const char *name, const tally *t)
{
    printf("%s: %zu contacts, %zu slide, %zu stick (%zu in settled steps); beyond the cone %.1e, closing %.1e, slip "
           "%.1e\n",
           name, t->contacts, t->sliding, t->sticking, t->few, t->beyond, t->closing, t->slip);
    assert_true(t->contacts > 5000 && t->sliding > 500 && t->sticking > 500 && 2 * t->few > t->sticking);
    assert_true(t->beyond <= 1e-9);
    assert_true(t->closing <= 1e-7);
    assert_true(t->slip <= 0.02);
}

static const char plane[] =
    "{\"touchstone\": 1, \"duration\": 100, \"gravity\": [0, -9.81], \"seed\": 3, "
    "\"dynamics\": {\"kind\": \"impact\", \"friction\": 0.4, %s},"
    " \"shapes\": {\"b\": {\"kind\": \"box\", \"width\": 0.2, \"height\": 0.12}}, \"walls\": ["
    "{\"kind\": \"half-plane\", \"position\": [0, 0], \"normal\": [0, 1]}, "
    "{\"kind\": \"half-plane\", \"position\": [0, 0], \"normal\": [1, 0]}, "
    "{\"kind\": \"half-plane\", \"position\": [1.4, 0], \"normal\": [-1, 0]}], "
    "\"generators\": [{\"kind\": \"lattice\", \"shape\": \"b\", \"region\": {\"box\": [0, 0, 1.4, 4]}, "
    "\"count\": 36, \"gap\": 0.02, \"velocity_spread\": 0.5}]}";

static const char space[] =
    "{\"touchstone\": 1, \"space\": \"space\", \"duration\": 100, \"gravity\": [0, 0, -9.81], \"seed\": 5, "
    "\"time_step\": 0.003, \"dynamics\": {\"kind\": \"impact\", \"friction\": 0.4, %s}, "
    "\"shapes\": {\"b\": {\"kind\": \"box\", \"size\": [0.08, 0.06, 0.04]}, "
    "\"s\": {\"kind\": \"sphere\", \"radius\": 0.03}}, "
    "\"walls\": [{\"kind\": \"room\", \"low\": [0, 0, 0], \"high\": [0.3, 0.3, 2]}], "
    "\"generators\": [{\"kind\": \"lattice\", \"region\": {\"box\": [0, 0, 0, 0.3, 0.3, 0.8]}, "
    "\"count\": 24, \"mix\": [{\"shape\": \"b\", \"weight\": 3}, {\"shape\": \"s\", \"weight\": 1}]}]}";

static void a_pile_in_the_plane(void **state)
{
    (void)state;
    const tally t = drop(plane, "\"restitution\": 0, \"correction\": 0.2", 1, 600);
    check_law("plane", &t);
}

static void a_pile_in_space(void **state)
{
    (void)state;
    const tally t = drop(space, "\"restitution\": 0", 2, 300);
    check_law("space", &t);
}

/* What bounces mixes an elastic and an inelastic impact: friction stays within its cone. */
static void what_bounces_keeps_to_the_cone(void **state)
{
    (void)state;
    const char *const dynamics[] = {"\"restitution\": 0.5", "\"restitution\": 0.5, \"sweeps\": 50",
                                    "\"restitution\": 0.5, \"staggered\": 0"};
    for (size_t i = 0; i < sizeof dynamics / sizeof *dynamics; i++) {
        const tally t[2] = {drop(plane, dynamics[i], 1, 200), drop(space, dynamics[i], 1, 200)};
        for (int k = 0; k < 2; k++) {
            printf("%s, %s: %zu contacts, %zu slide, beyond the cone %.1e\n", k ? "space" : "plane", dynamics[i],
                   t[k].contacts, t[k].sliding, t[k].beyond);
            assert_true(t[k].contacts > 1000 && t[k].sliding > 200 && t[k].beyond <= 1e-9);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_pile_in_the_plane), cmocka_unit_test(a_pile_in_space),
                                       cmocka_unit_test(what_bounces_keeps_to_the_cone)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
