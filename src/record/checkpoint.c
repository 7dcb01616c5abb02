/* SPDX-License-Identifier: MIT */
#include "record/checkpoint.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/bytes.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/memory.h"
#include "scene/fingerprint.h"
#include "scene/scene.h"
#include "state.h"

#define MAGIC "\x89TSC\r\n\x1a\n"

enum {
    MAGIC_BYTES = 8,
    PREFIX_BYTES = 32,                                    /* magic, version, layout, size of the payload, checksum */
    LAYOUT = TS_FINGERPRINT_PARTS << 16 | TS_PHASE_COUNT, /* numbers that sizes depend on */
    CHECKSUM_BYTES = 8,
    MARK_BYTES = 24,
    MEASURES_BYTES = 20 * 8,
    TOTALS_BYTES = 8 + 8 + TS_PHASE_COUNT * 8 + 4 * 8 + 2 * MEASURES_BYTES + 3 * 8,
    STATE_BYTES = 15 * 8, /* step, reference time, skin and hash, energy budget, six counts, time of the past places */
    ABOUT_BYTES = 8 + TS_FINGERPRINT_PARTS * 8 + 2 * MARK_BYTES + TOTALS_BYTES,
    BODY_BYTES = 64,
    REFERENCE_BYTES = 24,
    PAST_BYTES = 24, /* of the plane */
    PAST_SPACE_BYTES = 32,
    BODY3_BYTES = 128,
    PAST3_BYTES = 56
};

/* ---- Writing ---- */

/* Numbers are collected before they are hashed and written: many small pieces would cost more. */
typedef struct sink {
    ts_hash_stream hash; /* first: it is aligned to a cache line */
    FILE *stream;
    size_t used;
    unsigned char buffer[1 << 14];
} sink;

/* The stream remembers a failure until the draft is committed. */
static void flush(sink *to)
{
    ts_hash_add(&to->hash, to->buffer, to->used);
    fwrite(to->buffer, 1, to->used, to->stream);
    to->used = 0;
}

/* Room for `size` bytes, to be filled before the next call. */
static unsigned char *room(sink *to, size_t size)
{
    if (size > sizeof to->buffer - to->used)
        flush(to);
    to->used += size;
    return to->buffer + to->used - size;
}

static unsigned char *put_mark(unsigned char *to, const ts_mark *mark)
{
    to = ts_put_u64(to, mark->bytes);
    to = ts_put_u64(to, mark->count);
    return ts_put_u64(to, mark->last_step);
}

static unsigned char *put_measures(unsigned char *to, const ts_measures *m)
{
    const double value[] = {m->time,          m->kinetic,     m->rotational,    m->gravitational, m->elastic,
                            m->momentum[0],   m->momentum[1], m->angular,       m->max_overlap,   m->mean_overlap,
                            m->overlap_ratio, m->max_speed,   m->work,          m->lost_normal,   m->lost_tangential,
                            m->lost_friction, m->momentum[2], m->angular_xy[0], m->angular_xy[1]};
    for (size_t i = 0; i < sizeof value / sizeof *value; i++)
        to = ts_put_f64(to, value[i]);
    return ts_put_u64(to, m->contact_count);
}

static unsigned char *put_totals(unsigned char *to, const ts_run_totals *totals)
{
    to = ts_put_u64(to, totals->session_count);
    to = ts_put_f64(to, totals->wall_time);
    for (int i = 0; i < TS_PHASE_COUNT; i++)
        to = ts_put_f64(to, totals->phase_seconds[i]);
    to = ts_put_u64(to, totals->step_count);
    to = ts_put_u64(to, totals->contact_sum);
    to = ts_put_u64(to, totals->query_sum);
    to = ts_put_u64(to, totals->measure_count);
    to = put_measures(to, &totals->first);
    to = put_measures(to, &totals->last);
    to = ts_put_f64(to, totals->largest_overlap);
    to = ts_put_f64(to, totals->largest_overlap_ratio);
    return ts_put_f64(to, totals->largest_kinetic);
}

