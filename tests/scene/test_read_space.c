/* SPDX-License-Identifier: MIT */
/* Scene files of space: every key arrives where it belongs, in SI units; mesh files become part of the scene, bit for
 * bit; meshes made by rule have the volume of their closed form. Runs in an empty directory of its own. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "support/check.h"

#include "base/file.h"
#include "base/memory.h"
#include "dynamics/impact_dynamics.h"
#include "model.h"
#include "scene/read.h"
#include "scene/scene.h"
#include "touchstone/touchstone.h"

#define PI          3.14159265358979323846
#define SPACE(rest) "{\"touchstone\": 1, \"space\": \"space\", " rest "}"

static ts_scene *read_with(const char *text, const char *const *override, size_t count)
{
    ts_scene *scene = NULL;
    ts_load_options options = {.override = override, .override_count = count};
    OK(ts_scene_parse(text, strlen(text), "t.json", &options, &scene, ERROR));
    assert_true(ts_scene_is_space(scene));
    return scene;
}

static ts_scene *read(const char *text)
{
    return read_with(text, NULL, 0);
}

/* The text is refused with these words. */
static void refuse(const char *text, const char *words)
{
    ts_scene *scene = NULL;
    memset(ERROR, 0, sizeof *ERROR);
    assert_int_equal(ts_scene_parse(text, strlen(text), "t.json", NULL, &scene, ERROR), TS_BAD_INPUT);
    if (!strstr(ts_test_error.message, words) || ts_test_error.line == 0)
        fail_msg("expected \"%s\", got %d: \"%s\"", words, ts_test_error.line, ts_test_error.message);
}

static void same(const double *value, const double *expected, int count)
{
    for (int i = 0; i < count; i++)
        NEAR(value[i], expected[i], 1e-15 * (1 + fabs(expected[i])));
}
#define SAME(value, ...) \
    same(value, (const double[]){__VA_ARGS__}, (int)(sizeof(double[]){__VA_ARGS__} / sizeof(double)))

/* ---- Keys ---- */

