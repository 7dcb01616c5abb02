/* SPDX-License-Identifier: MIT */
#include "record/checkpoint.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/file.h"
#include "base/hash.h"
#include "base/memory.h"
#include "dynamics/dynamics.h"
#include "measure/snapshot.h"
#include "record/archive.h"
#include "scene/fingerprint.h"
#include "state.h"
#include "world.h"

#define MAGIC "\x89TSC\r\n\x1a\n"

enum {
    MAGIC_BYTES = 8,
    PREFIX_BYTES = 32, /* magic, version, layout, size of the payload, checksum */
    LAYOUT = TS_FINGERPRINT_PARTS << 16 | TS_STEP_WARNINGS << 8 | TS_PHASE_COUNT, /* numbers that sizes depend on */
    CHECKSUM_BYTES = 8,
    MARK_BYTES = 24,
    MEASURES_BYTES = 20 * 8,
    TOTALS_BYTES = 8 + 8 + TS_PHASE_COUNT * 8 + 4 * 8 + 2 * MEASURES_BYTES + 3 * 8 + TS_STEP_WARNINGS * 4 * 8,
    STATE_BYTES =
        19 * 8, /* step, reference time, skin and hash, energy budget, room, nine counts, time of the earlier places */
    ABOUT_BYTES = 8 + TS_FINGERPRINT_PARTS * 8 + 2 * MARK_BYTES + TOTALS_BYTES,
    BODY_BYTES = 64,
    REFERENCE_BYTES = 24,
    BODY3_BYTES = 128,
    HISTORY_BYTES = 56,
    IMPULSES_BYTES = 32,
    FOUND_BYTES = 120
};

/* ---- What is in it: visits write and read ---- */

static void visit_mark(ts_archive *a, ts_mark *mark)
{
    ts_archive_u64(a, &mark->bytes);
    ts_archive_u64(a, &mark->count);
    ts_archive_u64(a, &mark->last_step);
}

static void visit_measures(ts_archive *a, ts_measures *m)
{
    double *const value[] = {&m->time,        &m->kinetic,       &m->rotational,      &m->gravitational,
                             &m->elastic,     &m->momentum[0],   &m->momentum[1],     &m->angular,
                             &m->max_overlap, &m->mean_overlap,  &m->overlap_ratio,   &m->max_speed,
                             &m->work,        &m->lost_normal,   &m->lost_tangential, &m->lost_friction,
                             &m->momentum[2], &m->angular_xy[0], &m->angular_xy[1]};
    ts_archive_each(a, value, sizeof value / sizeof *value);
    ts_archive_u64(a, &m->contact_count);
}

static void visit_totals(ts_archive *a, ts_run_totals *totals)
{
    ts_archive_u64(a, &totals->session_count);
    ts_archive_f64(a, &totals->wall_time, 1);
    ts_archive_f64(a, totals->phase_seconds, TS_PHASE_COUNT);
    ts_archive_u64(a, &totals->step_count);
    ts_archive_u64(a, &totals->contact_sum);
    ts_archive_u64(a, &totals->query_sum);
    ts_archive_u64(a, &totals->measure_count);
    visit_measures(a, &totals->first);
    visit_measures(a, &totals->last);
    ts_archive_f64(a, &totals->largest_overlap, 1);
    ts_archive_f64(a, &totals->largest_overlap_ratio, 1);
    ts_archive_f64(a, &totals->largest_kinetic, 1);
    for (int i = 0; i < TS_STEP_WARNINGS; i++) {
        ts_archive_u64(a, &totals->tally[i].count);
        ts_archive_u64(a, &totals->tally[i].first_step);
        ts_archive_i64(a, &totals->tally[i].body);
        ts_archive_f64(a, &totals->tally[i].worst, 1);
    }
}

/* All but the places. */
static void visit_about(ts_archive *a, ts_checkpoint *about, ts_fingerprint *fingerprint)
{
    ts_archive_u64(a, &about->serial);
    for (int i = 0; i < TS_FINGERPRINT_PARTS; i++)
        ts_archive_u64(a, &fingerprint->part[i]);
    visit_mark(a, &about->trajectory);
    visit_mark(a, &about->energies);
    visit_totals(a, &about->totals);
}

