/* SPDX-License-Identifier: MIT */
/* Smooth bodies as programs make and ask them (touchstone/smooth.h). */
#include <float.h>
#include <math.h>
#include <string.h>

#include "support/check.h"
#include "touchstone/manifold.h"
#include "touchstone/smooth.h"

static ts_smooth_piece ball(double radius, double x)
{
    return (ts_smooth_piece){
        .kind = TS_SMOOTH_SUPERQUADRIC, .size = {radius, radius, radius}, .exponents = {1, 1}, .position = {x, 0, 0}};
}

static ts_smooth *make(const ts_smooth_piece *piece, size_t count, size_t vertices)
{
    ts_smooth_def def = ts_default_smooth();
    ts_smooth *body = NULL;
    def.piece = piece;
    def.piece_count = count;
    def.vertices = vertices;
    OK(ts_smooth_create(&def, &body, ERROR));
    return body;
}

/* Of a ball φ is the distance; of a cube of planes it is far from rims, of a blend outside of both it is the least. */
static void test_ask(void **state)
{
    (void)state;
    const ts_smooth_piece one = ball(0.4, 0.1);
    ts_smooth *body = make(&one, 1, 0);
    double point[130][3], value[130], gradient[130][3], normal[130][3];
    for (int i = 0; i < 130; i++) {
        point[i][0] = 0.7 * cos(i) + 0.1;
        point[i][1] = 0.6 * sin(1.7 * i);
        point[i][2] = 0.5 * sin(0.3 * i) + 0.6;
    }
    ts_smooth_ask(body, 130, (const double(*)[3])point, value, gradient, normal);
    for (int i = 0; i < 130; i++) {
        const double d[3] = {point[i][0] - 0.1, point[i][1], point[i][2]},
                     r = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
        NEAR(value[i], r - 0.4, 1e-14);
        for (int c = 0; c < 3; c++) {
            NEAR(gradient[i][c], d[c] / r, 1e-13);
            NEAR(normal[i][c], d[c] / r, 1e-11);
        }
    }
    double alone;
    ts_smooth_ask(body, 1, (const double(*)[3])point[77], &alone, NULL, NULL);
    assert_true(alone == value[77]);
    ts_smooth_free(body);
}

static void test_info(void **state)
{
    (void)state;
    const ts_smooth_piece two[2] = {ball(0.4, 0), ball(0.3, 0.5)};
    ts_smooth *body = make(two, 2, 200);
    const ts_smooth_info info = ts_smooth_get_info(body);
    assert_int_equal(info.pieces, 2);
    assert_int_equal(info.vertices, 200);
    assert_int_equal(info.triangles, 396); /* Euler */
    assert_int_equal(info.edges, 594);
    NEAR(info.length, 1.2, 1e-12);
    assert_true(info.smoothing == 0.003 && info.off > 0 && info.off < 0.02 * info.length);
    double vertex[200][3], value[200];
    int32_t triangle[396][3], edge[594][2];
    ts_smooth_get_mesh(body, vertex, triangle, edge);
    ts_smooth_ask(body, 200, (const double(*)[3])vertex, value, NULL, NULL);
    for (int i = 0; i < 200; i++)
        NEAR(value[i], 0, 1e-10);
    const ts_smooth_piece piece = ts_smooth_get_piece(body, 1);
    assert_true(piece.kind == TS_SMOOTH_SUPERQUADRIC && piece.position[0] == 0.5 && piece.size[2] == 0.3);
    /* made again from its own mesh it is the same */
    ts_smooth_def def = ts_default_smooth();
    ts_smooth *again = NULL;
    def.piece = two;
    def.piece_count = 2;
    def.point = (const double(*)[3])vertex;
    def.point_count = 200;
    def.triangle = (const int32_t(*)[3])triangle;
    def.triangle_count = 396;
    OK(ts_smooth_create(&def, &again, ERROR));
    assert_true(ts_smooth_get_info(again).off == info.off);
    /* and from a file */
    ts_smooth_free(again);
    OK(ts_smooth_save(body, "two.json", NULL, 0, ERROR));
    OK(ts_smooth_load("two.json", &again, ERROR));
    assert_true(ts_smooth_get_info(again).off == info.off && ts_smooth_get_info(again).edges == info.edges);
    ts_smooth_free(again);
    ts_smooth_free(body);
}

/* A hollow: a cloud, a hull of corners and what is taken away, all in one body. */
static void test_kinds(void **state)
{
    (void)state;
    const double corner[8][3] = {{-1, -1, -1}, {1, -1, -1}, {-1, 1, -1}, {1, 1, -1},
                                 {-1, -1, 1},  {1, -1, 1},  {-1, 1, 1},  {1, 1, 1}};
    ts_smooth_piece part[2] = {{.kind = TS_SMOOTH_POLYHEDRON, .point = corner, .count = 8}, ball(0.7, 1)};
    part[1].subtract = true;
    ts_smooth *body = make(part, 2, 400);
    const double at[3][3] = {{-0.5, 0, 0}, {0.5, 0, 0}, {-1.3, 0, 0}};
    double value[3];
    ts_smooth_ask(body, 3, at, value, NULL, NULL);
    NEAR(value[0], -0.5, 1e-6); /* half below a face */
    NEAR(value[1], 0.2, 1e-6);  /* in the hollow */
    NEAR(value[2], 0.3, 1e-6);
    assert_int_equal(ts_smooth_get_piece(body, 0).count, 6); /* planes of the hull */
    ts_smooth_free(body);
}

static void test_refused(void **state)
{
    (void)state;
    ts_smooth_piece one = ball(1, 0);
    ts_smooth_def def = ts_default_smooth(), zeroed = {0};
    ts_smooth *body = NULL;
    ts_error error;
    assert_int_equal(ts_smooth_create(&zeroed, &body, &error), TS_BAD_INPUT);
    assert_non_null(strstr(error.message, "ts_default_smooth"));
    assert_int_equal(ts_smooth_create(&def, &body, &error), TS_BAD_INPUT);
    assert_non_null(strstr(error.message, "no primitives"));
    def.piece = &one;
    def.piece_count = 1;
    def.vertices = 20000;
    assert_int_equal(ts_smooth_create(&def, &body, &error), TS_BAD_INPUT);
    assert_non_null(strstr(error.message, "20000 vertices"));
    def.vertices = 0;
    def.smoothing = -1;
    assert_int_equal(ts_smooth_create(&def, &body, &error), TS_BAD_INPUT);
    assert_non_null(strstr(error.message, "smoothing"));
    def.smoothing = 0;
    one.exponents[1] = (double)NAN;
    assert_int_equal(ts_smooth_create(&def, &body, &error), TS_BAD_INPUT);
    one = ball(1, (double)NAN);
    assert_int_equal(ts_smooth_create(&def, &body, &error), TS_BAD_INPUT);
    one = ball(1, 0);
    one.kind = 0;
    assert_int_equal(ts_smooth_create(&def, &body, &error), TS_BAD_INPUT);
    one = ball(1, 0);
    one.attitude[2] = (double)INFINITY;
    assert_int_equal(ts_smooth_create(&def, &body, &error), TS_BAD_INPUT);
    one.attitude[2] = 17; /* of any length */
    OK(ts_smooth_create(&def, &body, ERROR));
    ts_smooth_free(body);
    assert_int_equal(ts_smooth_create(&def, NULL, &error), TS_BAD_INPUT);
    assert_int_equal(ts_smooth_load("nowhere.json", &body, &error), TS_IO);
    assert_null(body);
    ts_smooth_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ask),
        cmocka_unit_test(test_info),
        cmocka_unit_test(test_kinds),
        cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