static const char *const whole = SPACE(
    "\"gravity\": [0, \"1 cm/s^2\", -3], \"duration\": \"2 min\", \"seed\": 5,"
    "\"camera\": {\"position\": [1, 2, \"3 km\"], \"target\": [4, 5, 6], \"up\": [0, 1, 0], \"view\": \"90 deg\"},"
    "\"dynamics\": {\"density\": \"2 g/cm^3\", \"friction\": 0.3, \"sweeps\": 40},"
    "\"materials\": {\"lead\": {\"density\": \"11 t/m^3\", \"restitution\": 0.1}},"
    "\"material_pairs\": [{\"between\": [\"lead\", \"default\"], \"friction\": 0.7}],"
    "\"shapes\": {\"ball\": {\"kind\": \"sphere\", \"radius\": \"3 mm\"},"
    " \"brick\": {\"kind\": \"box\", \"size\": [1, \"20 cm\", 3]},"
    " \"pill\": {\"kind\": \"capsule\", \"radius\": 1, \"length\": 4},"
    " \"can\": {\"kind\": \"cylinder\", \"radius\": 2, \"length\": 5},"
    " \"simplex\": {\"kind\": \"hull\", \"points\": [[0, 0, 0], [1, 0, 0], [0, \"1 cm\", 0], [0, 0, 1]]},"
    " \"pair\": {\"kind\": \"compound\", \"pieces\": [{\"kind\": \"sphere\", \"radius\": 1},"
    "  {\"kind\": \"box\", \"size\": [1, 1, 1], \"position\": [0, 0, 3],"
    "   \"attitude\": {\"axis\": [0, 0, 5], \"angle\": \"90 deg\"}}]}},"
    "\"bodies\": [{\"name\": \"a\", \"shape\": \"brick\", \"position\": [1, 2, 3], \"fixed\": true},"
    " {\"name\": \"b\", \"shape\": \"ball\", \"material\": \"lead\", \"scale\": 2, \"position\": [4, 5, 6],"
    "  \"attitude\": [0, 0, 0, 9], \"velocity\": [1, 0, \"36 km/h\"], \"spin\": [0, \"60 rpm\", 0]}],"
    "\"boundaries\": [{\"kind\": \"plane\", \"name\": \"floor\", \"point\": [0, 0, -1], \"normal\": [0, 0, 8]},"
    " {\"kind\": \"room\", \"low\": [-9, -8, -7], \"high\": [9, 10, 11], \"material\": \"lead\"},"
    " {\"kind\": \"cylinder\", \"point\": [1, 1, 1], \"axis\": [0, -3, 0], \"radius\": 30, \"length\": 40},"
    " {\"kind\": \"solid\", \"shape\": \"can\", \"point\": [0, 0, -5], \"scale\": 3, \"attitude\": [2, 0, 0, 0]}],"
    "\"springs\": [{\"kind\": \"linear\", \"a\": \"a\", \"b\": \"b\", \"stiffness\": \"1 kN/m\", \"rest\": \"1 cm\","
    "  \"anchor_a\": [1, 0, 0], \"anchor_b\": [0, 2, 0]},"
    " {\"kind\": \"cubic\", \"b\": \"b\", \"stiffness\": \"2 N/mm^3\", \"anchor_a\": [0, 0, 9]}],"
    "\"generators\": [{\"kind\": \"lattice\", \"name\": \"g\", \"region\": {\"box\": [0, 1, 2, 10, 11, 12]}, "
    "\"count\": 7,"
    "  \"mix\": [{\"shape\": \"ball\", \"weight\": 2}, {\"shape\": \"can\", \"scale\": [0.1, 0.2]}], \"jitter\": 0.25},"
    " {\"kind\": \"random\", \"region\": {\"cylinder\": {\"point\": [0, 0, 5], \"radius\": 2, \"length\": 6}},"
    "  \"count\": 3, \"shape\": \"ball\", \"attitudes\": \"upright\", \"gap\": \"1 mm\", \"velocity\": [0, 0, -1]}],"
    "\"drives\": [{\"kind\": \"rotation\", \"target\": \"a\", \"rate\": \"30 rpm\", \"axis\": [0, 2, 0], \"pivot\": "
    "[1, 1, 1]},"
    " {\"kind\": \"oscillation\", \"target\": \"floor\", \"frequency\": \"2 Hz\", \"amplitude\": [0, 0, \"5 mm\"]},"
    " {\"kind\": \"gate\", \"target\": \"floor\", \"opens\": 1, \"closes\": 2},"
    " {\"kind\": \"keyframes\", \"target\": \"a\", \"keys\": [{\"time\": 0}, {\"time\": 1, \"displacement\": [1, 2, "
    "3], \"angle\": 4}]},"
    " {\"kind\": \"velocity\", \"target\": \"a\", \"velocity\": [7, 8, 9], \"end\": 3}],"
    "\"output\": {\"frame_rate\": 10, \"contacts\": false}");

