/* SPDX-License-Identifier: MIT */
#include "record/fclib.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "dynamics/impact_work.h"
#include "record/fclib_local.h"
#include "record/hdf.h"

#if TS_WITH_HDF5

/* What the format calls things. */
#define GLOBAL   "fclib_global"
#define LOCAL    "fclib_local"
#define SOLUTION "solution"

/* How a matrix is stored: fclib_matrix.nz, where triplets give their number. */
enum { BY_COLUMNS = -1, BY_ROWS = -2 };

static ts_place place_of(const ts_hdf *file)
{
    return (ts_place){ts_hdf_path(file), 0, 0};
}

/* ---- Writing ---- */

static ts_status put_int(ts_hdf *file, const char *folder, const char *name, int32_t value, ts_error *error)
{
    char path[64];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return ts_hdf_put_ints(file, path, &value, 1, error);
}

static ts_status put_matrix(ts_hdf *file, const char *folder, const ts_fclib_matrix *m, ts_error *error)
{
    char path[3][64];
    int32_t entries = m->begin[m->columns];
    const char *name[3] = {"p", "i", "x"};
    for (int k = 0; k < 3; k++)
        snprintf(path[k], sizeof path[k], "%s/%s", folder, name[k]);
    TS_TRY(ts_hdf_put_group(file, folder, error));
    TS_TRY(put_int(file, folder, "nzmax", entries, error));
    TS_TRY(put_int(file, folder, "m", m->rows, error));
    TS_TRY(put_int(file, folder, "n", m->columns, error));
    TS_TRY(put_int(file, folder, "nz", BY_COLUMNS, error));
    TS_TRY(ts_hdf_put_ints(file, path[0], m->begin, (size_t)m->columns + 1, error));
    TS_TRY(ts_hdf_put_ints(file, path[1], m->row, (size_t)entries, error));
    return ts_hdf_put_doubles(file, path[2], m->x, (size_t)entries, error);
}

/* Everything of a global problem, cut from one arena. */
typedef struct sheet {
    ts_fclib_matrix mass, h;
    double *f, *w, *mu;
    bool has_local; /* the same for those who know contacts alone */
    ts_fclib_matrix local;
    double *q;
    ts_arena memory;
} sheet;

static ts_status make_sheet(sheet *s, const ts_problem *p, ts_error *error)
{
    size_t numbers = p->block_count * (size_t)p->dof, rows = (size_t)p->rows * p->count,
           entries = 2 * rows * (size_t)p->dof;
    *s = (sheet){0};
    if (p->count == 0)
        return ts_fail(error, TS_BAD_INPUT, "the problem has no contacts; FCLIB files have at least one");
    if (entries > INT_MAX || numbers > INT_MAX)
        return ts_fail(error, TS_UNSUPPORTED, "%zu contacts are more than the indices of FCLIB files can count",
                       p->count);
    bool got = ts_fclib_matrix_make(&s->memory, numbers, numbers, numbers, &s->mass) &&
               ts_fclib_matrix_make(&s->memory, numbers, rows, entries, &s->h);
    s->f = ts_arena_alloc(&s->memory, numbers + 1, sizeof *s->f);
    s->w = ts_arena_alloc(&s->memory, rows, sizeof *s->w);
    s->mu = ts_arena_alloc(&s->memory, p->count, sizeof *s->mu);
    if (!got || !s->f || !s->w || !s->mu)
        return ts_fail_memory(error, (3 * numbers + 2 * entries) * sizeof(double));
    return ts_fclib_local(p, &s->memory, &s->local, &s->q, &s->has_local, error);
}

/* A column: a row of the problem without the roots of masses. */
static void add_column(ts_fclib_matrix *h, const ts_problem *p, size_t k, int along)
{
    const size_t dof = (size_t)p->dof, column = (size_t)p->rows * k + (size_t)along;
    const ts_rows row = ts_problem_along(p, along);
    const double *side[2] = {row.ga + dof * k, row.gb + dof * k};
    const int32_t block[2] = {p->a[k], p->b[k]};
    int32_t at = h->begin[column];
    const int first = block[0] > block[1]; /* rows of a column ascend */
    for (int i = 0; i < 2; i++) {
        int which = i ^ first;
        if (block[which] < 0)
            continue;
        for (size_t d = 0; d < dof; d++) {
            size_t number = dof * (size_t)block[which] + d;
            h->row[at] = (int32_t)number;
            h->x[at++] = p->root[number] > 0 ? side[which][d] / p->root[number] : 0;
        }
    }
    h->begin[column + 1] = at;
}

