/* SPDX-License-Identifier: MIT */
/* Numbers with units, against their definitions in the SI brochure. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "scene/units.h"

#define PI 3.14159265358979323846

static const ts_place here = {"t.json", 3, 7};

static void test_values(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        ts_quantity quantity;
        double value;
        bool exact; /* decimal prefixes give the very bits of the number written out */
    } good[] = {
        {"3 mm", TS_QUANTITY_LENGTH, 0.003, true},
        {"9.3mm", TS_QUANTITY_LENGTH, 0.0093, true},
        {"-1.7e-2 cm", TS_QUANTITY_LENGTH, -0.00017, true},
        {"0.3 um", TS_QUANTITY_LENGTH, 3e-7, true},
        {"7 µm", TS_QUANTITY_LENGTH, 7e-6, true},
        {"7 μm", TS_QUANTITY_LENGTH, 7e-6, true},
        {"2.2 km", TS_QUANTITY_LENGTH, 2200, true},
        {" 5 m ", TS_QUANTITY_LENGTH, 5, true},
        {"10 ms", TS_QUANTITY_TIME, 0.01, true},
        {"1.5 min", TS_QUANTITY_TIME, 90, true},
        {"2 h", TS_QUANTITY_TIME, 7200, true},
        {"180 deg", TS_QUANTITY_ANGLE, PI, false},
        {"90°", TS_QUANTITY_ANGLE, PI / 2, false},
        {"0.5 rev", TS_QUANTITY_ANGLE, PI, false},
        {"30 rpm", TS_QUANTITY_SPIN, PI, false},
        {"90 deg/s", TS_QUANTITY_SPIN, PI / 2, false},
        {"1 rev/min", TS_QUANTITY_SPIN, PI / 30, false},
        {"2 cm/s", TS_QUANTITY_SPEED, 0.02, true},
        {"36 km/h", TS_QUANTITY_SPEED, 10, false},
        {"9.81 m/s^2", TS_QUANTITY_ACCELERATION, 9.81, true},
        {"981 cm/s2", TS_QUANTITY_ACCELERATION, 9.81, true},
        {"9.81 m/s²", TS_QUANTITY_ACCELERATION, 9.81, true},
        {"9.81 m/s/s", TS_QUANTITY_ACCELERATION, 9.81, true},
        {"60 Hz", TS_QUANTITY_FREQUENCY, 60, true},
        {"60 1/s", TS_QUANTITY_FREQUENCY, 60, true},
        {"2.7 g/cm^2", TS_QUANTITY_DENSITY, 27, true},
        {"2.7 t/m^2", TS_QUANTITY_DENSITY, 2700, true},
        {"1 kN/m", TS_QUANTITY_STIFFNESS, 1000, true},
        {"1e3 N/m", TS_QUANTITY_STIFFNESS, 1000, true},
        {"4.7 N/mm", TS_QUANTITY_STIFFNESS, 4700, true},
        {"5 Pa*m", TS_QUANTITY_STIFFNESS, 5, true},
        {"3 kg/s^2", TS_QUANTITY_STIFFNESS, 3, true},
        {"3 N*s/m", TS_QUANTITY_DAMPING, 3, true},
        {"3 N·s/m", TS_QUANTITY_DAMPING, 3, true},
        {"3 N s/m", TS_QUANTITY_DAMPING, 3, true},
        {"3 g/ms", TS_QUANTITY_DAMPING, 3, true},
    };
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        double value = 0;
        ts_error error;
        if (ts_quantity_parse(good[i].text, good[i].quantity, here, &value, &error) != TS_OK)
            fail_msg("%s: %s", good[i].text, error.message);
        double slack = good[i].exact ? 0 : 4e-16 * good[i].value;
        if (!(value - good[i].value <= slack && good[i].value - value <= slack))
            fail_msg("%s is %.17g, expected %.17g", good[i].text, value, good[i].value);
    }
}

static void test_refused(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        ts_quantity quantity;
        const char *fragment;
    } bad[] = {
        {"3 s", TS_QUANTITY_LENGTH, "not a length; give it in one of m, km, cm"},
        {"3 Hz", TS_QUANTITY_SPIN, "not an angular velocity"},
        {"30 rpm", TS_QUANTITY_FREQUENCY, "not a frequency"},
        {"5 g", TS_QUANTITY_DENSITY, "not a mass per area"},
        {"3 furlong", TS_QUANTITY_LENGTH, "unknown unit \"furlong\""},
        {"3 MM", TS_QUANTITY_LENGTH, "unknown unit"},
        {"3", TS_QUANTITY_LENGTH, "has no unit"},
        {"", TS_QUANTITY_LENGTH, "does not start with a finite number"},
        {"mm", TS_QUANTITY_LENGTH, "does not start with a finite number"},
        {"nan m", TS_QUANTITY_LENGTH, "does not start with a finite number"},
        {"1e309 m", TS_QUANTITY_LENGTH, "finite number"},
        {"1e308 km", TS_QUANTITY_LENGTH, "not a finite number"},
        {"3 m/", TS_QUANTITY_LENGTH, "unknown unit"},
        {"3 m//s", TS_QUANTITY_SPEED, "unknown unit"},
        {"3 m^", TS_QUANTITY_LENGTH, "unknown unit"},
        {"3 m^0", TS_QUANTITY_LENGTH, "unknown unit"},
        {"3 m*m*m*m*m*m*m*m*m*m", TS_QUANTITY_LENGTH, "unknown unit"},
        {"3 mm mm", TS_QUANTITY_LENGTH, "not a length"},
        {"3 mmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmm", TS_QUANTITY_LENGTH,
         "no known unit"},
        {"3 m\xc2", TS_QUANTITY_LENGTH, "unknown unit"},
        {"0.3", TS_QUANTITY_NONE, "wanted a plain number"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        double value = 42;
        ts_error error = {0};
        if (ts_quantity_parse(bad[i].text, bad[i].quantity, here, &value, &error) != TS_BAD_INPUT)
            fail_msg("\"%s\" was not refused", bad[i].text);
        if (!strstr(error.message, bad[i].fragment))
            fail_msg("\"%s\": %s", bad[i].text, error.message);
        assert_int_equal(error.line, 3);
        assert_int_equal(error.column, 7);
        assert_true(value == 42);
    }
}

/* Every unit that a message offers is accepted for that quantity. */
static void test_offered_units(void **state)
{
    (void)state;
    for (ts_quantity quantity = TS_QUANTITY_LENGTH; quantity < TS_QUANTITY_COUNT; quantity++) {
        char units[128];
        strncpy(units, ts_quantity_units(quantity), sizeof units - 1);
        units[sizeof units - 1] = 0;
        char *rest = NULL;
        for (char *unit = strtok_r(units, ", ", &rest); unit; unit = strtok_r(NULL, ", ", &rest)) {
            char text[64] = "1 ";
            strcat(text, unit);
            double value = 0;
            assert_int_equal(ts_quantity_parse(text, quantity, here, &value, NULL), TS_OK);
            assert_true(value > 0);
        }
    }
}

int main(void)
{
    const struct CMUnitTest test[] = {
        cmocka_unit_test(test_values),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_offered_units),
    };
    return cmocka_run_group_tests(test, NULL, NULL);
}