static void keys_arrive(void **state)
{
    (void)state;
    ts_scene *s = read(whole);
    SAME(s->space.gravity, 0, 0.01, -3);
    SAME(s->space.camera.position, 1, 2, 3000);
    SAME(s->space.camera.target, 4, 5, 6);
    SAME(s->space.camera.up, 0, 1, 0);
    NEAR(s->space.camera.view, PI / 2, 1e-15);
    assert_true(s->settings.duration == 120 && s->settings.seed == 5 && !s->settings.record_contacts);
    NEAR(s->settings.frame_interval, 0.1, 1e-15);
    assert_string_equal(s->dynamics->name, "impact");
    assert_int_equal(((const ts_impact_param *)s->param)->sweeps, 40);
    NEAR(s->material.item[0].def.density, 2000, 1e-9);
    NEAR(s->material.item[1].def.density, 11000, 1e-9);
    assert_true(s->pair.item[0].def.friction == 0.7);

    assert_int_equal(s->shape.count, 6);
    assert_true(s->shape.item[0].piece[0].kind == TS_PIECE_SPHERE && s->shape.item[0].piece[0].radius == 0.003);
    SAME(s->shape.item[1].piece[0].size, 1, 0.2, 3);
    assert_true(s->shape.item[2].piece[0].kind == TS_PIECE_CAPSULE && s->shape.item[2].piece[0].length == 4);
    assert_true(s->shape.item[3].piece[0].kind == TS_PIECE_CYLINDER && s->shape.item[3].piece[0].radius == 2);
    assert_int_equal(s->shape.item[4].piece[0].point_count, 4);
    SAME(s->shape.item[4].piece[0].point[2], 0, 0.01, 0);
    assert_int_equal(s->shape.item[5].piece_count, 2);
    SAME(s->shape.item[5].piece[1].position, 0, 0, 3);
    SAME(s->shape.item[5].piece[1].attitude, sqrt(0.5), 0, 0, sqrt(0.5)); /* cos and sin of half the angle */

    const ts_body_def *b = &s->body.item[1].def;
    assert_true(s->body.item[0].def.fixed && !b->fixed && b->shape == 0 && b->material == 1 && b->scale == 2);
    SAME(b->position, 4, 5, 6);
    SAME(b->attitude, 0, 0, 0, 1);
    SAME(b->velocity, 1, 0, 10);
    SAME(b->spin, 0, 2 * PI, 0);
    SAME(s->wall.item[0].def.normal, 0, 0, 1);
    SAME(s->wall.item[1].def.position, -9, -8, -7);
    SAME(s->wall.item[1].def.size, 18, 18, 18);
    SAME(s->wall.item[2].def.normal, 0, -1, 0);
    assert_true(s->wall.item[2].def.radius == 30 && s->wall.item[2].def.length == 40);
    assert_true(s->wall.item[3].def.kind == TS_WALL_SOLID && s->wall.item[3].def.shape == 3);
    SAME(s->wall.item[3].def.attitude, 1, 0, 0, 0);

    const ts_spring_def *k = &s->spring.item[0].def;
    assert_true(strcmp(k->a, "a") == 0 && k->stiffness == 1000 && k->rest == 0.01 && k->anchor_b[1] == 2);
    k = &s->spring.item[1].def;
    assert_true(k->kind == TS_SPRING_CUBIC && !k->a && k->anchor_a[2] == 9);
    NEAR(k->stiffness, 2e9, 1e-3);
    const ts_generator_def *g = &s->generator.item[0].def;
    SAME(g->low, 0, 1, 2);
    SAME(g->high, 10, 11, 12);
    assert_true(g->region == TS_REGION_BOX && g->count == 7 && g->mix_count == 2 && g->jitter == 0.25 &&
                g->random_attitude);
    assert_true(g->mix[0].weight == 2 && g->mix[1].shape == 3 && g->mix[1].scale_max == 0.2);
    g = &s->generator.item[1].def;
    SAME(g->low, -2, -2, 2);
    SAME(g->high, 2, 2, 8);
    assert_true(g->region == TS_REGION_CYLINDER && g->radius == 2 && g->fill == TS_FILL_RANDOM && !g->random_attitude &&
                g->gap == 0.001);

    const ts_drive_def *d = &s->drive.item[0].def;
    SAME(d->axis, 0, 1, 0);
    SAME(d->pivot, 1, 1, 1);
    NEAR(d->rate, PI, 1e-15);
    SAME(s->drive.item[1].def.amplitude, 0, 0, 0.005);
    assert_true(isnan(s->drive.item[1].def.pivot[0]) && s->drive.item[2].def.end == 2);
    SAME(s->drive.item[3].def.key[1].displacement, 1, 2, 3);
    SAME(s->drive.item[4].def.velocity, 7, 8, 9);
    ts_scene_free(s);
}

