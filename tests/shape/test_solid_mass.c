/* SPDX-License-Identifier: MIT */
/* Volume, centre and inertia of solids: closed forms, thin slices, the laws of motion and of parts, and throwing darts.
 * */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/random.h"
#include "shape/hull.h"
#include "shape/mesh_make.h"
#include "shape/solid_mass.h"
#include "support/check.h"

static ts_solid_mass mass_of(const ts_solid *solid)
{
    ts_solid_mass mass;
    OK(ts_solid_mass_of(solid, &mass, ERROR));
    return mass;
}

static ts_solid_mass mass_of_mesh(const ts_mesh *mesh)
{
    return mass_of(&(ts_solid){.kind = TS_SOLID_MESH, .mesh = mesh});
}

/* Equal but for `slack` of the volume, of the size and of the largest moment. */
static void same(const ts_solid_mass *a, const ts_solid_mass *b, double slack)
{
    double size = cbrt(b->volume), most = 0;
    NEAR(a->volume, b->volume, slack * b->volume);
    NEAR(ts_vec3_length(ts_vec3_sub(a->centre, b->centre)), 0, slack * size);
    for (int i = 0; i < 3; i++)
        most = fmax(most, b->inertia.m[i][i]);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            NEAR(a->inertia.m[i][j], b->inertia.m[i][j], slack * most);
}

/* A body that turns about z in slices: V = ∫ π ρ² dz, I_z = ∫ ½ π ρ⁴ dz, I_x = ∫ (¼ π ρ⁴ + π ρ² z²) dz, by Gauss's rule
 * with the ends of the cylinder apart from its caps. */
static ts_solid_mass by_slices(double r, double h, bool caps, bool rod)
{
    static const double node[3] = {-0.774596669241483377, 0, 0.774596669241483377},
                        weight[3] = {5.0 / 9, 8.0 / 9, 5.0 / 9};
    ts_solid_mass mass = {0};
    double across = 0, along = 0;
    const double part[3][2] = {{-h - r, -h}, {-h, h}, {h, h + r}};
    for (int k = 0; k < 3; k++) {
        if (k == 1 ? !rod : !caps)
            continue;
        for (int i = 0; i < 50; i++)
            for (int g = 0; g < 3; g++) {
                double step = (part[k][1] - part[k][0]) / 50, z = part[k][0] + step * (i + 0.5 + 0.5 * node[g]);
                double over = fmax(fabs(z) - h, 0), s = k == 1 ? r * r : r * r - over * over,
                       w = 0.5 * weight[g] * step * TS_PI;
                mass.volume += w * s;
                along += w * 0.5 * s * s;
                across += w * (0.25 * s * s + s * z * z);
            }
    }
    mass.inertia = ts_mat3_diagonal((ts_vec3){across, across, along});
    return mass;
}

static void round_solids(void **state)
{
    (void)state;
    const double r = 0.3, h = 0.7;
    ts_solid_mass found = mass_of(&(ts_solid){.kind = TS_SOLID_SPHERE, .radius = r}),
                  slices = by_slices(r, 0, true, false);
    same(&found, &slices, 1e-13);
    NEAR(found.inertia.m[2][2], 0.4 * found.volume * r * r, 1e-16);
    found = mass_of(&(ts_solid){.kind = TS_SOLID_CAPSULE, .radius = r, .half_length = h});
    slices = by_slices(r, h, true, true);
    same(&found, &slices, 1e-13);
    found = mass_of(&(ts_solid){.kind = TS_SOLID_CYLINDER, .radius = r, .half_length = h});
    slices = by_slices(r, h, false, true);
    same(&found, &slices, 1e-13);
    ts_solid_mass ball = mass_of(&(ts_solid){.kind = TS_SOLID_SPHERE, .radius = r});
    found = mass_of(&(ts_solid){.kind = TS_SOLID_CAPSULE, .radius = r, .half_length = 0});
    same(&found, &ball, 1e-15);
}