/* How many there are of what follows the head of a state. */
typedef struct counts {
    uint64_t bodies, pairs, walls, past, bodies3, history;
} counts;

static uint64_t past_bytes(const counts *n)
{
    return n->bodies3 > 0 ? PAST_SPACE_BYTES : PAST_BYTES;
}

static uint64_t rest_bytes(const counts *n)
{
    return n->bodies * (BODY_BYTES + REFERENCE_BYTES) + (n->pairs + n->walls) * 8 + n->past * past_bytes(n) +
           n->bodies3 * BODY3_BYTES + n->history * PAST3_BYTES;
}

static counts counts_of(const ts_state *state, const ts_past *past)
{
    const ts_model *model = state->model;
    return (counts){.bodies = model->dimension == 3 ? 0 : model->body_count,
                    .pairs = state->pair_count,
                    .walls = state->wall_count,
                    .past = past->place ? model->body_count : 0,
                    .bodies3 = model->dimension == 3 ? model->body_count : 0,
                    .history = state->history.count};
}

static void put_springs(sink *to, const double *spring, size_t count)
{
    for (size_t i = 0; i < count; i++)
        ts_put_f64(room(to, 8), spring[i]);
}

static void put_space(sink *to, const ts_state *state, const counts *n)
{
    for (size_t i = 0; i < n->bodies3; i++) {
        const ts_body3 *b = &state->body3[i];
        unsigned char *end = room(to, BODY3_BYTES);
        for (int k = 0; k < 3; k++)
            end = ts_put_f64(end, b->position[k]);
        for (int k = 0; k < 4; k++)
            end = ts_put_f64(end, b->attitude[k]);
        for (int k = 0; k < 3; k++)
            end = ts_put_f64(end, b->velocity[k]);
        for (int k = 0; k < 3; k++)
            end = ts_put_f64(end, b->angular_momentum[k]);
        end = ts_put_f64(end, b->radius);
        end = ts_put_f64(end, b->inv_mass);
        ts_put_f64(end, b->unused);
    }
    for (size_t i = 0; i < n->history; i++) {
        const ts_history *p = &state->history.item[i];
        unsigned char *end = room(to, PAST3_BYTES);
        end = ts_put_u64(end, (uint64_t)p->a);
        end = ts_put_u64(end, (uint64_t)p->b);
        end = ts_put_u64(end, p->key);
        for (int k = 0; k < 4; k++)
            end = ts_put_f64(end, p->value[k]);
    }
}

static void put_state(sink *to, const ts_state *state, const ts_past *past)
{
    size_t count = state->model->body ? state->model->body_count : 0;
    const counts n = counts_of(state, past);
    unsigned char *end = room(to, STATE_BYTES);
    end = ts_put_u64(end, state->step);
    end = ts_put_f64(end, state->reference_time);
    end = ts_put_f64(end, state->reference_skin);
    end = ts_put_u64(end, state->reference_hash);
    end = ts_put_f64(end, state->budget.work);
    end = ts_put_f64(end, state->budget.lost_normal);
    end = ts_put_f64(end, state->budget.lost_tangential);
    end = ts_put_f64(end, state->budget.lost_friction);
    end = ts_put_u64(end, n.bodies);
    end = ts_put_u64(end, n.pairs);
    end = ts_put_u64(end, n.walls);
    end = ts_put_u64(end, n.past);
    end = ts_put_u64(end, n.bodies3);
    end = ts_put_u64(end, n.history);
    ts_put_f64(end, past->place ? past->time : 0);
    for (size_t i = 0; i < count; i++) {
        const ts_body *b = &state->body[i];
        const double value[] = {b->x, b->y, b->angle, b->radius, b->vx, b->vy, b->spin, b->inv_mass};
        end = room(to, BODY_BYTES);
        for (int k = 0; k < 8; k++)
            end = ts_put_f64(end, value[k]);
    }
    for (size_t i = 0; i < count; i++) {
        end = ts_put_f64(room(to, REFERENCE_BYTES), state->reference[i].x);
        end = ts_put_f64(end, state->reference[i].y);
        ts_put_f64(end, state->reference[i].angle);
    }
    put_springs(to, state->spring, state->pair_count);
    put_springs(to, state->wall_spring, state->wall_count);
    for (size_t i = 0; i < n.past; i++) {
        end = room(to, past_bytes(&n));
        for (int k = 0; k < state->model->dimension; k++)
            end = ts_put_f64(end, past->place[i].position[k]);
        ts_put_f64(end, past->place[i].present);
    }
    put_space(to, state, &n);
}

