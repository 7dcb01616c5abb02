/* SPDX-License-Identifier: MIT */
/* Pictures, judged by their pixels. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/vec.h"
#include "record/draw.h"
#include "record/draw_label.h"
#include "support/check.h"

static const ts_disc one[] = {{0, 0, 1}};
static const ts_disc two[] = {{-0.6, 0, 0.8}, {0.6, 0, 0.8}};
static const ts_picture_shape shapes[] = {{one, 1, NULL}, {two, 2, NULL}};

/* A scale from 0 to 1, so that value 0 is viridis' published first colour and 1 its last. */
static const ts_picture_key scale = {
    .kind = TS_KEY_SCALE, .map = TS_MAP_VIRIDIS, .low = 0, .high = 1, .label = "speed", .unit = "m/s"};
static const uint32_t purple = 0x440154, yellow = 0xFDE725;

/* Grains alone. */
static ts_draw_options bare(int width, int height)
{
    ts_draw_options options = ts_default_draw_options();
    options.width = width;
    options.height = height;
    options.outline = options.mark = options.variation = options.labels = options.scale_bar = false;
    return options;
}

static ts_canvas *canvas_of(const ts_draw_options *options)
{
    ts_canvas *canvas;
    OK(ts_canvas_create(options, &canvas, ERROR));
    return canvas;
}

/* Draws and returns a copy of the pixels; free with ts_free. */
static uint32_t *drawn(const ts_draw_options *options, const ts_picture *picture, const ts_picture_key *key,
                       ts_box view)
{
    size_t count = (size_t)options->width * (size_t)options->height;
    ts_canvas *canvas = canvas_of(options);
    OK(ts_canvas_draw(canvas, picture, key, view, ERROR));
    uint32_t *copy = ts_alloc(count, sizeof *copy);
    memcpy(copy, ts_canvas_pixels(canvas), count * sizeof *copy);
    ts_canvas_free(canvas);
    return copy;
}

static ts_picture picture_of(const ts_picture_body *body, size_t count)
{
    return (ts_picture){.shape = shapes, .shape_count = 2, .body = body, .body_count = count};
}

static int brightness(uint32_t pixel)
{
    return (int)(pixel >> 16 & 255) + (int)(pixel >> 8 & 255) + (int)(pixel & 255);
}

/* ---- Grains ---- */

/* First and last column and row with this very colour. */
typedef struct extent {
    int x0, x1, y0, y1;
} extent;

static extent extent_of(const uint32_t *pixel, int width, int height, uint32_t colour)
{
    extent e = {width, -1, height, -1};
    for (int y = 0; y < height; y++) {
        for (int x = 0; x < width; x++) {
            if (pixel[y * width + x] != colour)
                continue;
            e.x0 = x < e.x0 ? x : e.x0;
            e.x1 = x > e.x1 ? x : e.x1;
            e.y0 = y < e.y0 ? y : e.y0;
            e.y1 = y > e.y1 ? y : e.y1;
        }
    }
    assert_true(e.x1 > e.x0 && e.y1 > e.y0);
    return e;
}

static void a_disc_has_its_colour_and_nothing_else_has(void **unused)
{
    (void)unused;
    enum { W = 400, H = 200 };
    ts_draw_options options = bare(W, H);
    ts_picture_body body[] = {{.x = -5, .y = 0, .scale = 2, .value = 0}, {.x = 5, .y = 1, .scale = 2, .value = 1}};
    ts_picture picture = picture_of(body, 2);
    uint32_t *pixel = drawn(&options, &picture, &scale, (ts_box){-10, -4, 10, 4});
    extent a = extent_of(pixel, W, H, purple), b = extent_of(pixel, W, H, yellow);
    double metre = (a.x1 - a.x0 + 2) / 4.0; /* [px]; softness takes half a pixel on each side */
    assert_true(metre > 10);
    NEAR((a.y1 - a.y0 + 2) / 4.0, metre, 0.3); /* round */
    NEAR((b.x1 - b.x0 + 2) / 4.0, metre, 0.3);
    NEAR((b.x0 + b.x1 - a.x0 - a.x1) / 2.0, 10 * metre, 3); /* ten metres apart */
    NEAR((a.y0 + a.y1 - b.y0 - b.y1) / 2.0, metre, 2);      /* y points up */
    NEAR((a.x0 + b.x1) / 2.0, W / 2.0, 1.5);                /* the view is in the middle */

    /* every pixel inside is the disc's, every one outside is paper */
    double x = (a.x0 + a.x1) / 2.0, y = (a.y0 + a.y1) / 2.0;
    for (int i = 0; i < W * H; i++) {
        double distance = hypot(i % W - x, i / W - y) / metre;
        if (distance < 1.9)
            assert_int_equal(pixel[i], purple);
        if (distance > 2.1 && i % W < W / 2)
            assert_int_equal(pixel[i], pixel[0]);
    }
    ts_free(pixel);
}

