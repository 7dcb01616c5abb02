/* SPDX-License-Identifier: MIT */
/* touchstone problem: a step's contact problem as an FCLIB file, and the solution of one. */
#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "base/file.h"
#include "cli/cli.h"
#include "cli/format.h"
#include "cli/load.h"
#include "cli/places.h"
#include "cli/prepare.h"
#include "cli/progress.h"
#include "cli/runs.h"
#include "cli/signals.h"
#include "record/checkpoint.h"
#include "record/fclib.h"
#include "record/runfolder.h"
#include "study/output.h"

typedef struct options {
    ts_scene_options scene;
    double at;
    const char *out, *json;
    uint64_t rounds, threads;
    bool solve, write, quiet;
} options;

/* Rounds of a step cost time at every step; here there is one problem, and its solution is what is wanted. */
static const options defaults = {.at = (double)NAN, .rounds = 10000};

static const ts_option option[] = {
    TS_NUMBER("at", 0, "T", at,
              "time of the step's beginning, in seconds (default: a scene's first step, a run's last checkpoint)"),
    TS_TEXT("out", 'o', "FILE", out, "write the problem here, such as problem.hdf5"),
    TS_FLAG("solve", 0, solve, "read a problem from FILE and solve it"),
    TS_FLAG("write", 'w', write, "--solve: put the solution into FILE, in place of one that is there"),
    TS_COUNT("rounds", 0, "N", 1, 1000000, rounds, "--solve: most rounds of friction (default: 10000)"),
    TS_TEXTS("set", 's', "PATH=VALUE", scene.set, "change a value of the scene; may be repeated"),
    TS_TEXT("seed", 0, "N", scene.seed, "of every random choice (default: the scene's)"),
    TS_TEXTS("search-path", 'I', "DIR", scene.search_path, "files that the scene names may lie here too; repeatable"),
    TS_THREADS_OPTION(threads),
    TS_JSON_OPTION(json, "write sizes and residuals as JSON"),
    TS_QUIET_OPTION(quiet, "print errors only"),
};

static ts_status check_options(const void *values, const ts_operands *operands, ts_error *error)
{
    const options *given = values;
    if (operands->count == 0 && given->solve)
        return ts_fail(error, TS_BAD_INPUT,
                       "which file? Give a problem, as in `touchstone problem --solve problem.hdf5`");
    if (operands->count == 0)
        return ts_fail(error, TS_BAD_INPUT,
                       "which scene? Give its file or a run, as in `touchstone problem scene.json -o problem.hdf5`");
    if (given->solve) {
        const char *useless = given->out                       ? "--out"
                              : !isnan(given->at)              ? "--at"
                              : given->scene.set.count         ? "--set"
                              : given->scene.seed              ? "--seed"
                              : given->scene.search_path.count ? "--search-path"
                                                               : NULL;
        return useless ? ts_fail(error, TS_BAD_INPUT, "--solve takes the problem from the file; leave out %s", useless)
                       : TS_OK;
    }
    if (given->write || given->rounds != defaults.rounds)
        return ts_fail(error, TS_BAD_INPUT, "%s goes with --solve", given->write ? "--write" : "--rounds");
    if (!given->out)
        return ts_fail(error, TS_BAD_INPUT, "where to? Give --out FILE, such as problem.hdf5");
    if (given->at < 0)
        return ts_fail(error, TS_BAD_INPUT, "--at is %g s, but no step begins before 0", given->at);
    return TS_OK;
}

/* ---- Writing one ---- */

typedef struct job {
    const options *given;
    const char *subject;
    ts_loaded loaded;
    ts_state *state;
    ts_workspace *work;
    ts_problem problem;
} job;

static void release(job *j)
{
    ts_problem_free(&j->problem);
    ts_workspace_free(j->work);
    ts_state_free(j->state);
    ts_cli_unload(&j->loaded);
}

