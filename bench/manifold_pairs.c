/* SPDX-License-Identifier: MIT */
/* An armoured animal on another: all contacts at poses at random at which they overlap, with gradients, without edges and on one
 * side, by the number of superquadrics and by batch; beside MuJoCo and Bullet on the convex pieces and FCL on the mesh.
 *
 * One thread, timed by the processor's time. Every way goes through all poses once, by turns with the others, and so do the
 * peers; a row is the median of these passes. */
#include <math.h>
#include <stdio.h>

#include "base/clock.h"
#include "base/cpu.h"
#include "base/memory.h"
#include "manifold/touch.h"
#include "manifold_body.h"
#include "manifold_parts.h"
#include "manifold_peer.h"

enum { PASSES_MAX = 25, POSES_MAX = 1024 };

/* Contacts that a step asks for, as a share of the body's length. */
#define REACH         0.01
#define GOAL_ALL      100.0 /* µs */
#define GOAL_ALL_AVX2 180.0
#define GOAL_TOUCH    40.0
#define GOAL_GRADIENT 2.5
#define GOAL_SIMPLER  1.6
#define GOAL_CULLING  1e-9

typedef enum way { ALL, GRADIENT, NO_EDGES, ONE_SIDED, EVERYTHING, WAYS } way;
static const char *const way_name[WAYS] = {
    [ALL] = "all contacts",          [GRADIENT] = "with gradient of the mean gap",
    [NO_EDGES] = "without edges",    [ONE_SIDED] = "without edges, one-sided",
    [EVERYTHING] = "nothing culled",
};

/* One pair of bodies, asked in all ways. */
typedef struct rig {
    ts_sdf_body *body;
    ts_manifold *manifold[WAYS];
    ts_manifold_team *team[WAYS]; /* of one thread */
    ts_manifold_contacts to;      /* one item's, whose arrays are reused */
    double *gap_bar;              /* of the mean */
    ts_manifold_pose_bar *bar_a, *bar_b;
    size_t contacts;
} rig;

static void close_rig(rig *r)
{
    for (int k = 0; k < WAYS; k++) {
        ts_manifold_team_free(r->team[k]);
        ts_manifold_free(r->manifold[k]);
    }
    ts_sdf_body_free(r->body);
    ts_free(r->to.point);
    ts_free(r->to.gap);
    ts_free(r->to.normal);
    ts_free(r->to.weight);
    ts_free(r->gap_bar);
    ts_free(r->bar_a);
    ts_free(r->bar_b);
}

static ts_status open_way(rig *r, way how, size_t primitives, ts_error *error)
{
    ts_manifold_options o = ts_manifold_default_options();
    o.keep_edges[0] = o.keep_edges[1] = primitives;
    o.edges = how != NO_EDGES && how != ONE_SIDED;
    o.sides = how == ONE_SIDED ? TS_MANIFOLD_A : TS_MANIFOLD_BOTH;
    o.everything = how == EVERYTHING;
    TS_TRY(ts_manifold_create(r->body, r->body, &o, &r->manifold[how], error));
    return ts_manifold_team_create(r->manifold[how], 1, &r->team[how], error);
}

/* With arrays for `items` items. */
static ts_status open_rig(size_t primitives, size_t items, rig *r, ts_error *error)
{
    TS_TRY(ts_bench_animal(primitives, &r->body, error));
    for (way how = ALL; how < WAYS; how++)
        TS_TRY(open_way(r, how, primitives, error));
    const size_t n = r->contacts = ts_manifold_get_counts(r->manifold[ALL]).all;
    TS_TRY(ts_new(&r->to.point, items * n, error));
    TS_TRY(ts_new(&r->to.gap, items * n, error));
    TS_TRY(ts_new(&r->to.normal, items * n, error));
    TS_TRY(ts_new(&r->to.weight, items * n, error));
    TS_TRY(ts_new(&r->gap_bar, n, error));
    TS_TRY(ts_new(&r->bar_a, items, error));
    TS_TRY(ts_new(&r->bar_b, items, error));
    for (size_t i = 0; i < n; i++)
        r->gap_bar[i] = 1 / (double)n;
    return TS_OK;
}

/* The first `count` poses as one batch. */
static ts_status run_batch(const rig *r, way how, const ts_bench_poses *poses, size_t begin, size_t count,
                           ts_error *error)
{
    const ts_manifold_contacts bar = {.gap = r->gap_bar};
    const ts_manifold_batch batch = {.count = count,
                                     .a = poses->a + begin,
                                     .b = poses->b + begin,
                                     .to = r->to,
                                     .bar = how == GRADIENT ? &bar : NULL,
                                     .same_bar = true,
                                     .bar_a = r->bar_a,
                                     .bar_b = r->bar_b};
    return ts_manifold_find_batch(r->team[how], &batch, error);
}

