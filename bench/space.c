/* SPDX-License-Identifier: MIT */
/* The bench `space`: the penalty law in space, spheres beside LAMMPS and LIGGGHTS, and boxes.
 *
 * All programs start from the same spheres at rest, take the same steps before the clock runs, and are then timed over
 * the same steps, by turns. Peers get the neighbour skin that suits LAMMPS best. One thread is timed by the processor's
 * time. Afterwards all say how high the centre of mass is, how much kinetic energy there is, and how many contacts: the
 * same work was done. */
#include <math.h>
#include <stdio.h>

#include "base/clock.h"
#include "base/cpu.h"
#include "base/memory.h"
#include "bench.h"
#include "contact/law.h"
#include "space_bed.h"
#include "space_peers.h"

#define REPEATS_MAX 11
#define GOAL_PEER   2.0

typedef struct plan {
    size_t count;
    uint64_t warm, steps;
    double begin, share; /* of the bench's progress */
    int repeats;
    bool boxes, goals;
} plan;

typedef struct series {
    double rate[REPEATS_MAX]; /* body-steps a second */
    double kinetic, height, contacts, overlap;
} series;

typedef struct measured {
    series ours[2], peer[TS_SPACE_PEERS];
    bool with[TS_SPACE_PEERS];
    char name[TS_SPACE_PEERS][96];
    double skin;
    double bytes; /* a body */
    int threads;
} measured;

typedef struct rig {
    ts_bed3 bed;
    ts_model *model;
    ts_state *start, *state;
    ts_workspace *work[2];
    const char *folder;
} rig;

static void close_rig(rig *r)
{
    for (int i = 0; i < 2; i++)
        ts_workspace_free(r->work[i]);
    ts_state_free(r->state);
    ts_state_free(r->start);
    ts_model_free(r->model);
    ts_bed3_free(&r->bed);
}

static ts_status open_rig(ts_bench *bench, const plan *p, measured *m, rig *r, ts_error *error)
{
    TS_TRY(ts_bench_out_dir(bench, &r->folder, error));
    TS_TRY(ts_bed3_settled(bench, p->boxes, p->count, &r->bed, error));
    TS_TRY(ts_bed3_model(&r->bed, &r->model, &r->start, error));
    TS_TRY(ts_state_create(r->model, &r->state, error));
    m->threads = ts_bench_threads(bench) > 1 ? 2 : 1;
    for (int i = 0; i < m->threads; i++)
        TS_TRY(ts_workspace_create(r->model, i + 1, &r->work[i], error));
    return TS_OK;
}

static ts_status run_ours(const plan *p, rig *r, int thread_index, series *out, int repeat, ts_error *error)
{
    ts_workspace *work = r->work[thread_index];
    TS_TRY(ts_state_copy(r->state, r->start, error));
    TS_TRY(ts_step(r->model, r->state, work, p->warm, error));
    /* one thread by the processor's time, as the peers are; two by the clock on the wall */
    double (*const now)(void) = thread_index == 0 ? ts_clock_processor_seconds : ts_clock_seconds;
    const double begin = now();
    TS_TRY(ts_step(r->model, r->state, work, p->steps, error));
    out->rate[repeat] = (double)p->count * (double)p->steps / (now() - begin);
    ts_measures measures;
    TS_TRY(ts_measure(r->model, r->state, work, &measures, error));
    double mass = 0, moment = 0;
    const ts_body3 *body = ts_state_bodies3(r->state);
    for (size_t i = 0; i < p->count; i++) {
        mass += ts_bed3_mass(&r->bed, i);
        moment += ts_bed3_mass(&r->bed, i) * body[i].position[2];
    }
    const ts_contact *contact;
    size_t count;
    TS_TRY(ts_find_contacts(r->model, r->state, work, &contact, &count, error));
    out->contacts = 0;
    for (size_t k = 0; k < count; k++) /* peers do not count those with walls */
        out->contacts += contact[k].a >= 0;
    out->kinetic = measures.kinetic;
    out->height = moment / mass;
    out->overlap = measures.mean_overlap;
    return TS_OK;
}

