/* SPDX-License-Identifier: MIT */
#include "contact/near.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Sizes are told apart by the exponent and the first three bits of the mantissa. */
#define BIN_SHIFT 49
#define BIN_COUNT (1 << 14)
#define OCTAVE    8
/* Level of a box that has no finite size. */
#define OPEN UINT8_MAX
/* Cells a box: empty cells cost memory and time. */
#define CELLS_PER_BOX 4
#define CELLS_FEW     64
/* Boxes that a box shares its cell with, itself included, on average: more are too many for cells wider than need be.
 * */
#define COMPANY 6
/* Cells of a row that a hash table keeps together. */
#define RUN_SHIFT 6
#define RUN       (1 << RUN_SHIFT)
/* Cells beyond this along an axis are one: farther out boxes have no more digits than that. */
#define CELL_LAST 0x1p52
/* Cells are not thinner than this share of the widest side: flat boxes need not have flat cells. */
#define THINNEST 0.125
/* Nor than this share of their region. */
#define FINEST 0x1p-48
/* Slots a task: enough to amortise it. */
#define TASK_SLOTS 512

/* ---- Sizes and levels ---- */

static double largest_side(const ts_box3 *box)
{
    double x = box->high.x - box->low.x, y = box->high.y - box->low.y, z = box->high.z - box->low.z;
    double side = x > y ? x : y;
    return side > z ? side : z;
}

static bool is_finite(const ts_box3 *box)
{
    /* ±∞ and overflow make a side ∞ or NaN; low = high = ∞ makes it NaN */
    return largest_side(box) <= DBL_MAX && box->high.x <= DBL_MAX && box->high.y <= DBL_MAX && box->high.z <= DBL_MAX &&
           box->low.x >= -DBL_MAX && box->low.y >= -DBL_MAX && box->low.z >= -DBL_MAX;
}

static int bin_of(double side)
{
    uint64_t bits;
    memcpy(&bits, &side, sizeof bits);
    return (int)((bits & (UINT64_MAX >> 1)) >> BIN_SHIFT); /* without the sign: -0 is 0 */
}

static ts_status refuse(const ts_box3 *box, size_t number, ts_error *error)
{
    return ts_fail(error, TS_BAD_INPUT,
                   "box %zu reaches from (%g, %g, %g) to (%g, %g, %g), which is not a number or inside out; its body "
                   "has no place any more, take a smaller time step",
                   number, box->low.x, box->low.y, box->low.z, box->high.x, box->high.y, box->high.z);
}

/* Counts sizes, and notes boxes that have none. */
static ts_status survey(ts_near *near, const ts_near_query *query, ts_error *error)
{
    int32_t *bin = near->bin.item;
    memset(bin, 0, BIN_COUNT * sizeof *bin);
    near->open.count = 0;
    for (size_t i = 0; i < query->count; i++) {
        const ts_box3 *box = &query->box[i];
        if (!((box->low.x <= box->high.x) & (box->low.y <= box->high.y) & (box->low.z <= box->high.z)))
            return refuse(box, i, error);
        if (is_finite(box))
            bin[bin_of(largest_side(box))]++;
        else
            TS_TRY(ts_array_push(&near->open, (int32_t)i, error));
    }
    return TS_OK;
}

/* Sizes become levels: from the largest downwards, each takes an octave. */
static void make_levels(ts_near *near)
{
    const double far = (double)INFINITY;
    int32_t *bin = near->bin.item;
    int top = BIN_COUNT;
    near->level_count = 0;
    for (int b = BIN_COUNT - 1; b >= 0; b--) {
        if (bin[b] == 0)
            continue;
        if (near->level_count == 0 || (top - b >= OCTAVE && near->level_count < TS_NEAR_LEVELS_MAX)) {
            top = b;
            near->level[near->level_count++] =
                (ts_near_level){.low = {far, far, far}, .low_most = {-far, -far, -far}, .high = {-far, -far, -far}};
        }
        near->level[near->level_count - 1].slot_end += bin[b];
        bin[b] = near->level_count - 1;
    }
    int32_t slot = 0;
    for (ts_near_level *l = near->level; l < near->level + near->level_count; l++) {
        l->slot_begin = slot;
        slot = l->slot_end += slot;
    }
}

