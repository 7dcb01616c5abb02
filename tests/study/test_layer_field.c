/* SPDX-License-Identifier: MIT */
/* Patterns told from surfaces that are made of known waves: stripes, squares and hexagons, turned by any angle, with
 * noise on them. */
#include <math.h>
#include <string.h>

#include "support/check.h"

#include "base/random.h"
#include "study/layer_field.h"

#define SIDE 100

/* Σ cos(k_i·x) of `waves` directions that share a half-turn evenly, with noise of standard deviation `noise`. */
static void make_seeded(ts_layer_field *field, int waves, double length, double turn, double height, double noise,
                        uint64_t seed)
{
    ts_random r = ts_random_make(seed, 3);
    for (size_t j = 0; j < field->rows; j++)
        for (size_t i = 0; i < field->columns; i++) {
            double sum = 5 + noise * ts_random_next_normal(&r);
            for (int w = 0; w < waves; w++) {
                double angle = turn + M_PI * w / waves;
                sum += height * cos(2 * M_PI / length * ((double)i * cos(angle) + (double)j * sin(angle)));
            }
            field->height[j * field->columns + i] = sum;
        }
}

static void make(ts_layer_field *field, int waves, double length, double turn, double height, double noise)
{
    make_seeded(field, waves, length, turn, height, noise, 7);
}

static void tells_patterns(void **state)
{
    (void)state;
    static const char *const name[3] = {"stripes", "squares", "hexagons"};
    ts_layer_field field;
    ts_layer_spectrum s;
    OK(ts_layer_field_create(&field, SIDE, SIDE, 1, ERROR));
    for (int waves = 1; waves <= 3; waves++)
        for (int t = 0; t < 3; t++) {
            const double length = 20 + 5 * t, turn = 0.3 + 0.5 * t;
            make(&field, waves, length, turn, 1, 1);
            OK(ts_layer_look(&field, 10, 60, &s, ERROR));
            assert_string_equal(ts_layer_pattern(&s), name[waves - 1]);
            assert_true(s.order[waves - 1] > 0.5);
            NEAR(s.length, length, 0.1 * length);
            /* `waves` cosines of height 1 have a mean square of waves / 2; noise adds a little, and some is outside of the band */
            NEAR(s.amplitude, sqrt(waves), 0.2 * sqrt(waves));
            /* one wave: all of the power about its direction */
            for (int d = 0; waves == 1 && d < TS_LAYER_DIRECTIONS; d++) {
                double off = fabs(s.turn[d] - turn * 180 / M_PI);
                assert_true(s.along[d] < 0.3 || fmin(off, 180 - off) < 35);
            }
        }
    ts_layer_field_free(&field);
}

/* Cells that are turned this way on one side and that way on the other: no order, but triads. Stripes and squares have
 * none. */
static void tells_hexagons_that_are_turned(void **state)
{
    (void)state;
    ts_layer_field field, other;
    ts_layer_spectrum s;
    OK(ts_layer_field_create(&field, SIDE, SIDE, 1, ERROR));
    OK(ts_layer_field_create(&other, SIDE, SIDE, 1, ERROR));
    for (int waves = 1; waves <= 3; waves++) {
        const double length = 18, turn = 0.1, more = M_PI / 2 / waves; /* as different as can be */
        make(&field, waves, length, turn, 1, 0.5);
        make(&other, waves, length, turn + more, 1, 0.5);
        for (size_t j = 0; j < SIDE; j++)
            for (size_t i = SIDE / 2; i < SIDE; i++)
                field.height[j * SIDE + i] = other.height[j * SIDE + i];
        OK(ts_layer_look(&field, 10, 60, &s, ERROR));
        print_message("%d waves, turned in halves: order %.2f, triad %.2f\n", waves, s.order[waves - 1], s.triad);
        assert_true(s.order[waves - 1] < 0.5);
        if (waves == 3) {
            NEAR(s.triad, 1, 0.3);
            assert_string_equal(ts_layer_pattern(&s), "hexagons");
        } else {
            assert_true(s.triad < 0.3);
            assert_string_not_equal(ts_layer_pattern(&s), "hexagons");
        }
        for (size_t i = 0; i < (size_t)SIDE * SIDE; i++) /* pits are as good as peaks */
            field.height[i] = -field.height[i];
        const double triad = s.triad;
        OK(ts_layer_look(&field, 10, 60, &s, ERROR));
        NEAR(s.triad, triad, 1e-9);
    }
    ts_layer_field_free(&field);
    ts_layer_field_free(&other);
}

/* Waves of one length from all sides, whose crests know nothing of each other, and as few to a side as a layer has:
 * they are hardly ever taken for hexagons. */
static void chance_makes_no_hexagons(void **state)
{
    (void)state;
    enum { fields = 60, waves = 24 };
    ts_layer_field field;
    ts_layer_spectrum s;
    int taken = 0;
    double square = 0;
    OK(ts_layer_field_create(&field, SIDE, SIDE, 1, ERROR));
    for (uint64_t seed = 0; seed < fields; seed++) {
        ts_random r = ts_random_make(seed, 5);
        memset(field.height, 0, (size_t)SIDE * SIDE * sizeof *field.height);
        for (int w = 0; w < waves; w++) {
            const double angle = ts_random_next_range(&r, 0, M_PI), phase = ts_random_next_range(&r, 0, 2 * M_PI),
                         k = 2 * M_PI / 23;
            for (size_t j = 0; j < SIDE; j++)
                for (size_t i = 0; i < SIDE; i++)
                    field.height[j * SIDE + i] += cos(k * ((double)i * cos(angle) + (double)j * sin(angle)) + phase);
        }
        OK(ts_layer_look(&field, 10, 60, &s, ERROR));
        taken += s.triad >= 0.5;
        square += s.triad * s.triad / fields;
    }
    print_message("triads of chance: %.2f; %d of %d at least 0.5\n", sqrt(square), taken, fields);
    assert_true(taken <= fields / 6);
    ts_layer_field_free(&field);
}

/* Waves of one length in seven directions are no pattern, nor is noise. */
static void disorder_has_no_name(void **state)
{
    (void)state;
    ts_layer_field field;
    ts_layer_spectrum s;
    OK(ts_layer_field_create(&field, SIDE, SIDE, 1, ERROR));
    for (int i = 0; i < 6; i++) {
        make_seeded(&field, i % 2 ? 7 : 0, 15, 0.2 * i, 1, 1, (uint64_t)i + 1);
        OK(ts_layer_look(&field, 10, 60, &s, ERROR));
        assert_string_equal(ts_layer_pattern(&s), "none");
    }
    ts_layer_field_free(&field);
}

/* Noise alone has no amplitude to speak of, whatever it is called. */
static void noise_is_flat(void **state)
{
    (void)state;
    ts_layer_field field;
    ts_layer_spectrum s;
    OK(ts_layer_field_create(&field, SIDE, SIDE / 2, 1, ERROR));
    make(&field, 0, 1, 0, 0, 0.5);
    OK(ts_layer_look(&field, 10, 60, &s, ERROR));
    assert_true(s.amplitude < 0.15);
    /* and a flat one none at all */
    make(&field, 0, 1, 0, 0, 0);
    OK(ts_layer_look(&field, 10, 60, &s, ERROR));
    assert_true(s.amplitude < 1e-12);
    ts_layer_field_free(&field);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(tells_patterns),
                                       cmocka_unit_test(tells_hexagons_that_are_turned),
                                       cmocka_unit_test(chance_makes_no_hexagons),
                                       cmocka_unit_test(disorder_has_no_name), cmocka_unit_test(noise_is_flat)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