/* The share of ink in each pixel, added up, where a pixel of `purple` is 1. */
static double ink_of(const uint32_t *pixel, int count)
{
    double ink = 0, paper = brightness(pixel[0]), full = paper - brightness(purple);
    for (int i = 0; i < count; i++)
        ink += (paper - brightness(pixel[i])) / full;
    return ink;
}

/* The ink of a disc is its area, wherever it lies between pixels and also when it is smaller than one: areas of any two
 * are as the squares of their radii. */
static void ink_is_area(void **unused)
{
    (void)unused;
    enum { SIDE = 100 };
    ts_draw_options options = bare(SIDE, SIDE);
    static const double radius[] = {30, 11.3, 4, 1.5, 1.1, 0.8, 0.3};
    double per_square_metre = 0; /* from the largest */
    for (size_t k = 0; k < sizeof radius / sizeof *radius; k++) {
        double mean = 0;
        for (int place = 0; place < 16; place++) {
            ts_picture_body body = {.x = place % 4 * 0.25 + 0.03, .y = place / 4 * 0.25 + 0.11, .scale = radius[k]};
            ts_picture picture = picture_of(&body, 1);
            uint32_t *pixel = drawn(&options, &picture, &scale, (ts_box){-35, -35, 35, 35});
            mean += ink_of(pixel, SIDE * SIDE) / 16;
            ts_free(pixel);
        }
        double area = TS_PI * radius[k] * radius[k];
        if (k == 0)
            per_square_metre = mean / area;
        NEAR(mean / area, per_square_metre, 0.03 * per_square_metre);
    }
}

/* A cluster is one thing: its rim is around it, and none runs through it. */
static void a_cluster_has_no_inner_rim(void **unused)
{
    (void)unused;
    ts_draw_options options = bare(300, 200);
    options.outline = true;
    ts_picture_body body = {.scale = 1, .shape = 1, .value = 1};
    ts_picture picture = picture_of(&body, 1);
    uint32_t *pixel = drawn(&options, &picture, &scale, (ts_box){-1.6, -1, 1.6, 1});
    int row = -1;
    for (int y = 0; y < 200 && row < 0; y++)
        row = pixel[y * 300 + 150] == yellow ? y : -1;
    int bottom = row;
    while (pixel[bottom * 300 + 150] == yellow)
        bottom++;
    row = (row + bottom) / 2; /* through both centres */

    int left = 0, right = 299;
    while (pixel[row * 300 + left] != yellow)
        left++;
    while (pixel[row * 300 + right] != yellow)
        right--;
    assert_true(right - left > 200);
    for (int x = left; x <= right; x++)
        assert_int_equal(pixel[row * 300 + x], yellow);
    /* and a rim, darker than both, at either end */
    int edge = brightness(yellow), rims = 0;
    for (int x = left - 4; x < left; x++)
        rims += brightness(pixel[row * 300 + x]) < edge - 60;
    assert_true(rims >= 1);
    ts_free(pixel);
}

