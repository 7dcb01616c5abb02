/* SPDX-License-Identifier: MIT */
/* Meshes made by rule: closed, outwards, of the kind (Euler) and the volume that they must have, and as symmetric as is
 * promised. */
#include <math.h>
#include <string.h>

#include "shape/mesh_make.h"
#include "support/check.h"
#include "support/surface.h"

/* Closed, in so many parts with so many handles in all. */
static ts_test_surface check_kind(const ts_mesh *mesh, int parts, int handles)
{
    ts_test_surface s = ts_test_surface_of(mesh);
    assert_true(s.closed && s.manifold);
    assert_int_equal(s.parts, parts);
    assert_int_equal(s.euler, 2 * (parts - handles));
    assert_true(s.smallest > 1e-4);
    return s;
}

static void boxes(void **state)
{
    (void)state;
    for (int cells = 1; cells <= 4; cells++) {
        ts_mesh *mesh;
        OK(ts_mesh_make_box((ts_vec3){1, 0.5, 0.25}, cells, &mesh, ERROR));
        ts_test_surface s = check_kind(mesh, 1, 0);
        assert_int_equal(mesh->triangle_count, 12 * cells * cells);
        NEAR(s.volume, 1, 1e-13);
        NEAR(s.area, 2 * (2 + 1 + 0.5), 1e-13);
        ts_mesh_free(mesh);
    }
}

/* Volumes of inscribed bodies come from below, with errors ∝ 1/cells². */
static void spheres(void **state)
{
    (void)state;
    const double r = 0.3, volume = 4.0 / 3 * TS_PI * r * r * r;
    for (int kind = 0; kind < 2; kind++) {
        double before = 0;
        for (int cells = 4; cells <= 16; cells *= 2) {
            ts_mesh *mesh;
            OK(kind ? ts_mesh_make_icosphere(r, cells, &mesh, ERROR)
                    : ts_mesh_make_uv_sphere(r, 2 * cells, 4 * cells, &mesh, ERROR));
            if (kind)
                assert_int_equal(mesh->vertex_count, 10 * cells * cells + 2);
            double wrong = 1 - check_kind(mesh, 1, 0).volume / volume;
            assert_true(wrong > 0 && wrong < 2.0 / (cells * cells));
            if (before > 0)
                NEAR(before / wrong, 4, 0.3);
            before = wrong;
            for (size_t i = 0; i < mesh->vertex_count; i++)
                NEAR(ts_vec3_length(mesh->vertex[i]), r, 1e-15);
            ts_mesh_free(mesh);
        }
    }
    /* the icosahedron itself: 5/12 (3 + √5) a³ with the edge a = r / sin(2π/5) */
    ts_mesh *mesh;
    OK(ts_mesh_make_icosphere(1, 1, &mesh, ERROR));
    NEAR(check_kind(mesh, 1, 0).volume, 5.0 / 12 * (3 + sqrt(5)) * pow(1 / sin(2 * TS_PI / 5), 3), 1e-14);
    ts_mesh_free(mesh);
}

static void torus(void **state)
{
    (void)state;
    double before = 0;
    for (int cells = 8; cells <= 32; cells *= 2) {
        ts_mesh *mesh;
        OK(ts_mesh_make_torus(2, 0.5, 3 * cells, cells, &mesh, ERROR));
        double wrong = 2 * TS_PI * TS_PI * 2 * 0.25 - check_kind(mesh, 1, 1).volume;
        assert_true(wrong > 0);
        if (before > 0)
            NEAR(before / wrong, 4, 0.2);
        before = wrong;
        ts_mesh_free(mesh);
    }
}

/* Vertices of the knot after two thirds of a turn are those a third along, to rounding. Its tube has the volume π r² L
 * (Pappus), with the length L of the curve by its derivative. */
static void trefoil(void **state)
{
    (void)state;
    enum { ALONG = 240, AROUND = 24 };
    const double size = 0.6, tube = 0.09, c = cos(4 * TS_PI / 3), s = sin(4 * TS_PI / 3);
    ts_mesh *mesh;
    OK(ts_mesh_make_trefoil(size, tube, ALONG, AROUND, &mesh, ERROR));
    ts_test_surface surface = check_kind(mesh, 1, 1);
    assert_int_equal(mesh->vertex_count, ALONG * AROUND);
    for (size_t i = 0; i < mesh->vertex_count; i++) {
        ts_vec3 v = mesh->vertex[i], w = mesh->vertex[(i + mesh->vertex_count / 3) % mesh->vertex_count];
        NEAR(c * v.x - s * v.y, w.x, 2e-15 * size);
        NEAR(s * v.x + c * v.y, w.y, 2e-15 * size);
        NEAR(v.z, w.z, 1e-15 * size);
    }
    double length = 0;
    for (int i = 0; i < 1000; i++) {
        double t = 2 * TS_PI * i / 1000;
        length += hypot(2 * (2 + cos(3 * t)), 3) * size / 3 * 2 * TS_PI / 1000;
    }
    NEAR(surface.volume, TS_PI * tube * tube * length, 0.02 * surface.volume);
    ts_mesh_free(mesh);
}

