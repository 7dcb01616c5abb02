/* SPDX-License-Identifier: MIT */
/* How far bodies may lie in each other, and in walls, when a run begins: as far as docs/scene.md says for each
 * dynamics, whatever their size. */
#include <math.h>
#include <stdio.h>

#include "scene/compiled.h"
#include "support/world.h"

/* Shares of the smaller radius, from the documentation. */
static const struct {
    const char *kind;
    double share;
} dynamics[] = {{"penalty", 0.05}, {"impact", 0.01}};
#define KINDS (sizeof dynamics / sizeof *dynamics)

static void choose(const char *kind)
{
    ts_dynamics_def def = ts_default_dynamics();
    def.kind = kind;
    OK(ts_scene_set_dynamics(scene, &def, ERROR));
}

static void begin(const char *kind)
{
    tear_down(NULL);
    set_up(NULL);
    choose(kind);
}

/* The scene as `put` makes it for an overlap of `share` is taken a little below the limit and refused a little above.
 * */
static void limit_of(void (*put)(double share, double size), const char *word, const char *other)
{
    const double size[] = {1e-3, 1, 1e3};
    for (size_t k = 0; k < KINDS; k++)
        for (int i = 0; i < 3; i++) {
            begin(dynamics[k].kind);
            put(0.98 * dynamics[k].share, size[i]);
            compile();
            begin(dynamics[k].kind);
            put(1.02 * dynamics[k].share, size[i]);
            refused(word, other);
            begin(dynamics[k].kind);
            put(0, size[i]); /* they touch */
            compile();
        }
}

static void put_discs(double share, double size)
{
    add_body("large", add_disc(2 * size), 0, 0, false);
    add_body("small", add_disc(size), (3 - share) * size, 0, false);
}

static void put_on_floor(double share, double size)
{
    add_floor("floor", 0);
    add_body("ball", add_disc(size), 0, (1 - share) * size, false);
}

/* Half of the thickness, 2 · area / perimeter, counts as the radius: of 4 by 1 it is 0.8. */
static void put_boxes(double share, double size)
{
    int32_t box = ts_test_box_shape(scene, 4 * size, size);
    add_body("below", box, 0, 0, false);
    add_body("above", box, 0.3 * size, (1 - 0.8 * share) * size, false);
}

static void put_box_on_floor(double share, double size)
{
    add_floor("floor", 0);
    add_body("box", ts_test_box_shape(scene, 4 * size, size), 0, (0.5 - 0.8 * share) * size, false);
}

/* Against a fixed body, which may itself stick in others. */
static void put_on_fixed(double share, double size)
{
    int32_t disc = add_disc(size);
    add_body("peg", disc, 0, 0, true);
    add_body("other peg", disc, size, 0, true);
    add_body("ball", disc, (3 - share) * size, 0, false);
}

static void discs(void **state)
{
    (void)state;
    limit_of(put_discs, "\"small\"", "\"large\"");
    limit_of(put_on_fixed, "\"ball\"", "\"other peg\"");
}

static void discs_in_walls(void **state)
{
    (void)state;
    limit_of(put_on_floor, "\"ball\"", "\"floor\"");
}

static void outlines(void **state)
{
    (void)state;
    limit_of(put_boxes, "\"above\"", "\"below\"");
    limit_of(put_box_on_floor, "\"box\"", "\"floor\"");
}

/* The sentence says by how much and where. */
static void the_sentence_has_the_depth(void **state)
{
    (void)state;
    choose("impact");
    add_body(NULL, add_disc(1), 10, 0, false);
    add_body(NULL, add_disc(1), 11.75, 0, false);
    refused("body 1 overlaps body 0 by 0.25 m near (10.875, 0)",
            "more than the 0.01 m (0.01 of the smaller radius) that impact takes");
}

/* Grains of a generator keep clear of bodies: one that cannot says which it meets, and by how much. */
static void lines_of_free_grains(void **state)
{
    (void)state;
    const ts_vertex line[2] = {{0, 0, 0}, {10, 0, 0}};
    for (size_t k = 0; k < KINDS; k++) {
        begin(dynamics[k].kind);
        int32_t disc = add_disc(0.5);
        ts_generator_def def = ts_default_generator();
        ts_mix_entry mix = {.shape = disc, .weight = 1, .scale_min = 1, .scale_max = 1};
        def.fill = TS_FILL_LINE;
        def.jitter = 0;
        def.mix = &mix;
        def.mix_count = 1;
        def.line = (ts_contour){line, 2, true};
        def.count = 10;
        add_body("far", disc, 0, 5, false);
        OK(ts_scene_add_generator(scene, &def, NULL, ERROR));
        compile(); /* side by side */
        add_body("in the way", disc, 3.75, 0.5, false);
        refused("body 5 at (3.5, 0), overlaps body 1 by 0.44", "move the line");
    }
}

/* Restitution and mass are checked where they are set, whatever the dynamics. */
static void restitution_and_density(void **state)
{
    (void)state;
    static const double bad[] = {-1e-9, 1 + 1e-9, -1, 2, (double)NAN};
    choose("impact");
    for (size_t i = 0; i < 4; i++) {
        ts_material_def material = ts_default_material();
        material.restitution = bad[i];
        assert_int_equal(ts_scene_set_default_material(scene, &material, ERROR), TS_BAD_INPUT);
        assert_non_null(strstr(ts_test_error.message, "restitution"));
        assert_non_null(strstr(ts_test_error.message, "from 0 to 1"));
        material = ts_default_material();
        material.density = -fabs(bad[i]) * (i > 1);
        assert_int_equal(ts_scene_add_material(scene, "void", &material, NULL, ERROR), TS_BAD_INPUT);
        assert_non_null(strstr(ts_test_error.message, "density"));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(discs),
        TEST(discs_in_walls),
        TEST(outlines),
        TEST(the_sentence_has_the_depth),
        TEST(lines_of_free_grains),
        TEST(restitution_and_density),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