/* The same cluster turned by a quarter is the same picture turned by a quarter. */
static void clusters_turn_counter_clockwise(void **unused)
{
    (void)unused;
    static const ts_disc uneven[] = {{-0.5, 0, 0.6}, {0.7, 0, 0.3}};
    ts_picture_shape shape = {uneven, 2, NULL};
    ts_draw_options options = bare(101, 101);
    ts_box view = {-2, -2, 2, 2};
    ts_picture_body flat = {.scale = 1}, upright = {.scale = 1, .angle = TS_PI / 2};
    ts_picture picture = {.shape = &shape, .shape_count = 1, .body = &flat, .body_count = 1};
    uint32_t *a = drawn(&options, &picture, &scale, view);
    picture.body = &upright;
    uint32_t *b = drawn(&options, &picture, &scale, view);
    /* the thin end: right of the middle in the first, above it in the second */
    int thin_a = 0, thick_a = 0, thin_b = 0, thick_b = 0;
    for (int i = 0; i < 101 * 101; i++) {
        thin_a += a[i] == purple && i % 101 > 60;
        thick_a += a[i] == purple && i % 101 < 41;
        thin_b += b[i] == purple && i / 101 < 41;
        thick_b += b[i] == purple && i / 101 > 60;
    }
    assert_true(thin_a > 0 && thin_b > 0 && thick_a > 2 * thin_a && thick_b > 2 * thin_b);
    ts_free(a);
    ts_free(b);
}

static void fixed_grains_are_grey_and_hidden_ones_are_not_there(void **unused)
{
    (void)unused;
    ts_draw_options options = bare(60, 60);
    ts_picture_body body = {.scale = 1, .fixed = true, .value = 1};
    ts_picture picture = picture_of(&body, 1);
    uint32_t *pixel = drawn(&options, &picture, &scale, (ts_box){-1, -1, 1, 1});
    uint32_t middle = pixel[30 * 60 + 30];
    int r = (int)(middle >> 16 & 255), g = (int)(middle >> 8 & 255), b = (int)(middle & 255);
    assert_true(abs(r - g) < 8 && abs(g - b) < 8 && middle != pixel[0]);
    ts_free(pixel);
    body.hidden = true;
    pixel = drawn(&options, &picture, &scale, (ts_box){-1, -1, 1, 1});
    for (int i = 0; i < 60 * 60; i++)
        assert_int_equal(pixel[i], pixel[0]);
    ts_free(pixel);
}

/* ---- Walls and lines ---- */

static void walls_are_solid_on_one_side(void **unused)
{
    (void)unused;
    ts_draw_options options = bare(120, 120);
    ts_picture_wall walls[] = {{.kind = TS_WALL_FLAT, .ny = 3}, {.kind = TS_WALL_CIRCLE, .radius = 0.5}};
    ts_picture picture = {.wall = &walls[0], .wall_count = 1};
    ts_box view = {-1, -1, 1, 1};
    uint32_t *pixel = drawn(&options, &picture, &scale, view);
    uint32_t paper = pixel[0];
    int edge = 0;
    while (edge < 120 && pixel[edge * 120 + 60] == paper)
        edge++;
    assert_true(abs(edge - 60) < 8); /* y = 0 is about the middle */
    for (int y = 0; y < edge; y++)
        for (int x = 0; x < 120; x++)
            assert_int_equal(pixel[y * 120 + x], paper); /* free above, everywhere */
    assert_true(brightness(pixel[(edge + 1) * 120 + 60]) < brightness(paper) - 100);
    ts_free(pixel);

    picture.wall = &walls[1];
    pixel = drawn(&options, &picture, &scale, view);
    assert_int_equal(pixel[60 * 120 + 60], paper);
    int inside = 60;
    while (pixel[60 * 120 + inside] == paper)
        inside++;
    assert_true(inside > 75 && inside < 95); /* half way to the border */
    assert_int_not_equal(pixel[60 * 120 + inside + 6], paper);
    ts_free(pixel);
}

