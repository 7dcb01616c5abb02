/* SPDX-License-Identifier: MIT */
/* Bodies that are held from all sides: elastic reflections among them do not end. */
#include <math.h>

#include "support/check.h"

#include "dynamics/impact.h"

/* A ball between two walls that face each other can only have no velocity across in the end, whatever c; along them nothing stops it. With one
 * wall it bounces with c. */
static void a_ball_between_walls_is_found_to_be_locked(void **state)
{
    (void)state;
    for (size_t walls = 1; walls <= 2; walls++) {
        const int32_t a[] = {-1, -1}, b[] = {0, 0};
        const double gb[] = {1, 0, -1, 0}, ga[4] = {0};
        const ts_instant instant = {.count = walls, .block_count = 1, .dof = 2, .a = a, .b = b, .ga = ga, .gb = gb};
        const ts_impact_options options = {.restitution = 0.5, .give_up = 20000};
        double w[2] = {-1, 0.7}, lambda[2] = {0};
        ts_impact_report report = {0};
        ts_impact_work *work;
        ts_error error;
        assert_int_equal(ts_impact_work_create(&work, &error), TS_OK);
        assert_int_equal(
            ts_impact_resolve(&(ts_impact){&instant, &options, work, w, lambda, &report}, ts_impact_find("gr"), &error),
            TS_OK);
        ts_impact_work_free(work);
        assert_true(report.finished);
        assert_int_equal(report.locked, walls == 2);
        assert_true(report.passes <= 600);
        assert_true(fabs(w[0] - (walls == 2 ? 0 : 0.5)) < 1e-9);
        assert_true(w[1] == 0.7);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_ball_between_walls_is_found_to_be_locked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
