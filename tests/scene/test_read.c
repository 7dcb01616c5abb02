/* SPDX-License-Identifier: MIT */
/* From the text of a scene to the scene: every key arrives where it belongs, in SI units; overrides and errors. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/status.h"
#include "dynamics/penalty.h"
#include "scene/scene.h"
#include "touchstone/sim.h"

#define PI 3.14159265358979323846

static ts_scene *read_with(const char *text, const char *const *override, size_t count)
{
    ts_load_options options = {.override = override, .override_count = count};
    ts_scene *scene = NULL;
    ts_error error = {0};
    if (ts_scene_parse(text, strlen(text), "t.json", &options, &scene, &error) != TS_OK)
        fail_msg("%s:%d:%d: %s", error.file, error.line, error.column, error.message);
    return scene;
}

static ts_scene *read(const char *text)
{
    return read_with(text, NULL, 0);
}

#define SHAPES "\"shapes\": {\"grain\": {\"kind\": \"disc\", \"radius\": \"3 mm\"}}"

/* ---- Sections ---- */

static void test_settings(void **state)
{
    (void)state;
    ts_scene *scene =
        read("{\"touchstone\": 1, \"title\": \"t\", \"notes\": [\"a\", \"b\"], \"space\": \"plane\","
             "\"gravity\": [\"1 cm/s^2\", -1.62], \"time_step\": \"10 us\", \"duration\": \"1 min\","
             "\"seed\": 9007199254740991, \"skin\": \"1 mm\", \"geometry\": {\"kind\": \"analytic\"},"
             "\"output\": {\"frame_rate\": \"50 Hz\", \"energy_interval\": \"5 ms\", \"contacts\": false}}");
    ts_settings s = ts_scene_settings(scene);
    assert_true(s.gravity[0] == 0.01 && s.gravity[1] == -1.62);
    assert_true(s.time_step == 1e-5 && s.duration == 60 && s.skin == 0.001);
    assert_true(s.frame_interval == 0.02 && s.energy_interval == 0.005 && !s.record_contacts);
    assert_true(s.seed == 9007199254740991u);
    ts_scene_free(scene);

    /* what is not said, or left to "auto", is the default */
    scene = read(
        "{\"touchstone\": 1, \"time_step\": \"auto\", \"skin\": \"auto\", \"output\": {\"frame_interval\": \"auto\"}}");
    ts_settings got = ts_scene_settings(scene), expected = ts_default_settings();
    assert_true(got.gravity[1] == expected.gravity[1] && got.time_step == 0 && got.skin == 0 &&
                got.frame_interval == 0);
    assert_true(got.duration == expected.duration && got.seed == expected.seed && got.record_contacts);
    ts_scene_free(scene);
}

static void test_materials(void **state)
{
    (void)state;
    ts_scene *scene = read("{\"touchstone\": 1,"
                           "\"dynamics\": {\"kind\": \"penalty\", \"density\": \"2 g/cm^2\", \"friction\": 0.3,"
                           "  \"stiffness\": \"1 kN/m\", \"stiffness_ratio\": 0.5, \"tolerated_overlap\": 0.02,"
                           "  \"expected_speed\": \"3 m/s\", \"damping_may_pull\": true},"
                           "\"materials\": {\"ice\": {\"friction\": 0.02, \"normal_damping\": \"3 N*s/m\","
                           "  \"tangential_damping\": 4}, \"rock\": {\"restitution\": 0.9, \"stiffness\": \"auto\"}},"
                           "\"material_pairs\": [{\"between\": [\"rock\", \"default\"], \"friction\": 0.7}]}");
    assert_int_equal(scene->material.count, 3);
    const ts_material_def *base = &scene->material.item[0].def, *ice = &scene->material.item[1].def;
    assert_true(base->density == 20 && base->friction == 0.3 && base->stiffness == 1000 &&
                base->stiffness_ratio == 0.5);
    const ts_penalty_param *param = scene->param;
    assert_string_equal(scene->dynamics->name, "penalty");
    assert_true(param->tolerated_overlap == 0.02 && param->expected_speed == 3 && param->damping_may_pull);
    assert_int_equal(ts_scene_find_material(scene, "ice"), 1);
    assert_true(ice->friction == 0.02 && ice->normal_damping == 3 && ice->tangential_damping == 4);
    assert_true(isnan(ice->density) && isnan(ice->restitution) && isnan(ice->stiffness));
    assert_true(scene->material.item[2].def.stiffness == 0);
    assert_int_equal(scene->pair.count, 1);
    assert_true(scene->pair.item[0].a == 0 && scene->pair.item[0].b == 2 && scene->pair.item[0].def.friction == 0.7);
    ts_scene_free(scene);
}