static void fill_sheet(sheet *s, const ts_problem *p)
{
    for (size_t i = 0; i < p->block_count * (size_t)p->dof; i++) {
        /* what nothing can turn has no columns; any mass will do */
        double root = p->root[i];
        s->mass.begin[i] = s->mass.row[i] = (int32_t)i;
        s->mass.begin[i + 1] = (int32_t)i + 1;
        s->mass.x[i] = root > 0 ? 1 / (root * root) : 1;
        s->f[i] = root > 0 ? p->w[i] / root : 0;
    }
    for (size_t k = 0; k < p->count; k++) {
        for (int along = 0; along < p->rows; along++) {
            add_column(&s->h, p, k, along);
            s->w[(size_t)p->rows * k + (size_t)along] =
                along == 0 ? ts_problem_shift(p, k) : ts_problem_along(p, along).drift[k];
        }
        s->mu[k] = p->friction[k];
    }
}

static ts_status put_info(ts_hdf *file, const char *folder, const ts_fclib_info *info, int rows, ts_error *error)
{
    char path[3][64];
    const char *name[3] = {"title", "description", "math_info"};
    for (int k = 0; k < 3; k++)
        snprintf(path[k], sizeof path[k], "%s/%s", folder, name[k]);
    TS_TRY(ts_hdf_put_group(file, folder, error));
    TS_TRY(ts_hdf_put_text(file, path[0], info->title, error));
    TS_TRY(ts_hdf_put_text(file, path[1], info->description, error));
    return ts_hdf_put_text(
        file, path[2],
        rows == 3 ? "of space; three numbers a contact: along the normal, along two tangents; r are impulses; M is "
                    "diagonal: turning is about principal axes"
                  : "of the plane; two numbers a contact: along the normal, along the tangent; r are impulses; M "
                    "is diagonal",
        error);
}

/* The same problem, for those who know contacts alone. */
static ts_status put_local(ts_hdf *file, const sheet *s, const ts_problem *p, const ts_fclib_info *info,
                           ts_error *error)
{
    TS_TRY(ts_hdf_put_group(file, LOCAL, error));
    TS_TRY(ts_hdf_put_ints(file, LOCAL "/spacedim", &(int32_t){p->rows}, 1, error));
    TS_TRY(put_matrix(file, LOCAL "/W", &s->local, error));
    TS_TRY(ts_hdf_put_group(file, LOCAL "/vectors", error));
    TS_TRY(ts_hdf_put_doubles(file, LOCAL "/vectors/q", s->q, (size_t)p->rows * p->count, error));
    TS_TRY(ts_hdf_put_doubles(file, LOCAL "/vectors/mu", s->mu, p->count, error));
    return put_info(file, LOCAL "/info", info, p->rows, error);
}

static ts_status put_sheet(ts_hdf *file, const sheet *s, const ts_problem *p, const ts_fclib_info *info,
                           ts_error *error)
{
    TS_TRY(ts_hdf_put_group(file, GLOBAL, error));
    TS_TRY(ts_hdf_put_ints(file, GLOBAL "/spacedim", &(int32_t){p->rows}, 1, error));
    TS_TRY(put_matrix(file, GLOBAL "/M", &s->mass, error));
    TS_TRY(put_matrix(file, GLOBAL "/H", &s->h, error));
    TS_TRY(ts_hdf_put_group(file, GLOBAL "/vectors", error));
    TS_TRY(ts_hdf_put_doubles(file, GLOBAL "/vectors/f", s->f, (size_t)s->mass.rows, error));
    TS_TRY(ts_hdf_put_doubles(file, GLOBAL "/vectors/w", s->w, (size_t)p->rows * p->count, error));
    TS_TRY(ts_hdf_put_doubles(file, GLOBAL "/vectors/mu", s->mu, p->count, error));
    TS_TRY(put_info(file, GLOBAL "/info", info, p->rows, error));
    /* beside what the format knows: when, and which bodies */
    TS_TRY(ts_hdf_put_doubles(file, GLOBAL "/info/time", &p->time, 1, error));
    TS_TRY(ts_hdf_put_ints(file, GLOBAL "/info/body", p->body, p->block_count, error));
    return s->has_local ? put_local(file, s, p, info, error) : TS_OK;
}

