/* SPDX-License-Identifier: MIT */
/* touchstone bench: the harness in study/bench.h does the work. */
#include "study/bench.h"

#include "base/clock.h"
#include "cli/cli.h"
#include "cli/places.h"
#include "cli/progress.h"

typedef struct options {
    bool list, quick, full, quiet;
    const char *json, *out;
    uint64_t threads, seed;
} options;

static const options defaults = {0};

static const ts_option option[] = {
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

static ts_exit run(const void *values, const ts_operands *operands)
{
    const options *given = values;
    ts_error error;
    if (given->quick && given->full) {
        ts_fail(&error, TS_BAD_INPUT, "--quick and --full exclude each other; give one of them");
        return ts_cli_misuse(&ts_command_bench, &error);
    }
    if (ts_cli_check_folder("out", given->out, &error) != TS_OK ||
        ts_cli_check_file("json", given->json, given->out, &error) != TS_OK)
        return ts_cli_fail(&error);
    ts_progress progress;
    ts_progress_begin(&progress, stderr, given->quiet, 0, 1, ts_clock_seconds());
    ts_bench_options bench = {
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
    };
    ts_exit code = (ts_exit)ts_bench_command(&bench);
    ts_progress_clear(&progress);
    return code;
}

const ts_command ts_command_bench = {
    .name = "bench",
    .usage = "[NAME] [OPTIONS]",
    .summary = "measure speed and memory, beside the peers on this machine",
    .text =
        "Measures one bench, or all of them: medians and spread, with the machine they were measured on, and beside "
        "peers such as LAMMPS when they are installed. Speed never makes a bench fail.",
    .example = "touchstone bench discs --json discs.json\n"
               "touchstone bench --list",
    .table = {option, sizeof option / sizeof option[0]},
    .defaults = &defaults,
    .size = sizeof defaults,
    .operand_most = 1,
    .run = run,
};
