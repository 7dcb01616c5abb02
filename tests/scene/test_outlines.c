/* SPDX-License-Identifier: MIT */
/* Outlines as shapes of a scene: mass properties against closed forms, what may overlap at the start, and what a model
 * of outlines does and refuses. */

#include <math.h>

#include "scene/read.h"
#include "workspace.h"

/* after the headers whose parameters have the names of its globals */
#include "scene/compiled.h"

#define PI 3.14159265358979323846

static int32_t add_outline(const char *name, ts_outline *outline)
{
    int32_t index;
    OK(ts_scene_add_outline(scene, name, outline, &index, ERROR));
    ts_outline_free(outline);
    return index;
}

static ts_outline *box(double width, double height)
{
    ts_outline *outline;
    OK(ts_outline_box(width, height, 0, &outline, ERROR));
    return outline;
}

static ts_outline *ring(double outer, double inner)
{
    ts_outline *outline;
    OK(ts_outline_ring(outer, inner, &outline, ERROR));
    return outline;
}

static void near(double got, double expected)
{
    if (!(fabs(got - expected) <= 1e-12 * fabs(expected)))
        fail_msg("%.17g, expected %.17g", got, expected);
}

/* ---- Mass ---- */

static void box_has_the_mass_of_a_box(void **state)
{
    (void)state;
    const double w = 0.3, h = 0.1, rho = 1000, scale = 2;
    int32_t shape = add_outline("box", box(w, h));
    add_body(NULL, shape, 0, 0, false);
    ts_body_def large = ts_default_body();
    large.shape = shape;
    large.scale = scale;
    large.position[0] = 5;
    OK(ts_scene_add_body(scene, &large, NULL, ERROR));
    compile();
    double m = rho * w * h, inertia = m * (w * w + h * h) / 12;
    near(ts_model_mass(model, 0), m);
    near(ts_test_inertia(model, 0), inertia);
    near(model->body[0].radius, hypot(w, h) / 2);
    near(ts_model_mass(model, 1), m * scale * scale);
    near(ts_test_inertia(model, 1), inertia * pow(scale, 4));
    near(model->body[1].radius, scale * hypot(w, h) / 2);
    assert_true(model->has_outlines && model->parts_are_bodies);
}

static void ring_has_the_mass_of_a_ring(void **state)
{
    (void)state;
    const double a = 0.2, b = 0.15;
    add_body(NULL, add_outline(NULL, ring(a, b)), 0, 0, false);
    compile();
    near(ts_model_mass(model, 0), 1000 * PI * (a * a - b * b));
    near(ts_test_inertia(model, 0), 1000 * PI / 2 * (pow(a, 4) - pow(b, 4)));
    near(model->body[0].radius, a);
}

/* A right triangle drawn away from the origin: its centroid, a third of the way up from each leg, becomes the
 * origin. */
static void centre_of_mass_becomes_the_origin(void **state)
{
    (void)state;
    const ts_vertex corner[3] = {{5, 7, 0}, {8, 7, 0}, {5, 10, 0}};
    ts_outline *triangle;
    OK(ts_outline_create(&(ts_contour){corner, 3, false}, 1, TS_RULE_NONZERO, &triangle, ERROR));
    add_body(NULL, add_outline("triangle", triangle), 0, 0, false);
    compile();
    const ts_outline *kept = model->shape[0].outline;
    ts_outline_mass mass = ts_outline_get_mass(kept);
    assert_true(hypot(mass.centre[0], mass.centre[1]) < 1e-15 * 10);
    ts_contour contour = ts_outline_get_contour(kept, 0);
    double least_x = 1e9, least_y = 1e9;
    for (size_t i = 0; i < contour.vertex_count; i++) {
        least_x = fmin(least_x, contour.vertex[i].x);
        least_y = fmin(least_y, contour.vertex[i].y);
    }
    near(least_x, -1);
    near(least_y, -1);
    /* legs a: inertia about the centroid is m a² / 9 */
    near(ts_test_inertia(model, 0), 1000 * 4.5 * 9 / 9);
    near(model->shape[0].radius, hypot(1, 2));
}