/* How many there are of what follows the head of a state. */
typedef struct counts {
    uint64_t found, bodies, pairs, walls, places, bodies3, history, still, impulses;
    uint64_t onward; /* not in the file: by the model */
} counts;

/* The numbers of a state that come before its arrays. */
typedef struct state_head {
    uint64_t step, reference_hash;
    double reference_time, reference_skin, places_time, places_room;
    ts_budget budget;
    counts n;
} state_head;

static void visit_head(ts_archive *a, state_head *head)
{
    counts *n = &head->n;
    ts_archive_u64(a, &head->step);
    ts_archive_f64(a, &head->reference_time, 1);
    ts_archive_f64(a, &head->reference_skin, 1);
    ts_archive_u64(a, &head->reference_hash);
    ts_archive_f64(a, &head->budget.work, 1);
    ts_archive_f64(a, &head->budget.lost_normal, 1);
    ts_archive_f64(a, &head->budget.lost_tangential, 1);
    ts_archive_f64(a, &head->budget.lost_friction, 1);
    ts_archive_f64(a, &head->places_room, 1);
    uint64_t *const count[] = {&n->found,   &n->bodies,  &n->pairs, &n->walls,   &n->places,
                               &n->bodies3, &n->history, &n->still, &n->impulses};
    for (size_t i = 0; i < sizeof count / sizeof *count; i++)
        ts_archive_u64(a, count[i]);
    ts_archive_f64(a, &head->places_time, 1);
}

/* Coordinates of a body's place. */
static int place_size(const counts *n)
{
    return n->bodies3 > 0 ? 3 : 2;
}

static uint64_t rest_bytes(const counts *n)
{
    return n->bodies * (BODY_BYTES + REFERENCE_BYTES) + (n->pairs + n->walls) * 8 +
           n->places * 8 * ((uint64_t)place_size(n) + 1) + n->bodies3 * BODY3_BYTES + n->history * HISTORY_BYTES +
           n->impulses * IMPULSES_BYTES + n->found * FOUND_BYTES + (n->onward + n->still) * 8;
}

static void visit_place(ts_archive *a, int size, ts_snapshot_body *body)
{
    double present = body->present;
    ts_archive_f64(a, body->position, size);
    ts_archive_f64(a, &present, 1);
    if (!a->to)
        body->present = present != 0;
}

static void visit_body(ts_archive *a, ts_body *b)
{
    double *const value[] = {&b->x, &b->y, &b->angle, &b->radius, &b->vx, &b->vy, &b->spin, &b->inv_mass};
    ts_archive_each(a, value, 8);
}

static void visit_body3(ts_archive *a, ts_body3 *b)
{
    ts_archive_f64(a, b->position, 3);
    ts_archive_f64(a, b->attitude, 4);
    ts_archive_f64(a, b->velocity, 3);
    ts_archive_f64(a, b->angular_momentum, 3);
    ts_archive_f64(a, &b->radius, 1);
    ts_archive_f64(a, &b->inv_mass, 1);
    ts_archive_f64(a, &b->unused, 1);
}

static void visit_history(ts_archive *a, ts_history *h)
{
    ts_archive_i64(a, &h->a);
    ts_archive_i64(a, &h->b);
    ts_archive_u64(a, &h->key);
    ts_archive_f64(a, h->value, 4);
}

/* What makes no sense in the arrays of a state. */
typedef struct faults {
    bool body;    /* a radius or mass that is not the model's: it would break what the broad phase relies on */
    bool contact; /* of a body that does not exist */
    bool number;  /* an attitude that is not of unit length; other numbers are the archive's to judge */
} faults;

static void check_body3(const ts_body3 *b, const ts_body3 *own, faults *found)
{
    double square = 0;
    for (int k = 0; k < 4; k++)
        square += b->attitude[k] * b->attitude[k];
    found->number |= !(fabs(square - 1) <= 1e-6);
    found->body |= b->radius != own->radius || b->inv_mass != own->inv_mass;
}

