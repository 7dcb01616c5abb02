/* SPDX-License-Identifier: MIT */
/* Glyphs against the font's own points: areas by a dense polygon and the shoelace, pieces, holes, advance. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/vec.h"
#include "shape/font.h"
#include "support/check.h"

static char font[2048];

#if TS_WITH_FREETYPE

#include <ft2build.h>
/* a line of its own: the headers below need it */
#include <freetype/freetype.h>

/* Point of a contour of TrueType, with those that are implied between two control points. */
static ts_vec2 between(ts_vec2 a, ts_vec2 b)
{
    return ts_vec2_lerp(a, b, 0.5);
}

static ts_vec2 point(const FT_Outline *o, int i)
{
    return (ts_vec2){(double)o->points[i].x, (double)o->points[i].y};
}

/* Area of one contour, first … last, from `steps` chords a curve. */
static double contour_area(const FT_Outline *o, int first, int last, int steps)
{
    int n = last - first + 1;
    double sum = 0;
    for (int i = 0; i < n; i++) {
        int at = first + i, before = first + (i + n - 1) % n, after = first + (i + 1) % n;
        ts_vec2 p = point(o, at), next = point(o, after);
        if (o->tags[at] & 1) {
            if (o->tags[after] & 1)
                sum += ts_vec2_cross(p, next);
            continue; /* a curve is counted at its control point */
        }
        ts_vec2 a = o->tags[before] & 1 ? point(o, before) : between(point(o, before), p);
        ts_vec2 b = o->tags[after] & 1 ? next : between(p, next), pen = a;
        for (int k = 1; k <= steps; k++) {
            double t = (double)k / steps;
            ts_vec2 q = ts_vec2_lerp(ts_vec2_lerp(a, p, t), ts_vec2_lerp(p, b, t), t);
            sum += ts_vec2_cross(pen, q);
            pen = q;
        }
    }
    return sum / 2;
}

/* Area of a glyph whose contours do not overlap, and its advance, in em. */
static void reference(uint32_t character, double *area, double *advance)
{
    FT_Library library;
    FT_Face face;
    assert_int_equal(FT_Init_FreeType(&library), 0);
    assert_int_equal(FT_New_Face(library, font, 0, &face), 0);
    assert_int_equal(FT_Load_Char(face, character, FT_LOAD_NO_SCALE), 0);
    const FT_Outline *o = &face->glyph->outline;
    double em = face->units_per_EM, sum = 0;
    for (int i = 0, first = 0; i < o->n_contours; first = o->contours[i++] + 1)
        sum += contour_area(o, first, o->contours[i], 2000);
    *area = fabs(sum) / (em * em);
    *advance = (double)face->glyph->metrics.horiAdvance / em;
    FT_Done_Face(face);
    FT_Done_FreeType(library);
}

static void areas(void **state)
{
    (void)state;
    const struct {
        char character;
        size_t contours;
    } glyph[] = {{'O', 2}, {'I', 1}, {'G', 1}, {'i', 2}, {'%', 5}, {'8', 3}, {'@', 2}, {'A', 2}, {'B', 3}};
    for (size_t i = 0; i < sizeof glyph / sizeof *glyph; i++) {
        uint32_t character = (unsigned char)glyph[i].character;
        double area, advance, moves = 0;
        reference(character, &area, &advance);
        for (double share = 1e-3; share > 1e-7; share /= 100) {
            ts_outline *outline = NULL;
            ts_outline_options options = {.tolerance = share};
            OK(ts_outline_read_glyph(font, character, &options, &outline, &moves, ERROR));
            /* the boundary, at most about 6 em long, is off by less than the tolerance of an extent below 1 */
            NEAR(ts_outline_get_mass(outline).area, area, 6 * share);
            NEAR(moves, advance, 1e-12);
            assert_int_equal(ts_outline_contour_count(outline), glyph[i].contours);
            assert_int_equal(ts_outline_note_count(outline), 0);
            ts_outline_free(outline);
        }
    }
}

