/* SPDX-License-Identifier: MIT */
#include "study/layer_field.h"

#include <math.h>

#include "base/memory.h"

static const double pi = 3.14159265358979323846;

/* The ring's width, as a share of its |k|: directions are told apart within it. */
static const double ring_width = 0.2;

/* Of waves that make cells: neighbours differ in size. Harmonics are outside. */
static const double band_width = 0.4;

/* An order below this is none. */
static const double order_least = 0.5;

ts_status ts_layer_field_create(ts_layer_field *field, size_t columns, size_t rows, double cell, ts_error *error)
{
    *field = (ts_layer_field){.columns = columns, .rows = rows, .cell = cell};
    field->height = ts_alloc(columns * rows, sizeof *field->height);
    return field->height ? TS_OK : ts_fail_memory(error, columns * rows * sizeof *field->height);
}

void ts_layer_field_free(ts_layer_field *field)
{
    ts_free(field->height);
    *field = (ts_layer_field){0};
}

static double hann(size_t i, size_t count)
{
    const double s = sin(pi * ((double)i + 0.5) / (double)count);
    return s * s;
}

/* A field that fades to 0 at its edges, its mean taken off: `to` (columns · rows). Returns Σ u². */
static double fade(const ts_layer_field *f, double *to)
{
    double sum = 0, weight = 0, square = 0;
    for (size_t j = 0; j < f->rows; j++)
        for (size_t i = 0; i < f->columns; i++) {
            const double u = hann(i, f->columns) * hann(j, f->rows);
            sum += u * f->height[j * f->columns + i];
            weight += u;
            square += u * u;
        }
    for (size_t j = 0; j < f->rows; j++)
        for (size_t i = 0; i < f->columns; i++)
            to[j * f->columns + i] =
                hann(i, f->columns) * hann(j, f->rows) * (f->height[j * f->columns + i] - sum / weight);
    return square;
}

/* cos and sin of k x at each column: `wave` (2 · columns). */
static void set_columns(const ts_layer_field *f, double kx, double *wave)
{
    for (size_t i = 0; i < f->columns; i++) {
        wave[i] = cos(kx * f->cell * (double)i);
        wave[f->columns + i] = sin(kx * f->cell * (double)i);
    }
}

/* Σ faded(x) exp(−i k·x): real and imaginary part. `wave` is scratch (2 · columns). */
static void transform(const ts_layer_field *f, const double *faded, double kx, double ky, double *wave, double to[2])
{
    const double *cx = wave, *sx = wave + f->columns;
    set_columns(f, kx, wave);
    to[0] = to[1] = 0;
    for (size_t j = 0; j < f->rows; j++) {
        const double *row = faded + j * f->columns, c = cos(ky * f->cell * (double)j),
                     s = sin(ky * f->cell * (double)j);
        double a = 0, b = 0;
        for (size_t i = 0; i < f->columns; i++) {
            a += row[i] * cx[i];
            b += row[i] * sx[i];
        }
        to[0] += a * c - b * s;
        to[1] -= a * s + b * c;
    }
}

static double power_at(const ts_layer_field *f, const double *faded, double kx, double ky, double *wave)
{
    double part[2];
    transform(f, faded, kx, ky, wave, part);
    return part[0] * part[0] + part[1] * part[1];
}

static double turn_of(int d)
{
    return pi * d / TS_LAYER_DIRECTIONS;
}

/* Power by |k| and direction. */
typedef struct powers {
    double power[TS_LAYER_RADII][TS_LAYER_DIRECTIONS];
} powers;

static void find_ring(const powers *fan, ts_layer_spectrum *s)
{
    int ring = 0;
    double most = -1, total = 0, sum[3][2] = {{0}}, square = 0;
    for (int r = 0; r < TS_LAYER_RADII; r++) {
        s->power[r] = 0;
        for (int d = 0; d < TS_LAYER_DIRECTIONS; d++)
            s->power[r] += fan->power[r][d] / TS_LAYER_DIRECTIONS;
        if (s->wave[r] * s->power[r] > most) {
            most = s->wave[r] * s->power[r];
            ring = r;
        }
    }
    s->length = 1 / s->wave[ring];
    for (int d = 0; d < TS_LAYER_DIRECTIONS; d++) {
        s->turn[d] = 180 / pi * turn_of(d);
        s->along[d] = 0;
        for (int r = 0; r < TS_LAYER_RADII; r++)
            if (fabs(s->wave[r] / s->wave[ring] - 1) <= ring_width)
                s->along[d] += s->wave[r] * fan->power[r][d];
        total += s->along[d];
        for (int m = 0; m < 3; m++) {
            sum[m][0] += s->along[d] * cos((2 * m + 2) * turn_of(d));
            sum[m][1] += s->along[d] * sin((2 * m + 2) * turn_of(d));
        }
    }
    /* Parseval: ∫∫ P d²k over the band, both half-planes, |k| in waves to a unit */
    const double step = s->wave[1] - s->wave[0];
    square = 2 * total * step * pi / TS_LAYER_DIRECTIONS;
    s->amplitude = sqrt(2 * square);
    for (int m = 0; m < 3; m++)
        s->order[m] = total > 0 ? hypot(sum[m][0], sum[m][1]) / total : 0;
    for (int d = 0; d < TS_LAYER_DIRECTIONS; d++)
        s->along[d] *= total > 0 ? TS_LAYER_DIRECTIONS / total : 1;
}

