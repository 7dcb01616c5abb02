/* SPDX-License-Identifier: MIT */
#include "record/runfolder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/cpu.h"
#include "base/file.h"
#include "base/release.h"
#include "base/text.h"
#include "measure/columns.h"
#include "record/checkpoint.h"
#include "record/energy_guard.h"
#include "record/table.h"
#include "record/trajectory.h"
#include "touchstone/version.h"
#include "workspace.h"

#define PATH_BYTES 4096
#define LOCK_NAME  "lock"

static const char *const checkpoint_name[2] = {"checkpoint.0", "checkpoint.1"};
/* All that a run writes, checkpoints first: were a forced start to be killed among the removals, a resume must not find
 * the old run's checkpoint beside the new run's files. */
static const char *const run_file[] = {"checkpoint.0",  "checkpoint.1",    TS_RUN_SUMMARY,
                                       TS_RUN_ENERGIES, TS_RUN_TRAJECTORY, TS_RUN_SCENE};
/* What `touchstone render` makes of it unless told otherwise. */
static const char *const drawn_file[] = {"last.png", "sheet.png", "movie.mp4", "frame.png"};
enum {
    RUN_FILE_COUNT = sizeof run_file / sizeof *run_file,
    DRAWN_FILE_COUNT = sizeof drawn_file / sizeof *drawn_file,
    DRAWN_TO_THE_END = 3, /* the first of them: later frames make these untrue */
};

/* Due at steps round(k · ratio), k = 0, 1, 2, … */
typedef struct schedule {
    double ratio; /* interval / Δt; infinite: at step 0 only */
} schedule;

/* What a workspace has counted. */
typedef struct counters {
    ts_timers timers;
    uint64_t step_count, contact_sum, query_sum, light_sum;
} counters;

struct ts_recorder { // NOLINT(clang-analyzer-optin.performance.Padding): there is one
    const ts_model *model;
    char *folder;
    char *title;
    char *note; /* "" or what resuming found */
    int lock;   /* descriptor */

    ts_trajectory_writer *trajectory;
    ts_energy_table energies;
    schedule frame_schedule, row_schedule;
    ts_energy_guard guard;
    ts_snapshot snapshot; /* for the measures in the table; its memory is kept from row to row */
    ts_snapshot last_row; /* at the newest row, for the flow to the next; no bodies: no row yet, or no flow wanted */

    uint64_t serial;      /* of the next checkpoint */
    int slot;             /* where it goes: the other one is newer */
    ts_run_totals totals; /* of earlier sessions; measures also of this one */

    /* this session */
    double opened;       /* clock */
    uint64_t first_step; /* step at which it began, once known */
    bool began;
    bool outdates;        /* the next frame makes pictures of an earlier session untrue */
    double own_seconds;   /* spent in checkpoints: no workspace is at hand to put it into */
    counters before, now; /* the workspace's at the first and at the last write */
};

/* ---- When ---- */

static schedule make_schedule(double interval, double step)
{
    double ratio = interval / step;
    return (schedule){ratio > 0 ? ratio : (double)INFINITY};
}

/* The first step at or after `step` at which something is due. */
static uint64_t due_from(schedule when, uint64_t step)
{
    const double largest = 9e15; /* steps beyond which doubles skip integers: never reached */
    if (step == 0 || when.ratio <= 1)
        return step;
    if (!(when.ratio < largest) || (double)step > largest)
        return UINT64_MAX;
    uint64_t k = (uint64_t)((double)step / when.ratio);
    for (k = k > 1 ? k - 1 : 0;; k++) {
        double at = round((double)k * when.ratio);
        if (at > largest)
            return UINT64_MAX;
        if ((uint64_t)at >= step)
            return (uint64_t)at;
    }
}

static bool is_new(const ts_mark *mark, uint64_t step)
{
    return mark->count == 0 || step > mark->last_step;
}

static bool is_due(schedule when, const ts_mark *mark, uint64_t step)
{
    return due_from(when, step) == step && is_new(mark, step);
}

