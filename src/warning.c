/* SPDX-License-Identifier: MIT */
#include "warning.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "contact/worst_map.h"
#include "dynamics/dynamics.h"
#include "workspace.h"

/* Share of steps above which impacts that were resolved nearly are more than exceptions. */
#define OFTEN 0.1

enum { REMEDY_MAX = 128 }; /* bytes */

/* What a sentence may speak of. */
typedef struct subject {
    const ts_model *model;
    const ts_tally *tally;
    uint64_t steps;
    ts_warning_kind kind;
    bool *remedy_told; /* in a sentence before this one */
    char *remedy;      /* room for one (REMEDY_MAX) */
} subject;

/* ---- Sentences: false when there is nothing to tell ---- */

/* "body 3", or "a body" where it is not known. */
static const char *name_body(const subject *s, char text[32])
{
    if (s->tally->body >= 0)
        snprintf(text, 32, "body %" PRId64, s->tally->body);
    else
        snprintf(text, 32, "a body");
    return text;
}

/* ": raise the stiffness" the first time, then nothing: sentences that follow each other need not repeat a remedy. */
static const char *against_overlap(const subject *s)
{
    const char *remedy = s->model->dynamics->against_overlap;
    if (*s->remedy_told)
        return "";
    *s->remedy_told = true;
    snprintf(s->remedy, REMEDY_MAX, ": %s", remedy ? remedy : "shorten time_step");
    return s->remedy;
}

static bool say_through(const subject *s, char *text, size_t capacity)
{
    snprintf(text, capacity,
             "Bodies were half-way through each other or through walls in %" PRIu64 " of %" PRIu64
             " steps, by up to %.0f%% of a radius, first %s in step %" PRIu64 "; some may have passed through%s.",
             s->tally->count, s->steps, 100 * s->tally->worst, name_body(s, (char[32]){0}), s->tally->first_step,
             against_overlap(s));
    return true;
}

static bool say_sunk(const subject *s, char *text, size_t capacity)
{
    snprintf(text, capacity, "At the end bodies are in each other or in walls by up to %.0f%% of a radius%s.",
             100 * s->tally->worst, against_overlap(s));
    return true;
}

static bool say_deep(const subject *s, char *text, size_t capacity)
{
    const ts_worst_map worst = ts_worst_map_of(s->model);
    const int used = snprintf(text, capacity, "Grains overlapped by up to %.0f%% of a radius", 100 * s->tally->worst);
    char *rest = text + used;
    const size_t room = capacity - (size_t)used;
    if (ts_worst_map_explains(&worst, s->tally->worst))
        snprintf(rest, room, ": the map of %.20s and %.20s is itself wrong by up to %.2g%% of a radius; %s.", worst.a,
                 worst.b, 100 * worst.info.errors.worst, ts_worst_map_remedy(&worst));
    else
        snprintf(rest, room, "%s.", against_overlap(s));
    return true;
}

static bool say_fast(const subject *s, char *text, size_t capacity)
{
    snprintf(text, capacity, "In step %" PRIu64 " %s became too fast for the time step; shorten time_step.",
             s->tally->first_step, name_body(s, (char[32]){0}));
    return true;
}

static bool say_energy(const subject *s, char *text, size_t capacity)
{
    snprintf(text, capacity,
             "Energy came from nowhere, first seen at step %" PRIu64 ", up to %.0f%% of the largest that ever was in "
             "motion and springs: %s.",
             s->tally->first_step, 100 * s->tally->worst,
             s->model->dynamics->against_energy ? s->model->dynamics->against_energy : "shorten time_step");
    return true;
}

static bool say_diverged(const subject *s, char *text, size_t capacity)
{
    snprintf(text, capacity, "Step %" PRIu64 " could not be computed.", s->tally->first_step);
    return true;
}

/* What only the dynamics can say. */
static bool ask_dynamics(const subject *s, char *text, size_t capacity)
{
    const ts_dynamics *d = s->model->dynamics;
    return d->tell && d->tell(s->model, s->kind, s->tally, s->steps, text, capacity);
}

/* ---- The table ---- */

