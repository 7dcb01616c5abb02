/* SPDX-License-Identifier: MIT */
/* The bench `discs`: how many particle-steps a second, in how many bytes, beside LAMMPS.
 *
 * For each case both programs start from the same discs, take the same steps before the clock runs, and are then timed
 * over the same steps; runs alternate, so that a disturbance of the machine hits both. LAMMPS gets the neighbour skin
 * that suits it best. Afterwards both say how high the centre of mass is and how much kinetic energy there is: the same
 * work was done. */
#include <math.h>
#include <stdio.h>

#include "base/clock.h"
#include "base/cpu.h"
#include "base/memory.h"
#include "bench.h"
#include "contact/law.h"
#include "control.h"
#include "lammps.h"
#include "packing.h"

#define REPEATS_MAX 15
#define TILT        0.785398163397448279 /* of gravity in the flowing case: 45° */

/* Goals; see docs/results.md. */
#define GOAL_PEER    2.0
#define GOAL_SPEEDUP 1.8
#define GOAL_BYTES   400.0

/* What a case measures. */
typedef struct plan {
    const char *kind; /* "settled" or "flowing" */
    size_t count;
    double tilt; /* [rad] */
    uint64_t warm, steps;
    int repeats;
    bool with_peer;
    bool goals;
    double begin, share; /* of the bench's progress */
} plan;

typedef struct series {
    double rate[REPEATS_MAX]; /* particle-steps a second */
    double kinetic, height;   /* at the end of the last run */
} series;

typedef struct measured {
    series ours[2], peer[2]; /* on one thread, on two */
    double speed_up[REPEATS_MAX];
    double control[REPEATS_MAX]; /* speed-up of a loop without memory, at the same time: what the machine had free */
    double bytes;                /* a disc, as the library counts */
    double resident;             /* a disc, as the system counts */
    double peer_bytes;           /* a disc, as LAMMPS counts */
    double skin;                 /* the one that suits LAMMPS */
    char peer_name[96];
    int threads;        /* 1 or 2: most that was measured */
    int peer_processes; /* 0, 1 or 2 */
} measured;

typedef struct bed {
    ts_packing packing;
    ts_model *model;
    ts_state *start, *state;
    ts_workspace *work[2];
    char data[4096], input[4096]; /* paths for LAMMPS */
} bed;

static void close_bed(bed *b)
{
    for (int i = 0; i < 2; i++)
        ts_workspace_free(b->work[i]);
    ts_state_free(b->state);
    ts_state_free(b->start);
    ts_model_free(b->model);
    ts_packing_free(&b->packing);
}

static ts_status open_bed(ts_bench *bench, const plan *p, measured *m, bed *b, ts_error *error)
{
    if (p->tilt > 0)
        TS_TRY(ts_packing_flowing(bench, p->count, p->tilt, 0.3, &b->packing, error));
    else
        TS_TRY(ts_packing_settled(bench, p->count, &b->packing, error));
    size_t before = ts_bench_resident_bytes();
    TS_TRY(ts_packing_model(&b->packing, p->tilt, &b->model, &b->start, error));
    TS_TRY(ts_workspace_create(b->model, 1, &b->work[0], error));
    /* so that everything has its size: a list of pairs, a second one that takes over the first one's springs (a disc
     * that is moved by its radius makes the first one void), and a look at all contacts */
    TS_TRY(ts_step(b->model, b->start, b->work[0], 1, error));
    const ts_body *body = ts_state_bodies(b->start);
    TS_TRY(ts_state_set_pose(b->start, 0, (double[]){body->x + body->radius, body->y, body->angle}, error));
    TS_TRY(ts_step(b->model, b->start, b->work[0], 1, error));
    ts_measures measures;
    TS_TRY(ts_measure(b->model, b->start, b->work[0], &measures, error));
    m->bytes = (double)ts_memory_bytes(b->model, b->start, b->work[0]) / (double)p->count;
    m->resident = (double)(ts_bench_resident_bytes() - before) / (double)p->count;
    /* and back to the beginning: the first step belongs to the warm-up */
    ts_state_free(b->start);
    ts_model_free(b->model);
    ts_workspace_free(b->work[0]);
    b->model = NULL;
    b->start = NULL;
    b->work[0] = NULL;
    TS_TRY(ts_packing_model(&b->packing, p->tilt, &b->model, &b->start, error));
    TS_TRY(ts_state_create(b->model, &b->state, error));
    m->threads = ts_bench_threads(bench) > 1 ? 2 : 1;
    for (int i = 0; i < m->threads; i++)
        TS_TRY(ts_workspace_create(b->model, i + 1, &b->work[i], error));
    return TS_OK;
}

/* ---- One run ---- */

