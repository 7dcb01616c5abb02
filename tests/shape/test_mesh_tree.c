/* SPDX-License-Identifier: MIT */
/* The tree over triangles against all triangles one by one, and its sign against rays that are counted. */
#include "shape/mesh_tree.h"

#include "shape/closed_meshes.h"
#include "shape/mesh_tree_parts.h"
#include "support/isa.h"

TS_TEST_TABLES(ts_mesh_tree_kernels, ts_mesh_tree);

static ts_mesh_tree *tree_of(const ts_mesh *mesh)
{
    ts_mesh_tree *tree;
    OK(ts_mesh_tree_create(mesh, &tree, ERROR));
    return tree;
}

static double size_of(const ts_mesh *mesh)
{
    ts_box3 box = ts_mesh_bounds(mesh);
    return ts_vec3_distance(box.low, box.high);
}

/* ±distance by brute force; rays in three directions vote, since one may hit an edge. */
static double brute_signed(const ts_mesh *mesh, ts_vec3 p, ts_random *r)
{
    double d = brute_distance(mesh, p), first;
    int votes = 0;
    for (int i = 0; i < 3; i++)
        votes += brute_leaving(mesh, p, random_vector(r), &first) > 0;
    return votes >= 2 ? -d : d;
}

/* |distance| to rounding, the sign wherever it is not zero by rounding; the point is on the surface and at that
 * distance; the normal points from it or to it. Frees the mesh. */
static void agrees(ts_mesh *mesh, int points, uint64_t seed)
{
    ts_mesh_tree *tree = tree_of(mesh);
    ts_random r = ts_random_make(seed, 0);
    double size = size_of(mesh), tiny = 1e-12 * size;
    ts_mesh_nearest before = {.triangle = -1};
    for (int i = 0; i < points; i++) {
        ts_vec3 p = random_near(mesh, size, &r);
        ts_mesh_nearest n = ts_mesh_tree_nearest(tree, p), warm = ts_mesh_tree_nearest_from(tree, p, before.triangle);
        assert_memory_equal(&n.distance, &warm.distance, sizeof n.distance);
        assert_int_equal(n.triangle, warm.triangle);
        NEAR(n.distance, brute_signed(mesh, p, &r), tiny + 1e-14 * fabs(n.distance));
        NEAR(ts_vec3_distance(p, n.point), fabs(n.distance), tiny);
        NEAR(brute_distance(mesh, n.point), 0, tiny);
        NEAR(ts_vec3_length(n.normal), 1, 1e-12);
        NEAR(ts_vec3_dot(n.normal, ts_vec3_sub(p, n.point)), n.distance, tiny + 1e-14 * fabs(n.distance));
        const int32_t *t = mesh->triangle[n.triangle];
        NEAR(brute_triangle(mesh->vertex[t[0]], mesh->vertex[t[1]], mesh->vertex[t[2]], n.point), 0, tiny);
        if (fabs(n.distance) > 1e-9 * size)
            NEAR(ts_mesh_tree_winding(tree, p), n.distance < 0, 0.02);
        before = n;
    }
    ts_mesh_tree_free(tree);
    ts_mesh_free(mesh);
}

/* Corners at random: with needles, blades and obtuse angles at every vertex. */
static void tetrahedra(void **state)
{
    (void)state;
    ts_random r = ts_random_make(5, 0);
    for (uint64_t i = 0; i < 60; i++) {
        ts_vec3 a = random_vector(&r), b = random_vector(&r), c = random_vector(&r), d = random_vector(&r);
        agrees(tetrahedron(a, b, c, ts_vec3_lerp(a, d, i % 2 ? 1 : 0.02)), 60, i);
    }
}

static void boxes(void **state)
{
    (void)state;
    agrees(box_mesh((ts_vec3){-1, -2, -3}, (ts_vec3){1, 2, 3}), 1500, 1);
    agrees(box_mesh((ts_vec3){0, 0, 0}, (ts_vec3){1, 1, 1e-4}), 1500, 2);
}

static void round_ones(void **state)
{
    (void)state;
    agrees(ball_mesh(1, 16), 1000, 3);
    agrees(torus_mesh(1, 0.3, 24, 12), 500, 4);
}

/* The inner surface is turned round: its outside is the room within. */
static void cavity(void **state)
{
    (void)state;
    ts_mesh *mesh = both(box_mesh((ts_vec3){-2, -2, -2}, (ts_vec3){2, 2, 2}),
                         box_mesh((ts_vec3){-1, -0.5, -1}, (ts_vec3){1, 1, 1.5}), true);
    ts_mesh_tree *tree = tree_of(mesh);
    NEAR(ts_mesh_tree_nearest(tree, (ts_vec3){0, 0.25, 0.25}).distance, 0.75, 1e-15);
    NEAR(ts_mesh_tree_nearest(tree, (ts_vec3){0, 0.25, 1.7}).distance, -0.2, 1e-15);
    NEAR(ts_mesh_tree_nearest(tree, (ts_vec3){0, 0, 2.5}).distance, 0.5, 1e-15);
    NEAR(ts_mesh_tree_volume(tree), 64 - 2 * 1.5 * 2.5, 1e-12);
    ts_mesh_tree_free(tree);
    agrees(mesh, 1500, 6);
}

