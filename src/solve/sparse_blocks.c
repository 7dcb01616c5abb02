/* SPDX-License-Identifier: MIT */
/* Fronts of a matrix of blocks of any sizes (blocks.h): numbers are counted block by block, where rows have the same
 * count for all. */
#include <float.h>
#include <math.h>

#include "base/memory.h"
#include "solve/blocks.h"
#include "solve/sparse_own.h"

/* The graph of the blocks as rows without entries, which is what is cut. */
static ts_status order(ts_sparse_own *s, const ts_blocks *blocks, ts_error *error)
{
    const size_t n = blocks->block_count, stored = blocks->begin[n];
    TS_AUTO_FREE int32_t *a = NULL;
    TS_TRY(ts_new_raw(&a, 2 * (stored + 1), error));
    int32_t *b = a + stored + 1;
    size_t count = 0;
    for (size_t j = 0; j < n; j++)
        for (size_t k = blocks->begin[j] + 1; k < blocks->begin[j + 1]; k++, count++) {
            a[count] = (int32_t)j;
            b[count] = blocks->row[k];
        }
    /* leaves are counted in blocks of the mean size */
    const size_t mean = n > 0 ? (s->number_count + n / 2) / n : 1;
    return ts_fronts_create(
        &(ts_sparse_rows){.count = count, .block_count = n, .dof = mean > 1000 ? 1000 : (int)mean, .a = a, .b = b},
        s->pool, &s->tree, error);
}

static void count_numbers(ts_sparse_own *s)
{
    for (size_t k = 0; k < s->tree.count; k++) {
        ts_front *f = &s->tree.front[k];
        f->own_numbers = s->base[f->first + f->own] - s->base[f->first];
        f->rest_numbers = 0;
        f->carry_at = s->carry_count;
        for (size_t i = f->rest_at; i < f->rest_at + (size_t)f->rest; i++) {
            const int32_t x = s->tree.rest[i];
            s->offset[i] = f->rest_numbers;
            f->rest_numbers += s->base[x + 1] - s->base[x];
        }
        s->carry_count += (size_t)f->rest_numbers;
    }
}

/* Where block x of the new order begins in front f. */
static int32_t begin_in(const ts_sparse_own *s, const ts_front *f, int32_t x)
{
    if (x < f->first + f->own)
        return s->base[x] - s->base[f->first];
    return f->own_numbers + s->offset[f->rest_at + (size_t)(ts_front_stand(&s->tree, f, x) - f->own)];
}

ts_status ts_sparse_blocks_analyse(ts_sparse_own *s, const ts_blocks *blocks, ts_error *error)
{
    const size_t n = blocks->block_count;
    s->number_count = ts_blocks_numbers(blocks);
    TS_TRY(order(s, blocks, error));
    TS_TRY(ts_new_raw(&s->base, n + 1, error));
    TS_TRY(ts_new_raw(&s->first, n + 1, error));
    TS_TRY(ts_new_raw(&s->offset, s->tree.rest_count + 1, error));
    TS_TRY(ts_new_raw(&s->spot, s->tree.rest_count + 1, error));
    s->base[0] = 0;
    s->first[0] = 0;
    for (size_t i = 0; i < n; i++) {
        s->base[i + 1] = s->base[i] + blocks->size[s->tree.order[i]];
        s->first[i + 1] = s->first[i] + (size_t)blocks->size[i];
    }
    count_numbers(s);
    for (size_t k = 0; k < s->tree.count; k++) {
        const ts_front *f = &s->tree.front[k];
        for (size_t i = f->rest_at; f->parent >= 0 && i < f->rest_at + (size_t)f->rest; i++)
            s->spot[i] = begin_in(s, &s->tree.front[f->parent], s->tree.rest[i]);
    }
    return TS_OK;
}

ts_status ts_sparse_blocks_place(ts_sparse_own *s, const ts_blocks *blocks, ts_error *error)
{
    const size_t n = blocks->block_count;
    int32_t *home = ts_alloc_raw(n + 1, sizeof *home);
    s->block = ts_alloc_raw(blocks->begin[n] + 1, sizeof *s->block);
    s->block_count = blocks->begin[n];
    if (!home || !s->block) {
        ts_free(home);
        return ts_fail_memory(error, s->block_count * sizeof *s->block);
    }
    for (size_t k = 0; k < s->tree.count; k++)
        for (int32_t i = 0; i < s->tree.front[k].own; i++)
            home[s->tree.front[k].first + i] = (int32_t)k;
    for (int pass = 0; pass < 2; pass++) { /* counts, then places */
        for (size_t j = 0; j < n; j++)
            for (size_t k = blocks->begin[j]; k < blocks->begin[j + 1]; k++) {
                const int32_t x = s->tree.number[j], y = s->tree.number[blocks->row[k]];
                const bool turned = y < x;
                ts_front *f = &s->tree.front[home[turned ? y : x]];
                if (pass)
                    s->block[f->first_row + f->rows] = (ts_placed_block){
                        blocks->at[k],   begin_in(s, f, turned ? y : x), begin_in(s, f, turned ? x : y),
                        blocks->size[j], blocks->size[blocks->row[k]],   turned};
                f->rows++;
            }
        int32_t at = 0;
        for (size_t k = 0; k < s->tree.count && !pass; k++) {
            s->tree.front[k].first_row = at;
            at += s->tree.front[k].rows;
            s->tree.front[k].rows = 0;
        }
    }
    ts_free(home);
    return TS_OK;
}

void ts_sparse_blocks_add(const ts_sparse_own *s, const ts_front *f, const ts_dense *d)
{
    for (int32_t k = 0; k < f->rows; k++) {
        const ts_placed_block *b = &s->block[f->first_row + k];
        const double *value = s->value + b->value;
        double *to = d->panel + (size_t)b->column * (size_t)d->ld + b->row;
        const bool diagonal = b->row == b->column;
        for (int j = 0; j < b->width; j++)
            for (int i = diagonal ? j : 0; i < b->height; i++)
                to[b->turned ? (size_t)i * (size_t)d->ld + (size_t)j : (size_t)j * (size_t)d->ld + (size_t)i] +=
                    value[j * b->height + i];
    }
}

void ts_sparse_blocks_floors(ts_sparse_own *s, const ts_front *f)
{
    for (int32_t k = 0; k < f->rows; k++) {
        const ts_placed_block *b = &s->block[f->first_row + k];
        const double *value = s->value + b->value;
        for (int i = 0; b->row == b->column && i < b->width; i++)
            s->floor[s->base[f->first] + b->column + i] =
                fmax(4 * DBL_EPSILON * fabs(value[i * b->height + i]), DBL_MIN);
    }
}

size_t ts_sparse_blocks_failed(const ts_sparse_own *s)
{
    for (size_t k = 0; k < s->tree.count; k++) {
        const ts_front *f = &s->tree.front[k];
        const size_t ld = (size_t)((f->own_numbers + f->rest_numbers + 3) & ~3);
        for (int32_t i = f->first; i < f->first + f->own; i++)
            for (int32_t at = s->base[i]; at < s->base[i + 1]; at++) {
                const size_t j = (size_t)(at - s->base[f->first]);
                if (!(s->panel[f->panel_at + j * ld + j] > sqrt(s->floor[at])))
                    return (size_t)s->tree.order[i];
            }
    }
    return 0;
}