/* ---- Refusals ---- */

static void refuse_outline(const char *name, const ts_outline *outline, const char *word)
{
    memset(ERROR, 0, sizeof *ERROR);
    assert_int_equal(ts_scene_add_outline(scene, name, outline, NULL, ERROR), TS_BAD_INPUT);
    if (!strstr(ts_test_error.message, word))
        fail_msg("no \"%s\" in: %s", word, ts_test_error.message);
}

static void bad_outlines_are_refused(void **state)
{
    (void)state;
    refuse_outline("x", NULL, "NULL");
    assert_int_equal(ts_scene_add_outline(NULL, "x", NULL, NULL, ERROR), TS_BAD_INPUT);
    int32_t first = add_outline("x", box(1, 1));
    assert_int_equal(first, 0);
    ts_outline *unit = box(1, 1), *far = NULL;
    refuse_outline("x", unit, "taken already");
    refuse_outline("", unit, "empty");
    OK(ts_outline_place(unit, 1, 0, (double[2]){1e12, 0}, &far, ERROR));
    refuse_outline("far", far, "too coarse");
    ts_outline_free(far);
    ts_outline *tiny = NULL;
    if (ts_outline_place(unit, 1e-100, 0, (double[2]){0, 0}, &tiny, ERROR) == TS_OK)
        refuse_outline("tiny", tiny, "too small or too large");
    ts_outline_free(tiny);
    ts_outline_free(unit);
    assert_int_equal(ts_scene_find_shape(scene, "x"), 0);
    assert_int_equal(ts_scene_find_shape(scene, "far"), -1);
}

/* ---- Overlap at the start ---- */

static void place(const char *name, int32_t shape, double x, double y, double angle)
{
    ts_body_def def = ts_default_body();
    def.name = name;
    def.shape = shape;
    def.position[0] = x;
    def.position[1] = y;
    def.angle = angle;
    OK(ts_scene_add_body(scene, &def, NULL, ERROR));
}

/* Circles around them overlap, they themselves do not. */
static void neighbours_are_fine(void **state)
{
    (void)state;
    int32_t brick = add_outline("brick", box(2, 1)), hoop = add_outline("hoop", ring(2, 1.5)), ball = add_disc(1.4);
    add_floor("floor", 0);
    place("a", brick, 0, 0.5, 0);
    place("b", brick, 2, 0.5, 0);
    place("c", brick, 1, 1.5, 0);
    place("hoop", hoop, 10, 2, 0);
    place("ball", ball, 10, 2, 0); /* in the hole of the hoop */
    compile();
    assert_int_equal(model->body_count, 5);
}

static void overlaps_are_refused(void **state)
{
    (void)state;
    int32_t brick = add_outline("brick", box(2, 1));
    place("a", brick, 0, 0, 0);
    place("b", brick, 1.8, 0, 0);
    refused("\"a\"", "\"b\"");
}

static void crossed_bars_are_refused(void **state)
{
    (void)state;
    int32_t bar = add_outline("bar", box(10, 0.1)); /* no corner of one lies in the other */
    place("a", bar, 0, 0, 0);
    place("b", bar, 1, 1, PI / 2);
    refused("\"a\"", "\"b\"");
}

static void disc_in_the_matter_of_a_ring_is_refused(void **state)
{
    (void)state;
    int32_t hoop = add_outline("hoop", ring(2, 1)), ball = add_disc(0.2);
    place("hoop", hoop, 0, 0, 0);
    place("ball", ball, 1.5, 0, 0);
    refused("\"hoop\"", "\"ball\"");
}

static void box_through_the_floor_is_refused(void **state)
{
    (void)state;
    int32_t brick = add_outline("brick", box(2, 1));
    add_floor("floor", 0);
    place("a", brick, 0, 0.3, 0); /* 0.2 deep */
    refused("\"a\"", "0.2 m beyond wall 0 (\"floor\")");
}

