/* SPDX-License-Identifier: MIT */
#include "scene/units.h"

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "scene/json.h"

#define PI 3.14159265358979323846

typedef enum base_unit { METRE, KILOGRAM, SECOND, RADIAN, BASE_UNIT_COUNT } base_unit;

typedef struct dimension {
    int power[BASE_UNIT_COUNT];
} dimension;

static const struct {
    const char *name, *units;
    dimension dimension; /* m, kg, s, rad */
} quantity_table[TS_QUANTITY_COUNT] = {
    [TS_QUANTITY_NONE] = {"a plain number", "", {{0, 0, 0, 0}}},
    [TS_QUANTITY_LENGTH] = {"a length", "m, km, cm, mm, um, nm", {{1, 0, 0, 0}}},
    [TS_QUANTITY_TIME] = {"a time", "s, ms, us, ns, min, h", {{0, 0, 1, 0}}},
    [TS_QUANTITY_ANGLE] = {"an angle", "rad, mrad, deg, rev", {{0, 0, 0, 1}}},
    [TS_QUANTITY_SPEED] = {"a speed", "m/s, cm/s, mm/s, km/h", {{1, 0, -1, 0}}},
    [TS_QUANTITY_SPIN] = {"an angular velocity", "rad/s, deg/s, rpm, rev/s", {{0, 0, -1, 1}}},
    [TS_QUANTITY_ACCELERATION] = {"an acceleration", "m/s^2, cm/s^2, mm/s^2", {{1, 0, -2, 0}}},
    [TS_QUANTITY_FREQUENCY] = {"a frequency", "Hz, kHz, 1/s", {{0, 0, -1, 0}}},
    [TS_QUANTITY_DENSITY] = {"a mass per area", "kg/m^2, g/cm^2, g/mm^2", {{-2, 1, 0, 0}}},
    [TS_QUANTITY_STIFFNESS] = {"a stiffness", "N/m, kN/m, MN/m, N/mm", {{0, 1, -2, 0}}},
    [TS_QUANTITY_DAMPING] = {"a damping", "N*s/m, kN*s/m, kg/s", {{0, 1, -1, 0}}},
    [TS_QUANTITY_VOLUME_DENSITY] = {"a mass per volume", "kg/m^3, g/cm^3, t/m^3", {{-3, 1, 0, 0}}},
    [TS_QUANTITY_CUBIC_STIFFNESS] = {"a stiffness per area", "N/m^3, kN/m^3, N/mm^3", {{-2, 1, -2, 0}}},
    [TS_QUANTITY_FORCE] = {"a force", "N, kN, MN, mN", {{1, 1, -2, 0}}},
};