static void overrides_and_includes(void **state)
{
    (void)state;
    const char *const change[] = {"bodies[1].position[2]=7 cm", "shapes.brick.size=[1, 1, 2]",
                                  "boundaries[1].high[0]=20", "camera.view=1"};
    ts_scene *s = read_with(whole, change, 4);
    SAME(s->body.item[1].def.position, 4, 5, 0.07);
    SAME(s->shape.item[1].piece[0].size, 1, 1, 2);
    SAME(s->wall.item[1].def.size, 29, 18, 18);
    assert_true(s->space.camera.view == 1);
    ts_scene_free(s);

    /* lists of an included file come first, springs as all others */
    const char *low = "{\"shapes\": {\"ball\": {\"kind\": \"sphere\", \"radius\": 1}},"
                      "\"bodies\": [{\"name\": \"a\", \"shape\": \"ball\", \"position\": [0, 0, 0]}],"
                      "\"springs\": [{\"kind\": \"linear\", \"b\": \"a\", \"stiffness\": 1}]}";
    const char *top =
        SPACE("\"include\": [\"low.json\"], \"springs\": [{\"kind\": \"linear\", \"b\": \"a\", \"stiffness\": 2}]");
    OK(ts_file_write("low.json", low, strlen(low), ERROR));
    OK(ts_file_write("top.json", top, strlen(top), ERROR));
    OK(ts_scene_load("top.json", NULL, &s, ERROR));
    assert_int_equal(s->spring.count, 2);
    assert_true(s->spring.item[0].def.stiffness == 1 && s->spring.item[1].def.stiffness == 2);
    ts_scene_free(s);
}

/* ---- Errors at the field's own place; more of them are in tests/bad ---- */