ts_status ts_checkpoint_write(const char *path, const ts_model *model, const ts_state *state,
                              const ts_checkpoint *about, ts_error *error)
{
    ts_draft draft;
    TS_TRY(ts_draft_open(&draft, path, error));
    unsigned char prefix[PREFIX_BYTES], tail[CHECKSUM_BYTES], *end = prefix + MAGIC_BYTES;
    memcpy(prefix, MAGIC, MAGIC_BYTES);
    end = ts_put_u32(end, TS_CHECKPOINT_VERSION);
    end = ts_put_u32(end, LAYOUT);
    const counts n = counts_of(state, &about->past);
    end = ts_put_u64(end, ABOUT_BYTES + STATE_BYTES + rest_bytes(&n));
    ts_put_u64(end, ts_hash(prefix, PREFIX_BYTES - CHECKSUM_BYTES, 0));
    fwrite(prefix, 1, sizeof prefix, draft.stream);

    sink to;
    to.stream = draft.stream;
    to.used = 0;
    ts_hash_begin(&to.hash, 0);
    end = ts_put_u64(room(&to, ABOUT_BYTES), about->serial);
    ts_fingerprint fingerprint = ts_fingerprint_of(model);
    for (int i = 0; i < TS_FINGERPRINT_PARTS; i++)
        end = ts_put_u64(end, fingerprint.part[i]);
    end = put_mark(end, &about->trajectory);
    end = put_mark(end, &about->energies);
    put_totals(end, &about->totals);
    put_state(&to, state, &about->past);
    flush(&to);
    ts_put_u64(tail, ts_hash_end(&to.hash));
    fwrite(tail, 1, sizeof tail, draft.stream);
    return ts_draft_commit(&draft, error);
}

/* ---- Reading ---- */

static ts_status damaged(const char *path, const char *what, ts_error *error)
{
    return ts_fail(error, TS_CORRUPT, "the checkpoint %s is damaged: %s; use another one or start the run anew", path,
                   what);
}

/* Checks the prefix and gives the size that the whole file must have. */
static ts_status check_prefix(const char *path, const unsigned char *prefix, size_t got, uint64_t *file_bytes,
                              ts_error *error)
{
    if (memcmp(prefix, MAGIC, got < MAGIC_BYTES ? got : MAGIC_BYTES) != 0)
        return ts_fail(error, TS_CORRUPT, "%s is not a checkpoint; give a file that a run or ts_state_save wrote",
                       path);
    if (got < PREFIX_BYTES)
        return damaged(path, "it ends early", error);
    ts_bytes from = ts_bytes_of(prefix + MAGIC_BYTES, PREFIX_BYTES - MAGIC_BYTES);
    uint32_t version = ts_take_u32(&from), layout = ts_take_u32(&from);
    uint64_t size = ts_take_u64(&from);
    if (ts_take_u64(&from) != ts_hash(prefix, PREFIX_BYTES - CHECKSUM_BYTES, 0))
        return damaged(path, "its first bytes have a wrong checksum", error);
    if (version != TS_CHECKPOINT_VERSION || layout != LAYOUT)
        return ts_fail(error, TS_UNSUPPORTED,
                       "the checkpoint %s has version %" PRIu32 ".%" PRIu32
                       " of the format, this program reads version %d.%d; "
                       "resume with the program that wrote it",
                       path, version, layout, TS_CHECKPOINT_VERSION, LAYOUT);
    if (size > SIZE_MAX / 8 || size < ABOUT_BYTES + STATE_BYTES)
        return damaged(path, "its size makes no sense", error);
    *file_bytes = PREFIX_BYTES + size + CHECKSUM_BYTES;
    return TS_OK;
}

