/* SPDX-License-Identifier: MIT */
/* touchstone run: a scene becomes a run folder, or an old run goes on. */
#include <math.h>
#include <string.h>

#include "base/cpu.h"
#include "base/file.h"
#include "base/text.h"
#include "cli/cli.h"
#include "cli/format.h"
#include "cli/load.h"
#include "cli/map.h"
#include "cli/places.h"
#include "cli/prepare.h"
#include "cli/runs.h"
#include "cli/session.h"
#include "cli/summary_table.h"
#include "dynamics/dynamics.h"
#include "model.h"
#include "record/runfolder.h"
#include "scene/json.h"
#include "study/output.h"
#include "touchstone/version.h"
#include "workspace.h"

enum { summary_most = 1 << 20 }; /* bytes of a summary.json: a larger one is not ours */

/* Wall time between checkpoints unless told otherwise [s], but so many times what the last one took: writing them then
 * costs a run no more than five percent, however large it is. */
static const double checkpoint_seconds = 10, checkpoint_rest = 20;

typedef struct options {
    ts_scene_options scene;
    const char *out, *resume, *json;
    bool force, no_record, quiet, strict;
    uint64_t threads;
    double wall_limit, checkpoint_interval; /* the interval is negative unless it was given */
} options;

static const options defaults = {.wall_limit = (double)INFINITY, .checkpoint_interval = -1};

static const ts_option option[] = {
    TS_TEXT("out", 'o', "DIR", out, "record in this folder (default: out/<name of the scene>)"),
    TS_FLAG("force", 'f', force, "replace an earlier run in that folder"),
    TS_TEXTS("set", 's', "PATH=VALUE", scene.set, "change a value of the scene; may be repeated"),
    TS_TEXT("duration", 'd', "T", scene.duration, "simulated time, such as 2 or '50 ms'; prolongs a resumed run"),
    TS_TEXT("seed", 0, "N", scene.seed, "of every random choice (default: the scene's)"),
    TS_THREADS_OPTION(threads),
    TS_TEXT("resume", 'r', "RUN", resume, "go on with the run in this folder, bit for bit as if it had never stopped"),
    TS_WALL("wall-limit", 0, "TIME", wall_limit, "stop after so much wall time (90s, 10m, 2h), ready to be resumed"),
    TS_WALL("checkpoint-interval", 0, "TIME", checkpoint_interval, "wall time between checkpoints (default: 10s)"),
    TS_FLAG("strict", 0, strict, "exit with 1 when warnings put the result in doubt"),
    TS_FLAG("no-record", 0, no_record, "simulate only: no run folder, no files"),
    TS_TEXTS("search-path", 'I', "DIR", scene.search_path, "files that the scene names may lie here too; repeatable"),
    TS_JSON_OPTION(json, "write the summary as JSON"),
    TS_QUIET_OPTION(quiet, "no progress and no summary"),
};

/* Everything that one run holds. Zeroed, then filled step by step; release() takes it at any stage. */
typedef struct job {
    const options *given;
    const char *scene;             /* the scene's file; NULL for a resumed run */
    char folder[ts_cli_path_size]; /* of the run; "" when nothing is recorded */
    ts_loaded loaded;
    ts_state *state;
    ts_workspace *work;
    ts_recorder *recorder;
    ts_measures first;                 /* of an unrecorded run, which has no table to look it up */
    ts_warning told[TS_WARNING_KINDS]; /* before the first step (told_count) */
    size_t told_count;
} job;

static void release(job *j)
{
    ts_recorder_free(j->recorder);
    ts_workspace_free(j->work);
    ts_state_free(j->state);
    ts_cli_unload(&j->loaded);
}

/* ---- Before the loop ---- */

