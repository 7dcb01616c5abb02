/* SPDX-License-Identifier: MIT */
#include "study/cem_run.h"

#include <stdatomic.h>
#include <stdio.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/release.h"
#include "base/threads.h"
#include "record/runfolder.h"
#include "record/snapshot.h"
#include "touchstone/sim.h"

#define CHECKPOINT_SECONDS 60.0 /* wall time between checkpoints */
#define STEPS_AT_ONCE      2000 /* then progress is told */
#define PER_MILLE          1000


/* One run on its way. */
typedef struct job {
    ts_cem_run *run;
    ts_scene *scene;
    ts_model *model;
    char *text; /* of the scene */
    size_t length;
    int threads;
    bool keep; /* checkpoints are written, and an old run goes on */
    ts_status status;
    ts_error error;
    atomic_int done; /* of PER_MILLE */
} job;

/* All of them. */
typedef struct batch {
    ts_study *study;
    job *job;
    size_t count;
    double from, part; /* of the study's work */
    const char *what;
} batch;

static void tell(const batch *b)
{
    double sum = 0;
    for (size_t i = 0; i < b->count; i++)
        sum += atomic_load_explicit(&b->job[i].done, memory_order_relaxed);
    ts_study_report(b->study, b->from + b->part * sum / (PER_MILLE * (double)b->count), b->what);
}

/* ---- One run ---- */

static bool tell_map(void *user, double done, const char *what)
{
    const batch *b = user;
    char text[96];
    snprintf(text, sizeof text, "contact maps, %.0f %%: %.60s", 100 * done, what);
    ts_study_report(b->study, b->from, text);
    return true;
}

static ts_status open_job(job *j, batch *b, ts_error *error)
{
    ts_map_making making = {.threads = ts_study_threads(b->study), .progress = tell_map, .progress_user = b};
    double since = ts_clock_seconds();
    TS_TRY(ts_cem_scene_text(&j->run->wish, &j->text, &j->length, error));
    TS_TRY(ts_scene_parse(j->text, j->length, j->run->wish.scene, NULL, &j->scene, error));
    TS_TRY(ts_model_compile(j->scene, &j->model, error));
    TS_TRY(ts_model_prepare(j->model, &making, error));
    j->run->prepared = ts_clock_seconds() - since;
    return TS_OK;
}

static void close_job(job *j)
{
    ts_model_free(j->model);
    ts_scene_free(j->scene);
    ts_free(j->text);
    j->model = NULL;
    j->scene = NULL;
    j->text = NULL;
}
TS_RELEASE_AT(job, close_job)

static ts_status open_recorder(job *j, ts_state *state, ts_recorder **recorder, ts_error *error)
{
    if (j->keep && ts_run_exists(j->run->folder))
        return ts_recorder_resume(j->run->folder, j->model, state, &(ts_recorder_options){0}, recorder, error);
    ts_recorder_options about = {.scene_text = j->text, .scene_length = j->length, .force = true};
    return ts_recorder_create(j->run->folder, j->model, &about, recorder, error);
}

/* Up to the end. `b` is told how far it is; NULL: another thread tells. */
static ts_status run_steps(job *j, const batch *b, ts_recorder *recorder, ts_state *state, ts_workspace *work,
                           ts_error *error)
{
    uint64_t last = ts_run_last_step(j->model);
    double saved = ts_clock_seconds();
    for (;;) {
        uint64_t now = ts_state_steps(state);
        TS_TRY(ts_recorder_write(recorder, state, work, error));
        bool due = now == 0 || now >= last || ts_clock_seconds() - saved > CHECKPOINT_SECONDS;
        if (j->keep && due) {
            TS_TRY(ts_recorder_checkpoint(recorder, state, error));
            saved = ts_clock_seconds();
        }
        atomic_store_explicit(&j->done, (int)(PER_MILLE * ((double)now / (double)last)), memory_order_relaxed);
        if (b)
            tell(b);
        if (now >= last)
            return TS_OK;
        uint64_t next = ts_recorder_next(recorder, now);
        next = next < last ? next : last;
        TS_TRY(ts_step(j->model, state, work, next - now < STEPS_AT_ONCE ? next - now : STEPS_AT_ONCE, error));
    }
}

static ts_status run_job(job *j, const batch *b, ts_error *error)
{
    TS_AUTO(ts_state_free_at) ts_state *state = NULL;
    TS_AUTO(ts_workspace_free_at) ts_workspace *work = NULL;
    TS_AUTO(ts_recorder_free_at) ts_recorder *recorder = NULL;
    ts_summary summary = {0};
    TS_TRY(ts_state_create(j->model, &state, error));
    TS_TRY(ts_workspace_create(j->model, j->threads, &work, error));
    TS_TRY(open_recorder(j, state, &recorder, error));
    TS_TRY(run_steps(j, b, recorder, state, work, error));
    TS_TRY(ts_recorder_finish(recorder, state, work, &(ts_run_end){.outcome = "finished"}, &summary, error));
    j->run->seconds = summary.wall_time;
    j->run->steps = (double)summary.steps;
    j->run->queries_per_step = summary.queries_per_step;
    return TS_OK;
}

/* ---- All of them ---- */