static void free_sheet(sheet *s)
{
    ts_arena_free(&s->memory);
}

ts_status ts_fclib_write(const char *path, const ts_problem *problem, const ts_fclib_info *info, ts_error *error)
{
    TS_AUTO(free_sheet) sheet s = {0};
    TS_AUTO(ts_hdf_close_at) ts_hdf *file = NULL;
    TS_TRY(make_sheet(&s, problem, error));
    TS_TRY(ts_hdf_create(path, &file, error));
    fill_sheet(&s, problem);
    TS_TRY(put_sheet(file, &s, problem, info, error));
    return ts_hdf_save(file, error);
}

/* ---- Reading ---- */

/* A matrix as triplets, however it was stored. Where it was stored so, p are columns and i rows to Siconos, which has
 * them from CSparse, but rows and columns to FCLIB's manual: the first is tried before the second. */
typedef struct entries {
    bool triplets;
    size_t rows, columns, count;
    int32_t *row, *column;
    double *x;
} entries;

/* What is read, before it is made a problem of. */
typedef struct reading {
    ts_hdf *file;
    ts_error *error;
    ts_arena memory;
    entries mass, h;
    double *f, *w, *mu;
    size_t rows;    /* of a contact: 2 in the plane, 3 in space */
    size_t count;   /* contacts */
    size_t dof;     /* velocities of a block, so that no contact ties more than two */
    double *root;   /* 1/√M (rows of M) */
    int32_t *block; /* two of each contact; -1: none (2 · count) */
} reading;

static void *take(reading *r, size_t count, size_t size)
{
    return ts_arena_alloc(&r->memory, count + 1, size);
}

static ts_status get_size(reading *r, const char *folder, const char *name, int32_t least, int32_t *value)
{
    char path[64];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    TS_TRY(ts_hdf_get_ints(r->file, path, value, 1, r->error));
    if (*value >= least)
        return TS_OK;
    return ts_fail_at(r->error, TS_CORRUPT, place_of(r->file), "\"%s\" is %d, but must be at least %d", path, *value,
                      least);
}

/* Before room is made for it. */
static ts_status check_count(reading *r, const char *path, size_t count)
{
    size_t there;
    TS_TRY(ts_hdf_count(r->file, path, &there, r->error));
    if (there == count)
        return TS_OK;
    return ts_fail_at(r->error, TS_CORRUPT, place_of(r->file), "\"%s\" has %zu numbers, but should have %zu", path,
                      there, count);
}

static ts_status get_doubles(reading *r, const char *path, size_t count, double **to)
{
    TS_TRY(check_count(r, path, count));
    *to = take(r, count, sizeof **to);
    if (!*to)
        return ts_fail_memory(r->error, count * sizeof **to);
    TS_TRY(ts_hdf_get_doubles(r->file, path, *to, count, r->error));
    for (size_t i = 0; i < count; i++)
        if (!isfinite((*to)[i]))
            return ts_fail_at(r->error, TS_CORRUPT, place_of(r->file), "number %zu of \"%s\" is not finite", i, path);
    return TS_OK;
}

static ts_status get_indices(reading *r, const char *path, size_t count, int32_t **to)
{
    TS_TRY(check_count(r, path, count));
    *to = take(r, count, sizeof **to);
    if (!*to)
        return ts_fail_memory(r->error, count * sizeof **to);
    return ts_hdf_get_ints(r->file, path, *to, count, r->error);
}

