/* SPDX-License-Identifier: MIT */
/* Sizes of grains against the distributions that they are drawn from, and how many grains a packing or a line makes. */
#include <math.h>
#include <string.h>

#include "support/check.h"

#include "base/memory.h"
#include "base/vec.h"
#include "model.h"
#include "scene/sizes.h"
#include "support/world.h"

enum { DRAWS = 200000 };

/* Share of the draws, each counted as often as `power` of its size says, that are at most `limit`. */
static double share_up_to(const double *scale, double limit, double power)
{
    double below = 0, all = 0;
    for (int i = 0; i < DRAWS; i++) {
        double weight = pow(scale[i], power);
        all += weight;
        below += scale[i] <= limit ? weight : 0;
    }
    return below / all;
}

static double *draw_many(const ts_mix_entry *entry)
{
    double *scale = ts_alloc(DRAWS, sizeof *scale);
    ts_random random = ts_random_make(7, 1);
    assert_non_null(scale);
    for (int i = 0; i < DRAWS; i++)
        scale[i] = ts_size_draw(entry, &random);
    return scale;
}

static double mean_of(const double *scale)
{
    double sum = 0;
    for (int i = 0; i < DRAWS; i++)
        sum += scale[i];
    return sum / DRAWS;
}

/* 200,000 draws miss a share by 0.0011 (one standard deviation); mass weighs the large ones up. */
static const double share_error = 0.006;

static void a_table_by_number_is_met(void **state)
{
    (void)state;
    const ts_size_step table[] = {{0.5, 0}, {1, 0.25}, {1.5, 0.25}, {4, 1}};
    ts_mix_entry entry = {.weight = 1, .size = TS_SIZE_TABLE, .table = table, .table_count = 4};
    OK(ts_sizes_check(&entry, (ts_place){0}, ERROR));
    double *scale = draw_many(&entry);
    NEAR(share_up_to(scale, 0.75, 0), 0.125, share_error);
    NEAR(share_up_to(scale, 1, 0), 0.25, share_error);
    NEAR(share_up_to(scale, 1.5, 0), 0.25, share_error);
    NEAR(share_up_to(scale, 2.75, 0), 0.625, share_error);
    NEAR(mean_of(scale), 0.25 * 0.75 + 0.75 * 2.75, 0.01);
    NEAR(ts_size_mean(&entry), 0.25 * 0.75 + 0.75 * 2.75, 1e-12);
    ts_free(scale);
}

/* Drawn by mass, the sieve curve of the draws is the table again: each grain counts with its area. */
static void a_sieve_curve_is_met(void **state)
{
    (void)state;
    const ts_size_step table[] = {{1, 0}, {2, 0.3}, {3, 0.8}, {8, 1}};
    ts_mix_entry entry = {.weight = 1, .size = TS_SIZE_TABLE, .table = table, .table_count = 4, .by_mass = true};
    double *scale = draw_many(&entry);
    NEAR(share_up_to(scale, 1.5, 2), 0.15, share_error);
    NEAR(share_up_to(scale, 2, 2), 0.3, share_error);
    NEAR(share_up_to(scale, 3, 2), 0.8, 2 * share_error);
    NEAR(share_up_to(scale, 5.5, 2), 0.9, 3 * share_error);
    NEAR(mean_of(scale), ts_size_mean(&entry), 0.01);
    ts_free(scale);
}

static void a_log_normal_distribution_is_met(void **state)
{
    (void)state;
    ts_mix_entry entry = {
        .weight = 1, .size = TS_SIZE_LOG_NORMAL, .median = 2, .spread = 0.3, .scale_min = 0.01, .scale_max = 100};
    OK(ts_sizes_check(&entry, (ts_place){0}, ERROR));
    double *scale = draw_many(&entry);
    NEAR(share_up_to(scale, 2, 0), 0.5, share_error);
    NEAR(share_up_to(scale, 2 * exp(0.3), 0), 0.8413447, share_error);
    NEAR(share_up_to(scale, 2 * exp(-0.6), 0), 0.0227501, share_error);
    NEAR(mean_of(scale), 2 * exp(0.045), 0.01);
    ts_free(scale);
    /* cut off at the median on one side: what is left is the upper half, spread out again to 1 */
    entry.scale_min = 2;
    scale = draw_many(&entry);
    NEAR(share_up_to(scale, 1.9999999, 0), 0, 0);
    NEAR(share_up_to(scale, 2 * exp(0.3), 0), 2 * 0.3413447, share_error);
    NEAR(mean_of(scale), ts_size_mean(&entry), 0.01);
    NEAR(ts_size_mean(&entry), 2.5852, 1e-3);
    ts_free(scale);
    ts_mix_entry wide = {
        .weight = 1, .size = TS_SIZE_LOG_NORMAL, .median = 1, .spread = 1, .scale_min = 0.5, .scale_max = 2};
    scale = draw_many(&wide);
    NEAR(mean_of(scale), ts_size_mean(&wide), 0.01);
    NEAR(ts_size_mean(&wide), 1.077, 1e-3);
    ts_free(scale);
    entry.scale_min = 20; /* nothing is left */
    entry.scale_max = 30;
    assert_int_equal(ts_sizes_check(&entry, (ts_place){0}, ERROR), TS_BAD_INPUT);
}