uint64_t ts_recorder_next(const ts_recorder *recorder, uint64_t step)
{
    if (step == UINT64_MAX)
        return UINT64_MAX;
    uint64_t frame = due_from(recorder->frame_schedule, step + 1), row = due_from(recorder->row_schedule, step + 1);
    return frame < row ? frame : row;
}

uint64_t ts_run_last_step(const ts_model *model)
{
    double steps = round(model->settings.duration / model->settings.time_step);
    return steps > 0 ? steps < 9e15 ? (uint64_t)steps : UINT64_MAX : 0;
}

/* ---- Where ---- */

ts_status ts_run_path(const char *folder, const char *name, char *path, size_t capacity, ts_error *error)
{
    if (ts_path_join(folder, name, path, capacity) >= capacity)
        return ts_fail(error, TS_BAD_INPUT, "the path of %s in the run folder is too long; choose a shorter one", name);
    return TS_OK;
}

bool ts_run_exists(const char *folder)
{
    char path[PATH_BYTES];
    for (int i = 0; i < RUN_FILE_COUNT; i++)
        if (ts_run_path(folder, run_file[i], path, sizeof path, NULL) == TS_OK && ts_file_exists(path))
            return true;
    return false;
}

static ts_status remove_file(const char *folder, const char *name, ts_error *error)
{
    char path[PATH_BYTES];
    TS_TRY(ts_run_path(folder, name, path, sizeof path, error));
    if (unlink(path) != 0 && errno != ENOENT)
        return ts_fail_errno(error, "remove", path, errno);
    return TS_OK;
}

/* Removes drafts that a killed run left: <file of ours>.<pid>.<n>.tmp. They are of no use, and large. */
static void remove_drafts(const char *folder)
{
    DIR *listing = opendir(folder);
    if (!listing)
        return;
    for (struct dirent *entry; (entry = readdir(listing)) != NULL;) {
        size_t length = strlen(entry->d_name);
        if (length < 4 || strcmp(entry->d_name + length - 4, ".tmp") != 0)
            continue;
        for (int i = 0; i < RUN_FILE_COUNT; i++) {
            size_t known = strlen(run_file[i]);
            if (strncmp(entry->d_name, run_file[i], known) == 0 && entry->d_name[known] == '.')
                (void)remove_file(folder, entry->d_name, NULL);
        }
    }
    closedir(listing);
}

/* The lock goes with the process, however it ends. The process id in the file is for the message alone. */
static ts_status lock_folder(ts_recorder *recorder, ts_error *error)
{
    char path[PATH_BYTES], text[32] = "";
    TS_TRY(ts_run_path(recorder->folder, LOCK_NAME, path, sizeof path, error));
    recorder->lock = ts_open(path, O_RDWR | O_CREAT, 0666);
    if (recorder->lock < 0)
        return ts_fail_errno(error, "create", path, errno);
    if (flock(recorder->lock, LOCK_EX | LOCK_NB) != 0) {
        if (errno != EWOULDBLOCK)
            return ts_fail_errno(error, "lock", path, errno);
        ssize_t got = pread(recorder->lock, text, sizeof text - 1, 0);
        text[got > 0 ? got : 0] = 0;
        return ts_fail(error, TS_BAD_INPUT,
                       "another run%s%.*s is writing to %s; wait until it ends, or choose another folder with --out",
                       text[0] ? ", process " : "", (int)strcspn(text, "\n"), text, recorder->folder);
    }
    int length = snprintf(text, sizeof text, "%ld\n", (long)getpid());
    if (ftruncate(recorder->lock, 0) != 0 || pwrite(recorder->lock, text, (size_t)length, 0) != length)
        return ts_fail_errno(error, "write", path, errno);
    return TS_OK;
}

/* ---- Opening ---- */