static ts_status check_options(const options *given, const ts_operands *operands, ts_error *error)
{
    if (given->resume) {
        const char *useless = given->scene.set.count ? "--set"
                              : given->scene.seed    ? "--seed"
                              : given->out           ? "--out"
                              : given->force         ? "--force"
                              : given->no_record     ? "--no-record"
                                                     : NULL;
        if (operands->count)
            return ts_fail(error, TS_BAD_INPUT, "--resume takes the scene from the run; leave out '%s'",
                           operands->item[0]);
        if (useless)
            return ts_fail(error, TS_BAD_INPUT, "a resumed run goes on as it began; leave out %s, or start a new run",
                           useless);
        return TS_OK;
    }
    if (operands->count == 0)
        return ts_fail(error, TS_BAD_INPUT, "which scene? Give its file, as in `touchstone run scene.json`");
    if (given->no_record && (given->out || given->force))
        return ts_fail(error, TS_BAD_INPUT, "--no-record writes no folder; leave out %s",
                       given->out ? "--out" : "--force");
    return TS_OK;
}

/* The default folder: out/<the scene's file name without .json>. */
static ts_status choose_folder(job *j, ts_error *error)
{
    const char *name = ts_path_name(j->scene);
    size_t length = strlen(name);
    if (length > 5 && strcmp(name + length - 5, ".json") == 0)
        length -= 5;
    int needed = j->given->out ? snprintf(j->folder, sizeof j->folder, "%s", j->given->out)
                               : snprintf(j->folder, sizeof j->folder, "out/%.*s", (int)length, name);
    if (needed >= ts_cli_path_size || (!j->given->out && length == 0))
        return ts_fail(error, TS_BAD_INPUT, "the scene gives no good name for a folder; choose one with --out");
    return TS_OK;
}

static ts_status make_simulation(job *j, ts_error *error)
{
    TS_TRY(ts_cli_prepare(j->loaded.model, (int)j->given->threads, j->given->quiet, error));
    TS_TRY(ts_state_create(j->loaded.model, &j->state, error));
    TS_TRY(ts_workspace_create(j->loaded.model, (int)j->given->threads, &j->work, error));
    ts_workspace_time_phases(j->work, true);
    return TS_OK;
}

/* A new run. The folder is made last, so that a scene that cannot run leaves none. */
static ts_status start(job *j, ts_error *error)
{
    const options *given = j->given;
    TS_TRY(ts_cli_load_with(j->scene, &given->scene, &j->loaded, error));
    if (!given->no_record) {
        TS_TRY(choose_folder(j, error));
        TS_TRY(ts_cli_check_folder("out", j->folder, error));
    }
    TS_TRY(ts_cli_check_file("json", given->json, j->folder, error));
    TS_TRY(make_simulation(j, error));
    if (given->no_record)
        return ts_measure(j->loaded.model, j->state, j->work, &j->first, error);
    TS_TRY(ts_output_folder(j->folder, error));
    ts_recorder_options about = {
        .title = j->loaded.title,
        .scene_text = j->loaded.text,
        .scene_length = j->loaded.length,
        .force = given->force,
    };
    return ts_recorder_create(j->folder, j->loaded.model, &about, &j->recorder, error);
}

/* Loads the run's scene. A new duration must not change the steps nor move the frames: what follows from the old one is
 * pinned. */
static ts_status load_resumed(job *j, const char *path, ts_error *error)
{
    ts_scene_options plain = {.search_path = j->given->scene.search_path};
    TS_TRY(ts_cli_load_with(path, &plain, &j->loaded, error));
    if (!j->given->scene.duration)
        return TS_OK;

    char step[64], frames[64], energies[64], number[TS_DOUBLE_TEXT_SIZE];
    const char *set[3];
    size_t count = 0;
    const ts_settings *derived = &j->loaded.model->settings;
    if (j->loaded.settings.time_step == 0) {
        ts_format_double(derived->time_step, number);
        snprintf(step, sizeof step, "time_step=%s", number);
        set[count++] = step;
    }
    if (j->loaded.settings.frame_interval == 0) {
        ts_format_double(derived->frame_interval, number);
        snprintf(frames, sizeof frames, "output.frame_interval=%s", number);
        set[count++] = frames;
    }
    if (j->loaded.settings.energy_interval == 0) {
        ts_format_double(derived->energy_interval, number);
        snprintf(energies, sizeof energies, "output.energy_interval=%s", number);
        set[count++] = energies;
    }
    ts_scene_options longer = {
        .search_path = plain.search_path, .set = {set, count}, .duration = j->given->scene.duration};
    ts_cli_unload(&j->loaded);
    return ts_cli_load_with(path, &longer, &j->loaded, error);
}

