/* SPDX-License-Identifier: MIT */
/* Moving bodies apart that overlap: as far as it takes, and no farther where they are wedged in. */
#include <math.h>

#include "dynamics/impact_memory.h"
#include "support/check.h"

#define SIZE 0.5

/* A body between two fixed things that overlap it by a hundredth of its radius each. Their normals lie `open` off the x axis to the same side: the less, the
 * farther it has to go along y to be free of both. Returns how far it is moved, by so many sweeps; 0: by a program. */
static double moved(double open, uint64_t sweeps)
{
    enum { dof = 3, contacts = 2 };
    ts_impact_hand hand = {0};
    OK(ts_impact_hand_create(&hand, "gr", dof, ERROR));
    OK(ts_impact_hand_reserve(&hand, contacts, ERROR));
    hand.count = contacts;
    hand.blocks = 1;
    for (size_t i = 0; i < dof; i++)
        hand.w.item[i] = hand.flight.item[i] = 0;
    for (size_t k = 0; k < contacts; k++) {
        hand.a.item[k] = -1;
        hand.b.item[k] = 0;
        hand.gb.item[dof * k] = (k == 0 ? 1 : -1) * cos(open);
        hand.gb.item[dof * k + 1] = sin(open);
        hand.gb.item[dof * k + 2] = 0;
        for (size_t d = 0; d < dof; d++)
            hand.tb.item[dof * k + d] = d == 0 ? -hand.gb.item[dof * k + 1] : d == 1 ? hand.gb.item[dof * k] : 0;
        hand.drift.item[k] = hand.slip.item[k] = hand.fall.item[k] = hand.room.item[k] = hand.mu.item[k] = 0;
        hand.lambda.item[k] = hand.rub.item[k] = 0;
        hand.gap.item[k] = -0.01 * SIZE;
        hand.size.item[k] = SIZE;
        hand.inverse.item[k] = 1;
    }
    const ts_impact_rules rules = {.correction = 1, .sweeps = sweeps, .time_step = 0.01, .gravity = 9.81};
    OK(ts_impact_correct(&hand, &rules, ERROR));
    NEAR(hand.shift.item[0], 0, sweeps > 0 ? 1e-3 * SIZE : 1e-9);
    double way = hand.shift.item[1];
    ts_impact_hand_free(&hand);
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