static ts_status run_ours(const plan *p, bed *b, int thread_index, series *out, int repeat, ts_error *error)
{
    ts_workspace *work = b->work[thread_index];
    TS_TRY(ts_state_copy(b->state, b->start, error));
    TS_TRY(ts_step(b->model, b->state, work, p->warm, error));
    double begin = ts_clock_seconds();
    TS_TRY(ts_step(b->model, b->state, work, p->steps, error));
    out->rate[repeat] = (double)p->count * (double)p->steps / (ts_clock_seconds() - begin);
    ts_measures measures;
    TS_TRY(ts_measure(b->model, b->state, work, &measures, error));
    double mass = 0, moment = 0;
    const ts_body *body = ts_state_bodies(b->state);
    for (size_t i = 0; i < p->count; i++) {
        mass += ts_model_mass(b->model, i);
        moment += ts_model_mass(b->model, i) * body[i].y;
    }
    out->kinetic = measures.kinetic;
    out->height = moment / mass;
    return TS_OK;
}

static ts_status run_peer(const plan *p, const bed *b, int processes, double skin, uint64_t steps, double *rate,
                          ts_lammps_result *result, ts_error *error)
{
    ts_lammps_case c = {
        .packing = &b->packing,
        .tilt = p->tilt,
        .time_step = ts_model_time_step(b->model),
        .damping_ratio = ts_damping_ratio(TS_PACKING_RESTITUTION, false),
        .skin = skin,
        .processes = processes,
        .warm = p->warm,
        .steps = steps,
        .data = b->data,
        .work = b->input,
    };
    TS_TRY(ts_lammps_run(&c, result, error));
    *rate = (double)p->count * (double)steps / result->seconds;
    return TS_OK;
}

/* Writes the packing for LAMMPS and finds the skin with which it is fastest. */
static ts_status prepare_peer(ts_bench *bench, const plan *p, bed *b, measured *m, ts_error *error)
{
    static const double skin[] = {0.1, 0.2, 0.05, 0.4, 0.8}; /* in mean radii */
    size_t skin_count = ts_bench_quick(bench) ? 2 : sizeof skin / sizeof skin[0];
    const char *folder;
    TS_TRY(ts_bench_out_dir(bench, &folder, error));
    snprintf(b->data, sizeof b->data, "%s/lammps-%s-%zu.data", folder, p->kind, p->count);
    snprintf(b->input, sizeof b->input, "%s/lammps-%s-%zu", folder, p->kind, p->count);
    TS_TRY(ts_lammps_write(&b->packing, b->data, error));
    double best = 0;
    for (size_t i = 0; i < skin_count; i++) {
        double rate;
        ts_lammps_result result;
        ts_bench_report(bench, p->begin, "finding a skin for LAMMPS");
        TS_TRY(run_peer(p, b, 1, skin[i] * TS_PACKING_RADIUS, p->steps / 2 + 1, &rate, &result, error));
        if (rate > best) {
            best = rate;
            m->skin = skin[i] * TS_PACKING_RADIUS;
            m->peer_bytes = result.bytes / (double)p->count;
            snprintf(m->peer_name, sizeof m->peer_name, "LAMMPS %s", result.version);
        }
    }
    m->peer_processes = ts_bench_threads(bench) > 1 && ts_lammps_mpi_installed() ? 2 : 1;
    return TS_OK;
}

/* All repeats, ours and the peer's by turns. */
static ts_status run_all(ts_bench *bench, const plan *p, bed *b, measured *m, ts_error *error)
{
    char what[96];
    if (p->with_peer && ts_lammps_installed())
        TS_TRY(prepare_peer(bench, p, b, m, error));
    for (int i = 0; i < p->repeats; i++) {
        snprintf(what, sizeof what, "%zu %s discs, run %d of %d", p->count, p->kind, i + 1, p->repeats);
        ts_bench_report(bench, p->begin + p->share * i / p->repeats, what);
        for (int t = 0; t < m->threads; t++)
            TS_TRY(run_ours(p, b, t, &m->ours[t], i, error));
        if (m->threads > 1)
            TS_TRY(ts_bench_control(&m->control[i], error));
        m->speed_up[i] = m->ours[1].rate[i] / m->ours[0].rate[i];
        for (int t = 0; t < m->peer_processes; t++) {
            ts_lammps_result result;
            TS_TRY(run_peer(p, b, t + 1, m->skin, p->steps, &m->peer[t].rate[i], &result, error));
            m->peer[t].kinetic = result.kinetic;
            m->peer[t].height = result.height;
        }
    }
    return TS_OK;
}

/* ---- Rows ---- */

