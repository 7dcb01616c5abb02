/* SPDX-License-Identifier: MIT */
/* Moving bodies apart that overlap: as far as it takes, and no farther where they are wedged in. */
#include <math.h>

#include "dynamics/impact_memory.h"
#include "support/check.h"

#define SIZE 0.5

/* A body between two fixed things that overlap it by a hundredth of its radius each. Their normals lie `open` off the x
 * axis to the same side: the less, the farther it has to go along y to be free of both. Returns how far it is moved, by
 * so many sweeps; 0: by a program. */
static double moved(double open, uint64_t sweeps)
{
    enum { dof = 3, contacts = 2 };
    ts_impact_scratch scratch = {0};
    OK(ts_impact_scratch_create(&scratch, "gr", dof, ERROR));
    OK(ts_impact_scratch_reserve(&scratch, contacts, ERROR));
    scratch.count = contacts;
    scratch.blocks = 1;
    for (size_t i = 0; i < dof; i++)
        scratch.w.item[i] = scratch.flight.item[i] = scratch.lag.item[i] = 0;
    for (size_t k = 0; k < contacts; k++) {
        scratch.a.item[k] = -1;
        scratch.b.item[k] = 0;
        scratch.gb.item[dof * k] = (k == 0 ? 1 : -1) * cos(open);
        scratch.gb.item[dof * k + 1] = sin(open);
        scratch.gb.item[dof * k + 2] = 0;
        for (size_t d = 0; d < dof; d++)
            scratch.tb.item[dof * k + d] = d == 0   ? -scratch.gb.item[dof * k + 1]
                                           : d == 1 ? scratch.gb.item[dof * k]
                                                    : 0;
        scratch.drift.item[k] = scratch.slip.item[k] = scratch.fall.item[k] = scratch.room.item[k] =
            scratch.bend.item[k] = scratch.mu.item[k] = 0;
        scratch.lambda.item[k] = scratch.rub.item[k] = 0;
        scratch.gap.item[k] = -0.01 * SIZE;
        scratch.size.item[k] = SIZE;
        scratch.inverse.item[k] = 1;
    }
    const ts_impact_rules rules = {.correction = 1, .sweeps = sweeps, .time_step = 0.01, .gravity = 9.81};
    OK(ts_impact_correct(&scratch, &rules, ERROR));
    NEAR(scratch.shift.item[0], 0, sweeps > 0 ? 1e-3 * SIZE : 1e-9);
    double way = scratch.shift.item[1];
    ts_impact_scratch_free(&scratch);
    return way;
}

static void bodies_part(void **state)
{
    (void)state;
    /* what is left alone is 5e-4 of the radius */
    NEAR(moved(0.5, 0), 0.0095 * SIZE / sin(0.5), 1e-9);
    NEAR(moved(0.5, 100), 0.0095 * SIZE / sin(0.5), 1e-3 * SIZE);
}

static void what_is_wedged_in_does_not_leap(void **state)
{
    (void)state;
    /* it would have to go 9.5, 950 and 95,000 radii */
    for (double open = 1e-3; open > 1e-8; open *= 1e-2)
        NEAR(moved(open, 0), 0.1 * SIZE, 1e-6);
    /* sweeps creep, but in the end they go as far: 0.19 and 0.48 radii */
    NEAR(moved(0.05, 2000), 0.1 * SIZE, 1e-6);
    NEAR(moved(0.02, 20000), 0.1 * SIZE, 1e-6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bodies_part),
        cmocka_unit_test(what_is_wedged_in_does_not_leap),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
