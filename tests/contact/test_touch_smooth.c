/* SPDX-License-Identifier: MIT */
/* Contacts of smooth bodies: balls against the exact gaps of spheres, ellipsoids against their support function, and the
 * laws of every pair of the table. */
#include <math.h>

#include "shape/closed_meshes.h"
#include "shape/mesh_clusters.h"
#include "support/smooth.h"
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

static ts_solid smooth_of(const ts_sdf_body *body)
{
    return (ts_solid){.kind = TS_SOLID_SMOOTH, .smooth = body};
}

static const ts_touch *deepest(const ts_touch_array *touch)
{
    const ts_touch *best = NULL;
    for (size_t i = 0; i < touch->count; i++)
        if (touch->item[i].weight > 0.5 && (!best || touch->item[i].gap < best->gap))
            best = &touch->item[i];
    return best;
}

/* One of each kind that may meet a smooth body, and a mesh with all that belongs to it. */
typedef struct others {
    test_hull rock;
    ts_mesh *mesh;
    ts_mesh_field *field;
    ts_mesh_clusters *clusters;
    ts_mesh_tree *tree;
    ts_sdf_body *blob;
    ts_solid solid[9];
} others;

enum { OTHERS = 9 };

static void make_others(others *o)
{
    test_hull_rock(&o->rock, 3);
    o->mesh = box_mesh((ts_vec3){-0.3, -0.3, -0.3}, (ts_vec3){0.3, 0.3, 0.3});
    OK(ts_mesh_field_create(o->mesh, &(ts_field_wish){.cells = 40, .margin = 0.4}, NULL, &o->field, ERROR));
    OK(ts_mesh_clusters_create(o->mesh, &o->clusters, ERROR));
    OK(ts_mesh_tree_create(o->mesh, &o->tree, ERROR));
    o->blob = ts_test_superquadric((ts_vec3){0.4, 0.25, 0.2}, 1, 1, 4);
    const ts_solid solid[OTHERS] = {
        sphere_of(0.4),
        plane_of(),
        box_of(0.4, 0.3, 0.2),
        capsule_of(0.2, 0.3),
        cylinder_of(0.3, 0.25),
        vessel_of(1, 1),
        hull_of(&o->rock),
        {.kind = TS_SOLID_MESH, .mesh = o->mesh, .field = o->field, .clusters = o->clusters, .tree = o->tree},
        smooth_of(o->blob),
    };
    for (int i = 0; i < OTHERS; i++)
        o->solid[i] = solid[i];
}

static void free_others(others *o)
{
    ts_mesh_free(o->mesh);
    ts_mesh_field_free(o->field);
    ts_mesh_clusters_free(o->clusters);
    ts_mesh_tree_free(o->tree);
    ts_sdf_body_free(o->blob);
}

/* A superquadric of exponents 1 and equal axes is a sphere, whatever its mesh: as deep, in the same direction. Only a few
 * of its vertices are within reach of the true place, so this is a matter of lowest points. */
static void balls(void **state)
{
    (void)state;
    static others o;
    make_others(&o);
    const double r = 0.3;
    ts_sdf_body *ball = ts_test_superquadric((ts_vec3){r, r, r}, 1, 1, 4);
    const ts_solid smooth = smooth_of(ball), sphere = sphere_of(r);
    ts_random random = ts_random_make(7, 1);
    for (int k = 0; k < OTHERS; k++) {
        const ts_solid *other = &o.solid[k];
        int met = 0;
        for (int trial = 0; trial < 4000 && met < 60; trial++) {
            const ts_pose3 at = random_pose(&random, other->kind == TS_SOLID_VESSEL ? 0.8 : 0.7);
            const ts_placed_solid a = {other, ts_pose3_identity()};
            if (other->kind == TS_SOLID_MESH) /* the field of a box is interpolated at its edges */
                continue;
            ts_touch exact = {.gap = HUGE_VAL};
            const ts_touch *t = deepest(find(a, (ts_placed_solid){&sphere, at}, 0.02));
            if (!t || t->gap < -0.02)
                continue;
            exact = *t;
            t = deepest(find(a, (ts_placed_solid){&smooth, at}, 0.02));
            assert_non_null(t);
            /* within `fade` of a corner or a rim another place stands for it */
            const bool sharp =
                other->kind == TS_SOLID_BOX || other->kind == TS_SOLID_HULL || other->kind == TS_SOLID_CYLINDER;
            const double close = sharp ? 1e-3 : other->kind == TS_SOLID_SMOOTH ? 1e-5 : 1e-6;
            NEAR(t->gap, exact.gap, close);
            assert_true(t->weight <= 1 && t->share > 0 && t->share <= 1);
            double off = HUGE_VAL; /* of the direction, among those that are about as deep */
            for (size_t i = 0; i < found.count; i++)
                if (found.item[i].weight > 0.4 && found.item[i].gap < exact.gap + close)
                    off = fmin(off, ts_vec3_distance(found.item[i].normal, exact.normal));
            NEAR(off, 0, sharp ? 0.06 : 4e-3);
            met++;
        }
        assert_true(met >= 20 || other->kind == TS_SOLID_MESH);
    }
    ts_sdf_body_free(ball);
    free_others(&o);
}

