/* SPDX-License-Identifier: MIT */
/* The published scenes: as many bodies as Table 1 of the publication says, its friction and time steps, and what their
 * geometry promises. They are compiled, not run. */
#include <math.h>
#include <string.h>

#include "support/check.h"

#include "base/memory.h"
#include "base/vec.h"
#include "model.h"
#include "study/cem_scenes.h"
#include "touchstone/touchstone.h"

static ts_status scene_of(const ts_cem_wish *wish, ts_scene **scene, ts_error *error)
{
    char *text;
    size_t length;
    TS_TRY(ts_cem_scene_text(wish, &text, &length, error));
    ts_status status = ts_scene_parse(text, length, wish->scene, NULL, scene, error);
    ts_free(text);
    return status;
}

static ts_model *compile(const ts_cem_wish *wish)
{
    ts_scene *scene;
    ts_model *model;
    OK(scene_of(wish, &scene, ERROR));
    OK(ts_model_compile(scene, &model, ERROR));
    ts_scene_free(scene);
    return model;
}

static size_t fixed_count(const ts_model *model)
{
    size_t count = 0;
    for (size_t i = 0; i < model->body_count; i++)
        count += model->body[i].inv_mass > 0 ? 0 : 1;
    return count;
}

static void table_1_is_met(void **state)
{
    (void)state;
    static const struct {
        const char *scene, *grain;
        double opening;
        size_t bodies, fixed, types;
        double step, friction;
    } row[] = {
        {"column-collapse", "O", 0, 6990, 690, 1, 5e-5, 0.4}, {"column-collapse", "U", 0, 6990, 690, 1, 5e-5, 0.4},
        {"column-collapse", "N", 0, 6990, 690, 1, 5e-5, 0.4}, {"column-collapse", "hash", 0, 6990, 690, 1, 5e-5, 0.4},
        {"silo", "octagon", 8, 11311, 1411, 1, 5e-5, 0.4},    {"silo", "hash", 8, 11311, 1411, 1, 5e-5, 0.4},
        {"silo", "octagon", 16, 11311, 1411, 1, 5e-5, 0.4},   {"silo", "hash", 16, 11311, 1411, 1, 5e-5, 0.4},
        {"packing", "arc-25", 0, 1152, 152, 2, 1e-3, 0.1},    {"packing", "arc-50", 0, 1152, 152, 2, 1e-3, 0.1},
        {"packing", "arc-75", 0, 1152, 152, 2, 1e-3, 0.1},    {"packing", "arc-100", 0, 1152, 152, 2, 1e-3, 0.1},
        {"drum", NULL, 0, 1574, 547, 10, 1e-3, 0.1},          {"cereal", NULL, 0, 385, 105, 5, 1e-3, 0.7},
        {"chain", NULL, 0, 600, 101, 1, 2.5e-5, 0.4},
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        ts_cem_wish wish = {
            .scene = row[i].scene, .grain = row[i].grain, .opening = row[i].opening, .published_step = true};
        ts_model *model = compile(&wish);
        bool *seen = ts_alloc(model->shape_count, sizeof *seen);
        size_t types = 0;
        assert_non_null(seen);
        for (size_t k = 0; k < model->body_count; k++) {
            types += !seen[model->body_shape[k]];
            seen[model->body_shape[k]] = true;
        }
        ts_free(seen);
        if (model->body_count != row[i].bodies || fixed_count(model) != row[i].fixed || types != row[i].types)
            fail_msg("%s: %zu bodies, %zu of them fixed, of %zu types", row[i].scene, model->body_count,
                     fixed_count(model), types);
        assert_true(ts_model_time_step(model) == row[i].step);
        assert_true(ts_model_time_step(model) <= ts_model_stable_step(model));
        assert_true(model->law[0].friction == row[i].friction);
        ts_model_free(model);
    }
}