/* ---- The model ---- */

static void it_runs_when_its_maps_are_there(void **unused)
{
    (void)unused;
    int32_t ball = add_disc(0.5), brick = add_outline("brick", box(2, 1));
    place("ball", ball, 0, 0.49, 0);
    place("a", brick, 5, 0, 0);
    place("b", brick, 7.01, 0, 0);
    place("c", brick, 7.01, 0.999, 0);
    ts_map_options map = {.kind = TS_MAP_EXACT};
    OK(ts_scene_set_map(scene, &map, ERROR));
    compile();
    ts_state *state;
    ts_workspace *work;
    const ts_contact *contact;
    size_t count = 99;
    OK(ts_state_create(model, &state, ERROR));
    OK(ts_workspace_create(model, 1, &work, ERROR));
    uint64_t before = ts_state_hash(state);
    assert_int_equal(ts_step(model, state, work, 1, ERROR), TS_BAD_INPUT);
    assert_non_null(strstr(ts_test_error.message, "call ts_model_prepare before the first step"));
    assert_true(ts_state_hash(state) == before);
    OK(ts_find_contacts(model, state, work, &contact, &count, ERROR));
    assert_int_equal(count, 0); /* nothing is known yet */
    OK(ts_model_prepare(model, NULL, ERROR));
    /* the circles around a and b overlap: that is no contact; c lies on b, 1 mm deep */
    OK(ts_find_contacts(model, state, work, &contact, &count, ERROR));
    assert_int_equal(count, 1);
    assert_int_equal(contact->a, 2);
    assert_int_equal(contact->b, 3);
    NEAR(contact->gap, -0.001, 1e-9);
    NEAR(contact->normal[1], 1, 1e-9);
    OK(ts_step(model, state, work, 10, ERROR));
    ts_workspace_free(work);
    ts_state_free(state);
}

/* A shape that no body has does not stand in the way. */
static void unused_outlines_do_no_harm(void **unused)
{
    (void)unused;
    add_outline("brick", box(2, 1));
    place(NULL, add_disc(0.5), 0, 0, 0);
    compile();
    ts_state *state;
    ts_workspace *work;
    OK(ts_state_create(model, &state, ERROR));
    OK(ts_workspace_create(model, 1, &work, ERROR));
    OK(ts_step(model, state, work, 3, ERROR));
    ts_workspace_free(work);
    ts_state_free(state);
}

static uint64_t hash_with(double bulge, double y)
{
    const ts_vertex corner[4] = {{0, 0, 0}, {2, 0, 0}, {2, 1, bulge}, {0, y, 0}};
    ts_scene *own;
    ts_model *built;
    ts_outline *outline;
    OK(ts_scene_create(&own, ERROR));
    OK(ts_outline_create(&(ts_contour){corner, 4, false}, 1, TS_RULE_NONZERO, &outline, ERROR));
    OK(ts_scene_add_outline(own, NULL, outline, NULL, ERROR));
    ts_body_def def = ts_default_body();
    OK(ts_scene_add_body(own, &def, NULL, ERROR));
    OK(ts_model_compile(own, &built, ERROR));
    uint64_t hash = ts_model_hash(built);
    ts_model_free(built);
    ts_scene_free(own);
    ts_outline_free(outline);
    return hash;
}

static void hash_covers_the_contours(void **state)
{
    (void)state;
    uint64_t hash = hash_with(0.25, 1);
    assert_true(hash == hash_with(0.25, 1));
    assert_true(hash != hash_with(0.26, 1));
    assert_true(hash != hash_with(0.25, nextafter(1, 2)));
}

/* ---- Filling ---- */

