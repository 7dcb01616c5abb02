/* SPDX-License-Identifier: MIT */
#include "contact/verlet3.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The skin: so many steps of the mean speed, but between these shares of the mean radius. At rest the least one gives
 * the shortest list; in a flow making lists costs more than looking farther. */
static const double skin_steps = 20, skin_least = 0.1, skin_most = 0.5;

/* ---- Slots ---- */

typedef struct cell {
    uint64_t code; /* along the curve */
    int32_t body;
} cell;

static int by_code(const void *p, const void *q)
{
    const cell *a = p, *b = q;
    if (a->code != b->code)
        return a->code < b->code ? -1 : 1;
    return (a->body > b->body) - (a->body < b->body);
}

/* Every third bit. */
static uint64_t spread_bits(uint64_t x)
{
    uint64_t out = 0;
    for (int bit = 0; bit < 20; bit++)
        out |= (x >> bit & 1) << 3 * bit;
    return out;
}

/* Morton order of cells as wide as the mean diameter. */
static ts_status sort_bodies(ts_verlet3 *v, ts_error *error)
{
    const ts_model *model = v->model;
    const size_t n = v->body_count;
    cell *list;
    TS_TRY(ts_new(&list, n, error));
    double low[3] = {HUGE_VAL, HUGE_VAL, HUGE_VAL}, width = 0;
    for (size_t i = 0; i < n; i++) {
        for (int d = 0; d < 3; d++)
            low[d] = fmin(low[d], model->body3[i].position[d]);
        width += 2 * model->body3[i].radius / (double)n;
    }
    for (size_t i = 0; i < n; i++) {
        uint64_t code = 0;
        for (int d = 0; d < 3; d++) {
            const double at = fmin((model->body3[i].position[d] - low[d]) / width, 1048575);
            code |= spread_bits((uint64_t)at) << d;
        }
        list[i] = (cell){code, (int32_t)i};
    }
    qsort(list, n, sizeof *list, by_code);
    for (size_t i = 0; i < n; i++) {
        v->body_of[i] = list[i].body;
        v->slot_of[list[i].body] = (int32_t)i;
    }
    ts_free(list);
    return TS_OK;
}

/* ---- Memory ---- */

static bool is_centred_ball(const ts_piece *piece)
{
    const ts_vec3 p = piece->pose.position;
    return piece->solid.kind == TS_SOLID_SPHERE && p.x == 0 && p.y == 0 && p.z == 0;
}

/* The pieces of a frame: of a body's form or of a wall. */
static const ts_piece *pieces_of(const ts_verlet3 *v, size_t frame, size_t *count)
{
    const ts_model *model = v->model;
    if (frame < v->body_count) {
        const ts_form3 *form = &model->form[model->body_form[v->body_of[frame]]];
        *count = form->piece_count;
        return &model->piece[form->piece_begin];
    }
    const ts_wall *wall = &model->wall[frame - v->body_count];
    *count = wall->piece_count;
    return &model->piece[wall->piece_begin];
}

static void measure_frames(ts_verlet3 *v)
{
    const ts_model *model = v->model;
    for (size_t f = 0; f < v->frame_count; f++) {
        size_t count;
        const ts_piece *piece = pieces_of(v, f, &count);
        v->place[f].radius = count == 1 && is_centred_ball(piece) ? piece->solid.radius : -1;
        v->radius[f] = 0;
        if (f < v->body_count)
            v->radius[f] = model->body3[v->body_of[f]].radius;
        else
            for (size_t k = 0; k < count; k++)
                v->radius[f] =
                    fmax(v->radius[f], ts_vec3_length(piece[k].pose.position) + ts_solid_radius(&piece[k].solid));
        v->present[f] = 1;
    }
    for (size_t i = 0; i < v->body_count; i++)
        v->part_begin[i + 1] = v->part_begin[i] + (int32_t)model->form[model->body_form[i]].piece_count;
}

