/* SPDX-License-Identifier: MIT */
/* What is asked of an impact operator, measured: a table with a number in each cell (Smith et al. 2012, Table 1).
 *
 *     symmetry    twins in a mirror that differ after the impact           largest difference, over the incoming speed
 *     energy      kinetic energy that changes (elastic) or grows           largest, over what there was
 *     momentum    linear and angular momentum that change                  largest, over Σ|p|
 *     one-sided   impulses that pull                                       smallest λ, over incoming mass · speed
 *     break-away  balls of a cradle that stay together                     smallest speed at which the last one parts, over the first's
 *     feasible    contacts that still close                                fastest, over the incoming speed
 *
 * Each operator resolves each configuration (desiderata_cases.c) with restitutions of 1, ½ and 0. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "study/crowd.h"

typedef enum ts_desideratum {
    TS_DESIRE_SYMMETRY,
    TS_DESIRE_ENERGY,
    TS_DESIRE_MOMENTUM,
    TS_DESIRE_ONE_SIDED,
    TS_DESIRE_BREAK_AWAY,
    TS_DESIRE_FEASIBLE, /* not one of the five */
    TS_DESIRE_COUNT
} ts_desideratum;

#define TS_DESIRE_FIVE TS_DESIRE_FEASIBLE

typedef struct ts_desire {
    const char *name;  /* in JSON */
    const char *label; /* in the table; short */
    bool at_least;     /* the limit is one from below */
    double limit;
} ts_desire;

extern const ts_desire ts_desires[TS_DESIRE_COUNT];

typedef struct ts_desire_cell {
    double value;   /* the worst; NaN: nothing to measure it by */
    char where[40]; /* in which configuration */
    bool holds;     /* within the limit */
    bool asked;     /* whether the table as published says that it holds */
    bool judged; /* whether anything is published of it: at a restitution of 1; of gr at any, but for break-away at 0 */
} ts_desire_cell;

typedef struct ts_desire_row {
    const char *by; /* operator */
    double restitution;
    ts_desire_cell cell[TS_DESIRE_COUNT];
    size_t unfinished; /* configurations that were given up after passes_max */
    uint64_t passes;   /* the most */
} ts_desire_row;

#define TS_DESIRE_ROWS_MAX 32

typedef struct ts_desiderata {
    ts_desire_row row[TS_DESIRE_ROWS_MAX];
    size_t row_count;
    size_t configurations;
    uint64_t passes_max;
    bool as_published; /* every judged cell holds, or does not, as it should */
} ts_desiderata;

/* Runs the battery: some seconds. The same numbers every time. */
ts_status ts_desiderata_run(ts_desiderata *out, ts_error *error);

typedef struct ts_desiderata_options {
    const char *json_path; /* "-": standard output; NULL: nowhere */
    bool quiet;            /* no table */
} ts_desiderata_options;

/* Runs it and prints the table. Returns the exit code: 0 as published, 3 not, 1 the run failed. */
int ts_desiderata_command(const ts_desiderata_options *options);

/* ---- The battery ---- */

typedef struct ts_desire_case {
    char name[40];
    ts_crowd crowd;
    bool symmetric; /* mirrored in y → -y */
    bool closed;    /* no walls: momentum is conserved */
    bool cradle;    /* the last contact is of the last ball */
} ts_desire_case;

size_t ts_desire_case_count(void);
/* Builds one; to be ended with ts_crowd_free whatever happened. */
ts_status ts_desire_case_build(size_t index, ts_desire_case *to, ts_error *error);