/* Reads the whole file once its prefix promises that it is one of ours and of that size; the checksum is right then. */
static ts_status read_whole(const char *path, char **data, ts_bytes *payload, ts_error *error)
{
    FILE *file = fopen(path, "rb");
    if (!file)
        return ts_fail_errno(error, "open", path, errno);
    unsigned char prefix[PREFIX_BYTES];
    uint64_t promised = 0;
    errno = 0;
    size_t got = fread(prefix, 1, sizeof prefix, file);
    ts_status status =
        ferror(file) ? ts_fail_errno(error, "read", path, errno) : check_prefix(path, prefix, got, &promised, error);
    if (status == TS_OK && (fseeko(file, 0, SEEK_END) != 0 || (uint64_t)ftello(file) != promised))
        status = damaged(path, "it is not as long as it says", error);
    fclose(file);
    TS_TRY(status);

    size_t size;
    TS_TRY(ts_file_read(path, (size_t)promised, data, &size, error));
    size_t length = size - PREFIX_BYTES - CHECKSUM_BYTES;
    const char *begin = *data + PREFIX_BYTES;
    ts_bytes tail = ts_bytes_of(begin + length, CHECKSUM_BYTES);
    if (size != promised || ts_take_u64(&tail) != ts_hash(begin, length, 0)) {
        ts_free(*data);
        return damaged(path, "it has a wrong checksum", error);
    }
    *payload = ts_bytes_of(begin, length);
    return TS_OK;
}

static ts_mark take_mark(ts_bytes *from)
{
    ts_mark mark;
    mark.bytes = ts_take_u64(from);
    mark.count = ts_take_u64(from);
    mark.last_step = ts_take_u64(from);
    return mark;
}

static void take_measures(ts_bytes *from, ts_measures *m)
{
    double *value[] = {&m->time,          &m->kinetic,     &m->rotational,    &m->gravitational, &m->elastic,
                       &m->momentum[0],   &m->momentum[1], &m->angular,       &m->max_overlap,   &m->mean_overlap,
                       &m->overlap_ratio, &m->max_speed,   &m->work,          &m->lost_normal,   &m->lost_tangential,
                       &m->lost_friction, &m->momentum[2], &m->angular_xy[0], &m->angular_xy[1]};
    for (size_t i = 0; i < sizeof value / sizeof *value; i++)
        *value[i] = ts_take_f64(from);
    m->contact_count = ts_take_u64(from);
}

static void take_totals(ts_bytes *from, ts_run_totals *totals)
{
    totals->session_count = ts_take_u64(from);
    totals->wall_time = ts_take_f64(from);
    for (int i = 0; i < TS_PHASE_COUNT; i++)
        totals->phase_seconds[i] = ts_take_f64(from);
    totals->step_count = ts_take_u64(from);
    totals->contact_sum = ts_take_u64(from);
    totals->query_sum = ts_take_u64(from);
    totals->measure_count = ts_take_u64(from);
    take_measures(from, &totals->first);
    take_measures(from, &totals->last);
    totals->largest_overlap = ts_take_f64(from);
    totals->largest_overlap_ratio = ts_take_f64(from);
    totals->largest_kinetic = ts_take_f64(from);
}