static void force_chains_lie_over_faded_grains(void **unused)
{
    (void)unused;
    ts_draw_options options = bare(200, 100);
    ts_picture_body body[] = {{.x = -1, .scale = 1, .value = 0}, {.x = 1, .scale = 1, .value = 0}};
    ts_picture picture = picture_of(body, 2);
    ts_picture_line line = {-1, 0, 1, 0, 0.2};
    ts_box view = {-2, -1, 2, 1};
    uint32_t *plain = drawn(&options, &picture, &scale, view);
    picture.line = &line;
    picture.line_count = 1;
    picture.faded = true;
    uint32_t *chained = drawn(&options, &picture, &scale, view);
    int red = 0, paler = 0;
    for (int i = 0; i < 200 * 100; i++) {
        int r = (int)(chained[i] >> 16 & 255), g = (int)(chained[i] >> 8 & 255), b = (int)(chained[i] & 255);
        if (r > 2 * g && r > 2 * b)
            red++;
        else if (plain[i] == purple && brightness(chained[i]) > brightness(purple) + 150)
            paler++;
    }
    /* 2 × 0.2 of the 2π that both discs cover, in round numbers; the rest of the grains is pale */
    double share = (double)red / (red + paler);
    assert_true(share > 0.04 && share < 0.09);
    ts_free(plain);
    ts_free(chained);
}

/* ---- What must not matter ---- */

#define CROWD 500

static void make_crowd(ts_picture_body *body)
{
    for (size_t i = 0; i < CROWD; i++)
        body[i] = (ts_picture_body){.x = (double)(i % 25),
                                    .y = (double)(i / 25) * 0.9,
                                    .scale = 0.3 + 0.02 * (double)(i % 11),
                                    .angle = (double)i,
                                    .shape = (int32_t)(i % 3 == 0),
                                    .value = (double)(i % 7) / 6,
                                    .fixed = i % 17 == 0};
}

static void what_is_not_finite_is_left_out(void **unused)
{
    (void)unused;
    ts_draw_options options = bare(160, 120);
    options.outline = options.mark = true;
    ts_picture_body good[CROWD], mixed[CROWD + 12];
    make_crowd(good);
    memcpy(mixed, good, sizeof good);
    const double bad[] = {(double)NAN, (double)INFINITY, -(double)INFINITY, 1e308};
    for (size_t k = 0; k < 12; k++) {
        mixed[CROWD + k] = good[3];
        double *number[] = {&mixed[CROWD + k].x, &mixed[CROWD + k].y, &mixed[CROWD + k].scale};
        *number[k / 4] =
            k == 11 ? (double)NAN : bad[k % 4]; /* a body of 1e308 metres covers everything: not this one */
    }
    ts_box view = {-1, -1, 26, 19};
    ts_picture_wall wall[] = {{.kind = TS_WALL_FLAT, .ny = 1},
                              {.kind = TS_WALL_FLAT, .x = (double)NAN, .ny = 1},
                              {.kind = TS_WALL_FLAT, .nx = 0, .ny = 0},
                              {.kind = TS_WALL_CIRCLE, .radius = (double)INFINITY},
                              {.kind = TS_WALL_CIRCLE, .radius = -1}};
    ts_picture_line line[] = {
        {1, 1, 5, 5, 0.2}, {1, 1, (double)NAN, 2, 0.2}, {0, 0, 1, 1, (double)INFINITY}, {0, 0, 1e300, 1, 1}};
    ts_picture clean = picture_of(good, CROWD), dirty = picture_of(mixed, CROWD + 12);
    clean.wall = dirty.wall = wall;
    clean.wall_count = 1;
    dirty.wall_count = 5;
    clean.line = dirty.line = line;
    clean.line_count = 1;
    dirty.line_count = 4;
    uint32_t *a = drawn(&options, &clean, &scale, view), *b = drawn(&options, &dirty, &scale, view);
    assert_memory_equal(a, b, 160 * 120 * 4);
    ts_free(a);
    ts_free(b);
    mixed[CROWD].value = (double)NAN; /* a colour that is none must not harm either, nor a shape that is none */
    mixed[CROWD].x = 1;
    mixed[CROWD + 1].x = 2;
    mixed[CROWD + 1].shape = 99;
    mixed[CROWD + 2].x = 2;
    mixed[CROWD + 2].shape = -1;
    ts_free(drawn(&options, &dirty, &scale, TS_BOX_NONE));
}