/* A composite is the same shape as the cluster written out. */
static void test_shapes(void **state)
{
    (void)state;
    ts_scene *scene = read("{\"touchstone\": 1, \"shapes\": {"
                           "\"cross\": {\"kind\": \"composite\", \"parts\": [{\"shape\": \"bar\"}, {\"shape\": \"bar\","
                           "  \"angle\": \"90 deg\", \"at\": [1, 0], \"scale\": 2}]},"
                           "\"bar\": {\"kind\": \"cluster\", \"discs\": [{\"at\": [-1, 0], \"radius\": 0.5}, {\"at\": "
                           "[1, 0], \"radius\": 0.5}]},"
                           "\"same\": {\"kind\": \"cluster\", \"discs\": [{\"at\": [-1, 0], \"radius\": 0.5}, {\"at\": "
                           "[1, 0], \"radius\": 0.5},"
                           "  {\"at\": [1, -2], \"radius\": 1}, {\"at\": [1, 2], \"radius\": 1}]}}}");
    const ts_scene_shape *a = &scene->shape.item[ts_scene_find_shape(scene, "cross")];
    const ts_scene_shape *b = &scene->shape.item[ts_scene_find_shape(scene, "same")];
    assert_int_equal(a->disc_count, b->disc_count);
    for (size_t i = 0; i < a->disc_count; i++) {
        assert_true(fabs(a->disc[i].x - b->disc[i].x) < 1e-14);
        assert_true(fabs(a->disc[i].y - b->disc[i].y) < 1e-14);
        assert_true(a->disc[i].radius == b->disc[i].radius);
    }
    /* two disjoint discs of radius ½ and two of radius 1 */
    assert_true(fabs(a->mass.area - 2.5 * PI) < 1e-12);
    ts_scene_free(scene);
}

static void test_bodies_and_walls(void **state)
{
    (void)state;
    ts_scene *scene =
        read("{\"touchstone\": 1, " SHAPES ", \"materials\": {\"m\": {}}, \"bodies\": [\n"
             "  {\"name\": \"b\", \"shape\": \"grain\", \"material\": \"m\", \"scale\": 2, \"position\": [\"1 cm\", 2],"
             "   \"angle\": \"90 deg\", \"velocity\": [1, \"2 cm/s\"], \"spin\": \"30 rpm\"},\n"
             "  {\"shape\": \"grain\", \"position\": [5, 5], \"fixed\": true}],\n"
             "\"boundaries\": [{\"name\": \"w\", \"kind\": \"half-plane\", \"point\": [1, 2], \"normal\": [0, 5]},"
             " {\"kind\": \"circle\", \"centre\": [3, 4], \"radius\": 6, \"material\": \"m\"}]}");
    assert_int_equal(scene->body.count, 2);
    const ts_body_def *b = &scene->body.item[0].def;
    assert_string_equal(b->name, "b");
    assert_true(b->shape == 0 && b->material == 1 && b->scale == 2 && b->position[0] == 0.01 && b->position[1] == 2);
    assert_true(fabs(b->angle - PI / 2) < 1e-15 && b->velocity[0] == 1 && b->velocity[1] == 0.02);
    assert_true(fabs(b->spin[2] - PI) < 1e-14 && !b->fixed);
    assert_true(scene->body.item[1].def.fixed && scene->body.item[1].def.scale == 1);
    /* each thing knows its place */
    assert_string_equal(scene->body.item[1].place.file, "t.json");
    assert_int_equal(scene->body.item[1].place.line, 3);
    assert_int_equal(scene->body.item[1].place.column, 3);
    const ts_wall_def *w = &scene->wall.item[0].def, *c = &scene->wall.item[1].def;
    assert_true(w->kind == TS_WALL_FLAT && w->position[0] == 1 && w->normal[1] == 1);
    assert_true(c->kind == TS_WALL_CIRCLE && c->position[1] == 4 && c->radius == 6 && c->material == 1);
    ts_scene_free(scene);
}

