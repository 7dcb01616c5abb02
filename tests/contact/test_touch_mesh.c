/* SPDX-License-Identifier: MIT */
/* Contacts of meshes, against distances by looking at every triangle, against the same solids without a mesh, and
 * against themselves without clusters. */
#include <math.h>
#include <string.h>

#include "shape/closed_meshes.h"
#include "shape/mesh_clusters.h"
#include "support/touches.h"

static ts_touch_array found;

static int teardown(void **state)
{
    (void)state;
    ts_array_free(&found);
    return 0;
}

static const ts_touch_array *find(ts_placed_solid a, ts_placed_solid b, double reach)
{
    found.count = 0;
    OK(ts_touch_find(a, b, reach, &found, ERROR));
    return &found;
}

/* A mesh with all that belongs to it. */
typedef struct test_mesh {
    ts_mesh *mesh;
    ts_mesh_field *field;
    ts_mesh_clusters *clusters;
    ts_mesh_tree *tree;
} test_mesh;

static ts_solid mesh_solid(ts_mesh *mesh, int cells, test_mesh *made)
{
    made->mesh = mesh;
    OK(ts_mesh_field_create(mesh, &(ts_field_wish){.cells = cells, .margin = 0.2}, NULL, &made->field, ERROR));
    OK(ts_mesh_clusters_create(mesh, &made->clusters, ERROR));
    OK(ts_mesh_tree_create(mesh, &made->tree, ERROR));
    return (ts_solid){
        .kind = TS_SOLID_MESH, .mesh = mesh, .field = made->field, .clusters = made->clusters, .tree = made->tree};
}

static void free_mesh(test_mesh *made)
{
    ts_mesh_free(made->mesh);
    ts_mesh_field_free(made->field);
    ts_mesh_clusters_free(made->clusters);
    ts_mesh_tree_free(made->tree);
}

static ts_mesh *cube(double x, double y, double z)
{
    return box_mesh((ts_vec3){-x, -y, -z}, (ts_vec3){x, y, z});
}

/* ---- Clusters ---- */

/* Each vertex is in one leaf, inside the balls of all nodes above it; a walk that skips nothing meets all leaves. */
static void clusters_hold_all(void **state)
{
    (void)state;
    for (int n = 4; n <= 44; n += 8) {
        ts_mesh *mesh = ball_mesh(1, n);
        ts_mesh_clusters *c;
        OK(ts_mesh_clusters_create(mesh, &c, ERROR));
        int *seen = ts_alloc(mesh->vertex_count, sizeof *seen);
        uint32_t at = 0;
        for (size_t i = 0; i < c->node_count; i++) {
            const ts_mesh_cluster *node = &c->node[i];
            assert_true(node->next > i && node->next <= c->node_count);
            if (node->leaf) {
                assert_true(node->begin == at && node->end - node->begin <= TS_CLUSTER_VERTICES);
                assert_int_equal(node->next, i + 1);
                at = node->end;
            }
            /* the nodes up to `next` are those of its own vertices */
            assert_true(node->next == c->node_count || c->node[node->next].begin == node->end);
            for (uint32_t k = node->begin; k < node->end; k++) {
                seen[c->vertex[k]] += node->leaf ? 1 : 0;
                assert_true(ts_vec3_distance(mesh->vertex[c->vertex[k]], node->centre) <= node->radius * (1 + 1e-12));
            }
        }
        assert_int_equal(at, mesh->vertex_count);
        for (size_t i = 0; i < mesh->vertex_count; i++)
            assert_int_equal(seen[i], 1);
        ts_free(seen);
        ts_mesh_clusters_free(c);
        ts_mesh_free(mesh);
    }
}

/* ---- Walls ---- */

/* A box made of triangles has a box's contacts with planes and vessels. */
static void walls_see_a_box(void **state)
{
    (void)state;
    test_mesh made;
    ts_solid mesh = mesh_solid(cube(0.5, 0.8, 0.3), 8, &made), box = box_of(0.5, 0.8, 0.3);
    const ts_solid wall[] = {plane_of(), vessel_of(1, 1.2)};
    ts_random random = ts_random_make(31, 1);
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < 40; i++) {
            ts_placed_solid a = {&wall[k], random_pose(&random, 0.3)}, b = {&box, random_pose(&random, 0.8)}, c = b;
            c.solid = &mesh;
            ts_touch_array want = {0};
            OK(ts_touch_find(a, b, 0.3, &want, ERROR));
            find(a, c, 0.3);
            assert_int_equal(found.count, want.count); /* corners of the two have the same numbers */
            for (size_t j = 0; j < want.count; j++) {
                assert_int_equal(found.item[j].feature, want.item[j].feature);
                NEAR(found.item[j].gap, want.item[j].gap, 1e-14);
                NEAR(ts_vec3_distance(found.item[j].point_a, want.item[j].point_a), 0, 1e-14);
            }
            ts_array_free(&want);
            check_laws(a, c, 0.3, 1e-12);
        }
    free_mesh(&made);
}

