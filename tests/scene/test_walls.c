/* SPDX-License-Identifier: MIT */
/* Polylines and outlines as boundaries: reading, checking, compiling and placing. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "support/check.h"

#include "base/random.h"
#include "contact/faces.h"
#include "scene/generate.h"
#include "support/world.h"

/* A scene with these members, one disc far away and the shapes "square" (side 2) and "grain". */
static ts_status parse(const char *members, ts_scene **scene)
{
    char text[4096];
    int length =
        snprintf(text, sizeof text,
                 "{\"touchstone\": 1, \"shapes\": {\"grain\": {\"kind\": \"disc\", \"radius\": 0.1}, \"square\": "
                 "{\"kind\": \"polygon\", \"points\": [[0, 0], [2, 0], [2, 2], [0, 2]]}}, "
                 "\"bodies\": [{\"shape\": \"grain\", \"position\": [90, 90]}], %s}",
                 members);
    assert_in_range(length, 1, sizeof text - 1);
    return ts_scene_parse(text, (size_t)length, "walls", NULL, scene, ERROR);
}

static ts_model *compile(const char *members)
{
    ts_scene *scene;
    ts_model *model;
    OK(parse(members, &scene));
    OK(ts_model_compile(scene, &model, ERROR));
    ts_scene_free(scene);
    return model;
}

static void refused(const char *members, const char *sentence)
{
    ts_scene *scene = NULL;
    assert_int_equal(parse(members, &scene), TS_BAD_INPUT);
    if (!strstr(ERROR->message, sentence))
        fail_msg("\"%s\" does not say \"%s\"", ERROR->message, sentence);
}

/* ---- Reading ---- */

static void a_polyline_is_read(void **unused)
{
    (void)unused;
    ts_model *m =
        compile("\"boundaries\": [{\"kind\": \"polyline\", \"name\": \"p\", \"points\": "
                "[[0, 0], [\"100 cm\", 0, 1], [1, 2]]}, {\"kind\": \"polyline\", \"closed\": true, \"points\": "
                "[[0, 0], [4, 0], [4, 2]]}]");
    assert_int_equal(m->wall_count, 2);
    const ts_wall *p = &m->wall[0], *q = &m->wall[1];
    assert_int_equal(p->kind, TS_WALL_POLYLINE);
    assert_string_equal(p->name, "p");
    assert_int_equal(p->line_count, 1);
    assert_int_equal(p->line->vertex_count, 3);
    assert_true(p->line->open);
    assert_false(q->line->open);
    /* the half circle to the right reaches to x = 2, so the box is [0, 2] × [0, 2] */
    NEAR(p->pose.position.x, 1, 1e-15);
    NEAR(p->pose.position.y, 1, 1e-15);
    NEAR(p->line->vertex[0].x, -1, 1e-15);
    NEAR(p->line->vertex[1].bulge, 1, 0);
    NEAR(p->radius, sqrt(2), 1e-15);
    NEAR(q->pose.position.x, 2, 1e-15);
    NEAR(q->pose.position.y, 1, 1e-15);
    ts_model_free(m);
}

/* Signed area of the first contour, by its chords. */
static double area_of(const ts_wall *b)
{
    double sum = 0;
    for (size_t i = 0; i < ts_contour_segment_count(b->line); i++) {
        ts_segment s = ts_contour_segment(b->line, i);
        sum += 0.5 * (s.x0 * s.y1 - s.x1 * s.y0);
    }
    return sum;
}

static void an_outline_is_read(void **unused)
{
    (void)unused;
    ts_model *m =
        compile("\"boundaries\": [{\"kind\": \"outline\", \"shape\": \"square\", \"position\": [5, 6], \"angle\": "
                "\"90 deg\", \"scale\": 0.5}, {\"kind\": \"outline\", \"shape\": \"square\", \"position\": [90, "
                "90], \"keep\": \"inside\"}]");
    const ts_wall *out = &m->wall[0], *in = &m->wall[1];
    assert_int_equal(out->kind, TS_WALL_OUTLINE);
    NEAR(out->pose.position.x, 5, 0); /* the shape's centre of mass comes to lie there */
    NEAR(out->pose.position.y, 6, 0);
    NEAR(out->radius, sqrt(0.5), 1e-15);
    NEAR(area_of(out), 1, 1e-14); /* solid to the left: counter-clockwise around a solid */
    NEAR(area_of(in), -4, 1e-14); /* and clockwise around a hole */
    /* a point in the middle, a point outside; distances of a square of sides 1 and 2 */
    NEAR(ts_wall_distance(out, 5, 6, 0), -0.5, 1e-14);
    NEAR(ts_wall_distance(out, 6, 6, 0.1), 0.4, 1e-14);
    NEAR(ts_wall_distance(in, 90, 90, 0.25), 0.75, 1e-14);
    NEAR(ts_wall_distance(in, 91.5, 90, 0.25), -0.75, 1e-14);
    ts_model_free(m);
}