/* NULL: out of memory. */
static ts_recorder *make_recorder(const char *folder, const ts_model *model, const ts_recorder_options *options,
                                  ts_error *error)
{
    ts_recorder *made = ts_alloc(1, sizeof *made);
    if (!made) {
        ts_fail_memory(error, sizeof *made);
        return NULL;
    }
    made->model = model;
    made->lock = -1;
    made->opened = ts_clock_seconds();
    made->folder = ts_copy_text(folder);
    made->title = ts_copy_text(options && options->title ? options->title : "");
    made->note = ts_copy_text("");
    made->frame_schedule = make_schedule(model->settings.frame_interval, model->settings.time_step);
    made->row_schedule = make_schedule(model->settings.energy_interval, model->settings.time_step);
    made->guard = ts_energy_guard_of(model);
    made->totals.session_count = 1;
    if (!made->folder || !made->title || !made->note) {
        ts_recorder_free(made);
        ts_fail_memory(error, strlen(folder));
        return NULL;
    }
    return made;
}

/* Trajectory and table from the start. */
static ts_status start_files(ts_recorder *recorder, ts_error *error)
{
    char path[PATH_BYTES];
    uint32_t missing = recorder->model->settings.measures & ~ts_measure_groups(recorder->model->dimension);
    for (size_t i = 0; missing && ts_measure_name(i); i++)
        if (missing & (1u << i))
            return ts_fail(
                error, TS_UNSUPPORTED,
                "output.measures: \"%s\" is measured in the plane only, but the scene is of bodies in space; "
                "leave it out",
                ts_measure_name(i));
    TS_TRY(ts_run_path(recorder->folder, TS_RUN_TRAJECTORY, path, sizeof path, error));
    TS_TRY(ts_trajectory_create(path, recorder->model, recorder->title, &recorder->trajectory, error));
    TS_TRY(ts_run_path(recorder->folder, TS_RUN_ENERGIES, path, sizeof path, error));
    return ts_energy_table_create(&recorder->energies, path, recorder->model, error);
}

static ts_status remove_pictures(const char *folder, int count, ts_error *error)
{
    for (int i = 0; i < count; i++)
        TS_TRY(remove_file(folder, drawn_file[i], error));
    return TS_OK;
}

static ts_status start_run(ts_recorder *recorder, const ts_recorder_options *options, ts_error *error)
{
    char path[PATH_BYTES];
    TS_TRY(ts_folder_make(recorder->folder, error));
    TS_TRY(lock_folder(recorder, error));
    bool replaced = ts_run_exists(recorder->folder);
    if (replaced && !(options && options->force))
        return ts_fail(
            error, TS_BAD_INPUT,
            "%s holds a run already; go on with it (--resume), replace it (--force), or choose another folder (--out)",
            recorder->folder);
    remove_drafts(recorder->folder);
    /* pictures of the old run first: once its own files are gone nobody knows whose they are */
    if (replaced)
        TS_TRY(remove_pictures(recorder->folder, DRAWN_FILE_COUNT, error));
    for (int i = 0; i < RUN_FILE_COUNT; i++)
        TS_TRY(remove_file(recorder->folder, run_file[i], error));
    if (options && options->scene_text) {
        size_t length = options->scene_length ? options->scene_length : strlen(options->scene_text);
        TS_TRY(ts_run_path(recorder->folder, TS_RUN_SCENE, path, sizeof path, error));
        TS_TRY(ts_file_write(path, options->scene_text, length, error));
    }
    return start_files(recorder, error);
}

ts_status ts_recorder_create(const char *folder, const ts_model *model, const ts_recorder_options *options,
                             ts_recorder **recorder, ts_error *error)
{
    TS_AUTO(ts_recorder_free_at) ts_recorder *made = make_recorder(folder, model, options, error);
    if (!made)
        return TS_OUT_OF_MEMORY;
    TS_TRY(start_run(made, options, error));
    *recorder = ts_give(&made);
    return TS_OK;
}

/* ---- Resuming ---- */

/* What is known of the two checkpoints before one is loaded. */
typedef struct slot_report {
    bool there; /* the file exists */
    ts_status status;
    uint64_t serial, step;
    ts_error error;
} slot_report;

