/* SPDX-License-Identifier: MIT */
/* What the tests of compiling share: one scene and its model, opened before each test and closed after it. Included
 * once by such a test. */
#pragma once

#include <string.h>

#include "model.h"
#include "support/check.h"
#include "touchstone/touchstone.h"

#define UNUSED __attribute__((unused))

static ts_scene *scene;
static ts_model *model;

static int set_up(void **state)
{
    (void)state;
    model = NULL;
    OK(ts_scene_create(&scene, ERROR));
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    ts_model_free(model);
    ts_scene_free(scene);
    return 0;
}

UNUSED static int32_t add_disc(double radius)
{
    int32_t index;
    OK(ts_scene_add_disc(scene, radius, &index, ERROR));
    return index;
}

UNUSED static int32_t add_body(const char *name, int32_t shape, double x, double y, bool fixed)
{
    ts_body_def def = ts_default_body();
    int32_t index;
    def.name = name;
    def.shape = shape;
    def.position[0] = x;
    def.position[1] = y;
    def.fixed = fixed;
    OK(ts_scene_add_body(scene, &def, &index, ERROR));
    return index;
}

UNUSED static void add_floor(const char *name, double y)
{
    ts_wall_def def = ts_default_wall();
    def.name = name;
    def.position[1] = y;
    OK(ts_scene_add_wall(scene, &def, NULL, ERROR));
}

static void compile(void)
{
    ts_model_free(model);
    model = NULL;
    OK(ts_model_compile(scene, &model, ERROR));
}

UNUSED static void refused(const char *word, const char *other)
{
    ts_model *none = NULL;
    memset(ERROR, 0, sizeof *ERROR);
    assert_int_equal(ts_model_compile(scene, &none, ERROR), TS_BAD_INPUT);
    assert_null(none);
    if (!strstr(ts_test_error.message, word) || !strstr(ts_test_error.message, other))
        fail_msg("the message has not both \"%s\" and \"%s\": %s", word, other, ts_test_error.message);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)
