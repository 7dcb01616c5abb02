/* SPDX-License-Identifier: MIT */
/* Colours: published values of the maps, even lightness, and a palette that everybody can tell apart. */
#include <math.h>

#include "record/colour.h"
#include "support/check.h"

static double lightness(ts_colour colour)
{
    double lab[3];
    ts_colour_oklab(colour, lab);
    return lab[0];
}

/* Ottosson's own examples of OKLab, and white and black. */
static void oklab_is_as_published(void **unused)
{
    (void)unused;
    static const struct {
        uint32_t rgb;
        double lab[3];
    } known[] = {{0xFFFFFF, {1, 0, 0}},
                 {0x000000, {0, 0, 0}},
                 {0xFF0000, {0.62796, 0.22486, 0.12585}},
                 {0x00FF00, {0.86644, -0.23389, 0.17950}},
                 {0x0000FF, {0.45201, -0.03246, -0.31153}}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        double lab[3];
        ts_colour_oklab(ts_colour_of(known[i].rgb), lab);
        for (int k = 0; k < 3; k++)
            NEAR(lab[k], known[i].lab[k], 1e-4);
        assert_int_equal(ts_colour_pixel(ts_colour_of(known[i].rgb)), known[i].rgb);
    }
}

/* Entries 0, 64, 128, 191 and 255 of the published table of viridis, and its ends stay where they are beyond [0, 1]. */
static void viridis_is_as_published(void **unused)
{
    (void)unused;
    static const struct {
        double t;
        double rgb[3];
    } known[] = {{-3, {0.267004, 0.004874, 0.329415}},
                 {0, {0.267004, 0.004874, 0.329415}},
                 {64 / 255.0, {0.229739, 0.322361, 0.545706}},
                 {128 / 255.0, {0.127568, 0.566949, 0.550556}},
                 {191 / 255.0, {0.360741, 0.785964, 0.387814}},
                 {1, {0.993248, 0.906157, 0.143936}},
                 {7, {0.993248, 0.906157, 0.143936}}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        ts_colour c = ts_colour_map_at(TS_MAP_VIRIDIS, known[i].t);
        NEAR(c.r, known[i].rgb[0], 2.5 / 255);
        NEAR(c.g, known[i].rgb[1], 2.5 / 255);
        NEAR(c.b, known[i].rgb[2], 2.5 / 255);
    }
}

static void maps_rise_or_fall_in_lightness(void **unused)
{
    (void)unused;
    static const struct {
        ts_colour_map map;
        double sign;
    } maps[] = {{TS_MAP_VIRIDIS, 1}, {TS_MAP_MAGMA, 1}, {TS_MAP_MAGMA_REVERSED, -1}};
    for (size_t m = 0; m < sizeof maps / sizeof *maps; m++) {
        double before = lightness(ts_colour_map_at(maps[m].map, 0));
        double all = lightness(ts_colour_map_at(maps[m].map, 1)) - before;
        assert_true(maps[m].sign * all > 0.45);
        for (int i = 1; i <= 1000; i++) {
            double now = lightness(ts_colour_map_at(maps[m].map, i / 1000.0)), step = now - before;
            assert_true(maps[m].sign * step > 0);
            assert_true(fabs(step) < 4 * fabs(all) / 1000); /* evenly, more or less */
            before = now;
        }
    }
}

static void wheel_is_round(void **unused)
{
    (void)unused;
    for (int i = 0; i < 360; i++) {
        ts_colour c = ts_colour_map_at(TS_MAP_WHEEL, i / 360.0), next = ts_colour_map_at(TS_MAP_WHEEL, i / 360.0 + 3);
        NEAR(lightness(c), 0.72, 0.005); /* also: nothing was clipped */
        NEAR(c.r, next.r, 1e-9);
        NEAR(c.g, next.g, 1e-9);
        NEAR(c.b, next.b, 1e-9);
    }
    ts_colour_map_at(TS_MAP_WHEEL, (double)NAN);
    ts_colour low = ts_colour_map_at(TS_MAP_VIRIDIS, (double)NAN);
    assert_int_equal(ts_colour_pixel(low), 0x440154);
}

/* ---- The palette under simulated colour blindness ---- */

static double to_linear(double c)
{
    return c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4);
}

static double from_linear(double c)
{
    c = fmin(fmax(c, 0), 1);
    return c <= 0.0031308 ? c * 12.92 : 1.055 * pow(c, 1 / 2.4) - 0.055;
}

static ts_colour seen_with(ts_colour colour, const double m[3][3])
{
    double in[3] = {to_linear(colour.r), to_linear(colour.g), to_linear(colour.b)}, out[3];
    for (int i = 0; i < 3; i++)
        out[i] = from_linear(m[i][0] * in[0] + m[i][1] * in[1] + m[i][2] * in[2]);
    return (ts_colour){out[0], out[1], out[2]};
}

static double distance(ts_colour a, ts_colour b)
{
    double p[3], q[3];
    ts_colour_oklab(a, p);
    ts_colour_oklab(b, q);
    return sqrt((p[0] - q[0]) * (p[0] - q[0]) + (p[1] - q[1]) * (p[1] - q[1]) + (p[2] - q[2]) * (p[2] - q[2]));
}

static void palette_is_told_apart_by_everybody(void **unused)
{
    (void)unused;
    /* Machado, Oliveira and Fernandes (2009), severity 1.0 */
    static const double sight[4][3][3] = {
        {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
        {{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}},
        {{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}},
        {{1.255528, -0.076749, -0.178779}, {-0.078411, 0.930809, 0.147602}, {0.004733, 0.691367, 0.303900}}};
    for (int k = 0; k < 4; k++) {
        for (size_t i = 0; i < TS_PALETTE_COUNT; i++) {
            for (size_t j = 0; j < i; j++) {
                double apart = distance(seen_with(ts_colour_kind(i), sight[k]), seen_with(ts_colour_kind(j), sight[k]));
                if (apart < 0.09)
                    fail_msg("kinds %zu and %zu are only %g apart for sight %d", i, j, apart, k);
            }
        }
    }
}

static void colours_grow_lighter_and_darker(void **unused)
{
    (void)unused;
    for (size_t i = 0; i < TS_PALETTE_COUNT; i++) {
        ts_colour c = ts_colour_kind(i);
        double before = lightness(c);
        NEAR(lightness(ts_colour_lighten(c, 0.05)), before + 0.05, 0.02);
        NEAR(lightness(ts_colour_lighten(c, -0.1)), before - 0.1, 0.02);
        /* kinds beyond the palette are shades of it, and are all different */
        assert_true(lightness(ts_colour_kind(i + TS_PALETTE_COUNT)) > before + 0.03);
        assert_true(lightness(ts_colour_kind(i + 2 * TS_PALETTE_COUNT)) < before - 0.03);
    }
    ts_colour_kind(SIZE_MAX);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(oklab_is_as_published),
        cmocka_unit_test(viridis_is_as_published),
        cmocka_unit_test(maps_rise_or_fall_in_lightness),
        cmocka_unit_test(wheel_is_round),
        cmocka_unit_test(palette_is_told_apart_by_everybody),
        cmocka_unit_test(colours_grow_lighter_and_darker),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