ts_status ts_verlet3_create(ts_verlet3 *v, const ts_model *model, ts_error *error)
{
    const size_t bodies = model->body_count, frames = bodies + model->wall_count, parts = model->part_count;
    v->model = model;
    v->body_count = bodies;
    v->frame_count = frames;
    v->tile_count = (bodies + TS_TILE3 - 1) / TS_TILE3;
    v->drift = HUGE_VAL;
    v->body_of = ts_alloc(bodies, sizeof *v->body_of);
    v->slot_of = ts_alloc(bodies, sizeof *v->slot_of);
    v->part_begin = ts_alloc(bodies + 1, sizeof *v->part_begin);
    v->radius = ts_alloc(frames, sizeof *v->radius);
    v->place = ts_alloc(frames, sizeof *v->place);
    v->pose = ts_alloc(frames, sizeof *v->pose);
    v->present = ts_alloc(frames, sizeof *v->present);
    v->turning = ts_alloc(frames, sizeof *v->turning);
    v->tile = ts_alloc(v->tile_count, sizeof *v->tile);
    v->listed_at = ts_alloc(frames, sizeof *v->listed_at);
    v->listed_present = ts_alloc(frames, sizeof *v->listed_present);
    v->listed_open = ts_alloc(frames, sizeof *v->listed_open);
    v->box = ts_alloc(parts, sizeof *v->box);
    v->passive = ts_alloc(parts, sizeof *v->passive);
    v->group = ts_alloc(parts, sizeof *v->group);
    v->box_frame = ts_alloc(parts, sizeof *v->box_frame);
    v->box_part = ts_alloc(parts, sizeof *v->box_part);
    v->mark = ts_alloc(frames, sizeof *v->mark);
    v->mark_sum = ts_alloc(frames, sizeof *v->mark_sum);
    const void *all[] = {v->body_of,        v->slot_of,     v->part_begin, v->radius,  v->place,
                         v->pose,           v->present,     v->turning,    v->tile,    v->listed_at,
                         v->listed_present, v->listed_open, v->box,        v->passive, v->group,
                         v->box_frame,      v->box_part,    v->mark,       v->mark_sum};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (!all[i])
            return ts_fail_memory(error, frames * (sizeof *v->place + 2 * sizeof *v->pose) + parts * sizeof *v->box);
    TS_TRY(sort_bodies(v, error));
    measure_frames(v);
    return TS_OK;
}

void ts_verlet3_free(ts_verlet3 *v)
{
    ts_near_free(&v->near);
    ts_array_free(&v->ball_a);
    ts_array_free(&v->ball_b);
    ts_array_free(&v->ball_to);
    ts_array_free(&v->other);
    ts_array_free(&v->ghost_begin);
    ts_array_free(&v->ghost);
    void *all[] = {v->body_of, v->slot_of,   v->part_begin, v->radius,         v->place,       v->pose, v->present,
                   v->turning, v->tile,      v->listed_at,  v->listed_present, v->listed_open, v->box,  v->passive,
                   v->group,   v->box_frame, v->box_part,   v->mark,           v->mark_sum};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        ts_free(all[i]);
    *v = (ts_verlet3){0};
}

size_t ts_verlet3_bytes(const ts_verlet3 *v)
{
    const size_t by_body = 3 * sizeof(int32_t),
                 by_frame = sizeof *v->radius + sizeof *v->place + 2 * sizeof *v->pose + 4 + 2 * sizeof *v->mark,
                 by_part = sizeof *v->box + sizeof *v->passive + 3 * sizeof(int32_t),
                 by_pair = sizeof(int32_t) *
                           (v->ball_a.capacity + v->ball_b.capacity + v->ball_to.capacity + v->ghost.capacity);
    return v->body_count * by_body + v->frame_count * by_frame + v->model->part_count * by_part + by_pair +
           v->other.capacity * sizeof *v->other.item + v->near.pair_capacity * sizeof *v->near.pair;
}

/* ---- Frames ---- */

