/* SPDX-License-Identifier: MIT */
/* Impacts one after the other: in steps that are short beside the gaps, hardly two contacts collide at the same time,
 * and columns of balls that land on a floor come out as events have it, each resolved by itself when it happens. */
#include <math.h>

#include "support/check.h"

#include "base/random.h"
#include "support/world3.h"

#define BALLS       5
#define COLUMNS     40
#define RESTITUTION 0.7
#define LONGEST     1e30

/* Heights over the one below, between surfaces; a column's own. */
static double gap_of(int column, int ball)
{
    return ts_random_range(7, (uint64_t)column, (uint64_t)ball, 0.05, 0.15);
}

/* All of them at −1 at first, without gravity. z: of surfaces, so that balls have no size. */
static void events(int column, double v[BALLS])
{
    double z[BALLS], sum = 0;
    for (int i = 0; i < BALLS; i++) {
        z[i] = sum += gap_of(column, i);
        v[i] = -1;
    }
    for (;;) {
        double when = v[0] < 0 ? -z[0] / v[0] : LONGEST;
        int who = 0; /* strikes what is below it */
        for (int i = 1; i < BALLS; i++) {
            double rate = v[i] - v[i - 1], at = rate < 0 ? (z[i - 1] - z[i]) / rate : LONGEST;
            if (at < when) {
                when = at;
                who = i;
            }
        }
        if (when == LONGEST)
            return;
        for (int i = 0; i < BALLS; i++)
            z[i] += when * v[i];
        if (who == 0) {
            z[0] = 0;
            v[0] *= -RESTITUTION;
        } else {
            double mean = 0.5 * (v[who] + v[who - 1]), half = 0.5 * RESTITUTION * (v[who] - v[who - 1]);
            z[who] = z[who - 1];
            v[who] = mean - half;
            v[who - 1] = mean + half;
        }
    }
}

/* The mean difference of velocities, and the energies that are left, over the first. */
typedef struct outcome {
    double mean, energy, expected;
} outcome;

static outcome land(double step)
{
    ts_test_world w = {0};
    const double zero[3] = {0, 0, 0};
    outcome out = {0};
    ts_test_space(&w, 0);
    ts_test_impact3(w.scene, "gr", RESTITUTION, 0, step);
    ts_test_floor(w.scene);
    const int32_t ball = ts_test_ball(w.scene, 0.5);
    for (int c = 0; c < COLUMNS; c++) {
        double z = 0;
        for (int i = 0; i < BALLS; i++) {
            z += gap_of(c, i);
            ts_test_body3_moving(w.scene, ball, (double[3]){3.0 * c, 0, z + 0.5 + i}, (double[3]){0, 0, -1}, zero);
        }
    }
    ts_test_start(&w, 1);
    ts_test_step(&w, (uint64_t)lround(20 / step));
    for (int c = 0; c < COLUMNS; c++) {
        double v[BALLS];
        events(c, v);
        for (int i = 0; i < BALLS; i++) {
            const double *own = ts_state_bodies3(w.state)[BALLS * c + i].velocity, off = fabs(own[2] - v[i]);
            out.mean += off / (BALLS * COLUMNS);
            out.energy += own[2] * own[2] / (BALLS * COLUMNS);
            out.expected += v[i] * v[i] / (BALLS * COLUMNS);
            NEAR(own[0], 0, 1e-12);
        }
    }
    ts_test_close(&w);
    return out;
}

/* Velocities come out right to first order in how far balls go in a step. Long steps strike several contacts at once,
 * and what is struck at once bounces as one: of five balls that touch 0.49 of the energy would be left, where events
 * leave 0.013. */
static void columns_land(void **state)
{
    (void)state;
    static const double step[] = {0.2, 0.05, 0.0125, 0.003125};
    for (int k = 0; k < 4; k++) {
        const outcome o = land(step[k]);
        assert_true(o.mean < 0.5 * step[k]);
        assert_true(o.energy > o.expected && o.energy < (1 + 20 * step[k]) * o.expected);
    }
    assert_true(land(0.2).energy > 2 * land(0.003125).energy);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(columns_land)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