/* Names that keys had before are read still, but not beside the present ones. */
static void test_old_names(void **state)
{
    (void)state;
    static const char *const form =
        "{\"touchstone\": 1, " SHAPES ", \"%s\": [{\"kind\": \"half-plane\", \"%s\": [1, 2], \"normal\": [0, 5]},"
        " {\"kind\": \"circle\", \"%s\": [3, 4], \"radius\": 6}], \"generators\": [{\"kind\": \"random\", \"region\":"
        " {\"circle\": {\"%s\": [7, 8], \"radius\": 3}}, \"count\": 1, \"shape\": \"grain\"}]}";
    static const char *const name[2][4] = {{"walls", "position", "position", "position"},
                                           {"boundaries", "point", "centre", "centre"}};
    for (int i = 0; i < 2; i++) {
        char text[1024];
        snprintf(text, sizeof text, form, name[i][0], name[i][1], name[i][2], name[i][3]);
        ts_scene *scene = read(text);
        assert_int_equal(scene->wall.count, 2);
        assert_true(scene->wall.item[0].def.position[0] == 1 && scene->wall.item[1].def.position[1] == 4);
        assert_true(scene->generator.item[0].def.position[0] == 7);
        ts_scene_free(scene);
    }
    static const char *const both[] = {
        "{\"touchstone\": 1,\n  \"walls\": [], \"boundaries\": []}",
        "{\"touchstone\": 1, \"walls\": [\n{\"kind\": \"half-plane\", \"point\": [0, 0], \"position\": [0, 0], "
        "\"normal\": [0, "
        "1]}]}",
    };
    static const char *const words[] = {"\"boundaries\" is the old name of \"walls\"",
                                        "\"point\" is the old name of \"position\""};
    for (int i = 0; i < 2; i++) {
        ts_scene *scene = NULL;
        ts_error error = {0};
        assert_int_equal(ts_scene_parse(both[i], strlen(both[i]), "t.json", NULL, &scene, &error), TS_BAD_INPUT);
        assert_int_equal(error.line, 2);
        assert_non_null(strstr(error.message, words[i]));
    }
}

