/* SPDX-License-Identifier: MIT */
/* Which edges of a mesh are there to be hit with. */
#include <math.h>

#include "support/check.h"

#include "shape/mesh_edges.h"

/* A box of 1 × 2 × 3, its faces turned outwards. */
static const int32_t face[12][3] = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                                    {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};

static ts_vec3 corner(int32_t i)
{
    return (ts_vec3){i & 1, 2 * (i >> 1 & 1), 3 * (i >> 2 & 1)};
}

static void check_box(const ts_mesh *mesh)
{
    ts_mesh_edges *edges;
    OK(ts_mesh_edges_create(mesh, &edges, ERROR));
    assert_int_equal(edges->count, 12); /* and no diagonal of a face */
    NEAR(edges->longest, 3, 1e-15);
    NEAR(edges->sharp, 1, 1e-12); /* tan 45° */
    double sum = 0;
    for (size_t i = 0; i < edges->count; i++) {
        const ts_vec3 p = mesh->vertex[edges->edge[i].a], q = mesh->vertex[edges->edge[i].b];
        sum += ts_vec3_distance(p, q);
    }
    NEAR(sum, 4 * (1 + 2 + 3), 1e-12);
    ts_mesh_edges_free(edges);
}

static void a_box_has_twelve(void **state)
{
    (void)state;
    ts_vec3 vertex[8];
    int32_t triangle[12][3];
    for (int32_t i = 0; i < 8; i++)
        vertex[i] = corner(i);
    for (int i = 0; i < 12; i++)
        for (int k = 0; k < 3; k++)
            triangle[i][k] = face[i][k];
    check_box(&(ts_mesh){.vertex = vertex, .vertex_count = 8, .triangle = triangle, .triangle_count = 12});
}

/* With vertices of its own for every triangle, as many files have; −0 is 0. */
static void vertices_count_by_place(void **state)
{
    (void)state;
    ts_vec3 vertex[36];
    int32_t triangle[12][3];
    for (int i = 0; i < 12; i++)
        for (int k = 0; k < 3; k++) {
            const int32_t own = 3 * i + k;
            triangle[i][k] = own;
            vertex[own] = corner(face[i][k]);
            if (i % 2 == 0 && vertex[own].x == 0)
                vertex[own].x = -0.0;
        }
    check_box(&(ts_mesh){.vertex = vertex, .vertex_count = 36, .triangle = triangle, .triangle_count = 12});
}

/* A triangle without area along an edge takes nothing away from it: of the longest edge, which one face has whole and
 * the other in two halves, all three remain. */
static void triangles_without_area_hide_nothing(void **state)
{
    (void)state;
    ts_vec3 vertex[9];
    int32_t triangle[14][3];
    for (int32_t i = 0; i < 8; i++)
        vertex[i] = corner(i);
    vertex[8] = (ts_vec3){0, 0, 1.5}; /* in the middle of the edge from 0 to 4 */
    for (int i = 0; i < 12; i++)
        for (int k = 0; k < 3; k++)
            triangle[i][k] = face[i][k];
    const int32_t halves[3][3] = {
        {0, 8, 2}, {8, 4, 2}, {0, 4, 8}}; /* in place of {0, 4, 2}, and what lies along the edge */
    for (int k = 0; k < 3; k++) {
        triangle[8][k] = halves[0][k];
        triangle[12][k] = halves[1][k];
        triangle[13][k] = halves[2][k];
    }
    ts_mesh_edges *edges;
    OK(ts_mesh_edges_create(&(ts_mesh){.vertex = vertex, .vertex_count = 9, .triangle = triangle, .triangle_count = 14},
                            &edges, ERROR));
    assert_int_equal(edges->count, 14);
    bool whole = false;
    for (size_t i = 0; i < edges->count; i++)
        whole |= edges->edge[i].a == 0 && edges->edge[i].b == 4;
    assert_true(whole);
    ts_mesh_edges_free(edges);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_box_has_twelve),
        cmocka_unit_test(vertices_count_by_place),
        cmocka_unit_test(triangles_without_area_hide_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
