/* SPDX-License-Identifier: MIT */
/* touchstone study and touchstone bench: the harnesses in study/study.h and study/bench.h do the work. */
#include "study/study.h"

#include "base/clock.h"
#include "cli/cli.h"
#include "cli/places.h"
#include "cli/progress.h"
#include "study/bench.h"

typedef struct options {
    bool list, quick, full, quiet;
    const char *json, *out, *runs;
    uint64_t threads, seed;
} options;

static const options defaults = {0};

/* What both commands check; false: *code says how it ended. */
static bool begin(const ts_command *which, const options *given, ts_progress *progress, ts_exit *code)
{
    ts_error error;
    if (given->quick && given->full) {
        ts_fail(&error, TS_BAD_INPUT, "--quick and --full exclude each other; give one of them");
        *code = ts_cli_misuse(which, &error);
        return false;
    }
    if (ts_cli_check_folder("out", given->out, &error) != TS_OK ||
        ts_cli_check_file("json", given->json, given->out, &error) != TS_OK) {
        *code = ts_cli_fail(&error);
        return false;
    }
    ts_progress_begin(progress, stderr, given->quiet, 0, 1, ts_clock_seconds());
    return true;
}

/* ---- Studies ---- */

static ts_exit run_study(const void *values, const ts_operands *operands)
{
    const options *given = values;
    ts_progress progress;
    ts_exit code;
    if (!begin(&ts_command_study, given, &progress, &code))
        return code;
    code = (ts_exit)ts_study_command(&(ts_study_options){
        .name = operands->count ? operands->item[0] : NULL,
        .full = given->full,
        .json_path = given->json,
        .threads = (int)given->threads,
        .seed = given->seed,
        .quiet = given->quiet,
        .out_dir = given->out,
        .runs = given->runs,
        .progress = ts_progress_report,
        .progress_user = &progress,
    });
    ts_progress_clear(&progress);
    return code;
}

static const ts_option study_option[] = {
    TS_FLAG("quick", 0, quick, "seconds, as the tests do it (default)"),
    TS_FLAG("full", 0, full, "the paper's size"),
    TS_TEXT("out", 'o', "DIR", out, "for figures (default: out/study/NAME)"),
    TS_TEXT("runs", 0, "NAMES", runs, "only these of its runs, by commas; `touchstone study` names them"),
    TS_JSON_OPTION(json, "write the result as JSON"),
    TS_THREADS_OPTION(threads),
    TS_COUNT("seed", 0, "N", 1, 0, seed, "of every random choice (default: the study's own)"),
    TS_QUIET_OPTION(quiet, "no table and no progress"),
};

const ts_command ts_command_study = {
    .name = "study",
    .usage = "[NAME] [OPTIONS]",
    .summary = "run an experiment whose outcome is known, and judge it",
    .text = "Runs an experiment whose outcome is known from a paper or a closed form, measures it, and sets each claim "
            "beside what was measured. Without NAME it lists the studies.\n\n"
            "The exit code is 0 when every claim holds and 3 when one does not.",
    .example = "touchstone study disc-analytic --quick\n"
               "touchstone study scale --json -\n"
               "touchstone study silo --full --runs octagon-8,hash-8",
    TS_OPTIONS(study_option, defaults),
    .operand_most = 1,
    .run = run_study,
};

/* ---- Benches ---- */

static ts_exit run_bench(const void *values, const ts_operands *operands)
{
    const options *given = values;
    ts_progress progress;
    ts_exit code;
    if (!begin(&ts_command_bench, given, &progress, &code))
        return code;
    code = (ts_exit)ts_bench_command(&(ts_bench_options){
        .name = operands->count ? operands->item[0] : NULL,
        .list = given->list,
        .full = given->full,
        .quick = given->quick,
        .json_path = given->json,
        .threads = (int)given->threads,
        .seed = given->seed,
        .quiet = given->quiet,
        .out_dir = given->out,
        .progress = ts_progress_report,
        .progress_user = &progress,
    });
    ts_progress_clear(&progress);
    return code;
}

static const ts_option bench_option[] = {
    TS_FLAG("list", 'l', list, "list the benches, measure nothing"),
    TS_FLAG("quick", 0, quick, "small cases and few repeats, to see that it works"),
    TS_FLAG("full", 0, full, "larger cases and more repeats"),
    TS_JSON_OPTION(json, "write the rows as JSON"),
    TS_COUNT("threads", 't', "N", 1, TS_POOL_THREADS_MAX, threads,
             "most threads to measure with (default: one a core)"),
    TS_COUNT("seed", 0, "N", 1, 0, seed, "of every random choice (default: the bench's own)"),
    TS_TEXT("out", 'o', "DIR", out, "for packings kept between runs and the peers' files (default: build/bench)"),
    TS_QUIET_OPTION(quiet, "no table and no progress"),
};

const ts_command ts_command_bench = {
    .name = "bench",
    .usage = "[NAME] [OPTIONS]",
    .summary = "measure speed and memory, beside the peers on this machine",
    .text =
        "Measures one bench, or all of them: medians and spread, with the machine they were measured on, and beside "
        "peers such as LAMMPS when they are installed. Speed never makes a bench fail.",
    .example = "touchstone bench discs --json discs.json\n"
               "touchstone bench --list",
    TS_OPTIONS(bench_option, defaults),
    .operand_most = 1,
    .run = run_bench,
};