static void threads_change_nothing(void **unused)
{
    (void)unused;
    ts_picture_body body[CROWD];
    make_crowd(body);
    ts_picture picture = picture_of(body, CROWD);
    for (int fine = 1; fine <= 3; fine += 2) {
        ts_draw_options options = bare(163, 121);
        options.outline = options.mark = true;
        options.supersample = fine;
        uint32_t *alone = drawn(&options, &picture, &scale, TS_BOX_NONE);
        OK(ts_pool_create(3, &options.pool, ERROR));
        uint32_t *together = drawn(&options, &picture, &scale, TS_BOX_NONE);
        assert_memory_equal(alone, together, 163 * 121 * 4);
        ts_pool_free(options.pool);
        ts_free(alone);
        ts_free(together);
    }
}

/* A scene a million times smaller or larger is the same picture: exactly, when the factor is a power of two. */
static void size_of_the_scene_does_not_matter(void **unused)
{
    (void)unused;
    ts_draw_options options = bare(160, 120);
    options.outline = options.mark = true;
    ts_picture_body body[CROWD];
    uint32_t *reference = NULL;
    static const double factor[] = {1, 0x1p-20, 0x1p20};
    for (int k = 0; k < 3; k++) {
        make_crowd(body);
        for (size_t i = 0; i < CROWD; i++) {
            body[i].x *= factor[k];
            body[i].y *= factor[k];
            body[i].scale *= factor[k];
        }
        ts_picture picture = picture_of(body, CROWD);
        uint32_t *pixel = drawn(&options, &picture, &scale, TS_BOX_NONE);
        if (!reference) {
            reference = pixel;
            continue;
        }
        assert_memory_equal(pixel, reference, 160 * 120 * 4);
        ts_free(pixel);
    }
    ts_free(reference);
}

/* Supersampling changes edges a little and nothing else. */
static void supersampling_agrees(void **unused)
{
    (void)unused;
    ts_draw_options options = bare(160, 120);
    ts_picture_body body[CROWD];
    make_crowd(body);
    ts_picture picture = picture_of(body, CROWD);
    uint32_t *plain = drawn(&options, &picture, &scale, TS_BOX_NONE);
    options.supersample = 4;
    uint32_t *fine = drawn(&options, &picture, &scale, TS_BOX_NONE);
    double difference = 0;
    for (int i = 0; i < 160 * 120; i++)
        difference += abs(brightness(plain[i]) - brightness(fine[i]));
    assert_true(difference > 0 && difference / (160 * 120) < 10); /* of 765 */
    ts_free(plain);
    ts_free(fine);
}

/* ---- The view ---- */

static ts_box box_of(const ts_picture *picture)
{
    ts_box box;
    OK(ts_picture_box(picture, &box, ERROR));
    assert_true(ts_box_given(box) && box.x1 > box.x0 && box.y1 > box.y0);
    return box;
}

static void one_that_flew_away_does_not_count(void **unused)
{
    (void)unused;
    ts_picture_body body[CROWD + 2];
    make_crowd(body);
    ts_picture picture = picture_of(body, CROWD);
    ts_box near = box_of(&picture);
    assert_true(near.x0 < 0 && near.x1 > 24 && near.y0 < 0 && near.y1 > 17);
    body[CROWD] = (ts_picture_body){.x = 1e6, .y = 5, .scale = 1};
    body[CROWD + 1] = (ts_picture_body){.x = 5, .y = -1e9, .scale = 1};
    picture.body_count = CROWD + 2;
    ts_box far = box_of(&picture);
    NEAR(far.x0, near.x0, 0);
    NEAR(far.x1, near.x1, 0);
    NEAR(far.y0, near.y0, 0);
    NEAR(far.y1, near.y1, 0);
    /* but the thin front of a flow does: one grain a bit ahead of the others */
    body[CROWD] = (ts_picture_body){.x = 29, .y = 0, .scale = 1};
    assert_true(box_of(&picture).x1 >= 30);
}

