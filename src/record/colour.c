/* SPDX-License-Identifier: MIT */
#include "record/colour.h"

#include <math.h>

#include "base/vec.h"

static const uint32_t palette[TS_PALETTE_COUNT] = {
    0x3674C6, /* blue */
    0xE2982C, /* amber */
    0x10ADA3, /* teal */
    0xBF533D, /* brick */
    0x9FC9F3, /* sky */
    0x6B4782, /* plum */
    0xE3D86E, /* straw */
    0x7D3C0D, /* chestnut */
};

#define KNOT_COUNT 33

static const uint32_t viridis[KNOT_COUNT] = {
    0x440154, 0x470D60, 0x48186A, 0x482374, 0x472D7B, 0x453681, 0x424086, 0x3F4989, 0x3B528B, 0x375A8D, 0x33638D,
    0x2F6A8E, 0x2C728E, 0x297A8E, 0x26818E, 0x23898E, 0x21908C, 0x1F988B, 0x1F9F88, 0x21A685, 0x28AE80, 0x31B57B,
    0x3EBC74, 0x4CC26C, 0x5DC963, 0x6ECE58, 0x82D34C, 0x96D83F, 0xABDC32, 0xC0DF24, 0xD5E21A, 0xEAE51A, 0xFDE725};

static const uint32_t magma[KNOT_COUNT] = {
    0x000004, 0x030311, 0x0A0822, 0x130D33, 0x1D1146, 0x28115A, 0x36106A, 0x430F76, 0x50127C, 0x5D177F, 0x691C81,
    0x762181, 0x822681, 0x8F2A81, 0x9C2E7F, 0xA9327D, 0xB63779, 0xC33B75, 0xCF4170, 0xDB486A, 0xE65163, 0xEE5C5E,
    0xF5695C, 0xF9785D, 0xFB8761, 0xFD9668, 0xFEA571, 0xFEB47B, 0xFEC387, 0xFED194, 0xFDE0A2, 0xFCEEB0, 0xFCFDBF};

static double clamp01(double t)
{
    return t > 0 ? (t < 1 ? t : 1) : 0; /* a NaN gives 0 */
}

/* ---- sRGB and OKLab (Ottosson 2020) ---- */

double ts_colour_linear(double c)
{
    return c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4);
}

static double from_linear(double c)
{
    c = clamp01(c);
    return c <= 0.0031308 ? c * 12.92 : 1.055 * pow(c, 1 / 2.4) - 0.055;
}

void ts_colour_oklab(ts_colour colour, double lab[3])
{
    double r = ts_colour_linear(colour.r), g = ts_colour_linear(colour.g), b = ts_colour_linear(colour.b);
    double l = cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
    double m = cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
    double s = cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
    lab[0] = 0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s;
    lab[1] = 1.9779984951 * l - 2.4285922050 * m + 0.4505937099 * s;
    lab[2] = 0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s;
}

/* Colours that sRGB does not have are clipped, channel by channel. */
static ts_colour from_oklab(double lightness, double a, double b)
{
    double l = lightness + 0.3963377774 * a + 0.2158037573 * b;
    double m = lightness - 0.1055613458 * a - 0.0638541728 * b;
    double s = lightness - 0.0894841775 * a - 1.2914855480 * b;
    l *= l * l;
    m *= m * m;
    s *= s * s;
    return (ts_colour){from_linear(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
                       from_linear(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
                       from_linear(-0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s)};
}

/* ---- Palette and maps ---- */

ts_colour ts_colour_of(uint32_t rgb)
{
    return (ts_colour){(rgb >> 16 & 255) / 255.0, (rgb >> 8 & 255) / 255.0, (rgb & 255) / 255.0};
}

uint32_t ts_colour_pixel(ts_colour colour)
{
    uint32_t r = (uint32_t)(clamp01(colour.r) * 255 + 0.5);
    uint32_t g = (uint32_t)(clamp01(colour.g) * 255 + 0.5);
    uint32_t b = (uint32_t)(clamp01(colour.b) * 255 + 0.5);
    return r << 16 | g << 8 | b;
}

ts_colour ts_colour_mix(ts_colour a, ts_colour b, double t)
{
    return (ts_colour){a.r + (b.r - a.r) * t, a.g + (b.g - a.g) * t, a.b + (b.b - a.b) * t};
}

ts_colour ts_colour_lighten(ts_colour colour, double amount)
{
    double lab[3];
    ts_colour_oklab(colour, lab);
    double lightness = clamp01(lab[0] + amount);
    /* less light can carry less colour, and so can what is nearly white */
    double keep = amount < 0 ? lightness / fmax(lab[0], 1e-6) : (1 - lightness) / fmax(1 - lab[0], 1e-6);
    keep = 0.5 + 0.5 * clamp01(keep);
    return from_oklab(lightness, lab[1] * keep, lab[2] * keep);
}

ts_colour ts_colour_kind(size_t index)
{
    static const double turn[3] = {0, 0.13, -0.13}; /* lightness of the first, second and third eight */
    ts_colour base = ts_colour_of(palette[index % TS_PALETTE_COUNT]);
    size_t round = index / TS_PALETTE_COUNT % 3;
    return round == 0 ? base : ts_colour_lighten(base, turn[round]);
}

static ts_colour between_knots(const uint32_t knot[KNOT_COUNT], double t)
{
    double place = t * (KNOT_COUNT - 1);
    int i = (int)place;
    if (i > KNOT_COUNT - 2)
        i = KNOT_COUNT - 2;
    return ts_colour_mix(ts_colour_of(knot[i]), ts_colour_of(knot[i + 1]), place - i);
}

ts_colour ts_colour_map_at(ts_colour_map map, double t)
{
    if (map == TS_MAP_WHEEL) {
        double turn = 2 * TS_PI * (isfinite(t) ? t - floor(t) : 0);
        return from_oklab(0.72, 0.115 * cos(turn),
                          0.115 * sin(turn)); /* the largest circle of this lightness in sRGB */
    }
    t = clamp01(t);
    if (map == TS_MAP_VIRIDIS)
        return between_knots(viridis, t);
    if (map == TS_MAP_MAGMA)
        return between_knots(magma, 0.2 + 0.8 * t); /* black is lost on dark paper */
    return between_knots(magma, 0.92 - 0.8 * t);    /* and so is cream on light paper */
}