/* A cone, a ring with a square profile and a hollow ball in one turn, each with its volume by Pappus or as it is known.
 * A turned polygon of n corners has sin(2π/n) / (2π/n) of the round one's volume. */
static void lathe(void **state)
{
    (void)state;
    enum { SECTORS = 12 };
    const double share = sin(2 * TS_PI / SECTORS) / (2 * TS_PI / SECTORS);
    ts_mesh *mesh;
    const ts_vec2 cone[] = {{0, 0}, {1, 0}, {0, 3}, {0, 1}}; /* the last on the axis between others */
    OK(ts_mesh_make_lathe(cone, 4, SECTORS, &mesh, ERROR));
    NEAR(check_kind(mesh, 1, 0).volume, TS_PI * share, 1e-13);
    ts_mesh_free(mesh);
    const ts_vec2 square[] = {{1, 0}, {2, 0}, {2, 1}, {1, 1}};
    OK(ts_mesh_make_lathe(square, 4, SECTORS, &mesh, ERROR));
    NEAR(check_kind(mesh, 1, 1).volume, 3 * TS_PI * share, 1e-13);
    ts_mesh_free(mesh);
    const ts_vec2 cup[] = {{0, 0}, {2, 0}, {2, 2}, {1, 2}, {1, 1}, {0, 1}};
    OK(ts_mesh_make_lathe(cup, 6, SECTORS, &mesh, ERROR));
    NEAR(check_kind(mesh, 1, 0).volume, (8 - 1) * TS_PI * share, 1e-13);
    ts_mesh_free(mesh);
}

/* ---- Dolls ---- */

/* The profile that a lathe turned: its vertices in the half plane y = 0, x ≥ 0, in their order. */
static size_t profile_of(const ts_mesh *mesh, ts_vec2 *point, size_t most)
{
    size_t count = 0;
    for (size_t i = 0; i < mesh->vertex_count; i++)
        if (mesh->vertex[i].y == 0 && mesh->vertex[i].x >= 0) {
            assert_true(count < most);
            point[count++] = (ts_vec2){mesh->vertex[i].x, mesh->vertex[i].z};
        }
    return count;
}

/* Distance of a point from a polygon, negative inside. The axis is a mirror: its side there does not count. */
static double distance_to(const ts_vec2 *polygon, size_t count, ts_vec2 p)
{
    double least = HUGE_VAL;
    bool inside = false;
    for (size_t i = 0; i < count; i++) {
        ts_vec2 a = polygon[i], b = polygon[(i + 1) % count], d = ts_vec2_sub(b, a), q = ts_vec2_sub(p, a);
        double t = fmin(fmax(ts_vec2_dot(q, d) / ts_vec2_length_squared(d), 0), 1);
        if (a.x > 0 || b.x > 0)
            least = fmin(least, ts_vec2_length(ts_vec2_add_scaled(q, d, -t)));
        if ((a.y > p.y) != (b.y > p.y) && p.x < a.x + d.x * (p.y - a.y) / d.y)
            inside = !inside;
    }
    return inside ? -least : least;
}

/* The next doll, standing on the floor of the cavity, touches it there and nowhere else: all of its outline is out of
 * both halves. Halves meet in the plane of the seam. Outside minus cavity is 1 − 0.86³ of the doll in one piece. */