/* All poses once, in batches: time of a pose [µs]. */
static ts_status time_pass(const rig *r, way how, const ts_bench_poses *poses, size_t batch, double *took,
                           ts_error *error)
{
    const double since = ts_clock_processor_seconds();
    for (size_t i = 0; i + batch <= poses->count; i += batch)
        TS_TRY(run_batch(r, how, poses, i, batch, error));
    *took = 1e6 * (ts_clock_processor_seconds() - since) / (double)(poses->count - poses->count % batch);
    return TS_OK;
}

/* ---- What a step asks ---- */

static void free_places(ts_manifold_place_array *places)
{
    ts_array_free(places);
}

static ts_pose3 pose_of(const ts_manifold_pose *p)
{
    return (ts_pose3){{p->position[0], p->position[1], p->position[2]},
                      {p->attitude[0], p->attitude[1], p->attitude[2], p->attitude[3]}};
}

static ts_status time_touch(const rig *r, const ts_bench_poses *poses, ts_manifold_place_array *places, double *took,
                            double *contacts, ts_error *error)
{
    ts_manifold_options o = ts_manifold_default_options();
    o.keep_edges[0] = o.keep_edges[1] = ts_sdf_count(r->body->sdf);
    const double reach = REACH * ts_sdf_length(r->body->sdf), since = ts_clock_processor_seconds();
    size_t found = 0;
    for (size_t i = 0; i < poses->count; i++) {
        places->count = 0;
        TS_TRY(ts_manifold_touch(r->body, pose_of(&poses->a[i]), r->body, pose_of(&poses->b[i]), &o, reach, places,
                                 error));
        found += places->count;
    }
    *took = 1e6 * (ts_clock_processor_seconds() - since) / (double)poses->count;
    *contacts = (double)found / (double)poses->count;
    return TS_OK;
}

/* ---- Culling ---- */

/* Largest difference of gaps, normals, points and weights with and without culling, lengths as shares of the body's. */
static ts_status differ(const rig *r, const ts_bench_poses *poses, double *most, ts_error *error)
{
    const size_t n = r->contacts;
    const double per = 1 / ts_sdf_length(r->body->sdf);
    TS_AUTO_FREE double *kept = NULL;
    TS_TRY(ts_new(&kept, 8 * n, error));
    *most = 0;
    for (size_t i = 0; i < poses->count; i++)
        for (int pass = 0; pass < 2; pass++) {
            TS_TRY(run_batch(r, pass == 0 ? ALL : EVERYTHING, poses, i, 1, error));
            for (size_t k = 0; k < n; k++) {
                const double *p = r->to.point[k], *m = r->to.normal[k];
                const double now[8] = {
                    per * r->to.gap[k], r->to.weight[k], per * p[0], per * p[1], per * p[2], m[0], m[1], m[2]};
                for (int c = 0; c < 8; c++) {
                    if (pass == 0)
                        kept[8 * k + (size_t)c] = now[c];
                    else
                        *most = fmax(*most, fabs(now[c] - kept[8 * k + (size_t)c]));
                }
            }
        }
    return TS_OK;
}

/* ---- The pair of 18 by 18 ---- */

typedef struct measured {
    double ours[WAYS][PASSES_MAX], touch[PASSES_MAX], touched; /* µs, contacts of a pose */
    double peer[TS_PIECES_PEERS][PASSES_MAX], peer_contacts[TS_PIECES_PEERS];
    bool with[TS_PIECES_PEERS];
    ts_pieces pieces[TS_PIECES_PEERS];
    int passes;
} measured;

static void close_measured(measured *m)
{
    for (int i = 0; i < TS_PIECES_PEERS; i++)
        ts_pieces_close(&m->pieces[i]);
}

