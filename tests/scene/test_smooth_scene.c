/* SPDX-License-Identifier: MIT */
/* Smooth bodies in scenes: what they weigh, at which scale, from which files, and that nothing depends on the cache. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "model.h"
#include "scene/read.h"
#include "support/check.h"

#define SCENE(shapes, rest) "{\"touchstone\": 1, \"space\": \"space\", \"shapes\": {" shapes "}, " rest "}"
#define BALL(r)             "{\"kind\": \"superquadric\", \"size\": [" r ", " r ", " r "], \"exponents\": [1, 1]}"
#define ONE(scale)          "\"bodies\": [{\"shape\": \"a\", \"position\": [0, 0, 1], \"scale\": " scale "}]"
#define DUMBBELL                                                                                                  \
    "{\"kind\": \"smooth\", \"vertices\": 200, \"pieces\": ["                                                     \
    "{\"kind\": \"superquadric\", \"size\": [0.1, 0.1, 0.1], \"exponents\": [1, 1], \"position\": [0.3, 0, 0]},"  \
    "{\"kind\": \"superquadric\", \"size\": [0.2, 0.2, 0.2], \"exponents\": [1, 1], \"position\": [-0.3, 0, 0]}," \
    "{\"kind\": \"superquadric\", \"size\": [0.3, 0.03, 0.03], \"exponents\": [1, 1]}]}"

static ts_model *compile(const char *text)
{
    ts_scene *scene = NULL;
    ts_model *model = NULL;
    OK(ts_scene_parse(text, strlen(text), "it", NULL, &scene, ERROR));
    OK(ts_model_compile(scene, &model, ERROR));
    ts_scene_free(scene);
    return model;
}

static void test_mass(void **state)
{
    (void)state;
    const double ball = 4.0 / 3 * TS_PI * 1e-3;
    ts_model *model = compile(SCENE("\"a\": " BALL("0.1"), ONE("1")));
    double inertia[9];
    NEAR(ts_model_mass(model, 0), 1000 * ball, 1e-12);
    ts_model_inertia(model, 0, inertia);
    for (int i = 0; i < 9; i++)
        NEAR(inertia[i], i % 4 == 0 ? 400 * ball * 0.01 : 0, 1e-12);
    ts_model_free(model);

    /* a box with slightly round edges is nearly the box, and half as large weighs an eighth */
    const char *text =
        SCENE("\"a\": {\"kind\": \"superquadric\", \"size\": [0.1, 0.2, 0.3], \"exponents\": [0.1, 0.1]}", ONE("0.5"));
    model = compile(text);
    NEAR(ts_model_mass(model, 0), 1000 * 0.048 / 8, 0.015 * 6);
    ts_model_free(model);

    /* a compound counts what overlaps twice */
    model = compile(SCENE("\"a\": {\"kind\": \"compound\", \"pieces\": [" BALL("0.1") ", " BALL("0.1") "]}", ONE("2")));
    NEAR(ts_model_mass(model, 0), 16 * 1000 * ball, 1e-10);
    ts_model_free(model);
}

/* Two balls and a thin rod between them: the frame is the centre of mass, and the balls are all that counts. */
static void test_centre(void **state)
{
    (void)state;
    ts_model *model = compile(SCENE("\"a\": " DUMBBELL, ONE("1")));
    const double small = 4.0 / 3 * TS_PI * 1e-3, large = 8 * small;
    /* the rod adds what sticks out of the balls: by quadrature of its slices */
    double rod = 0, first = 0;
    for (int i = 0; i < 200000; i++) {
        const double x = -0.3 + 0.6 * (i + 0.5) / 200000, r2 = 0.0009 * (1 - x * x / 0.09);
        const double to_small = 0.01 - (x - 0.3) * (x - 0.3), to_large = 0.04 - (x + 0.3) * (x + 0.3);
        const double out = fmax(r2 - fmax(fmax(to_small, to_large), 0), 0) * TS_PI * 0.6 / 200000;
        rod += out;
        first += x * out;
    }
    const double volume = small + large + rod, centre = (0.3 * small - 0.3 * large + first) / volume;
    NEAR(ts_model_mass(model, 0) / (1000 * volume), 1, 5e-4);
    const ts_form3 *form = &model->form[model->body_form[0]];
    const ts_piece *piece = &model->piece[form->piece_begin];
    assert_int_equal(piece->solid.kind, TS_SOLID_SMOOTH);
    NEAR(piece->pose.position.x, -centre, 2e-4);
    NEAR(piece->pose.position.y, 0, 1e-5);
    assert_int_equal(piece->solid.smooth->mesh->vertex_count, 200);
    ts_model_free(model);
}