static ts_status load(job *j, bool *run, ts_error *error)
{
    char path[ts_cli_path_size];
    *run = !ts_cli_is_scene(j->subject);
    if (!*run)
        return ts_cli_load_with(j->subject, &j->given->scene, &j->loaded, error);
    TS_TRY(ts_run_path(j->subject, TS_RUN_SCENE, path, sizeof path, error));
    if (!ts_file_exists(path))
        return ts_fail(error, TS_BAD_INPUT, "'%s' is neither a scene, NAME.json, nor a run: it holds no %s", j->subject,
                       TS_RUN_SCENE);
    if (j->given->scene.set.count || j->given->scene.seed)
        return ts_fail(error, TS_BAD_INPUT, "a run is what it was; leave out %s, or give a scene",
                       j->given->scene.set.count ? "--set" : "--seed");
    return ts_cli_load_with(path, &j->given->scene, &j->loaded, error);
}

/* From the run's checkpoint that comes nearest before `step`, if there is one. */
static ts_status recall(job *j, uint64_t step, ts_error *error)
{
    static const char *const name[2] = {"checkpoint.0", "checkpoint.1"};
    char path[ts_cli_path_size], best[ts_cli_path_size] = "";
    uint64_t serial, at, nearest = 0;
    for (int i = 0; i < 2; i++) {
        TS_TRY(ts_run_path(j->subject, name[i], path, sizeof path, error));
        if (ts_file_exists(path) && ts_checkpoint_peek(path, &serial, &at, NULL) == TS_OK && at <= step &&
            (!best[0] || at > nearest)) {
            memcpy(best, path, sizeof best);
            nearest = at;
        }
    }
    ts_checkpoint about = {0};
    if (!best[0])
        return TS_OK;
    TS_TRY(ts_checkpoint_read(best, j->loaded.model, j->state, &about, error));
    ts_snapshot_free(&about.before);
    return TS_OK;
}

static ts_status step_to(job *j, uint64_t last, ts_error *error)
{
    const double slice = 0.05; /* how long to step without looking up [s] */
    ts_progress progress;
    ts_signals old;
    uint64_t count = 1;
    ts_status status = TS_OK;
    ts_progress_begin(&progress, stderr, j->given->quiet, (double)ts_state_steps(j->state), (double)last,
                      ts_clock_seconds());
    ts_signals_catch(&old);
    while (status == TS_OK && ts_state_steps(j->state) < last) {
        uint64_t left = last - ts_state_steps(j->state);
        double since = ts_clock_seconds();
        status = ts_step(j->loaded.model, j->state, j->work, count < left ? count : left, error);
        double now = ts_clock_seconds();
        count = now - since < slice ? 2 * count : count / 2 + 1;
        if (status == TS_OK && ts_stop_requested())
            status = ts_fail(error, TS_INTERRUPTED, "interrupted at t = %.9g s; nothing was written",
                             ts_state_time(j->state));
        if (ts_progress_due(&progress, now))
            ts_progress_show(&progress, (double)ts_state_steps(j->state), "steps", now);
    }
    ts_signals_release(&old);
    ts_progress_clear(&progress);
    return status;
}

static ts_status find_problem(job *j, ts_error *error)
{
    bool run;
    TS_TRY(ts_cli_check_file("out", j->given->out, NULL, error));
    TS_TRY(load(j, &run, error));
    TS_TRY(ts_cli_prepare(j->loaded.model, (int)j->given->threads, j->given->quiet, error));
    TS_TRY(ts_state_create(j->loaded.model, &j->state, error));
    TS_TRY(ts_workspace_create(j->loaded.model, (int)j->given->threads, &j->work, error));
    bool chosen = !isnan(j->given->at);
    double steps = chosen ? j->given->at / ts_model_time_step(j->loaded.model) : 0;
    if (steps > 1e15)
        return ts_fail(error, TS_BAD_INPUT, "--at is %g s, more steps away than can be counted", j->given->at);
    uint64_t last = (uint64_t)llround(steps);
    if (run)
        TS_TRY(recall(j, chosen ? last : UINT64_MAX, error));
    TS_TRY(step_to(j, chosen ? last : ts_state_steps(j->state), error));
    TS_TRY(ts_step_problem(j->loaded.model, j->state, j->work, &j->problem, error));
    if (j->problem.count == 0)
        return ts_fail(error, TS_BAD_INPUT,
                       "nothing is struck in the step at t = %.9g s, so there is no problem; choose another with --at",
                       ts_state_time(j->state));
    return TS_OK;
}