/* Of compressed columns or rows: which one each entry is in. */
static ts_status expand(reading *r, const char *path, const int32_t *begin, size_t lines, size_t count, int32_t **line)
{
    *line = take(r, count, sizeof **line);
    if (!*line)
        return ts_fail_memory(r->error, count * sizeof **line);
    bool good = begin[0] == 0 && begin[lines] >= 0 && (size_t)begin[lines] <= count;
    for (size_t i = 0; good && i < lines; i++)
        good = begin[i] <= begin[i + 1];
    if (!good)
        return ts_fail_at(r->error, TS_CORRUPT, place_of(r->file),
                          "\"%s\" does not ascend from 0 to the number of entries, at most %zu", path, count);
    for (size_t i = 0; i < lines; i++)
        for (int32_t at = begin[i]; at < begin[i + 1]; at++)
            (*line)[at] = (int32_t)i;
    return TS_OK;
}

/* The first entry that stands outside of the matrix, or their number. */
static size_t first_outside(const entries *m)
{
    size_t k = 0;
    while (k < m->count && m->row[k] >= 0 && (size_t)m->row[k] < m->rows && m->column[k] >= 0 &&
           (size_t)m->column[k] < m->columns)
        k++;
    return k;
}

static void swap_indices(entries *m)
{
    int32_t *other = m->row;
    m->row = m->column;
    m->column = other;
}

static ts_status check_indices(reading *r, const char *folder, entries *m)
{
    size_t k = first_outside(m);
    if (k < m->count && m->triplets) {
        swap_indices(m);
        if (first_outside(m) == m->count)
            return TS_OK;
        swap_indices(m);
    }
    if (k == m->count)
        return TS_OK;
    return ts_fail_at(r->error, TS_CORRUPT, place_of(r->file),
                      "entry %zu of \"%s\" stands at (%d, %d), outside of its %zu rows and %zu columns", k, folder,
                      m->row[k], m->column[k], m->rows, m->columns);
}

static ts_status get_matrix(reading *r, const char *folder, entries *m)
{
    int32_t most, rows, columns, kind, *begin, *index;
    char p[64], i[64], x[64];
    snprintf(p, sizeof p, "%s/p", folder);
    snprintf(i, sizeof i, "%s/i", folder);
    snprintf(x, sizeof x, "%s/x", folder);
    TS_TRY(get_size(r, folder, "nzmax", 0, &most));
    TS_TRY(get_size(r, folder, "m", 1, &rows));
    TS_TRY(get_size(r, folder, "n", 1, &columns));
    TS_TRY(get_size(r, folder, "nz", BY_ROWS, &kind));
    size_t count = (size_t)(kind >= 0 ? kind : most);
    *m = (entries){kind >= 0, (size_t)rows, (size_t)columns, count, NULL, NULL, NULL};
    TS_TRY(get_indices(r, i, count, &index));
    TS_TRY(get_doubles(r, x, count, &m->x));
    if (kind >= 0) {
        TS_TRY(get_indices(r, p, count, &m->column));
        m->row = index;
        return check_indices(r, folder, m);
    }
    size_t lines = kind == BY_COLUMNS ? m->columns : m->rows;
    TS_TRY(get_indices(r, p, lines + 1, &begin));
    TS_TRY(expand(r, p, begin, lines, count, kind == BY_COLUMNS ? &m->column : &m->row));
    *(kind == BY_COLUMNS ? &m->row : &m->column) = index;
    m->count = (size_t)begin[lines];
    return check_indices(r, folder, m);
}

/* ---- From matrices to bodies and contacts ---- */

static ts_status take_masses(reading *r)
{
    size_t n = r->mass.rows;
    if (r->mass.columns != n)
        return ts_fail_at(r->error, TS_CORRUPT, place_of(r->file), "M has %zu rows and %zu columns, but must be square",
                          n, r->mass.columns);
    r->root = take(r, n, sizeof *r->root);
    if (!r->root)
        return ts_fail_memory(r->error, n * sizeof *r->root);
    for (size_t k = 0; k < r->mass.count; k++) {
        if (r->mass.row[k] == r->mass.column[k])
            r->root[r->mass.row[k]] += r->mass.x[k];
        else if (r->mass.x[k] != 0)
            return ts_fail_at(r->error, TS_UNSUPPORTED, place_of(r->file),
                              "M is not diagonal: it has %g at (%d, %d); only problems with a diagonal M are read",
                              r->mass.x[k], r->mass.row[k], r->mass.column[k]);
    }
    for (size_t i = 0; i < n; i++) {
        if (!(r->root[i] > 0) || !isfinite(r->root[i]))
            return ts_fail_at(r->error, TS_CORRUPT, place_of(r->file),
                              "M has %g at (%zu, %zu), but must be positive there", r->root[i], i, i);
        r->root[i] = 1 / sqrt(r->root[i]);
    }
    return TS_OK;
}