/* ---- Two meshes ---- */

/* The least distance of any vertex of one from the other's triangles; negative inside. */
static double brute_gap(ts_placed_solid a, ts_placed_solid b)
{
    double least = HUGE_VAL;
    for (int side = 0; side < 2; side++) {
        ts_placed_solid one = side ? b : a, other = side ? a : b;
        for (size_t i = 0; i < one.solid->mesh->vertex_count; i++) {
            ts_vec3 p = ts_pose3_apply_inverse(other.pose, ts_pose3_apply(one.pose, one.solid->mesh->vertex[i]));
            double first, d = brute_distance(other.solid->mesh, p);
            bool in = brute_leaving(other.solid->mesh, p, (ts_vec3){0.36, 0.48, 0.8}, &first) > 0;
            least = fmin(least, in ? -d : d);
        }
    }
    return least;
}

static void ring_and_ball(void **state)
{
    (void)state;
    test_mesh one, two;
    ts_solid ring = mesh_solid(torus_mesh(1, 0.4, 24, 12), 40, &one), ball = mesh_solid(ball_mesh(0.5, 16), 24, &two);
    ts_solid plain = ball;
    plain.clusters = NULL;
    double cell = ts_mesh_field_get_info(one.field).cell;
    ts_random random = ts_random_make(32, 1);
    int overlapping = 0, apart = 0;
    for (int i = 0; i < 12; i++) {
        ts_placed_solid a = {&ring, random_pose(&random, 0.1)}, b = {&ball, random_pose(&random, 0)};
        /* through the hole, or onto the ring */
        double angle = 0.6 * i, out = i % 2 ? 0.2 : 1.0;
        ts_vec3 place = {out * cos(angle), out * sin(angle), i % 2 ? 0.3 : 0.8 + 0.02 * i};
        b.pose.position = ts_pose3_apply(a.pose, place);
        double want = brute_gap(a, b), reach = fmax(want, 0) + 0.03;
        find(a, b, reach);
        assert_true(found.count > 0);
        NEAR(smallest_gap(&found), want, 0.1 * cell);
        *(want < 0 ? &overlapping : &apart) += 1;
        /* points lie on the surfaces, as far as a field can tell */
        for (size_t k = 0; k < found.count; k++) {
            NEAR(brute_distance(one.mesh, ts_pose3_apply_inverse(a.pose, found.item[k].point_a)), 0, 0.2 * cell);
            NEAR(brute_distance(two.mesh, ts_pose3_apply_inverse(b.pose, found.item[k].point_b)), 0, 0.2 * cell);
        }
        check_laws(a, b, reach, 1e-9);
        check_derivative(a, b, reach, 1e-6, 0.1);
        /* without clusters: the same contacts, in another order */
        ts_touch_array all = {0};
        OK(ts_touch_find(a, (ts_placed_solid){&plain, b.pose}, reach, &all, ERROR));
        assert_int_equal(all.count, found.count);
        for (size_t k = 0; k < all.count; k++) {
            size_t j = 0;
            while (j < found.count && found.item[j].feature != all.item[k].feature)
                j++;
            assert_true(j < found.count && found.item[j].gap == all.item[k].gap);
            assert_memory_equal(&found.item[j].point_a, &all.item[k].point_a, sizeof(ts_vec3));
            assert_memory_equal(&found.item[j].normal, &all.item[k].normal, sizeof(ts_vec3));
        }
        ts_array_free(&all);
    }
    assert_true(overlapping >= 2 && apart >= 2);
    ts_placed_solid far_a = {&ring, ts_pose3_identity()}, far_b = {&ball, {{4, 0, 0}, {1, 0, 0, 0}}};
    assert_int_equal(find(far_a, far_b, 0.1)->count, 0);
    free_mesh(&one);
    free_mesh(&two);
}

/* Two balls of triangles, each the other's image. */
static void mirror_images(void **state)
{
    (void)state;
    test_mesh made;
    ts_solid ball = mesh_solid(ball_mesh(0.5, 16), 24, &made);
    ts_placed_solid a = {&ball, {{-0.49, 0, 0}, {1, 0, 0, 0}}}, b = {&ball, {{0.49, 0, 0}, {1, 0, 0, 0}}};
    find(a, b, 0.01);
    assert_true(found.count >= 2);
    /* values are floats in units of a cell */
    check_mirror(&found, (ts_vec3){1, 0, 0}, true, 1e-5);
    check_mirror(&found, (ts_vec3){0, 1, 0}, false, 1e-5);
    check_mirror(&found, (ts_vec3){0, 0, 1}, false, 1e-5);
    free_mesh(&made);
}