/* What a symbol stands for: factor · 10^exponent in SI. */
static const struct symbol {
    const char *name;
    int exponent;
    double factor;
    dimension dimension;
} symbol_table[] = {
    {"m", 0, 1, {{1, 0, 0, 0}}},          {"km", 3, 1, {{1, 0, 0, 0}}},       {"dm", -1, 1, {{1, 0, 0, 0}}},
    {"cm", -2, 1, {{1, 0, 0, 0}}},        {"mm", -3, 1, {{1, 0, 0, 0}}},      {"um", -6, 1, {{1, 0, 0, 0}}},
    {"µm", -6, 1, {{1, 0, 0, 0}}}, /* U+00B5, the micro sign */
    {"μm", -6, 1, {{1, 0, 0, 0}}}, /* U+03BC, the Greek letter */
    {"nm", -9, 1, {{1, 0, 0, 0}}},        {"kg", 0, 1, {{0, 1, 0, 0}}},       {"g", -3, 1, {{0, 1, 0, 0}}},
    {"mg", -6, 1, {{0, 1, 0, 0}}},        {"t", 3, 1, {{0, 1, 0, 0}}},        {"s", 0, 1, {{0, 0, 1, 0}}},
    {"ms", -3, 1, {{0, 0, 1, 0}}},        {"us", -6, 1, {{0, 0, 1, 0}}},      {"µs", -6, 1, {{0, 0, 1, 0}}},
    {"μs", -6, 1, {{0, 0, 1, 0}}},        {"ns", -9, 1, {{0, 0, 1, 0}}},      {"min", 0, 60, {{0, 0, 1, 0}}},
    {"h", 0, 3600, {{0, 0, 1, 0}}},       {"rad", 0, 1, {{0, 0, 0, 1}}},      {"mrad", -3, 1, {{0, 0, 0, 1}}},
    {"deg", 0, PI / 180, {{0, 0, 0, 1}}}, {"°", 0, PI / 180, {{0, 0, 0, 1}}}, {"rev", 0, 2 * PI, {{0, 0, 0, 1}}},
    {"rpm", 0, PI / 30, {{0, 0, -1, 1}}}, {"Hz", 0, 1, {{0, 0, -1, 0}}},      {"kHz", 3, 1, {{0, 0, -1, 0}}},
    {"N", 0, 1, {{1, 1, -2, 0}}},         {"mN", -3, 1, {{1, 1, -2, 0}}},     {"kN", 3, 1, {{1, 1, -2, 0}}},
    {"MN", 6, 1, {{1, 1, -2, 0}}},        {"Pa", 0, 1, {{-1, 1, -2, 0}}},     {"kPa", 3, 1, {{-1, 1, -2, 0}}},
    {"MPa", 6, 1, {{-1, 1, -2, 0}}},      {"GPa", 9, 1, {{-1, 1, -2, 0}}},
};

/* A whole unit, as it is read. */
typedef struct unit {
    int exponent;
    double factor;
    dimension dimension;
} unit;

const char *ts_quantity_name(ts_quantity quantity)
{
    return quantity_table[quantity].name;
}
const char *ts_quantity_units(ts_quantity quantity)
{
    return quantity_table[quantity].units;
}

static const char *skip_blanks(const char *at)
{
    while (*at == ' ')
        at++;
    return at;
}

/* ^2, 2, ² or nothing; at most one digit, so that nothing overflows. Returns the power, 0 when it is no such thing. */
static int read_power(const char **at)
{
    if (memcmp(*at, "²", 2) == 0 || memcmp(*at, "³", 2) == 0) {
        int power = (unsigned char)(*at)[1] == 0xb2 ? 2 : 3;
        *at += 2;
        return power;
    }
    bool caret = **at == '^';
    const char *digit = *at + caret;
    if (*digit < '0' || *digit > '9')
        return caret ? 0 : 1;
    *at = digit + 1;
    return *digit - '0';
}

/* One symbol with its power, or the 1 of "1/s". */
static bool read_symbol(const char **at, int sign, unit *out)
{
    if (**at == '1' && sign > 0) {
        ++*at;
        return true;
    }
    const char *end = *at;
    while ((*end >= 'a' && *end <= 'z') || (*end >= 'A' && *end <= 'Z') || (memcmp(end, "°", 2) == 0 && ++end) ||
           ((memcmp(end, "µ", 2) == 0 || memcmp(end, "μ", 2) == 0) && ++end))
        end++;
    size_t length = (size_t)(end - *at);
    for (size_t i = 0; i < sizeof symbol_table / sizeof *symbol_table; i++) {
        const struct symbol *symbol = &symbol_table[i];
        if (strlen(symbol->name) != length || memcmp(symbol->name, *at, length) != 0)
            continue;
        *at = end;
        int power = sign * read_power(at);
        out->exponent += power * symbol->exponent;
        for (int k = 0; k < BASE_UNIT_COUNT; k++)
            out->dimension.power[k] += power * symbol->dimension.power[k];
        for (int k = 0; k < (power < 0 ? -power : power); k++)
            out->factor = power < 0 ? out->factor / symbol->factor : out->factor * symbol->factor;
        return power != 0;
    }
    return false;
}

/* symbol { (* | · | space | /) symbol }; everything after a slash up to the next * or / is divided by. The texts are
 * short: at most eight symbols are read. */
