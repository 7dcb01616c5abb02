/* SPDX-License-Identifier: MIT */
/* Dense arithmetic of a front. One tile does nearly all of it: 8 or 4 rows by up to 4 columns of C in registers, minus
 * products of a few dozen columns. Each number of C sees its products in the same order whatever the tile and the
 * instruction set. */
#include "solve/sparse_own.h"

#include "base/kernel.h"
#include "base/simd.h"

/* C (8 × n) -= A (8 × depth) Bᵀ, n ≤ 4 known to the compiler. */
TS_SIMD void tile8(double *c, int ldc, const double *a, const double *b, int ld, int depth, int n)
{
    ts_f64x4 low[4], high[4];
    for (int j = 0; j < n; j++) {
        low[j] = ts_f64x4_load(c + (size_t)j * (size_t)ldc);
        high[j] = ts_f64x4_load(c + (size_t)j * (size_t)ldc + 4);
    }
    for (int k = 0; k < depth; k++, a += ld, b += ld) {
        ts_f64x4 x = ts_f64x4_load(a), y = ts_f64x4_load(a + 4);
        for (int j = 0; j < n; j++) {
            ts_f64x4 w = ts_f64x4_broadcast(b[j]);
            low[j] -= x * w;
            high[j] -= y * w;
        }
    }
    for (int j = 0; j < n; j++) {
        ts_f64x4_store(c + (size_t)j * (size_t)ldc, low[j]);
        ts_f64x4_store(c + (size_t)j * (size_t)ldc + 4, high[j]);
    }
}

TS_SIMD void tile4(double *c, int ldc, const double *a, const double *b, int ld, int depth, int n)
{
    ts_f64x4 low[4];
    for (int j = 0; j < n; j++)
        low[j] = ts_f64x4_load(c + (size_t)j * (size_t)ldc);
    for (int k = 0; k < depth; k++, a += ld, b += ld) {
        ts_f64x4 x = ts_f64x4_load(a);
        for (int j = 0; j < n; j++)
            low[j] -= x * ts_f64x4_broadcast(b[j]);
    }
    for (int j = 0; j < n; j++)
        ts_f64x4_store(c + (size_t)j * (size_t)ldc, low[j]);
}

/* Rows begin … end-1 of columns j … j+n-1 of C, end rounded up to whole tiles of 4: C has that much room, and what A
 * has there is finite. */
TS_SIMD void column_tiles(double *c, int ldc, const double *a, int lda, int depth, const int row[2], int j, int n)
{
    int i = row[0];
    c += (size_t)j * (size_t)ldc;
    for (; i + 4 < row[1]; i += 8)
        tile8(c + i, ldc, a + i, a + j, lda, depth, n);
    for (; i < row[1]; i += 4)
        tile4(c + i, ldc, a + i, a + j, lda, depth, n);
}

/* A block of A, DEEP columns by TALL rows, stays in the second cache while all columns of C pass by. */
#define DEEP 64
#define TALL 256

static void update_block(double *c, int ldc, const double *a, int lda, int depth, const int row[2], const int column[2])
{
    for (int j = column[0]; j < column[1] && j < row[1]; j += 4) {
        int some[2] = {row[0] > j ? row[0] : j, row[1]}, n = column[1] - j;
        if (n >= 4)
            column_tiles(c, ldc, a, lda, depth, some, j, 4);
        else if (n == 3)
            column_tiles(c, ldc, a, lda, depth, some, j, 3);
        else if (n == 2)
            column_tiles(c, ldc, a, lda, depth, some, j, 2);
        else
            column_tiles(c, ldc, a, lda, depth, some, j, 1);
    }
}

static void update(double *c, int ldc, const double *a, int lda, int depth, int height, int from, int to)
{
    for (int k = 0; k < depth; k += DEEP)
        for (int i = from; i < height; i += TALL) {
            int row[2] = {i, height - i < TALL ? height : i + TALL}, column[2] = {from, to};
            update_block(c, ldc, a + (size_t)k * (size_t)lda, lda, depth - k < DEEP ? depth - k : DEEP, row, column);
        }
}

/* Up to four columns, finished: the small triangle by hand, then all rows below it, four at a time. */
TS_SIMD int finish(double *panel, int ld, int height, int j, int n, const double *floor)
{
    double *column[4];
    int mended = 0;
    for (int k = 0; k < n; k++)
        column[k] = panel + (size_t)(j + k) * (size_t)ld;
    double l[4][4] = {{0}}, inverse[4];
    for (int k = 0; k < n; k++) {
        for (int i = k; i < n; i++) {
            double s = column[k][j + i];
            for (int m = 0; m < k; m++)
                s -= l[i][m] * l[k][m];
            if (i == k) {
                if (!(s > floor[j + k])) {
                    s = floor[j + k];
                    mended++;
                }
                l[k][k] = sqrt(s);
                inverse[k] = 1 / l[k][k];
            } else {
                l[i][k] = s * inverse[k];
            }
            column[k][j + i] = l[i][k];
        }
    }
    int i = j + n;
    for (; i < height && (i & 3); i++)
        for (int k = 0; k < n; k++) {
            double s = column[k][i];
            for (int m = 0; m < k; m++)
                s -= column[m][i] * l[k][m];
            column[k][i] = s * inverse[k];
        }
    for (; i < height; i += 4) {
        ts_f64x4 x[4];
        for (int k = 0; k < n; k++) {
            x[k] = ts_f64x4_load(column[k] + i);
            for (int m = 0; m < k; m++)
                x[k] -= x[m] * ts_f64x4_broadcast(l[k][m]);
            x[k] *= ts_f64x4_broadcast(inverse[k]);
            ts_f64x4_store(column[k] + i, x[k]);
        }
    }
    return mended;
}

