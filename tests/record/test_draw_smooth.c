/* SPDX-License-Identifier: MIT */
/* Pictures of smooth bodies: what is drawn where. */
#include "record/draw_smooth.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

#if TS_WITH_CAIRO
#include <cairo.h>
#endif

#include "record/draw_arrows.h"
#include "record/draw_levels.h"
#include "support/check.h"
#include "support/smooth.h"

enum { side = 64 };

static void an_arrow_goes_from_foot_to_tip(void **state)
{
    (void)state;
    TS_AUTO(ts_arrows_release) ts_arrows arrows = {0};
    ts_thing_array things = {0};
    OK(ts_arrows_reserve(&arrows, 2, ERROR));
    const ts_arrow arrow = {.from = {1, 2, 3}, .way = {0.3, -0.4, 1.2}, .width = 0.02};
    OK(ts_arrows_add(&arrows, &arrow, &things, ERROR));
    assert_int_equal(things.count, 3);
    const ts_thing *head = &things.item[2];
    const ts_vec3 tip =
        ts_vec3_add_scaled(head->pose.position, ts_quat_apply(head->pose.quat, (ts_vec3){0, 0, 1}), head->scale);
    assert_true(ts_vec3_distance(tip, ts_vec3_add(arrow.from, arrow.way)) < 1e-12);
    const ts_thing *shaft = &things.item[1];
    const ts_vec3 foot = ts_vec3_add_scaled(shaft->pose.position, ts_quat_apply(shaft->pose.quat, (ts_vec3){0, 0, 1}),
                                            -shaft->solid->half_length);
    assert_true(ts_vec3_distance(foot, arrow.from) < 1e-12);
    /* against z, without a length, and not a number */
    OK(ts_arrows_add(&arrows, &(ts_arrow){.way = {0, 0, -1}, .width = 0.1}, &things, ERROR));
    assert_int_equal(things.count, 6);
    OK(ts_arrows_add(&arrows, &(ts_arrow){.width = 0.1}, &things, ERROR));
    assert_int_equal(things.count, 7);
    OK(ts_arrows_add(&arrows, &(ts_arrow){.from = {(double)NAN, 0, 0}, .width = 0.1}, &things, ERROR));
    assert_int_equal(things.count, 7);
    ts_array_free(&things);
}

static double darkness(uint32_t pixel)
{
    return 255 - (double)((pixel >> 8) & 255);
}

/* How dark the middle of a ghost is. */
static double middle_of(uint32_t flags)
{
    uint32_t pixel[side * side];
    const ts_image image = {pixel, side, side, side};
    const ts_solid ball = {.kind = TS_SOLID_SPHERE, .radius = 1};
    const ts_thing thing = {
        .solid = &ball, .pose = ts_pose3_identity(), .scale = 1, .colour = {0, 0, 0}, .flags = flags};
    ts_view view = ts_default_view();
    view.thing = &thing;
    view.thing_count = 1;
    view.camera = ts_camera_around(ts_view_bounds(&view), 1, TS_WHOLE_IMAGE);
    ts_trace *trace;
    OK(ts_trace_create(NULL, &trace, ERROR));
    OK(ts_trace_draw(trace, &view, &image, ERROR));
    ts_trace_free(trace);
    return darkness(pixel[side / 2 * side + side / 2]) - darkness(pixel[0]);
}

static void coloured_glass_is_between_glass_and_solid(void **state)
{
    (void)state;
    const double glass = middle_of(TS_THING_GHOST), tinted = middle_of(TS_THING_GHOST | TS_THING_TINTED),
                 solid = middle_of(0);
    assert_true(glass > 0);
    assert_true(tinted > 2 * glass);
    assert_true(solid > 2 * tinted);
}

#if TS_WITH_CAIRO
typedef struct page {
    cairo_surface_t *surface;
    const unsigned char *data;
    int width, height, stride;
} page;

static page open_page(const char *path)
{
    page p = {.surface = cairo_image_surface_create_from_png(path)};
    assert_int_equal(cairo_surface_status(p.surface), CAIRO_STATUS_SUCCESS);
    p.data = cairo_image_surface_get_data(p.surface);
    p.width = cairo_image_surface_get_width(p.surface);
    p.height = cairo_image_surface_get_height(p.surface);
    p.stride = cairo_image_surface_get_stride(p.surface);
    return p;
}
static uint32_t at(const page *p, int x, int y)
{
    uint32_t pixel;
    memcpy(&pixel, p->data + (size_t)y * (size_t)p->stride + 4 * (size_t)x, sizeof pixel);
    return pixel & 0xFFFFFF;
}