/* A letter of straight lines is exact, and stands on the base line. */
static void straight(void **state)
{
    (void)state;
    double area, advance;
    reference('I', &area, &advance);
    ts_outline *outline = NULL;
    OK(ts_outline_read_glyph(font, 'I', NULL, &outline, NULL, ERROR));
    NEAR(ts_outline_get_mass(outline).area, area, 1e-15);
    ts_contour contour = ts_outline_get_contour(outline, 0);
    assert_int_equal(contour.vertex_count, 4);
    double low = 1;
    for (size_t i = 0; i < 4; i++) {
        assert_true(contour.vertex[i].bulge == 0);
        low = fmin(low, contour.vertex[i].y);
    }
    assert_true(low == 0);
    ts_outline_free(outline);
}

static void refusals(void **state)
{
    (void)state;
    ts_outline *outline = NULL;
    const struct {
        uint32_t character;
        const char *words;
    } bad[] = {{0x4e2d, "no glyph for U+4E2D"},
               {0x1f600, "no glyph for U+1F600"},
               {' ', "U+0020"},
               {0xffffffff, "U+FFFFFFFF"}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_int_equal(ts_outline_read_glyph(font, bad[i].character, NULL, &outline, NULL, ERROR), TS_BAD_INPUT);
        if (!strstr(ERROR->message, bad[i].words))
            fail_msg("%s", ERROR->message);
        assert_null(outline);
    }
    assert_non_null(strstr((ts_outline_read_glyph(font, ' ', NULL, &outline, NULL, ERROR), ERROR->message), "blank"));
    assert_int_equal(ts_outline_read_glyph("no-such.ttf", 'a', NULL, &outline, NULL, ERROR), TS_IO);
}

/* Cut off anywhere it is refused, or gives the glyph; never anything else. */
static void cut_off(void **state)
{
    (void)state;
    char *data = NULL;
    size_t size = 0;
    OK(ts_file_read(font, 1 << 24, &data, &size, ERROR));
    double area, advance;
    reference('O', &area, &advance);
    for (size_t length = 0; length < size; length += 1 + size / 64) {
        char *copy = malloc(length + 1);
        assert_non_null(copy);
        memcpy(copy, data, length);
        ts_outline *outline = NULL;
        ts_font_bytes bytes = {copy, length, "cut.ttf"};
        ts_status status = ts_outline_parse_glyph(&bytes, 'O', NULL, &outline, NULL, ERROR);
        if (status == TS_OK)
            NEAR(ts_outline_get_mass(outline).area, area, 1e-3);
        else
            assert_true(status == TS_BAD_INPUT && strstr(ERROR->message, "cut.ttf"));
        ts_outline_free(outline);
        free(copy);
    }
    ts_free(data);
}

int main(void)
{
    const char *root = getenv("SOURCE_DIR");
    snprintf(font, sizeof font, "%s/scenes/fonts/DejaVuSans-Bold-ASCII.ttf", root ? root : ".");
    const struct CMUnitTest test[] = {
        cmocka_unit_test(areas),
        cmocka_unit_test(straight),
        cmocka_unit_test(refusals),
        cmocka_unit_test(cut_off),
    };
    return cmocka_run_group_tests(test, NULL, NULL);
}

#else

static void unsupported(void **state)
{
    (void)state;
    ts_outline *outline = NULL;
    assert_int_equal(ts_outline_read_glyph(font, 'a', NULL, &outline, NULL, ERROR), TS_UNSUPPORTED);
    assert_non_null(strstr(ERROR->message, "FreeType"));
}

int main(void)
{
    const char *root = getenv("SOURCE_DIR");
    snprintf(font, sizeof font, "%s/scenes/fonts/DejaVuSans-Bold-ASCII.ttf", root ? root : ".");
    const struct CMUnitTest test[] = {cmocka_unit_test(unsupported)};
    return cmocka_run_group_tests(test, NULL, NULL);
}

#endif