/* Whether contacts tie at most two blocks of `dof` velocities each; fills r->block. */
static bool fits(reading *r, size_t dof)
{
    if (r->h.rows % dof != 0)
        return false;
    for (size_t i = 0; i < 2 * r->count; i++)
        r->block[i] = -1;
    for (size_t k = 0; k < r->h.count; k++) {
        int32_t *block = r->block + 2 * ((size_t)r->h.column[k] / r->rows), own = r->h.row[k] / (int32_t)dof;
        if (r->h.x[k] == 0 || block[0] == own || block[1] == own)
            continue;
        if (block[0] >= 0 && block[1] >= 0)
            return false;
        block[block[0] >= 0] = own;
    }
    r->dof = dof;
    return true;
}

static ts_status find_blocks(reading *r)
{
    static const size_t any[] = {3, 2, 1, 6, 4, 5};
    const size_t six[] = {6}, *dof = r->rows == 3 ? six : any, dofs = r->rows == 3 ? 1 : sizeof any / sizeof *any;
    r->block = take(r, 2 * r->count, sizeof *r->block);
    if (!r->block)
        return ts_fail_memory(r->error, 2 * r->count * sizeof *r->block);
    for (int order = 0; order < 2; order++) {
        for (size_t i = 0; i < dofs; i++)
            if (fits(r, dof[i]))
                return TS_OK;
        swap_indices(&r->h);
        if (!r->h.triplets || first_outside(&r->h) < r->h.count)
            break;
    }
    return ts_fail_at(
        r->error, TS_UNSUPPORTED, place_of(r->file),
        r->rows == 3
            ? "some contact in H ties more than two bodies of 6 velocities; only problems of space whose contacts "
              "tie one or two are read"
            : "some contact in H ties more than two bodies; only problems whose contacts tie one or two are read");
}

static void fill_rows(const reading *r, ts_problem *p)
{
    for (size_t k = 0; k < r->h.count; k++) {
        size_t contact = (size_t)r->h.column[k] / r->rows, along = (size_t)r->h.column[k] % r->rows,
               row = (size_t)r->h.row[k], d = row % r->dof;
        if (r->h.x[k] == 0)
            continue;
        double *const a[3] = {p->ga, p->ta, p->xa}, *const b[3] = {p->gb, p->tb, p->xb};
        double *to = p->a[contact] == (int32_t)(row / r->dof) ? a[along] : b[along];
        to[contact * r->dof + d] += r->h.x[k] * r->root[row];
    }
}

/* A row that moves nothing cannot be solved for. */
static ts_status check_rows(const reading *r, const ts_problem *p)
{
    for (size_t i = 0; i < r->rows * p->count; i++) {
        const size_t k = i / r->rows;
        const ts_rows along = ts_problem_along(p, (int)(i % r->rows));
        const double size = ts_rows_square(&along, k);
        if (!(size > 0) || !isfinite(size))
            return ts_fail_at(r->error, TS_CORRUPT, place_of(r->file),
                              "column %zu of H, along the %s of contact %zu, is zero or too large", i,
                              i % r->rows ? "tangent" : "normal", k);
    }
    return TS_OK;
}