/* The level of each box, and how far each level reaches. */
static void measure_levels(ts_near *near, const ts_near_query *query)
{
    for (size_t i = 0; i < query->count; i++) {
        const ts_box3 *box = &query->box[i];
        if (!is_finite(box)) {
            near->level_of.item[i] = OPEN;
            continue;
        }
        int32_t number = near->bin.item[bin_of(largest_side(box))];
        near->level_of.item[i] = (uint8_t)number;
        ts_near_level *level = &near->level[number];
        const double low[3] = {box->low.x, box->low.y, box->low.z}, high[3] = {box->high.x, box->high.y, box->high.z};
        for (int k = 0; k < 3; k++) {
            double side = high[k] - low[k];
            level->low[k] = low[k] < level->low[k] ? low[k] : level->low[k];
            level->low_most[k] = low[k] > level->low_most[k] ? low[k] : level->low_most[k];
            level->high[k] = high[k] > level->high[k] ? high[k] : level->high[k];
            level->reach[k] = side > level->reach[k] ? side : level->reach[k];
        }
    }
}

/* ---- Cells ---- */

/* The cell of a coordinate, whole, in 0 … last. Monotone in x, rounding and all. */
static inline double cell_along(const ts_near_level *level, int axis, double x)
{
    double cell = (x - level->low[axis]) * level->inv_cell[axis];
    cell = cell > 0 ? cell : 0;
    return cell < level->last[axis] ? cell : level->last[axis];
}

/* Cells of given widths: how many, as far as the boxes go. */
static double count_cells(ts_near_level *level, const double width[3], double scale)
{
    double cells = 1;
    for (int k = 0; k < 3; k++) {
        level->inv_cell[k] = fmin(1 / (scale * width[k]), DBL_MAX);
        level->last[k] = CELL_LAST;
        level->last[k] = trunc(cell_along(level, k, level->low_most[k]));
        cells *= level->last[k] + 1;
    }
    return cells;
}

/* Widths of cells that just hold every box. */
static void least_widths(const ts_near_level *level, double width[3])
{
    double widest = fmax(level->reach[0], fmax(level->reach[1], level->reach[2]));
    /* not finer than numbers of this size are: points, and a body that has flown far away */
    for (int k = 0; k < 3; k++)
        widest = fmax(widest, FINEST * level->low_most[k] - FINEST * level->low[k]);
    for (int k = 0; k < 3; k++)
        width[k] = fmax(fmax(level->reach[k], THINNEST * widest), DBL_MIN);
}

/* An array of cells as wide as is needed to keep them in proportion to the boxes. */
static void lay_array(ts_near_level *level)
{
    size_t boxes = (size_t)(level->slot_end - level->slot_begin);
    const double most = (double)(CELLS_PER_BOX * boxes + CELLS_FEW);
    double width[3], scale = 1, cells;
    least_widths(level, width);
    while ((cells = count_cells(level, width, scale)) > most)
        scale *= fmax(1.2, 0.7 * cbrt(cells / most)); /* ends: one cell is few enough */
    level->cell_count = (size_t)cells;
    level->mask = 0;
    level->sparse = scale > 2;
}

/* A hash table of cells as narrow as can be. */
static void lay_table(ts_near_level *level)
{
    size_t boxes = (size_t)(level->slot_end - level->slot_begin), table = RUN;
    double width[3];
    least_widths(level, width);
    count_cells(level, width, 1);
    while (table < 2 * boxes)
        table *= 2;
    level->mask = table - 1;
    level->cell_count = table + RUN; /* a run that begins at the end of the table goes on behind it */
}

/* Whole numbers into one that looks random: the finaliser of MurmurHash3 between multiplications by odd constants. */
static inline uint64_t mix(uint64_t x)
{
    x ^= x >> 33;
    x *= UINT64_C(0xff51afd7ed558ccd);
    x ^= x >> 33;
    return x;
}

