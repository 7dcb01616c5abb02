/* SPDX-License-Identifier: MIT */
/* Meshes of few triangles whose flat faces lie on those of others, against the same solids without a mesh. */
#include <math.h>

#include "shape/closed_meshes.h"
#include "shape/mesh_edges.h"
#include "support/touches.h"

static ts_touch_array found, wanted;

static int teardown(void **state)
{
    (void)state;
    ts_array_free(&found);
    ts_array_free(&wanted);
    return 0;
}

typedef struct test_mesh {
    ts_mesh *mesh;
    ts_mesh_field *field;
    ts_mesh_clusters *clusters;
    ts_mesh_tree *tree;
    ts_mesh_edges *edges;
} test_mesh;

static ts_solid mesh_solid(ts_mesh *mesh, double inner, test_mesh *made)
{
    made->mesh = mesh;
    OK(ts_mesh_field_create(mesh, &(ts_field_wish){.cells = 24, .margin = 0.2}, NULL, &made->field, ERROR));
    OK(ts_mesh_clusters_create(mesh, &made->clusters, ERROR));
    OK(ts_mesh_tree_create(mesh, &made->tree, ERROR));
    OK(ts_mesh_edges_create(mesh, &made->edges, ERROR));
    return (ts_solid){.kind = TS_SOLID_MESH,
                      .mesh = mesh,
                      .field = made->field,
                      .clusters = made->clusters,
                      .tree = made->tree,
                      .edges = made->edges,
                      .inner = inner};
}

static void free_mesh(test_mesh *made)
{
    ts_mesh_free(made->mesh);
    ts_mesh_field_free(made->field);
    ts_mesh_clusters_free(made->clusters);
    ts_mesh_tree_free(made->tree);
    ts_mesh_edges_free(made->edges);
}

/* A prism over an outline, from z = 0 to z = 1, by triangles of the outline. */
static ts_mesh *prism_mesh(const double (*corner)[2], int32_t count, const int32_t (*cap)[3])
{
    ts_mesh *mesh;
    OK(ts_mesh_create(2 * (size_t)count, 4 * (size_t)count - 4, &mesh, ERROR));
    for (int i = 0; i < 2 * count; i++)
        mesh->vertex[i] = (ts_vec3){corner[i % count][0], corner[i % count][1], i < count ? 0 : 1};
    for (int32_t i = 0; i < count; i++)
        for (int k = 0; k < 3; k++) {
            const int32_t j = (i + 1) % count, side[2][3] = {{i, j, count + j}, {i, count + j, count + i}};
            mesh->triangle[2 * i][k] = side[0][k];
            mesh->triangle[2 * i + 1][k] = side[1][k];
            if (i < count - 2) {
                mesh->triangle[2 * (count + i)][k] = cap[i][2 - k];
                mesh->triangle[2 * (count + i) + 1][k] = count + cap[i][k];
            }
        }
    return mesh;
}

/* Every contact of one list stands in the other one, too. Of faces that are tilted against each other, boxes touch
 * along the direction that separates them most, which may be that across two edges: up to the tilt from a face's
 * normal. */
static void assert_all_in(const ts_touch_array *some, const ts_touch_array *all, double tilt)
{
    for (size_t i = 0; i < some->count; i++) {
        double nearest = HUGE_VAL;
        const ts_touch *t = &some->item[i];
        for (size_t k = 0; k < all->count; k++) {
            const ts_touch *u = &all->item[k];
            if (fabs(t->gap - u->gap) < 1e-7 + 0.01 * tilt * tilt &&
                ts_vec3_distance(t->normal, u->normal) < 1e-7 + tilt)
                nearest = fmin(nearest, ts_vec3_distance(t->point_a, u->point_a));
        }
        assert_true(nearest < 1e-6 + 0.01 * tilt);
    }
}

/* Cubes of twelve triangles on each other, flush and not, turned, tilted and overlapping, touch as boxes do: at the same
 * points, with the same gaps, and nowhere else. */
