/* SPDX-License-Identifier: MIT */
/* Pictures of maps of discs, where the surface of contact is a circle. */
#include "record/draw_map.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

#if TS_WITH_CAIRO
#include <cairo.h>
#endif

#include "base/memory.h"
#include "base/vec.h"
#include "record/draw_slice.h"
#include "support/check.h"

/* A map of two discs whose gap is too large by `shift`. */
typedef struct bench {
    ts_map map;
    double shift;
} bench;

static void ask_shifted(const void *field, size_t count, ts_fields *f)
{
    const bench *b = field;
    for (size_t k = 0; k < count; k++) {
        f->gap[k] = hypot(f->x[k], f->y[k]) - 2 + b->shift;
        f->gx[k] = f->gy[k] = f->gangle[k] = f->arm[k] = 0;
    }
}

static void begin(bench *b, double shift)
{
    ts_outline *o;
    *b = (bench){.shift = shift};
    OK(ts_outline_disc(1, &o, ERROR));
    OK(ts_pair_create(o, o, &b->map.pair, ERROR));
    OK(ts_exact_create(b->map.pair, &b->map.exact, ERROR));
    ts_outline_free(o);
    b->map.fold = ts_fold_make(b->map.pair, false);
    b->map.info = (ts_map_info){.kind = TS_MAP_TABLE, .bytes = 1234};
    b->map.field = b;
    b->map.query = ask_shifted;
}

static void end(bench *b)
{
    ts_exact_free(b->map.exact);
    ts_pair_free(b->map.pair);
}

static void zero_line_is_a_circle(void **state)
{
    (void)state;
    enum { side = 200 };
    bench b;
    begin(&b, 0.3);
    ts_slice s = {.angle = 1, .half = 2.5, .side = side};
    int nodes = ts_slice_nodes(&s);
    double *gap = ts_alloc((size_t)nodes * (size_t)nodes, sizeof *gap);
    s.truth = gap;
    s.cover = ts_alloc(side * side, sizeof *s.cover);
    ts_image image = {ts_alloc(side * side, sizeof(uint32_t)), side, side, side};
    assert_true(gap && s.cover && image.pixel);
    for (int row = 0; row < nodes; row++)
        ts_slice_ask(&s, b.map.exact, row % 2 ? NULL : &b.map, row, gap + row * nodes);
    NEAR(gap[(nodes / 2) * nodes], 0.8, 1e-9);          /* the map's row, left end: 2.5 - 2 + 0.3 */
    NEAR(gap[nodes + nodes / 2], 2.5 - 0.05 - 2, 1e-9); /* the exact gap's second row, in the middle: y is up */
    for (int row = 0; row < nodes; row++)
        ts_slice_ask(&s, b.map.exact, &b.map, row, gap + row * nodes);
    ts_slice_paint_zero(&s, gap, 3, 0xFFFFFF, &image, 0, 0);
    double scale = ts_slice_scale(&s); /* 40 px: the circle has radius 1.7 · 40 */
    for (int y = 0; y < side; y++)
        for (int x = 0; x < side; x++) {
            double off = fabs(hypot(x + 0.5 - side / 2, y + 0.5 - side / 2) - 1.7 * scale);
            uint32_t colour = image.pixel[y * side + x];
            if (off < 0.9)
                assert_int_equal(colour, 0xFFFFFF);
            if (off > 2.1)
                assert_int_equal(colour, 0);
        }
    /* B is shown where it touches */
    ts_slice_touch(&s, b.map.exact, b.map.pair);
    NEAR(hypot(s.touching[0], s.touching[1]), 2, 2e-3);
    assert_true(s.touching[0] > 0 && s.touching[1] > 0);
    ts_free(gap);
    ts_free(s.cover);
    ts_free(image.pixel);
    end(&b);
}

/* Where four crossings meet in a cell, lines keep the sides apart that the middle says. */
static void saddles(void **state)
{
    (void)state;
    enum { side = 2 * TS_SLICE_PITCH };
    float cover[side * side];
    uint32_t pixel[side * side];
    for (int sign = -1; sign <= 1; sign += 2) {
        /* 3 × 3 nodes; the upper left cell has corners 1, -1, 1, -1 around, and a middle of `sign` */
        double v = 1 + 0.8 * sign, w = 1 - 0.8 * sign;
        double value[9] = {v, -w, -1, -w, v, 1, -1, 1, 1};
        ts_slice s = {.half = 1, .side = side, .cover = cover};
        memset(pixel, 0, sizeof pixel);
        ts_slice_paint_zero(&s, value, 0.2, 0xFFFFFF, &(ts_image){pixel, side, side, side}, 0, 0);
        /* a thin line stays off the middle of the cell, at the corner of pixels (0,0) and (1,1), and cuts off the
         * corners of the weaker sign: upper right and lower left for a positive middle */
        uint32_t off = pixel[1] & 0xFF, main = pixel[0] & 0xFF;
        assert_true(sign > 0 ? off > main : main > off);
    }
}