/* First cell of a row, or of a run of one. */
static inline size_t row_begin(const ts_near_level *level, int64_t run, int64_t y, int64_t z)
{
    if (!level->mask)
        return level->cell_begin +
               ((size_t)z * ((size_t)level->last[1] + 1) + (size_t)y) * ((size_t)level->last[0] + 1);
    uint64_t hash = mix((uint64_t)z * UINT64_C(0x9e3779b97f4a7c15) + (uint64_t)y);
    return level->cell_begin + ((size_t)mix(hash * UINT64_C(0xd1b54a32d192ed03) + (uint64_t)run) & level->mask);
}

static size_t cell_at(const ts_near_level *level, const double low[3])
{
    int64_t x = (int64_t)cell_along(level, 0, low[0]), y = (int64_t)cell_along(level, 1, low[1]),
            z = (int64_t)cell_along(level, 2, low[2]);
    return level->mask ? row_begin(level, x >> RUN_SHIFT, y, z) + (size_t)(x & (RUN - 1))
                       : row_begin(level, 0, y, z) + (size_t)x;
}

/* Of two levels one looks into the other: by the number of rows that are looked at. */
static void choose_directions(ts_near *near)
{
    static const double rows_above = 6; /* rows of a coarser level that a box looks at, about */
    for (int c = 0; c < near->level_count; c++)
        for (int f = c + 1; f < near->level_count; f++) {
            ts_near_level *coarse = &near->level[c], *fine = &near->level[f];
            double rows = 1;
            for (int k = 1; k < 3; k++)
                rows *= fmin((coarse->reach[k] + fine->reach[k]) * fine->inv_cell[k], fine->last[k]) + 1;
            double down = rows * (coarse->slot_end - coarse->slot_begin),
                   up = rows_above * (fine->slot_end - fine->slot_begin);
            *(down < up ? &coarse->looks_into : &fine->looks_into) |= UINT64_C(1) << (down < up ? f : c);
        }
}

/* Counts the boxes of each cell, two places up. */
static ts_status count_boxes(ts_near *near, const ts_near_query *query, size_t *cell_count, ts_error *error)
{
    size_t cells = 0;
    for (ts_near_level *l = near->level; l < near->level + near->level_count; l++) {
        l->cell_begin = cells;
        cells += l->cell_count;
    }
    TS_TRY(ts_array_reserve(&near->cell_start, cells + 2, error));
    uint32_t *start = near->cell_start.item;
    memset(start, 0, (cells + 2) * sizeof *start);
    for (size_t i = 0; i < query->count; i++)
        if (near->level_of.item[i] != OPEN) {
            const ts_vec3 *p = &query->box[i].low;
            size_t cell = cell_at(&near->level[near->level_of.item[i]], (const double[3]){p->x, p->y, p->z});
            near->cell_of.item[i] = (uint32_t)cell;
            start[cell + 2]++;
        }
    *cell_count = cells;
    return TS_OK;
}

/* Sparse levels that turn out to be crowded somewhere, clusters far apart, get a table instead; whether there are any.
 * */
static bool disperse(ts_near *near)
{
    bool any = false;
    for (ts_near_level *l = near->level; l < near->level + near->level_count; l++) {
        if (!l->sparse)
            continue;
        double company = 0;
        const uint32_t *count = near->cell_start.item + 2 + l->cell_begin;
        for (size_t c = 0; c < l->cell_count; c++)
            company += (double)count[c] * count[c];
        if (company > COMPANY * (l->slot_end - l->slot_begin)) {
            lay_table(l);
            any = true;
        }
        l->sparse = false;
    }
    return any;
}

/* Puts boxes into slots, cell by cell. */
static ts_status fill_slots(ts_near *near, const ts_near_query *query, ts_error *error)
{
    size_t cells;
    TS_TRY(count_boxes(near, query, &cells, error));
    if (disperse(near))
        TS_TRY(count_boxes(near, query, &cells, error));
    uint32_t *start = near->cell_start.item;

    /* counts two places up become ends one place up, and starts once all boxes are in */
    for (size_t c = 2; c < cells + 2; c++)
        start[c] += start[c - 1];
    for (size_t i = 0; i < query->count; i++)
        if (near->level_of.item[i] != OPEN) {
            const ts_box3 *b = &query->box[i];
            near->slot.item[start[near->cell_of.item[i] + 1]++] = (ts_near_slot){
                .bound = {b->low.x, b->low.y, b->low.z, -b->high.x, -b->high.y, -b->high.z},
                .box = (int32_t)i,
                .group = query->group && query->group[i] >= 0 ? query->group[i] : -1 - (int32_t)i,
                .passive = query->passive && query->passive[i],
            };
        }
    return TS_OK;
}