static void test_generators(void **state)
{
    (void)state;
    ts_scene *scene = read(
        "{\"touchstone\": 1, " SHAPES ", \"materials\": {\"m\": {}}, \"generators\": ["
        "{\"name\": \"g\", \"kind\": \"lattice\", \"region\": {\"box\": [0, 1, \"20 cm\", 3]}, \"count\": 7,"
        " \"mix\": [{\"shape\": \"grain\", \"material\": \"m\", \"weight\": 3, \"scale\": [1, 2]}, {\"shape\": "
        "\"grain\"}],"
        " \"gap\": \"1 mm\", \"jitter\": 0.25, \"angles\": \"zero\"},"
        "{\"kind\": \"random\", \"region\": {\"circle\": {\"centre\": [1, 2], \"radius\": 3}}, \"count\": 8,"
        " \"shape\": \"grain\", \"material\": \"m\", \"scale\": 2, \"velocity\": [1, 2], \"velocity_spread\": 3}]}");
    assert_int_equal(scene->generator.count, 2);
    const ts_generator_def *g = &scene->generator.item[0].def, *h = &scene->generator.item[1].def;
    assert_true(g->fill == TS_FILL_LATTICE && g->region == TS_REGION_BOX && g->count == 7 && g->mix_count == 2);
    assert_true(g->low[0] == 0 && g->low[1] == 1 && g->high[0] == 0.2 && g->high[1] == 3);
    assert_true(g->mix[0].weight == 3 && g->mix[0].scale_min == 1 && g->mix[0].scale_max == 2 &&
                g->mix[0].material == 1);
    assert_true(g->mix[1].weight == 1 && g->mix[1].scale_min == 1 && g->mix[1].scale_max == 1 &&
                g->mix[1].material == 0);
    assert_true(g->gap == 0.001 && g->jitter == 0.25 && !g->random_attitude && !g->fixed);
    assert_true(h->fill == TS_FILL_RANDOM && h->region == TS_REGION_CIRCLE && h->position[1] == 2 && h->radius == 3);
    assert_true(h->mix_count == 1 && h->mix[0].material == 1 && h->mix[0].scale_min == 2 && h->mix[0].scale_max == 2);
    assert_true(h->velocity[1] == 2 && h->velocity_spread == 3 && h->random_attitude);
    ts_scene_free(scene);
}

static void test_drives(void **state)
{
    (void)state;
    ts_scene *scene = read(
        "{\"touchstone\": 1, " SHAPES ", \"generators\": [{\"name\": \"g\", \"kind\": \"lattice\","
        " \"region\": {\"box\": [0, 0, 1, 1]}, \"count\": 1, \"shape\": \"grain\", \"fixed\": true}],"
        "\"boundaries\": [{\"name\": \"w\", \"kind\": \"half-plane\", \"point\": [0, 0], \"normal\": [0, 1]}],"
        "\"drives\": [{\"target\": \"w\", \"kind\": \"rotation\", \"rate\": \"30 rpm\", \"pivot\": [1, 2], \"start\": "
        "3},"
        "{\"target\": \"w\", \"kind\": \"oscillation\", \"frequency\": 5, \"amplitude\": [0, \"1 mm\"],"
        " \"angle_amplitude\": \"90 deg\", \"phase\": 1, \"end\": 9},"
        "{\"target\": \"w\", \"kind\": \"gate\", \"opens\": 1, \"closes\": 2},"
        "{\"target\": \"g\", \"kind\": \"velocity\", \"velocity\": [1, 2]},"
        "{\"target\": \"g\", \"kind\": \"keyframes\", \"keys\": [{\"time\": 1}, {\"time\": 2, \"displacement\": [3, 4],"
        " \"angle\": 5}]}]}");
    const ts_scene_drive *d = scene->drive.item;
    assert_int_equal(scene->drive.count, 5);
    assert_true(d[0].def.kind == TS_DRIVE_ROTATION && fabs(d[0].def.rate - PI) < 1e-14 && d[0].def.pivot[1] == 2);
    assert_true(d[0].def.start == 3 && isinf(d[0].def.end));
    assert_true(d[1].def.kind == TS_DRIVE_OSCILLATION && d[1].def.frequency == 5 && d[1].def.amplitude[1] == 0.001);
    assert_true(fabs(d[1].def.angle_amplitude - PI / 2) < 1e-15 && d[1].def.phase == 1 && d[1].def.end == 9);
    assert_true(isnan(d[1].def.pivot[0]));
    assert_true(d[2].def.kind == TS_DRIVE_GATE && d[2].def.start == 1 && d[2].def.end == 2);
    assert_true(d[3].def.kind == TS_DRIVE_VELOCITY && d[3].def.velocity[1] == 2);
    assert_string_equal(d[3].def.target, "g");
    assert_true(d[4].def.kind == TS_DRIVE_KEYFRAMES && d[4].def.key_count == 2 && d[4].def.key[0].displacement[0] == 0);
    assert_true(d[4].def.key[1].time == 2 && d[4].def.key[1].displacement[1] == 4 && d[4].def.key[1].angle == 5);
    ts_scene_free(scene);
}

