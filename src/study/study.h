/* SPDX-License-Identifier: MIT */
/* Studies: experiments whose outcome is known, run and set beside what was measured.
 *
 * A study is one row of a table (studies.c) and one function. The function builds scenes through the public interface,
 * runs them, and states *claims*: what is expected (a paper's number or sentence, or a closed form), what the run gave,
 * and whether that holds. The harness prints the table, writes JSON and turns the outcome into an exit code.
 *
 *     {"study": "disc-analytic", "mode": "quick", "claims": [{"claim": …, "paper": …, "measured": …, "unit": …,
 *      "tolerance": …, "holds": true}, …], "figures": ["out/…png", …], …}
 *
 * `measured` comes from the run and from nothing else. A claim that fails is printed as FAILED, never dropped.
 *
 * To add a study: write its function in a file of its own here, declare it in studies.h, add its row to studies.c, and
 * give it a section in docs/studies.md. */
#pragma once

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/file.h"
#include "base/status.h"

/* No number: shown as nothing, written as null. */
#define TS_NONE ((double)NAN)

/* Told how far a command has come: `done` from 0 to 1, `what` a few words on what is running. Called a few times a
 * second at most. What it does with it (a bar, an ETA, nothing) is its own matter. */
typedef void ts_study_progress(void *user, double done, const char *what);

/* What the command line asks for. Zero is a good default for every field. */
typedef struct ts_study_options {
    const char *name;            /* which study; NULL: list them */
    bool full;                   /* the paper's size; else quick, in seconds */
    const char *json_path;       /* where the result goes as JSON; "-": standard output; NULL: nowhere */
    int threads;                 /* 0: one a core */
    uint64_t seed;               /* 0: the study's own */
    bool quiet;                  /* no table (JSON and errors are still written) */
    const char *out_dir;         /* for figures; NULL: out/study/<name> */
    const char *runs;            /* which of its runs, by commas; NULL: all. Claims about others are not made. */
    ts_study_progress *progress; /* may be NULL */
    void *progress_user;         /* handed to it */
} ts_study_options;

/* Runs a study, or lists them. The table goes to standard output, or to standard error when the JSON goes there.
 * Returns the exit code: 0 every claim holds (also when the chosen runs suffice for none), 3 one does not, 1 the run
 * failed, 2 no such study. */
int ts_study_command(const ts_study_options *options);

/* ---- For the studies themselves ---- */

typedef struct ts_study ts_study; /* one run of a study: its claims so far */

typedef struct ts_study_entry {
    const char *name;    /* as typed by a user */
    const char *what;    /* one line */
    const char *section; /* of the paper, or what it is checked against */
    ts_status (*run)(ts_study *study, ts_error *error);
} ts_study_entry;

extern const ts_study_entry ts_study_table[]; /* studies.c */
extern const size_t ts_study_table_count;

/* A study whose runs a user may choose, and their names, by commas and spaces. */
typedef struct ts_study_runs {
    const char *study, *quick, *full;
} ts_study_runs;

extern const ts_study_runs ts_study_separable[]; /* studies.c; one without a name ends them */

/* Runs one study, whether it is in the table or not; options->name is not looked at. Returns the exit code. */
int ts_study_run(const ts_study_entry *entry, const ts_study_options *options);

bool ts_study_full(const ts_study *study);
int ts_study_threads(const ts_study *study);   /* as asked, or one a core */
uint64_t ts_study_seed(const ts_study *study); /* at least 1 */
/* Which of a study's runs a user wants (count): all, or those that were named. */
ts_status ts_study_choose(const ts_study *study, const char *const *name, size_t count, bool *chosen, ts_error *error);
/* The folder for figures, made at the first call. */
ts_status ts_study_out_dir(ts_study *study, const char **folder, ts_error *error);
/* Says how far the study has come, `done` from 0 to 1, and with what. From any thread. */
void ts_study_report(ts_study *study, double done, const char *what);

/* `measured` is within `tolerance`·|expected| of `expected`. The claim's text is made from the format. */
ts_status ts_claim_near(ts_study *study, double measured, double expected, double tolerance, const char *unit,
                        ts_error *error, const char *format, ...) __attribute__((format(printf, 7, 8)));
/* `measured` is at most `limit`; NaN never is. */
ts_status ts_claim_at_most(ts_study *study, double measured, double limit, const char *unit, ts_error *error,
                           const char *format, ...) __attribute__((format(printf, 6, 7)));
ts_status ts_claim_at_least(ts_study *study, double measured, double limit, const char *unit, ts_error *error,
                            const char *format, ...) __attribute__((format(printf, 6, 7)));
/* Anything else: `holds` as the study decides, `paper` in words (NULL: none). */
ts_status ts_claim(ts_study *study, bool holds, double measured, const char *unit, const char *paper, ts_error *error,
                   const char *format, ...) __attribute__((format(printf, 7, 8)));
/* Adds a picture or a table that the study wrote. */
ts_status ts_study_figure(ts_study *study, const char *path, ts_error *error);
/* A table in the folder, "packing.csv" say: to be written to draft->stream, and added when it is closed. */
ts_status ts_study_sheet_open(ts_study *study, const char *name, ts_draft *draft, ts_error *error);
ts_status ts_study_sheet_close(ts_study *study, ts_draft *draft, ts_error *error);