/* ---- Looking for pairs ---- */

typedef struct finder {
    ts_near *near;
    const ts_near_query *query;
    int slot_tasks;
} finder;

/* Room for so many more; false when there is none. */
static bool make_room(ts_near_found *found, size_t more)
{
    if (found->pair.count + more <= found->pair.capacity)
        return found->status == TS_OK;
    if (found->pair.count > TS_NEAR_PAIRS_MAX)
        found->status = TS_UNSUPPORTED;
    else if (ts_array_reserve(&found->pair, found->pair.count + more, NULL) != TS_OK)
        found->status = TS_OUT_OF_MEMORY;
    return found->status == TS_OK;
}

/* A box that looks for others. */
typedef struct seeker {
    double low[3], high[3]; /* [m] */
    int32_t box, group, passive;
} seeker;

static inline seeker seeker_at(const ts_near_slot *slot)
{
    const double *b = slot->bound;
    return (seeker){{b[0], b[1], b[2]}, {-b[3], -b[4], -b[5]}, slot->box, slot->group, slot->passive};
}

typedef double two_numbers __attribute__((vector_size(16), may_alias)); /* slots are aligned to 64 bytes */
typedef int64_t two_answers __attribute__((vector_size(16)));

/* Whether they overlap, 1 or 0; without branches, since nobody can foretell the answer. */
static inline int overlap(const ts_near_slot *p, const two_numbers limit[3])
{
    const two_numbers *b = (const two_numbers *)p->bound;
    two_answers all = (b[0] <= limit[0]) & (b[1] <= limit[1]) & (b[2] <= limit[2]);
    return (all[0] & all[1]) != 0;
}

static inline int may_pair(const ts_near_slot *p, const seeker *q)
{
    return (p->group != q->group) & ~(p->passive & q->passive); /* marks are 0 or 1 */
}

/* Holds q against the boxes of some slots. */
static inline void test_slots(ts_near_found *found, const ts_near_slot *slot, const seeker *q, uint32_t begin,
                              uint32_t end)
{
    if (begin >= end || !make_room(found, end - begin))
        return;
    ts_near_pair *pair = found->pair.item;
    size_t count = found->pair.count;
    const two_numbers limit[3] = {{q->high[0], q->high[1]}, {q->high[2], -q->low[0]}, {-q->low[1], -q->low[2]}};
    if (!found->marked)
        for (uint32_t s = begin; s < end; s++) {
            pair[count] = (ts_near_pair){q->box, slot[s].box};
            count += (size_t)overlap(&slot[s], limit);
        }
    else
        for (uint32_t s = begin; s < end; s++) {
            pair[count] = (ts_near_pair){q->box, slot[s].box};
            count += (size_t)(overlap(&slot[s], limit) & may_pair(&slot[s], q));
        }
    found->pair.count = count;
}

/* Where low corners may be. */
typedef struct cell_range {
    int64_t begin[3], end[3]; /* last ones included */
} cell_range;

static inline cell_range cells_around(const ts_near_level *level, const seeker *q)
{
    cell_range range;
    for (int k = 0; k < 3; k++) {
        range.begin[k] = (int64_t)cell_along(level, k, q->low[k] - level->reach[k]);
        range.end[k] = (int64_t)cell_along(level, k, q->high[k]);
    }
    return range;
}