static void visit_found(ts_archive *a, ts_found *f)
{
    ts_archive_i64(a, &f->a);
    ts_archive_i64(a, &f->b);
    ts_archive_u64(a, &f->key);
    ts_archive_f64(a, f->number, 12);
}

static void check_found(const ts_found *f, const ts_model *model, faults *found)
{
    const int64_t bodies = (int64_t)(model->body3 ? model->body_count : model->part_count),
                  walls = (int64_t)model->wall_count;
    found->contact |= f->a >= bodies || f->a < -walls || f->b >= bodies || f->b < -walls;
}

static void check_history(const ts_history *h, const ts_model *model, faults *found)
{
    /* in the plane the history may be of parts, of which there are no fewer than bodies */
    const int64_t bodies = (int64_t)(model->body3 ? model->body_count : model->part_count),
                  walls = (int64_t)model->wall_count;
    found->contact |= h->a >= bodies || h->a < -walls || h->b < 0 || h->b >= bodies;
}

/* The arrays of a state and the earlier places. Without a state or without places those are read and only looked at. */
static faults visit_arrays(ts_archive *a, const ts_model *model, const counts *n, ts_state *state,
                           ts_snapshot_body *place)
{
    faults found = {0};
    for (size_t i = 0; i < n->bodies; i++) {
        ts_body spare = {0}, *b = state ? &state->body[i] : &spare;
        visit_body(a, b);
        found.body |= b->radius != model->body[i].radius || b->inv_mass != model->body[i].inv_mass;
    }
    for (size_t i = 0; i < n->bodies; i++) {
        ts_reference spare = {0}, *r = state ? &state->reference[i] : &spare;
        ts_archive_each(a, (double *const[]){&r->x, &r->y, &r->angle}, 3);
    }
    double number = 0;
    for (size_t i = 0; i < n->pairs; i++)
        ts_archive_f64(a, state ? &state->spring[i] : &number, 1);
    for (size_t i = 0; i < n->walls; i++)
        ts_archive_f64(a, state ? &state->wall_spring[i] : &number, 1);
    for (size_t i = 0; i < n->places; i++) {
        ts_snapshot_body spare = {0};
        visit_place(a, place_size(n), place ? &place[i] : &spare);
    }
    for (size_t i = 0; i < n->bodies3; i++) {
        ts_body3 spare = {0}, *b = state ? &state->body3[i] : &spare;
        visit_body3(a, b);
        check_body3(b, &model->body3[i], &found);
    }
    for (size_t i = 0; i < n->history; i++) {
        ts_history spare = {0}, *h = state ? &state->history.item[i] : &spare;
        visit_history(a, h);
        check_history(h, model, &found);
    }
    for (size_t i = 0; i < n->impulses; i++) {
        ts_impulses spare = {0}, *j = state ? &state->impulses.item[i] : &spare;
        ts_archive_f64(a, &j->normal, 1);
        ts_archive_f64(a, j->tangent, 3);
    }
    for (size_t i = 0; i < n->still; i++) {
        uint64_t steps = state ? state->still.item[i] : 0;
        ts_archive_u64(a, &steps);
        found.number |= steps > TS_ASLEEP;
        if (state && !a->to)
            state->still.item[i] = (uint32_t)steps;
    }
    for (size_t i = 0; i < n->found; i++) {
        ts_found spare = {0}, *f = state ? &state->found.item[i] : &spare;
        visit_found(a, f);
        check_found(f, model, &found);
    }
    for (size_t i = 0; i < n->onward; i++)
        ts_archive_f64(a, state ? &state->onward[i] : &number, 1);
    return found;
}

/* Velocities that the next step begins with. */
static uint64_t onward_count(const ts_model *model)
{
    return ts_model_holds(model) ? model->body_count * (uint64_t)model->world->v_size : 0;
}

/* ---- Writing ---- */

/* Numbers are collected before they are hashed and written: many small pieces would cost more. */
typedef struct sink {
    ts_hash_stream hash; /* first: it is aligned to a cache line */
    ts_archive archive;
    FILE *stream;
    unsigned char buffer[1 << 14];
} sink;