static ts_status make_problem(reading *r, ts_problem *p)
{
    TS_TRY(ts_problem_create(p, r->count, r->h.rows / r->dof, (int)r->dof, (int)r->rows, r->error));
    for (size_t i = 0; i < r->h.rows; i++) {
        p->root[i] = r->root[i];
        p->w[i] = r->f[i] * r->root[i];
    }
    for (size_t i = 0; i < p->block_count; i++)
        p->body[i] = (int32_t)i;
    for (size_t k = 0; k < r->count; k++) {
        int32_t one = r->block[2 * k], other = r->block[2 * k + 1];
        p->a[k] = other >= 0 ? (one < other ? one : other) : -1;
        p->b[k] = one > other ? one : other;
        p->drift[k] = r->w[r->rows * k];
        p->slip[k] = r->w[r->rows * k + 1];
        if (r->rows == 3)
            p->slip_x[k] = r->w[3 * k + 2];
        p->friction[k] = r->mu[k];
    }
    fill_rows(r, p);
    return check_rows(r, p);
}

/* What is beside the format, if it is there and makes sense. */
static void take_extras(reading *r, ts_problem *p)
{
    double time;
    if (ts_hdf_has(r->file, GLOBAL "/info/time") &&
        ts_hdf_get_doubles(r->file, GLOBAL "/info/time", &time, 1, NULL) == TS_OK && isfinite(time))
        p->time = time;
    if (ts_hdf_has(r->file, GLOBAL "/info/body") &&
        ts_hdf_get_ints(r->file, GLOBAL "/info/body", p->body, p->block_count, NULL) != TS_OK)
        for (size_t i = 0; i < p->block_count; i++)
            p->body[i] = (int32_t)i;
}

static ts_status check_kind(reading *r)
{
    int32_t space, columns;
    if (!ts_hdf_has(r->file, GLOBAL)) {
        if (ts_hdf_has(r->file, LOCAL))
            return ts_fail_at(r->error, TS_UNSUPPORTED, place_of(r->file),
                              "it holds a local problem, W and q alone; only global ones, with M and H, are read");
        return ts_fail_at(r->error, TS_BAD_INPUT, place_of(r->file),
                          "it is an HDF5 file, but holds no FCLIB problem: there is no \"" GLOBAL "\"");
    }
    TS_TRY(get_size(r, GLOBAL, "spacedim", 0, &space));
    if (space != 2 && space != 3)
        return ts_fail_at(r->error, TS_UNSUPPORTED, place_of(r->file),
                          "its problem has spacedim %d; only problems of the plane, 2, and of space, 3, are read",
                          space);
    r->rows = (size_t)space;
    if (!ts_hdf_has(r->file, GLOBAL "/G"))
        return TS_OK;
    TS_TRY(get_size(r, GLOBAL "/G", "n", 0, &columns));
    if (columns == 0)
        return TS_OK;
    return ts_fail_at(r->error, TS_UNSUPPORTED, place_of(r->file),
                      "its problem has %d equality constraints, G; only contacts are read", columns);
}

static ts_status read_problem(reading *r, ts_problem *p)
{
    TS_TRY(check_kind(r));
    TS_TRY(get_matrix(r, GLOBAL "/M", &r->mass));
    TS_TRY(get_matrix(r, GLOBAL "/H", &r->h));
    if (r->h.rows != r->mass.rows || r->h.columns % r->rows != 0)
        return ts_fail_at(
            r->error, TS_CORRUPT, place_of(r->file),
            "H has %zu rows and %zu columns; it must have a row for each of M's %zu and %zu columns a contact",
            r->h.rows, r->h.columns, r->mass.rows, r->rows);
    r->count = r->h.columns / r->rows;
    TS_TRY(get_doubles(r, GLOBAL "/vectors/f", r->mass.rows, &r->f));
    TS_TRY(get_doubles(r, GLOBAL "/vectors/w", r->h.columns, &r->w));
    TS_TRY(get_doubles(r, GLOBAL "/vectors/mu", r->count, &r->mu));
    for (size_t k = 0; k < r->count; k++)
        if (r->mu[k] < 0)
            return ts_fail_at(r->error, TS_CORRUPT, place_of(r->file),
                              "mu of contact %zu is %g, but a coefficient of friction is at least 0", k, r->mu[k]);
    TS_TRY(take_masses(r));
    TS_TRY(find_blocks(r));
    TS_TRY(make_problem(r, p));
    take_extras(r, p);
    return TS_OK;
}