static void errors_have_their_place(void **state)
{
    (void)state;
    static const struct {
        const char *text; /* from the second line on */
        int line, column;
        const char *words;
    } bad[] = {
        {"    \"shapes\": {\"ball\": {\"kind\": \"sphere\", \"radius\": 1}},\n"
         "    \"bodies\": [{\"shape\": \"ball\", \"position\": [0, 0, 0], \"attitude\": [0, 0, 1]}]",
         3, 69, "attitude wants a quaternion"},
        {"    \"shapes\": {\"ball\": {\"kind\": \"sphere\", \"radius\": 1}},\n"
         "    \"generators\": [{\"kind\": \"random\", \"region\": {\"box\": [0, 0, 0, 9, 9, 9]}, \"count\": 3, "
         "\"shape\": \"ball\", \"scale\": {\"kind\": \"table\", \"by\": \"mass\", \"points\": [[1, 0], [2, 1]]}}]",
         3, 140, "write \"by\": \"number\""},
        {"    \"camera\": {\"position\": [1, 1, 1]}", 2, 15, "give both position and target"},
        {"    \"camera\": {\"position\": [1, 1, 1], \"target\": [1, 1, 1]}", 2, 15, "position and target are the same"},
        {"    \"shapes\": {\"c\": {\"kind\": \"compound\", \"pieces\": [{\"kind\": \"compound\", \"pieces\": []}]}}", 2,
         62, "unknown kind \"compound\""},
        {"    \"boundaries\": [{\"kind\": \"plane\", \"name\": \"floor\", \"point\": [0, 0, 0], \"normal\": [0, 0, "
         "1]}],\n"
         "    \"drives\": [{\"kind\": \"rotation\", \"target\": \"floor\", \"rate\": 1, \"axis\": [0, 0, 0]}]",
         3, 75, "the axis is zero"},
        {"    \"shapes\": {\"ball\": {\"kind\": \"sphere\", \"radius\": 1}},\n"
         "    \"generators\": [{\"kind\": \"random\", \"region\": {\"box\": [0, 0, 0, 1, 0, 1]}, \"count\": 3, "
         "\"shape\": \"ball\"}]",
         3, 57, "y goes from 0 to 0"},
        {"    \"shapes\": {\"sheet\": {\"kind\": \"box\", \"size\": [1, 1, 0]}}", 2, 56,
         "size is 0, but must be positive"},
        {"    \"gravity\": [0, -9.81]", 2, 16, "a list of three numbers, [x, y, z], found 2"},
        {"    \"boundaries\": [{\"kind\": \"half-plane\", \"point\": [0, 0, 0], \"normal\": [0, 0, 1]}]", 2, 29,
         "choose \"plane\", \"room\""},
        {"    \"shapes\": {\"h\": {\"kind\": \"hull\"}}", 2, 21,
         "it wants \"points\" or a \"file\", found none of them"},
        {"    \"shapes\": {\"c\": {\"kind\": \"compound\", \"pieces\": []}}", 2, 52, "pieces is empty"},
        {"    \"shapes\": {\"ball\": {\"kind\": \"sphere\", \"radius\": 1}},\n"
         "    \"bodies\": [{\"shape\": \"ball\", \"position\": [0, 0, 0], \"spin\": 3}]",
         3, 65, "spin wants a list of three numbers"},
        {"    \"shapes\": {\"ball\": {\"kind\": \"sphere\", \"radius\": 1}},\n"
         "    \"bodies\": [{\"name\": \"bob\", \"shape\": \"ball\", \"position\": [0, 0, 0]}],\n"
         "    \"springs\": [\n"
         "        {\"kind\": \"cubic\", \"a\": \"bob\", \"b\": \"bob\", \"stiffness\": \"1 N/m^3\"}\n"
         "    ]",
         5, 9, "name two bodies"},
        {"    \"shapes\": {\"ball\": {\"kind\": \"sphere\", \"radius\": 1}},\n"
         "    \"bodies\": [{\"name\": \"bob\", \"shape\": \"ball\", \"position\": [0, 0, 0]}],\n"
         "    \"springs\": [{\"kind\": \"cubic\", \"b\": \"bob\", \"stiffness\": \"1 N/m\"}]",
         4, 60, "is not a stiffness per area"},
        {"    \"shapes\": {\"ball\": {\"kind\": \"sphere\", \"radius\": 1}},\n"
         "    \"bodies\": [{\"shape\": \"bal\", \"position\": [0, 0, 0]}]",
         3, 26, "did you mean \"ball\"?"},
        {"    \"shapes\": {\"ball\": {\"kind\": \"sphere\", \"radius\": 1}},\n"
         "    \"bodies\": [{\"shape\": \"ball\", \"position\": [0, 0, 0], \"attitude\": {\"axis\": [0, 0, 0], "
         "\"angle\": 1}}]",
         3, 69, "the axis of its attitude is zero"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        char text[1024];
        snprintf(text, sizeof text, "{\"touchstone\": 1, \"space\": \"space\",\n%s}", bad[i].text);
        refuse(text, bad[i].words);
        if (ts_test_error.line != bad[i].line || ts_test_error.column != bad[i].column)
            fail_msg("%s: at %d:%d, not %d:%d", bad[i].text, ts_test_error.line, ts_test_error.column, bad[i].line,
                     bad[i].column);
    }
}

/* ---- Files ---- */

static const char *const tetrahedron = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n";
static const char *const open_surface = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\n";

static void files_become_part_of_the_scene(void **state)
{
    (void)state;
    mkdir("models", 0777);
    OK(ts_file_write("models/t.obj", tetrahedron, strlen(tetrahedron), ERROR));
    OK(ts_file_write("models/open.obj", open_surface, strlen(open_surface), ERROR));
    const char *text =
        SPACE("\"shapes\": {\"m\": {\"kind\": \"mesh\", \"file\": \"models/t.obj\", \"scale\": 0.1, \"cells\": 32},"
              " \"h\": {\"kind\": \"hull\", \"file\": \"models/open.obj\"},"
              " \"c\": {\"kind\": \"compound\", \"pieces\": [{\"kind\": \"sphere\", \"radius\": 1},"
              "  {\"kind\": \"mesh\", \"file\": \"models/t.obj\", \"position\": [0, 0, 5]}]}}");
    OK(ts_file_write("files.json", text, strlen(text), ERROR));
    ts_scene *s = NULL, *again = NULL;
    OK(ts_scene_load("files.json", NULL, &s, ERROR));
    const ts_piece_def *m = &s->shape.item[0].piece[0], *h = &s->shape.item[1].piece[0],
                       *c = &s->shape.item[2].piece[1];
    assert_true(m->point_count == 4 && m->triangle_count == 4 && m->cells == 32);
    assert_true(h->point_count == 4 && h->triangle_count == 0);
    assert_true(c->point_count == 4 && c->position[2] == 5);
    /* six times the volume is the sum of a·(b × c) over triangles that look outwards */
    double volume = 0;
    for (size_t i = 0; i < 4; i++) {
        const double *p = m->point[m->triangle[i][0]], *q = m->point[m->triangle[i][1]],
                     *r = m->point[m->triangle[i][2]];
        volume += p[0] * (q[1] * r[2] - q[2] * r[1]) + p[1] * (q[2] * r[0] - q[0] * r[2]) +
                  p[2] * (q[0] * r[1] - q[1] * r[0]);
    }
    NEAR(volume / 6, 1e-3 / 6, 1e-18);

    /* the resolved text needs no file: it is read in another folder, where there is none, and is its own resolved
     * text */
    char *resolved = NULL;
    size_t length = 0;
    OK(ts_scene_resolve("files.json", NULL, &resolved, &length, ERROR));
    assert_null(strstr(resolved, ".obj"));
    mkdir("elsewhere", 0777);
    OK(ts_file_write("elsewhere/scene.json", resolved, length, ERROR));
    OK(ts_scene_load("elsewhere/scene.json", NULL, &again, ERROR));
    for (int i = 0; i < 3; i++) {
        const ts_scene_shape *x = &s->shape.item[i], *y = &again->shape.item[i];
        const ts_piece_def *p = &x->piece[x->piece_count - 1], *q = &y->piece[y->piece_count - 1];
        assert_true(x->piece_count == y->piece_count && p->point_count == q->point_count && p->cells == q->cells);
        assert_memory_equal(p->point, q->point, p->point_count * sizeof *p->point);
        assert_true(p->triangle_count == q->triangle_count);
        for (size_t k = 0; k < p->triangle_count; k++)
            assert_memory_equal(p->triangle[k], q->triangle[k], sizeof *p->triangle);
    }
    char *twice = NULL;
    size_t twice_length = 0;
    OK(ts_scene_resolve("elsewhere/scene.json", NULL, &twice, &twice_length, ERROR));
    assert_string_equal(resolved, twice);
    ts_free(resolved);
    ts_free(twice);
    ts_scene_free(s);
    ts_scene_free(again);
}

/* What was mended in a file is told, also by the scene that needs the file no more. */
static void repairs_are_noted(void **state)
{
    (void)state;
    const char *inside_out = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\nf 1 4 2\nf 2 4 3\nf 1 3 4\n";
    OK(ts_file_write("turned.obj", inside_out, strlen(inside_out), ERROR));
    OK(ts_file_write("right.obj", tetrahedron, strlen(tetrahedron), ERROR));
    const char *text = SPACE("\"shapes\": {\"r\": {\"kind\": \"mesh\", \"file\": \"right.obj\"},"
                             " \"t\": {\"kind\": \"mesh\", \"file\": \"turned.obj\"}}");
    OK(ts_file_write("notes.json", text, strlen(text), ERROR));
    char *resolved = NULL;
    size_t length = 0;
    OK(ts_scene_resolve("notes.json", NULL, &resolved, &length, ERROR));
    OK(ts_file_write("resolved.json", resolved, length, ERROR));
    ts_free(resolved);
    for (int i = 0; i < 2; i++) {
        ts_scene *s = NULL;
        OK(ts_scene_load(i == 0 ? "notes.json" : "resolved.json", NULL, &s, ERROR));
        assert_int_equal(s->note.count, 1);
        assert_int_equal(s->note.item[0].shape, 1);
        assert_string_equal(s->note.item[0].text, "turned.obj: 4 triangles turned over");
        ts_scene_free(s);
    }
}

/* A unit cube with its corner at (1, 0, 0), as a hull or a mesh, and a unit box with its centre at (−1.5, 0.5, 0.5): 3
 * m apart, when pieces are placed by the origin of their points. */
static void pieces_are_placed_by_their_origin(void **state)
{
    (void)state;
    const char
        *const corners = "\"points\": [[1, 0, 0], [2, 0, 0], [2, 1, 0], [1, 1, 0], [1, 0, 1], [2, 0, 1], [2, 1, 1], "
                         "[1, 1, 1]]",
               *const sides =
                   ", \"cells\": 8, \"triangles\": [[0, 2, 1], [0, 3, 2], [4, 5, 6], [4, 6, 7], [0, 1, 5], [0, 5, 4], "
                   "[1, 2, 6], [1, 6, 5], [2, 3, 7], [2, 7, 6], [3, 0, 4], [3, 4, 7]]";
    for (int i = 0; i < 2; i++) {
        char text[2000];
        snprintf(
            text, sizeof text,
            SPACE("\"duration\": 1, \"dynamics\": {\"kind\": \"impact\"}, \"shapes\": {\"c\": {\"kind\": \"compound\", "
                  "\"pieces\": [{\"kind\": \"%s\", %s%s},"
                  "{\"kind\": \"box\", \"size\": [1, 1, 1], \"position\": [-1.5, 0.5, 0.5]}]}},"
                  "\"bodies\": [{\"shape\": \"c\", \"position\": [0, 0, 0]}]"),
            i == 0 ? "hull" : "mesh", corners, i == 0 ? "" : sides);
        ts_scene *s = read(text);
        ts_model *model = NULL;
        ts_status status = ts_model_compile(s, &model, ERROR);
        ts_scene_free(s);
        if (status == TS_UNSUPPORTED && i == 0)
            continue; /* hulls need Qhull */
        OK(status);
        const ts_form3 *form = &model->form[0];
        NEAR(form->volume, 2, 1e-12);
        NEAR(form->inertia.m[0][0], 2 * (1.0 / 6), 1e-12);
        NEAR(form->inertia.m[1][1], 2 * (1.0 / 6 + 1.5 * 1.5), 1e-12);
        NEAR(model->piece[form->piece_begin].pose.position.x, 0, 1e-12); /* the centre of mass is at (0, 0.5, 0.5) */
        NEAR(model->piece[form->piece_begin].pose.position.y, -0.5, 1e-12);
        ts_model_free(model);
    }
}

static void bad_files_are_refused(void **state)
{
    (void)state;
    OK(ts_file_write("open.obj", open_surface, strlen(open_surface), ERROR));
    OK(ts_file_write("broken.obj", "v 0 0 zero\n", 11, ERROR));
    refuse(SPACE("\"shapes\": {\"m\": {\"kind\": \"mesh\", \"file\": \"open.obj\"}}"), "the surface is open");
    refuse(SPACE("\"shapes\": {\"m\": {\"kind\": \"mesh\", \"file\": \"broken.obj\"}}"), "");
    refuse(SPACE("\"shapes\": {\"m\": {\"kind\": \"mesh\", \"file\": \"missing.obj\"}}"), "missing.obj");
    refuse(SPACE("\"shapes\": {\"m\": {\"kind\": \"mesh\", \"file\": \"../m.obj\"}}"), "folder");
    refuse(SPACE("\"shapes\": {\"m\": {\"kind\": \"mesh\", \"file\": \"/etc/passwd\"}}"), "");
    refuse(SPACE("\"shapes\": {\"m\": {\"kind\": \"hull\", \"file\": \"open.obj\", \"points\": []}}"), "leave one");
    refuse(SPACE("\"shapes\": {\"m\": {\"kind\": \"hull\", \"points\": \"AAAA\"}}"), "not one that the program wrote");
    refuse(SPACE("\"shapes\": {\"m\": {\"kind\": \"hull\", \"points\": \"not base64\"}}"),
           "not one that the program wrote");
    refuse(SPACE("\"shapes\": {\"m\": {\"kind\": \"hull\", \"points\": \"\"}}"), "0 of them");
    refuse(SPACE("\"shapes\": {\"m\": {\"kind\": \"mesh\", \"points\": [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]}}"),
           "no \"triangles\"");
    refuse(SPACE("\"shapes\": {\"m\": {\"kind\": \"hull\", \"points\": [[0, 0], [1, 0], [1, 1], [0, 1]]}}"),
           "[x, y, z]");
    refuse(SPACE("\"shapes\": {\"m\": {\"kind\": \"hull\", \"scale\": 2,"
                 " \"points\": [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]}}"),
           "scale is of the lengths of a file");
}

/* ---- Meshes made by rule ---- */

static double volume_of(const char *made)
{
    char text[1024];
    snprintf(text, sizeof text, SPACE("\"shapes\": {\"m\": {\"kind\": \"mesh\", \"made\": %s}}"), made);
    ts_scene *s = read(text);
    const ts_piece_def *m = &s->shape.item[0].piece[0];
    double volume = 0;
    for (size_t i = 0; i < m->triangle_count; i++) {
        const double *p = m->point[m->triangle[i][0]], *q = m->point[m->triangle[i][1]],
                     *r = m->point[m->triangle[i][2]];
        volume += p[0] * (q[1] * r[2] - q[2] * r[1]) + p[1] * (q[2] * r[0] - q[0] * r[2]) +
                  p[2] * (q[0] * r[1] - q[1] * r[0]);
    }
    ts_scene_free(s);
    return volume / 6;
}

static void made_meshes_have_their_volume(void **state)
{
    (void)state;
    NEAR(volume_of("{\"kind\": \"box\", \"size\": [1, 2, \"50 cm\"]}"), 1, 1e-12);
    NEAR(volume_of("{\"kind\": \"sphere\", \"radius\": 2, \"detail\": 12}") / (4.0 / 3 * PI * 8), 1, 0.01);
    NEAR(volume_of("{\"kind\": \"torus\", \"ring\": 3, \"tube\": 1}") / (2 * PI * PI * 3), 1, 0.02);
    assert_true(volume_of("{\"kind\": \"trefoil\", \"size\": 3, \"tube\": 0.3, \"along\": 48, \"around\": 8}") > 0);
    double whole_doll = volume_of("{\"kind\": \"doll\", \"height\": 1, \"detail\": 8, \"around\": 12}");
    double lower = volume_of("{\"kind\": \"doll\", \"height\": 1, \"part\": \"lower\", \"detail\": 8, \"around\": 12}");
    double upper = volume_of("{\"kind\": \"doll\", \"height\": 1, \"part\": \"upper\", \"detail\": 8, \"around\": 12}");
    /* a cavity of 0.86 of the size takes 0.86³ of the volume */
    NEAR((lower + upper) / whole_doll, 1 - 0.86 * 0.86 * 0.86, 1e-6);
    assert_true(volume_of("{\"kind\": \"teapot\", \"width\": 1, \"detail\": 32}") > 0);
    assert_true(volume_of("{\"kind\": \"bunny\", \"height\": 1, \"detail\": 24}") > 0);

    refuse(SPACE("\"shapes\": {\"m\": {\"kind\": \"mesh\", \"made\": {\"kind\": \"sphere\", \"radius\": 1, \"detail\": "
                 "257}}}"),
           "at most 256");
    refuse(
        SPACE("\"shapes\": {\"m\": {\"kind\": \"mesh\", \"made\": {\"kind\": \"torus\", \"ring\": 1, \"tube\": 2}}}"),
        "torus");
    refuse(SPACE("\"shapes\": {\"m\": {\"kind\": \"mesh\", \"made\": {\"kind\": \"rabbit\"}}}"),
           "unknown kind \"rabbit\"");
    refuse(SPACE("\"shapes\": {\"m\": {\"kind\": \"mesh\", \"made\": {\"kind\": \"doll\", \"height\": 1, \"part\": "
                 "\"left\"}}}"),
           "\"lower\"");
    refuse(
        SPACE(
            "\"shapes\": {\"m\": {\"kind\": \"mesh\", \"scale\": 2, \"made\": {\"kind\": \"bunny\", \"height\": 1}}}"),
        "leave one");
    refuse(
        SPACE(
            "\"shapes\": {\"m\": {\"kind\": \"mesh\", \"cells\": 3, \"made\": {\"kind\": \"sphere\", \"radius\": 1}}}"),
        "4 to 512");
}

int main(void)
{
    const struct CMUnitTest test[] = {
        cmocka_unit_test(keys_arrive),
        cmocka_unit_test(overrides_and_includes),
        cmocka_unit_test(errors_have_their_place),
        cmocka_unit_test(files_become_part_of_the_scene),
        cmocka_unit_test(repairs_are_noted),
        cmocka_unit_test(pieces_are_placed_by_their_origin),
        cmocka_unit_test(bad_files_are_refused),
        cmocka_unit_test(made_meshes_have_their_volume),
    };
    return cmocka_run_group_tests(test, NULL, NULL);
}