static ts_status look_at_slots(const ts_recorder *recorder, slot_report slot[2], ts_error *error)
{
    char path[PATH_BYTES];
    for (int i = 0; i < 2; i++) {
        TS_TRY(ts_run_path(recorder->folder, checkpoint_name[i], path, sizeof path, error));
        slot[i] = (slot_report){.there = ts_file_exists(path), .status = TS_CORRUPT};
        if (slot[i].there)
            slot[i].status = ts_checkpoint_peek(path, &slot[i].serial, &slot[i].step, &slot[i].error);
    }
    return TS_OK;
}

static ts_status set_note(ts_recorder *recorder, const char *text, ts_error *error)
{
    char *copy = ts_copy_text(text);
    if (!copy)
        return ts_fail_memory(error, strlen(text) + 1);
    ts_free(recorder->note);
    recorder->note = copy;
    return TS_OK;
}

/* Opens trajectory and table where the checkpoint left them. */
static ts_status resume_files(ts_recorder *recorder, const ts_checkpoint *about, ts_error *error)
{
    char path[PATH_BYTES];
    TS_TRY(ts_run_path(recorder->folder, TS_RUN_ENERGIES, path, sizeof path, error));
    TS_TRY(ts_energy_table_resume(&recorder->energies, path, recorder->model, &about->energies, error));
    TS_TRY(ts_run_path(recorder->folder, TS_RUN_TRAJECTORY, path, sizeof path, error));
    ts_status status = ts_trajectory_resume(path, recorder->model, &about->trajectory, &recorder->trajectory, error);
    if (status != TS_OK)
        ts_energy_table_close(&recorder->energies); /* another checkpoint may be tried */
    return status;
}

/* Loads slot `from` into `loaded` and opens the files. */
static ts_status resume_from(ts_recorder *recorder, int from, ts_state *loaded, ts_error *error)
{
    char path[PATH_BYTES];
    ts_checkpoint about;
    TS_TRY(ts_run_path(recorder->folder, checkpoint_name[from], path, sizeof path, error));
    TS_TRY(ts_checkpoint_read(path, recorder->model, loaded, &about, error));
    ts_status status = resume_files(recorder, &about, error);
    if (status != TS_OK) {
        ts_snapshot_free(&about.before);
        return status;
    }
    recorder->last_row = about.before;
    recorder->totals = about.totals;
    recorder->totals.session_count++;
    recorder->serial = about.serial + 1;
    recorder->slot = 1 - from;
    return TS_OK;
}

/* A run without checkpoints starts again, unless that would erase what took long to compute: a run that was killed
 * before its first checkpoint has no frame but that of time 0. */
static ts_status start_again(ts_recorder *recorder, ts_error *error)
{
    char path[PATH_BYTES];
    TS_TRY(ts_run_path(recorder->folder, TS_RUN_TRAJECTORY, path, sizeof path, error));
    if (ts_file_exists(path)) {
        ts_trajectory *reader = NULL;
        ts_status status = ts_trajectory_open(path, &reader, error);
        uint64_t frames = status == TS_OK ? ts_trajectory_frame_count(reader) : 0;
        ts_trajectory_close(reader);
        if (status != TS_OK && status != TS_CORRUPT) /* killed while its header was being written */
            return status;
        if (frames > 1)
            return ts_fail(
                error, TS_CORRUPT,
                "the checkpoints of the run in %s are gone, so it can only begin anew, which would erase the "
                "%" PRIu64 " frames of its trajectory; put a checkpoint back, or replace the run by a new one "
                "of its scene with --force",
                recorder->folder, frames);
    }
    TS_TRY(start_files(recorder, error));
    return set_note(recorder, "the run was stopped before its first checkpoint; it starts again from time 0", error);
}

/* Resumes from the newest checkpoint that can be used, and notes what was passed over. A checkpoint of another scene is
 * an error: the older one would be of that scene too. */
