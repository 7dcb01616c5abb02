/* SPDX-License-Identifier: MIT */
/* Tables: making, keeping, asking. table_fill.c finds the values, table_fit.c the form, table.simd.c answers. */
#include <math.h>
#include <string.h>

#include "base/bytes.h"
#include "base/kernel.h"
#include "base/memory.h"
#include "base/vec.h"
#include "cspace/table_kernel.h"

TS_KERNEL_CHOOSER(ts_table_kernels, ts_table)

/* ---- Lattices ---- */

static size_t column_count(const ts_lattice *l)
{
    return (size_t)l->rows * (size_t)l->angles;
}

ts_status ts_lattice_columns(ts_lattice *l, ts_error *error)
{
    const size_t columns = column_count(l);
    l->base = ts_alloc(columns, sizeof *l->base);
    l->cell = ts_alloc(2 * columns + TS_LATTICE_PAD, 1);
    return l->base && l->cell ? TS_OK : ts_fail_memory(error, columns * (sizeof *l->base + 2));
}

ts_status ts_lattice_values(ts_lattice *l, size_t count, ts_error *error)
{
    const size_t bytes = count * (size_t)l->bits / 8 + TS_LATTICE_PAD;
    l->count = count;
    l->value = ts_alloc(bytes, 1);
    return l->value ? TS_OK : ts_fail_memory(error, bytes);
}

void ts_lattice_free(ts_lattice *l)
{
    ts_free(l->base);
    ts_free(l->cell);
    ts_free(l->value);
    *l = (ts_lattice){0};
}

size_t ts_lattice_bytes(const ts_lattice *l)
{
    return column_count(l) * (sizeof *l->base + 2) + l->count * (size_t)l->bits / 8;
}

/* ---- Making ---- */

/* Zeros become good values; the rest must make sense. */
static ts_status complete_form(const ts_table_job *job, const ts_table_form *given, ts_table_form *form,
                               ts_error *error)
{
    const double unit = job->pair->small, period = job->fold->period;
    *form = given ? *given : (ts_table_form){0};
    if (form->spacing == 0)
        form->spacing = 0.05 * unit;
    /* a turn moves contact points by about 0.85 of B's radius: as far as to the next node in x. A disc has no angle */
    if (period == 0)
        form->turn = 2 * TS_PI;
    if (form->turn == 0)
        form->turn = fmin(form->spacing / (0.85 * job->pair->radius_b), period / 3);
    if (form->deep == 0)
        form->deep = 0.3 * unit;
    if (form->far == 0)
        form->far = 0.11 * unit;
    if (form->bits == 0)
        form->bits = 8;
    const double size[4] = {form->spacing, form->turn, form->deep, form->far};
    static const char *const name[4] = {"spacing", "turn", "deep", "far"};
    for (int i = 0; i < 4; i++)
        if (!(size[i] > 0 && size[i] <= 10))
            return ts_fail(error, TS_BAD_INPUT,
                           "%s of a table is %g radii or radians, but must be positive and at most 10; a map of kind "
                           "exact needs none",
                           name[i], size[i]);
    if (form->bits != 8 && form->bits != 16)
        return ts_fail(error, TS_BAD_INPUT, "values of a table may have 8 or 16 bits, not %d", (int)form->bits);
    return TS_OK;
}

ts_status ts_table_create(const ts_exact *exact, const ts_pair *pair, const ts_fold *fold, const ts_table_form *form,
                          ts_pool *pool, ts_table_progress *progress, void *user, ts_table **table, ts_error *error)
{
    const ts_table_job job = {exact, pair, fold, pool, progress, user};
    ts_table_form whole;
    if (fold->exchange || (fold->turns_a > 0 && 4 % fold->turns_a != 0))
        return ts_fail(error, TS_BAD_INPUT,
                       "a table was given a fold that its lattice does not share; give it "
                       "ts_fold_for_table");
    TS_TRY(complete_form(&job, form, &whole, error));
    TS_AUTO(ts_table_free_at) ts_table *t = NULL;
    TS_TRY(ts_new(&t, 1, error));
    *t = (ts_table){.form = whole, .reach = pair->reach, .axis = fold->axis_a, .origin = fold->axis_a - fold->axis_b};
    TS_TRY(ts_table_fill(&job, t, error));
    t->form.turn = t->gap.turn; /* a whole number of nodes a period */
    *table = ts_give(&t);
    return TS_OK;
}