ts_placed_solid ts_verlet3_part(const ts_verlet3 *v, int32_t frame, int32_t part)
{
    const ts_model *model = v->model;
    const ts_piece *piece = &model->piece[model->part_piece[part]];
    const ts_place3 *at = &v->place[frame];
    if (at->radius > 0)
        return (ts_placed_solid){&piece->solid, {{at->x, at->y, at->z}, ts_quat_identity()}};
    return (ts_placed_solid){&piece->solid, ts_pose3_compose(v->pose[frame], piece->pose)};
}

uint64_t ts_verlet3_key(const ts_model *model, int32_t part_a, int32_t part_b, uint32_t feature)
{
    uint64_t local[2];
    for (int side = 0; side < 2; side++) {
        const int32_t part = side ? part_b : part_a, owner = model->part_owner[part];
        const size_t begin =
            owner >= 0 ? model->form[model->body_form[owner]].piece_begin : model->wall[-1 - owner].piece_begin;
        local[side] = (uint64_t)((size_t)model->part_piece[part] - begin) & 0xffff;
    }
    return local[0] << 48 | local[1] << 32 | feature;
}

static ts_pose3 pose_of(const ts_verlet3 *v, size_t frame)
{
    const ts_place3 *p = &v->place[frame];
    if (p->radius > 0)
        return (ts_pose3){{p->x, p->y, p->z}, ts_quat_identity()};
    return v->pose[frame];
}

/* A bound of how far any point of a frame has gone from one pose to the other; infinite for what turns and has no
 * radius. */
static double way_of(ts_pose3 from, ts_pose3 to, double radius)
{
    const double sign = ts_quat_dot(from.quat, to.quat) < 0 ? -1 : 1;
    const ts_quat d = {to.quat.w - sign * from.quat.w, to.quat.x - sign * from.quat.x, to.quat.y - sign * from.quat.y,
                       to.quat.z - sign * from.quat.z};
    /* a turn by α moves a point by at most 2 radius sin(α/2), and |d| = 2 sin(α/4) ≥ sin(α/2) */
    const double turn = sqrt(ts_quat_dot(d, d));
    return ts_vec3_distance(from.position, to.position) + (turn > 0 ? 2 * radius * turn : 0);
}

/* ---- Whether the list holds ---- */

static bool same_frames(const ts_verlet3 *v)
{
    if (memcmp(v->present, v->listed_present, v->frame_count) != 0)
        return false;
    for (size_t f = v->body_count; f < v->frame_count; f++)
        if (v->turning[f] && isinf(v->radius[f]) && !v->listed_open[f])
            return false;
    return true;
}

bool ts_verlet3_holds(ts_verlet3 *v, double farther)
{
    if (!v->listed || !same_frames(v))
        return false;
    v->drift += farther;
    if (v->drift <= v->skin)
        return true;
    double most = 0;
    for (size_t f = 0; f < v->frame_count; f++) {
        const double way = v->listed_open[f] ? 0 : way_of(v->listed_at[f], pose_of(v, f), v->radius[f]);
        most = way <= most ? most : way; /* NaN goes through */
    }
    v->drift = most;
    return most <= v->skin;
}

/* ---- Making it ---- */

static size_t add_boxes(ts_verlet3 *v, size_t frame, size_t count)
{
    const ts_model *model = v->model;
    const bool body = frame < v->body_count;
    const double s = v->skin + 0.5 * v->reach;
    size_t pieces;
    pieces_of(v, frame, &pieces);
    const int32_t owner = (int32_t)ts_verlet3_owner(v, (int32_t)frame);
    for (size_t k = 0; k < pieces; k++, count++) {
        ts_box3 box = {{-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}, {HUGE_VAL, HUGE_VAL, HUGE_VAL}};
        /* parts of walls come after those of all bodies, in the order of walls */
        int32_t part = body ? v->part_begin[owner] + (int32_t)k : 0;
        if (!body) {
            part = v->part_begin[v->body_count] + (int32_t)k;
            for (size_t w = 0; w < frame - v->body_count; w++)
                part += (int32_t)model->wall[w].piece_count;
        }
        if (!v->listed_open[frame]) {
            const ts_placed_solid at = ts_verlet3_part(v, (int32_t)frame, part);
            box = ts_solid_bounds(at.solid, at.pose);
        }
        v->box[count] = (ts_box3){ts_vec3_sub(box.low, (ts_vec3){s, s, s}), ts_vec3_add(box.high, (ts_vec3){s, s, s})};
        v->passive[count] = !body || !(model->body3[owner].inv_mass > 0);
        v->group[count] = owner;
        v->box_frame[count] = (int32_t)frame;
        v->box_part[count] = part;
    }
    return count;
}