/* The same box as a solid, a hull and a mesh. */
static void boxes(void **state)
{
    (void)state;
    const ts_vec3 half = {0.5, 1, 0.25};
    ts_hull *hull = NULL;
    ts_mesh *mesh = NULL;
    OK(ts_hull_box(half, &hull, ERROR));
    OK(ts_mesh_make_box(half, 3, &mesh, ERROR));
    ts_solid_mass box = mass_of(&(ts_solid){.kind = TS_SOLID_BOX, .half = half});
    NEAR(box.volume, 1, 1e-15);
    NEAR(box.inertia.m[0][0], (4 + 0.25) / 12, 1e-15);
    NEAR(box.inertia.m[1][1], (1 + 0.25) / 12, 1e-15);
    NEAR(box.inertia.m[2][2], (1 + 4.0) / 12, 1e-15);
    ts_solid_mass other = mass_of(&(ts_solid){.kind = TS_SOLID_HULL, .hull = hull});
    same(&other, &box, 1e-14);
    other = mass_of_mesh(mesh);
    same(&other, &box, 1e-14);
    ts_hull_free(hull);
    ts_mesh_free(mesh);
}

/* 0 ≤ x, y, z, x + y + z ≤ 1: V = 1/6, centre ¼, ∫ x² = 1/60, ∫ x y = 1/120. Far away and turned, too. */
static void tetrahedron(void **state)
{
    (void)state;
    ts_vec3 vertex[4] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    int32_t triangle[4][3] = {{0, 2, 1}, {0, 3, 2}, {0, 1, 3}, {1, 2, 3}};
    ts_mesh mesh = {vertex, 4, triangle, 4};
    ts_solid_mass mass = mass_of_mesh(&mesh);
    double xx = 1.0 / 60 - 1.0 / 96, xy = 1.0 / 120 - 1.0 / 96; /* less V/16, for the centre */
    NEAR(mass.volume, 1.0 / 6, 1e-16);
    NEAR(ts_vec3_length(ts_vec3_sub(mass.centre, (ts_vec3){0.25, 0.25, 0.25})), 0, 1e-16);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            NEAR(mass.inertia.m[i][j], i == j ? 2 * xx : -xy, 1e-16);
    /* moved vertices, moved mass; a thousand sizes away some digits of the vertices are gone, but no more than those */
    ts_pose3 pose = {{1000, -300, 50}, ts_quat_from_axis_angle((ts_vec3){1, 2, 3}, 1)};
    ts_solid_mass moved = ts_solid_mass_moved(&mass, pose);
    ts_mesh_move(&mesh, 1, pose);
    mass = mass_of_mesh(&mesh);
    same(&mass, &moved, 2e-12);
    int32_t swap = triangle[0][0];
    triangle[0][0] = triangle[0][1];
    triangle[0][1] = swap;
    assert_int_equal(ts_solid_mass_of_mesh(&mesh, &mass, ERROR), TS_BAD_INPUT);
    assert_non_null(strstr(ERROR->message, "not closed"));
}

/* A torus: V = 2π² R r², I_z = V (R² + ¾ r²), I_x = V (½ R² + ⅝ r²); the mesh is off ∝ 1/cells². */
static void torus(void **state)
{
    (void)state;
    const double ring = 1, tube = 0.4, v = 2 * TS_PI * TS_PI * ring * tube * tube;
    double along = v * (ring * ring + 0.75 * tube * tube), across = v * (0.5 * ring * ring + 0.625 * tube * tube);
    double before[3] = {0};
    for (int cells = 12; cells <= 48; cells *= 2) {
        ts_mesh *mesh;
        OK(ts_mesh_make_torus(ring, tube, 2 * cells, cells, &mesh, ERROR));
        ts_solid_mass mass = mass_of_mesh(mesh);
        const double wrong[3] = {v - mass.volume, along - mass.inertia.m[2][2], across - mass.inertia.m[0][0]};
        for (int k = 0; k < 3; k++) {
            if (cells > 12)
                NEAR(before[k] / wrong[k], 4, 0.15);
            before[k] = wrong[k];
        }
        NEAR(ts_vec3_length(mass.centre), 0, 1e-15);
        ts_mesh_free(mesh);
    }
}