/* ---- Overrides ---- */

#define BASE                                                                                                       \
    "{\"touchstone\": 1, " SHAPES ", \"generators\": [{\"kind\": \"random\", \"region\": {\"box\": [0, 0, 1, 1]}," \
    " \"count\": 5, \"shape\": \"grain\"}]}"

static void test_overrides(void **state)
{
    (void)state;
    const char *const override[] = {"dynamics.friction=0.3",
                                    "dynamics.friction=0.25", /* the last one wins */
                                    "generators[0].count=200",
                                    "generators.0.gap=1 mm",
                                    "shapes.grain.radius=\"4 mm\"",
                                    "gravity=[0, -1]",
                                    "gravity[0]=2 cm/s^2",
                                    "time_step=auto",
                                    "output.contacts=false",
                                    "materials.new={\"density\": 7}",
                                    "generators[1]={\"kind\": \"lattice\", \"region\": {\"box\": [2, 2, 3, 3]}}",
                                    "generators[1].count=1",
                                    "generators[1].shape=grain",
                                    "bodies[0].shape=grain",
                                    "bodies[0].position=[9, 9]"};
    ts_scene *scene = read_with(BASE, override, sizeof override / sizeof *override);
    assert_true(scene->material.item[0].def.friction == 0.25);
    assert_int_equal(scene->generator.count, 2);
    assert_true(scene->generator.item[0].def.count == 200 && scene->generator.item[0].def.gap == 0.001);
    assert_true(scene->shape.item[0].disc[0].radius == 0.004);
    ts_settings settings = ts_scene_settings(scene);
    assert_true(settings.gravity[0] == 0.02 && settings.gravity[1] == -1 && !settings.record_contacts);
    assert_true(scene->material.item[1].def.density == 7);
    assert_true(scene->body.item[0].def.position[0] == 9);
    assert_int_equal(scene->body.item[0].place.line, 0);
    assert_string_equal(scene->body.item[0].place.file, "--set bodies[0].shape=grain");
    ts_scene_free(scene);
}

