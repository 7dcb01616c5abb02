/* SPDX-License-Identifier: MIT */
#include "record/summary.h"

#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"

static void put_energies(ts_json *json, const char *name, const ts_measures *m, bool known)
{
    if (!known) {
        ts_json_null(json, name);
        return;
    }
    ts_json_begin_object(json, name);
    TS_JSON_NUMBERS(json, {"time", m->time}, {"kinetic", m->kinetic}, {"rotational", m->rotational},
                    {"gravitational", m->gravitational}, {"elastic", m->elastic},
                    {"total", m->kinetic + m->rotational + m->gravitational + m->elastic});
    ts_json_end(json);
}

static void put_angular(ts_json *json, const char *name, const ts_measures *m, int turns)
{
    if (turns > 1)
        ts_json_numbers(json, name, (const double[]){m->angular_xy[0], m->angular_xy[1], m->angular}, 3);
    else
        ts_json_number(json, name, m->angular);
}

static void put_motion(const ts_summary *s, ts_json *json)
{
    const size_t axes = (size_t)s->kind->axes;
    ts_json_begin_object(json, "energy");
    put_energies(json, "first", &s->first, s->has_measures);
    put_energies(json, "last", &s->last, s->has_measures);
    ts_json_end(json);
    ts_json_begin_object(json, "momentum");
    if (s->has_measures) {
        ts_json_numbers(json, "first", s->first.momentum, axes);
        ts_json_numbers(json, "last", s->last.momentum, axes);
        put_angular(json, "angular_first", &s->first, s->kind->turns);
        put_angular(json, "angular_last", &s->last, s->kind->turns);
    }
    ts_json_number(json, "scale", s->momentum_scale);
    ts_json_bool(json, "closed", s->closed);
    ts_json_end(json);
    ts_json_numbers(json, "momentum_drift", s->momentum_drift, axes);
    ts_json_number(json, "largest_overlap", s->largest_overlap);
    ts_json_number(json, "largest_overlap_ratio", s->largest_overlap_ratio);
}

static void put_warnings(const ts_summary *s, ts_json *json)
{
    ts_json_begin_array(json, "warnings");
    for (size_t i = 0; i < s->warning_count; i++) {
        const ts_warning *w = &s->warning[i];
        ts_json_begin_object(json, NULL);
        ts_json_text(json, "kind", w->kind);
        ts_json_bool(json, "doubtful", w->doubtful);
        ts_json_uint(json, "count", w->count);
        if (w->first_step > 0)
            ts_json_uint(json, "first_step", w->first_step);
        else
            ts_json_null(json, "first_step");
        if (w->body >= 0)
            ts_json_int(json, "body", w->body);
        else
            ts_json_null(json, "body");
        ts_json_text(json, "text", w->text);
        ts_json_end(json);
    }
    ts_json_end(json);
}

static void put_work(const ts_summary *s, ts_json *json)
{
    ts_json_uint(json, "steps", s->steps);
    TS_JSON_NUMBERS(json, {"simulated_time", s->simulated_time}, {"wall_time", s->wall_time},
                    {"time_step", s->time_step}, {"stable_step", s->stable_step}, {"rate", s->rate});
    ts_json_begin_object(json, "session");
    ts_json_int(json, "number", s->session_count);
    ts_json_uint(json, "steps", s->session_steps);
    ts_json_number(json, "wall_time", s->session_wall);
    ts_json_end(json);
    ts_json_begin_object(json, "phases");
    for (int i = 0; i < TS_PHASE_COUNT; i++)
        ts_json_number(json, ts_phase_name((ts_phase)i), s->phase_seconds[i]);
    ts_json_end(json);
    ts_json_number(json, "contacts_per_step", s->contacts_per_step);
    ts_json_number(json, "queries_per_step", s->queries_per_step);
    if (s->left_out_per_step > 0)
        ts_json_number(json, "left_out_per_step", s->left_out_per_step);
}

void ts_summary_add_warnings(ts_summary *s, const ts_warning *warning, size_t count)
{
    for (size_t i = 0; i < count && s->warning_count < TS_WARNING_KINDS; i++)
        s->warning[s->warning_count++] = warning[i];
}

void ts_summary_conclude(ts_summary *s, const char *outcome, const char *message)
{
    if (strcmp(outcome, "finished") == 0 && ts_warnings_doubt(s->warning, s->warning_count))
        outcome = "doubtful";
    snprintf(s->outcome, sizeof s->outcome, "%s", outcome);
    snprintf(s->message, sizeof s->message, "%s", message ? message : "");
}

bool ts_outcome_is_end(const char *outcome)
{
    return strcmp(outcome, "finished") == 0 || strcmp(outcome, "doubtful") == 0;
}

void ts_summary_json(const ts_summary *s, ts_json *json, const char *name)
{
    ts_json_begin_object(json, name);
    ts_json_text(json, "version", s->version);
    ts_json_text(json, "title", s->title);
    ts_json_text(json, "outcome", s->outcome);
    ts_json_text(json, "message", s->message[0] ? s->message : NULL);
    put_warnings(s, json);
    if (s->kind->solids) /* older summaries are of the plane */
        ts_json_int(json, "dimensions", s->kind->axes);
    ts_json_uint(json, "bodies", s->body_count);
    ts_json_uint(json, "boundaries", s->wall_count);
    ts_json_uint(json, "asleep", s->asleep_count);
    put_work(s, json);
    put_motion(s, json);
    ts_json_uint(json, "frames", s->frame_count);
    ts_json_uint(json, "rows", s->row_count);
    ts_json_uint(json, "trajectory_bytes", s->trajectory_bytes);
    ts_json_uint(json, "memory_bytes", s->memory_bytes);
    ts_json_int(json, "threads", s->thread_count);
    ts_json_text(json, "cpu", s->cpu);
    ts_json_text(json, "instructions", s->instructions);
    ts_json_hash(json, "model_hash", s->model_hash);
    ts_json_hash(json, "state_hash", s->state_hash);
    ts_json_end(json);
}

ts_status ts_summary_write(const ts_summary *summary, const char *path, ts_error *error)
{
    TS_AUTO(ts_draft_discard) ts_draft draft = {0};
    ts_json json;
    TS_TRY(ts_draft_open(&draft, path, error));
    ts_json_to_stream(&json, draft.stream);
    ts_summary_json(summary, &json, NULL);
    TS_TRY(ts_json_finish(&json, error));
    return ts_draft_commit(&draft, error);
}