/* A ball with a hole: outer minus inner, where the hole's triangles look into it. */
static void cavity(void **state)
{
    (void)state;
    ts_mesh *outer, *inner, *both;
    OK(ts_mesh_make_icosphere(1, 6, &outer, ERROR));
    OK(ts_mesh_make_box((ts_vec3){0.2, 0.3, 0.1}, 1, &inner, ERROR));
    ts_mesh_move(inner, 1, (ts_pose3){{0.3, 0.1, -0.2}, ts_quat_from_axis_angle((ts_vec3){1, 1, 0}, 0.5)});
    OK(ts_mesh_create(outer->vertex_count + 8, outer->triangle_count + 12, &both, ERROR));
    memcpy(both->vertex, outer->vertex, outer->vertex_count * sizeof *outer->vertex);
    memcpy(both->vertex + outer->vertex_count, inner->vertex, 8 * sizeof *inner->vertex);
    memcpy(both->triangle, outer->triangle, outer->triangle_count * sizeof *outer->triangle);
    for (size_t i = 0; i < 12; i++)
        for (int c = 0; c < 3; c++)
            both->triangle[outer->triangle_count + i][c] = inner->triangle[i][2 - c] + (int32_t)outer->vertex_count;
    /* what is left and the box that was taken out make the ball again */
    ts_solid_mass all = mass_of_mesh(outer), left = mass_of_mesh(both), out = mass_of_mesh(inner);
    NEAR(out.volume, 0.048, 1e-15);
    const ts_solid part[2] = {{.kind = TS_SOLID_MESH, .mesh = both}, {.kind = TS_SOLID_MESH, .mesh = inner}};
    const ts_solid_part together[2] = {{&part[0], ts_pose3_identity(), NULL}, {&part[1], ts_pose3_identity(), NULL}};
    ts_solid_mass sum;
    OK(ts_solid_mass_of_parts(together, 2, &sum, ERROR));
    same(&sum, &all, 1e-14);
    NEAR(left.volume, all.volume - 0.048, 1e-14);
    ts_mesh_free(outer);
    ts_mesh_free(inner);
    ts_mesh_free(both);
}

/* Two boxes side by side are one box, however they are turned together; two equal balls have 2 I + 2 m d² across, 2 I
 * along. */
static void parts(void **state)
{
    (void)state;
    const ts_solid half = {.kind = TS_SOLID_BOX, .half = {0.5, 0.3, 0.2}},
                   ball = {.kind = TS_SOLID_SPHERE, .radius = 0.1};
    const ts_solid whole = {.kind = TS_SOLID_BOX, .half = {1, 0.3, 0.2}};
    ts_pose3 pose = {{3, -1, 2}, ts_quat_from_axis_angle((ts_vec3){2, -1, 1}, 2)};
    ts_pose3 left = {{-0.5, 0, 0}, {1, 0, 0, 0}}, right = {{0.5, 0, 0}, {0, 0, 1, 0}};
    const ts_solid_part pair[2] = {{&half, ts_pose3_compose(pose, left), NULL},
                                   {&half, ts_pose3_compose(pose, right), NULL}};
    ts_solid_mass sum, one = mass_of(&whole), moved = ts_solid_mass_moved(&one, pose);
    OK(ts_solid_mass_of_parts(pair, 2, &sum, ERROR));
    same(&sum, &moved, 1e-14);
    const ts_solid_part dumbbell[2] = {{&ball, {{0, 0, 0.5}, {1, 0, 0, 0}}, NULL},
                                       {&ball, {{0, 0, -0.5}, {1, 0, 0, 0}}, NULL}};
    OK(ts_solid_mass_of_parts(dumbbell, 2, &sum, ERROR));
    one = mass_of(&ball);
    NEAR(sum.inertia.m[0][0], 2 * one.inertia.m[0][0] + 2 * one.volume * 0.25, 1e-17);
    NEAR(sum.inertia.m[2][2], 2 * one.inertia.m[2][2], 1e-17);
    NEAR(ts_vec3_length(sum.centre), 0, 1e-17);
    assert_int_equal(ts_solid_mass_of_parts(dumbbell, 0, &sum, ERROR), TS_BAD_INPUT);
}