static void views_without_size_work(void **unused)
{
    (void)unused;
    ts_draw_options options = bare(64, 48);
    ts_picture_body body = {.x = 7, .y = -3, .scale = 0.25};
    ts_picture lone = picture_of(&body, 1), empty = {0};
    ts_box box = box_of(&lone);
    assert_true(box.x0 <= 6.75 && box.x1 >= 7.25 && box.x1 - box.x0 < 5);
    uint32_t *pixel = drawn(&options, &lone, &scale, TS_BOX_NONE);
    assert_int_equal(pixel[24 * 64 + 32], purple);
    ts_free(pixel);
    box_of(&empty);
    ts_free(drawn(&options, &empty, &scale, TS_BOX_NONE));
    /* boxes by hand: a point, a line */
    ts_free(drawn(&options, &lone, &scale, (ts_box){7, -3, 7, -3}));
    ts_free(drawn(&options, &lone, &scale, (ts_box){0, 1, 9, 1}));
    body = (ts_picture_body){.x = 1e300, .y = 1e300, .scale = 1};
    box_of(&lone);
    body = (ts_picture_body){.x = 1e12, .y = 0, .scale = 1e-9};
    ts_free(drawn(&options, &lone, &scale, TS_BOX_NONE));
    /* a key whose scale has no extent */
    ts_picture_key flat = scale;
    flat.low = flat.high = 3;
    ts_free(drawn(&options, &lone, &flat, TS_BOX_NONE));
    flat.high = (double)NAN;
    ts_free(drawn(&options, &lone, &flat, TS_BOX_NONE));
}

static void containers_are_seen_whole(void **unused)
{
    (void)unused;
    ts_picture_body body[CROWD];
    make_crowd(body);
    ts_picture picture = picture_of(body, CROWD);
    ts_picture_wall drum = {.kind = TS_WALL_CIRCLE, .x = 12, .y = 9, .radius = 20};
    picture.wall = &drum;
    picture.wall_count = 1;
    ts_box box = box_of(&picture);
    assert_true(box.x0 <= -8 && box.x1 >= 32 && box.y0 <= -11 && box.y1 >= 29);
    drum = (ts_picture_wall){.kind = TS_WALL_FLAT, .y = -5, .ny = 1}; /* a floor a little below */
    assert_true(box_of(&picture).y0 <= -5);
    drum.y = -5000;
    assert_true(box_of(&picture).y0 > -30);
}

/* A bowl of fixed bodies beside the crowd, which is 25 wide, is seen to its far end; one that would make the view
 * four times as wide is not. */
static void bowls_are_seen_whole(void **unused)
{
    (void)unused;
    ts_picture_body body[CROWD + 1];
    make_crowd(body);
    for (size_t i = 0; i < CROWD; i++)
        body[i].fixed = false;
    ts_picture picture = picture_of(body, CROWD + 1);
    body[CROWD] = (ts_picture_body){.x = 70, .y = 5, .scale = 1, .fixed = true};
    assert_true(box_of(&picture).x1 >= 71);
    body[CROWD].x = 100;
    assert_true(box_of(&picture).x1 < 50);
}

/* ---- Words ---- */