static ts_status measure(ts_bench *bench, const rig *r, const ts_bench_poses *poses, measured *m, ts_error *error)
{
    TS_AUTO(free_places) ts_manifold_place_array places = {0};
    const char *folder;
    TS_TRY(ts_bench_out_dir(bench, &folder, error));
    for (ts_pieces_peer i = 0; i < TS_PIECES_PEERS; i++) {
        m->with[i] = ts_pieces_installed(i);
        if (m->with[i])
            TS_TRY(ts_pieces_open(i, r->body, poses, folder, &m->pieces[i], error));
    }
    for (int pass = -1; pass < m->passes; pass++) { /* the first one warms up */
        const int at = pass < 0 ? 0 : pass;
        ts_bench_report(bench, 0.4 + 0.3 * at / m->passes, "18 × 18 superquadrics");
        for (way how = ALL; how < WAYS; how++)
            TS_TRY(time_pass(r, how, poses, 1, &m->ours[how][at], error));
        TS_TRY(time_touch(r, poses, &places, &m->touch[at], &m->touched, error));
        for (int i = 0; i < TS_PIECES_PEERS; i++) {
            if (!m->with[i])
                continue;
            TS_TRY(ts_pieces_pass(&m->pieces[i], &m->peer[i][at], &m->peer_contacts[i], error));
            m->peer[i][at] *= 1e6;
        }
    }
    return TS_OK;
}

static ts_status add_way(ts_bench *bench, const rig *r, measured *m, way how, ts_error *error)
{
    char name[128], note[160];
    ts_bench_row row = ts_bench_row_empty();
    const double all = ts_bench_median(m->ours[ALL], (size_t)m->passes, &row.spread);
    const double before = how == ONE_SIDED ? ts_bench_median(m->ours[NO_EDGES], (size_t)m->passes, &row.spread) : all;
    snprintf(name, sizeof name, "animal on animal, 18 × 18: %s", way_name[how]);
    row.name = name;
    row.unit = "µs";
    row.ours = ts_bench_median(m->ours[how], (size_t)m->passes, &row.spread);
    row.note = note;
    row.goal_is_most = true;
    if (how == ALL) {
        snprintf(note, sizeof note, "%zu contacts, %s kernels", r->contacts, ts_cpu_level_name(ts_cpu_level()));
        row.judged = row.ours;
        row.goal = ts_cpu_level() == TS_CPU_AVX512 ? GOAL_ALL : GOAL_ALL_AVX2;
    } else if (how == EVERYTHING || how == GRADIENT) {
        row.ratio = row.ours / all;
        snprintf(note, sizeof note, "%.2f times as long as all contacts", row.ratio);
        row.judged = how == GRADIENT ? row.ratio : TS_NONE;
        row.goal = how == GRADIENT ? GOAL_GRADIENT : TS_NONE;
    } else {
        row.ratio = row.judged = before / row.ours;
        snprintf(note, sizeof note, "%.2f times as fast as the one before it", row.ratio);
        row.goal = GOAL_SIMPLER;
        row.goal_is_most = false;
    }
    return ts_bench_add(bench, &row, error);
}

/* Contacts within reach; beside a peer, or alone. */
static ts_status add_touch(ts_bench *bench, measured *m, int peer, ts_error *error)
{
    char name[128], note[200];
    ts_bench_row row = ts_bench_row_empty();
    snprintf(name, sizeof name, "animal on animal, 18 × 18: within reach%s%s", peer < 0 ? "" : ", beside ",
             peer < 0 ? "" : ts_pieces_name((ts_pieces_peer)peer));
    row.name = name;
    row.unit = "µs";
    row.ours = row.judged = ts_bench_median(m->touch, (size_t)m->passes, &row.spread);
    row.note = note;
    row.goal_is_most = true;
    if (peer < 0) {
        snprintf(note, sizeof note, "%.1f contacts, up to %g of the length apart", m->touched, REACH);
        row.goal = GOAL_TOUCH;
        return ts_bench_add(bench, &row, error);
    }
    row.peer = m->pieces[peer].version;
    row.peer_value = ts_bench_median(m->peer[peer], (size_t)m->passes, &row.peer_spread);
    row.ratio = row.judged = row.ours / row.peer_value;
    snprintf(note, sizeof note, "%.2f times as fast; %.1f contacts, peer %.1f, %s", row.peer_value / row.ours,
             m->touched, m->peer_contacts[peer],
             peer == TS_PIECES_FCL ? "of the same mesh" : "of 18 convex pieces each");
    row.goal = peer == TS_PIECES_MUJOCO ? 1 : TS_NONE;
    return ts_bench_add(bench, &row, error);
}

static ts_status add_culling(ts_bench *bench, const rig *r, const ts_bench_poses *poses, ts_error *error)
{
    ts_bench_row row = ts_bench_row_empty();
    row.name = "animal on animal, 18 × 18: culled less everything, largest";
    row.unit = "1";
    TS_TRY(differ(r, poses, &row.ours, error));
    row.judged = row.ours;
    row.goal = GOAL_CULLING;
    row.goal_is_most = true;
    row.note = "points and gaps over the length, normals and weights";
    return ts_bench_add(bench, &row, error);
}