/* What the summary of an earlier session says. All zero: there is none. */
typedef struct earlier {
    bool ended, doubtful;
    double steps;
} earlier;

static earlier read_outcome(const char *folder)
{
    char path[ts_cli_path_size], *text = NULL;
    size_t length;
    ts_arena arena = {0};
    ts_json_value *root;
    earlier said = {0};
    if (ts_run_path(folder, TS_RUN_SUMMARY, path, sizeof path, NULL) == TS_OK && ts_file_exists(path) &&
        ts_file_read(path, summary_most, &text, &length, NULL) == TS_OK &&
        ts_json_parse(&arena, text, length, path, &root, NULL) == TS_OK) {
        const ts_json_value *outcome = ts_json_get(root, "outcome"), *count = ts_json_get(root, "steps");
        said.ended = outcome && outcome->kind == TS_JSON_TEXT && ts_outcome_is_end(outcome->text);
        said.doubtful = said.ended && strcmp(outcome->text, "doubtful") == 0;
        if (count && count->kind == TS_JSON_NUMBER)
            said.steps = count->number;
    }
    ts_arena_free(&arena);
    ts_free(text);
    return said;
}

static ts_status fail_shorter(const job *j, double steps, ts_error *error)
{
    return ts_fail(error, TS_BAD_INPUT, "the run has come to t = %.6g s already; --duration %s is shorter",
                   steps * ts_model_time_step(j->loaded.model), j->given->scene.duration);
}

/* An old run goes on, unless there is nothing left of it to do. */
static ts_status resume(job *j, bool *ended, ts_error *error)
{
    char path[ts_cli_path_size];
    if (snprintf(j->folder, sizeof j->folder, "%s", j->given->resume) >= ts_cli_path_size)
        return ts_fail(error, TS_BAD_INPUT, "the path of the run is longer than %d bytes", ts_cli_path_size - 1);
    TS_TRY(ts_run_path(j->folder, TS_RUN_SCENE, path, sizeof path, error));
    if (!ts_file_exists(path))
        return ts_fail(error, TS_BAD_INPUT, "'%s' is no run that can go on: it holds no %s", j->folder, TS_RUN_SCENE);
    TS_TRY(ts_cli_check_file("json", j->given->json, NULL, error));
    TS_TRY(load_resumed(j, path, error));
    double last = (double)ts_run_last_step(j->loaded.model);
    const earlier said = read_outcome(j->folder);
    *ended = said.ended && said.steps == last;
    if (*ended)
        return TS_OK;
    if (j->given->scene.duration && said.steps > last)
        return fail_shorter(j, said.steps, error);
    TS_TRY(make_simulation(j, error));
    ts_recorder_options about = {.title = j->loaded.title};
    TS_TRY(ts_recorder_resume(j->folder, j->loaded.model, j->state, &about, &j->recorder, error));
    const char *note = ts_recorder_note(j->recorder);
    if (note[0]) {
        ts_cli_note("%s", note);
        j->told[j->told_count++] = ts_warning_of_start(TS_WARN_CHECKPOINT, 1, note);
    }
    if (!j->given->scene.duration)
        return TS_OK;
    if ((double)ts_state_steps(j->state) > last)
        return fail_shorter(j, (double)ts_state_steps(j->state), error);
    /* the folder's scene is what the next --resume goes by */
    return ts_file_write(path, j->loaded.text, j->loaded.length, error);
}

/* A warning of the scene, told before the first step. */
static void tell_first(job *j, ts_warning_kind kind, uint64_t count, const char *text)
{
    if (!j->given->quiet)
        ts_print_wrapped(stderr, text, 0, 0);
    j->told[j->told_count++] = ts_warning_of_start(kind, count, text);
}

static void warn_first(job *j)
{
    const ts_model *model = j->loaded.model;
    char text[512];
    if (model->note_count > 0) {
        snprintf(text, sizeof text, "mended %s%s", model->note[0].text,
                 model->note_count > 1 ? ", and other meshes; `touchstone check` lists them" : "");
        tell_first(j, TS_WARN_MENDED, model->note_count, text);
    }
    if (model->has_outlines && ts_cli_unused_map_key(&model->map, text, sizeof text))
        tell_first(j, TS_WARN_UNUSED_KEY, 1, text);
    if (ts_warning_of_step(model, text, sizeof text))
        tell_first(j, TS_WARN_SHORT_STEP, 1, text);
}

