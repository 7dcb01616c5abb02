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

/* Of two ellipsoids, by another formula: the best of all planes between them, max n·d − |A Rᵀ n| − |B Sᵀ n| over unit n. */
static double plane_between(const ts_vec3 axes[2], const ts_pose3 at[2], ts_vec3 n)
{
    double gap = ts_vec3_dot(n, ts_vec3_sub(at[1].position, at[0].position));
    for (int i = 0; i < 2; i++)
        gap -= ts_vec3_length(ts_vec3_times(axes[i], ts_quat_apply_inverse(at[i].quat, n)));
    return gap;
}

static double gap_of_ellipsoids(const ts_vec3 axes[2], const ts_pose3 at[2])
{
    ts_vec3 n = ts_vec3_unit(ts_vec3_sub(at[1].position, at[0].position));
    double best = plane_between(axes, at, n);
    for (double step = 0.5; step > 1e-9; step *= 0.7)
        for (int k = 0; k < 24; k++) {
            ts_vec3 u, v;
            ts_vec3_tangents(n, &u, &v);
            const ts_vec3 next =
                ts_vec3_unit(ts_vec3_add_scaled(ts_vec3_add_scaled(n, u, step * cos(k * 2.4)), v, step * sin(k * 2.4)));
            const double gap = plane_between(axes, at, next);
            if (gap > best) {
                best = gap;
                n = next;
            }
        }
    return best;
}

static void ellipsoids_on_each_other(void **state)
{
    (void)state;
    const ts_vec3 axes[2] = {{0.5, 0.3, 0.2}, {0.25, 0.4, 0.3}};
    ts_sdf_body *body[2] = {ts_test_superquadric(axes[0], 1, 1, 4), ts_test_superquadric(axes[1], 1, 1, 4)};
    const ts_solid solid[2] = {smooth_of(body[0]), smooth_of(body[1])};
    ts_random random = ts_random_make(10, 1);
    int met = 0;
    for (int trial = 0; trial < 5000 && met < 100; trial++) {
        const ts_pose3 at[2] = {random_pose(&random, 0.1), random_pose(&random, 0.9)};
        const double gap = gap_of_ellipsoids(axes, at);
        if (gap < -0.01 || gap > 0.015)
            continue;
        const ts_touch *t =
            deepest(find((ts_placed_solid){&solid[0], at[0]}, (ts_placed_solid){&solid[1], at[1]}, 0.02));
        assert_non_null(t);
        NEAR(t->gap, gap, 3e-5);
        met++;
    }
    assert_true(met >= 50);
    for (int i = 0; i < 2; i++)
        ts_sdf_body_free(body[i]);
}

/* A thousand times as large or as small, everything is: gaps and points; weights, shares and features stay. */
static void scale_changes_nothing(void **state)
{
    (void)state;
    ts_sdf_body *blob[3] = {ts_test_blob(1e-3), ts_test_blob(1), ts_test_blob(1e3)};
    ts_random random = ts_random_make(11, 1);
    size_t met = 0;
    for (int trial = 0; trial < 400 && met < 60; trial++) {
        const ts_pose3 at = random_pose(&random, 1);
        for (int k = 0; k < 4; k++) {
            ts_touch_array at_one = {0};
            for (int j = 0; j < 3; j++) {
                const int which = j == 0 ? 1 : j == 1 ? 0 : 2; /* of size 1 first */
                const double scale = pow(1000, which - 1);
                const ts_solid smooth = smooth_of(blob[which]),
                               other = k == 0   ? plane_of()
                                       : k == 1 ? box_of(0.5 * scale, 0.4 * scale, 0.3 * scale)
                                       : k == 2 ? sphere_of(0.4 * scale)
                                                : smooth;
                const ts_touch_array *t =
                    find((ts_placed_solid){&other, ts_pose3_identity()},
                         (ts_placed_solid){&smooth, {ts_vec3_scale(at.position, scale), at.quat}}, 0.01 * scale);
                const ts_touch *low = deepest(t);
                if (j == 0 && (!low || low->gap < -0.02))
                    break;
                if (j == 0) {
                    OK(ts_array_reserve(&at_one, t->count, ERROR));
                    for (size_t i = 0; i < t->count; i++)
                        at_one.item[at_one.count++] = t->item[i];
                    met++;
                    continue;
                }
                for (size_t i = 0; i < t->count && i < at_one.count; i++) {
                    const ts_touch *p = &at_one.item[i], *q = &t->item[i];
                    if (fabs(p->gap - 0.01) < 1e-7)
                        break; /* at the end of reach by rounding */
                    assert_int_equal(q->feature, p->feature);
                    NEAR(q->gap / scale, p->gap, 1e-7);
                    NEAR(q->weight, p->weight, 1e-4);
                    NEAR(q->share, p->share, 1e-9);
                }
            }
            ts_array_free(&at_one);
        }
    }
    assert_true(met >= 20);
    for (int i = 0; i < 3; i++)
        ts_sdf_body_free(blob[i]);
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
                                       cmocka_unit_test(ellipsoids_on_each_other),
                                       cmocka_unit_test(scale_changes_nothing), cmocka_unit_test(laws)};
    return cmocka_run_group_tests(tests, NULL, teardown);
}
