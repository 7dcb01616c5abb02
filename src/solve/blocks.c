/* SPDX-License-Identifier: MIT */
#include "solve/blocks.h"

#include <assert.h>
#include <stdbool.h>
#include <string.h>

#include "base/memory.h"

void ts_blocks_free(ts_blocks *b)
{
    ts_free(b->size);
    ts_free(b->begin);
    ts_free(b->row);
    ts_free(b->at);
    ts_free(b->value);
    *b = (ts_blocks){0};
}

static ts_status check(size_t block_count, const int32_t *size, size_t pair_count, const int32_t (*pair)[2],
                       ts_error *error)
{
    const size_t most = (size_t)1 << 30;
    size_t numbers = 0;
    for (size_t i = 0; i < block_count; i++) {
        if (size[i] < 1)
            return ts_fail(error, TS_BAD_INPUT, "block %zu of a matrix has %d numbers, but must have at least 1", i,
                           size[i]);
        numbers += (size_t)size[i];
    }
    if (numbers > most || block_count > most || pair_count > most)
        return ts_fail(error, TS_UNSUPPORTED, "a matrix of %zu numbers is too large: at most 2^30", numbers);
    for (size_t k = 0; k < pair_count; k++)
        for (int side = 0; side < 2; side++)
            if (pair[k][side] < 0 || (size_t)pair[k][side] >= block_count)
                return ts_fail(error, TS_BAD_INPUT, "pair %zu names block %d of a matrix that has %zu", k,
                               pair[k][side], block_count);
    return TS_OK;
}

/* A stable sort of pairs by their rows (side 0) or columns (side 1), by counting. */
static void sort_by(int side, size_t block_count, size_t n, int32_t (*from)[2], int32_t (*to)[2], size_t *count)
{
    memset(count, 0, (block_count + 1) * sizeof *count);
    for (size_t k = 0; k < n; k++)
        count[from[k][side] + 1]++;
    for (size_t i = 0; i < block_count; i++)
        count[i + 1] += count[i];
    for (size_t k = 0; k < n; k++)
        memcpy(to[count[from[k][side]]++], from[k], sizeof *to);
}

/* Pairs (row, column) below the diagonal, by columns, then rows, each once, in `sorted`. Returns how many. */
static size_t sort_pairs(size_t block_count, size_t pair_count, const int32_t (*pair)[2], int32_t (*sorted)[2],
                         int32_t (*scratch)[2], size_t *count)
{
    size_t used = 0, kept = 0;
    for (size_t k = 0; k < pair_count; k++) {
        const int32_t i = pair[k][0], j = pair[k][1];
        sorted[used][0] = i > j ? i : j;
        sorted[used][1] = i > j ? j : i;
        used += i != j;
    }
    sort_by(0, block_count, used, sorted, scratch, count);
    sort_by(1, block_count, used, scratch, sorted, count);
    for (size_t k = 0; k < used; k++)
        if (kept == 0 || memcmp(sorted[k], sorted[kept - 1], sizeof *sorted) != 0)
            memmove(sorted[kept++], sorted[k], sizeof *sorted);
    return kept;
}

static ts_status fill(ts_blocks *b, size_t kept, const int32_t (*sorted)[2], ts_error *error)
{
    const size_t n = b->block_count, stored = n + kept;
    TS_TRY(ts_new_raw(&b->begin, n + 1, error));
    TS_TRY(ts_new_raw(&b->row, stored + 1, error));
    TS_TRY(ts_new_raw(&b->at, stored + 1, error));
    size_t k = 0, to = 0, values = 0;
    for (size_t j = 0; j < n; j++) {
        b->begin[j] = to;
        for (bool first = true; first || (k < kept && (size_t)sorted[k][1] == j); first = false) {
            b->row[to] = first ? (int32_t)j : sorted[k++][0];
            b->at[to] = values;
            values += (size_t)b->size[b->row[to++]] * (size_t)b->size[j];
        }
    }
    b->begin[n] = to;
    b->at[to] = values;
    b->value = ts_alloc(values + 1, sizeof *b->value);
    return b->value ? TS_OK : ts_fail_memory(error, values * sizeof *b->value);
}