static void announce(const job *j)
{
    const ts_model *model = j->loaded.model;
    uint64_t step = ts_state_steps(j->state), bodies = ts_model_body_count(model);
    int threads = ts_workspace_threads(j->work);
    char text[sizeof j->loaded.title + sizeof j->folder + 256];
    snprintf(text, sizeof text, "%s%s%s bod%s, %s of %s, %s%s%s", j->loaded.title, j->loaded.title[0] ? ": " : "",
             ts_show_count(bodies).text, bodies == 1 ? "y" : "ies",
             ts_show_counted(ts_run_last_step(model), "step").text, ts_show_si(ts_model_time_step(model), "s").text,
             ts_show_counted((uint64_t)threads, "thread").text, j->recorder ? " → " : "", j->folder);
    ts_print_wrapped(stderr, text, 0, 0);
    ts_worst_map worst = ts_worst_map_of(model);
    if (worst.info.errors.samples > 0)
        ts_print_wrapped(stderr, ts_worst_map_text(&worst, text, sizeof text), 0, 0);
    if (step > 0)
        fprintf(stderr, "resumed at step %s, t = %s\n", ts_show_count(step).text,
                ts_show_si(ts_state_time(j->state), "s").text);
}

/* ---- After the loop ---- */

/* What is known without a recorder: the two ends of the run. */
static ts_status summarize_unrecorded(const job *j, const ts_session *session, ts_summary *s, ts_error *error)
{
    const ts_model *model = j->loaded.model;
    const ts_workspace *work = j->work;
    double steps = (double)work->step_count;
    *s = (ts_summary){
        .kind = ts_record_kind_of(model->dimension),
        .thread_count = ts_workspace_threads(work),
        .session_count = 1,
        .body_count = ts_model_body_count(model),
        .wall_count = ts_model_wall_count(model),
        .asleep_count = ts_state_asleep_count(j->state),
        .time_step = ts_model_time_step(model),
        .stable_step = ts_model_stable_step(model),
        .steps = ts_state_steps(j->state),
        .simulated_time = ts_state_time(j->state),
        .wall_time = session->wall,
        .session_steps = work->step_count,
        .session_wall = session->wall,
        .rate = session->wall > 0 ? steps * (double)ts_model_body_count(model) / session->wall : 0,
        .contacts_per_step = (double)work->contact_sum / steps,
        .queries_per_step = (double)work->query_sum / steps,
        .left_out_per_step = (double)work->light_sum / steps,
        .momentum_drift = {(double)NAN, (double)NAN, (double)NAN},
        .momentum_scale = (double)NAN,
        .memory_bytes = ts_memory_bytes(model, j->state, work),
        .state_hash = ts_state_hash(j->state),
        .model_hash = ts_model_hash(model),
    };
    memcpy(s->phase_seconds, ts_workspace_timers(work)->seconds, sizeof s->phase_seconds);
    snprintf(s->version, sizeof s->version, "%s", ts_version());
    snprintf(s->title, sizeof s->title, "%s", j->loaded.title);
    ts_cpu_name(s->cpu, sizeof s->cpu);
    snprintf(s->instructions, sizeof s->instructions, "%s", ts_cpu_level_name(ts_cpu_level()));
    if (strcmp(session->outcome, "diverged") == 0)
        return TS_OK;
    s->has_measures = true;
    s->first = j->first;
    TS_TRY(ts_measure(model, j->state, j->work, &s->last, error));
    s->largest_overlap = fmax(work->max_overlap, fmax(s->first.max_overlap, s->last.max_overlap));
    s->largest_overlap_ratio = fmax(work->max_overlap_ratio, fmax(s->first.overlap_ratio, s->last.overlap_ratio));
    return TS_OK;
}