void ts_table_free(ts_table *table)
{
    if (!table)
        return;
    ts_lattice_free(&table->gap);
    ts_lattice_free(&table->arm);
    ts_free(table);
}

bool ts_table_reached(const ts_table *table)
{
    return table->reached;
}

bool ts_table_is_open(const ts_table *table)
{
    return table->open;
}

size_t ts_table_bytes(const ts_table *table)
{
    return sizeof *table + ts_lattice_bytes(&table->gap) + ts_lattice_bytes(&table->arm);
}

ts_table_form ts_table_get_form(const ts_table *table)
{
    return table->form;
}

void ts_table_query(const void *table, size_t count, ts_fields *fields)
{
    ts_table_choose()->query(table, count, fields);
}

/* ---- Bytes ---- */

enum { lattice_head = 11 * 8, table_head = 8 * 8 };

static size_t lattice_size(const ts_lattice *l)
{
    return lattice_head + column_count(l) * 6 + l->count * (size_t)l->bits / 8;
}

static unsigned char *put_lattice(unsigned char *to, const ts_lattice *l)
{
    to = ts_put_f64(to, l->spacing);
    to = ts_put_f64(to, l->turn);
    const int64_t number[8] = {l->width,   l->rows, l->angles, l->first_x,
                               l->first_y, l->bits, l->linear, (int64_t)l->count};
    for (int i = 0; i < 8; i++)
        to = ts_put_u64(to, (uint64_t)number[i]);
    to = ts_put_f32(to, l->middle);
    to = ts_put_f32(to, l->scale);
    for (size_t c = 0; c < column_count(l); c++)
        to = ts_put_u32(to, (uint32_t)l->base[c]);
    memcpy(to, l->cell, 2 * column_count(l));
    to += 2 * column_count(l);
    memcpy(to, l->value, l->count * (size_t)l->bits / 8);
    return to + l->count * (size_t)l->bits / 8;
}

ts_status ts_table_save(const ts_table *table, unsigned char **bytes, size_t *size, ts_error *error)
{
    *size = table_head + lattice_size(&table->gap) + lattice_size(&table->arm);
    unsigned char *to = *bytes = ts_alloc_raw(*size, 1);
    if (!to)
        return ts_fail_memory(error, *size);
    const double number[7] = {table->form.spacing, table->form.turn, table->form.deep, table->form.far,
                              table->reach,        table->axis,      table->origin};
    for (int i = 0; i < 7; i++)
        to = ts_put_f64(to, number[i]);
    to = ts_put_u64(to, (uint64_t)table->form.bits);
    put_lattice(put_lattice(to, &table->gap), &table->arm);
    return TS_OK;
}

static bool within(double value, double low, double high)
{
    return value >= low && value <= high;
}

/* Whole numbers of a lattice's head, each within its limits. */
static bool take_head(ts_bytes *from, ts_lattice *l)
{
    static const int64_t least[8] = {3, 1, 1, -100000, -100000, 8, 0, 0};
    static const int64_t most[8] = {
        TS_LATTICE_WIDTH_MAX, TS_LATTICE_ROWS_MAX, TS_LATTICE_TURNS_MAX, 100000, 100000, 16, 1, INT32_MAX / 4};
    l->spacing = ts_take_f64(from);
    l->turn = ts_take_f64(from);
    int64_t number[8];
    bool good = within(l->spacing, 1e-6, 100) && within(l->turn, 1e-6, 100);
    for (int i = 0; i < 8; i++) {
        number[i] = (int64_t)ts_take_u64(from);
        good &= number[i] >= least[i] && number[i] <= most[i];
    }
    l->middle = ts_take_f32(from);
    l->scale = ts_take_f32(from);
    good &= within((double)l->middle, -1000, 1000) && within((double)l->scale, 1e-35, 1000);
    if (!good || from->bad || (number[5] != 8 && number[5] != 16))
        return false;
    l->width = (int32_t)number[0], l->rows = (int32_t)number[1], l->angles = (int32_t)number[2];
    l->first_x = (int32_t)number[3], l->first_y = (int32_t)number[4];
    l->bits = (int32_t)number[5], l->linear = (int32_t)number[6];
    l->count = (size_t)number[7];
    return from->left >= column_count(l) * 6 && from->left - column_count(l) * 6 >= l->count * (size_t)l->bits / 8;
}

