/* SPDX-License-Identifier: MIT */
/* Long edges of meshes, which cross others between all vertices: against the same solids without a mesh. */
#include <math.h>

#include "shape/closed_meshes.h"
#include "shape/mesh_edges.h"
#include "shape/mesh_make.h"
#include "support/touches.h"

static ts_touch_array found;

static int teardown(void **state)
{
    (void)state;
    ts_array_free(&found);
    return 0;
}

typedef struct test_mesh {
    ts_mesh *mesh;
    ts_mesh_field *field;
    ts_mesh_clusters *clusters;
    ts_mesh_tree *tree;
    ts_mesh_edges *edges;
} test_mesh;

static ts_solid mesh_solid(ts_mesh *mesh, int cells, double inner, test_mesh *made)
{
    made->mesh = mesh;
    OK(ts_mesh_field_create(mesh, &(ts_field_wish){.cells = cells, .margin = 0.2}, NULL, &made->field, ERROR));
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

static ts_mesh *beam_mesh(void)
{
    return box_mesh((ts_vec3){-1, -0.1, -0.1}, (ts_vec3){1, 0.1, 0.1});
}

/* ---- Which edges ---- */

/* A thick L has six around each of its two faces and six between: all but the one that stands in the hollow. */
static void edges_of_an_angle(void **state)
{
    (void)state;
    const double corner[6][2] = {{0, 0}, {3, 0}, {3, 1}, {1, 1}, {1, 3}, {0, 3}};
    const int32_t cap[4][3] = {{0, 1, 2}, {0, 2, 3}, {0, 3, 4}, {0, 4, 5}};
    ts_mesh *mesh;
    ts_mesh_edges *edges;
    OK(ts_mesh_create(12, 20, &mesh, ERROR));
    for (int i = 0; i < 12; i++)
        mesh->vertex[i] = (ts_vec3){corner[i % 6][0], corner[i % 6][1], i < 6 ? 0 : 1};
    for (int32_t i = 0; i < 6; i++)
        for (int k = 0; k < 3; k++) {
            const int32_t j = (i + 1) % 6, side[2][3] = {{i, j, 6 + j}, {i, 6 + j, 6 + i}};
            mesh->triangle[2 * i][k] = side[0][k];
            mesh->triangle[2 * i + 1][k] = side[1][k];
            mesh->triangle[12 + 2 * (i % 4)][k] = cap[i % 4][2 - k];
            mesh->triangle[13 + 2 * (i % 4)][k] = 6 + cap[i % 4][k];
        }
    OK(ts_mesh_edges_create(mesh, &edges, ERROR));
    assert_int_equal(edges->count, 17);
    for (size_t i = 0; i < edges->count; i++)
        assert_false(edges->edge[i].a == 3 && edges->edge[i].b == 9);
    ts_mesh_edges_free(edges);
    ts_mesh_free(mesh);
}

/* Balls about clusters, wider by half of their longest edge, hold all of their edges; and no wider than one needs. */
static void clusters_hold_their_edges(void **state)
{
    (void)state;
    ts_mesh *mesh[] = {box_mesh((ts_vec3){-1, -2, -3}, (ts_vec3){1, 2, 3}), ball_mesh(0.5, 16)};
    for (int m = 0; m < 2; m++) {
        ts_mesh_edges *edges;
        OK(ts_mesh_edges_create(mesh[m], &edges, ERROR));
        for (size_t i = 0; i < edges->clusters->node_count; i++) {
            const ts_mesh_cluster *node = &edges->clusters->node[i];
            double longest = 0;
            for (uint32_t k = node->begin; k < node->end; k++) {
                const ts_mesh_edge e = edges->edge[edges->clusters->vertex[k]];
                const ts_vec3 p = mesh[m]->vertex[e.a], q = mesh[m]->vertex[e.b];
                const double most = node->radius + edges->half[i] + 1e-12;
                longest = fmax(longest, ts_vec3_distance(p, q));
                assert_true(ts_vec3_distance(p, node->centre) <= most && ts_vec3_distance(q, node->centre) <= most);
            }
            NEAR(edges->half[i], 0.5 * longest, 1e-12);
        }
        ts_mesh_edges_free(edges);
        ts_mesh_free(mesh[m]);
    }
}

/* ---- Crossings ---- */

/* Beams that cross, on edges, on faces and anyhow: gaps, and normals of what is deepest, are those of two boxes. */
static void beams_cross(void **state)
{
    (void)state;
    test_mesh made;
    test_hull corners;
    test_hull_box(&corners, 1, 0.1, 0.1);
    ts_solid beam = mesh_solid(beam_mesh(), 40, 0.1, &made), box = box_of(1, 0.1, 0.1), hull = hull_of(&corners);
    box.inner = hull.inner = 0.1;
    const ts_solid *other[] = {&box, &hull, &beam};
    ts_random random = ts_random_make(71, 1);
    for (int i = 0; i < 60; i++) {
        const double roll = i < 20 ? TS_PI / 4 : i < 40 ? 0 : 0.9 * (ts_random_next_uniform(&random) - 0.5) + 0.6;
        const double gap = 0.008 * (ts_random_next_uniform(&random) - 0.5),
                     yaw = 0.6 + 1.8 * ts_random_next_uniform(&random);
        const ts_vec3 x = {1, 0, 0}, z = {0, 0, 1};
        ts_pose3 low = {{0, 0, 0}, ts_quat_from_axis_angle(x, roll)};
        ts_pose3 high = {{0.1, -0.07, 0},
                         ts_quat_mul(ts_quat_from_axis_angle(z, yaw), ts_quat_from_axis_angle(x, roll))};
        ts_placed_solid a = {&box, low}, b = {&box, high};
        high.position.z = b.pose.position.z = support_of(a, z).z + support_of(b, z).z + gap;
        OK((found.count = 0, ts_touch_find(a, b, 0.01, &found, ERROR)));
        const double want = smallest_gap(&found);
        for (int k = 0; k < 3; k++) {
            ts_placed_solid p = {other[k], low}, q = {&beam, high};
            OK((found.count = 0, ts_touch_find(p, q, 0.01, &found, ERROR)));
            assert_true(found.count >= 1);
            NEAR(smallest_gap(&found), want, 1e-6);
            for (size_t j = 0; j < found.count; j++)
                if (found.item[j].gap < want + 1e-7)
                    NEAR(found.item[j].normal.z, 1, 1e-4);
            if (i >= 20 && i < 40) /* all corners of what the faces share */
                assert_true(found.count >= 4);
        }
    }
    free_mesh(&made);
}

/* A beam across things that are round. */
static void round_things(void **state)
{
    (void)state;
    test_mesh made;
    ts_solid beam = mesh_solid(beam_mesh(), 40, 0.1, &made), cylinder = cylinder_of(0.1, 1),
             capsule = capsule_of(0.1, 1);
    cylinder.inner = capsule.inner = 0.1;
    const ts_solid *thing[] = {&cylinder, &capsule};
    for (int k = 0; k < 2; k++)
        for (int step = 0; step < 3; step++) {
            const double gap = 0.004 * (step - 1), edge = sqrt(0.02);
            ts_placed_solid a = {thing[k], {{0, 0, 0}, ts_quat_from_axis_angle((ts_vec3){0, 1, 0}, TS_PI / 2)}};
            ts_quat roll = ts_quat_from_axis_angle((ts_vec3){1, 0, 0}, TS_PI / 4),
                    yaw = ts_quat_from_axis_angle((ts_vec3){0, 0, 1}, TS_PI / 2);
            ts_placed_solid b = {&beam, {{0.03, 0.02, 0.1 + edge + gap}, ts_quat_mul(yaw, roll)}};
            OK((found.count = 0, ts_touch_find(a, b, 0.01, &found, ERROR)));
            assert_true(found.count >= 1);
            NEAR(smallest_gap(&found), gap, 1e-6);
            if (k == 0) /* balls along a capsule have points inside of it */
                check_laws(a, b, 0.01, 1e-5);
        }
    free_mesh(&made);
}

/* The laws of any pair: features, swaps and motions among them. */
static void laws_of_crossings(void **state)
{
    (void)state;
    test_mesh made;
    ts_solid beam = mesh_solid(beam_mesh(), 40, 0.1, &made);
    ts_quat yaw = ts_quat_from_axis_angle((ts_vec3){0, 0, 1}, 1.1),
            roll = ts_quat_from_axis_angle((ts_vec3){1, 0, 0}, 0.6);
    ts_placed_solid a = {&beam, {{0, 0, 0}, roll}}, b = {&beam, {{0.1, 0.05, 0.26}, ts_quat_mul(yaw, roll)}};
    check_laws(a, b, 0.03, 1e-5);
    /* upright cross: its own mirror image */
    ts_placed_solid c = {&beam, {{0, 0, -0.0999}, {1, 0, 0, 0}}},
                    d = {&beam, {{0, 0, 0.0999}, ts_quat_from_axis_angle((ts_vec3){0, 0, 1}, TS_PI / 2)}};
    OK((found.count = 0, ts_touch_find(c, d, 0.001, &found, ERROR)));
    assert_int_equal(found.count, 4); /* the corners of what their faces share */
    check_mirror(&found, (ts_vec3){1, 0, 0}, false, 1e-6);
    check_mirror(&found, (ts_vec3){0, 1, 0}, false, 1e-6);
    free_mesh(&made);
}

/* Places keep their numbers, by which impulses of the last step are known: when both are turned a little, so that
 * lengths are rounded otherwise, and when one slides along the other, past the borders of parts. */
static void features_last(void **state)
{
    (void)state;
    test_mesh made;
    ts_solid beam = mesh_solid(beam_mesh(), 40, 0.1, &made); /* as long as 20 parts of two cells, but for rounding */
    ts_random random = ts_random_make(73, 1);
    uint32_t first[4] = {0};
    for (int i = 0; i < 240; i++) {
        const ts_quat turn = ts_quat_from_axis_angle(random_direction(&random), 0.01);
        const ts_vec3 at = {i < 80 ? 0.03 : 0.03 + 0.002 * (i - 80), 0.02, 0.1999};
        ts_placed_solid a = {&beam, {{0, 0, 0}, turn}},
                        b = {&beam,
                             {ts_mat3_apply(ts_quat_to_matrix(turn), at),
                              ts_quat_mul(turn, ts_quat_from_axis_angle((ts_vec3){0, 0, 1}, 1.5))}};
        OK((found.count = 0, ts_touch_find(a, b, 0.001, &found, ERROR)));
        assert_int_equal(found.count, 4);
        for (size_t k = 0; k < 4; k++) {
            first[k] = i == 0 ? found.item[k].feature : first[k];
            assert_int_equal(found.item[k].feature, first[k]);
        }
    }
    free_mesh(&made);
}

/* An edge lies across both sides of a ring, and nothing is near in its middle. */
static void across_a_ring(void **state)
{
    (void)state;
    test_mesh one, two;
    ts_mesh *torus;
    OK(ts_mesh_make_torus(0.4, 0.1, 96, 24, &torus, ERROR));
    ts_solid ring = mesh_solid(torus, 40, 0.09, &two);
    for (int step = 0; step < 18; step++) {
        const double half = step < 9 ? 1 : 40; /* of the beam: as long as a thousand parts of the ring's field */
        ts_solid beam = mesh_solid(box_mesh((ts_vec3){-half, -0.1, -0.1}, (ts_vec3){half, 0.1, 0.1}), 40, 0.1, &one);
        const double gap = 0.002 * (step % 3 - 1), yaw = 0.02 + 0.1 * step;
        const ts_quat roll = ts_quat_from_axis_angle((ts_vec3){1, 0, 0}, TS_PI / 4),
                      turn = ts_quat_from_axis_angle((ts_vec3){0, 0, 1}, yaw);
        ts_placed_solid a = {&ring, {{0, 0, 0}, {1, 0, 0, 0}}},
                        b = {&beam,
                             {{0.2 * cos(yaw), 0.2 * sin(yaw), 0.1 + sqrt(0.02) + gap}, ts_quat_mul(turn, roll)}};
        double nearest[2] = {HUGE_VAL, HUGE_VAL};
        OK((found.count = 0, ts_touch_find(a, b, 0.01, &found, ERROR)));
        for (size_t k = 0; k < found.count; k++) {
            const ts_touch *t = &found.item[k];
            const double along = t->point_a.x * cos(yaw) + t->point_a.y * sin(yaw);
            if (t->feature & 0x40000000U) { /* of an edge */
                NEAR(fabs(along), 0.4, 0.05);
                nearest[along > 0] = fmin(nearest[along > 0], t->gap);
            }
        }
        /* facets lie below what is round, by up to r (1 − cos π/24) of the tube */
        NEAR(nearest[0], gap, 1.2e-3);
        NEAR(nearest[1], gap, 1.2e-3);
        free_mesh(&one);
    }
    free_mesh(&two);
}

/* A thin rod lies across a long beam, near the beam's end: farther from its vertices than the rod is thick. */
static void near_an_end(void **state)
{
    (void)state;
    test_mesh made;
    ts_solid beam = mesh_solid(box_mesh((ts_vec3){-5, -0.1, -0.1}, (ts_vec3){5, 0.1, 0.1}), 64, 0.1, &made),
             rod = box_of(0.02, 1, 0.02);
    rod.inner = 0.02;
    for (int i = 0; i < 12; i++) {
        const double from_end = 0.02 + 0.01 * i, gap = 0.001 * (i % 3 - 1);
        ts_placed_solid a = {&beam, ts_pose3_identity()}, b = {&rod, {{5 - from_end, 0.1, 0.12 + gap}, {1, 0, 0, 0}}};
        OK((found.count = 0, ts_touch_find(a, b, 0.002, &found, ERROR)));
        assert_true(found.count >= 2);
        NEAR(smallest_gap(&found), gap, 1e-6);
    }
    free_mesh(&made);
}

/* A blade along x with its edge upwards at z = 0, a metre high, that is so wide at its base to either side. */
static ts_mesh *blade_mesh(double width)
{
    const ts_vec3 vertex[6] = {{-1, -width, -1}, {-1, width, -1}, {-1, 0, 0},
                               {1, -width, -1},  {1, width, -1},  {1, 0, 0}};
    static const int32_t triangle[][3] = {{0, 2, 1}, {3, 4, 5}, {0, 1, 4}, {0, 4, 3},
                                          {1, 2, 5}, {1, 5, 4}, {2, 0, 3}, {2, 3, 5}};
    return mesh_of(vertex, 6, triangle, COUNT(triangle));
}

/* Knives cross, edge on edge, however sharp: apart and in each other. */
static void knives_cross(void **state)
{
    (void)state;
    const ts_quat over = ts_quat_from_axis_angle((ts_vec3){1, 0, 0}, TS_PI);
    for (int k = 0; k < 4; k++) {
        test_mesh made;
        const double width = (double[]){1, 0.4, 0.15, 0.06}[k];
        ts_solid knife = mesh_solid(blade_mesh(width), 64, 0.5 * width, &made);
        for (int i = 0; i < 10; i++) {
            const double gap = (double[]){-0.002, -0.0005, -0.0001, 0.0001, 0.002}[i % 5], yaw = 0.5 + 0.2 * i;
            ts_placed_solid a = {&knife, ts_pose3_identity()},
                            b = {&knife,
                                 {{0.11, -0.07, gap},
                                  ts_quat_mul(ts_quat_from_axis_angle((ts_vec3){0, 0, 1}, yaw), over)}};
            OK((found.count = 0, ts_touch_find(a, b, 0.01, &found, ERROR)));
            assert_true(found.count >= 1);
            NEAR(smallest_gap(&found), gap, 1e-6);
            NEAR(found.item[0].normal.z, 1, 1e-4);
        }
        free_mesh(&made);
    }
}

/* Two rings of many blunt facets lie on each other and cross at right angles, half-way between vertices. */
static void rings_cross(void **state)
{
    (void)state;
    test_mesh made;
    ts_mesh *torus;
    OK(ts_mesh_make_torus(2, 0.1, 48, 32, &torus, ERROR));
    ts_solid ring = mesh_solid(torus, 64, 0.09, &made);
    const ts_quat half = ts_quat_from_axis_angle((ts_vec3){0, 0, 1}, TS_PI / 48);
    ts_placed_solid a = {&ring, {{0, 0, 0}, half}}, b = {&ring, {{2 * sqrt(2), 0, 0.19}, half}};
    OK((found.count = 0, ts_touch_find(a, b, 0.005, &found, ERROR)));
    double gap[2] = {HUGE_VAL, HUGE_VAL};
    for (size_t k = 0; k < found.count; k++) {
        const bool side = found.item[k].point_a.y > 0;
        gap[side] = fmin(gap[side], found.item[k].gap);
    }
    /* facets lie below what is round, by up to 5e-4 on either tube */
    for (int k = 0; k < 2; k++)
        NEAR(gap[k], -0.0095, 6e-4);
    free_mesh(&made);
}

/* ---- What vertices see by themselves ---- */

static void assert_same_without_edges(ts_placed_solid a, ts_placed_solid b)
{
    ts_touch_array without = {0};
    ts_solid p = *a.solid, q = *b.solid;
    p.edges = q.edges = NULL;
    OK((found.count = 0, ts_touch_find(a, b, 0.02, &found, ERROR)));
    OK(ts_touch_find((ts_placed_solid){&p, a.pose}, (ts_placed_solid){&q, b.pose}, 0.02, &without, ERROR));
    assert_int_equal(found.count, without.count);
    assert_true(found.count > 0);
    for (size_t i = 0; i < found.count; i++) {
        const ts_touch *t = &found.item[i], *u = &without.item[i];
        assert_true(t->gap == u->gap && t->feature == u->feature);
        assert_memory_equal(&t->point_a, &u->point_a, sizeof t->point_a);
        assert_memory_equal(&t->normal, &u->normal, sizeof t->normal);
    }
    ts_array_free(&without);
}

/* Of two that lie on each other: corners of what their faces share, and nothing else. */
static void assert_corners_only(ts_placed_solid a, ts_placed_solid b, size_t most)
{
    OK((found.count = 0, ts_touch_find(a, b, 0.02, &found, ERROR)));
    assert_in_range(found.count, 4, most);
    for (size_t i = 0; i < found.count; i++) {
        NEAR(found.item[i].gap, -0.001, 1e-4);
        NEAR(found.item[i].normal.z, 1, 1e-6);
    }
}

/* Fine meshes, and what lies flat, have no more contacts than they need. */
static void no_more_than_needed(void **state)
{
    (void)state;
    test_mesh one, two;
    ts_solid ball = mesh_solid(ball_mesh(0.5, 16), 24, 0.48, &one);
    ts_solid block = mesh_solid(box_mesh((ts_vec3){-0.3, -0.3, -0.3}, (ts_vec3){0.3, 0.3, 0.3}), 24, 0.3, &two);
    ts_solid table = box_of(1, 1, 0.2), plane = plane_of(), sphere = sphere_of(0.2);
    table.inner = sphere.inner = 0.2;
    ts_random random = ts_random_make(72, 1);
    for (int i = 0; i < 20; i++) {
        ts_placed_solid p = {&ball, random_pose(&random, 0)}, q = {&ball, random_pose(&random, 0)};
        p.pose.position.x = -0.48;
        q.pose.position.x = 0.48;
        assert_same_without_edges(p, q);
    }
    const ts_placed_solid at = {&block, {{0, 0, 0.299}, {1, 0, 0, 0}}};
    assert_corners_only((ts_placed_solid){&table, {{0, 0, -0.2}, {1, 0, 0, 0}}}, at, 4);
    /* edge along edge, a little askew */
    assert_corners_only(
        (ts_placed_solid){&block, {{0, 0, -0.3}, ts_quat_from_axis_angle((ts_vec3){0.3, 1, 0.2}, 1e-4)}}, at, 8);
    assert_same_without_edges((ts_placed_solid){&plane, ts_pose3_identity()}, at);
    assert_same_without_edges((ts_placed_solid){&sphere, {{0.3, 0.1, 0.799}, {1, 0, 0, 0}}}, at);
    free_mesh(&one);
    free_mesh(&two);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(edges_of_an_angle),   cmocka_unit_test(clusters_hold_their_edges),
        cmocka_unit_test(beams_cross),         cmocka_unit_test(features_last),
        cmocka_unit_test(across_a_ring),       cmocka_unit_test(near_an_end),
        cmocka_unit_test(knives_cross),        cmocka_unit_test(rings_cross),
        cmocka_unit_test(round_things),        cmocka_unit_test(laws_of_crossings),
        cmocka_unit_test(no_more_than_needed),
    };
    return cmocka_run_group_tests(tests, NULL, teardown);
}