/* ---- How many ---- */

static double covered(const ts_model *model)
{
    double area = 0;
    for (size_t i = 0; i < model->body_count; i++)
        area += TS_PI * model->body[i].radius * model->body[i].radius;
    return area;
}

static void a_packing_fraction_is_met(void **state)
{
    (void)state;
    const double packing[] = {0.02, 0.2, 0.45};
    for (int i = 0; i < 3; i++)
        for (int fill = TS_FILL_LATTICE; fill <= TS_FILL_RANDOM; fill++) {
            ts_test_world w;
            ts_test_open(&w, 0);
            ts_mix_entry mix[2] = {
                {.shape = ts_test_disc(w.scene, 0.01), .weight = 3, .scale_min = 0.9, .scale_max = 1},
                {.shape = ts_test_disc(w.scene, 0.008), .weight = 1, .scale_min = 1, .scale_max = 1}};
            ts_generator_def def = ts_default_generator();
            def.fill = (ts_fill_kind)fill;
            def.packing = packing[i];
            def.mix = mix;
            def.mix_count = 2;
            OK(ts_scene_add_generator(w.scene, &def, NULL, ERROR));
            OK(ts_model_compile(w.scene, &w.model, ERROR));
            NEAR(covered(w.model), packing[i], 0.51 * TS_PI * 1e-4); /* half a grain of a region of 1 m² */
            size_t first = 0;
            for (size_t k = 0; k < w.model->body_count; k++)
                first += w.model->body_shape[k] == mix[0].shape;
            NEAR((double)first, 0.75 * (double)w.model->body_count, 1);
            ts_test_close(&w);
        }
}

/* Along a half circle of radius 1 and a line of length 3: grains keep their distance and stand on it. */
static void a_line_of_grains_stands_on_its_line(void **state)
{
    (void)state;
    ts_test_world w;
    ts_test_open(&w, 0);
    ts_mix_entry mix = {.shape = ts_test_disc(w.scene, 0.02), .weight = 1, .scale_min = 0.5, .scale_max = 1.5};
    const ts_vertex line[] = {{1, 0, 1}, {-1, 0, 0}, {-1, -3, 0}};
    ts_generator_def def = ts_default_generator();
    def.fill = TS_FILL_LINE;
    def.line = (ts_contour){line, 3, true};
    def.spacing = 0.9;
    def.jitter = 0.25;
    def.fixed = true;
    def.mix = &mix;
    def.mix_count = 1;
    OK(ts_scene_add_generator(w.scene, &def, NULL, ERROR));
    OK(ts_model_compile(w.scene, &w.model, ERROR));
    double length = TS_PI + 3, wanted = length / (0.9 * 0.04);
    NEAR((double)w.model->body_count, wanted, 0.5);
    double most = 0;
    for (size_t i = 0; i < w.model->body_count; i++) {
        const ts_body *b = &w.model->body[i];
        double away = b->y > 0 ? hypot(b->x, b->y) - 1 : b->x + 1;
        assert_true(b->inv_mass == 0);
        assert_true(fabs(away) <= 0.25 * 0.04 * (1 + 1e-9));
        most = fmax(most, fabs(away));
    }
    assert_true(most > 0.2 * 0.04); /* they are displaced indeed */
    ts_test_close(&w);
}

