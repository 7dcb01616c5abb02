/* SPDX-License-Identifier: MIT */
#include "dynamics/soft_sleep.h"

#include <math.h>
#include <string.h>

#include "contact/pairs.h"
#include "dynamics/soft.h"
#include "solve/union_find.h"

/* ---- Memory ---- */

ts_status ts_soft_sleep_open(ts_soft_sleep *s, const ts_model *model, ts_error *error)
{
    const ts_soft_param *p = ts_soft_param_of(model);
    /* without gravity nothing tells rest from slow motion */
    if (!p->sleeping || !(p->calm_speed > 0))
        return TS_OK;
    const double steps = ceil(p->calm_time / model->settings.time_step);
    s->on = true;
    s->speed = p->calm_speed;
    s->steps = steps < TS_ASLEEP / 2 ? (uint32_t)fmax(steps, 2) : TS_ASLEEP / 2;
    TS_TRY(ts_new(&s->root, model->body_count, error));
    return ts_new(&s->stirred, model->body_count, error);
}

void ts_soft_sleep_close(ts_soft_sleep *s)
{
    ts_array_free(&s->link);
    ts_free(s->root);
    ts_free(s->stirred);
}

size_t ts_soft_sleep_bytes(const ts_soft_sleep *s, const ts_model *model)
{
    return s->link.capacity * sizeof *s->link.item +
           (s->on ? model->body_count * (sizeof *s->root + sizeof *s->stirred) : 0);
}

/* ---- Islands ---- */

static void begin_islands(ts_soft_sleep *s, const ts_model *model)
{
    for (size_t i = 0; i < model->body_count; i++)
        s->root[i] = (int32_t)i;
    memset(s->stirred, 0, model->body_count);
}

/* An end of a spring: a body that is driven never lets the other one sleep. */
static int32_t end_of(const ts_model *model, int32_t body)
{
    if (body < 0 || ts_model_moves(model, (size_t)body))
        return body < 0 ? TS_LINK_FIXED : body;
    return model->body_motion && model->body_motion[body] >= 0 ? TS_LINK_DRIVEN : TS_LINK_FIXED;
}

static bool is_lively(const ts_state *state, int32_t end)
{
    return end == TS_LINK_DRIVEN || (end >= 0 && state->still.item[end] == 0);
}

/* All links, with those of springs. */
typedef void use_link(ts_soft_sleep *s, const ts_state *state, int32_t a, int32_t b, bool presses);

static void each_link(ts_soft_sleep *s, const ts_state *state, use_link *use)
{
    const ts_model *model = state->model;
    for (size_t i = 0; i < s->link.count; i++)
        use(s, state, s->link.item[i].a, s->link.item[i].b, s->link.item[i].presses);
    for (size_t i = 0; i < model->spring_count; i++)
        use(s, state, end_of(model, model->spring[i].a), end_of(model, model->spring[i].b), true);
}

/* ---- Waking ---- */

static void wake_link(ts_soft_sleep *s, const ts_state *state, int32_t a, int32_t b, bool presses)
{
    if (ts_soft_asleep(state, b)) { /* one that is awake may be B as well */
        const int32_t other = a;
        a = b;
        b = other;
    }
    if (!ts_soft_asleep(state, a))
        return;
    if (ts_soft_asleep(state, b)) {
        if (presses)
            ts_unite(s->root, a, b);
    } else if (is_lively(state, b) || (presses && b >= 0)) {
        s->stirred[a] = 1;
    }
}

size_t ts_soft_wake(ts_soft_sleep *s, ts_state *state)
{
    const size_t n = state->model->body_count;
    size_t woken = 0;
    begin_islands(s, state->model);
    each_link(s, state, wake_link);
    s->link.count = 0;
    for (size_t i = 0; i < n; i++)
        if (s->stirred[i])
            s->stirred[ts_root_of(s->root, (int32_t)i)] = 1;
    for (size_t i = 0; i < n; i++)
        if (ts_soft_asleep(state, (int64_t)i) && s->stirred[ts_root_of(s->root, (int32_t)i)]) {
            state->still.item[i] = 1; /* not lively, or it would wake all that is near */
            woken++;
        }
    s->asleep -= woken;
    return woken;
}

ts_status ts_soft_sleep_begin(ts_soft_sleep *s, ts_state *state, ts_error *error)
{
    const ts_model *model = state->model;
    const double time = ts_time_of_step(model, state->step);
    if (!s->on)
        return TS_OK;
    if (state->still.count == 0) {
        TS_TRY(ts_array_reserve(&state->still, model->body_count, error));
        memset(state->still.item, 0, model->body_count * sizeof *state->still.item);
        state->still.count = model->body_count;
    }
    s->asleep = 0;
    const bool gates = ts_gate_epoch(model, time) != ts_gate_epoch(model, time - model->settings.time_step);
    for (size_t i = 0; i < state->still.count; i++) {
        if (gates && ts_soft_asleep(state, (int64_t)i))
            state->still.item[i] = 1;
        s->asleep += ts_soft_asleep(state, (int64_t)i);
    }
    return TS_OK;
}

/* ---- Falling asleep ---- */

static void rest_link(ts_soft_sleep *s, const ts_state *state, int32_t a, int32_t b, bool presses)
{
    const bool lively = is_lively(state, a) || is_lively(state, b);
    if (!presses && !lively)
        return;
    if (a >= 0 && b >= 0 && ts_soft_asleep(state, a) == ts_soft_asleep(state, b)) {
        ts_unite(s->root, a, b);
        return;
    }
    /* what moves, and what has just begun to press on something asleep, is not at rest */
    if (a >= 0 && b != TS_LINK_FIXED)
        s->stirred[a] = 1;
    if (b >= 0 && a != TS_LINK_FIXED)
        s->stirred[b] = 1;
}

/* Counts; whether one that is awake has been calm for long. */
static bool count_calm(const ts_soft_sleep *s, ts_state *state, const double *speed)
{
    bool any = false;
    for (size_t i = 0; i < state->still.count; i++) {
        uint32_t *still = &state->still.item[i];
        if (!ts_model_moves(state->model, i) || *still == TS_ASLEEP)
            continue;
        *still = !(speed[i] < s->speed) ? 0 : *still < s->steps ? *still + 1 : s->steps;
        any |= *still == s->steps;
    }
    return any;
}

size_t ts_soft_fall_asleep(ts_soft_sleep *s, ts_state *state, const double *speed)
{
    const size_t n = state->model->body_count;
    size_t asleep = 0;
    const bool any = count_calm(s, state, speed);
    if (any) {
        begin_islands(s, state->model);
        each_link(s, state, rest_link);
        for (size_t i = 0; i < n; i++)
            if (s->stirred[i] || state->still.item[i] < s->steps)
                s->stirred[ts_root_of(s->root, (int32_t)i)] = 1;
        for (size_t i = 0; i < n; i++)
            if (state->still.item[i] == s->steps && !s->stirred[ts_root_of(s->root, (int32_t)i)]) {
                state->still.item[i] = TS_ASLEEP;
                asleep++;
            }
    }
    s->link.count = 0;
    return asleep;
}