/* The half-space z ≤ 0 under an ellipsoid with axes A at attitude R: gap = z − |A Rᵀ e_z|. */
static void ellipsoids_on_a_plane(void **state)
{
    (void)state;
    const ts_vec3 axes = {0.5, 0.3, 0.15};
    ts_sdf_body *body = ts_test_superquadric(axes, 1, 1, 4);
    const ts_solid smooth = smooth_of(body), plane = plane_of();
    ts_random random = ts_random_make(8, 1);
    for (int trial = 0; trial < 200; trial++) {
        ts_pose3 at = random_pose(&random, 1);
        const ts_vec3 down = ts_quat_apply_inverse(at.quat, (ts_vec3){0, 0, -1});
        const double below = ts_vec3_length(ts_vec3_times(axes, down));
        const double gap = ts_random_next_range(&random, -0.01, 0.01);
        at.position.z = below + gap;
        const ts_touch *t =
            deepest(find((ts_placed_solid){&plane, ts_pose3_identity()}, (ts_placed_solid){&smooth, at}, 0.02));
        assert_non_null(t);
        NEAR(t->gap, gap, 1e-7);
        const ts_vec3 own = ts_vec3_scale(ts_vec3_times(ts_vec3_times(axes, axes), down), 1 / below);
        NEAR(ts_vec3_distance(t->point_b, ts_pose3_apply(at, own)), 0, 2e-3);
    }
    ts_sdf_body_free(body);
}

/* Unit normals, points that belong to gaps, features of their own, swaps to the bit, rigid motions: every pair, a smooth
 * box and a blob. */
static void laws(void **state)
{
    (void)state;
    static others o;
    make_others(&o);
    ts_sdf_body *body[2] = {ts_test_superquadric((ts_vec3){0.3, 0.2, 0.25}, 0.1, 0.1, 3), ts_test_blob(0.6)};
    ts_random random = ts_random_make(9, 1);
    for (int k = 0; k < OTHERS; k++)
        for (int i = 0; i < 2; i++) {
            const ts_solid smooth = smooth_of(body[i]);
            size_t met = 0;
            for (int trial = 0; trial < 400 && met < 15; trial++) {
                const ts_placed_solid a = {&o.solid[k], ts_pose3_identity()},
                                      b = {&smooth, random_pose(&random, k == 5 ? 0.85 : 0.6)};
                const ts_touch *t = deepest(find(a, b, 0.02));
                if (!t || t->gap < -0.02)
                    continue;
                /* places over a face may lie beside it by as much while they fade */
                check_laws(a, b, 0.02, k == 2 || k == 6 ? 1e-3 : 1e-5);
                met++;
            }
            assert_true(met > 0);
        }
    for (int i = 0; i < 2; i++)
        ts_sdf_body_free(body[i]);
    free_others(&o);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(balls), cmocka_unit_test(ellipsoids_on_a_plane),
                                       cmocka_unit_test(laws)};
    return cmocka_run_group_tests(tests, NULL, teardown);
}