static bool read_unit(const char *at, unit *out)
{
    *out = (unit){.factor = 1};
    int sign = 1;
    for (int i = 0; i < 8; i++) {
        if (!read_symbol(&at, sign, out))
            return false;
        at = skip_blanks(at);
        if (!*at)
            return true;
        sign = 1;
        if (*at == '/') {
            sign = -1;
            at++;
        } else if (*at == '*') {
            at++;
        } else if (memcmp(at, "·", 2) == 0) {
            at += 2;
        }
        at = skip_blanks(at);
    }
    return false;
}

/* The value of the number at the start of `text` times 10^exponent, rounded once. */
static bool shift_number(const char *text, size_t length, int exponent, double *value)
{
    char shifted[256];
    size_t mantissa = strcspn(text, "eE");
    if (mantissa > length)
        mantissa = length;
    int64_t written = 0;
    if (mantissa < length) {
        char digits[32];
        size_t count = length - mantissa - 1;
        if (count >= sizeof digits)
            return false;
        memcpy(digits, text + mantissa + 1, count);
        digits[count] = 0;
        if (!ts_parse_int64(digits, &written) || written > 100000 || written < -100000)
            return false;
    }
    int total = snprintf(shifted, sizeof shifted, "%.*se%" PRId64, (int)mantissa, text, written + exponent);
    return total > 0 && (size_t)total < sizeof shifted && ts_parse_double(shifted, value);
}

ts_status ts_quantity_parse(const char *text, ts_quantity quantity, ts_place place, double *value, ts_error *error)
{
    char quote[TS_QUOTE_SIZE];
    ts_quote(text, quote, sizeof quote);
    const char *name = ts_quantity_name(quantity), *units = ts_quantity_units(quantity);
    if (quantity == TS_QUANTITY_NONE)
        return ts_fail_at(error, TS_BAD_INPUT, place,
                          "wanted a plain number, found the text \"%s\"; write a number "
                          "without quotes",
                          quote);
    double plain;
    const char *start = skip_blanks(text);
    size_t room = strlen(start), length = ts_parse_number(start, room < 200 ? room : 200, &plain);
    if (length == 0)
        return ts_fail_at(
            error, TS_BAD_INPUT, place,
            "\"%s\" does not start with a finite number; wanted %s, as a number in SI units or with one of "
            "the units %s",
            quote, name, units);
    const char *symbols = skip_blanks(start + length);
    size_t end = strlen(symbols);
    while (end > 0 && symbols[end - 1] == ' ')
        end--;
    if (end == 0)
        return ts_fail_at(error, TS_BAD_INPUT, place,
                          "\"%s\" has no unit; wanted %s: write the number without quotes (SI units) or add one of %s",
                          quote, name, units);
    char copy[64];
    unit read;
    if (end >= sizeof copy - 2)
        return ts_fail_at(error, TS_BAD_INPUT, place, "\"%s\" has no known unit; wanted %s in one of %s", quote, name,
                          units);
    memset(copy, 0, sizeof copy); /* two zeros at least at the end: symbols of two bytes are compared */
    snprintf(copy, sizeof copy, "%.*s", (int)end, symbols);
    if (!read_unit(copy, &read))
        return ts_fail_at(error, TS_BAD_INPUT, place, "unknown unit \"%s\"; wanted %s in one of %s",
                          ts_quote(copy, quote, sizeof quote), name, units);
    if (memcmp(&read.dimension, &quantity_table[quantity].dimension, sizeof read.dimension) != 0)
        return ts_fail_at(error, TS_BAD_INPUT, place, "\"%s\" is not %s; give it in one of %s", quote, name, units);
    double shifted;
    if (!shift_number(start, length, read.exponent, &shifted) || !isfinite(shifted * read.factor))
        return ts_fail_at(error, TS_BAD_INPUT, place, "\"%s\" is not a finite number", quote);
    *value = shifted * read.factor;
    return TS_OK;
}