static void cubes_touch_as_boxes(void **state)
{
    (void)state;
    test_mesh made;
    test_hull corners;
    test_hull_box(&corners, 0.1, 0.1, 0.1);
    const ts_solid mesh = mesh_solid(box_mesh((ts_vec3){-0.1, -0.1, -0.1}, (ts_vec3){0.1, 0.1, 0.1}), 0.1, &made);
    ts_solid box = box_of(0.1, 0.1, 0.1), hull = hull_of(&corners);
    box.inner = hull.inner = 0.1;
    const ts_solid *lower[] = {&mesh, &box, &hull, &mesh}, *upper[] = {&mesh, &mesh, &mesh, &box};
    ts_random random = ts_random_make(74, 1);
    for (int i = 0; i < 200; i++) {
        const bool shifted = i % 4 > 0, turned = i % 4 > 1, tilted = i % 4 > 2;
        const ts_quat attitude = ts_quat_from_axis_angle(random_direction(&random), ts_random_next_uniform(&random)),
                      yaw = ts_quat_from_axis_angle((ts_vec3){0, 0, 1}, turned * ts_random_next_range(&random, -1, 1));
        const ts_vec3 axis = {ts_random_next_normal(&random), ts_random_next_normal(&random), 0},
                      shift = {shifted * ts_random_next_range(&random, -0.1, 0.1),
                               shifted * ts_random_next_range(&random, -0.1, 0.1),
                               0.2 + ts_random_next_range(&random, -0.002, 0.002)};
        const double tilt = tilted * ts_random_next_range(&random, 0.001, 0.02);
        const ts_pose3 low = {{1, 2, 3}, attitude},
                       high = {ts_vec3_add(low.position, ts_quat_apply(attitude, shift)),
                               ts_quat_mul(attitude, ts_quat_mul(ts_quat_from_axis_angle(axis, tilt), yaw))};
        OK((wanted.count = 0,
            ts_touch_find((ts_placed_solid){&box, low}, (ts_placed_solid){&box, high}, 0.01, &wanted, ERROR)));
        for (int k = 0; k < 4; k++) {
            OK((found.count = 0, ts_touch_find((ts_placed_solid){lower[k], low}, (ts_placed_solid){upper[k], high},
                                               0.01, &found, ERROR)));
            assert_all_in(&wanted, &found, tilt);
            assert_all_in(&found, &wanted, tilt);
            check_laws((ts_placed_solid){lower[k], low}, (ts_placed_solid){upper[k], high}, 0.01, 1e-4);
        }
    }
    free_mesh(&made);
}

/* A box stands on the floor of a thick L, a corner of it against the wall that rises there: both carry. */
static void walls_beside_a_floor(void **state)
{
    (void)state;
    static const double corner[6][2] = {{0, 0}, {3, 0}, {3, 1}, {1, 1}, {1, 3}, {0, 3}};
    static const int32_t cap[4][3] = {{0, 1, 2}, {0, 2, 3}, {0, 3, 4}, {0, 4, 5}};
    test_mesh angle, cube;
    const ts_solid l = mesh_solid(prism_mesh(corner, 6, cap), 0.5, &angle),
                   mesh = mesh_solid(box_mesh((ts_vec3){-0.2, -0.2, -0.2}, (ts_vec3){0.2, 0.2, 0.2}), 0.2, &cube);
    ts_solid box = box_of(0.2, 0.2, 0.2);
    box.inner = 0.2;
    const ts_solid *thing[] = {&mesh, &box};
    for (int k = 0; k < 2; k++) {
        const double half = 0.2 * (cos(0.4) + sin(0.4)); /* of the box turned about the L's y, seen along x */
        const ts_placed_solid a = {&l, ts_pose3_identity()}, b = {thing[k],
                                                                  {{1 + half + 0.001, 1.2 - 0.002, 0.5},
                                                                   ts_quat_from_axis_angle((ts_vec3){0, 1, 0}, 0.4)}};
        OK((found.count = 0, ts_touch_find(a, b, 0.01, &found, ERROR)));
        int by_floor = 0, by_wall = 0;
        for (size_t i = 0; i < found.count; i++) {
            by_floor += found.item[i].normal.y > 0.99 && fabs(found.item[i].gap + 0.002) < 1e-6;
            by_wall += found.item[i].normal.x > 0.99 && fabs(found.item[i].gap - 0.001) < 1e-6;
        }
        assert_int_equal(by_floor, 4);
        assert_true(by_wall >= 1);
    }
    free_mesh(&angle);
    free_mesh(&cube);
}

/* Beams with thin flanges lie on each other with these: far sides of flanges face each other, too, and are nearer than
 * half of the ball that fits into the beams, but carry nothing. */
static void far_sides_do_not_meet(void **state)
{
    (void)state;
    static const double corner[6][2] = {{0, 0}, {1, 0}, {1, 1}, {-1, 1}, {-1, 0.98}, {0, 0.98}};
    static const int32_t cap[4][3] = {{0, 1, 5}, {1, 2, 5}, {2, 3, 5}, {3, 4, 5}};
    test_mesh made;
    const ts_solid beam = mesh_solid(prism_mesh(corner, 6, cap), 0.5, &made);
    const ts_quat over = ts_quat_from_axis_angle((ts_vec3){1, 0, 0}, TS_PI);
    const ts_placed_solid low = {&beam, ts_pose3_identity()}, high = {&beam, {{-0.2, 1.999, 1}, over}};
    OK((found.count = 0, ts_touch_find(low, high, 0.002, &found, ERROR)));
    assert_true(found.count >= 4);
    double sum = 0;
    for (size_t i = 0; i < found.count; i++) {
        sum += found.item[i].normal.y;
        assert_true(found.item[i].normal.y > 0.99);
        NEAR(found.item[i].gap, -0.001, 1e-6);
    }
    assert_true(sum > 3.9);
    free_mesh(&made);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cubes_touch_as_boxes),
        cmocka_unit_test(walls_beside_a_floor),
        cmocka_unit_test(far_sides_do_not_meet),
    };
    return cmocka_run_group_tests(tests, NULL, teardown);
}