/* The stream remembers a failure until the draft is committed. */
static void flush(ts_archive *archive)
{
    sink *to = (sink *)((char *)archive - offsetof(sink, archive));
    size_t used = (size_t)(archive->to - to->buffer);
    ts_hash_add(&to->hash, to->buffer, used);
    fwrite(to->buffer, 1, used, to->stream);
    archive->to = to->buffer;
}

static state_head head_of(const ts_state *state, const ts_snapshot *before)
{
    const ts_model *model = state->model;
    return (state_head){.step = state->step,
                        .reference_time = state->reference_time,
                        .reference_skin = state->reference_skin,
                        .reference_hash = state->reference_hash,
                        .budget = state->budget,
                        .places_room = state->places_room,
                        .n = {.bodies = model->body3 ? 0 : model->body_count,
                              .pairs = state->pair_count,
                              .walls = state->wall_count,
                              .places = before->body_count,
                              .bodies3 = model->body3 ? model->body_count : 0,
                              .history = state->history.count,
                              .impulses = state->impulses.count,
                              .still = state->still.count,
                              .found = state->found.count,
                              .onward = onward_count(model)},
                        .places_time = before->time};
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
    state_head head = head_of(state, &about->before);
    end = ts_put_u64(end, ABOUT_BYTES + STATE_BYTES + rest_bytes(&head.n));
    ts_put_u64(end, ts_hash(prefix, PREFIX_BYTES - CHECKSUM_BYTES, 0));
    fwrite(prefix, 1, sizeof prefix, draft.stream);

    sink to;
    to.stream = draft.stream;
    to.archive = (ts_archive){.to = to.buffer, .end = to.buffer + sizeof to.buffer, .flush = flush};
    ts_hash_begin(&to.hash, 0);
    ts_fingerprint fingerprint = ts_fingerprint_of(model);
    ts_checkpoint copy = *about;
    visit_about(&to.archive, &copy, &fingerprint);
    visit_head(&to.archive, &head);
    visit_arrays(&to.archive, model, &head.n, (ts_state *)state, copy.before.body); /* a writer changes nothing */
    flush(&to.archive);
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
                       " of the format, this program reads version %d.%d; resume with the program that wrote it",
                       path, version, layout, TS_CHECKPOINT_VERSION, LAYOUT);
    if (size > SIZE_MAX / 8 || size < ABOUT_BYTES + STATE_BYTES)
        return damaged(path, "its size makes no sense", error);
    *file_bytes = PREFIX_BYTES + size + CHECKSUM_BYTES;
    return TS_OK;
}

/* Reads the whole file once its prefix promises that it is one of ours and of that size; the checksum is right then. */
static ts_status read_whole(const char *path, char **data, ts_bytes *payload, ts_error *error)
{
    FILE *file = ts_open_stream(path);
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
    if (size != promised || ts_take_u64(&tail) != ts_hash(begin, length, 0))
        return damaged(path, "it has a wrong checksum", error);
    *payload = ts_bytes_of(begin, length);
    return TS_OK;
}

/* A number above all that it may be reads as damage; each bound by itself, so that no sum of them can overflow. */
static bool counts_fit(const counts *n, uint64_t left)
{
    return n->pairs <= left / 8 && n->walls <= left / 8 && n->bodies <= left / BODY_BYTES &&
           n->bodies3 <= left / BODY3_BYTES && n->history <= left / HISTORY_BYTES && n->found <= left / FOUND_BYTES &&
           (n->impulses == 0 || n->impulses == n->history) && (n->places == 0 || n->places == n->bodies + n->bodies3) &&
           (n->still == 0 || n->still == n->bodies + n->bodies3) && rest_bytes(n) == left;
}