ts_status ts_blocks_create(ts_blocks *blocks, size_t block_count, const int32_t *size, size_t pair_count,
                           const int32_t (*pair)[2], ts_error *error)
{
    ts_blocks b = {.block_count = block_count};
    TS_TRY(check(block_count, size, pair_count, pair, error));
    size_t *count = ts_alloc_raw(block_count + 2, sizeof *count);
    int32_t(*scratch)[2] = ts_alloc_raw(2 * pair_count + 2, sizeof *scratch);
    b.size = ts_alloc_raw(block_count + 1, sizeof *b.size);
    ts_status status = count && scratch && b.size
                           ? TS_OK
                           : ts_fail_memory(error, block_count * sizeof *count + 2 * pair_count * sizeof *scratch);
    if (status == TS_OK) {
        if (block_count > 0)
            memcpy(b.size, size, block_count * sizeof *size);
        const size_t kept = sort_pairs(block_count, pair_count, pair, scratch, scratch + pair_count + 1, count);
        status = fill(&b, kept, (const int32_t(*)[2])scratch, error);
    }
    ts_free(count);
    ts_free(scratch);
    if (status != TS_OK) {
        ts_blocks_free(&b);
        return status;
    }
    *blocks = b;
    return TS_OK;
}

void ts_blocks_clear(ts_blocks *b)
{
    memset(b->value, 0, b->at[b->begin[b->block_count]] * sizeof *b->value);
}

double *ts_blocks_find(const ts_blocks *b, int32_t i, int32_t j)
{
    size_t low = b->begin[j], high = b->begin[j + 1];
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (b->row[middle] < i)
            low = middle + 1;
        else
            high = middle;
    }
    return low < b->begin[j + 1] && b->row[low] == i ? b->value + b->at[low] : NULL;
}

void ts_blocks_add(ts_blocks *b, int32_t i, int32_t j, const double *part)
{
    const size_t rows = (size_t)b->size[i], columns = (size_t)b->size[j];
    double *to = i >= j ? ts_blocks_find(b, i, j) : ts_blocks_find(b, j, i);
    assert(to);
    for (size_t c = 0; c < columns; c++)
        for (size_t r = 0; r < rows; r++)
            to[i >= j ? c * rows + r : r * columns + c] += part[c * rows + r];
}

size_t ts_blocks_numbers(const ts_blocks *b)
{
    size_t sum = 0;
    for (size_t i = 0; i < b->block_count; i++)
        sum += (size_t)b->size[i];
    return sum;
}

/* A block's share of M x, x and y at its row and column: from below the diagonal alone where it is a diagonal one. */
static void apply_block(const double *m, size_t rows, size_t columns, bool diagonal, const double *const x[2],
                        double *const y[2])
{
    for (size_t c = 0; c < columns; c++)
        for (size_t r = diagonal ? c : 0; r < rows; r++) {
            y[0][r] += m[c * rows + r] * x[1][c];
            if (!diagonal || r != c)
                y[1][c] += m[c * rows + r] * x[0][r];
        }
}

/* Sizes of rows come in order within a column, so that where their numbers begin is counted along. */
void ts_blocks_apply(const ts_blocks *b, const double *x, double *y)
{
    memset(y, 0, ts_blocks_numbers(b) * sizeof *y);
    size_t column = 0;
    for (size_t j = 0; j < b->block_count; j++) {
        size_t row = column, at = j;
        for (size_t k = b->begin[j]; k < b->begin[j + 1]; k++) {
            for (; at < (size_t)b->row[k]; at++)
                row += (size_t)b->size[at];
            apply_block(b->value + b->at[k], (size_t)b->size[at], (size_t)b->size[j], at == j,
                        (const double *const[2]){x + row, x + column}, (double *const[2]){y + row, y + column});
        }
        column += (size_t)b->size[j];
    }
}