/* Components may share a place: a corner (each in the other's shadow), an edge, a whole face. */
static void components_that_touch(void **state)
{
    (void)state;
    ts_vec3 o = {0, 0, 0}, l = {-1, -1, -1}, h = {1, 1, 1};
    agrees(both(box_mesh(l, o), box_mesh(o, h), false), 1500, 7);
    agrees(both(box_mesh(l, o), box_mesh((ts_vec3){0, 0, -1}, (ts_vec3){1, 1, 0}), false), 1500, 8);
    /* a cavity that reaches the outer surface in a corner */
    agrees(both(box_mesh(l, h), box_mesh(o, h), true), 0, 9);
    ts_mesh *mesh = both(box_mesh(l, o), box_mesh((ts_vec3){-1, -1, 0}, (ts_vec3){0, 0, 1}), false);
    ts_mesh_tree *tree =
        tree_of(mesh); /* by the face z = 0, from both sides: the wall in between is one of no thickness */
    NEAR(ts_mesh_tree_nearest(tree, (ts_vec3){-0.4, -0.5, -0.1}).distance, -0.1, 1e-15);
    NEAR(ts_mesh_tree_nearest(tree, (ts_vec3){-0.4, -0.5, 0.1}).distance, -0.1, 1e-15);
    NEAR(ts_mesh_tree_nearest(tree, (ts_vec3){-0.5, -0.5, 0.1}).distance, -0.1,
         1e-15); /* on the diagonal of the face */
    NEAR(ts_mesh_tree_nearest(tree, (ts_vec3){0.1, -0.5, 0}).distance, 0.1, 1e-15);
    ts_mesh_tree_free(tree);
    ts_mesh_free(mesh);
}

/* Readers of some formats give each triangle three vertices of its own: what counts is where they are. */
static void separate_corners(void **state)
{
    (void)state;
    ts_mesh *ring = torus_mesh(1, 0.3, 12, 6), *mesh;
    OK(ts_mesh_create(3 * ring->triangle_count, ring->triangle_count, &mesh, ERROR));
    for (size_t i = 0; i < mesh->vertex_count; i++) {
        mesh->vertex[i] = ring->vertex[ring->triangle[i / 3][i % 3]];
        mesh->triangle[i / 3][i % 3] = (int32_t)i;
    }
    ts_mesh_free(ring);
    agrees(mesh, 300, 40);
}

/* A sheet without thickness is outside everywhere. */
static void sheet(void **state)
{
    (void)state;
    ts_mesh *mesh = box_mesh((ts_vec3){0, 0, 0.3}, (ts_vec3){1, 2, 0.3});
    ts_mesh_tree *tree = tree_of(mesh);
    ts_random r = ts_random_make(31, 0);
    for (int i = 0; i < 300; i++) {
        ts_vec3 p = random_near(mesh, 1, &r);
        double x = fmax(fmax(-p.x, p.x - 1), 0), y = fmax(fmax(-p.y, p.y - 2), 0);
        NEAR(ts_mesh_tree_nearest(tree, p).distance, sqrt(x * x + y * y + (p.z - 0.3) * (p.z - 0.3)), 1e-14);
    }
    ts_mesh_tree_free(tree);
    ts_mesh_free(mesh);
}

/* A vertex in the middle of an edge of a blade makes a triangle without area. From outside, points before the edge see
 * one or the other face from behind. */
static void triangles_without_area(void **state)
{
    (void)state;
    const ts_vec3 vertex[] = {{0, 0, 0}, {0, 0, 2}, {3, 0.1, 1}, {3, -0.1, 1}, {0, 0, 1}};
    /* 4 is on the edge 0 1, which two faces have: one with the vertex, one without; between them the triangle (0, 1, 4)
     * */
    const int32_t triangle[][3] = {{0, 1, 2}, {0, 3, 4}, {4, 3, 1}, {1, 0, 4}, {0, 2, 3}, {1, 3, 2}};
    ts_mesh *mesh = mesh_of(vertex, COUNT(vertex), triangle, COUNT(triangle));
    ts_mesh_tree *tree = tree_of(mesh);
    bool inside_out = ts_mesh_tree_volume(tree) < 0;
    ts_mesh_tree_free(tree);
    if (inside_out)
        for (size_t i = 0; i < mesh->triangle_count; i++) {
            int32_t swap = mesh->triangle[i][0];
            mesh->triangle[i][0] = mesh->triangle[i][1];
            mesh->triangle[i][1] = swap;
        }
    agrees(mesh, 2000, 12);
}