static void colours_tell(void **state)
{
    (void)state;
    assert_true(ts_slice_error_colour(0) == ts_slice_error_colour(1e-4));
    assert_true(ts_slice_error_colour(0.5) == ts_slice_error_colour(0.1));
    assert_true(ts_slice_error_colour(1e-3) != ts_slice_error_colour(1e-2));
    ts_slice_ink look = {.paper = 0xFFFFFF, .inside = 0x0000FF, .outside = 0xFF0000, .deepest = 1, .farthest = 1};
    assert_true((ts_slice_gap_colour(&look, -0.5) & 0xFF) == 0xFF);
    assert_true(ts_slice_gap_colour(&look, 0.5) >> 16 == 0xFF);
    assert_true((ts_slice_gap_colour(&look, 1) & 0xFF) < (ts_slice_gap_colour(&look, 0.1) & 0xFF));
}

static void bad_sizes(void **state)
{
    (void)state;
    bench b;
    begin(&b, 0);
    assert_int_equal(ts_draw_map("bad.png", &b.map, &(ts_map_picture){.width = 20}, ERROR), TS_BAD_INPUT);
    assert_non_null(strstr(ERROR->message, "400 to 8192"));
    assert_int_equal(ts_draw_map("bad.png", &b.map, &(ts_map_picture){.slices = 9}, ERROR), TS_BAD_INPUT);
    assert_int_not_equal(access("bad.png", F_OK), 0);
    end(&b);
}

#if TS_WITH_CAIRO
/* The file, read back by Cairo: the map's zero is a circle, and the bold line of the truth one that is 2 / 1.9 as large
 * about the same centre. */
static void picture(void **state)
{
    (void)state;
    bench b;
    begin(&b, 0.1);
    ts_pool *pool;
    OK(ts_pool_create(2, &pool, ERROR));
    OK(ts_draw_map("map.png", &b.map, &(ts_map_picture){.width = 600, .slices = 2, .pool = pool}, ERROR));
    ts_pool_free(pool);
    cairo_surface_t *surface = cairo_image_surface_create_from_png("map.png");
    assert_int_equal(cairo_surface_status(surface), CAIRO_STATUS_SUCCESS);
    int width = cairo_image_surface_get_width(surface), height = cairo_image_surface_get_height(surface);
    assert_int_equal(width, 600);
    const unsigned char *data = cairo_image_surface_get_data(surface);
    int stride = cairo_image_surface_get_stride(surface);
#define PIXEL(x, y) (*(const uint32_t *)(const void *)(data + (y)*stride + 4 * (x)) & 0xFFFFFF)
    const uint32_t zero = 0xFF5A1F, ink = 0x24282F;
    /* the column of words ends before 0.2 of the width; a second panel begins after 0.58 */
    int x0 = width, x1 = 0, y0 = height, y1 = 0;
    for (int y = 0; y < height; y++)
        for (int x = width / 5; x < 0.58 * width; x++)
            if (PIXEL(x, y) == zero) {
                x0 = x < x0 ? x : x0;
                x1 = x > x1 ? x : x1;
                y0 = y < y0 ? y : y0;
                y1 = y > y1 ? y : y1;
            }
    double cx = 0.5 * (x0 + x1), cy = 0.5 * (y0 + y1), radius = 0.25 * (x1 - x0 + y1 - y0);
    assert_true(radius > 40);
    NEAR(x1 - x0, y1 - y0, 1.5);
    int dark = 0;
    for (int y = 0; y < height; y++)
        for (int x = width / 5; x < 0.58 * width; x++)
            if (PIXEL(x, y) == zero)
                NEAR(hypot(x - cx, y - cy), radius, 2);
    for (int k = 0; k < 16; k++) { /* not where B's centre is marked */
        double angle = TS_PI / 2 + 1.5 * TS_PI * k / 15, r = radius * 2 / 1.9;
        dark += PIXEL((int)lround(cx + r * cos(angle)), (int)lround(cy - r * sin(angle))) == ink;
    }
    assert_true(dark >= 12);
    cairo_surface_destroy(surface);
    unlink("map.png");
    end(&b);
}
#else
static void picture(void **state)
{
    (void)state;
    bench b;
    begin(&b, 0.1);
    assert_int_equal(ts_draw_map("map.png", &b.map, &(ts_map_picture){.width = 600}, ERROR), TS_UNSUPPORTED);
    end(&b);
}
#endif

int main(void)
{
    const struct CMUnitTest test[] = {
        cmocka_unit_test(zero_line_is_a_circle),
        cmocka_unit_test(saddles),
        cmocka_unit_test(colours_tell),
        cmocka_unit_test(bad_sizes),
        cmocka_unit_test(picture),
    };
    return cmocka_run_group_tests(test, NULL, NULL);
}