static void numbers_are_written_as_people_do(void **unused)
{
    (void)unused;
    char text[TS_LABEL_SIZE];
    static const struct {
        double value;
        const char *unit, *text;
    } known[] = {{0.0123, "m", "12.3 mm"}, {0.2, "m", "0.2 m"},         {1500, "N", "1.5 kN"},   {0, "N", "0 N"},
                 {5e-7, "m", "500 nm"},    {2e-5, "m", "20 \xC2\xB5m"}, {999.96, "N", "1000 N"}, {1e9, "N", "1 GN"},
                 {0.05, "m/s", "50 mm/s"}, {3.14159, "s", "3.14 s"},    {1, "m", "1 m"}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        assert_string_equal(ts_label_quantity(known[i].value, known[i].unit, text), known[i].text);
    assert_string_equal(ts_label_number(1.25, 2, text), "1.25");
    assert_string_equal(ts_label_number(-0.004, 2, text), "0.00");
    assert_string_equal(ts_label_number(-90, 0, text), "\xE2\x88\x92"
                                                       "90");
    assert_string_equal(ts_label_number(0.999, 2, text), "1.00");
    ts_label_number((double)NAN, 2, text);
    ts_label_number(1e300, 2, text);
    for (double value = 1.1e-12; value < 1e12; value *= 1.37) {
        double below = ts_nice_below(value), above = ts_nice_above(value);
        assert_true(below <= value * (1 + 1e-6) && below > value / 2.51);
        assert_true(above >= value * (1 - 1e-6) && above < value * 1.51);
    }
}

static void words_stand_above_the_picture(void **unused)
{
    (void)unused;
    ts_draw_options options = ts_default_draw_options();
    options.title =
        "Title with \xFF bytes that are not UTF-8, and \xE2\x82 half a character, and it is much too long for "
        "any picture of this width, so that it must be cut somewhere or other";
    static const char *const names[] = {"disc", NULL, "a name that is longer than any name of a grain ought to be",
                                        "",     "d",  "e",
                                        "f",    "g",  "h",
                                        "i",    "j",  "k",
                                        "l",    "m"};
    ts_picture_body body[CROWD];
    make_crowd(body);
    ts_picture picture = picture_of(body, CROWD);
    picture.time_text = "t = 1.25 s";
    picture.note = "4× slower";
    ts_picture_key kinds = {
        .kind = TS_KEY_KINDS, .name = names, .name_count = 14, .line_label = "force ≥ 12 N", .line_width = 0.1};
    for (int theme = TS_THEME_LIGHT; theme <= TS_THEME_DARK; theme++) {
        options.theme = (ts_theme)theme;
        uint32_t *pixel = drawn(&options, &picture, &kinds, TS_BOX_NONE);
        int inked = 0, under = 0;
        for (int i = 0; i < 1280 * 45; i++)
            inked += abs(brightness(pixel[i]) - brightness(pixel[0])) > 200;
        for (int i = 1280 * 46; i < 1280 * 60; i++) /* between words and view */
            under += pixel[i] != pixel[0];
        assert_true(inked > 2000);
        assert_int_equal(under, 0);
        ts_free(pixel);
        ts_picture_key bar = scale;
        bar.beyond = true;
        ts_free(drawn(&options, &picture, &bar, TS_BOX_NONE));
    }
}

/* ---- Sheets and files ---- */

static void sheets_have_all_their_panels(void **unused)
{
    (void)unused;
    ts_draw_options options = ts_default_draw_options();
    ts_box view = {-1, -1, 1, 1};
    options.width = 900;
    options.height = ts_canvas_fitting_height(&options, 3, 2, view);
    assert_true(options.height > 500 && options.height < 900); /* two rows of squares that are a third of the width */
    ts_canvas *canvas = canvas_of(&options);
    ts_error error;
    assert_int_equal(ts_canvas_sheet_begin(canvas, 0, 2, &scale, view, &error), TS_BAD_INPUT);
    assert_int_equal(ts_canvas_sheet_begin(canvas, 60, 60, &scale, view, &error), TS_BAD_INPUT);
    assert_int_equal(ts_canvas_sheet_begin(canvas, 3, 2, &scale, TS_BOX_NONE, &error), TS_BAD_INPUT);
    assert_int_equal(ts_canvas_sheet_panel(canvas, 0, &(ts_picture){0}, &scale, &error), TS_BAD_INPUT); /* not begun */
    OK(ts_canvas_sheet_begin(canvas, 3, 2, &scale, view, ERROR));
    ts_picture_body body = {.scale = 1, .value = 0};
    ts_picture picture = picture_of(&body, 1);
    picture.time_text = "t = 0 s";
    size_t before = 0;
    for (int panel = 0; panel < 6; panel++) {
        OK(ts_canvas_sheet_panel(canvas, panel, &picture, &scale, ERROR));
        size_t inked = 0;
        const uint32_t *pixel = ts_canvas_pixels(canvas);
        for (int y = 70; y < options.height; y++)
            for (int x = 0; x < 900; x++)
                inked += pixel[y * 900 + x] == purple;
        assert_true(inked > before + 10000); /* each adds its disc, and hides no other */
        before = inked;
    }
    assert_int_equal(ts_canvas_sheet_panel(canvas, 6, &picture, &scale, &error), TS_BAD_INPUT);
    ts_canvas_free(canvas);
}

static ts_status draw_png(const char *path, const ts_picture *picture, const ts_draw_options *options, ts_error *error)
{
    ts_canvas *canvas = NULL;
    OK(ts_canvas_create(options, &canvas, ERROR));
    OK(ts_canvas_draw(canvas, picture, &scale, TS_BOX_NONE, ERROR));
    ts_status status = ts_canvas_write_png(canvas, path, error);
    ts_canvas_free(canvas);
    return status;
}

static void png_files_are_whole(void **unused)
{
    (void)unused;
    ts_draw_options options = bare(77, 33);
    ts_picture_body body = {.scale = 1};
    ts_picture picture = picture_of(&body, 1);
    OK(draw_png("disc.png", &picture, &options, ERROR));
    char *data;
    size_t size;
    OK(ts_file_read("disc.png", 1 << 20, &data, &size, ERROR));
    /* signature, length and name of the first chunk, width, height, then 8 bits RGB; and the last chunk at the end */
    static const unsigned char head[] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1A, '\n', 0, 0, 0,  13, 'I',
                                         'H',  'D', 'R', 0,   0,    0,    77,   0,    0, 0, 33, 8,  2};
    assert_true(size > 100);
    assert_memory_equal(data, head, sizeof head);
    assert_memory_equal(data + size - 8, "IEND", 4);
    ts_free(data);
    assert_int_equal(unlink("disc.png"), 0);
}