/* Darts at a random hull: those below all faces give its integrals, to some parts in a hundred. */
static void darts(void **state)
{
    (void)state;
    enum { POINTS = 30, DARTS = 40000 };
    if (!TS_WITH_QHULL)
        skip();
    ts_vec3 p[POINTS];
    ts_random r = ts_random_make(9, 0);
    for (int i = 0; i < POINTS; i++) {
        p[i].x = 5 + ts_random_next_range(&r, -1, 1);
        p[i].y = ts_random_next_range(&r, -0.5, 0.5);
        p[i].z = ts_random_next_range(&r, -0.3, 0.3) + 0.3 * p[i].x;
    }
    ts_hull *hull = NULL;
    OK(ts_hull_create(p, POINTS, &hull, ERROR));
    ts_solid_mass mass = mass_of(&(ts_solid){.kind = TS_SOLID_HULL, .hull = hull}), thrown = {0};
    NEAR(ts_vec3_length(ts_vec3_sub(mass.centre, hull->centre)), 0, 1e-13);
    for (int i = 0; i < DARTS; i++) {
        ts_vec3 q = {ts_random_next_range(&r, 4, 6), ts_random_next_range(&r, -0.5, 0.5),
                     ts_random_next_range(&r, 0.9, 2.1)};
        bool inside = true;
        for (size_t f = 0; inside && f < hull->face_count; f++)
            inside = ts_vec3_dot(hull->normal[f], q) <= hull->offset[f];
        if (!inside)
            continue;
        double weight = 2 * 1 * 1.2 / DARTS;
        ts_vec3 d = ts_vec3_sub(q, mass.centre);
        thrown.volume += weight;
        thrown.centre = ts_vec3_add_scaled(thrown.centre, d, weight / mass.volume);
        double square = ts_vec3_dot(d, d);
        thrown.inertia =
            ts_mat3_add(thrown.inertia, ts_mat3_scale(ts_mat3_add(ts_mat3_diagonal((ts_vec3){square, square, square}),
                                                                  ts_mat3_scale(ts_mat3_outer(d, d), -1)),
                                                      weight));
    }
    thrown.centre = ts_vec3_add(thrown.centre, mass.centre);
    same(&thrown, &mass, 0.02);
    ts_hull_free(hull);
}

static void refuse(const ts_solid *solid, const char *because)
{
    ts_solid_mass mass;
    assert_int_equal(ts_solid_mass_of(solid, &mass, ERROR), TS_BAD_INPUT);
    if (!strstr(ERROR->message, because))
        fail_msg("'%s' is not in '%s'", because, ERROR->message);
}

static void refusals(void **state)
{
    (void)state;
    refuse(&(ts_solid){.kind = TS_SOLID_PLANE}, "no volume");
    refuse(&(ts_solid){.kind = TS_SOLID_VESSEL, .radius = 1, .half_length = 1}, "no volume");
    refuse(&(ts_solid){.kind = TS_SOLID_SPHERE, .radius = 0}, "positive");
    refuse(&(ts_solid){.kind = TS_SOLID_SPHERE, .radius = -1}, "positive");
    refuse(&(ts_solid){.kind = TS_SOLID_SPHERE, .radius = nan("")}, "positive");
    refuse(&(ts_solid){.kind = TS_SOLID_SPHERE, .radius = 1e80}, "positive");
    refuse(&(ts_solid){.kind = TS_SOLID_SPHERE, .radius = 1e-80}, "positive");
    refuse(&(ts_solid){.kind = TS_SOLID_BOX, .half = {-1, -1, 1}}, "positive");
    refuse(&(ts_solid){.kind = TS_SOLID_CYLINDER, .radius = 1, .half_length = HUGE_VAL}, "positive");
    refuse(&(ts_solid){.kind = TS_SOLID_CAPSULE, .radius = 1, .half_length = -0.5}, "positive");
    ts_mesh *mesh;
    OK(ts_mesh_make_icosphere(1, 2, &mesh, ERROR));
    const ts_solid solid = {.kind = TS_SOLID_MESH, .mesh = mesh};
    mesh->triangle_count--;
    refuse(&solid, "closed");
    mesh->triangle_count++;
    for (size_t i = 0; i < mesh->vertex_count; i++)
        mesh->vertex[i].z *= -1;
    refuse(&solid, "inside out");
    for (size_t i = 0; i < mesh->vertex_count; i++)
        mesh->vertex[i].z = 0.5 * mesh->vertex[i].x + 0.1;
    refuse(&solid, "no volume");
    mesh->vertex[3].x = nan("");
    refuse(&solid, "no numbers");
    mesh->vertex_count = mesh->triangle_count = 0;
    refuse(&solid, "no volume");
    ts_mesh_free(mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(round_solids), cmocka_unit_test(boxes),    cmocka_unit_test(tetrahedron),
        cmocka_unit_test(torus),        cmocka_unit_test(cavity),   cmocka_unit_test(parts),
        cmocka_unit_test(darts),        cmocka_unit_test(refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
