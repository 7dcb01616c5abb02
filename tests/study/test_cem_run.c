/* SPDX-License-Identifier: MIT */
/* Runs of published scenes for studies: a full one that is broken off and begun again ends as one that went straight
 * through; side by side or one after the other, runs give the same bits; means over seeds are what a calculator
 * says. */
#include <math.h>
#include <string.h>

#include "support/check.h"

#include "study/cem_run.h"
#include "study/pile_measures.h"

/* Six arcs fall for a while; contacts are exact, so that no map has to be made. */
#define FEW                                                                                                            \
    "generators[1].points=[[-0.75, -1.5], [-0.75, 6]]", "generators[1].count=5",                                       \
        "generators[2].points=[[3.75, -1.5], [3.75, 6]]", "generators[2].count=5",                                     \
        "generators[0].points=[[0, -0.75], [3, -0.75]]", "generators[0].count=2",                                      \
        "generators[3].region.box=[0, 0, 3, 12]", "generators[3].count=6", "dynamics.stiffness=3e7", "time_step=4e-4", \
        "map.kind=exact", "output.frame_rate=20"
static const char *const part[] = {FEW, "duration=0.5"};
static const char *const whole[] = {FEW, "duration=1"};

static ts_cem_run few(const char *name, const char *const *override, uint64_t seed)
{
    ts_cem_run run = {.wish = {.scene = "packing",
                               .grain = "arc-50",
                               .seed = seed,
                               .override = override,
                               .override_count = sizeof part / sizeof *part}};
    strcpy(run.name, name);
    return run;
}

static ts_cem_run broken[2], straight[2];

/* A study has to claim something. */
static ts_status run_both(ts_study *study, ts_cem_run *run, ts_error *error)
{
    TS_TRY(ts_cem_runs(study, run, 2, (double[2]){0, 1}, error));
    return ts_claim_at_least(study, run[0].steps, 1, "1", error, "steps");
}

static ts_status run_part(ts_study *study, ts_error *error)
{
    ts_cem_run run[2] = {few("broken-1", part, 1), few("broken-2", part, 2)};
    return run_both(study, run, error);
}

static ts_status run_rest(ts_study *study, ts_error *error)
{
    broken[0] = few("broken-1", whole, 1);
    broken[1] = few("broken-2", whole, 2);
    return run_both(study, broken, error);
}

static ts_status run_straight(ts_study *study, ts_error *error)
{
    straight[0] = few("straight-1", whole, 1);
    straight[1] = few("straight-2", whole, 2);
    return run_both(study, straight, error);
}

static void run_study(ts_status (*body)(ts_study *study, ts_error *error), bool full)
{
    ts_study_entry entry = {"probe", "runs", "none", body};
    ts_study_options options = {.quiet = true, .full = full, .out_dir = "runs", .threads = 2};
    assert_int_equal(ts_study_run(&entry, &options), 0);
}

static void assert_same_frame(const ts_cem_run *a, const ts_cem_run *b, double time)
{
    ts_cem_look look[2] = {0};
    OK(ts_cem_look_at(a, time, &look[0], ERROR));
    OK(ts_cem_look_at(b, time, &look[1], ERROR));
    assert_true(look[0].snapshot.time == look[1].snapshot.time);
    assert_int_equal(look[0].snapshot.body_count, look[1].snapshot.body_count);
    for (size_t i = 0; i < look[0].snapshot.body_count; i++) {
        const ts_snapshot_body *p = &look[0].snapshot.body[i], *q = &look[1].snapshot.body[i];
        assert_true(p->position[0] == q->position[0] && p->position[1] == q->position[1] && p->angle == q->angle &&
                    p->velocity[0] == q->velocity[0] && p->spin[2] == q->spin[2]);
    }
    ts_cem_look_end(&look[0]);
    ts_cem_look_end(&look[1]);
}

static void what_was_broken_off_ends_the_same(void **state)
{
    (void)state;
    run_study(run_part, true);
    run_study(run_rest, true);
    run_study(run_straight, false);
    for (int i = 0; i < 2; i++) {
        ts_cem_look look = {0};
        assert_same_frame(&broken[i], &straight[i], (double)NAN);
        assert_same_frame(&broken[i], &straight[i], 0.25);
        assert_true(straight[i].steps == 2500); /* 1 s of 0.4 ms */
        OK(ts_cem_look_at(&straight[i], 0.25, &look, ERROR));
        assert_true(fabs(look.snapshot.time - 0.25) < 1e-9);
        ts_cem_look_end(&look);
    }
    /* a finished one that is begun again stands as it is */
    run_study(run_rest, true);
    assert_same_frame(&broken[0], &straight[0], (double)NAN);
}

/* 2, 4, 4, 4, 5, 5, 7, 9: mean 5, Σ(x - 5)² = 32, s² = 32/7. */
static void spreads_are_those_of_a_calculator(void **state)
{
    (void)state;
    const double value[] = {2, 4, 4, 4, 5, 5, 7, 9};
    ts_spread spread = ts_spread_of(value, 8), one = ts_spread_of(value, 1);
    assert_true(fabs(spread.mean - 5) < 1e-15);
    assert_true(fabs(spread.deviation - sqrt(32.0 / 7)) < 1e-14);
    assert_true(fabs(spread.error - sqrt(32.0 / 56)) < 1e-14);
    assert_true(one.mean == 2 && isnan(one.deviation) && isnan(one.error));
    /* with 0, 0, 0, 0, 2, 2, 2, 2, of s² = 8/7: pooled, s² = 20/7; means of eight numbers each differ by s/2 */
    const double other[] = {0, 0, 0, 0, 2, 2, 2, 2};
    const ts_spread both[] = {spread, ts_spread_of(other, 8)};
    ts_pooled pooled = ts_spread_pool(both, 2, 8);
    assert_true(fabs(pooled.deviation - sqrt(20.0 / 7)) < 1e-14);
    assert_true(fabs(pooled.chance - sqrt(20.0 / 7)) < 1e-14);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_was_broken_off_ends_the_same),
        cmocka_unit_test(spreads_are_those_of_a_calculator),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