/* Where the force on frame b is summed by a tile: among its own, or as a ghost. */
static int32_t sum_of(ts_verlet3 *v, size_t tile, int32_t b)
{
    const size_t begin = tile * TS_TILE3;
    ts_tile3 *t = &v->tile[tile];
    if ((size_t)b < begin + TS_TILE3 && (size_t)b < v->body_count) /* b > a ≥ begin */
        return t->sum_begin + (int32_t)((size_t)b - begin);
    if (v->mark[b] != (int32_t)tile) {
        v->mark[b] = (int32_t)tile;
        v->mark_sum[b] = t->sum_end++;
    }
    return v->mark_sum[b];
}

/* Boxes overlap in corners where bodies do not, and a plane that is not upright has a box everywhere. */
typedef enum pair_kind { FAR, BALLS, OTHERS } pair_kind;

static pair_kind kind_of(const ts_verlet3 *v, ts_near_pair pair)
{
    const int32_t a = v->box_frame[pair.a], b = v->box_frame[pair.b];
    const ts_place3 *p = &v->place[a], *q = &v->place[b];
    const double slack = 1 + 1e-12; /* rounding */
    if (p->radius > 0 && q->radius > 0) {
        const double x = q->x - p->x, y = q->y - p->y, z = q->z - p->z,
                     reach = p->radius + q->radius + 2 * v->skin + v->reach;
        return x * x + y * y + z * z > reach * reach * slack ? FAR : BALLS;
    }
    const ts_model *model = v->model;
    if (v->listed_open[b] || model->piece[model->part_piece[v->box_part[pair.b]]].solid.kind != TS_SOLID_PLANE)
        return OTHERS;
    const ts_vec3 normal = ts_quat_apply(v->pose[b].quat, (ts_vec3){0, 0, 1});
    const double height = ts_vec3_dot(ts_vec3_sub((ts_vec3){p->x, p->y, p->z}, v->pose[b].position), normal);
    return height > (v->radius[a] + 2 * v->skin + v->reach) * slack ? FAR : OTHERS;
}

static size_t tile_bodies(const ts_verlet3 *v, size_t tile)
{
    const size_t begin = tile * TS_TILE3;
    return begin + TS_TILE3 < v->body_count ? TS_TILE3 : v->body_count - begin;
}

/* Pairs come by ascending first slot: tile after tile. */
static void fill_tiles(ts_verlet3 *v)
{
    size_t pair = 0;
    int32_t sum = 0;
    v->ball_a.count = v->ball_b.count = v->ball_to.count = v->other.count = 0;
    for (size_t f = 0; f < v->frame_count; f++)
        v->mark[f] = -1;
    for (size_t i = 0; i < v->tile_count; i++) {
        ts_tile3 *t = &v->tile[i];
        *t = (ts_tile3){.ball_begin = v->ball_a.count, .other_begin = v->other.count, .sum_begin = sum};
        t->sum_end = sum + (int32_t)tile_bodies(v, i);
        for (; pair < v->near.pair_count; pair++) {
            const ts_near_pair p = v->near.pair[pair];
            const int32_t a = v->box_frame[p.a], b = v->box_frame[p.b];
            if ((size_t)a / TS_TILE3 != i)
                break;
            const pair_kind kind = kind_of(v, p);
            if (kind == OTHERS) {
                v->other.item[v->other.count++] = (ts_pair3){a, b, v->box_part[p.a], v->box_part[p.b], sum_of(v, i, b)};
            } else if (kind == BALLS) {
                v->ball_a.item[v->ball_a.count++] = a;
                v->ball_b.item[v->ball_b.count++] = b;
                v->ball_to.item[v->ball_to.count++] = sum_of(v, i, b);
            }
        }
        t->ball_end = v->ball_a.count;
        t->other_end = v->other.count;
        sum = t->sum_end;
    }
    v->sum_count = (size_t)sum;
}