static void test_bad_overrides(void **state)
{
    (void)state;
    static const struct {
        const char *override, *fragment;
    } bad[] = {
        {"dynamics.friction", "there is no \"=\""},
        {"=3", "empty step"},
        {".=3", "empty step"},
        {"dynamics.=3", "empty step"},
        {"dynamics..friction=3", "empty step"},
        {"generators[=3", "never closed"},
        {"generators[]=3", "empty step"},
        {"generators[0]x=3", "must be followed by"},
        {"generators[1].count=3", "it has no \"kind\""},
        {"generators[2].count=3", "generators has 1 items"},
        {"generators[-1].count=3", "no index"},
        {"generators.first.count=3", "no index"},
        {"bodies[1]=3", "an empty list"},
        {"touchstone[0]=3", "has nothing inside"},
        {"touchstone.x=3", "has nothing inside"},
        {"shapes[0]=3", "is an object"},
        {"[0]=3", "the scene is an object"},
        {"include=[\"a.json\"]", "include cannot be overridden"},
        {"gravity=[0", "no JSON"},
        {"dynamcs.friction=0.3", "did you mean \"dynamics\"?"},
        {"dynamics.fricton=0.3", "did you mean \"friction\"?"},
        {"dynamics.friction=-0.3", "must not be negative"},
        {"dynamics.friction=1e309", "wanted a plain number"},
        {"dynamics.friction=NaN", "wanted a plain number"},
        {"dynamics.friction=", "wanted a plain number"},
        {"time_step=1e309", "does not start with a finite number"},
        {"duration=3 mm", "not a time"},
        {"touchstone=2", "version 2 of the scene format"},
        {"title=5", "title wants text, found a number"},
        {"a.b.c.d.e.f.g.h.i.j.k.l.m.n.o.p.q=1", "more than 16 steps"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        ts_load_options options = {.override = &bad[i].override, .override_count = 1};
        ts_scene *scene = NULL;
        ts_error error = {0};
        ts_status status = ts_scene_parse(BASE, strlen(BASE), "t.json", &options, &scene, &error);
        if (status != TS_BAD_INPUT || scene)
            fail_msg("%s was not refused", bad[i].override);
        if (!strstr(error.message, bad[i].fragment))
            fail_msg("%s: %s", bad[i].override, error.message);
        /* the place is the command line, as the user typed it */
        assert_true(strncmp(error.file, "--set ", 6) == 0 && strcmp(error.file + 6, bad[i].override) == 0);
        assert_int_equal(error.line, 0);
    }
}

/* ---- Errors at the field's own place ---- */

static void test_places(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int line, column;
        const char *fragment;
    } bad[] = {
        {"{\"touchstone\": 1,\n \"gravty\": [0, 0]}", 2, 2, "did you mean \"gravity\"?"},
        {"{\"touchstone\": 1,\n \"zzz\": 0}", 2, 2, "valid here: touchstone, title"},
        {"{\"touchstone\": 1,\n \"gravity\": [0, true]}", 2, 17, "gravity wants an acceleration"},
        {"{\"touchstone\": 1,\n \"gravity\": [0, 1e151]}", 2, 17, "magnitude at most"},
        {"{\"touchstone\": 1,\n \"seed\": 1.5}", 2, 10, "whole number"},
        {"{\"touchstone\": 1,\n \"seed\": 1e16}", 2, 10, "whole number"},
        {"{\"touchstone\": 1,\n \"time_step\": 0}", 2, 15, "write \"auto\" to have it derived"},
        {"{\"touchstone\": 1,\n \"time_step\": 1e-200}", 2, 15, "too small to compute with"},
        {"{\"touchstone\": 1,\n \"space\": \"line\"}", 2, 11, "\"plane\" or \"space\""},
        {"{\"touchstone\": 1,\n \"geometry\": {\"kind\": \"mesh\"}}", 2, 23, "this version has \"analytic\""},
        {"{\"touchstone\": 1,\n \"dynamics\": {\"kind\": \"magic\"}}", 2, 23, "choose one of: penalty, impact"},
        {"{\"touchstone\": 1,\n \"dynamics\": {\"tolerated_overlap\": 0.9}}", 2, 14, "from 0 to 0.5"},
        {"{\"touchstone\": 1,\n \"materials\": {\"default\": {}}}", 2, 16, "set it in \"dynamics\""},
        {"{\"touchstone\": 1,\n \"materials\": {\"\": {}}}", 2, 20, "name is empty"},
        {"{\"touchstone\": 1,\n \"material_pairs\": [{\"between\": [\"default\"]}]}", 2, 33,
         "list of two materials, found 1"},
        {"{\"touchstone\": 1,\n \"shapes\": {\"a\": {\"kind\": \"composite\", \"parts\": []}}}", 2, 49,
         "parts is empty"},
        {"{\"touchstone\": 1,\n \"shapes\": []}", 2, 12, "shapes wants an object"},
        {"{\"touchstone\": 1, " SHAPES ",\n \"bodies\": [{\"shape\": \"grian\", \"position\": [0, 0]}]}", 2, 23,
         "did you mean \"grain\"?"},
        {"{\"touchstone\": 1, " SHAPES ",\n \"bodies\": [7]}", 2, 13, "wanted an object"},
        {"{\"touchstone\": 1, " SHAPES
         ",\n \"bodies\": [{\"name\": \"\", \"shape\": \"grain\", \"position\": [0, 0]}]}",
         2, 22, "name is empty"},
        {"{\"touchstone\": 1,\n \"output\": {\"frame_rate\": 5, \"frame_interval\": 1}}", 2, 27, "give one of them"},
        {"{\"touchstone\": 1,\n \"notes\": [1]}", 2, 12, "notes wants text"},
        {"[]", 1, 1, "a scene is an object"},
        {"{}", 1, 1, "add \"touchstone\": 1"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        ts_scene *scene = NULL;
        ts_error error = {0};
        ts_status status = ts_scene_parse(bad[i].text, strlen(bad[i].text), "t.json", NULL, &scene, &error);
        if (status == TS_OK || scene)
            fail_msg("%s was not refused", bad[i].text);
        if (error.line != bad[i].line || error.column != bad[i].column || !strstr(error.message, bad[i].fragment))
            fail_msg("%s: expected %d:%d: …%s…, got %d:%d: %s", bad[i].text, bad[i].line, bad[i].column,
                     bad[i].fragment, error.line, error.column, error.message);
        assert_int_equal(ts_scene_parse(bad[i].text, strlen(bad[i].text), "t.json", NULL, &scene, NULL), status);
    }
}

static void test_bad_arguments(void **state)
{
    (void)state;
    ts_scene *scene = NULL;
    assert_int_equal(ts_scene_parse(NULL, 3, "t", NULL, &scene, NULL), TS_BAD_INPUT);
    assert_int_equal(ts_scene_parse("{}", 2, "t", NULL, NULL, NULL), TS_BAD_INPUT);
    assert_int_equal(ts_scene_load(NULL, NULL, &scene, NULL), TS_BAD_INPUT);
    assert_int_equal(ts_scene_load("no such file.json", NULL, &scene, NULL), TS_BAD_INPUT);
    ts_load_options options = {.override_count = 1};
    assert_int_equal(ts_scene_parse("{}", 2, "t", &options, &scene, NULL), TS_BAD_INPUT);
    assert_null(scene);
}

/* A chain of composites, each twice the one before: the cap on discs stops it, not memory. */
static void test_doubling_shapes(void **state)
{
    (void)state;
    char text[8192];
    size_t used = (size_t)snprintf(text, sizeof text,
                                   "{\"touchstone\": 1, \"shapes\": {\"s0\": {\"kind\": \"disc\", \"radius\": 1}");
    for (int i = 1; i < 31; i++)
        used += (size_t)snprintf(
            text + used, sizeof text - used,
            ", \"s%d\": {\"kind\": \"composite\", \"parts\": [{\"shape\": \"s%d\"}, {\"shape\": \"s%d\","
            " \"at\": [%d, 0]}]}",
            i, i - 1, i - 1, i);
    snprintf(text + used, sizeof text - used, "}}");
    ts_scene *scene = NULL;
    ts_error error = {0};
    assert_int_equal(ts_scene_parse(text, strlen(text), "t.json", NULL, &scene, &error), TS_BAD_INPUT);
    assert_non_null(strstr(error.message, "made of 8192 discs; use at most 4096"));
}

int main(void)
{
    const struct CMUnitTest test[] = {
        cmocka_unit_test(test_settings),      cmocka_unit_test(test_materials),
        cmocka_unit_test(test_shapes),        cmocka_unit_test(test_bodies_and_walls),
        cmocka_unit_test(test_old_names),     cmocka_unit_test(test_generators),
        cmocka_unit_test(test_drives),        cmocka_unit_test(test_overrides),
        cmocka_unit_test(test_bad_overrides), cmocka_unit_test(test_places),
        cmocka_unit_test(test_bad_arguments), cmocka_unit_test(test_doubling_shapes),
    };
    return cmocka_run_group_tests(test, NULL, NULL);
}