static void wrong_wishes_are_refused(void **unused)
{
    (void)unused;
    ts_error error;
    ts_canvas *canvas = NULL;
    ts_picture picture = {0};
    ts_draw_options options = bare(64, 64);
    assert_int_equal(draw_png("no/such/folder/a.png", &picture, &options, &error), TS_IO);
    assert_non_null(strstr(error.message, "no/such/folder/a.png"));
    assert_int_equal(mkdir("folder.png", 0777), 0);
    assert_int_equal(draw_png("folder.png", &picture, &options, &error), TS_IO);
    rmdir("folder.png");
    if (access("/dev/full", W_OK) == 0)
        assert_int_equal(draw_png("/dev/full", &picture, &options, &error), TS_IO);
    static const int wrong[][3] = {{0, 0, 1}, {15, 64, 1}, {64, 16385, 1}, {-5, 64, 1}, {64, 64, 0}, {64, 64, 5}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        options.width = wrong[i][0];
        options.height = wrong[i][1];
        options.supersample = wrong[i][2];
        assert_int_equal(ts_canvas_create(&options, &canvas, &error), TS_BAD_INPUT);
    }
    assert_null(canvas);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_disc_has_its_colour_and_nothing_else_has),
        cmocka_unit_test(ink_is_area),
        cmocka_unit_test(a_cluster_has_no_inner_rim),
        cmocka_unit_test(clusters_turn_counter_clockwise),
        cmocka_unit_test(fixed_grains_are_grey_and_hidden_ones_are_not_there),
        cmocka_unit_test(walls_are_solid_on_one_side),
        cmocka_unit_test(force_chains_lie_over_faded_grains),
        cmocka_unit_test(what_is_not_finite_is_left_out),
        cmocka_unit_test(threads_change_nothing),
        cmocka_unit_test(size_of_the_scene_does_not_matter),
        cmocka_unit_test(supersampling_agrees),
        cmocka_unit_test(one_that_flew_away_does_not_count),
        cmocka_unit_test(views_without_size_work),
        cmocka_unit_test(containers_are_seen_whole),
        cmocka_unit_test(bowls_are_seen_whole),
        cmocka_unit_test(numbers_are_written_as_people_do),
        cmocka_unit_test(words_stand_above_the_picture),
        cmocka_unit_test(sheets_have_all_their_panels),
        cmocka_unit_test(png_files_are_whole),
        cmocka_unit_test(wrong_wishes_are_refused),
    };
    ts_error error;
    ts_canvas *canvas;
    ts_draw_options options = ts_default_draw_options();
    if (ts_canvas_create(&options, &canvas, &error) == TS_UNSUPPORTED) {
        /* a build without Cairo: all that is to be tested is that it says how to mend it */
        printf("%s\n", error.message);
        return strstr(error.message, "libcairo2-dev") ? 77 : 1;
    }
    ts_canvas_free(canvas);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