static void write_sizes(ts_json *json, const void *subject)
{
    const ts_problem *p = subject;
    ts_json_begin_object(json, NULL);
    ts_json_number(json, "time", p->time);
    ts_json_uint(json, "contacts", p->count);
    ts_json_uint(json, "bodies", p->block_count);
    ts_json_number(json, "restitution", p->restitution);
    ts_json_end(json);
}

static ts_status write_problem(job *j, ts_error *error)
{
    const ts_problem *p = &j->problem;
    ts_fclib_info info;
    snprintf(info.title, sizeof info.title, "%s", j->loaded.title[0] ? j->loaded.title : "Touchstone");
    snprintf(
        info.description, sizeof info.description,
        "Contact problem of the step at t = %.17g s, of %.17g s, of '%s': %zu contacts of %zu bodies, restitution %g",
        p->time, ts_model_time_step(j->loaded.model), j->subject, p->count, p->block_count, p->restitution);
    TS_TRY(ts_fclib_write(j->given->out, p, &info, error));
    if (!j->given->quiet)
        fprintf(ts_output_stream(j->given->json), "t = %s: %s of %zu bod%s → %s\n", ts_show_si(p->time, "s").text,
                ts_show_counted(p->count, "contact").text, p->block_count, p->block_count == 1 ? "y" : "ies",
                j->given->out);
    return ts_output_json(j->given->json, write_sizes, p, error);
}

/* ---- Solving one ---- */

typedef struct answer {
    const char *path;
    ts_fclib_info info;
    ts_problem problem;
    ts_solution own, theirs; /* theirs: what was in the file */
    bool has;                /* the file has a solution */
    ts_residuals ours, before;
    ts_impact_report report;
    double seconds;
    bool solved;
} answer;

static void free_answer(answer *a)
{
    ts_problem_free(&a->problem);
    ts_solution_free(&a->own);
    ts_solution_free(&a->theirs);
}

static void print_residuals(ts_listing *listing, const char *whose, const ts_residuals *r)
{
    ts_listing_row(listing, "%s\t%.2g\t%.2g\t%.2g\t%.2g", whose, r->closing, r->complementarity, r->friction, r->cone);
}

static void print_answer(const answer *a, FILE *stream)
{
    const ts_problem *p = &a->problem;
    double most = 0;
    for (size_t k = 0; k < p->count; k++)
        most = fmax(most, p->friction[k]);
    if (a->info.title[0])
        ts_print_wrapped(stream, a->info.title, 0, 0);
    ts_listing sizes = ts_listing_make("ll");
    ts_listing_row(&sizes, "contacts\t%s, friction up to %.4g", ts_show_count(p->count).text, most);
    ts_listing_row(&sizes, "bodies\t%s of %d velocities each", ts_show_count(p->block_count).text, p->dof);
    ts_listing_row(&sizes, "solved in\t%s, %s, %s", ts_show_counted(a->report.rounds, "round").text,
                   ts_show_counted(a->report.problems, "program").text, ts_show_wall(a->seconds).text);
    ts_listing_row(&sizes, "fastest rate\t%s, of which residuals are shares", ts_show_si(a->ours.fastest, "m/s").text);
    ts_listing_print(&sizes, stream);
    fputs("\n", stream);
    ts_listing table = ts_listing_make("lrrrr");
    ts_listing_row(&table, "\tclosing\tcomplementarity\tfriction\tcone");
    print_residuals(&table, "this solution", &a->ours);
    if (a->has)
        print_residuals(&table, "the file's", &a->before);
    ts_listing_print(&table, stream);
}

static void write_residuals(ts_json *json, const char *name, const ts_residuals *r)
{
    ts_json_begin_object(json, name);
    TS_JSON_NUMBERS(json, {"closing", r->closing}, {"complementarity", r->complementarity}, {"friction", r->friction},
                    {"cone", r->cone}, {"balance", r->balance});
    ts_json_end(json);
}

