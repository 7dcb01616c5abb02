/* SPDX-License-Identifier: MIT */
/* Measures of simulated grains: the law of a column at rest, and what the engine itself measures. */
#include <math.h>
#include <string.h>

#include "support/check.h"
#include "support/world.h"
#include "touchstone/measure.h"

static const char scene_text[] =
    "{\"touchstone\": 1, \"seed\": 5, \"duration\": 1, \"time_step\": \"50 us\","
    " \"dynamics\": {\"kind\": \"penalty\", \"friction\": 0, \"restitution\": 0.1, \"stiffness\": \"40 kN/m\"},"
    " \"shapes\": {\"disc\": {\"kind\": \"disc\", \"radius\": \"10 mm\"},"
    "  \"triad\": {\"kind\": \"cluster\", \"discs\": [{\"at\": [0, 0], \"radius\": \"7 mm\"},"
    "   {\"at\": [\"8 mm\", 0], \"radius\": \"7 mm\"}, {\"at\": [\"4 mm\", \"8 mm\"], \"radius\": \"6 mm\"}]}},"
    " \"walls\": [{\"kind\": \"half-plane\", \"point\": [0, 0], \"normal\": [0, 1]},"
    "  {\"kind\": \"half-plane\", \"point\": [0, 0], \"normal\": [1, 0]},"
    "  {\"kind\": \"half-plane\", \"point\": [0.16, 0], \"normal\": [-1, 0]}],"
    " \"generators\": [{\"kind\": \"lattice\", \"region\": {\"box\": [0, 0, 0.16, 0.6]}, \"count\": 90, \"mix\": ["
    "  {\"shape\": \"disc\", \"weight\": 2, \"scale\": [0.8, 1.2]}, {\"shape\": \"triad\"}]}]}";

static const double width = 0.16;
static ts_test_world world;
static ts_snapshot now;

static int settle(void **unused)
{
    (void)unused;
    OK(ts_scene_parse(scene_text, strlen(scene_text), "column", NULL, &world.scene, ERROR));
    ts_test_start(&world, 1);
    for (int k = 0; k < 12; k++) { /* with pauses: a frictionless pile rocks for long */
        ts_test_step(&world, 2000);
        const ts_body *body = ts_state_bodies(world.state);
        for (size_t i = 0; i < ts_model_body_count(world.model); i++)
            OK(ts_state_set_velocity(world.state, i, (double[]){0.2 * body[i].vx, 0.2 * body[i].vy, 0.2 * body[i].spin},
                                     ERROR));
    }
    OK(ts_snapshot_take(world.model, world.state, world.work, &now, ERROR));
    return 0;
}

static int clean(void **unused)
{
    (void)unused;
    ts_snapshot_free(&now);
    ts_test_close(&world);
    return 0;
}

/* Weight of the grains whose centres lie above y. */
static double weight_above(double y)
{
    double weight = 0;
    for (size_t i = 0; i < now.body_count; i++)
        weight += now.body[i].position[1] > y ? 9.81 * now.body[i].mass : 0;
    return weight;
}

/* Smooth walls carry no weight, so the stress of a slab at rest is the weight above it over the width: hydrostatics.
 * The slab's mean is that over its height, which centres of grains divide. */
static void stress_carries_the_weight_above(void **unused)
{
    (void)unused;
    ts_region all = ts_snapshot_region(&now);
    double top = all.y1;
    assert_true(top > 0.15 && all.x0 > -3e-3 && all.x1 < width + 3e-3);
    enum { slabs = 6, parts = 2000 };
    double h = 0.9 * top / slabs, whole = weight_above(-1) / width;
    for (int k = 0; k < slabs; k++) {
        ts_region slab = {-0.01, k * h, width + 0.01, (k + 1) * h, 0, 0};
        ts_stress stress;
        double expected = 0;
        for (int i = 0; i < parts; i++)
            expected += weight_above(k * h + (i + 0.5) * h / parts) / (width + 0.02) / parts;
        OK(ts_measure_stress(&now, &slab, &stress, ERROR));
        NEAR(stress.contact[1][1], expected, 0.01 * whole);
    }
    /* no grain turns, so the whole stress is symmetric: σ_xy − σ_yx is the sum of torques */
    ts_stress sum;
    OK(ts_measure_stress(&now, NULL, &sum, ERROR));
    NEAR(sum.contact[0][1], sum.contact[1][0], 2e-3 * whole);
    assert_true(sum.pressure > 0.1 * whole);
    /* and linear in depth, within a few per cent, with the packing's mean weight */
    ts_packing packing;
    ts_region middle = {0, 0.25 * top, width, 0.75 * top, 0, 0};
    OK(ts_measure_packing(&now, &middle, &packing, ERROR));
    assert_true(packing.fraction > 0.75 && packing.fraction < 0.92);
    ts_stress low, high;
    OK(ts_measure_stress(&now, &(ts_region){0, 0.25 * top - 0.02, width, 0.25 * top + 0.02, 0, 0}, &low, ERROR));
    OK(ts_measure_stress(&now, &(ts_region){0, 0.75 * top - 0.02, width, 0.75 * top + 0.02, 0, 0}, &high, ERROR));
    NEAR(low.contact[1][1] - high.contact[1][1], 1000 * 9.81 * packing.fraction * 0.5 * top, 0.05 * whole);
}