/* The same bits without a cache, with an empty one, and from it; and damaged files of it are made again. */
static void test_cache(void **state)
{
    (void)state;
    char before[4096] = "";
    const char *given = getenv("TOUCHSTONE_CACHE");
    snprintf(before, sizeof before, "%s", given ? given : "");
    uint64_t hash[5];
    for (int i = 0; i < 5; i++) {
        setenv("TOUCHSTONE_CACHE", i == 0 ? "/dev/null/no-folder" : "cache", 1);
        if (i >= 3) { /* damage, then cut short */
            assert_int_equal(system(i == 3 ? "for f in cache/*.tssmooth; do printf x | dd of=$f bs=1 seek=300 "
                                             "conv=notrunc 2>/dev/null; done"
                                           : "for f in cache/*.tssmooth; do truncate -s 100 $f; done"),
                             0);
        }
        ts_model *model = compile(SCENE("\"a\": " DUMBBELL, ONE("1")));
        hash[i] = ts_model_hash(model);
        ts_model_free(model);
    }
    assert_int_equal(system("ls cache/*.tssmooth >/dev/null"), 0);
    for (int i = 1; i < 5; i++)
        assert_true(hash[i] == hash[0]);
    if (given)
        setenv("TOUCHSTONE_CACHE", before, 1);
    else
        unsetenv("TOUCHSTONE_CACHE");
}

/* A scene with a file, and the resolved one that a run keeps, which needs none. */
static void test_files(void **state)
{
    (void)state;
    ts_smooth_piece piece[2] = {{.kind = TS_SMOOTH_SUPERQUADRIC, .size = {0.1, 0.05, 0.05}, .exponents = {0.3, 0.7}},
                                {.kind = TS_SMOOTH_SUPERQUADRIC, .size = {0.03, 0.03, 0.2}, .exponents = {0.2, 1}}};
    piece[1].subtract = true;
    ts_smooth_def def = ts_default_smooth();
    ts_smooth *body = NULL;
    def.piece = piece;
    def.piece_count = 2;
    def.smoothing = 0.01;
    OK(ts_smooth_create(&def, &body, ERROR));
    OK(ts_smooth_save(body, "ring.json", NULL, 0, ERROR));
    const char *cloud = "v 1 0 0\nv -1 0 0\nv 0 1 0\nv 0 -1 0\nv 0 0 1\nv 0 0 -1\nf 1 3 5\nf 3 2 5\nf 2 4 5\nf 4 1 5\n"
                        "f 3 1 6\nf 2 3 6\nf 4 2 6\nf 1 4 6\n";
    OK(ts_file_write("octahedron.obj", cloud, strlen(cloud), ERROR));
    const char *text =
        SCENE("\"a\": {\"kind\": \"smooth\", \"file\": \"ring.json\"}, \"b\": {\"kind\": \"smooth\", "
              "\"pieces\": [{\"kind\": \"cloud\", \"file\": \"octahedron.obj\", \"scale\": 0.1}]}, "
              "\"c\": {\"kind\": \"smooth\", \"file\": \"ring.json\", \"vertices\": 500}",
              "\"bodies\": [{\"shape\": \"a\", \"position\": [0, 0, 1]}, {\"shape\": \"b\", \"position\": "
              "[0, 0, 2]}, {\"shape\": \"c\", \"position\": [0, 0, 3]}]");
    OK(ts_file_write("scene.json", text, strlen(text), ERROR));
    ts_scene *scene = NULL;
    ts_model *model = NULL, *again = NULL;
    OK(ts_scene_load("scene.json", NULL, &scene, ERROR));
    OK(ts_model_compile(scene, &model, ERROR));
    ts_scene_free(scene);
    char *resolved;
    size_t length;
    OK(ts_scene_resolve("scene.json", NULL, &resolved, &length, ERROR));
    assert_null(strstr(resolved, "ring.json"));
    assert_null(strstr(resolved, "octahedron.obj"));
    OK(ts_scene_parse(resolved, length, "resolved", NULL, &scene, ERROR));
    OK(ts_model_compile(scene, &again, ERROR));
    assert_true(ts_model_hash(model) == ts_model_hash(again));
    const ts_solid *a = &model->piece[0].solid, *c = &model->piece[2].solid;
    assert_int_equal(a->smooth->mesh->vertex_count, body->mesh->vertex_count);
    assert_memory_equal(a->smooth->mesh->vertex, body->mesh->vertex, body->mesh->vertex_count * sizeof(ts_vec3));
    assert_true(ts_sdf_smoothing(a->smooth->sdf) == 0.01 && ts_sdf_smoothing(c->smooth->sdf) == 0.01);
    assert_int_equal(c->smooth->mesh->vertex_count, 500);
    ts_scene_free(scene);
    ts_model_free(model);
    ts_model_free(again);
    ts_smooth_free(body);
    ts_free(resolved);
}