static ts_status resume_from_either(ts_recorder *recorder, ts_state *loaded, ts_error *error)
{
    char note[2048];
    slot_report slot[2];
    TS_TRY(look_at_slots(recorder, slot, error));
    if (!slot[0].there && !slot[1].there)
        return start_again(recorder, error);
    int newer = slot[1].status == TS_OK && (slot[0].status != TS_OK || slot[1].serial > slot[0].serial) ? 1 : 0;
    for (int i = 0; i < 2; i++) {
        int from = i == 0 ? newer : 1 - newer, other = 1 - from;
        slot_report *tried = &slot[from];
        if (tried->status == TS_OK)
            tried->status = resume_from(recorder, from, loaded, &tried->error);
        if (tried->status == TS_OK && slot[other].there && slot[other].status != TS_OK) {
            snprintf(note, sizeof note, "%s was passed over (%s); resumed from %s at step %" PRIu64,
                     checkpoint_name[other], slot[other].error.message, checkpoint_name[from], tried->step);
            return set_note(recorder, note, error);
        }
        if (tried->status == TS_OK)
            return TS_OK;
        if (tried->status != TS_CORRUPT)
            break;
    }
    const slot_report *reason = &slot[slot[newer].there ? newer : 1 - newer];
    return ts_fail(error, reason->status, "%s", reason->error.message);
}

static ts_status resume_run(ts_recorder *recorder, ts_state *state, ts_error *error)
{
    struct stat about;
    if (stat(recorder->folder, &about) != 0)
        return ts_fail_errno(error, "open the run folder", recorder->folder, errno);
    if (!ts_run_exists(recorder->folder))
        return ts_fail(error, TS_BAD_INPUT, "%s holds no run; give the folder that an earlier run wrote to",
                       recorder->folder);
    TS_TRY(lock_folder(recorder, error));
    remove_drafts(recorder->folder);

    TS_AUTO(ts_state_free_at) ts_state *loaded = NULL; /* the user's changes only when all else has succeeded */
    TS_TRY(ts_state_create(recorder->model, &loaded, error));
    TS_TRY(resume_from_either(recorder, loaded, error));
    TS_TRY(remove_file(recorder->folder, TS_RUN_SUMMARY, error)); /* it speaks of the earlier session's end */
    return ts_state_copy(state, loaded, error);
}

ts_status ts_recorder_resume(const char *folder, const ts_model *model, ts_state *state,
                             const ts_recorder_options *options, ts_recorder **recorder, ts_error *error)
{
    TS_AUTO(ts_recorder_free_at) ts_recorder *made = make_recorder(folder, model, options, error);
    if (!made)
        return TS_OUT_OF_MEMORY;
    TS_TRY(resume_run(made, state, error));
    made->outdates = true;
    *recorder = ts_give(&made);
    return TS_OK;
}

const char *ts_recorder_note(const ts_recorder *recorder)
{
    return recorder->note;
}

/* ---- Recording ---- */

static counters counters_of(const ts_workspace *work)
{
    return (counters){work->timers, work->step_count, work->contact_sum, work->query_sum, work->light_sum};
}

static void begin_session(ts_recorder *recorder, const ts_state *state, ts_workspace *work)
{
    if (recorder->began)
        return;
    recorder->began = true;
    recorder->first_step = state->step;
    recorder->before = recorder->now = counters_of(work);
    work->max_overlap = work->max_overlap_ratio = 0; /* of steps that are not this run's */
    memset(work->tally, 0, sizeof work->tally);
}

static void add_overlap(ts_run_totals *totals, double overlap, double ratio)
{
    totals->largest_overlap = fmax(totals->largest_overlap, overlap);
    totals->largest_overlap_ratio = fmax(totals->largest_overlap_ratio, ratio);
}

/* Takes what the workspace has noticed in its steps since it was last asked. */
static void take_noticed(ts_recorder *recorder, ts_workspace *work)
{
    add_overlap(&recorder->totals, work->max_overlap, work->max_overlap_ratio);
    work->max_overlap = work->max_overlap_ratio = 0;
    for (int i = 0; i < TS_STEP_WARNINGS; i++)
        ts_tally_merge(&recorder->totals.tally[i], &work->tally[i]);
    memset(work->tally, 0, sizeof work->tally);
}