/* ---- A mesh and something else ---- */

/* Things that lie on a flat block of triangles: as on a block without. */
static void on_a_block(void **state)
{
    (void)state;
    test_mesh made, made_ball;
    test_hull rock;
    const ts_vec3 tip[5] = {{0, 0, -0.3}, {0.2, 0.2, 0.2}, {-0.2, 0.2, 0.2}, {0.2, -0.2, 0.2}, {-0.2, -0.2, 0.2}};
    test_hull_make(&rock, tip, 5);
    ts_solid block = mesh_solid(cube(1, 1, 0.5), 20, &made), ball = mesh_solid(ball_mesh(0.3, 16), 24, &made_ball);
    const ts_solid thing[] = {
        sphere_of(0.3),        box_of(0.2, 0.25, 0.3), capsule_of(0.1, 0.2), cylinder_of(0.1, 0.2),
        cylinder_of(0.2, 0.3), hull_of(&rock),         sphere_of(5),         ball};
    const double height[] = {0.3, 0.3, 0.1, 0.1, 0.3, 0.3, 5, 0.3};
    const size_t count[] = {1, 4, 5, 2, 4, 1, 1, 1};
    const double level[] = {0, 0, 1, 1, 0, 0, 0, 0}; /* 1: lying */
    for (int k = 0; k < 8; k++)
        for (int step = 0; step < 3; step++) {
            double gap = 0.004 * (step - 1);
            ts_placed_solid a = {&block, ts_pose3_identity()},
                            b = {&thing[k], {{0.11, 0.07, 0.5 + height[k] + gap}, {1, 0, 0, 0}}};
            if (level[k] > 0)
                b.pose.quat = ts_quat_from_axis_angle((ts_vec3){1, 0.4, 0}, TS_PI / 2);
            find(a, b, 0.01);
            /* the large ball's centre is far beyond the field */
            assert_true(k == 7 ? found.count >= 1 : found.count == count[k]);
            for (size_t i = 0; i < found.count && k < 7; i++) {
                NEAR(found.item[i].gap, gap, 1e-6);
                NEAR(found.item[i].normal.z, 1, 1e-6);
                NEAR(found.item[i].point_a.z, 0.5, 1e-6);
            }
            check_laws(a, b, 0.01, 1e-5);
        }
    /* without a tree, the large ball sees only vertices: a corner of the block, which it covers by less than it would
     * its face */
    ts_solid bare = block, large = sphere_of(5);
    bare.tree = NULL;
    ts_placed_solid a = {&bare, ts_pose3_identity()}, b = {&large, {{1, 1, 5.5 - 0.01}, {1, 0, 0, 0}}};
    assert_int_equal(find(a, b, 0)->count, 1);
    NEAR(found.item[0].gap, -0.01, 1e-12);
    check_laws(a, b, 0, 1e-9);
    free_mesh(&made);
    free_mesh(&made_ball);
}

/* A ball of triangles on a box, a capsule, a cylinder and a hull: its vertices against their distance. */
static void ball_on_things(void **state)
{
    (void)state;
    test_mesh made;
    test_hull rock;
    test_hull_rock(&rock, 9);
    ts_solid ball = mesh_solid(ball_mesh(0.3, 24), 24, &made);
    const ts_solid thing[] = {box_of(0.5, 0.8, 0.3), capsule_of(0.3, 0.6), cylinder_of(0.5, 0.4), hull_of(&rock),
                              sphere_of(0.4)};
    ts_random random = ts_random_make(33, 1);
    for (int k = 0; k < 5; k++)
        for (int i = 0; i < 12; i++) {
            ts_placed_solid a = {&thing[k], random_pose(&random, 0.2)}, b = {&ball, random_pose(&random, 0)};
            ts_vec3 n = random_direction(&random), top = support_of(a, n);
            b.pose.position = ts_vec3_add_scaled(top, n, 0.29);
            /* the signed distance of a sphere in its place; the mesh lies within its sagitta below the sphere */
            ts_solid sphere = sphere_of(0.3);
            ts_placed_solid c = {&sphere, b.pose};
            find(a, c, 1);
            double want = smallest_gap(&found);
            find(a, b, 0.05);
            assert_true(found.count > 0);
            assert_true(smallest_gap(&found) > want - 2e-3 && smallest_gap(&found) < want + 0.012);
            check_laws(a, b, 0.05, 1e-4);
        }
    free_mesh(&made);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(clusters_hold_all), cmocka_unit_test(walls_see_a_box), cmocka_unit_test(ring_and_ball),
        cmocka_unit_test(mirror_images),     cmocka_unit_test(on_a_block),      cmocka_unit_test(ball_on_things),
    };
    return cmocka_run_group_tests(tests, NULL, teardown);
}