/* Distances are as long as the mesh is large, wherever it is. */
static void all_sizes(void **state)
{
    (void)state;
    for (int e = -6; e <= 6; e += 3) {
        ts_mesh *mesh = torus_mesh(1, 0.3, 20, 10);
        ts_mesh_move(mesh, pow(10, e), (ts_pose3){{pow(10, e), 0, -2 * pow(10, e)}, {0.6, 0, 0.8, 0}});
        agrees(mesh, 200, 20);
    }
    agrees(box_mesh((ts_vec3){1e6, 0, 0}, (ts_vec3){1e6 + 4096, 512, 256}), 300, 21);
}

/* |p| − radius, but for the sagitta of the facets: of a sphere's mesh with n meridians at most (1 − cos²(π/n)) ·
 * radius. */
static void sphere(void **state)
{
    (void)state;
    const int n = 64;
    const double radius = 2.5, sagitta = radius * (1 - pow(cos(TS_PI / n), 2));
    ts_mesh *mesh = ball_mesh(radius, n);
    ts_mesh_tree *tree = tree_of(mesh);
    ts_random r = ts_random_make(8, 0);
    for (int i = 0; i < 2000; i++) {
        ts_vec3 p = ts_vec3_scale(random_vector(&r), 2);
        double exact = ts_vec3_length(p) - radius, d = ts_mesh_tree_nearest(tree, p).distance;
        assert_true(d >= exact - 1e-14 && d <= exact + sagitta);
    }
    ts_mesh_tree_free(tree);
    ts_mesh_free(mesh);
}

/* Every instruction set finds the same, to the bit. */
static void kernels_agree(void **state)
{
    (void)state;
    ts_mesh *mesh = torus_mesh(1, 0.3, 30, 15);
    ts_mesh_tree *tree = tree_of(mesh);
    ts_random r = ts_random_make(50, 0);
    for (int i = 0; i < 1000; i++) {
        ts_vec3 p = random_near(mesh, 1, &r);
        ts_mesh_nearest a = {0};
        for (int isa = 0; isa < ts_test_isa_count() && isa < (int)TS_CPU_COUNT; isa++) {
            tree->kernel = ts_mesh_tree_table[isa];
            ts_mesh_nearest b = ts_mesh_tree_nearest(tree, p);
            a = isa == 0 ? b : a;
            assert_true(a.distance == b.distance && ts_vec3_distance(a.point, b.point) == 0 &&
                        a.triangle == b.triangle);
        }
    }
    ts_mesh_tree_free(tree);
    ts_mesh_free(mesh);
}

static void refused(void **state)
{
    (void)state;
    ts_mesh_tree *tree;
    ts_mesh *mesh = box_mesh((ts_vec3){0, 0, 0}, (ts_vec3){1, 1, 1});
    mesh->triangle_count--;
    assert_int_equal(ts_mesh_tree_create(mesh, &tree, ERROR), TS_BAD_INPUT);
    assert_non_null(strstr(ts_test_error.message, "3 of its edges"));
    assert_null(tree);
    mesh->triangle_count++;
    int32_t keep = mesh->triangle[3][0];
    mesh->triangle[3][0] = mesh->triangle[3][1];
    mesh->triangle[3][1] = keep; /* turned the other way */
    assert_int_equal(ts_mesh_tree_create(mesh, &tree, ERROR), TS_BAD_INPUT);
    mesh->triangle[3][1] = mesh->triangle[3][0];
    mesh->triangle[3][0] = 8;
    assert_int_equal(ts_mesh_tree_create(mesh, &tree, ERROR), TS_BAD_INPUT);
    mesh->triangle[3][0] = keep;
    OK(ts_mesh_tree_create(mesh, &tree, ERROR));
    assert_true(isnan(ts_mesh_tree_nearest(tree, (ts_vec3){(double)NAN, 0, 0}).distance));
    ts_mesh_tree_free(tree);
    mesh->vertex[7].z = HUGE_VAL;
    assert_int_equal(ts_mesh_tree_create(mesh, &tree, ERROR), TS_BAD_INPUT);
    mesh->vertex[7].z = 1e60;
    assert_int_equal(ts_mesh_tree_create(mesh, &tree, ERROR), TS_BAD_INPUT);
    mesh->triangle_count = 0;
    mesh->vertex[7].z = 1;
    assert_int_equal(ts_mesh_tree_create(mesh, &tree, ERROR), TS_BAD_INPUT);
    ts_mesh_free(mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tetrahedra),
        cmocka_unit_test(boxes),
        cmocka_unit_test(round_ones),
        cmocka_unit_test(cavity),
        cmocka_unit_test(components_that_touch),
        cmocka_unit_test(separate_corners),
        cmocka_unit_test(sheet),
        cmocka_unit_test(triangles_without_area),
        cmocka_unit_test(all_sizes),
        cmocka_unit_test(sphere),
        cmocka_unit_test(kernels_agree),
        cmocka_unit_test(refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
