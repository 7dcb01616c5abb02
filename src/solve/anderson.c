/* SPDX-License-Identifier: MIT */
#include "solve/anderson.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"

ts_status ts_anderson_begin(ts_anderson *a, size_t count, ts_error *error)
{
    const size_t rows = 2 * TS_ANDERSON_DEPTH + 2;
    if (count > a->capacity || !a->memory) {
        ts_anderson_free(a);
        TS_TRY(ts_new_raw(&a->memory, rows * count + 1, error));
        a->capacity = count;
    }
    a->count = count;
    a->x = a->memory;
    a->f = a->x + count;
    for (size_t i = 0; i < TS_ANDERSON_DEPTH; i++) {
        a->dx[i] = a->f + (2 * i + 1) * count;
        a->df[i] = a->f + (2 * i + 2) * count;
    }
    ts_anderson_restart(a);
    return TS_OK;
}

void ts_anderson_restart(ts_anderson *a)
{
    a->used = a->next = a->seen = 0;
}

void ts_anderson_free(ts_anderson *a)
{
    ts_free(a->memory);
    *a = (ts_anderson){0};
}

static double dot(const double *x, const double *y, size_t count)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += x[i] * y[i];
    return sum;
}

/* γ of the shortest f − ΔF γ, by Cholesky of ΔFᵀΔF. Directions that add nothing to the others get none. */
static void mix(const ts_anderson *a, const double *f, double *gamma)
{
    const double tiny = 1e-14;
    double l[TS_ANDERSON_DEPTH][TS_ANDERSON_DEPTH] = {{0}};
    for (int i = 0; i < a->used; i++) {
        double own = 0;
        for (int j = 0; j <= i; j++) {
            double sum = dot(a->df[i], a->df[j], a->count);
            own = sum;
            for (int k = 0; k < j; k++)
                sum -= l[i][k] * l[j][k];
            if (j < i)
                l[i][j] = l[j][j] > 0 ? sum / l[j][j] : 0;
            else
                l[i][i] = sum > tiny * own ? sqrt(sum) : 0;
        }
        double sum = dot(a->df[i], f, a->count);
        for (int k = 0; k < i; k++)
            sum -= l[i][k] * gamma[k];
        gamma[i] = l[i][i] > 0 ? sum / l[i][i] : 0;
    }
    for (int i = a->used - 1; i >= 0; i--) {
        double sum = gamma[i];
        for (int k = i + 1; k < a->used; k++)
            sum -= l[k][i] * gamma[k];
        gamma[i] = l[i][i] > 0 ? sum / l[i][i] : 0;
    }
}

void ts_anderson_step(ts_anderson *a, const double *f, double part, double *x)
{
    double gamma[TS_ANDERSON_DEPTH] = {0};
    if (a->seen) {
        double *dx = a->dx[a->next], *df = a->df[a->next];
        for (size_t i = 0; i < a->count; i++) {
            dx[i] = x[i] - a->x[i];
            df[i] = f[i] - a->f[i];
        }
        a->next = (a->next + 1) % TS_ANDERSON_DEPTH;
        a->used += a->used < TS_ANDERSON_DEPTH;
    }
    memcpy(a->x, x, a->count * sizeof *x);
    memcpy(a->f, f, a->count * sizeof *f);
    a->seen = 1;
    mix(a, f, gamma);
    for (size_t i = 0; i < a->count; i++) {
        double step = part * f[i];
        for (int k = 0; k < a->used; k++)
            step -= gamma[k] * (a->dx[k][i] + part * a->df[k][i]);
        x[i] += step;
    }
}
