/* SPDX-License-Identifier: MIT */
/* Benches: how fast, beside what.
 *
 * A bench is one row of a table (bench/benches.c) and one function in bench/. It measures several times, alternating
 * our runs with the peer's so that noise hits both, and hands over rows of medians. The harness prints them, with the
 * machine they were measured on, and writes JSON:
 *
 *     {"machine": {"processor": …, "threads": …, "compiler": …, "version": …},
 *      "rows": [{"bench": …, "case": …, "ours": …, "unit": …, "peer": …, "peer_value": …, "ratio": …, "spread": …}, …],
 *      "tables": [{"bench": …, "title": …, "rows": [{"name": …, "note": …, "values": {COLUMN: …, …}}, …]}, …]}
 *
 * Where many programs are measured in many ways, a bench hands over tables as well: a row each program, a column each
 * figure.
 *
 * A bench states goals, which are met or not met; it never fails because of speed. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "study/study.h"

/* What the command line asks for. Zero is a good default for every field. */
typedef struct ts_bench_options {
    const char *name;      /* which bench; NULL: all of them */
    bool list;             /* list the benches, measure nothing */
    bool full;             /* larger cases and more repeats */
    bool quick;            /* small cases and few repeats, to see that it works */
    const char *json_path; /* where the rows go as JSON; "-": standard output; NULL: nowhere */
    int threads;           /* most threads to measure with; 0: one a core */
    uint64_t seed;         /* 0: the bench's own */
    bool quiet;            /* no table (JSON and errors are still written) */
    const char *out_dir;   /* for settled packings, kept between runs, and for the peer's files; NULL: build/bench */
    ts_study_progress *progress; /* may be NULL */
    void *progress_user;         /* handed to it */
} ts_bench_options;

/* Runs one bench, or all. Returns the exit code: 0 measured, 1 failed, 2 no such bench. */
int ts_bench_command(const ts_bench_options *options);

/* ---- For the benches themselves ---- */

typedef struct ts_bench ts_bench; /* one run of a bench: its rows so far */

typedef struct ts_bench_entry {
    const char *name;
    const char *what; /* one line */
    ts_status (*run)(ts_bench *bench, ts_error *error);
} ts_bench_entry;

extern const ts_bench_entry ts_bench_table[]; /* bench/benches.c */
extern const size_t ts_bench_table_count;

/* Runs benches, whether they are in the table or not; options->name is not looked at. Returns the exit code. */
int ts_bench_run(const ts_bench_entry *entry, size_t count, const ts_bench_options *options);

/* One measurement. NaN and NULL stand for "none". */
typedef struct ts_bench_row {
    const char *name;  /* the case: "10000 discs, 1 thread"; copied */
    double ours;       /* median */
    const char *unit;  /* copied */
    const char *peer;  /* who it is compared with; copied */
    double peer_value; /* its median, same unit */
    double ratio;      /* ours / peer_value, or as the case says */
    double spread;     /* interquartile range / median of ours [1] */
    double peer_spread;
    double goal;       /* what `judged` is held against */
    double judged;     /* ratio or ours: the number that the goal is about */
    bool goal_is_most; /* the goal is an upper bound; else a lower one */
    const char *note;  /* one short sentence; copied */
} ts_bench_row;

/* A row with nothing in it but NaN and NULL. */
ts_bench_row ts_bench_row_empty(void);
ts_status ts_bench_add(ts_bench *bench, const ts_bench_row *row, ts_error *error);

/* A table of numbers: begun with its columns, then filled row by row. NaN stands for "none"; all texts are copied. */
#define TS_BENCH_COLUMNS_MAX 7
ts_status ts_bench_table_begin(ts_bench *bench, const char *title, const char *const *column, size_t count,
                               ts_error *error);
/* `note` may be NULL; as many values as the table has columns. */
ts_status ts_bench_table_add(ts_bench *bench, const char *name, const double *value, const char *note, ts_error *error);

bool ts_bench_full(const ts_bench *bench);
bool ts_bench_quick(const ts_bench *bench);
int ts_bench_threads(const ts_bench *bench); /* at least 1 */
uint64_t ts_bench_seed(const ts_bench *bench);
/* The folder for files that are kept between runs, made at the first call. */
ts_status ts_bench_out_dir(ts_bench *bench, const char **folder, ts_error *error);
/* `done` of this bench's work, from 0 to 1; NaN: as much as before. */
void ts_bench_report(ts_bench *bench, double done, const char *what);

/* Median and interquartile range / median of `count` values, which are sorted in place. count ≥ 1. */
double ts_bench_median(double *value, size_t count, double *spread);
/* What compiled this program, as "gcc 12.2.0". */
const char *ts_bench_compiler(void);
/* Memory that this process holds in earnest, without what it has freed [bytes]; 0 when the system does not tell. */
size_t ts_bench_resident_bytes(void);