static void dolls(void **state)
{
    (void)state;
    enum { MOST = 200 };
    const ts_doll doll = {.height = 0.12, .cells = 40, .sectors = 16};
    for (int n = 0; n < 3; n++) {
        double size = ts_doll_size(&doll, n), drop = ts_doll_drop(&doll, n + 1), volume = 0, clear = HUGE_VAL;
        NEAR(size, pow(0.86 * 0.97, n), 1e-15);
        assert_true(drop < 0);
        ts_mesh *whole, *next;
        OK(ts_mesh_make_doll_whole(&doll, n, &whole, ERROR));
        OK(ts_mesh_make_doll_whole(&doll, n + 1, &next, ERROR));
        ts_box3 box = ts_mesh_bounds(whole), next_box = ts_mesh_bounds(next);
        NEAR(box.high.z - box.low.z, doll.height * size, 1e-15);
        NEAR(next_box.low.z + drop, 0.86 * box.low.z, 1e-15);
        assert_true(next_box.high.z + drop < 0.86 * box.high.z);
        ts_vec2 small[MOST], shell[MOST];
        size_t small_count = profile_of(next, small, MOST);
        for (int upper = 0; upper < 2; upper++) {
            ts_mesh *half;
            OK(ts_mesh_make_doll(&doll, n, upper, &half, ERROR));
            volume += check_kind(half, 1, 0).volume;
            ts_box3 half_box = ts_mesh_bounds(half);
            assert_true((upper ? half_box.low.z : half_box.high.z) == 0);
            NEAR(half_box.high.x, 0.3 / 0.94 * doll.height * size, 1e-15);
            size_t shell_count = profile_of(half, shell, MOST);
            for (size_t i = 0; i < small_count; i++) {
                double distance = distance_to(shell, shell_count, (ts_vec2){small[i].x, small[i].y + drop});
                if (small[i].y == next_box.low.z)
                    NEAR(upper ? 0 : distance, 0, 1e-15);
                else
                    clear = fmin(clear, distance);
            }
            ts_mesh_free(half);
        }
        assert_true(clear > 1e-5 * doll.height);
        NEAR(volume / check_kind(whole, 1, 0).volume, 1 - pow(0.86, 3), 1e-13);
        ts_mesh_free(whole);
        ts_mesh_free(next);
    }
}

/* ---- Models ---- */

/* How often the surface goes around a point: the sum of the triangles' solid angles over 4π (Van Oosterom and Strackee
 * 1983). */
static double winding(const ts_mesh *mesh, double x, double y, double z)
{
    double sum = 0;
    for (size_t i = 0; i < mesh->triangle_count; i++) {
        ts_vec3 p[3];
        double r[3];
        for (int k = 0; k < 3; k++) {
            p[k] = ts_vec3_sub(mesh->vertex[mesh->triangle[i][k]], (ts_vec3){x, y, z});
            r[k] = ts_vec3_length(p[k]);
        }
        double below = r[0] * r[1] * r[2] + ts_vec3_dot(p[0], p[1]) * r[2] + ts_vec3_dot(p[1], p[2]) * r[0] +
                       ts_vec3_dot(p[2], p[0]) * r[1];
        sum += 2 * atan2(ts_vec3_dot(p[0], ts_vec3_cross(p[1], p[2])), below);
    }
    return sum / (4 * TS_PI);
}

/* Two surfaces and one handle; in the cavity is nothing, as in the handle's ring, and around them is matter. */
static void teapot(void **state)
{
    (void)state;
    double before = 0;
    for (int cells = 32; cells <= 64; cells *= 2) {
        ts_mesh *mesh;
        OK(ts_mesh_make_teapot(1.6, cells, &mesh, ERROR));
        ts_test_surface s = check_kind(mesh, 2, 1);
        assert_true(ts_test_mirrored(mesh, 1));
        ts_box3 box = ts_mesh_bounds(mesh);
        NEAR(box.high.x - box.low.x, 1.6, 1e-15);
        const double place[][4] = {{0, 0, 0, 0},        {0.3, 0.2, -0.1, 0}, {0, 0.46, 0, 1},  {0, -0.46, 0, 1},
                                   {0, 0, 0.36, 1},     {0, 0, -0.27, 1},    {0.7, 0, 0.2, 1}, {-0.74, 0, 0.02, 1},
                                   {-0.58, 0, 0.05, 0}, {0, 0, 0.7, 0},      {0.6, 0, 0.4, 0}, {0, 0, 0.46, 1}};
        for (size_t i = 0; i < sizeof place / sizeof *place; i++)
            NEAR(winding(mesh, place[i][0], place[i][1], place[i][2]), place[i][3], 1e-9);
        if (before > 0)
            NEAR(s.volume / before, 1, 0.04);
        before = s.volume;
        ts_mesh_free(mesh);
    }
}