/* Cells begin … end of one row, but slots from `from` on only. */
static inline void test_row(const ts_near *near, const ts_near_level *level, ts_near_found *found, const seeker *q,
                            const int64_t row[2], const int64_t cell[2], uint32_t from)
{
    const uint32_t *start = near->cell_start.item;
    if (!level->mask) {
        size_t first = row_begin(level, 0, row[0], row[1]);
        uint32_t begin = start[first + (size_t)cell[0]];
        test_slots(found, near->slot.item, q, begin > from ? begin : from, start[first + (size_t)cell[1] + 1]);
        return;
    }
    for (int64_t run = cell[0] >> RUN_SHIFT; run <= cell[1] >> RUN_SHIFT; run++) {
        int64_t low = run << RUN_SHIFT, high = low + RUN - 1;
        size_t first = row_begin(level, run, row[0], row[1]);
        uint32_t begin = start[first + (size_t)((cell[0] > low ? cell[0] : low) - low)];
        test_slots(found, near->slot.item, q, begin > from ? begin : from,
                   start[first + (size_t)((cell[1] < high ? cell[1] : high) - low) + 1]);
        from = 0; /* slots of another run may stand anywhere */
    }
}

/* In its own level a box looks at rows behind its own and, in its own, at what follows: the others find it. */
static void search_own(const ts_near *near, const ts_near_level *level, ts_near_found *found, const seeker *q,
                       uint32_t slot)
{
    cell_range r = cells_around(level, q);
    int64_t own[3];
    for (int k = 0; k < 3; k++)
        own[k] = (int64_t)cell_along(level, k, q->low[k]);
    test_row(near, level, found, q, &own[1], (const int64_t[2]){own[0], r.end[0]}, slot + 1);
    for (int64_t z = own[2]; z <= r.end[2]; z++)
        for (int64_t y = z == own[2] ? own[1] + 1 : r.begin[1]; y <= r.end[1]; y++)
            test_row(near, level, found, q, (const int64_t[2]){y, z}, (const int64_t[2]){r.begin[0], r.end[0]}, 0);
}

static void search_level(const ts_near *near, const ts_near_level *level, ts_near_found *found, const seeker *q)
{
    for (int k = 0; k < 3; k++)
        if (q->low[k] > level->high[k] || q->high[k] < level->low[k])
            return;
    cell_range r = cells_around(level, q);
    double rows = (double)(r.end[1] - r.begin[1] + 1) * (double)(r.end[2] - r.begin[2] + 1);
    if (level->mask)
        rows *= (double)((r.end[0] >> RUN_SHIFT) - (r.begin[0] >> RUN_SHIFT) + 1);
    if (rows > level->slot_end - level->slot_begin) {
        test_slots(found, near->slot.item, q, (uint32_t)level->slot_begin, (uint32_t)level->slot_end);
        return;
    }
    for (int64_t z = r.begin[2]; z <= r.end[2]; z++)
        for (int64_t y = r.begin[1]; y <= r.end[1]; y++)
            test_row(near, level, found, q, (const int64_t[2]){y, z}, (const int64_t[2]){r.begin[0], r.end[0]}, 0);
}

static void search_slots(const ts_near *near, ts_near_found *found, uint32_t begin, uint32_t end)
{
    const ts_near_level *level = near->level;
    for (uint32_t s = begin; s < end && found->status == TS_OK; s++) {
        while (s >= (uint32_t)level->slot_end)
            level++;
        const seeker q = seeker_at(&near->slot.item[s]);
        search_own(near, level, found, &q, s);
        for (uint64_t others = level->looks_into; others; others &= others - 1)
            search_level(near, &near->level[__builtin_ctzll(others)], found, &q);
    }
}

static bool boxes_meet(const ts_near_query *query, size_t i, size_t j)
{
    const ts_box3 *p = &query->box[i], *q = &query->box[j];
    bool overlap = (p->low.x <= q->high.x) & (q->low.x <= p->high.x) & (p->low.y <= q->high.y) &
                   (q->low.y <= p->high.y) & (p->low.z <= q->high.z) & (q->low.z <= p->high.z);
    return overlap && !(query->passive && query->passive[i] && query->passive[j]) &&
           !(query->group && query->group[i] >= 0 && query->group[i] == query->group[j]);
}

/* A box without a finite size: all others, in their order. Of two such boxes the first finds the second. */
static void search_open(const finder *f, ts_near_found *found, size_t i)
{
    const size_t run = 4096;
    for (size_t begin = 0; begin < f->query->count && make_room(found, run); begin += run)
        for (size_t j = begin; j < begin + run && j < f->query->count; j++)
            if ((j > i || (j < i && f->near->level_of.item[j] != OPEN)) && boxes_meet(f->query, i, j))
                found->pair.item[found->pair.count++] = (ts_near_pair){(int32_t)i, (int32_t)j};
}