/* Free grains on a line must not overlap; fixed ones must not lie on what moves. */
static void a_line_keeps_clear_of_grains(void **state)
{
    (void)state;
    for (int fixed = 0; fixed < 2; fixed++) {
        ts_test_world w;
        ts_test_open(&w, 0);
        ts_mix_entry mix = {.shape = ts_test_disc(w.scene, 0.02), .weight = 1, .scale_min = 1, .scale_max = 1};
        ts_test_body(w.scene, mix.shape, 0.5, 0.01);
        const ts_vertex line[] = {{0, 0, 0}, {1, 0, 0}};
        ts_generator_def def = ts_default_generator();
        def.fill = TS_FILL_LINE;
        def.line = (ts_contour){line, 2, true};
        def.jitter = 0;
        def.fixed = fixed;
        def.mix = &mix;
        def.mix_count = 1;
        OK(ts_scene_add_generator(w.scene, &def, NULL, ERROR));
        assert_int_equal(ts_model_compile(w.scene, &w.model, ERROR), TS_BAD_INPUT);
        assert_non_null(strstr(ERROR->message, "overlaps"));
        ts_test_close(&w);
    }
}

/* A count divides a line evenly: on a half circle the i-th of n grains stands at (i + ½)/n of 180°, and along it is at
 * right angles to its radius. */
static void a_count_divides_a_line(void **state)
{
    (void)state;
    ts_test_world w;
    ts_test_open(&w, 0);
    ts_mix_entry mix = {.shape = ts_test_disc(w.scene, 0.3), .weight = 1, .scale_min = 1, .scale_max = 1};
    const ts_vertex line[] = {{1, 0, 1}, {-1, 0, 0}};
    ts_generator_def def = ts_default_generator();
    def.fill = TS_FILL_LINE;
    def.line = (ts_contour){line, 2, true};
    def.count = 37; /* they overlap: as fixed ones may */
    def.jitter = 0;
    def.angle_along = true;
    def.fixed = true;
    def.mix = &mix;
    def.mix_count = 1;
    OK(ts_scene_add_generator(w.scene, &def, NULL, ERROR));
    OK(ts_model_compile(w.scene, &w.model, ERROR));
    assert_int_equal(w.model->body_count, 37);
    for (int i = 0; i < 37; i++) {
        const ts_body *b = &w.model->body[i];
        double at = (i + 0.5) / 37 * TS_PI;
        NEAR(b->x, cos(at), 1e-12);
        NEAR(b->y, sin(at), 1e-12);
        NEAR(cos(b->angle), -sin(at), 1e-12);
        NEAR(sin(b->angle), cos(at), 1e-12);
    }
    ts_test_close(&w);
}

/* Slats of 2 m × 0.1 m across a line, one above the other: the circles around them overlap by far, and it is whether
 * the slats do that decides. */
static void outlines_on_a_line_may_be_near(void **state)
{
    (void)state;
    static const double pitch[] = {0.11, 0.1, 0.09};
    for (int i = 0; i < 3; i++) {
        ts_test_world w;
        ts_test_open(&w, 0);
        ts_mix_entry mix = {.weight = 1, .scale_min = 1, .scale_max = 1};
        ts_outline *slat;
        OK(ts_outline_box(2, 0.1, 0, &slat, ERROR));
        OK(ts_scene_add_outline(w.scene, "slat", slat, &mix.shape, ERROR));
        ts_outline_free(slat);
        const ts_vertex line[] = {{0, 0, 0}, {0, 20 * pitch[i], 0}};
        ts_generator_def def = ts_default_generator();
        def.fill = TS_FILL_LINE;
        def.line = (ts_contour){line, 2, true};
        def.count = 20;
        def.jitter = 0;
        def.random_attitude = false;
        def.mix = &mix;
        def.mix_count = 1;
        OK(ts_scene_add_generator(w.scene, &def, NULL, ERROR));
        ts_status status = ts_model_compile(w.scene, &w.model, ERROR);
        assert_int_equal(status, pitch[i] < 0.1 ? TS_BAD_INPUT : TS_OK);
        if (status != TS_OK)
            assert_non_null(strstr(ERROR->message, "grain 1 of its line"));
        ts_test_close(&w);
    }
}

static void only_lines_have_angles_along(void **state)
{
    (void)state;
    ts_test_world w;
    ts_test_open(&w, 0);
    ts_mix_entry mix = {.shape = ts_test_disc(w.scene, 0.1), .weight = 1, .scale_min = 1, .scale_max = 1};
    ts_generator_def def = ts_default_generator();
    def.region = TS_REGION_BOX;
    def.high[0] = def.high[1] = 5;
    def.count = 3;
    def.mix = &mix;
    def.mix_count = 1;
    def.angle_along = true;
    assert_int_equal(ts_scene_add_generator(w.scene, &def, NULL, ERROR), TS_BAD_INPUT);
    ts_test_close(&w);
}