static ts_status add_pair(ts_bench *bench, const ts_bench_poses *poses, ts_error *error)
{
    TS_AUTO(close_rig) rig r = {0};
    TS_AUTO(close_measured) measured m = {.passes = ts_bench_quick(bench) ? 3 : ts_bench_full(bench) ? PASSES_MAX : 11};
    TS_TRY(open_rig(TS_BENCH_PRIMITIVES, 1, &r, error));
    TS_TRY(measure(bench, &r, poses, &m, error));
    for (way how = ALL; how < WAYS; how++)
        TS_TRY(add_way(bench, &r, &m, how, error));
    TS_TRY(add_culling(bench, &r, poses, error));
    TS_TRY(add_touch(bench, &m, -1, error));
    for (int i = 0; i < TS_PIECES_PEERS; i++)
        if (m.with[i])
            TS_TRY(add_touch(bench, &m, i, error));
    return TS_OK;
}

/* ---- Tables ---- */

/* One line: medians of all ways, µs a pair. */
static ts_status add_line(ts_bench *bench, const char *name, const rig *r, const ts_bench_poses *poses, size_t batch,
                          int passes, ts_error *error)
{
    double took[ONE_SIDED + 1][PASSES_MAX], value[ONE_SIDED + 1], spread;
    char note[64];
    for (int pass = 0; pass < passes; pass++)
        for (way how = ALL; how <= ONE_SIDED; how++)
            TS_TRY(time_pass(r, how, poses, batch, &took[how][pass], error));
    for (way how = ALL; how <= ONE_SIDED; how++)
        value[how] = ts_bench_median(took[how], (size_t)passes, &spread);
    snprintf(note, sizeof note, "%zu contacts", r->contacts);
    return ts_bench_table_add(bench, name, value, note, error);
}

static const char *const column[ONE_SIDED + 1] = {"values", "with gradient", "no edges", "one-sided"};

static ts_status add_counts(ts_bench *bench, const ts_bench_poses *poses, ts_error *error)
{
    static const size_t count[] = {1, 2, 5, 9, 18};
    TS_TRY(ts_bench_table_begin(bench, "µs a pair by number of superquadrics", column, ONE_SIDED + 1, error));
    for (size_t i = 0; i < sizeof count / sizeof *count; i++) {
        TS_AUTO(close_rig) rig r = {0};
        char name[32];
        snprintf(name, sizeof name, "%zu × %zu", count[i], count[i]);
        ts_bench_report(bench, 0.7 + 0.02 * (double)i, name);
        TS_TRY(open_rig(count[i], 1, &r, error));
        TS_TRY(add_line(bench, name, &r, poses, 1, ts_bench_quick(bench) ? 1 : 5, error));
    }
    return TS_OK;
}

static ts_status add_batches(ts_bench *bench, size_t primitives, const ts_bench_poses *poses, ts_error *error)
{
    TS_AUTO(close_rig) rig r = {0};
    char title[64];
    TS_TRY(open_rig(primitives, poses->count, &r, error));
    snprintf(title, sizeof title, "µs a pair by batch, %zu × %zu", primitives, primitives);
    TS_TRY(ts_bench_table_begin(bench, title, column, ONE_SIDED + 1, error));
    for (size_t batch = 1; batch <= poses->count; batch *= 4) {
        char name[32];
        snprintf(name, sizeof name, "%zu", batch);
        ts_bench_report(bench, 0.85, title);
        TS_TRY(add_line(bench, name, &r, poses, batch, ts_bench_quick(bench) ? 1 : 3, error));
    }
    return TS_OK;
}

ts_status ts_manifold_rows_pairs(ts_bench *bench, ts_error *error)
{
    const bool quick = ts_bench_quick(bench);
    TS_AUTO(ts_bench_poses_free) ts_bench_poses few = {0}, many = {0};
    TS_AUTO(ts_sdf_body_free_at) ts_sdf_body *body = NULL;
    TS_TRY(ts_bench_animal(TS_BENCH_PRIMITIVES, &body, error));
    TS_TRY(ts_bench_overlapping(body, ts_bench_seed(bench), quick ? 20 : 100, &few, error));
    TS_TRY(ts_bench_overlapping(body, ts_bench_seed(bench), quick ? 64 : POSES_MAX, &many, error));
    TS_TRY(add_pair(bench, &few, error));
    TS_TRY(add_counts(bench, &few, error));
    TS_TRY(add_batches(bench, 5, &many, error));
    return add_batches(bench, TS_BENCH_PRIMITIVES, &many, error);
}