static void run_search(void *context, int task, int thread)
{
    const finder *f = context;
    ts_near_found *found = &f->near->found.item[thread];
    if (task >= f->slot_tasks) {
        search_open(f, found, (size_t)f->near->open.item[task - f->slot_tasks]);
        return;
    }
    uint32_t end = (uint32_t)(f->query->count - f->near->open.count), begin = (uint32_t)task * TASK_SLOTS;
    search_slots(f->near, found, begin, begin + TASK_SLOTS < end ? begin + TASK_SLOTS : end);
}

/* ---- All of it ---- */

static ts_status reserve(ts_near *near, const ts_near_query *query, ts_error *error)
{
    size_t n = query->count, threads = (size_t)ts_pool_thread_count(query->pool);
    TS_TRY(ts_array_reserve(&near->bin, BIN_COUNT, error));
    TS_TRY(ts_array_reserve(&near->level_of, n, error));
    TS_TRY(ts_array_reserve(&near->cell_of, n, error));
    TS_TRY(ts_array_reserve(&near->slot, n, error));
    TS_TRY(ts_array_reserve(&near->found, threads, error));
    while (near->found.count < threads)
        near->found.item[near->found.count++] = (ts_near_found){0};
    for (size_t t = 0; t < near->found.count; t++) {
        near->found.item[t].pair.count = 0;
        near->found.item[t].status = TS_OK;
        near->found.item[t].marked = query->group || query->passive;
    }
    return TS_OK;
}

static ts_status search(ts_near *near, finder *f, ts_error *error)
{
    ts_pool_run(f->query->pool, f->slot_tasks + (int)near->open.count, run_search, f);
    size_t total = 0;
    for (size_t t = 0; t < near->found.count; t++) {
        const ts_near_found *found = &near->found.item[t];
        total += found->pair.count;
        if (found->status == TS_OUT_OF_MEMORY)
            return ts_fail_memory(error, 2 * found->pair.count * sizeof *found->pair.item);
        if (found->status != TS_OK || total > TS_NEAR_PAIRS_MAX)
            return ts_fail(error, TS_UNSUPPORTED,
                           "more than %zu pairs of boxes overlap: bodies lie on top of each other; spread them out",
                           TS_NEAR_PAIRS_MAX);
    }
    return TS_OK;
}

ts_status ts_near_find(ts_near *near, const ts_near_query *query, ts_error *error)
{
    near->pair_count = 0;
    if (query->count > TS_NEAR_BOXES_MAX)
        return ts_fail(error, TS_UNSUPPORTED, "%zu boxes are more than %zu; split the scene", query->count,
                       TS_NEAR_BOXES_MAX);
    TS_TRY(reserve(near, query, error));
    TS_TRY(survey(near, query, error));
    make_levels(near);
    measure_levels(near, query);
    for (int l = 0; l < near->level_count; l++) {
        ts_near_level *level = &near->level[l];
        for (int k = 0; k < 3; k++) /* sides were rounded, to nearest: true ones are not beyond the next number */
            level->reach[k] = nextafter(level->reach[k], HUGE_VAL);
        lay_array(level);
    }
    TS_TRY(fill_slots(near, query, error));
    choose_directions(near);
    finder f = {near, query, (int)((query->count - near->open.count + TASK_SLOTS - 1) / TASK_SLOTS)};
    TS_TRY(search(near, &f, error));
    return ts_near_order(near, query->count, query->pool, error);
}

void ts_near_free(ts_near *near)
{
    for (size_t t = 0; t < near->found.count; t++)
        ts_array_free(&near->found.item[t].pair);
    ts_array_free(&near->found);
    ts_array_free(&near->bin);
    ts_array_free(&near->level_of);
    ts_array_free(&near->cell_of);
    ts_array_free(&near->cell_start);
    ts_array_free(&near->slot);
    ts_array_free(&near->open);
    ts_array_free(&near->run_begin);
    ts_array_free(&near->partner);
    ts_array_free(&near->partners);
    ts_array_free(&near->kept);
    ts_free(near->pair);
    *near = (ts_near){0};
}
