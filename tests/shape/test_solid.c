/* SPDX-License-Identifier: MIT */
/* Names, radii and boxes of solids, against the farthest of many points of their surfaces. */
#include <math.h>
#include <string.h>

#include "base/random.h"
#include "shape/hull.h"
#include "shape/mesh_make.h"
#include "support/check.h"

static ts_vec3 random_direction(ts_random *r)
{
    double z = ts_random_next_range(r, -1, 1), angle = ts_random_next_range(r, 0, 2 * TS_PI), s = sqrt(1 - z * z);
    return (ts_vec3){s * cos(angle), s * sin(angle), z};
}

/* The farthest point along d, from the definition of each kind in solid.h. */
static ts_vec3 farthest(const ts_solid *solid, ts_vec3 d)
{
    ts_vec3 end = {0, 0, d.z > 0 ? solid->half_length : -solid->half_length}, best = {0, 0, 0};
    const ts_vec3 *point = solid->hull ? solid->hull->vertex : solid->mesh ? solid->mesh->vertex : NULL;
    size_t count = solid->hull ? solid->hull->vertex_count : solid->mesh ? solid->mesh->vertex_count : 0;
    switch (solid->kind) {
    case TS_SOLID_SPHERE:
        return ts_vec3_scale(d, solid->radius);
    case TS_SOLID_BOX:
        return (ts_vec3){copysign(solid->half.x, d.x), copysign(solid->half.y, d.y), copysign(solid->half.z, d.z)};
    case TS_SOLID_CAPSULE:
        return ts_vec3_add_scaled(end, d, solid->radius);
    case TS_SOLID_CYLINDER:
        return ts_vec3_add_scaled(end, ts_vec3_unit((ts_vec3){d.x, d.y, 0}), solid->radius);
    default:
        for (size_t i = 0; i < count; i++)
            if (i == 0 || ts_vec3_dot(point[i], d) > ts_vec3_dot(best, d))
                best = point[i];
        return best;
    }
}

/* The box is tight: along each axis of the world it ends where the farthest point is. The radius is that of the
 * farthest point of all. */
static void boxes_and_radii(void **state)
{
    (void)state;
    ts_hull *hull = NULL;
    ts_mesh *mesh = NULL;
    OK(ts_hull_box((ts_vec3){0.2, 0.7, 0.4}, &hull, ERROR));
    OK(ts_mesh_make_torus(1, 0.3, 24, 12, &mesh, ERROR));
    const ts_solid solid[] = {
        {.kind = TS_SOLID_SPHERE, .radius = 0.7},
        {.kind = TS_SOLID_BOX, .half = {0.1, 0.5, 0.3}},
        {.kind = TS_SOLID_CAPSULE, .radius = 0.2, .half_length = 0.9},
        {.kind = TS_SOLID_CYLINDER, .radius = 0.4, .half_length = 0.3},
        {.kind = TS_SOLID_HULL, .hull = hull},
        {.kind = TS_SOLID_MESH, .mesh = mesh},
    };
    const double radius[] = {0.7, sqrt(0.35), 1.1, 0.5, sqrt(0.69), 1.3};
    ts_random r = ts_random_make(1, 0);
    for (size_t k = 0; k < sizeof solid / sizeof *solid; k++) {
        NEAR(ts_solid_radius(&solid[k]), radius[k], 1e-15);
        for (int trial = 0; trial < 50; trial++) {
            ts_pose3 pose = {random_direction(&r), ts_quat_identity()};
            if (trial > 0) /* the first stands upright */
                pose.quat = ts_quat_from_axis_angle(random_direction(&r), ts_random_next_range(&r, 0, 6));
            ts_box3 box = ts_solid_bounds(&solid[k], pose);
            const double low[3] = {box.low.x, box.low.y, box.low.z}, high[3] = {box.high.x, box.high.y, box.high.z};
            for (int axis = 0; axis < 3; axis++) {
                ts_vec3 d = {axis == 0, axis == 1, axis == 2};
                ts_vec3 own = ts_quat_apply_inverse(pose.quat, d);
                ts_vec3 up = ts_pose3_apply(pose, farthest(&solid[k], own));
                ts_vec3 down = ts_pose3_apply(pose, farthest(&solid[k], ts_vec3_neg(own)));
                NEAR(high[axis], ts_vec3_dot(up, d), 1e-14);
                NEAR(low[axis], ts_vec3_dot(down, d), 1e-14);
            }
            assert_true(ts_vec3_length(farthest(&solid[k], random_direction(&r))) <= radius[k] * (1 + 1e-15));
        }
    }
    ts_hull_free(hull);
    ts_mesh_free(mesh);
}

/* A half-space ends at its plane where that is across an axis, and nowhere else; around a vessel is no end. */
static void infinite(void **state)
{
    (void)state;
    const ts_solid plane = {.kind = TS_SOLID_PLANE};
    const ts_solid vessel = {.kind = TS_SOLID_VESSEL, .radius = 1, .half_length = 2};
    assert_true(isinf(ts_solid_radius(&plane)) && isinf(ts_solid_radius(&vessel)));
    ts_pose3 pose = {{1, 2, 3}, ts_quat_identity()};
    ts_box3 box = ts_solid_bounds(&plane, pose);
    assert_true(box.high.z == 3 && box.high.x == HUGE_VAL && box.high.y == HUGE_VAL);
    assert_true(box.low.z == -HUGE_VAL && box.low.x == -HUGE_VAL && box.low.y == -HUGE_VAL);
    pose.quat = (ts_quat){0, 1, 0, 0}; /* head down: the half-space is above */
    box = ts_solid_bounds(&plane, pose);
    assert_true(box.low.z == 3 && box.high.z == HUGE_VAL && box.high.x == HUGE_VAL);
    pose.quat = ts_quat_from_axis_angle((ts_vec3){1, 0, 0}, 0.1);
    box = ts_solid_bounds(&plane, pose);
    assert_true(isinf(box.high.x) && isinf(box.high.y) && isinf(box.high.z) && isinf(box.low.z));
    box = ts_solid_bounds(&vessel, pose);
    assert_true(box.low.x == -HUGE_VAL && box.high.x == HUGE_VAL && box.low.z == -HUGE_VAL && box.high.z == HUGE_VAL);
}

static void names(void **state)
{
    (void)state;
    for (int i = 0; i < TS_SOLID_KINDS; i++)
        for (int j = 0; j < i; j++)
            assert_string_not_equal(ts_solid_name((ts_solid_kind)i), ts_solid_name((ts_solid_kind)j));
    assert_string_equal(ts_solid_name(TS_SOLID_CAPSULE), "capsule");
    assert_string_equal(ts_solid_name(TS_SOLID_KINDS), "unknown");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(boxes_and_radii), cmocka_unit_test(infinite),
                                       cmocka_unit_test(names)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
