/* SPDX-License-Identifier: MIT */
/* Runs in space: symmetry, energy and overlap as they are measured, against scenes for which one knows them. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "study/space_run.h"

#define NEAR(a, b, tolerance) assert_true(fabs((a) - (b)) <= (tolerance))

static ts_error error;
#define OK(call)                                      \
    do {                                              \
        if ((call) != TS_OK)                          \
            fail_msg("%s: %s", #call, error.message); \
    } while (0)

static void run(ts_status (*body)(ts_study *study, ts_error *error))
{
    ts_study_entry entry = {"probe", "runs in space", "none", body};
    assert_int_equal(ts_study_run(&entry, &(ts_study_options){.quiet = true, .out_dir = "space-run"}), 0);
}

/* Two cubes of side 2 at x = ±3 that come towards each other at 1 m/s, turned like mirror images, and fall. */
static void open_pair(ts_space_run *r, ts_study *study, double speed, double overlap)
{
    const ts_space_wish wish = {.name = "pair",
                                .rules = {.by = "gr", .restitution = 1, .gravity = 10, .step = 0.01},
                                .duration = 1,
                                .frame = 0.1};
    OK(ts_space_run_open(r, study, &wish, &error));
    OK(ts_space_run_cube(r, 2, &error));
    for (int i = 0; i < 2; i++) {
        const double side = i ? -1 : 1;
        ts_body_def body = ts_default_body();
        body.position[0] = overlap > 0 ? side * (1 - 0.5 * overlap) : 3 * side;
        body.position[2] = 10;
        body.velocity[0] = -side * (i ? speed : 1);
        if (!(overlap > 0)) {
            body.attitude[0] = cos(0.1);
            body.attitude[3] = side * sin(0.1); /* about z: a mirror in x turns it the other way */
            body.spin[1] = 0.2 * side;
        }
        OK(ts_scene_add_body(r->rig.scene, &body, NULL, &error));
    }
    OK(ts_space_run_start(r, &error));
}

static ts_mat3 mirror_x(void)
{
    return ts_mat3_diagonal((ts_vec3){-1, 1, 1});
}

/* A displacement counts as what it is over the radius √3, a small turn as its angle. */
static ts_status off_images(ts_study *study, ts_error *unused)
{
    (void)unused;
    ts_space_run r = {0};
    open_pair(&r, study, 1, 0);
    OK(ts_space_run_symmetry(&r, mirror_x(), &error));
    NEAR(ts_space_run_asymmetry(&r), 0, 1e-15);
    const ts_body3 from = *ts_space_run_body(&r, 0);
    const double moved[3] = {from.position[0], from.position[1], from.position[2] + 1e-3};
    OK(ts_state_set_pose(r.rig.state, 0, TS_POSE3(moved, from.attitude), &error));
    NEAR(ts_space_run_asymmetry(&r), 1e-3 / sqrt(3), 1e-12);
    ts_quat q = ts_quat_mul(ts_quat_from_axis_angle((ts_vec3){0.6, 0, 0.8}, 1e-3),
                            (ts_quat){from.attitude[0], from.attitude[1], from.attitude[2], from.attitude[3]});
    OK(ts_state_set_pose(r.rig.state, 0, TS_POSE3(from.position, ((double[4]){q.w, q.x, q.y, q.z})), &error));
    NEAR(ts_space_run_asymmetry(&r), 1e-3, 1e-9);
    ts_space_run_close(&r);
    return ts_claim(study, true, 0, "1", "", NULL, "reached");
}

/* A start that is no mirror image is refused: by its velocities alone, too. */
static ts_status refusals(ts_study *study, ts_error *unused)
{
    (void)unused;
    ts_space_run r = {0};
    open_pair(&r, study, 1.001, 0);
    assert_int_equal(ts_space_run_symmetry(&r, mirror_x(), &error), TS_BAD_INPUT);
    ts_space_run_close(&r);
    open_pair(&r, study, 1, 0);
    assert_int_equal(ts_space_run_symmetry(&r, ts_mat3_diagonal((ts_vec3){-1, 1, -1}), &error), TS_BAD_INPUT);
    ts_space_run_close(&r);
    return ts_claim(study, true, 0, "1", "", NULL, "reached");
}

/* Of free flight: ½ m v² + ½ I ω² + m g z with m = 8·1000 kg and I = ⅔ m; kept, and left when a body gets more speed
 * from outside. */
static ts_status energies(ts_study *study, ts_error *unused)
{
    (void)unused;
    ts_space_run r = {0};
    open_pair(&r, study, 1, 0);
    OK(ts_space_run_symmetry(&r, mirror_x(), &error));
    OK(ts_space_run_step(&r, 50, &error));
    const double m = 8000, first = 2 * (0.5 * m + 0.5 * (m * 2 / 3) * 0.04 + m * 10 * 10);
    assert_int_equal(r.row.count, 51);
    NEAR(r.row.item[0].energy, first, 1e-12 * first);
    NEAR(ts_space_run_drift(&r, 1), 0, 1e-13);
    assert_true(isnan(ts_space_run_leaves(&r, 1e-12)));
    NEAR(ts_space_run_parted(&r, 1), 0, 1e-14);
    const ts_body3 *b = ts_space_run_body(&r, 0);
    const double faster[3] = {b->velocity[0] - 1, b->velocity[1], b->velocity[2]}; /* ½ m (2² − 1²) more */
    OK(ts_state_set_velocity(r.rig.state, 0, TS_VELOCITY3(faster, ((double[3]){0, 0.2, 0})), &error));
    OK(ts_space_run_step(&r, 1, &error));
    NEAR(ts_space_run_drift(&r, 1), 1.5 * m / first, 1e-9);
    NEAR(ts_space_run_leaves(&r, 1e-3), 0.51, 1e-12);
    NEAR(ts_space_run_parted(&r, 1), 0.01 / sqrt(3), 1e-9); /* 1 m/s for a step */
    ts_space_run_close(&r);
    return ts_claim(study, true, 0, "1", "", NULL, "reached");
}

/* Two that begin 0.01 m deep in each other: over the radius. */
static ts_status overlaps(ts_study *study, ts_error *unused)
{
    (void)unused;
    ts_space_run r = {0};
    open_pair(&r, study, 1, 0.01);
    OK(ts_space_run_step(&r, 1, &error));
    NEAR(ts_space_run_deepest(&r), 0.01 / sqrt(3), 1e-9);
    OK(ts_space_run_finish(&r, &error));
    ts_space_run_close(&r);
    return ts_claim(study, true, 0, "1", "", NULL, "reached");
}

static void measures(void **state)
{
    (void)state;
    run(off_images);
    run(refusals);
    run(energies);
    run(overlaps);
}

int main(void)
{
    const struct CMUnitTest test[] = {cmocka_unit_test(measures)};
    return cmocka_run_group_tests(test, NULL, NULL);
}