static ts_status run_peer(const plan *p, const rig *r, ts_space_peer peer, double skin, uint64_t steps,
                          ts_space_peer_result *result, ts_error *error)
{
    const ts_space_peer_case c = {.peer = peer,
                                  .bed = &r->bed,
                                  .time_step = ts_model_time_step(r->model),
                                  .damping_ratio = ts_damping_ratio(TS_BED3_RESTITUTION, false),
                                  .skin = skin,
                                  .warm = p->warm,
                                  .steps = steps,
                                  .folder = r->folder};
    return ts_space_peer_run(&c, result, error);
}

/* The skin with which LAMMPS is fastest. */
static ts_status prepare_peers(ts_bench *bench, const plan *p, const rig *r, measured *m, ts_error *error)
{
    static const double skin[] = {0.1, 0.2, 0.4}; /* in mean radii */
    double best = 0;
    m->skin = 0.2 * TS_BED3_RADIUS;
    for (int i = 0; i < TS_SPACE_PEERS; i++)
        m->with[i] = !p->boxes && ts_space_peer_installed((ts_space_peer)i);
    for (size_t i = 0; m->with[TS_PEER_LAMMPS] && i < sizeof skin / sizeof *skin; i++) {
        ts_space_peer_result result;
        const uint64_t steps = p->steps / 2 + 1;
        ts_bench_report(bench, p->begin, "finding a skin for LAMMPS");
        TS_TRY(run_peer(p, r, TS_PEER_LAMMPS, skin[i] * TS_BED3_RADIUS, steps, &result, error));
        const double rate = (double)steps / result.seconds;
        if (rate > best) {
            best = rate;
            m->skin = skin[i] * TS_BED3_RADIUS;
        }
    }
    return TS_OK;
}

static ts_status run_all(ts_bench *bench, const plan *p, rig *r, measured *m, ts_error *error)
{
    char what[96];
    TS_TRY(prepare_peers(bench, p, r, m, error));
    for (int i = 0; i < p->repeats; i++) {
        snprintf(what, sizeof what, "%zu %s, run %d of %d", p->count, p->boxes ? "boxes" : "spheres", i + 1,
                 p->repeats);
        ts_bench_report(bench, p->begin + p->share * i / p->repeats, what);
        for (int t = 0; t < m->threads; t++)
            TS_TRY(run_ours(p, r, t, &m->ours[t], i, error));
        for (int k = 0; k < TS_SPACE_PEERS; k++) {
            ts_space_peer_result result;
            if (!m->with[k])
                continue;
            TS_TRY(run_peer(p, r, (ts_space_peer)k, m->skin, p->steps, &result, error));
            series *out = &m->peer[k];
            out->rate[i] = (double)p->count * (double)p->steps / result.seconds;
            out->kinetic = result.kinetic;
            out->height = result.height;
            out->contacts = result.contacts;
            snprintf(m->name[k], sizeof m->name[k], "%s", result.name);
        }
    }
    m->bytes = (double)ts_memory_bytes(r->model, r->state, r->work[0]) / (double)p->count;
    return TS_OK;
}

/* ---- Rows ---- */

static ts_status add_rate_row(ts_bench *bench, const plan *p, measured *m, int t, int peer, ts_error *error)
{
    char name[128], note[160];
    snprintf(name, sizeof name, "%zu settled %s, %d thread%s", p->count, p->boxes ? "boxes" : "spheres", t + 1,
             t ? "s" : "");
    ts_bench_row row = ts_bench_row_empty();
    row.name = name;
    row.unit = "body-steps/s";
    row.ours = ts_bench_median(m->ours[t].rate, (size_t)p->repeats, &row.spread);
    if (peer >= 0) {
        row.peer = m->name[peer];
        row.peer_value = ts_bench_median(m->peer[peer].rate, (size_t)p->repeats, &row.peer_spread);
        row.ratio = row.ours / row.peer_value;
        snprintf(note, sizeof note, "ours: %s; peer: 1 process, skin %.2g radii, dashpot equal at mean mass",
                 ts_cpu_level_name(ts_cpu_level()), m->skin / TS_BED3_RADIUS);
        row.note = note;
        if (peer == TS_PEER_LAMMPS && p->goals) {
            row.goal = GOAL_PEER;
            row.judged = row.ratio;
        }
    }
    return ts_bench_add(bench, &row, error);
}