/* Newton's third law seen from the floor: the sum of forces on it is the whole weight, as the engine says. */
static void slab_at_the_floor_carries_everything(void **unused)
{
    (void)unused;
    ts_stress stress;
    double lowest = HUGE_VAL;
    for (size_t i = 0; i < now.body_count; i++)
        lowest = fmin(lowest, now.body[i].position[1]);
    ts_region slab = {-0.01, 0.2 * lowest, width + 0.01, 0.8 * lowest, 0, 0};
    OK(ts_measure_stress(&now, &slab, &stress, ERROR));
    double floor[3];
    OK(ts_wall_force(world.work, 0, floor, NULL, ERROR));
    NEAR(stress.contact[1][1] * (width + 0.02), -floor[1], 0.01 * -floor[1]);
}

static void energies_are_those_of_the_engine(void **unused)
{
    (void)unused;
    ts_measures measures;
    ts_energies energies;
    OK(ts_measure(world.model, world.state, world.work, &measures, ERROR));
    ts_measure_energies(&now, &energies);
    NEAR(energies.kinetic, measures.kinetic, 1e-12 * (measures.kinetic + 1));
    NEAR(energies.rotational, measures.rotational, 1e-12 * (measures.rotational + 1));
    NEAR(energies.gravitational, measures.gravitational, 1e-12 * measures.gravitational);
    NEAR(energies.elastic, measures.elastic, 1e-12 * measures.elastic);
    assert_int_equal(now.contact_count, measures.contact_count);
}

/* A frictionless packing of discs and clusters holds together: each grain but few has contacts, rattlers have fewer. */
static void contacts_make_sense(void **unused)
{
    (void)unused;
    ts_coordination z;
    ts_forces forces;
    ts_chains chains;
    OK(ts_measure_coordination(&now, NULL, 3, &z, ERROR));
    assert_true(z.contacts >= z.neighbours && z.neighbours > 3 && z.backbone >= z.contacts - 1e-9);
    OK(ts_measure_forces(&now, NULL, &forces, ERROR));
    assert_true(forces.largest > forces.mean && forces.mean > 0 && forces.count <= now.contact_count);
    OK(ts_measure_chains(&now, NULL, 0, &chains, ERROR));
    assert_true(chains.count > 0 && chains.longest >= 3 && chains.mean_length >= 3 && chains.member_share <= 1);
}

/* The same snapshot filled again gives the same bits, and threads do not matter. */
static void snapshots_are_deterministic(void **unused)
{
    (void)unused;
    ts_workspace *other;
    ts_snapshot again = {0};
    ts_stress a, b;
    OK(ts_workspace_create(world.model, 2, &other, ERROR));
    for (int k = 0; k < 2; k++) {
        OK(ts_snapshot_take(world.model, world.state, other, &again, ERROR));
        OK(ts_measure_stress(&now, NULL, &a, ERROR));
        OK(ts_measure_stress(&again, NULL, &b, ERROR));
        assert_memory_equal(&a, &b, sizeof a);
    }
    ts_snapshot_free(&again);
    ts_workspace_free(other);
    assert_null(again.body);
    assert_int_equal(ts_snapshot_take(NULL, world.state, world.work, &again, ERROR), TS_BAD_INPUT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stress_carries_the_weight_above),  cmocka_unit_test(slab_at_the_floor_carries_everything),
        cmocka_unit_test(energies_are_those_of_the_engine), cmocka_unit_test(contacts_make_sense),
        cmocka_unit_test(snapshots_are_deterministic),
    };
    return cmocka_run_group_tests(tests, settle, clean);
}