/* A bent bar, kept outside or inside, with a free disc where there is room for it. */
static ts_model *bent_bar(bool inside)
{
    ts_scene *scene;
    ts_model *m;
    ts_outline *bar;
    OK(ts_scene_create(&scene, ERROR));
    OK(ts_outline_arc(1, 0.3, 4, true, &bar, ERROR));
    ts_outline_mass mass = ts_outline_get_mass(bar);
    ts_wall_def def = ts_default_wall();
    def.kind = TS_WALL_OUTLINE;
    def.angle = 0.4;
    def.scale = 1.7;
    def.inside = inside;
    OK(ts_scene_add_outline(scene, "bar", bar, &def.shape, ERROR));
    ts_outline_free(bar);
    OK(ts_scene_add_wall(scene, &def, NULL, ERROR));
    ts_body_def body = ts_default_body();
    OK(ts_scene_add_disc(scene, 0.01, &body.shape, ERROR));
    /* (1, 0) is on the bar's middle line */
    body.position[0] = inside ? 1.7 * (1 - mass.centre[0]) * cos(0.4) : 9;
    body.position[1] = inside ? 1.7 * (1 - mass.centre[0]) * sin(0.4) : 9;
    OK(ts_scene_add_body(scene, &body, NULL, ERROR));
    OK(ts_model_compile(scene, &m, ERROR));
    ts_scene_free(scene);
    return m;
}

/* Turning a shape inside out keeps every line and arc where it is: distances only change their sign. */
static void inside_out_is_the_same_curve(void **unused)
{
    (void)unused;
    ts_model *out = bent_bar(false), *in = bent_bar(true);
    ts_random random = ts_random_make(3, 0);
    for (int i = 0; i < 1000; i++) {
        double x = ts_random_next_range(&random, -3, 3), y = ts_random_next_range(&random, -3, 3);
        double distance = ts_wall_distance(out->wall, x, y, 0);
        NEAR(ts_wall_distance(in->wall, x, y, 0), -distance, 1e-14);
    }
    ts_model_free(out);
    ts_model_free(in);
}

static void mistakes_are_named(void **unused)
{
    (void)unused;
    refused("\"boundaries\": [{\"kind\": \"polyline\", \"points\": [[0, 0]]}]", "at least 2");
    refused("\"boundaries\": [{\"kind\": \"polyline\", \"points\": [[0, 0], [1, 1], [1, 1]]}]", "points 1 and 2");
    refused("\"boundaries\": [{\"kind\": \"polyline\", \"closed\": true, \"points\": [[0, 0], [1, 1], [0, 0]]}]",
            "goes back to its first by itself");
    refused("\"boundaries\": [{\"kind\": \"polyline\", \"closed\": 1, \"points\": [[0, 0], [1, 1]]}]", "closed");
    refused("\"boundaries\": [{\"kind\": \"polyline\", \"points\": [[0, 0], [1]]}]", "[x, y, bulge]");
    refused("\"boundaries\": [{\"kind\": \"polyline\", \"points\": [[0, 0, 1e9], [1, 0]]}]", "bulge");
    refused("\"boundaries\": [{\"kind\": \"polyline\"}]", "points");
    refused("\"boundaries\": [{\"kind\": \"outline\", \"shape\": \"grain\", \"position\": [0, 0]}]", "made of discs");
    refused("\"boundaries\": [{\"kind\": \"outline\", \"shape\": \"square\", \"position\": [0, 0], \"keep\": \"in\"}]",
            "\"outside\" or \"inside\"");
    refused("\"boundaries\": [{\"kind\": \"outline\", \"shape\": \"square\", \"position\": [0, 0], \"scale\": 0}]",
            "scale");
}