static void add_measures(ts_run_totals *totals, uint64_t step, const ts_measures *m)
{
    /* of small bodies the ratio may be larger than that of the deepest contact, which is all that steps look at */
    ts_tally *deep = &totals->tally[TS_WARN_DEEP];
    if (m->overlap_ratio > TS_DEEP_RATIO && deep->count == 0)
        ts_tally_add(deep, step, -1, m->overlap_ratio);
    deep->worst = fmax(deep->worst, m->overlap_ratio);
    if (totals->measure_count++ == 0)
        totals->first = *m;
    add_overlap(totals, m->max_overlap, m->overlap_ratio);
    totals->largest_kinetic = fmax(totals->largest_kinetic, m->kinetic);
    totals->last = *m;
}

/* Appends a row of `measures`, which are those of the state. */
static ts_status append_row(ts_recorder *recorder, const ts_state *state, ts_workspace *work,
                            const ts_measures *measures, ts_error *error)
{
    double more[TS_MEASURE_COLUMNS_MAX];
    const uint32_t groups = recorder->energies.groups;
    const ts_measure_options how = ts_measure_options_of(&recorder->model->settings);
    const ts_snapshot *before = recorder->last_row.body_count > 0 ? &recorder->last_row : NULL;
    if (groups) {
        TS_TRY(ts_snapshot_take(recorder->model, state, work, &recorder->snapshot, error));
        TS_TRY(ts_measure_row(&recorder->snapshot, before, &how, groups, more, error));
    }
    TS_TRY(ts_energy_table_append(&recorder->energies, state->step, measures, more, error));
    if (groups & TS_MEASURE_FLOW) {
        ts_snapshot swap = recorder->last_row;
        recorder->last_row = recorder->snapshot;
        recorder->snapshot = swap;
    }
    return TS_OK;
}

static ts_status write_row(ts_recorder *recorder, const ts_state *state, ts_workspace *work, ts_error *error)
{
    ts_measures measures;
    TS_TRY(ts_measure(recorder->model, state, work, &measures, error));
    TS_TRY(append_row(recorder, state, work, &measures, error));
    add_measures(&recorder->totals, state->step, &measures);
    ts_status status = ts_energy_guard_check(&recorder->guard, &measures, error); /* the row shows what went wrong */
    if (status == TS_DIVERGED || recorder->guard.excess > TS_ENERGY_EXCESS)
        ts_tally_add(&recorder->totals.tally[TS_WARN_ENERGY], state->step, -1, recorder->guard.excess);
    return status;
}

static ts_status write_frame(ts_recorder *recorder, const ts_state *state, ts_workspace *work, ts_error *error)
{
    ts_error ignored; /* a run does not end for an old picture */
    if (recorder->outdates)
        remove_pictures(recorder->folder, DRAWN_TO_THE_END, &ignored);
    recorder->outdates = false;
    const ts_contact *contact = NULL;
    size_t contact_count = 0;
    if (recorder->model->settings.record_contacts)
        TS_TRY(ts_find_contacts(recorder->model, state, work, &contact, &contact_count, error));
    return ts_trajectory_append(recorder->trajectory, state, contact, contact_count, error);
}

ts_status ts_recorder_write(ts_recorder *recorder, const ts_state *state, ts_workspace *work, ts_error *error)
{
    begin_session(recorder, state, work);
    take_noticed(recorder, work); /* at every call: the caller may go on with a checkpoint */
    double since = ts_timer_begin(&work->timers);
    ts_mark frames = ts_trajectory_here(recorder->trajectory);
    ts_status status = TS_OK;
    if (is_due(recorder->row_schedule, &recorder->energies.mark, state->step))
        status = write_row(recorder, state, work, error);
    if (status == TS_OK && is_due(recorder->frame_schedule, &frames, state->step))
        status = write_frame(recorder, state, work, error);
    ts_timer_end(&work->timers, TS_PHASE_RECORD, since);
    recorder->now = counters_of(work);
    return status;
}