/* The bold line of a ball's slice is a circle of the ball's radius. */
static void a_slice_of_a_ball_is_a_circle(void **state)
{
    (void)state;
    const char path[] = "test_draw_smooth_levels.png";
    ts_sdf_body *ball = ts_test_superquadric((ts_vec3){1, 1, 1}, 1, 1, 4);
    const ts_levels_panel panel = {.sdf = ball->sdf, .rule = ts_sdf_default_rule(ball->sdf), .text = "ball"};
    const ts_levels_picture picture = {
        .panel = &panel, .columns = 1, .rows = 1, .across = {1, 0, 0}, .up = {0, 0, 1}, .half = 2, .step = 10};
    OK(ts_draw_levels(path, &picture, &(ts_smooth_look){.width = 800}, ERROR));
    page p = open_page(path);
    /* the panel is the square at the lower end; along the row through its middle, dark pixels are the circle's */
    const int margin = 12, wide = (800 - 2 * margin) / 2 * 2, left = margin, row = p.height - margin - wide / 2;
    int first = -1, last = -1;
    for (int x = left; x < left + wide; x++)
        if (darkness(at(&p, x, row)) > 180) {
            first = first < 0 ? x : first;
            last = x;
        }
    assert_in_range(first, left + wide / 4 - 5, left + wide / 4 + 5);
    assert_in_range(last, left + 3 * wide / 4 - 5, left + 3 * wide / 4 + 5);
    cairo_surface_destroy(p.surface);
    unlink(path);
    ts_sdf_body_free(ball);
}

static size_t dark_pixels(const char *path)
{
    page p = open_page(path);
    size_t count = 0;
    for (int y = p.height / 10; y < p.height; y++) /* without the legend */
        for (int x = 0; x < p.width; x++)
            count += darkness(at(&p, x, y)) > 200;
    cairo_surface_destroy(p.surface);
    unlink(path);
    return count;
}

/* Contacts out of reach, or of no weight, are not drawn; others are. */
static void contacts_within_reach_are_drawn(void **state)
{
    (void)state;
    const char path[] = "test_draw_smooth_contacts.png";
    ts_sdf_body *ball = ts_test_superquadric((ts_vec3){1, 1, 1}, 1, 1, 4);
    double point[3][3] = {{0, 0, 1}, {0.3, 0, 1}, {-0.3, 0, 1}}, gap[3] = {0, 0, 0}, weight[3] = {1, 1, 1};
    double normal[3][3] = {{0, 0, 1}, {0, 0, 1}, {0, 0, 1}},
           indicator[3][4] = {{1, 1, 1, 1}, {1, 1, 1, 1}, {1, 1, 1, 1}};
    ts_contacts_picture picture = {.body = {ball, ball},
                                   .pose = {{{0, 0, 0}, {1, 0, 0, 0}}, {{0, 0, 2}, {1, 0, 0, 0}}},
                                   .contact = {point, gap, normal, weight, indicator},
                                   .count = 3,
                                   .vertex_count = 2};
    const ts_smooth_look look = {.width = 600};
    OK(ts_draw_contacts(path, &picture, &look, ERROR));
    const size_t all = dark_pixels(path);
    picture.hue = TS_HUE_INSIDE; /* the edge's alone */
    OK(ts_draw_contacts(path, &picture, &look, ERROR));
    const size_t edge = dark_pixels(path);
    picture.hue = TS_HUE_WEIGHT;
    gap[0] = gap[1] = 1;
    weight[2] = 0.001;
    OK(ts_draw_contacts(path, &picture, &look, ERROR));
    const size_t none = dark_pixels(path);
    assert_true(edge > none + 100);
    assert_true(all > none + 2 * (edge - none));
    ts_sdf_body_free(ball);
}

static void sizes_that_make_no_sense_are_refused(void **state)
{
    (void)state;
    ts_error error;
    const ts_levels_panel panel = {0};
    ts_levels_picture picture = {.panel = &panel, .columns = 1, .rows = 1, .half = 0};
    assert_int_equal(ts_draw_levels("x.png", &picture, &(ts_smooth_look){0}, &error), TS_BAD_INPUT);
    picture.half = 1;
    assert_int_equal(ts_draw_levels("x.png", &picture, &(ts_smooth_look){.width = 10}, &error), TS_BAD_INPUT);
    picture.columns = 9;
    assert_int_equal(ts_draw_levels("x.png", &picture, &(ts_smooth_look){0}, &error), TS_BAD_INPUT);
}
#endif

int main(void)
{
    const struct CMUnitTest test[] = {
        cmocka_unit_test(an_arrow_goes_from_foot_to_tip),
        cmocka_unit_test(coloured_glass_is_between_glass_and_solid),
#if TS_WITH_CAIRO
        cmocka_unit_test(a_slice_of_a_ball_is_a_circle),
        cmocka_unit_test(contacts_within_reach_are_drawn),
        cmocka_unit_test(sizes_that_make_no_sense_are_refused),
#endif
    };
    return cmocka_run_group_tests(test, NULL, NULL);
}