static ts_status summarize(const job *j, const ts_session *session, const char *message, ts_summary *s, ts_error *error)
{
    ts_run_end end = {session->outcome, message, j->told, j->told_count};
    if (j->recorder)
        return ts_recorder_finish(j->recorder, j->state, j->work, &end, s, error);
    TS_TRY(summarize_unrecorded(j, session, s, error));
    s->warning_count = ts_warnings_of(j->work, j->work->tally, s->steps, message, s->warning);
    ts_summary_add_warnings(s, j->told, j->told_count);
    ts_summary_conclude(s, session->outcome, message);
    return TS_OK;
}

static void write_summary(ts_json *json, const void *summary)
{
    ts_summary_json(summary, json, NULL);
}

/* How to go on with a run that is not finished. */
static void print_resume_hint(const job *j, const ts_session *session)
{
    if (!j->recorder) {
        fprintf(stderr, "Nothing was recorded (--no-record), so this run cannot be resumed.\n");
        return;
    }
    if (session->has_checkpoint)
        fprintf(stderr, "The last checkpoint is of step %s, t = %s.\n", ts_show_count(session->checkpoint_step).text,
                ts_show_si((double)session->checkpoint_step * ts_model_time_step(j->loaded.model), "s").text);
    else
        fprintf(stderr, "There is no checkpoint yet: a resumed run begins anew.\n");
    fprintf(stderr, "Resume with: touchstone run --resume %s\n", j->folder);
}

/* A run that is finished already: its summary stands. */
static ts_exit report_ended(const job *j)
{
    ts_error error;
    char path[ts_cli_path_size], *text = NULL;
    size_t length;
    ts_cli_note("the run in %s is finished already, at t = %s; --duration T prolongs it", j->folder,
                ts_show_si(ts_model_duration(j->loaded.model), "s").text);
    const ts_exit code = j->given->strict && read_outcome(j->folder).doubtful ? TS_EXIT_FAILED : TS_EXIT_OK;
    if (!j->given->json)
        return code;
    ts_status status = ts_run_path(j->folder, TS_RUN_SUMMARY, path, sizeof path, &error);
    if (status == TS_OK)
        status = ts_file_read(path, summary_most, &text, &length, &error);
    if (status == TS_OK && ts_output_stream(j->given->json) == stderr)
        fwrite(text, 1, length, stdout);
    else if (status == TS_OK)
        status = ts_file_write(j->given->json, text, length, &error);
    ts_free(text);
    return status == TS_OK ? code : ts_cli_fail(&error);
}

/* A run that broke off: what, where it can go on, and a summary all the same. */
static ts_exit report_failure(const job *j, const ts_session *session, const ts_error *error)
{
    ts_exit code = ts_cli_fail(error);
    ts_error second;
    ts_summary summary;
    if (error->status == TS_DIVERGED && j->recorder && session->has_checkpoint)
        fprintf(stderr, "The last good checkpoint, of step %s at t = %s, is in %s.\n",
                ts_show_count(session->checkpoint_step).text,
                ts_show_si((double)session->checkpoint_step * ts_model_time_step(j->loaded.model), "s").text,
                j->folder);
    else if (error->status == TS_DIVERGED && j->recorder)
        fprintf(stderr, "It was before the first checkpoint; what was recorded is in %s.\n", j->folder);
    else
        print_resume_hint(j, session);
    if (summarize(j, session, error->message, &summary, &second) != TS_OK)
        ts_cli_note("no summary was written: %s", second.message);
    else if (ts_output_json(j->given->json, write_summary, &summary, &second) != TS_OK)
        ts_cli_fail(&second);
    return code == TS_EXIT_OK ? TS_EXIT_FAILED : code;
}

/* One paragraph each, but those told before. A quiet run, too, says what puts its result in doubt. */
static void warn(const job *j, const ts_summary *summary)
{
    const bool quiet = j->given->quiet;
    for (size_t i = 0; i + j->told_count < summary->warning_count; i++) {
        const ts_warning *w = &summary->warning[i];
        if (quiet && !w->doubtful)
            continue;
        fputc('\n', stderr);
        ts_print_wrapped(stderr, w->text, 0, 0);
    }
    if (strcmp(summary->outcome, "doubtful") == 0 && !quiet)
        fputs("\nThe run came to its end, but its result is in doubt.\n", stderr);
}