/* A state that is still in the file's bytes. */
typedef struct stored_state {
    uint64_t step;
    double reference_time, reference_skin;
    uint64_t reference_hash;
    ts_budget budget;
    counts n;
    double past_time;
    ts_bytes rest; /* bodies, references, springs, wall springs, past places: doubles all; then what is of space */
} stored_state;

static bool sensible(double value)
{
    return fabs(value) <= TS_MAGNITUDE_MAX; /* as the setters ask; false for NaN */
}

/* A number above all that it may be reads as damage; each bound by itself, so that no sum of them can overflow. */
static bool counts_fit(const counts *n, uint64_t left)
{
    return n->pairs <= left / 8 && n->walls <= left / 8 && n->bodies <= left / BODY_BYTES &&
           n->bodies3 <= left / BODY3_BYTES && n->history <= left / PAST3_BYTES &&
           (n->past == 0 || n->past == n->bodies + n->bodies3) && rest_bytes(n) == left;
}

static bool all_are_sensible(ts_bytes *from, int count)
{
    bool all = true;
    for (int i = 0; i < count; i++)
        all = sensible(ts_take_f64(from)) && all;
    return all;
}

/* Bodies of space and what contacts have been through. */
static ts_status check_space(const char *path, const ts_model *model, const counts *n, ts_bytes *from,
                             bool *all_sensible, ts_error *error)
{
    /* in the plane the history may be of parts, of which there are no fewer than bodies */
    const int64_t bodies = (int64_t)(model->dimension == 2 ? model->part_count : n->bodies3),
                  walls = (int64_t)(model->wall_count + model->boundary_count);
    for (size_t i = 0; i < n->bodies3; i++) {
        double square = 0;
        *all_sensible = all_are_sensible(from, 3) && *all_sensible;
        for (int k = 0; k < 4; k++) {
            double q = ts_take_f64(from);
            square += q * q;
        }
        *all_sensible = fabs(square - 1) <= 1e-6 && all_are_sensible(from, 6) && *all_sensible;
        double radius = ts_take_f64(from), inv_mass = ts_take_f64(from);
        if (radius != model->body3[i].radius || inv_mass != model->body3[i].inv_mass)
            return damaged(path, "a body's radius or mass is not the scene's", error);
        *all_sensible = all_are_sensible(from, 1) && *all_sensible;
    }
    for (size_t i = 0; i < n->history; i++) {
        int64_t a = (int64_t)ts_take_u64(from), b = (int64_t)ts_take_u64(from);
        ts_take_u64(from);
        if (a >= bodies || a < -walls || b < 0 || b >= bodies)
            return damaged(path, "a contact is of a body that does not exist", error);
        *all_sensible = all_are_sensible(from, 4) && *all_sensible;
    }
    return TS_OK;
}

/* Checks sizes and that every number makes sense, before anything is changed. */
static ts_status check_state(const char *path, const ts_model *model, const stored_state *stored, ts_error *error)
{
    const counts *n = &stored->n;
    const bool space = model->dimension == 3;
    const uint64_t mine = model->body_count;
    if (n->bodies != (space ? 0 : mine) || n->bodies3 != (space ? mine : 0))
        return ts_fail(error, TS_BAD_INPUT,
                       "the checkpoint %s has %" PRIu64 " bodies but the scene has %" PRIu64 "; resume with its scene",
                       path, n->bodies + n->bodies3, mine);
    if (!counts_fit(n, stored->rest.left))
        return damaged(path, "its counts do not match its size", error);
    const ts_budget *budget = &stored->budget;
    if (!(stored->reference_skin >= model->settings.skin))
        return damaged(path, "its list of pairs is of no use", error);
    bool all_sensible = sensible(stored->reference_time) && sensible(stored->reference_skin) &&
                        sensible(stored->past_time) && sensible(budget->work) && sensible(budget->lost_normal) &&
                        sensible(budget->lost_tangential) && sensible(budget->lost_friction);
    ts_bytes from = stored->rest;
    for (size_t i = 0; i < n->bodies; i++) {
        double value[BODY_BYTES / 8];
        for (int k = 0; k < BODY_BYTES / 8; k++)
            value[k] = ts_take_f64(&from);
        /* radius and mass are the model's: a state that differs would break what the broad phase relies on */
        if (value[3] != model->body[i].radius || value[7] != model->body[i].inv_mass)
            return damaged(path, "a body's radius or mass is not the scene's", error);
        all_sensible = all_sensible && sensible(value[0]) && sensible(value[1]) && sensible(value[2]);
        all_sensible = all_sensible && sensible(value[4]) && sensible(value[5]) && sensible(value[6]);
    }
    for (uint64_t i = 0; i < 3 * n->bodies + n->pairs + n->walls + past_bytes(n) / 8 * n->past; i++)
        all_sensible = sensible(ts_take_f64(&from)) && all_sensible;
    TS_TRY(check_space(path, model, n, &from, &all_sensible, error));
    if (!all_sensible)
        return damaged(path, "it holds a number that is not finite or beyond all measure", error);
    return TS_OK;
}