static void test_manifold(void **state)
{
    (void)state;
    ts_model *model = compile(SCENE("\"a\": " BALL("0.1"), ONE("1")));
    assert_null(model->manifold);
    ts_model *told = compile(SCENE("\"a\": " BALL("0.1"),
                                   ONE("1") ", \"manifold\": {\"smoothing\": 0.01, \"gradient_smoothing\": 0.1, "
                                            "\"edges\": false, \"sides\": \"a\", \"keep\": {\"vertices\": 50}, "
                                            "\"selection\": \"hard\", \"project\": 2, \"safeguard\": true, "
                                            "\"weights\": \"published\"}"));
    const ts_manifold_options *o = told->manifold;
    assert_true(o && o->smoothing.select == 0.01 && o->smoothing.united == 0 && o->gradient.depth == 0.1);
    assert_true(!o->edges && o->sides == TS_MANIFOLD_A && o->keep_vertices[0] == 50 && o->keep_vertices[1] == 50);
    assert_true(o->keep_edges[0] == 0 && o->hard && o->project == 2 && o->safeguard && o->published);
    assert_ptr_equal(told->piece[0].solid.manifold, o);
    assert_true(ts_model_hash(told) != ts_model_hash(model));
    /* what is written as it is anyway changes nothing */
    ts_model *usual = compile(SCENE("\"a\": " BALL("0.1"), ONE("1") ", \"manifold\": {\"smoothing\": 0.003}"));
    const ts_manifold_options by_default = ts_manifold_default_options();
    assert_memory_equal(&usual->manifold->smoothing, &by_default.smoothing, sizeof by_default.smoothing);
    ts_model_free(usual);
    ts_model_free(told);
    ts_model_free(model);
}

/* A program's own scene, wall and all. */
static void test_program(void **state)
{
    (void)state;
    ts_scene *scene = NULL;
    ts_model *model = NULL;
    ts_space_def space = ts_default_space();
    const ts_smooth_piece part[2] = {{.kind = TS_SMOOTH_SUPERQUADRIC, .size = {0.1, 0.1, 0.1}, .exponents = {1, 1}},
                                     {.kind = TS_SMOOTH_SUPERQUADRIC, .size = {0.2, 0.02, 0.02}, .exponents = {1, 1}}};
    ts_smooth_def smooth = ts_default_smooth();
    smooth.piece = part;
    smooth.piece_count = 2;
    ts_piece_def piece[2] = {{.kind = TS_PIECE_SUPERQUADRIC, .size = {0.1, 0.1, 0.1}, .exponents = {1, 1}},
                             {.kind = TS_PIECE_SMOOTH, .smooth = &smooth, .position = {0, 0, 1}}};
    ts_shape_def shape = ts_default_shape();
    shape.piece = piece;
    shape.piece_count = 2;
    ts_body_def body = ts_default_body();
    body.position[2] = 5;
    ts_wall_def wall = ts_default_wall();
    OK(ts_scene_create(&scene, ERROR));
    OK(ts_scene_set_space(scene, &space, ERROR));
    OK(ts_scene_add_shape(scene, &shape, &body.shape, ERROR));
    OK(ts_scene_add_body(scene, &body, NULL, ERROR));
    wall.kind = TS_WALL_SOLID;
    wall.shape = body.shape;
    OK(ts_scene_add_wall(scene, &wall, NULL, ERROR));
    OK(ts_model_compile(scene, &model, ERROR));
    assert_int_equal(model->piece_count, 2);
    assert_true(ts_model_mass(model, 0) > 2 * 4.18);
    ts_model_free(model);
    ts_error error;
    piece[0].exponents[0] = 2;
    assert_int_equal(ts_scene_add_shape(scene, &shape, NULL, &error), TS_BAD_INPUT);
    piece[0].exponents[0] = 1;
    piece[1].smooth = NULL;
    assert_int_equal(ts_scene_add_shape(scene, &shape, NULL, &error), TS_BAD_INPUT);
    ts_scene_free(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_mass),  cmocka_unit_test(test_centre),   cmocka_unit_test(test_cache),
        cmocka_unit_test(test_files), cmocka_unit_test(test_manifold), cmocka_unit_test(test_program),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