/* A kernel reads, for a cell that the columns offer, these nodes and no others: all must be there. */
static bool cells_covered(const ts_lattice *l)
{
    const int32_t before = l->linear ? 0 : 1;
    for (int32_t j = 0; j < l->rows; j++)
        for (int32_t k = 0; k < l->angles; k++) {
            const unsigned char *cell = l->cell + 2 * ((size_t)j * (size_t)l->angles + (size_t)k);
            if (cell[0] > cell[1])
                continue;
            if (cell[0] < before || cell[1] + 1 >= l->width)
                return false;
            for (int32_t b = -before; b <= 1; b++)
                for (int32_t a = -before; a <= 1; a++) {
                    int32_t row = j + b < 0 || j + b >= l->rows ? j : j + b, turn = (k + a + l->angles) % l->angles;
                    int64_t base = l->base[(size_t)row * (size_t)l->angles + (size_t)turn];
                    if (base + cell[0] - before < 0 || base + cell[1] + 1 >= (int64_t)l->count)
                        return false;
                }
        }
    return true;
}

static ts_status take_lattice(ts_bytes *from, ts_lattice *l, ts_error *error)
{
    if (!take_head(from, l)) {
        *l = (ts_lattice){0};
        return ts_fail(error, TS_CORRUPT, "the head of a table's lattice makes no sense; make the map anew");
    }
    TS_TRY(ts_lattice_columns(l, error));
    TS_TRY(ts_lattice_values(l, l->count, error));
    for (size_t c = 0; c < column_count(l); c++)
        l->base[c] = (int32_t)ts_take_u32(from);
    memcpy(l->cell, ts_take(from, 2 * column_count(l)), 2 * column_count(l));
    memcpy(l->value, ts_take(from, l->count * (size_t)l->bits / 8), l->count * (size_t)l->bits / 8);
    if (!cells_covered(l))
        return ts_fail(error, TS_CORRUPT, "a table's column offers nodes that are not there; make the map anew");
    return TS_OK;
}

static ts_status take_table(ts_bytes *from, ts_table *t, ts_error *error)
{
    double number[7];
    for (int i = 0; i < 7; i++)
        number[i] = ts_take_f64(from);
    uint64_t bits = ts_take_u64(from);
    bool good = !from->bad && (bits == 8 || bits == 16);
    for (int i = 0; i < 5; i++)
        good = good && within(number[i], 1e-6, 100);
    good = good && within(number[5], -100, 100) && within(number[6], -100, 100);
    if (!good)
        return ts_fail(error, TS_CORRUPT, "the head of a table makes no sense; make the map anew");
    t->form = (ts_table_form){number[0], number[1], number[2], number[3], (int32_t)bits};
    t->reach = number[4];
    t->axis = number[5];
    t->origin = number[6];
    TS_TRY(take_lattice(from, &t->gap, error));
    TS_TRY(take_lattice(from, &t->arm, error));
    if (from->left != 0 || t->gap.linear || !t->arm.linear || t->gap.bits != t->form.bits ||
        t->arm.bits != 8) /* as kernels read it */
        return ts_fail(error, TS_CORRUPT, "a table's parts do not fit together; make the map anew");
    return TS_OK;
}

ts_status ts_table_load(const unsigned char *bytes, size_t size, ts_table **table, ts_error *error)
{
    TS_AUTO(ts_table_free_at) ts_table *t = NULL;
    TS_TRY(ts_new(&t, 1, error));
    ts_bytes from = ts_bytes_of(bytes, size);
    TS_TRY(take_table(&from, t, error));
    *table = ts_give(&t);
    return TS_OK;
}
