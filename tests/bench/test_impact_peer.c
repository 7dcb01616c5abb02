/* SPDX-License-Identifier: MIT */
/* What the bench `impact` hands to Ipopt is the program it means, in both forms: a stack of balls that comes to rest on
 * a floor has impulses that are the momenta above each contact, whoever solves it. Without Ipopt there is nothing to
 * test. */
#include <math.h>

#include "../../bench/impact_peer.h"
#include "support/check.h"

#define BALLS 10

/* Balls of masses 1, 2, … upon each other, all falling with speed 1; contact k is below ball k. */
typedef struct stack {
    int32_t a[BALLS], b[BALLS];
    double ga[2 * BALLS], gb[2 * BALLS], linear[BALLS];
    double impulse[BALLS]; /* that stops what is above */
    ts_qp qp;
} stack;

static void pile_up(stack *s)
{
    for (int k = 0; k < BALLS; k++) {
        s->a[k] = k - 1;
        s->b[k] = k;
        s->ga[2 * k] = s->gb[2 * k] = 0;
        s->ga[2 * k + 1] = k > 0 ? -1 / sqrt(k) : 0;
        s->gb[2 * k + 1] = 1 / sqrt(k + 1);
        s->linear[k] = k > 0 ? 0 : -1;
        s->impulse[k] = 0;
        for (int above = k; above < BALLS; above++)
            s->impulse[k] += above + 1;
    }
    s->qp = (ts_qp){.count = BALLS,
                    .block_count = BALLS,
                    .dof = 2,
                    .a = s->a,
                    .b = s->b,
                    .ga = s->ga,
                    .gb = s->gb,
                    .linear = s->linear};
}

static void test_a_stack_comes_to_rest(void **state)
{
    (void)state;
    static const ts_ipopt_way way[] = {{"impulses", "monotone"}, {"impulses", "mehrotra"}, {"velocities", "mehrotra"}};
    stack s;
    pile_up(&s);
    if (!ts_ipopt_installed())
        skip();
    OK(ts_ipopt_write(&s.qp, "stack.qp", ERROR));
    for (size_t i = 0; i < sizeof way / sizeof *way; i++) {
        double y[BALLS];
        ts_ipopt_result result;
        OK(ts_ipopt_run("stack.qp", &way[i], 1e-12, BALLS, y, &result, ERROR));
        assert_true(result.solved && result.iterations > 0 && result.wall > 0);
        for (int k = 0; k < BALLS; k++)
            NEAR(y[k], s.impulse[k], 1e-6 * s.impulse[0]);
    }
}

/* A ball that flies off is left alone. */
static void test_what_opens_is_left_alone(void **state)
{
    (void)state;
    stack s;
    pile_up(&s);
    if (!ts_ipopt_installed())
        skip();
    s.linear[BALLS - 1] = 3; /* the topmost goes up at 2 */
    OK(ts_ipopt_write(&s.qp, "stack.qp", ERROR));
    double y[BALLS];
    ts_ipopt_result result;
    OK(ts_ipopt_run("stack.qp", &(ts_ipopt_way){"impulses", "mehrotra"}, 1e-12, BALLS, y, &result, ERROR));
    NEAR(y[BALLS - 1], 0, 1e-6);
    NEAR(y[0], s.impulse[0] - BALLS, 1e-4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_stack_comes_to_rest),
        cmocka_unit_test(test_what_opens_is_left_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