static ts_status add_rate_row(ts_bench *bench, const plan *p, measured *m, int t, ts_error *error)
{
    char name[128], note[160];
    snprintf(name, sizeof name, "%zu %s discs, %d thread%s", p->count, p->kind, t + 1, t ? "s" : "");
    ts_bench_row row = ts_bench_row_empty();
    row.name = name;
    row.unit = "particle-steps/s";
    row.ours = ts_bench_median(m->ours[t].rate, (size_t)p->repeats, &row.spread);
    if (t < m->peer_processes) {
        row.peer = m->peer_name;
        row.peer_value = ts_bench_median(m->peer[t].rate, (size_t)p->repeats, &row.peer_spread);
        row.ratio = row.ours / row.peer_value;
        snprintf(note, sizeof note, "ours: %s; LAMMPS: %d process%s, skin %.2g radii, dashpot equal at mean mass",
                 ts_cpu_level_name(ts_cpu_level()), t + 1, t ? "es" : "", m->skin / TS_PACKING_RADIUS);
        if (t == 0 && p->goals) {
            row.goal = GOAL_PEER;
            row.judged = row.ratio;
        }
        row.note = note;
    }
    return ts_bench_add(bench, &row, error);
}

static ts_status add_value_row(ts_bench *bench, const plan *p, const measured *m, const char *what, const char *unit,
                               double ours, double theirs, double goal, ts_error *error)
{
    char name[128];
    snprintf(name, sizeof name, "%zu %s discs, %s", p->count, p->kind, what);
    ts_bench_row row = ts_bench_row_empty();
    row.name = name;
    row.unit = unit;
    row.ours = ours;
    if (m->peer_processes > 0 && !isnan(theirs)) {
        row.peer = m->peer_name;
        row.peer_value = theirs;
        row.ratio = ours / theirs;
    }
    row.goal = goal;
    row.goal_is_most = true;
    row.judged = ours;
    return ts_bench_add(bench, &row, error);
}

static ts_status add_rows(ts_bench *bench, const plan *p, measured *m, ts_error *error)
{
    for (int t = 0; t < m->threads; t++)
        TS_TRY(add_rate_row(bench, p, m, t, error));
    if (m->threads > 1) {
        char name[128], note[128];
        snprintf(name, sizeof name, "%zu %s discs, speed-up on 2 threads", p->count, p->kind);
        snprintf(note, sizeof note, "arithmetic alone gained %.2f at the same time",
                 ts_bench_median(m->control, (size_t)p->repeats, NULL));
        ts_bench_row row = ts_bench_row_empty();
        row.name = name;
        row.unit = "1";
        row.ours = ts_bench_median(m->speed_up, (size_t)p->repeats, &row.spread);
        row.judged = row.ours;
        row.note = note;
        if (p->goals)
            row.goal = GOAL_SPEEDUP;
        if (m->peer_processes > 1) {
            row.peer = m->peer_name;
            row.peer_value = ts_bench_median(m->peer[1].rate, (size_t)p->repeats, NULL) /
                             ts_bench_median(m->peer[0].rate, (size_t)p->repeats, NULL);
            row.ratio = row.ours / row.peer_value;
        }
        TS_TRY(ts_bench_add(bench, &row, error));
    }
    TS_TRY(add_value_row(bench, p, m, "memory a disc", "bytes", m->bytes, m->peer_bytes, GOAL_BYTES, error));
    TS_TRY(add_value_row(bench, p, m, "resident memory a disc", "bytes", m->resident, TS_NONE, TS_NONE, error));
    if (m->peer_processes == 0)
        return TS_OK;
    TS_TRY(add_value_row(bench, p, m, "height of the centre of mass at the end", "m", m->ours[0].height,
                         m->peer[0].height, TS_NONE, error));
    return add_value_row(bench, p, m, "kinetic energy at the end", "J", m->ours[0].kinetic, m->peer[0].kinetic, TS_NONE,
                         error);
}

static ts_status run_plan(ts_bench *bench, const plan *p, ts_error *error)
{
    measured m = {0};
    TS_AUTO(close_bed) bed b = {0};
    ts_bench_report(bench, p->begin, "preparing discs");
    TS_TRY(open_bed(bench, p, &m, &b, error));
    TS_TRY(run_all(bench, p, &b, &m, error));
    return add_rows(bench, p, &m, error);
}

ts_status ts_bench_discs(ts_bench *bench, ts_error *error)
{
    static const plan quick[] = {
        {"settled", 500, 0, 50, 300, 3, true, false, 0, 0.5},
        {"flowing", 500, TILT, 50, 300, 3, true, false, 0.5, 0.5},
    };
    static const plan normal[] = {
        {"settled", 10000, 0, 500, 2000, 5, true, true, 0, 0.25},
        {"settled", 100000, 0, 50, 200, 5, true, true, 0.25, 0.4},
        {"flowing", 10000, TILT, 200, 1000, 5, true, false, 0.65, 0.2},
        {"settled", 1000000, 0, 10, 30, 3, false, true, 0.85, 0.15},
    };
    bool is_quick = ts_bench_quick(bench);
    size_t count = is_quick ? sizeof quick / sizeof quick[0] : sizeof normal / sizeof normal[0];
    for (size_t i = 0; i < count; i++) {
        plan p = is_quick ? quick[i] : normal[i];
        if (ts_bench_full(bench)) {
            p.repeats = p.count > 100000 ? 5 : 11;
            p.with_peer = true;
        }
        TS_TRY(run_plan(bench, &p, error));
    }
    return TS_OK;
}