static void run_task(void *context, int task, int thread)
{
    batch *b = context;
    job *j = &b->job[task];
    j->status = run_job(j, thread == 0 ? b : NULL, &j->error);
}

static ts_status run_beside(batch *b, ts_error *error)
{
    ts_pool *pool;
    TS_TRY(ts_pool_create(ts_study_threads(b->study), &pool, error));
    b->what = b->count == 1 ? b->job->run->name : "runs, side by side";
    ts_pool_run(pool, (int)b->count, run_task, b);
    ts_pool_free(pool);
    for (size_t i = 0; i < b->count; i++)
        if (b->job[i].status != TS_OK) {
            *error = b->job[i].error;
            return b->job[i].status;
        }
    return TS_OK;
}

static ts_status run_in_turn(batch *b, ts_error *error)
{
    for (size_t i = 0; i < b->count; i++) {
        TS_AUTO(close_job_at) job *j = &b->job[i];
        b->what = j->run->name;
        TS_TRY(open_job(j, b, error));
        TS_TRY(run_job(j, b, error));
    }
    return TS_OK;
}

static ts_status run_all(batch *b, ts_error *error)
{
    /* A run on a thread of its own wastes nothing on waiting for others; fewer runs than threads share theirs. */
    bool full = ts_study_full(b->study), beside = !full || b->count >= (size_t)ts_study_threads(b->study);
    const char *folder;
    TS_TRY(ts_study_out_dir(b->study, &folder, error));
    for (size_t i = 0; i < b->count; i++) {
        job *j = &b->job[i];
        snprintf(j->run->folder, sizeof j->run->folder, "%.4000s/%s", folder, j->run->name);
        TS_TRY(ts_folder_make(j->run->folder, error));
        j->keep = full;
        j->threads = beside ? 1 : ts_study_threads(b->study);
        if (beside)
            TS_TRY(open_job(j, b, error));
    }
    return beside ? run_beside(b, error) : run_in_turn(b, error);
}

static ts_status choose(const ts_study *study, ts_cem_run *run, size_t count, ts_error *error)
{
    TS_AUTO_FREE const char **name = NULL;
    TS_AUTO_FREE bool *chosen = NULL;
    TS_TRY(ts_new(&name, count, error)); // NOLINT(bugprone-sizeof-expression): an array of pointers
    TS_TRY(ts_new(&chosen, count, error));
    for (size_t i = 0; i < count; i++)
        name[i] = run[i].name;
    TS_TRY(ts_study_choose(study, name, count, chosen, error));
    for (size_t i = 0; i < count; i++)
        run[i].skipped = !chosen[i];
    return TS_OK;
}

bool ts_cem_ran(const ts_cem_run *run, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (run[i].skipped)
            return false;
    return true;
}

ts_status ts_cem_runs(ts_study *study, ts_cem_run *run, size_t count, const double span[2], ts_error *error)
{
    batch b = {.study = study, .from = span[0], .part = span[1] - span[0]};
    TS_TRY(choose(study, run, count, error));
    TS_TRY(ts_new(&b.job, count, error));
    for (size_t i = 0; i < count; i++) {
        if (run[i].wish.seed == 0)
            run[i].wish.seed = ts_study_seed(study);
        if (!run[i].skipped)
            b.job[b.count++].run = &run[i];
    }
    ts_status status = run_all(&b, error);
    for (size_t i = 0; i < b.count; i++)
        close_job(&b.job[i]);
    ts_free(b.job);
    return status;
}

/* ---- What came of them ---- */

static ts_status open_trajectory(const ts_cem_run *run, ts_trajectory **reader, ts_error *error)
{
    char path[TS_CEM_PATH + 32];
    TS_TRY(ts_run_path(run->folder, TS_RUN_TRAJECTORY, path, sizeof path, error));
    return ts_trajectory_open(path, reader, error);
}

ts_status ts_cem_frame_at(ts_trajectory *reader, double time, uint64_t *index, ts_error *error)
{
    *index = ts_trajectory_frame_count(reader) - 1;
    if (isnan(time))
        return TS_OK;
    /* half a step, so that rounding does not matter */
    return ts_trajectory_find(reader, time + 0.5 * ts_trajectory_get_header(reader)->time_step, index, error);
}

static ts_status read_at(ts_trajectory *reader, double time, ts_frame *frame, ts_error *error)
{
    uint64_t index = ts_trajectory_frame_count(reader);
    if (index == 0)
        return ts_fail(error, TS_CORRUPT, "a run of the study has no frames; remove its folder and begin anew");
    TS_TRY(ts_cem_frame_at(reader, time, &index, error));
    return ts_trajectory_read(reader, index, frame, error);
}

ts_status ts_cem_look_at(const ts_cem_run *run, double time, ts_cem_look *look, ts_error *error)
{
    ts_frame frame;
    TS_TRY(open_trajectory(run, &look->reader, error));
    TS_TRY(read_at(look->reader, time, &frame, error));
    return ts_snapshot_of_frame(ts_trajectory_get_header(look->reader), &frame, &look->snapshot, error);
}

void ts_cem_look_end(ts_cem_look *look)
{
    ts_snapshot_free(&look->snapshot);
    ts_trajectory_close(look->reader);
    *look = (ts_cem_look){0};
}
