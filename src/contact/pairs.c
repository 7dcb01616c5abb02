/* SPDX-License-Identifier: MIT */
#include "contact/pairs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "contact/faces.h"
#include "contact/forms.h"

/* A sample this large fixes the region to a few per cent; larger ones only cost time. */
#define REGION_SAMPLE 512
/* Parts per block: enough that a block's pairs amortise a task, few enough that two threads share even small scenes
 * fairly. */
#define BLOCK_PARTS 256
#define BLOCKS_MAX  1024
/* Cells a part: empty cells cost memory and time at each rebuild. */
#define CELLS_PER_PART 4

/* ---- Parts where the reference has them ---- */

bool ts_body_absent(const ts_model *model, size_t body, double time)
{
    if (!model->body_gate || model->body_gate[body] < 0)
        return false;
    const ts_gate *gate = &model->gate[model->body_gate[body]];
    return gate->open <= time && time < gate->close;
}

size_t ts_gate_epoch(const ts_model *model, double time)
{
    size_t epoch = 0;
    for (size_t i = 0; i < model->gate_count; i++)
        epoch += (size_t)(model->gate[i].open <= time) + (size_t)(model->gate[i].close <= time);
    for (size_t i = 0; i < model->wall_count; i++)
        epoch += (size_t)(model->wall[i].open <= time) + (size_t)(model->wall[i].close <= time);
    return epoch;
}

/* Part `part` of a body at `at`. */
static ts_spot place_part(const ts_model *model, const ts_poses *poses, size_t part)
{
    if (model->parts_are_bodies) {
        const ts_body *body = &model->body[part];
        ts_reference at = ts_pose_of(poses, part);
        return (ts_spot){at.x, at.y, body->radius, (int32_t)part, 0, body->inv_mass > 0, false};
    }
    int32_t owner = model->part_body[part];
    ts_reference at = ts_pose_of(poses, (size_t)owner);
    ts_vec2 offset = ts_vec2_rotate((ts_vec2){model->part_x[part], model->part_y[part]}, at.angle);
    return (ts_spot){
        at.x + offset.x, at.y + offset.y, model->part_radius[part], owner, 0, model->body[owner].inv_mass > 0, false};
}

/* ---- The grid ---- */