/* ---- Files ---- */

static ts_status parse(const char *text, ts_size_step **step, size_t *count, bool *of_diameter)
{
    return ts_size_table_parse(text, strlen(text), "sieve.csv", step, count, of_diameter, ERROR);
}

static void a_sieve_file_is_read(void **state)
{
    (void)state;
    ts_size_step *step;
    size_t count;
    bool of_diameter;
    OK(parse("\xef\xbb\xbf# from the laboratory\r\ndiameter_mm , percent\r\n1,0\r\n\r\n 2 , 30\r\n4,100", &step, &count,
             &of_diameter));
    assert_int_equal(count, 3);
    assert_true(of_diameter);
    NEAR(step[1].scale, 2e-3, 1e-18);
    NEAR(step[1].share, 0.3, 1e-15);
    ts_free(step);
    OK(parse("scale,share\n0.5,0\n1.5,1\n", &step, &count, &of_diameter));
    assert_false(of_diameter);
    ts_free(step);
}

static void a_broken_sieve_file_is_refused(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
        int line, column;
    } bad[] = {
        {"", "empty", 1, 1},
        {"# nothing\n\n", "empty", 3, 1},
        {"1,0\n2,1\n", "names the columns", 1, 1},
        {"diameter_inch,percent\n1,0\n2,100\n", "diameter_inch", 1, 1},
        {"scale,passing\n1,0\n2,1\n", "passing", 1, 7},
        {"scale;share\n1;0\n2;1\n", "names the columns", 1, 1},
        {"scale,share\n1,0\n2\n", "two columns", 3, 2},
        {"scale,share\n1,0,5\n2,1\n", "here is more", 2, 4},
        {"scale,share\n1,0\nnan,1\n", "a number is wanted", 3, 1},
        {"scale,share\n1,0\n2,1e999\n", "a number is wanted", 3, 3},
        {"scale,share\n1,0\n\"2\",1\n", "a number is wanted", 3, 1},
        {"scale,share\n1,0\n0,5;1\n", "here is more", 3, 4},
        {"scale,share\n2,0\n1,1\n", "sort them", 1, 1},
        {"scale,share\n1,0\n2,0.5\n3,0.4\n4,1\n", "falls", 1, 1},
        {"scale,share\n1,0.1\n2,1\n", "begin with", 1, 1},
        {"scale,percent\n1,0\n2,90\n", "begin with", 1, 1},
        {"scale,share\n1,0\n", "at least 2", 1, 1},
        {"scale,share\n0,0\n2,1\n", "positive", 1, 1},
        {"scale,percent\n1,0\n2,300\n", "between 0 and 1", 1, 1},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        ts_size_step *step;
        size_t count;
        bool of_diameter;
        assert_int_equal(parse(bad[i].text, &step, &count, &of_diameter), TS_BAD_INPUT);
        if (!strstr(ERROR->message, bad[i].message) || ERROR->line != bad[i].line || ERROR->column != bad[i].column)
            fail_msg("case %zu: %d:%d: %s", i, ERROR->line, ERROR->column, ERROR->message);
    }
    ts_size_step *step;
    size_t count;
    bool of_diameter;
    assert_int_equal(ts_size_table_parse("scale\0share", 11, "x", &step, &count, &of_diameter, ERROR), TS_BAD_INPUT);
}

int main(void)
{
    const struct CMUnitTest test[] = {
        cmocka_unit_test(a_table_by_number_is_met),
        cmocka_unit_test(a_sieve_curve_is_met),
        cmocka_unit_test(a_log_normal_distribution_is_met),
        cmocka_unit_test(a_packing_fraction_is_met),
        cmocka_unit_test(a_line_of_grains_stands_on_its_line),
        cmocka_unit_test(a_line_keeps_clear_of_grains),
        cmocka_unit_test(a_count_divides_a_line),
        cmocka_unit_test(outlines_on_a_line_may_be_near),
        cmocka_unit_test(only_lines_have_angles_along),
        cmocka_unit_test(a_sieve_file_is_read),
        cmocka_unit_test(a_broken_sieve_file_is_refused),
    };
    return cmocka_run_group_tests(test, NULL, NULL);
}