/* Room is there and every number was checked: nothing can fail. */
static void take_state(ts_state *state, stored_state *stored)
{
    ts_bytes *from = &stored->rest;
    size_t count = state->model->body ? state->model->body_count : 0;
    state->step = stored->step;
    state->reference_time = stored->reference_time;
    state->reference_skin = stored->reference_skin;
    state->reference_hash = stored->reference_hash;
    state->budget = stored->budget;
    state->pair_count = (size_t)stored->n.pairs;
    state->wall_count = (size_t)stored->n.walls;
    state->drift_bound = (double)INFINITY;
    for (size_t i = 0; i < count; i++) {
        ts_body *b = &state->body[i];
        double *value[] = {&b->x, &b->y, &b->angle, &b->radius, &b->vx, &b->vy, &b->spin, &b->inv_mass};
        for (int k = 0; k < 8; k++)
            *value[k] = ts_take_f64(from);
    }
    for (size_t i = 0; i < count; i++) {
        state->reference[i].x = ts_take_f64(from);
        state->reference[i].y = ts_take_f64(from);
        state->reference[i].angle = ts_take_f64(from);
    }
    for (size_t i = 0; i < state->pair_count; i++)
        state->spring[i] = ts_take_f64(from);
    for (size_t i = 0; i < state->wall_count; i++)
        state->wall_spring[i] = ts_take_f64(from);
}

/* `past` is NULL, or has room for as many as there are. */
static void take_past(ts_past *past, stored_state *stored)
{
    if (past)
        past->time = stored->past_time;
    for (uint64_t i = 0; i < stored->n.past; i++) {
        ts_past_place place = {0};
        for (int k = 0; k < (stored->n.bodies3 > 0 ? 3 : 2); k++)
            place.position[k] = ts_take_f64(&stored->rest);
        place.present = ts_take_f64(&stored->rest) != 0;
        if (past)
            past->place[i] = place;
    }
}

static void take_numbers(ts_bytes *from, double *value, int count)
{
    for (int k = 0; k < count; k++)
        value[k] = ts_take_f64(from);
}

static void take_space(ts_state *state, stored_state *stored)
{
    ts_bytes *from = &stored->rest;
    for (size_t i = 0; i < stored->n.bodies3; i++) {
        ts_body3 *b = &state->body3[i];
        take_numbers(from, b->position, 3);
        take_numbers(from, b->attitude, 4);
        take_numbers(from, b->velocity, 3);
        take_numbers(from, b->angular_momentum, 3);
        b->radius = ts_take_f64(from);
        b->inv_mass = ts_take_f64(from);
        b->unused = ts_take_f64(from);
    }
    state->history.count = (size_t)stored->n.history;
    for (size_t i = 0; i < stored->n.history; i++) {
        ts_history *p = &state->history.item[i];
        p->a = (int64_t)ts_take_u64(from);
        p->b = (int64_t)ts_take_u64(from);
        p->key = ts_take_u64(from);
        take_numbers(from, p->value, 4);
    }
}