static ts_status add_value_row(ts_bench *bench, const plan *p, const measured *m, const char *what, const char *unit,
                               double ours, int peer, double theirs, ts_error *error)
{
    char name[128];
    snprintf(name, sizeof name, "%zu %s, %s", p->count, p->boxes ? "boxes" : "spheres", what);
    ts_bench_row row = ts_bench_row_empty();
    row.name = name;
    row.unit = unit;
    row.ours = ours;
    if (peer >= 0 && !isnan(theirs)) {
        row.peer = m->name[peer];
        row.peer_value = theirs;
        row.ratio = ours / theirs;
    }
    return ts_bench_add(bench, &row, error);
}

static ts_status add_rows(ts_bench *bench, const plan *p, measured *m, ts_error *error)
{
    const bool any = m->with[0] || m->with[1];
    if (!any)
        TS_TRY(add_rate_row(bench, p, m, 0, -1, error));
    for (int k = 0; k < TS_SPACE_PEERS; k++)
        if (m->with[k])
            TS_TRY(add_rate_row(bench, p, m, 0, k, error));
    if (m->threads > 1)
        TS_TRY(add_rate_row(bench, p, m, 1, -1, error));
    const series *s = &m->ours[0];
    TS_TRY(add_value_row(bench, p, m, "memory a body", "bytes", m->bytes, -1, 0, error));
    TS_TRY(add_value_row(bench, p, m, "mean overlap over radius", "1", s->overlap / TS_BED3_RADIUS, -1, 0, error));
    for (int k = 0; k < TS_SPACE_PEERS; k++) {
        if (!m->with[k])
            continue;
        const series *t = &m->peer[k];
        TS_TRY(add_value_row(bench, p, m, "contacts at the end", "1", s->contacts, k, t->contacts, error));
        TS_TRY(add_value_row(bench, p, m, "height of the centre of mass", "m", s->height, k, t->height, error));
        TS_TRY(add_value_row(bench, p, m, "kinetic energy at the end", "J", s->kinetic, k, t->kinetic, error));
    }
    return TS_OK;
}

static ts_status run_plan(ts_bench *bench, const plan *p, ts_error *error)
{
    measured m = {0};
    TS_AUTO(close_rig) rig r = {0};
    ts_bench_report(bench, p->begin, "preparing a bed");
    TS_TRY(open_rig(bench, p, &m, &r, error));
    TS_TRY(run_all(bench, p, &r, &m, error));
    return add_rows(bench, p, &m, error);
}

ts_status ts_bench_space(ts_bench *bench, ts_error *error)
{
    static const plan quick[] = {{500, 50, 200, 0, 0.7, 3, false, false}, {60, 20, 50, 0.7, 0.3, 3, true, false}};
    static const plan normal[] = {{10000, 100, 1000, 0, 0.35, 5, false, true},
                                  {100000, 20, 100, 0.35, 0.35, 5, false, true},
                                  {1000, 100, 500, 0.7, 0.1, 5, true, false},
                                  {10000, 20, 50, 0.8, 0.2, 5, true, false}};
    const bool is_quick = ts_bench_quick(bench);
    const size_t count = is_quick ? sizeof quick / sizeof quick[0] : sizeof normal / sizeof normal[0];
    for (size_t i = 0; i < count; i++) {
        plan p = is_quick ? quick[i] : normal[i];
        if (ts_bench_full(bench))
            p.repeats = REPEATS_MAX;
        TS_TRY(run_plan(bench, &p, error));
    }
    return TS_OK;
}