/* A run that ended as it should, or was asked to stop. */
static ts_exit report_end(const job *j, const ts_session *session)
{
    ts_error error;
    ts_summary summary;
    if (summarize(j, session, NULL, &summary, &error) != TS_OK)
        return ts_cli_fail(&error);
    /* people get their summary even if the programs' one cannot be written */
    ts_status written = ts_output_json(j->given->json, write_summary, &summary, &error);

    bool finished = strcmp(session->outcome, "finished") == 0,
         interrupted = strcmp(session->outcome, "interrupted") == 0;
    FILE *stream = ts_output_stream(j->given->json);
    if (!j->given->quiet) {
        if (ts_is_terminal(stderr))
            fputs("\n", stderr);
        ts_summary_print(&summary, j->recorder ? j->folder : NULL, stream);
        fflush(stream);
    }
    warn(j, &summary);
    if (finished && j->recorder && !j->given->quiet)
        fprintf(stderr, "\nDraw it with: touchstone render %s\n", j->folder);
    if (interrupted || (!finished && !j->given->quiet)) {
        fprintf(stderr, "\n%s at t = %s of %s.\n", interrupted ? "Interrupted" : "The wall limit was reached",
                ts_show_si(summary.simulated_time, "s").text, ts_show_si(ts_model_duration(j->loaded.model), "s").text);
        print_resume_hint(j, session);
    }
    if (written != TS_OK)
        return ts_cli_fail(&error);
    const bool strict = j->given->strict && ts_warnings_doubt(summary.warning, summary.warning_count);
    return interrupted || strict ? TS_EXIT_FAILED : TS_EXIT_OK;
}

/* ---- The command ---- */

static ts_exit execute(job *j)
{
    ts_error error;
    bool automatic = j->given->checkpoint_interval < 0;
    ts_session session = {
        .model = j->loaded.model,
        .state = j->state,
        .work = j->work,
        .recorder = j->recorder,
        .wall_limit = j->given->wall_limit,
        .checkpoint_interval = automatic ? checkpoint_seconds : j->given->checkpoint_interval,
        .checkpoint_rest = automatic ? checkpoint_rest : 0,
        .quiet = j->given->quiet,
        .has_checkpoint = !j->scene && ts_state_steps(j->state) > 0,
        .checkpoint_step = ts_state_steps(j->state),
    };
    if (!j->given->quiet)
        announce(j);
    warn_first(j);
    if (ts_session_run(&session, &error) != TS_OK)
        return report_failure(j, &session, &error);
    return report_end(j, &session);
}

static ts_exit run(const void *values, const ts_operands *operands)
{
    const options *given = values;
    ts_error error;
    if (check_options(given, operands, &error) != TS_OK)
        return ts_cli_misuse(&ts_command_run, &error);

    job j = {.given = given, .scene = given->resume ? NULL : operands->item[0]};
    bool ended = false;
    ts_exit code;
    ts_status status = given->resume ? resume(&j, &ended, &error) : start(&j, &error);
    if (status != TS_OK)
        code = ts_cli_fail(&error);
    else if (ended)
        code = report_ended(&j);
    else
        code = execute(&j);
    release(&j);
    return code;
}

const ts_command ts_command_run = {
    .name = "run",
    .usage = "SCENE [OPTIONS]\n--resume RUN [OPTIONS]",
    .summary = "simulate a scene and record it, or resume a run",
    .text =
        "Simulates a scene and records it in a run folder: trajectory, energies, checkpoints and a summary. Ctrl-C "
        "finishes the step, writes a checkpoint and says how to resume.\n\n"
        "Warnings are told at the end and stand in the summary; where they put the result in doubt, its outcome is "
        "\"doubtful\" instead of \"finished\".\n\n"
        "The exit code is 0 when the run finished or reached its wall limit, 1 when it failed or was interrupted, or "
        "with --strict when its result is in doubt, and 2 when the scene or the command line is wrong.",
    .example = "touchstone run scenes/column-collapse.json --set dynamics.friction=0.3\n"
               "touchstone run --resume out/column-collapse --duration 10",
    TS_OPTIONS(option, defaults),
    .operand_most = 1,
    .run = run,
};