/* Sums of all sessions up to now. */
static ts_run_totals totals_now(const ts_recorder *recorder)
{
    const counters *before = &recorder->before, *now = &recorder->now;
    ts_run_totals totals = recorder->totals;
    totals.wall_time += ts_clock_seconds() - recorder->opened;
    for (int i = 0; i < TS_PHASE_COUNT; i++)
        totals.phase_seconds[i] += now->timers.seconds[i] - before->timers.seconds[i];
    if (now->timers.on)
        totals.phase_seconds[TS_PHASE_RECORD] += recorder->own_seconds;
    totals.step_count += now->step_count - before->step_count;
    totals.contact_sum += now->contact_sum - before->contact_sum;
    totals.query_sum += now->query_sum - before->query_sum;
    return totals;
}

ts_status ts_recorder_checkpoint(ts_recorder *recorder, const ts_state *state, ts_error *error)
{
    char path[PATH_BYTES];
    double since = ts_clock_seconds();
    /* the files first: a checkpoint never speaks of frames that the disk does not have */
    TS_TRY(ts_trajectory_sync(recorder->trajectory, error));
    TS_TRY(ts_energy_table_sync(&recorder->energies, error));
    ts_checkpoint about = {.serial = recorder->serial,
                           .trajectory = ts_trajectory_here(recorder->trajectory),
                           .energies = recorder->energies.mark,
                           .totals = totals_now(recorder),
                           .before = recorder->last_row};
    TS_TRY(ts_run_path(recorder->folder, checkpoint_name[recorder->slot], path, sizeof path, error));
    TS_TRY(ts_checkpoint_write(path, recorder->model, state, &about, error));
    recorder->serial++;
    recorder->slot = 1 - recorder->slot;
    recorder->own_seconds += ts_clock_seconds() - since;
    return TS_OK;
}

/* ---- The end ---- */

/* Mass of what moves; *closed: nothing is fixed, and there is no wall. */
static double moving_mass(const ts_model *model, bool *closed)
{
    double mass = 0;
    *closed = model->wall_count == 0;
    for (size_t i = 0; i < model->body_count; i++) {
        if (ts_model_moves(model, i))
            mass += model->mass[i];
        else
            *closed = false;
    }
    for (size_t i = 0; i < model->spring_count; i++)
        *closed = *closed && model->spring[i].a >= 0; /* the others pull at the world */
    return mass;
}

static void summarize_momentum(const ts_model *model, const ts_run_totals *totals, ts_summary *s)
{
    const double gravity[3] = {model->gravity.x, model->gravity.y, model->gravity.z};
    double mass = moving_mass(model, &s->closed), time = s->last.time - s->first.time;
    for (int k = 0; k < 3; k++)
        s->momentum_drift[k] = s->last.momentum[k] - s->first.momentum[k] - mass * gravity[k] * time;
    s->momentum_scale = sqrt(2 * mass * totals->largest_kinetic); /* Cauchy–Schwarz: Σ m |v| ≤ √(M Σ m v²) */
}

