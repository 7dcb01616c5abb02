/* SPDX-License-Identifier: MIT */
/* touchstone study: the harness in study/study.h does the work. */
#include "study/study.h"

#include "base/clock.h"
#include "cli/cli.h"
#include "cli/places.h"
#include "cli/progress.h"

typedef struct options {
    bool quick, full, quiet;
    const char *json, *out, *runs;
    uint64_t threads, seed;
} options;

static const options defaults = {0};

static const ts_option option[] = {
    TS_FLAG("quick", 0, quick, "seconds, as the tests do it (default)"),
    TS_FLAG("full", 0, full, "the paper's size"),
    TS_TEXT("out", 'o', "DIR", out, "for figures (default: out/study/NAME)"),
    TS_TEXT("runs", 0, "NAMES", runs, "only these of its runs, by commas; `touchstone study` names them"),
    TS_JSON_OPTION(json, "write the result as JSON"),
    TS_THREADS_OPTION(threads),
    TS_COUNT("seed", 0, "N", 1, 0, seed, "of every random choice (default: the study's own)"),
    TS_QUIET_OPTION(quiet, "no table and no progress"),
};

static ts_exit run(const void *values, const ts_operands *operands)
{
    const options *given = values;
    ts_error error;
    if (given->quick && given->full) {
        ts_fail(&error, TS_BAD_INPUT, "--quick and --full exclude each other; give one of them");
        return ts_cli_misuse(&ts_command_study, &error);
    }
    if (ts_cli_check_folder("out", given->out, &error) != TS_OK ||
        ts_cli_check_file("json", given->json, given->out, &error) != TS_OK)
        return ts_cli_fail(&error);
    ts_progress progress;
    ts_progress_begin(&progress, stderr, given->quiet, 0, 1, ts_clock_seconds());
    ts_study_options study = {
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
    };
    ts_exit code = (ts_exit)ts_study_command(&study);
    ts_progress_clear(&progress);
    return code;
}

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
    .table = {option, sizeof option / sizeof option[0]},
    .defaults = &defaults,
    .size = sizeof defaults,
    .operand_most = 1,
    .run = run,
};