static void quick_ones_are_small(void **state)
{
    (void)state;
    static const struct {
        const char *scene, *grain;
        size_t bodies, fixed;
    } row[] = {
        {"column-collapse", "O", 582, 182},
        {"column-collapse", "U", 582, 182},
        {"column-collapse", "N", 582, 182},
        {"column-collapse", "hash", 582, 182},
        {"column-small", "hash", 160, 96},
        {"column-small", "octagon", 160, 96},
        {"silo", "octagon", 1397, 497},
        {"silo", "hash", 1397, 497},
        {"packing", "arc-25", 272, 72},
        {"packing", "arc-50", 272, 72},
        {"packing", "arc-75", 272, 72},
        {"packing", "arc-100", 272, 72},
        {"drum", NULL, 400, 250},
        {"cereal", NULL, 385, 105},
        {"chain", NULL, 74, 35},
        {"chain-drop", NULL, 74, 34},
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        ts_cem_wish wish = {.scene = row[i].scene, .grain = row[i].grain, .quick = true};
        ts_model *model = compile(&wish);
        if (model->body_count != row[i].bodies || fixed_count(model) != row[i].fixed)
            fail_msg("%s: %zu bodies, %zu of them fixed", row[i].scene, model->body_count, fixed_count(model));
        assert_true(ts_model_time_step(model) <= ts_model_stable_step(model));
        ts_model_free(model);
    }
}

/* Between the lowest grains of the funnel's sides there is as much room as was asked for. Bodies of the first generator
 * come first, then those of the second. */
static void openings_are_as_wide_as_asked(void **state)
{
    (void)state;
    for (int quick = 0; quick < 2; quick++)
        for (int width = 8; width <= 16; width += 4) {
            ts_cem_wish wish = {.scene = "silo", .quick = quick, .opening = width};
            ts_model *model = compile(&wish);
            size_t half = quick ? 130 : 399;
            double left = -HUGE_VAL, right = HUGE_VAL;
            for (size_t i = 0; i < half; i++) {
                left = fmax(left, model->body[i].x + model->body[i].radius);
                right = fmin(right, model->body[half + i].x - model->body[half + i].radius);
            }
            NEAR(right - left, width, 0.01 * width);
            ts_model_free(model);
        }
}

/* Ball and socket of a link lie at (0.344343, 0) and (-0.455657, 0); the ball of one hangs in the socket of the next,
 * within the 0.016153 m at which it would touch the lips. */
static void links_hang_in_each_other(void **state)
{
    (void)state;
    for (int k = 0; k < 4; k++) {
        ts_cem_wish wish = {.scene = k % 2 ? "chain-drop" : "chain", .quick = k < 2};
        ts_model *model = compile(&wish);
        size_t floor = k < 2 ? 34 : 100, last = 0; /* body 0 is the first link, then comes the floor */
        for (size_t i = floor + 1; i < model->body_count; i++) {
            const ts_body *a = &model->body[last], *b = &model->body[i];
            ts_vec2 ball = ts_pose2_apply((ts_pose2){a->x, a->y, a->angle}, (ts_vec2){0.344343, 0});
            ts_vec2 socket = ts_pose2_apply((ts_pose2){b->x, b->y, b->angle}, (ts_vec2){-0.455657, 0});
            double apart = hypot(ball.x - socket.x, ball.y - socket.y);
            assert_true(apart > 0.0155 && apart < 0.016153);
            last = i;
        }
        ts_model_free(model);
    }
}

static void wishes_are_overrides(void **state)
{
    (void)state;
    const char *const override[] = {"dynamics.friction=0.25", "map.kind=exact"};
    ts_cem_wish wish = {.scene = "cereal", .seed = 77, .override = override, .override_count = 2};
    ts_scene *scene;
    OK(scene_of(&wish, &scene, ERROR));
    assert_int_equal(ts_scene_settings(scene).seed, 77);
    assert_int_equal(ts_scene_map(scene).kind, TS_MAP_EXACT);
    ts_scene_free(scene);
    wish.scene = "soup";
    assert_int_equal(scene_of(&wish, &scene, ERROR), TS_BAD_INPUT);
    assert_non_null(strstr(ERROR->message, "soup"));
}

int main(void)
{
    const struct CMUnitTest test[] = {
        cmocka_unit_test(table_1_is_met),
        cmocka_unit_test(quick_ones_are_small),
        cmocka_unit_test(openings_are_as_wide_as_asked),
        cmocka_unit_test(links_hang_in_each_other),
        cmocka_unit_test(wishes_are_overrides),
    };
    return cmocka_run_group_tests(test, NULL, NULL);
}