/* Checks sizes and that every number makes sense, before anything is changed. */
static ts_status check_state(const char *path, const ts_model *model, const state_head *head, ts_archive a,
                             ts_error *error)
{
    const counts *n = &head->n;
    const uint64_t mine = model->body_count;
    if (n->bodies != (model->body3 ? 0 : mine) || n->bodies3 != (model->body3 ? mine : 0))
        return ts_fail(error, TS_BAD_INPUT,
                       "the checkpoint %s has %" PRIu64 " bodies but the scene has %" PRIu64 "; resume with its scene",
                       path, n->bodies + n->bodies3, mine);
    if (!counts_fit(n, a.from.left))
        return damaged(path, "its counts do not match its size", error);
    if (!(head->reference_skin >= model->settings.skin))
        return damaged(path, "its list of pairs is of no use", error);
    const faults found = visit_arrays(&a, model, n, NULL, NULL);
    if (found.body)
        return damaged(path, "a body's radius or mass is not the scene's", error);
    if (found.contact)
        return damaged(path, "a contact is of a body that does not exist", error);
    if (found.number || !a.sane)
        return damaged(path, "it holds a number that is not finite or beyond all measure", error);
    return TS_OK;
}

static ts_status read_payload(const char *path, ts_bytes from, const ts_model *model, ts_state *state,
                              ts_checkpoint *about, ts_error *error)
{
    ts_archive a = {.from = from, .bounded = true};
    ts_checkpoint read = {0};
    ts_fingerprint mine = ts_fingerprint_of(model), theirs = {0};
    state_head head = {0};
    visit_about(&a, &read, &theirs);
    const char *difference = ts_fingerprint_difference(&mine, &theirs);
    if (difference)
        return ts_fail(
            error, TS_BAD_INPUT,
            "the checkpoint %s belongs to a scene with another value of %s; go on with the scene it was made with",
            path, difference);
    a.sane = true; /* totals may be anything */
    visit_head(&a, &head);
    head.n.onward = onward_count(model);
    TS_TRY(check_state(path, model, &head, a, error));
    TS_TRY(ts_state_reserve(state, (size_t)head.n.pairs, (size_t)head.n.walls, error));
    TS_TRY(ts_array_reserve(&state->history, (size_t)head.n.history, error));
    TS_TRY(ts_array_reserve(&state->impulses, (size_t)head.n.impulses, error));
    TS_TRY(ts_array_reserve(&state->still, (size_t)head.n.still, error));
    TS_TRY(ts_array_reserve(&state->found, (size_t)head.n.found, error));
    if (about && head.n.places > 0) {
        TS_TRY(ts_snapshot_reserve(&read.before, (size_t)head.n.places, 0, 0, error));
        read.before.time = head.places_time;
        read.before.dimension = model->dimension;
        for (size_t i = 0; i < read.before.body_count; i++)
            read.before.body[i] = (ts_snapshot_body){.fixed = !ts_model_moves(model, i)};
    }
    state->step = head.step;
    state->reference_time = head.reference_time;
    state->reference_skin = head.reference_skin;
    state->reference_hash = head.reference_hash;
    state->budget = head.budget;
    state->pair_count = (size_t)head.n.pairs;
    state->wall_count = (size_t)head.n.walls;
    state->history.count = (size_t)head.n.history;
    state->impulses.count = (size_t)head.n.impulses;
    state->still.count = (size_t)head.n.still;
    state->found.count = (size_t)head.n.found;
    state->drift_bound = (double)INFINITY;
    state->places_room = head.places_room;
    state->places_mark = 0;
    visit_arrays(&a, model, &head.n, state, about ? read.before.body : NULL);
    if (about)
        *about = read;
    return TS_OK;
}

ts_status ts_checkpoint_read(const char *path, const ts_model *model, ts_state *state, ts_checkpoint *about,
                             ts_error *error)
{
    TS_AUTO_FREE char *data = NULL;
    ts_bytes payload;
    TS_TRY(read_whole(path, &data, &payload, error));
    return read_payload(path, payload, model, state, about, error);
}

ts_status ts_checkpoint_peek(const char *path, uint64_t *serial, uint64_t *step, ts_error *error)
{
    TS_AUTO_FREE char *data = NULL;
    ts_bytes payload;
    TS_TRY(read_whole(path, &data, &payload, error));
    ts_bytes state = payload;
    ts_take(&state, ABOUT_BYTES);
    *serial = ts_take_u64(&payload);
    *step = ts_take_u64(&state);
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