/* One surface without handles; ears are apart. */
static void bunny(void **state)
{
    (void)state;
    double before = 0;
    for (int cells = 24; cells <= 48; cells *= 2) {
        ts_mesh *mesh;
        OK(ts_mesh_make_bunny(1, cells, &mesh, ERROR));
        ts_test_surface s = check_kind(mesh, 1, 0);
        assert_true(ts_test_mirrored(mesh, 1));
        ts_box3 box = ts_mesh_bounds(mesh);
        NEAR(box.high.z - box.low.z, 1, 1e-15);
        NEAR(box.high.x + box.low.x, 0, 1e-15);
        double ear = box.high.z - 0.15, x = 0;
        for (size_t i = 0, count = 0; i < mesh->vertex_count; i++) /* where the ears are at that height */
            if (fabs(mesh->vertex[i].z - ear) < 0.05)
                x += (mesh->vertex[i].x - x) / (double)++count;
        NEAR(winding(mesh, x, 0.1, ear), 1, 1e-9);
        NEAR(winding(mesh, x, -0.1, ear), 1, 1e-9);
        NEAR(winding(mesh, x, 0, ear), 0, 1e-9);
        NEAR(winding(mesh, 0, 0, box.low.z + 0.2), 1, 1e-9);
        if (before > 0)
            NEAR(s.volume / before, 1, 0.04);
        before = s.volume;
        ts_mesh_free(mesh);
    }
}

static void refusals(void **state)
{
    (void)state;
    ts_mesh *mesh = NULL;
    const ts_vec2 clockwise[] = {{0, 0}, {0, 1}, {1, 0}}, pinched[] = {{0, 0}, {1, -1}, {1, 1}},
                  beyond[] = {{-1, 0}, {1, 0}, {0, 3}}, twice[] = {{1, 0}, {1, 0}, {2, 0}, {1, 1}};
    const ts_doll doll = {.height = 1, .cells = 8, .sectors = 8, .hollow = 1.2};
    const ts_vec3 line[3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    assert_int_equal(ts_mesh_make_box((ts_vec3){1, 1, -1}, 1, &mesh, ERROR), TS_BAD_INPUT);
    assert_int_equal(ts_mesh_make_box((ts_vec3){1, HUGE_VAL, 1}, 1, &mesh, ERROR), TS_BAD_INPUT);
    assert_int_equal(ts_mesh_make_icosphere(nan(""), 3, &mesh, ERROR), TS_BAD_INPUT);
    assert_int_equal(ts_mesh_make_icosphere(1, 1 << 30, &mesh, ERROR), TS_BAD_INPUT);
    assert_int_equal(ts_mesh_make_uv_sphere(1, 1, 8, &mesh, ERROR), TS_BAD_INPUT);
    assert_int_equal(ts_mesh_make_torus(1, 1.5, 8, 8, &mesh, ERROR), TS_BAD_INPUT);
    assert_int_equal(ts_mesh_make_trefoil(1, 0.1, 100, 8, &mesh, ERROR), TS_BAD_INPUT);
    assert_int_equal(ts_mesh_make_trefoil(1, 0.3, 99, 8, &mesh, ERROR), TS_BAD_INPUT);
    assert_int_equal(ts_mesh_make_tube(line, line, 3, 0.1, 8, &mesh, ERROR), TS_BAD_INPUT); /* across[0] is zero */
    assert_int_equal(ts_mesh_make_lathe(clockwise, 3, 8, &mesh, ERROR), TS_BAD_INPUT);
    assert_non_null(strstr(ERROR->message, "clockwise"));
    assert_int_equal(ts_mesh_make_lathe(pinched, 3, 8, &mesh, ERROR), TS_BAD_INPUT);
    assert_int_equal(ts_mesh_make_lathe(beyond, 3, 8, &mesh, ERROR), TS_BAD_INPUT);
    assert_int_equal(ts_mesh_make_lathe(twice, 4, 8, &mesh, ERROR), TS_BAD_INPUT);
    assert_int_equal(ts_mesh_make_lathe(twice, 2, 8, &mesh, ERROR), TS_BAD_INPUT);
    assert_int_equal(ts_mesh_make_doll(&doll, 0, true, &mesh, ERROR), TS_BAD_INPUT);
    assert_int_equal(ts_mesh_make_teapot(-1, 64, &mesh, ERROR), TS_BAD_INPUT);
    assert_int_equal(ts_mesh_make_bunny(1, 3, &mesh, ERROR), TS_BAD_INPUT);
    assert_null(mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(boxes),   cmocka_unit_test(spheres), cmocka_unit_test(torus),
        cmocka_unit_test(trefoil), cmocka_unit_test(lathe),   cmocka_unit_test(dolls),
        cmocka_unit_test(teapot),  cmocka_unit_test(bunny),   cmocka_unit_test(refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