ts_status ts_fclib_read(const char *path, ts_problem *problem, ts_fclib_info *info, ts_error *error)
{
    reading r = {.error = error};
    ts_problem made = {0};
    TS_TRY(ts_hdf_open(path, &r.file, error));
    ts_status status = read_problem(&r, &made);
    if (status == TS_OK && info) {
        ts_hdf_get_text(r.file, GLOBAL "/info/title", info->title, sizeof info->title);
        ts_hdf_get_text(r.file, GLOBAL "/info/description", info->description, sizeof info->description);
    }
    ts_hdf_close(r.file);
    ts_arena_free(&r.memory);
    if (status == TS_OK) {
        ts_problem_free(problem);
        *problem = made;
    } else {
        ts_problem_free(&made);
    }
    return status;
}

/* ---- Solutions ---- */

static ts_status put_solution(ts_hdf *file, const ts_problem *p, const ts_solution *s, ts_error *error)
{
    TS_TRY(ts_hdf_remove(file, SOLUTION, error));
    TS_TRY(ts_hdf_put_group(file, SOLUTION, error));
    TS_TRY(ts_hdf_put_doubles(file, SOLUTION "/v", s->v, p->block_count * (size_t)p->dof, error));
    TS_TRY(ts_hdf_put_doubles(file, SOLUTION "/u", s->u, (size_t)p->rows * p->count, error));
    TS_TRY(ts_hdf_put_doubles(file, SOLUTION "/r", s->r, (size_t)p->rows * p->count, error));
    return ts_hdf_save(file, error);
}

ts_status ts_fclib_write_solution(const char *path, const ts_problem *problem, const ts_solution *solution,
                                  ts_error *error)
{
    TS_AUTO(ts_hdf_close_at) ts_hdf *file = NULL;
    TS_TRY(ts_hdf_open(path, &file, error));
    return put_solution(file, problem, solution, error);
}

static void free_reading(reading *r)
{
    ts_hdf_close(r->file);
    ts_arena_free(&r->memory);
}

ts_status ts_fclib_read_solution(const char *path, const ts_problem *problem, ts_solution *solution, bool *has,
                                 ts_error *error)
{
    TS_AUTO(free_reading) reading r = {.error = error};
    double *v = NULL, *u = NULL, *rr = NULL;
    size_t numbers = problem->block_count * (size_t)problem->dof, rows = (size_t)problem->rows * problem->count;
    TS_TRY(ts_hdf_open(path, &r.file, error));
    *has = ts_hdf_has(r.file, SOLUTION);
    if (!*has)
        return TS_OK;
    TS_TRY(get_doubles(&r, SOLUTION "/v", numbers, &v));
    TS_TRY(get_doubles(&r, SOLUTION "/u", rows, &u));
    TS_TRY(get_doubles(&r, SOLUTION "/r", rows, &rr));
    TS_TRY(ts_solution_create(solution, problem, error));
    memcpy(solution->v, v, numbers * sizeof *v);
    memcpy(solution->u, u, rows * sizeof *u);
    memcpy(solution->r, rr, rows * sizeof *rr);
    return TS_OK;
}

#else

static ts_status unsupported(ts_error *error)
{
    return ts_fail(error, TS_UNSUPPORTED,
                   "this build of Touchstone cannot read or write FCLIB files, which are HDF5; install libhdf5-dev and "
                   "build with -DTS_WITH_HDF5=ON");
}

ts_status ts_fclib_write(const char *path, const ts_problem *problem, const ts_fclib_info *info, ts_error *error)
{
    (void)path, (void)problem, (void)info;
    return unsupported(error);
}

ts_status ts_fclib_read(const char *path, ts_problem *problem, ts_fclib_info *info, ts_error *error)
{
    (void)path, (void)problem, (void)info;
    return unsupported(error);
}

ts_status ts_fclib_write_solution(const char *path, const ts_problem *problem, const ts_solution *solution,
                                  ts_error *error)
{
    (void)path, (void)problem, (void)solution;
    return unsupported(error);
}

ts_status ts_fclib_read_solution(const char *path, const ts_problem *problem, ts_solution *solution, bool *has,
                                 ts_error *error)
{
    (void)path, (void)problem, (void)solution, (void)has;
    return unsupported(error);
}

#endif