static const struct {
    const char *name;
    double doubtful_share; /* the result is in doubt when more than this share of steps was so; 1: never */
    bool ends;             /* the run ended by it, and its message is the sentence */
    bool (*say)(const subject *subject, char *text, size_t capacity); /* NULL: told by whoever noticed it */
} row[TS_WARNING_KINDS] = {
    [TS_WARN_THROUGH] = {"passed_through", 0, false, say_through},
    [TS_WARN_SUNK] = {"sunk", 0, false, say_sunk},
    [TS_WARN_DEEP] = {"deep_overlap", 1, false, say_deep},
    [TS_WARN_STIFFNESS] = {"stiffness", 1, false, ask_dynamics},
    [TS_WARN_LOCKED] = {"locked", OFTEN, false, ask_dynamics},
    [TS_WARN_UNSETTLED] = {"unsettled", OFTEN, false, ask_dynamics},
    [TS_WARN_FAST] = {"fast_body", 0, true, say_fast},
    [TS_WARN_ENERGY] = {"energy", 0, false, say_energy},
    [TS_WARN_DIVERGED] = {"diverged", 0, true, say_diverged},
    [TS_WARN_MENDED] = {"mended_mesh", 1, false, NULL},
    [TS_WARN_UNUSED_KEY] = {"unused_key", 1, false, NULL},
    [TS_WARN_SHORT_STEP] = {"short_step", 1, false, NULL},
    [TS_WARN_CHECKPOINT] = {"checkpoint", 1, false, NULL},
};

/* ---- Counting ---- */

void ts_tally_add(ts_tally *tally, uint64_t step, int64_t body, double worst)
{
    ts_tally_merge(tally, &(ts_tally){1, step, body, worst});
}

void ts_tally_merge(ts_tally *to, const ts_tally *later)
{
    if (to->count == 0 && later->count > 0) {
        to->first_step = later->first_step;
        to->body = later->body;
    }
    to->count += later->count;
    to->worst = fmax(to->worst, later->worst);
}

/* ---- Telling ---- */

size_t ts_warnings_of(const ts_workspace *work, const ts_tally *tally, uint64_t steps, const char *message,
                      ts_warning *warning)
{
    const ts_model *model = work->model;
    const ts_deepest *last = &work->deepest;
    size_t count = 0;
    bool remedy_told = false;
    char remedy[REMEDY_MAX];
    for (int i = 0; i < TS_STEP_WARNINGS; i++) {
        ts_warning *w = &warning[count];
        ts_tally noted = tally[i];
        if (i == TS_WARN_SUNK && last->ratio > TS_DEEP_RATIO)
            noted = (ts_tally){1, last->step, last->body, last->ratio};
        if (noted.count == 0 || noted.body >= (int64_t)model->body_count) /* a file may say anything */
            noted.body = -1;
        const subject s = {model, &noted, steps, (ts_warning_kind)i, &remedy_told, remedy};
        *w = (ts_warning){.kind = row[i].name,
                          .count = noted.count,
                          .first_step = noted.first_step,
                          .body = noted.body,
                          .doubtful =
                              row[i].doubtful_share < 1 && (double)noted.count > row[i].doubtful_share * (double)steps};
        if (noted.count == 0 && i != TS_WARN_STIFFNESS) /* which may also have been too high */
            continue;
        if (row[i].ends && message)
            snprintf(w->text, sizeof w->text, "%s", message);
        else if (!row[i].say(&s, w->text, sizeof w->text))
            continue;
        count++;
    }
    return count;
}

ts_warning ts_warning_of_start(ts_warning_kind kind, uint64_t count, const char *text)
{
    ts_warning made = {.kind = row[kind].name, .count = count, .body = -1};
    snprintf(made.text, sizeof made.text, "%s", text);
    return made;
}

bool ts_warning_of_step(const ts_model *model, char *text, size_t capacity)
{
    const ts_tally none = {0};
    return ask_dynamics(&(subject){.model = model, .tally = &none, .kind = TS_WARN_SHORT_STEP}, text, capacity);
}

bool ts_warnings_doubt(const ts_warning *warning, size_t count)
{
    bool doubtful = false;
    for (size_t i = 0; i < count; i++)
        doubtful |= warning[i].doubtful;
    return doubtful;
}

size_t ts_workspace_warnings(const ts_workspace *work, ts_warning *warning, size_t capacity)
{
    ts_warning all[TS_STEP_WARNINGS];
    const size_t count = ts_warnings_of(work, work->tally, work->step_count, NULL, all);
    for (size_t i = 0; i < count && i < capacity; i++)
        warning[i] = all[i];
    return count;
}