/* Calls out the ghosts of all tiles: each once, in the order of tiles. Within a tile they come by the pair that made
 * them; a frame has one at most. */
static ts_status list_ghosts(ts_verlet3 *v, ts_error *error)
{
    size_t count = v->sum_count;
    for (size_t i = 0; i < v->tile_count; i++)
        count -= tile_bodies(v, i);
    TS_TRY(ts_array_reserve(&v->ghost_begin, v->frame_count + 2, error));
    TS_TRY(ts_array_reserve(&v->ghost, count + 1, error));
    int32_t *begin = v->ghost_begin.item;
    memset(begin, 0, (v->frame_count + 2) * sizeof *begin);
    for (int fill = 0; fill < 2; fill++) {
        for (size_t f = 0; f < v->frame_count; f++)
            v->mark[f] = -1;
        for (size_t i = 0; i < v->tile_count; i++) {
            const ts_tile3 *t = &v->tile[i];
            const int32_t first = t->sum_begin + (int32_t)tile_bodies(v, i);
            const size_t balls = t->ball_end - t->ball_begin, all = balls + t->other_end - t->other_begin;
            for (size_t k = 0; k < all; k++) {
                const bool ball = k < balls;
                const ts_pair3 *p = ball ? NULL : &v->other.item[t->other_begin + k - balls];
                const int32_t b = ball ? v->ball_b.item[t->ball_begin + k] : p->b;
                const int32_t to = ball ? v->ball_to.item[t->ball_begin + k] : p->to_b;
                if (to < first || v->mark[b] == (int32_t)i)
                    continue;
                v->mark[b] = (int32_t)i;
                if (fill)
                    v->ghost.item[begin[b + 1]++] = to;
                else
                    begin[b + 2]++;
            }
        }
        for (size_t f = 0; !fill && f < v->frame_count; f++)
            begin[f + 2] += begin[f + 1];
    }
    return TS_OK;
}

ts_status ts_verlet3_make(ts_verlet3 *v, ts_pool *pool, double speed, ts_error *error)
{
    double radius = 0;
    size_t count = 0;
    v->listed = false;
    for (size_t i = 0; i < v->body_count; i++)
        radius += v->radius[i] / (double)v->body_count;
    v->skin = fmin(fmax(skin_steps * speed, skin_least * radius), skin_most * radius);
    for (size_t f = 0; f < v->frame_count; f++) {
        v->listed_open[f] = v->turning[f] && isinf(v->radius[f]);
        v->listed_at[f] = pose_of(v, f);
        if (v->present[f])
            count = add_boxes(v, f, count);
    }
    memcpy(v->listed_present, v->present, v->frame_count);
    TS_TRY(ts_near_find(&v->near, &(ts_near_query){v->box, count, v->passive, v->group, pool}, error));
    size_t count_of[3] = {0};
    for (size_t k = 0; k < v->near.pair_count; k++)
        count_of[kind_of(v, v->near.pair[k])]++;
    TS_TRY(ts_array_reserve(&v->ball_a, count_of[BALLS], error));
    TS_TRY(ts_array_reserve(&v->ball_b, count_of[BALLS], error));
    TS_TRY(ts_array_reserve(&v->ball_to, count_of[BALLS], error));
    TS_TRY(ts_array_reserve(&v->other, count_of[OTHERS], error));
    fill_tiles(v);
    TS_TRY(list_ghosts(v, error));
    v->listed = true;
    v->drift = 0;
    v->list_count++;
    return TS_OK;
}