/* Adds the wave of a Fourier coefficient, and that of −k, to a field. */
static void add_wave(const ts_layer_field *f, double kx, double ky, const double part[2], double *wave, double *to)
{
    const double *cx = wave, *sx = wave + f->columns, scale = 2 / ((double)f->columns * (double)f->rows);
    set_columns(f, kx, wave);
    for (size_t j = 0; j < f->rows; j++) {
        const double c = cos(ky * f->cell * (double)j), s = sin(ky * f->cell * (double)j);
        const double even = scale * (part[0] * c - part[1] * s), odd = scale * (part[0] * s + part[1] * c);
        for (size_t i = 0; i < f->columns; i++)
            to[j * f->columns + i] += even * cx[i] - odd * sx[i];
    }
}

/* `band` is scratch (columns · rows), all zeros. */
static double triad_of(const ts_layer_field *f, const double *faded, double length, double *wave, double *band)
{
    const double width = f->cell * (double)f->columns, depth = f->cell * (double)f->rows;
    const int across = (int)(2 * width / length) + 1, along = (int)(2 * depth / length) + 1;
    for (int n = 0; n <= along; n++)
        for (int m = n == 0 ? 1 : -across; m <= across; m++) {
            const double kx = 2 * pi * m / width, ky = 2 * pi * n / depth;
            double part[2];
            if (fabs(hypot(kx, ky) * length / (2 * pi) - 1) > band_width)
                continue;
            transform(f, faded, kx, ky, wave, part);
            add_wave(f, kx, ky, part, wave, band);
        }
    double square = 0, cube = 0, weight[2] = {0, 0};
    for (size_t j = 0; j < f->rows; j++)
        for (size_t i = 0; i < f->columns; i++) {
            const double u = hann(i, f->columns) * hann(j, f->rows), w = band[j * f->columns + i];
            square += w * w;
            cube += w * w * w;
            weight[0] += u * u;
            weight[1] += u * u * u;
        }
    return square > 0 ? fabs(cube / weight[1]) / pow(square / weight[0], 1.5) / sqrt(2.0 / 3) : 0;
}

ts_status ts_layer_look(const ts_layer_field *field, double shortest, double longest, ts_layer_spectrum *spectrum,
                        ts_error *error)
{
    const size_t cells = field->columns * field->rows, numbers = 2 * cells + 2 * field->columns;
    powers *fan = ts_alloc(1, sizeof *fan);
    double *faded = ts_alloc(numbers, sizeof *faded);
    if (!fan || !faded) {
        ts_free(fan);
        ts_free(faded);
        return ts_fail_memory(error, sizeof *fan + numbers * sizeof *faded);
    }
    double *wave = faded + cells, *band = wave + 2 * field->columns;
    const double square = fade(field, faded), area = field->cell * field->cell;
    for (int r = 0; r < TS_LAYER_RADII; r++) {
        spectrum->wave[r] = 1 / longest + (1 / shortest - 1 / longest) * r / (TS_LAYER_RADII - 1);
        for (int d = 0; d < TS_LAYER_DIRECTIONS; d++) {
            const double k = 2 * pi * spectrum->wave[r];
            /* per unit of d²k, so that all of it adds up to the mean square */
            spectrum->power[r] = 0;
            fan->power[r][d] = power_at(field, faded, k * cos(turn_of(d)), k * sin(turn_of(d)), wave) * area / square;
        }
    }
    find_ring(fan, spectrum);
    spectrum->triad = triad_of(field, faded, spectrum->length, wave, band);
    ts_free(fan);
    ts_free(faded);
    return TS_OK;
}

const char *ts_layer_pattern(const ts_layer_spectrum *s)
{
    if (s->triad >= order_least)
        return "hexagons";
    if (!(fmax(s->order[0], fmax(s->order[1], s->order[2])) >= order_least))
        return "none";
    if (s->order[0] >= s->order[1] && s->order[0] >= s->order[2])
        return "stripes";
    return s->order[1] >= s->order[2] ? "squares" : "hexagons";
}