static void summarize(const ts_recorder *recorder, const ts_state *state, const ts_workspace *work,
                      const ts_run_totals *totals, ts_summary *s)
{
    const ts_model *model = recorder->model;
    snprintf(s->version, sizeof s->version, "%s", ts_version());
    snprintf(s->title, sizeof s->title, "%s", recorder->title);
    ts_cpu_name(s->cpu, sizeof s->cpu);
    snprintf(s->instructions, sizeof s->instructions, "%s", ts_cpu_level_name(ts_cpu_level()));
    s->thread_count = ts_workspace_threads(work);
    s->session_count = (int)totals->session_count;
    s->kind = ts_record_kind_of(model->dimension);
    s->body_count = model->body_count;
    s->wall_count = model->wall_count;
    s->asleep_count = ts_state_asleep_count(state);
    s->time_step = model->settings.time_step;
    s->stable_step = model->stable_step;
    s->steps = state->step;
    s->simulated_time = ts_time_of_step(model, state->step);
    s->wall_time = totals->wall_time;
    s->session_steps = state->step - recorder->first_step;
    s->session_wall = ts_clock_seconds() - recorder->opened;
    s->rate = s->session_wall > 0 ? (double)s->body_count * (double)s->session_steps / s->session_wall : 0;
    memcpy(s->phase_seconds, totals->phase_seconds, sizeof s->phase_seconds);
    s->contacts_per_step = (double)totals->contact_sum / (double)totals->step_count;
    s->queries_per_step = (double)totals->query_sum / (double)totals->step_count;
    if (s->session_steps > 0)
        s->left_out_per_step =
            (double)(recorder->now.light_sum - recorder->before.light_sum) / (double)s->session_steps;
    s->has_measures = totals->measure_count > 0;
    s->first = totals->first;
    s->last = totals->last;
    s->largest_overlap = totals->largest_overlap;
    s->largest_overlap_ratio = totals->largest_overlap_ratio;
    summarize_momentum(model, totals, s);
    s->frame_count = ts_trajectory_here(recorder->trajectory).count;
    s->trajectory_bytes = ts_trajectory_here(recorder->trajectory).bytes;
    s->row_count = recorder->energies.mark.count;
    s->memory_bytes = ts_memory_bytes(model, state, work);
    s->state_hash = ts_state_hash(state);
    s->model_hash = model->hash;
}

/* The step at which the run stopped, unless it is recorded already, wherever it lies between two frames: pictures and
 * tables then show the end. The checkpoint before it knows nothing of it, so a run that goes on cuts it off and leaves
 * what a run leaves that never stopped. */
static ts_status write_end(ts_recorder *recorder, const ts_state *state, ts_workspace *work, const ts_measures *last,
                           ts_error *error)
{
    ts_mark frames = ts_trajectory_here(recorder->trajectory);
    if (is_new(&recorder->energies.mark, state->step))
        TS_TRY(append_row(recorder, state, work, last, error));
    return is_new(&frames, state->step) ? write_frame(recorder, state, work, error) : TS_OK;
}

ts_status ts_recorder_finish(ts_recorder *recorder, const ts_state *state, ts_workspace *work, const ts_run_end *end,
                             ts_summary *summary, ts_error *error)
{
    char path[PATH_BYTES];
    ts_summary made = {0};
    begin_session(recorder, state, work);
    take_noticed(recorder, work);
    recorder->now = counters_of(work);
    ts_run_totals totals = totals_now(recorder);
    if (strcmp(end->outcome, "diverged") != 0 && strcmp(end->outcome, "failed") != 0) {
        ts_measures last;
        TS_TRY(ts_measure(recorder->model, state, work, &last, error));
        add_measures(&totals, state->step, &last);
        TS_TRY(write_end(recorder, state, work, &last, error));
    }
    TS_TRY(ts_trajectory_sync(recorder->trajectory, error));
    TS_TRY(ts_energy_table_sync(&recorder->energies, error));
    summarize(recorder, state, work, &totals, &made);
    made.warning_count = ts_warnings_of(work, totals.tally, state->step, end->message, made.warning);
    ts_summary_add_warnings(&made, end->told, end->told_count);
    ts_summary_conclude(&made, end->outcome, end->message);
    TS_TRY(ts_run_path(recorder->folder, TS_RUN_SUMMARY, path, sizeof path, error));
    TS_TRY(ts_summary_write(&made, path, error));
    if (summary)
        *summary = made;
    return TS_OK;
}

void ts_recorder_free(ts_recorder *recorder)
{
    if (!recorder)
        return;
    ts_trajectory_writer_free(recorder->trajectory);
    ts_energy_table_close(&recorder->energies);
    ts_snapshot_free(&recorder->snapshot);
    ts_snapshot_free(&recorder->last_row);
    if (recorder->lock >= 0)
        close(recorder->lock); /* which unlocks */
    ts_free(recorder->folder);
    ts_free(recorder->title);
    ts_free(recorder->note);
    ts_free(recorder);
}