static void write_answer(ts_json *json, const void *subject)
{
    const answer *a = subject;
    const ts_problem *p = &a->problem;
    ts_json_begin_object(json, NULL);
    ts_json_text(json, "title", a->info.title);
    ts_json_number(json, "time", p->time);
    ts_json_uint(json, "contacts", p->count);
    ts_json_uint(json, "bodies", p->block_count);
    ts_json_bool(json, "solved", a->solved);
    ts_json_uint(json, "rounds", a->report.rounds);
    ts_json_number(json, "seconds", a->seconds);
    ts_json_number(json, "fastest", a->ours.fastest);
    write_residuals(json, "residuals", &a->ours);
    if (a->has)
        write_residuals(json, "file_residuals", &a->before);
    ts_json_numbers(json, "v", a->own.v, p->block_count * (size_t)p->dof);
    ts_json_numbers(json, "u", a->own.u, (size_t)p->rows * p->count);
    ts_json_numbers(json, "r", a->own.r, (size_t)p->rows * p->count);
    ts_json_end(json);
}

static ts_status solve(const options *given, answer *a, ts_error *error)
{
    TS_AUTO(ts_pool_free_at) ts_pool *pool = NULL;
    TS_TRY(ts_cli_check_file("json", given->json, NULL, error));
    TS_TRY(ts_fclib_read(a->path, &a->problem, &a->info, error));
    TS_TRY(ts_fclib_read_solution(a->path, &a->problem, &a->theirs, &a->has, error));
    TS_TRY(ts_pool_create((int)given->threads, &pool, error));
    double since = ts_clock_seconds();
    TS_TRY(ts_problem_solve(&a->problem, given->rounds, pool, &a->own, &a->report, error));
    a->seconds = ts_clock_seconds() - since;
    TS_TRY(ts_problem_residuals(&a->problem, &a->own, &a->ours, error));
    if (a->has)
        TS_TRY(ts_problem_residuals(&a->problem, &a->theirs, &a->before, error));
    a->solved = a->report.finished && !a->report.disagreed;
    if (!given->quiet)
        print_answer(a, ts_output_stream(given->json));
    TS_TRY(ts_output_json(given->json, write_answer, a, error));
    if (!a->solved)
        return ts_fail(error, TS_DIVERGED,
                       "it is not solved: after %s residuals are as above, and nothing was written; walls that move "
                       "against each other leave no solution, or give more --rounds",
                       ts_show_counted(a->report.rounds, "round").text);
    return given->write ? ts_fclib_write_solution(a->path, &a->problem, &a->own, error) : TS_OK;
}

/* ---- The command ---- */

static ts_status act(const void *values, const char *operand, ts_error *error)
{
    const options *given = values;
    if (given->solve) {
        TS_AUTO(free_answer) answer a = {.path = operand};
        return solve(given, &a, error);
    }
    TS_AUTO(release) job j = {.given = given, .subject = operand};
    TS_TRY(find_problem(&j, error));
    return write_problem(&j, error);
}

const ts_command ts_command_problem = {
    .name = "problem",
    .usage = "SCENE|RUN [--at T] --out FILE [OPTIONS]\n--solve FILE [OPTIONS]",
    .summary = "write or solve the contact problem of one step",
    .text = "Writes what an impact has to solve in one step, masses, contacts and velocities, as an FCLIB file (HDF5), "
            "which Siconos and other solvers of contact with friction read. A scene is simulated up to the step, a run "
            "from its nearest checkpoint. The scene's dynamics must be \"impact\", in the plane or in space.\n\n"
            "--solve reads such a file, solves it with Coulomb's friction, and prints how far the solution, and one "
            "that the file may hold, are from the laws. The exit code is 1 when it finds none.",
    .example = "touchstone problem scene.json --at 0.4 -o step.hdf5\n"
               "touchstone problem --solve step.hdf5 --write",
    TS_OPTIONS(option, defaults),
    .operand_most = 1,
    .check = check_options,
    .act = act,
};