static ts_status read_payload(const char *path, ts_bytes from, const ts_model *model, ts_state *state,
                              ts_checkpoint *about, ts_error *error)
{
    ts_checkpoint read = {.serial = ts_take_u64(&from)};
    ts_fingerprint mine = ts_fingerprint_of(model), theirs;
    for (int i = 0; i < TS_FINGERPRINT_PARTS; i++)
        theirs.part[i] = ts_take_u64(&from);
    const char *difference = ts_fingerprint_difference(&mine, &theirs);
    if (difference)
        return ts_fail(
            error, TS_BAD_INPUT,
            "the checkpoint %s belongs to a scene with another value of %s; go on with the scene it was made with",
            path, difference);
    read.trajectory = take_mark(&from);
    read.energies = take_mark(&from);
    take_totals(&from, &read.totals);
    stored_state stored = {.step = ts_take_u64(&from)};
    stored.reference_time = ts_take_f64(&from);
    stored.reference_skin = ts_take_f64(&from);
    stored.reference_hash = ts_take_u64(&from);
    stored.budget.work = ts_take_f64(&from);
    stored.budget.lost_normal = ts_take_f64(&from);
    stored.budget.lost_tangential = ts_take_f64(&from);
    stored.budget.lost_friction = ts_take_f64(&from);
    stored.n.bodies = ts_take_u64(&from);
    stored.n.pairs = ts_take_u64(&from);
    stored.n.walls = ts_take_u64(&from);
    stored.n.past = ts_take_u64(&from);
    stored.n.bodies3 = ts_take_u64(&from);
    stored.n.history = ts_take_u64(&from);
    stored.past_time = ts_take_f64(&from);
    stored.rest = from;
    TS_TRY(check_state(path, model, &stored, error));
    TS_TRY(ts_state_reserve(state, (size_t)stored.n.pairs, (size_t)stored.n.walls, error));
    TS_TRY(ts_array_reserve(&state->history, (size_t)stored.n.history, error));
    if (about && stored.n.past > 0) {
        read.past.place = ts_alloc_raw((size_t)stored.n.past, sizeof *read.past.place);
        if (!read.past.place)
            return ts_fail_memory(error, (size_t)stored.n.past * sizeof *read.past.place);
    }
    take_state(state, &stored);
    take_past(read.past.place ? &read.past : NULL, &stored);
    take_space(state, &stored);
    if (about)
        *about = read;
    return TS_OK;
}

ts_status ts_checkpoint_read(const char *path, const ts_model *model, ts_state *state, ts_checkpoint *about,
                             ts_error *error)
{
    char *data = NULL;
    ts_bytes payload;
    TS_TRY(read_whole(path, &data, &payload, error));
    ts_status status = read_payload(path, payload, model, state, about, error);
    ts_free(data);
    return status;
}

ts_status ts_checkpoint_peek(const char *path, uint64_t *serial, uint64_t *step, ts_error *error)
{
    char *data = NULL;
    ts_bytes payload;
    TS_TRY(read_whole(path, &data, &payload, error));
    ts_bytes state = payload;
    ts_take(&state, ABOUT_BYTES);
    *serial = ts_take_u64(&payload);
    *step = ts_take_u64(&state);
    ts_free(data);
    return TS_OK;
}

/* ---- A state by itself ---- */

ts_status ts_state_save(const ts_model *model, const ts_state *state, const char *path, ts_error *error)
{
    return ts_checkpoint_write(path, model, state, &(ts_checkpoint){0}, error);
}

ts_status ts_state_load(const ts_model *model, ts_state *state, const char *path, ts_error *error)
{
    return ts_checkpoint_read(path, model, state, NULL, error);
}