/* ---- What a result depends on ---- */

static void every_vertex_counts(void **unused)
{
    (void)unused;
    static const char *const wall[] = {
        "{\"kind\": \"polyline\", \"points\": [[0, 0], [4, 0], [4, 2]]}",
        "{\"kind\": \"polyline\", \"points\": [[0, 0], [4, 0.1], [4, 2]]}",
        "{\"kind\": \"polyline\", \"points\": [[0, 0], [4, 0, 0.001], [4, 2]]}",
        "{\"kind\": \"polyline\", \"points\": [[0, 0], [4, 0], [4, 2]], \"closed\": true}",
        "{\"kind\": \"outline\", \"shape\": \"square\", \"position\": [0, 0]}",
        "{\"kind\": \"outline\", \"shape\": \"square\", \"position\": [0, 0], \"angle\": 0.1}",
        "{\"kind\": \"outline\", \"shape\": \"square\", \"position\": [0, 0], \"scale\": 1.1}",
    };
    uint64_t hash[sizeof wall / sizeof *wall];
    for (size_t i = 0; i < sizeof wall / sizeof *wall; i++) {
        char members[512];
        snprintf(members, sizeof members, "\"boundaries\": [%s]", wall[i]);
        ts_model *m = compile(members);
        hash[i] = ts_model_hash(m);
        ts_model_free(m);
        for (size_t k = 0; k < i; k++)
            assert_true(hash[k] != hash[i]);
    }
}

/* ---- Placing ---- */

/* Grains keep clear of the square and of both sides of the line. */
static void grains_are_placed_clear_of_walls(void **unused)
{
    (void)unused;
    static const char *const kind[] = {"lattice", "random"};
    for (int k = 0; k < 2; k++) {
        char members[1024];
        snprintf(
            members, sizeof members,
            "\"boundaries\": [{\"kind\": \"outline\", \"shape\": \"square\", \"position\": [2, 2]}, {\"kind\": "
            "\"polyline\", \"points\": [[4, 0], [4, 6]]}], \"generators\": [{\"kind\": \"%s\", \"shape\": \"grain\", "
            "\"count\": 250, \"region\": {\"box\": [0, 0, 6, 6]}}]",
            kind[k]);
        ts_model *m = compile(members);
        int left = 0, right = 0;
        for (size_t i = 1; i < m->body_count; i++) {
            double x = m->body[i].x, y = m->body[i].y;
            double qx = fmax(fabs(x - 2) - 1, 0), qy = fmax(fabs(y - 2) - 1, 0);
            assert_true(hypot(qx, qy) > 0.1 - 1e-9); /* distance from a square, and 0 in it */
            assert_true(fabs(x - 4) > 0.1 - 1e-9);
            left += x < 4;
            right += x > 4;
        }
        assert_true(left > 20);
        if (k == 1)
            assert_true(right > 20);
        ts_model_free(m);
    }
}

static void bodies_in_walls_are_refused(void **unused)
{
    (void)unused;
    static const char *const wall[] = {
        "{\"kind\": \"polyline\", \"points\": [[80, 90], [99, 90]]}",
        "{\"kind\": \"outline\", \"shape\": \"square\", \"position\": [90, 90]}",
        "{\"kind\": \"outline\", \"shape\": \"square\", \"position\": [0, 0], \"keep\": \"inside\"}",
    };
    for (size_t i = 0; i < sizeof wall / sizeof *wall; i++) {
        char members[512];
        ts_scene *scene;
        ts_model *model;
        snprintf(members, sizeof members, "\"boundaries\": [%s]", wall[i]);
        OK(parse(members, &scene));
        assert_int_equal(ts_model_compile(scene, &model, ERROR), TS_BAD_INPUT);
        assert_non_null(strstr(ERROR->message, i == 0 ? "across wall 0 by" : "beyond wall 0"));
        ts_scene_free(scene);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_polyline_is_read),           cmocka_unit_test(an_outline_is_read),
        cmocka_unit_test(inside_out_is_the_same_curve), cmocka_unit_test(mistakes_are_named),
        cmocka_unit_test(every_vertex_counts),          cmocka_unit_test(grains_are_placed_clear_of_walls),
        cmocka_unit_test(bodies_in_walls_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