/* Distance of a point from a grain's outline at its pose. */
static double distance_to(const ts_model *m, size_t i, double x, double y)
{
    const ts_body *b = &m->body[i];
    double c = cos(b->angle), s = sin(b->angle), dx = (x - b->x) / m->body_scale[i], dy = (y - b->y) / m->body_scale[i];
    double local_x = c * dx + s * dy, local_y = c * dy - s * dx, distance;
    ts_outline_distance(m->shape[m->body_shape[i]].outline, 1, &local_x, &local_y, &distance, NULL, NULL);
    return m->body_scale[i] * distance;
}

/* The least distance of many points along the boundary of grain i from grain k. */
static double least_distance(const ts_model *m, size_t i, size_t k)
{
    const ts_body *b = &m->body[i];
    const ts_outline *outline = m->shape[m->body_shape[i]].outline;
    double c = cos(b->angle), s = sin(b->angle), least = HUGE_VAL;
    for (size_t n = 0; n < ts_outline_contour_count(outline); n++) {
        ts_contour contour = ts_outline_get_contour(outline, n);
        for (size_t edge = 0; edge < contour.vertex_count; edge++) {
            ts_segment segment = ts_contour_segment(&contour, edge);
            for (int t = 0; t < 60; t++) {
                ts_vec2 p = ts_segment_point(&segment, t / 60.0);
                double x = m->body_scale[i] * p.x, y = m->body_scale[i] * p.y;
                least = fmin(least, distance_to(m, k, b->x + c * x - s * y, b->y + s * x + c * y));
            }
        }
    }
    return least;
}

/* Random insertion looks at outlines, not at the circles around them: thin ones stand much closer, and none
 * overlaps. */
static void outlines_fill_without_overlap(void **unused)
{
    (void)unused;
    ts_outline *arc, *bar;
    ts_mix_entry mix[2] = {{.weight = 1, .scale_min = 0.8, .scale_max = 1.2},
                           {.weight = 1, .scale_min = 1, .scale_max = 1}};
    OK(ts_outline_arc(0.08, 0.02, 4.5, true, &arc, ERROR));
    OK(ts_outline_box(0.3, 0.02, 0, &bar, ERROR));
    OK(ts_scene_add_outline(scene, "arc", arc, &mix[0].shape, ERROR));
    OK(ts_scene_add_outline(scene, "bar", bar, &mix[1].shape, ERROR));
    ts_generator_def def = ts_default_generator();
    def.fill = TS_FILL_RANDOM;
    def.packing = 0.14;
    def.gap = 0.002;
    def.mix = mix;
    def.mix_count = 2;
    OK(ts_scene_add_generator(scene, &def, NULL, ERROR));
    OK(ts_model_compile(scene, &model, ERROR));
    double circles = 0;
    for (size_t i = 0; i < model->body_count; i++) {
        const ts_body *a = &model->body[i];
        circles += TS_PI * a->radius * a->radius;
        for (size_t k = 0; k < model->body_count; k++) {
            const ts_body *b = &model->body[k];
            if (k != i && hypot(a->x - b->x, a->y - b->y) < a->radius + b->radius + def.gap)
                assert_true(least_distance(model, i, k) >= def.gap * (1 - 1e-9));
        }
    }
    assert_true(circles > 0.7); /* of a region of 1 m²: circles put at random without overlap cover 0.55 at most */
    ts_outline_free(arc);
    ts_outline_free(bar);
}

int main(void)
{
    const struct CMUnitTest test[] = {
        TEST(box_has_the_mass_of_a_box),
        TEST(ring_has_the_mass_of_a_ring),
        TEST(centre_of_mass_becomes_the_origin),
        TEST(bad_outlines_are_refused),
        TEST(neighbours_are_fine),
        TEST(overlaps_are_refused),
        TEST(crossed_bars_are_refused),
        TEST(disc_in_the_matter_of_a_ring_is_refused),
        TEST(box_through_the_floor_is_refused),
        TEST(it_runs_when_its_maps_are_there),
        TEST(unused_outlines_do_no_harm),
        TEST(hash_covers_the_contours),
        TEST(outlines_fill_without_overlap),
    };
    return cmocka_run_group_tests(test, NULL, NULL);
}