static int compare_doubles(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Bounds of the bulk of the parts along one axis: the central 98 % of a sample, widened by half on both sides, but not
 * beyond the true bounds. */
static void bulk_bounds(double *sample, size_t count, double low, double high, double bounds[2])
{
    qsort(sample, count, sizeof *sample, compare_doubles);
    double from = sample[count / 100], to = sample[count - 1 - count / 100];
    double margin = 0.5 * (to - from);
    bounds[0] = fmax(low, from - margin);
    bounds[1] = fmin(high, to + margin);
}

typedef struct extent {
    double low[2], high[2];
    double radius_min, radius_max;
} extent;

/* Bounds and radii of all parts; a sample of positions on the way. */
static extent survey(const ts_model *model, const ts_poses *poses, double sample[2][REGION_SAMPLE],
                     size_t *sample_count)
{
    const double infinity = (double)INFINITY;
    extent e = {{infinity, infinity}, {-infinity, -infinity}, infinity, 0};
    size_t stride = model->part_count / REGION_SAMPLE + 1, count = 0;
    for (size_t i = 0; i < model->part_count; i++) {
        ts_spot s = place_part(model, poses, i);
        e.low[0] = s.x < e.low[0] ? s.x : e.low[0];
        e.low[1] = s.y < e.low[1] ? s.y : e.low[1];
        e.high[0] = s.x > e.high[0] ? s.x : e.high[0];
        e.high[1] = s.y > e.high[1] ? s.y : e.high[1];
        e.radius_min = s.radius < e.radius_min ? s.radius : e.radius_min;
        e.radius_max = s.radius > e.radius_max ? s.radius : e.radius_max;
        if (i % stride == 0) {
            sample[0][count] = s.x;
            sample[1][count] = s.y;
            count++;
        }
    }
    *sample_count = count;
    return e;
}

static int32_t cells_along(double length, double inv_cell)
{
    double cells = floor(length * inv_cell) + 1;
    return cells < 1 ? 1 : cells > 1e9 ? 1000000000 : (int32_t)cells;
}

/* Chooses region, strips and levels so that the cells stay in proportion to the parts. */
static void lay_grid(ts_grid *grid, const ts_model *model, const ts_poses *poses, double skin)
{
    static const size_t few = 64;
    double sample[2][REGION_SAMPLE];
    size_t sample_count;
    extent e = survey(model, poses, sample, &sample_count);
    double bounds[2][2];
    for (int axis = 0; axis < 2; axis++)
        bulk_bounds(sample[axis], sample_count, e.low[axis], e.high[axis], bounds[axis]);
    double size[2] = {bounds[0][1] - bounds[0][0], bounds[1][1] - bounds[1][0]};

    /* many strips let many threads work: they lie across the longer side */
    grid->across = size[0] > size[1] ? 0 : 1;
    int along = 1 - grid->across;
    grid->origin[0] = bounds[along][0];
    grid->origin[1] = bounds[grid->across][0];

    /* a hair wider than needed, so that rounding cannot put two touching parts two cells apart */
    double cell = (2 * e.radius_max + skin) * (1 + 1e-9);
    double cells_allowed = CELLS_PER_PART * (double)(model->part_count + few);
    while ((size[0] / cell + 1) * (size[1] / cell + 1) > cells_allowed)
        cell *= 1.25;

    grid->strip_count = cells_along(size[grid->across], 1 / cell);
    grid->level_count = 0;
    grid->cells_a_strip = 0;
    double finest = (2 * e.radius_min + skin) * (1 + 1e-9);
    for (int l = 0; l < TS_LEVELS_MAX; l++) {
        double width = ldexp(cell, -l);
        double rows = (double)grid->strip_count * ldexp(1, l);
        if (l > 0 && (width < finest || (size[along] / width + 1) * rows > cells_allowed))
            break;
        int32_t columns = cells_along(size[along], 1 / width);
        grid->level[l] = (ts_level){1 / width, columns, (int32_t)rows, grid->cells_a_strip, 0};
        grid->cells_a_strip += (size_t)columns << l;
        grid->level_count++;
    }
}

/* The finest level that is wide enough. */
static uint8_t level_of(const ts_grid *grid, double radius, double skin)
{
    double width = (2 * radius + skin) * (1 + 1e-9);
    int level = grid->level_count - 1;
    while (level > 0 && width * grid->level[level].inv_cell > 1)
        level--;
    return (uint8_t)level;
}

/* Cell index along an axis, folded into 0 … count-1. Monotone and never stretching, so neighbours stay neighbours. */
static inline int32_t fold(double offset, double inv_cell, int32_t count)
{
    double cell = offset * inv_cell;
    if (!(cell > 0))
        return 0;
    return cell >= (double)count ? count - 1 : (int32_t)cell;
}

typedef struct cell_place {
    int32_t row, column;
} cell_place;

static inline cell_place cell_at(const ts_grid *grid, int level, double x, double y)
{
    const ts_level *l = &grid->level[level];
    double along = grid->across ? x : y, across = grid->across ? y : x;
    return (cell_place){fold(across - grid->origin[1], l->inv_cell, l->rows),
                        fold(along - grid->origin[0], l->inv_cell, l->columns)};
}

/* ---- Sorting parts into slots ----
 * Cells are numbered in slot order: strip by strip, in a strip level by level, in a level row by row. */

/* First cell of a level's row in cell_start[]. */
static inline size_t row_begin(const ts_grid *grid, int level, int32_t row)
{
    const ts_level *l = &grid->level[level];
    int32_t strip = row >> level, row_in_strip = row - (strip << level);
    return (size_t)strip * grid->cells_a_strip + l->cell_begin + (size_t)row_in_strip * (size_t)l->columns;
}

static ts_status sort_parts(ts_pairs *pairs, const ts_model *model, const ts_poses *poses, double time, ts_spot *spot,
                            ts_error *error)
{
    ts_grid *grid = &pairs->grid;
    size_t cell_count = grid->cells_a_strip * (size_t)grid->strip_count;
    if (cell_count + 2 > pairs->cell_capacity) {
        size_t capacity = cell_count + cell_count / 8 + 2;
        int32_t *grown;
        TS_TRY(ts_new_raw(&grown, capacity, error));
        ts_free(pairs->cell_start);
        pairs->cell_start = grown;
        pairs->bytes += (capacity - pairs->cell_capacity) * sizeof *grown;
        pairs->cell_capacity = capacity;
    }

    /* counting sort; taking parts in order of id makes the order within a cell that of the ids */
    int32_t *start = pairs->cell_start;
    memset(start, 0, (cell_count + 2) * sizeof *start);
    double skin = pairs->skin;
    for (size_t i = 0; i < model->part_count; i++) {
        ts_spot s = place_part(model, poses, i);
        int level = level_of(grid, s.radius, skin);
        grid->level[level].part_count++;
        cell_place at = cell_at(grid, level, s.x, s.y);
        size_t cell = row_begin(grid, level, at.row) + (size_t)at.column;
        pairs->cell_of_part[i] = (uint32_t)cell;
        start[cell + 2]++;
    }
    for (size_t c = 2; c < cell_count + 2; c++)
        start[c] += start[c - 1];
    for (size_t i = 0; i < model->part_count; i++) {
        int32_t slot = start[pairs->cell_of_part[i] + 1]++;
        pairs->slot_of_part[i] = slot;
        pairs->part_of_slot[slot] = (int32_t)i;
        ts_spot s = place_part(model, poses, i);
        s.level = level_of(grid, s.radius, skin);
        s.absent = ts_body_absent(model, (size_t)s.body, time);
        spot[slot] = s;
    }
    return TS_OK;
}

/* ---- Blocks ---- */

static ts_status make_blocks(ts_pairs *pairs, const ts_model *model, ts_error *error)
{
    const ts_grid *grid = &pairs->grid;
    size_t cap = (size_t)grid->strip_count < BLOCKS_MAX ? (size_t)grid->strip_count : BLOCKS_MAX;
    if (cap + 1 > pairs->block_capacity) {
        size_t room = cap + cap / 4 + 1;
        int32_t *slot = ts_alloc(room, sizeof *slot);
        size_t *pair = ts_alloc(room, sizeof *pair), *wall = ts_alloc(room, sizeof *wall);
        if (!slot || !pair || !wall) {
            ts_free(slot);
            ts_free(pair);
            ts_free(wall);
            return ts_fail_memory(error, room * (sizeof *slot + 2 * sizeof *pair));
        }
        ts_free(pairs->block_slot);
        ts_free(pairs->block_pair);
        ts_free(pairs->block_wall);
        pairs->block_slot = slot;
        pairs->block_pair = pair;
        pairs->block_wall = wall;
        pairs->bytes += (room - pairs->block_capacity) * (sizeof *slot + 2 * sizeof *pair);
        pairs->block_capacity = room;
    }
    size_t wanted = model->part_count / BLOCKS_MAX >= BLOCK_PARTS ? model->part_count / BLOCKS_MAX + 1 : BLOCK_PARTS;
    int32_t blocks = 0;
    pairs->block_slot[0] = 0;
    for (int32_t strip = 0; strip < grid->strip_count; strip++) {
        int32_t end = strip + 1 == grid->strip_count ? (int32_t)model->part_count
                                                     : pairs->cell_start[row_begin(grid, 0, strip + 1)];
        if ((size_t)(end - pairs->block_slot[blocks]) >= wanted || strip + 1 == grid->strip_count)
            pairs->block_slot[++blocks] = end;
    }
    pairs->block_count = blocks;
    /* with one level a part looks forward only, into its own strip and the next: neighbours' neighbours are then
     * independent */
    pairs->colour_count = grid->level_count == 1 ? 2 : 3;
    return TS_OK;
}

/* ---- Pairs ---- */

/* No short cuts: in a packing half of the tests succeed, in no order that a predictor could learn. */
static inline int may_touch(const ts_spot *a, const ts_spot *b, double skin)
{
    double dx = b->x - a->x, dy = b->y - a->y, reach = a->radius + b->radius + skin;
    return (dx * dx + dy * dy < reach * reach) & (a->movable | b->movable) & (a->body != b->body) & !b->absent;
}

typedef struct pair_search {
    ts_pairs *pairs;
    const ts_model *model;
    const ts_spot *spot;
    const ts_wall_frame *wall;
    ts_partners *partners;
} pair_search;

/* Where the partners that a part finds go: all are counted, as many as there is room for are kept. */
typedef struct partner_list {
    int32_t *partner;
    int32_t count, room;
} partner_list;

/* Adds those of the slots from … to-1 that `slot` may touch. */
static inline void scan(const ts_spot *spot, int32_t slot, int32_t from, int32_t to, double skin, partner_list *list)
{
    enum { GULP = 32 };
    int32_t found[GULP + 1];
    const ts_spot *a = &spot[slot];
    while (from < to) {
        int32_t end = to - from > GULP ? from + GULP : to, count = 0;
        for (; from < end; from++) {
            found[count] = from;
            count += may_touch(a, &spot[from], skin);
        }
        for (int32_t k = 0; k < count; k++, list->count++)
            if (list->count < list->room)
                list->partner[list->count] = found[k]; /* NOLINT: the analyser does not see that found[k] was set */
    }
}

/* Slots of the cells column-1 … column+1 of a row. */
static inline void three_cells(const ts_pairs *pairs, int level, int32_t row, int32_t column, int32_t *from,
                               int32_t *to)
{
    const ts_level *l = &pairs->grid.level[level];
    size_t begin = row_begin(&pairs->grid, level, row);
    int32_t first = column > 0 ? column - 1 : 0, last = column + 1 < l->columns ? column + 1 : l->columns - 1;
    *from = pairs->cell_start[begin + (size_t)first];
    *to = pairs->cell_start[begin + (size_t)last + 1];
}

/* All partners that a part finds: at its own level those after it in slot order, at coarser levels all. */
static void find_partners(const ts_pairs *pairs, const ts_spot *spot, int32_t slot, double skin, partner_list *list)
{
    const ts_grid *grid = &pairs->grid;
    const ts_spot *a = &spot[slot];
    if (a->absent)
        return;
    for (int level = a->level; level >= 0; level--) {
        if (grid->level[level].part_count == 0)
            continue;
        cell_place at = cell_at(grid, level, a->x, a->y);
        bool own = level == a->level;
        int32_t first = own || at.row == 0 ? at.row : at.row - 1;
        int32_t last = at.row + 1 < grid->level[level].rows ? at.row + 1 : at.row;
        for (int32_t row = first; row <= last; row++) {
            int32_t from, to;
            three_cells(pairs, level, row, at.column, &from, &to);
            if (own && row == at.row)
                from = slot + 1;
            scan(spot, slot, from, to, skin, list);
        }
    }
}

/* Faces of walls near a part, in a scene that has polylines or outlines. */
static size_t faces_of_slot(const pair_search *search, int32_t slot, double skin, ts_candidate *out)
{
    const ts_spot *s = &search->spot[slot];
    const ts_faces *faces = search->model->faces;
    const double reach = s->radius + skin + (search->model->forms ? search->model->forms->wall_reach : 0);
    size_t found = 0;
    for (size_t i = 0; s->movable && !s->absent && i < search->model->wall_count; i++) {
        const ts_wall_frame *w = &search->wall[i];
        if (w->absent)
            continue;
        double dx = s->x - w->frame.x, dy = s->y - w->frame.y, nx, ny;
        if (faces->root[i] >= 0) {
            ts_vec2 at = ts_wall_local(w, dx, dy);
            found += ts_faces_near(faces, i, at.x, at.y, reach, slot, out ? out + found : NULL);
        } else if (ts_wall_gap(w, dx, dy, s->radius, &nx, &ny) < skin) {
            if (out)
                out[found] = (ts_candidate){faces->begin[i], slot};
            found++;
        }
    }
    return found;
}

/* Walls near a part, in a scene of half-planes and circles. Inlined: it runs for every part at every rebuild. */
static inline size_t walls_of_slot(const pair_search *search, int32_t slot, double skin, ts_candidate *out)
{
    const ts_spot *s = &search->spot[slot];
    if (!s->movable || s->absent)
        return 0;
    size_t found = 0;
    for (size_t i = 0; i < search->model->wall_count; i++) {
        const ts_wall_frame *w = &search->wall[i];
        double dx = s->x - w->frame.x, dy = s->y - w->frame.y;
        double gap = w->kind == TS_WALL_FLAT ? dx * w->nx + dy * w->ny - s->radius
                                             : w->radius - sqrt(dx * dx + dy * dy) - s->radius;
        if (!(gap < skin) || w->absent)
            continue;
        if (out)
            out[found] = (ts_candidate){(int32_t)i, slot};
        found++;
    }
    return found;
}

/* First pass: how many pairs each block has; the partners of each part are kept as far as there is room. */
static void count_block(void *context, int block, int thread)
{
    (void)thread;
    pair_search *search = context;
    ts_pairs *pairs = search->pairs;
    double skin = pairs->skin;
    const bool faces = search->model->faces != NULL;
    size_t pair = 0, wall = 0;
    for (int32_t slot = pairs->block_slot[block]; slot < pairs->block_slot[block + 1]; slot++) {
        ts_partners *kept = &search->partners[slot];
        partner_list list = {kept->partner, 0, TS_PARTNERS_KEPT};
        find_partners(pairs, search->spot, slot, skin, &list);
        kept->count = list.count;
        pair += (size_t)list.count;
        wall += faces ? faces_of_slot(search, slot, skin, NULL) : walls_of_slot(search, slot, skin, NULL);
    }
    pairs->block_pair[block] = pair;
    pairs->block_wall[block] = wall;
}

/* Second pass: writes them, looking again only for parts that have more partners than were kept. */
static void write_block(void *context, int block, int thread)
{
    (void)thread;
    pair_search *search = context;
    ts_pairs *pairs = search->pairs;
    double skin = pairs->skin;
    ts_candidate *pair = pairs->pair + pairs->block_pair[block], *wall = pairs->wall + pairs->block_wall[block];
    const bool walls = pairs->block_wall[block + 1] > pairs->block_wall[block], faces = search->model->faces != NULL;
    for (int32_t slot = pairs->block_slot[block]; slot < pairs->block_slot[block + 1]; slot++) {
        const ts_partners *kept = &search->partners[slot];
        if (kept->count <= TS_PARTNERS_KEPT) {
            for (int32_t k = 0; k < kept->count; k++)
                pair[k] = (ts_candidate){slot, kept->partner[k]};
        } else {
            /* partners land in the second half of the pairs' own memory, and are then spread out from the front */
            int32_t *partner = (int32_t *)pair + kept->count;
            partner_list list = {partner, 0, kept->count};
            find_partners(pairs, search->spot, slot, skin, &list);
            for (int32_t k = 0; k < kept->count; k++) {
                int32_t other = partner[k];
                pair[k] = (ts_candidate){slot, other};
            }
        }
        pair += kept->count;
        if (walls)
            wall += faces ? faces_of_slot(search, slot, skin, wall) : walls_of_slot(search, slot, skin, wall);
    }
}

/* Counts become first indices. */
static size_t prefix_sum(size_t *value, int32_t count)
{
    size_t sum = 0;
    for (int32_t i = 0; i < count; i++) {
        size_t next = sum + value[i];
        value[i] = sum;
        sum = next;
    }
    value[count] = sum;
    return sum;
}

static ts_status reserve_pairs(ts_candidate **pair, size_t *capacity, size_t needed, size_t *bytes, ts_error *error)
{
    if (*pair && needed <= *capacity)
        return TS_OK;
    size_t room = needed + needed / 8 + 1; /* never NULL, so that pointers into an empty list are pointers */
    ts_candidate *grown;
    TS_TRY(ts_new_raw(&grown, room, error));
    ts_free(*pair);
    *pair = grown;
    *bytes += (room - *capacity) * sizeof *grown;
    *capacity = room;
    return TS_OK;
}

/* ---- Walls ---- */

void ts_wall_at(const ts_model *model, size_t wall, double time, double step, double part, ts_wall_frame *at)
{
    const ts_wall *own = &model->wall[wall];
    ts_pose2 rest = {own->pose.position.x, own->pose.position.y, 0}, now = rest, next = rest;
    if (own->motion >= 0) {
        const ts_motion *motion = &model->motion[own->motion];
        now = ts_motion_pose(motion, rest, time);
        next = ts_motion_pose(motion, rest, time + step);
    }
    double middle = time + part * step;
    double angle = now.angle + part * (next.angle - now.angle);
    *at = (ts_wall_frame){.frame = {.x = now.x + part * (next.x - now.x),
                                    .y = now.y + part * (next.y - now.y),
                                    .angle = angle,
                                    .radius = 0,
                                    .vx = (next.x - now.x) / step,
                                    .vy = (next.y - now.y) / step,
                                    .spin = (next.angle - now.angle) / step,
                                    .inv_mass = 0},
                          .kind = own->kind,
                          .radius = own->radius,
                          .absent = own->open <= middle && middle < own->close};
    ts_vec2 normal = ts_vec2_rotate((ts_vec2){own->nx, own->ny}, angle);
    at->nx = normal.x;
    at->ny = normal.y;
}

void ts_wall_around(const ts_model *model, size_t wall, double time, ts_wall_frame *at)
{
    double step = model->settings.time_step;
    ts_wall_at(model, wall, time - 0.5 * step, step, 0.5, at);
}

/* Farthest corner of the parts' box from a wall's origin: bounds how far turning it can move it past a part. */
static double farthest(const ts_model *model, const ts_poses *poses, double x, double y)
{
    double far = 0;
    for (size_t i = 0; i < model->body_count; i++) {
        ts_reference at = ts_pose_of(poses, i);
        far = fmax(far, hypot(at.x - x, at.y - y) + model->body[i].radius);
    }
    return far;
}

/* What the rounding of poses is relative to; infinite when a pose is not finite or close to overflow. */
static double largest_coordinates(const ts_model *model, const ts_poses *poses)
{
    double most = 0;
    for (size_t i = 0; i < model->body_count; i++) {
        ts_reference at = ts_pose_of(poses, i);
        double size = fabs(at.x) + fabs(at.y) + fabs(at.angle) * model->body[i].radius;
        if (!(size < 1e300))
            return HUGE_VAL;
        most = size > most ? size : most;
    }
    return most;
}

/* ---- The list ---- */

ts_status ts_pairs_create(ts_pairs *pairs, const ts_model *model, ts_error *error)
{
    *pairs = (ts_pairs){.skin = model->settings.skin};
    size_t n = model->part_count;
    pairs->part_of_slot = ts_alloc(n, sizeof *pairs->part_of_slot);
    pairs->slot_of_part = ts_alloc(n, sizeof *pairs->slot_of_part);
    pairs->cell_of_part = ts_alloc(n, sizeof *pairs->cell_of_part);
    pairs->wall_then = ts_alloc(model->wall_count, sizeof *pairs->wall_then);
    pairs->bytes = n * (2 * sizeof(int32_t) + sizeof(uint32_t)) + model->wall_count * sizeof *pairs->wall_then;
    bool by_part = pairs->part_of_slot && pairs->slot_of_part && pairs->cell_of_part;
    if ((n > 0 && !by_part) || (model->wall_count > 0 && !pairs->wall_then)) {
        size_t bytes = pairs->bytes;
        ts_pairs_free(pairs);
        return ts_fail_memory(error, bytes);
    }
    return TS_OK;
}

void ts_pairs_free(ts_pairs *pairs)
{
    ts_free(pairs->part_of_slot);
    ts_free(pairs->slot_of_part);
    ts_free(pairs->cell_of_part);
    ts_free(pairs->cell_start);
    ts_free(pairs->block_slot);
    ts_free(pairs->block_pair);
    ts_free(pairs->block_wall);
    ts_free(pairs->pair);
    ts_free(pairs->wall);
    ts_free(pairs->wall_then);
    ts_free(pairs->map);
    ts_free(pairs->until);
    ts_free(pairs->sorting);
    *pairs = (ts_pairs){0};
}

static ts_status find_all(ts_pairs *pairs, pair_search *search, ts_pool *pool, ts_error *error)
{
    ts_pool_run(pool, pairs->block_count, count_block, search);
    size_t pair_count = prefix_sum(pairs->block_pair, pairs->block_count);
    size_t wall_count = prefix_sum(pairs->block_wall, pairs->block_count);
    TS_TRY(reserve_pairs(&pairs->pair, &pairs->pair_capacity, pair_count, &pairs->bytes, error));
    TS_TRY(reserve_pairs(&pairs->wall, &pairs->wall_capacity, wall_count, &pairs->bytes, error));
    pairs->pair_count = pair_count;
    pairs->wall_count = wall_count;
    ts_pool_run(pool, pairs->block_count, write_block, search);
    return TS_OK;
}

ts_status ts_pairs_build(ts_pairs *pairs, const ts_model *model, const ts_poses *poses, double time, ts_spot *spot,
                         ts_partners *partners, ts_pool *pool, ts_error *error)
{
    pairs->reference_hash = 0;
    pairs->pair_count = pairs->wall_count = 0;
    pairs->block_count = 0;
    if (model->part_count == 0)
        return TS_OK;

    ts_wall_frame *wall = pairs->wall_then;
    pairs->extent = 0;
    for (size_t i = 0; i < model->wall_count; i++) {
        ts_wall_around(model, i, time, &wall[i]);
        if (model->wall[i].motion >= 0)
            pairs->extent = fmax(pairs->extent, farthest(model, poses, wall[i].frame.x, wall[i].frame.y));
    }

    pairs->reach = largest_coordinates(model, poses);
    if (pairs->reach == HUGE_VAL)
        return ts_fail(error, TS_DIVERGED, "a body has no finite position any more at t = %.9g s; %s", time,
                       ts_step_advice(model).text);
    lay_grid(&pairs->grid, model, poses, pairs->skin);
    TS_TRY(sort_parts(pairs, model, poses, time, spot, error));
    TS_TRY(make_blocks(pairs, model, error));
    pair_search search = {pairs, model, spot, wall, partners};
    TS_TRY(find_all(pairs, &search, pool, error));
    return model->forms ? ts_pairs_group(pairs, model, pool, error) : TS_OK;
}