/* Columns from … to-1, at most TS_FRONT_STRIP of them. */
static int factor_strip(double *panel, int ld, int height, int from, int to, const double *floor)
{
    int mended = 0;
    const double *left = panel + (size_t)from * (size_t)ld;
    for (int j = from; j < to; j += 4) {
        int n = to - j < 4 ? to - j : 4;
        update(panel, ld, left, ld, j - from, height, j, j + n);
        mended += n == 4   ? finish(panel, ld, height, j, 4, floor)
                  : n == 3 ? finish(panel, ld, height, j, 3, floor)
                  : n == 2 ? finish(panel, ld, height, j, 2, floor)
                           : finish(panel, ld, height, j, 1, floor);
    }
    return mended;
}

static int factor(double *panel, int ld, int height, int from, int to, const double *floor)
{
    int mended = 0;
    for (int j = from; j < to; j += TS_FRONT_STRIP) {
        int end = to - j < TS_FRONT_STRIP ? to : j + TS_FRONT_STRIP;
        mended += factor_strip(panel, ld, height, j, end, floor);
        if (end < to)
            update(panel, ld, panel + (size_t)j * (size_t)ld, ld, end - j, height, end, to);
    }
    return mended;
}

/* Four columns at a time: t is then read and written a quarter as often. */
static void forward(const double *panel, int ld, int own, int height, double *t)
{
    int j = 0;
    for (; j + 4 <= own; j += 4) {
        const double *c[4];
        for (int k = 0; k < 4; k++)
            c[k] = panel + (size_t)(j + k) * (size_t)ld;
        for (int k = 0; k < 4; k++) {
            t[j + k] /= c[k][j + k];
            for (int i = k + 1; i < 4; i++)
                t[j + i] -= t[j + k] * c[k][j + i];
        }
        ts_f64x4 x0 = ts_f64x4_broadcast(t[j]), x1 = ts_f64x4_broadcast(t[j + 1]), x2 = ts_f64x4_broadcast(t[j + 2]),
                 x3 = ts_f64x4_broadcast(t[j + 3]);
        /* t has room for a whole tile past its end, and the panel's rows there belong to the next column */
        for (int i = j + 4; i < height; i += 4) {
            ts_f64x4 low = ts_f64x4_load(c[0] + i) * x0 + ts_f64x4_load(c[1] + i) * x1;
            ts_f64x4 high = ts_f64x4_load(c[2] + i) * x2 + ts_f64x4_load(c[3] + i) * x3;
            ts_f64x4_store(t + i, ts_f64x4_load(t + i) - (low + high));
        }
    }
    for (; j < own; j++) {
        const double *column = panel + (size_t)j * (size_t)ld;
        double x = t[j] / column[j];
        t[j] = x;
        for (int i = j + 1; i < height; i++)
            t[i] -= x * column[i];
    }
}

static void backward(const double *panel, int ld, int own, int height, double *t)
{
    int j = own - 1;
    for (; (j & 3) != 3 && j >= 0; j--) {
        const double *column = panel + (size_t)j * (size_t)ld;
        double sum = t[j];
        for (int i = j + 1; i < height; i++)
            sum -= column[i] * t[i];
        t[j] = sum / column[j];
    }
    for (int i = height; i & 3; i++)
        t[i] = 0;
    for (j -= 3; j >= 0; j -= 4) {
        const double *c[4];
        ts_f64x4 sum[4] = {{0}, {0}, {0}, {0}};
        for (int k = 0; k < 4; k++)
            c[k] = panel + (size_t)(j + k) * (size_t)ld;
        for (int i = j + 4; i < height; i += 4) {
            ts_f64x4 x = ts_f64x4_load(t + i);
            for (int k = 0; k < 4; k++)
                sum[k] += ts_f64x4_load(c[k] + i) * x;
        }
        for (int k = 3; k >= 0; k--) {
            double x = t[j + k] - ts_f64x4_sum(sum[k]);
            for (int i = k + 1; i < 4; i++)
                x -= c[k][j + i] * t[j + i];
            t[j + k] = x / c[k][j + k];
        }
    }
}

extern const ts_front_kernels TS_KERNEL(ts_front);
const ts_front_kernels TS_KERNEL(ts_front) = {factor, update, forward, backward};
