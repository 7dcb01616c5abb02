/* SPDX-License-Identifier: MIT */
/* The bench `shapes`: signed distances of points to outlines, beside GEOS.
 *
 * Polygons of 8, 64 and 1024 edges, and a million points in the square of four radii around each: both programs get the
 * same numbers, on one thread, and runs alternate; what counts is the processor's time. GEOS runs as a process of its
 * own (bench/peers/geos.c), which is built when its headers are there. The sums of all distances must agree, so both
 * did the same work. GEOS has no arcs: the outline of arcs stands alone. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/cpu.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/random.h"
#include "base/text.h"
#include "bench.h"
#include "process.h"
#include "shape/distance.h"

#define PI          3.14159265358979323846
#define REPEATS_MAX 15
#define GOAL_PEER   20.0
#define AGREEMENT   1e-9 /* of mean distances, in radii */

typedef struct outline {
    size_t edges;
    double bulge; /* of every other edge, and less of the rest; 0: a polygon */
} outline;

/* One outline and its points. */
typedef struct job {
    outline form;
    ts_segment *segment; /* (form.edges) */
    size_t count;
    double *x, *y, *out; /* (count) */
    ts_distance *distance;
    double rate[REPEATS_MAX], peer_rate[REPEATS_MAX];
    double sum[2], peer_sum[2]; /* of d, and of d · x */
    char peer[64], way[32];
} job;

static void close_job(job *j)
{
    ts_distance_free(j->distance);
    ts_free(j->segment);
    ts_free(j->x);
    ts_free(j->y);
    ts_free(j->out);
}

/* A star with five rays of radius about 1, more or less rough. */
static ts_vec2 corner(uint64_t seed, size_t i, size_t n)
{
    double a = 2 * PI * (double)i / (double)n, rough = ts_random_range(seed, 1, i, -1, 1) / sqrt((double)n);
    double r = (0.8 + 0.15 * cos(5 * a) + 0.15 * rough);
    return (ts_vec2){r * cos(a), r * sin(a)};
}

static ts_status open_job(ts_bench *bench, job *j, ts_error *error)
{
    size_t n = j->form.edges;
    uint64_t seed = ts_bench_seed(bench);
    TS_TRY(ts_new(&j->segment, n, error));
    TS_TRY(ts_new(&j->x, j->count, error));
    TS_TRY(ts_new(&j->y, j->count, error));
    TS_TRY(ts_new(&j->out, j->count, error));
    double radius = 0;
    for (size_t i = 0; i < n; i++) {
        ts_vec2 p = corner(seed, i, n), q = corner(seed, (i + 1) % n, n);
        j->segment[i] = (ts_segment){p.x, p.y, q.x, q.y, i % 2 ? j->form.bulge : -0.5 * j->form.bulge};
        radius = fmax(radius, hypot(p.x, p.y));
    }
    for (size_t i = 0; i < j->count; i++) {
        j->x[i] = ts_random_range(seed, 2, i, -2 * radius, 2 * radius);
        j->y[i] = ts_random_range(seed, 3, i, -2 * radius, 2 * radius);
    }
    return ts_distance_create(j->segment, n, &j->distance, error);
}

/* ---- The peer ---- */

static ts_status write_points(const job *j, const char *path, ts_error *error)
{
    ts_draft draft;
    TS_TRY(ts_draft_open(&draft, path, error));
    uint64_t head[2] = {j->form.edges, j->count};
    fwrite(head, sizeof *head, 2, draft.stream);
    for (size_t i = 0; i < j->form.edges; i++)
        fwrite(&j->segment[i].x0, sizeof(double), 2, draft.stream);
    for (size_t i = 0; i < j->count; i++) {
        double p[2] = {j->x[i], j->y[i]};
        fwrite(p, sizeof *p, 2, draft.stream);
    }
    return ts_draft_commit(&draft, error);
}

static ts_status run_peer(job *j, const char *peer, const char *points, int repeat, ts_error *error)
{
    char output[4200];
    snprintf(output, sizeof output, "%s.out", points);
    const char *argument[] = {peer, points, NULL};
    TS_TRY(ts_process_run(argument, output, error));
    char *text;
    size_t size;
    TS_TRY(ts_file_read(output, 1 << 20, &text, &size, error));
    const char *version = ts_process_line(text, "version "), *way = ts_process_line(text, "way ");
    snprintf(j->peer, sizeof j->peer, "GEOS %.*s", (int)strcspn(version, "- \n"), version);
    snprintf(j->way, sizeof j->way, "%.*s", (int)strcspn(way, "\n"), way);
    j->peer_rate[repeat] = (double)j->count / ts_process_number(text, "seconds ");
    j->peer_sum[0] = ts_process_number(text, "sum ");
    j->peer_sum[1] = ts_process_number(text, "moment ");
    ts_free(text);
    if (!(j->peer_rate[repeat] > 0))
        return ts_fail(error, TS_IO, "GEOS ended without a time; its output is in %s", output);
    for (int k = 0; k < 2; k++)
        if (!(fabs(j->sum[k] - j->peer_sum[k]) <= AGREEMENT * (double)j->count))
            return ts_fail(error, TS_BAD_INPUT,
                           "sums of the distances of %zu points to %zu edges are %.17g and with GEOS %.17g", j->count,
                           j->form.edges, j->sum[k], j->peer_sum[k]);
    return TS_OK;
}

/* ---- Measuring ---- */

static void run_ours(job *j, int repeat)
{
    double begin = ts_clock_processor_seconds();
    ts_distance_query(j->distance, j->count, j->x, j->y, j->out, NULL, NULL, NULL);
    j->rate[repeat] = (double)j->count / (ts_clock_processor_seconds() - begin);
    j->sum[0] = j->sum[1] = 0;
    for (size_t i = 0; i < j->count; i++) {
        j->sum[0] += j->out[i];
        j->sum[1] += j->out[i] * j->x[i];
    }
}

static ts_status measure(ts_bench *bench, job *j, int repeats, const char *peer, ts_error *error)
{
    char points[4096];
    if (peer[0]) {
        const char *folder;
        TS_TRY(ts_bench_out_dir(bench, &folder, error));
        snprintf(points, sizeof points, "%s/shapes-%zu.points", folder, j->form.edges);
        TS_TRY(write_points(j, points, error));
    }
    run_ours(j, 0); /* warm */
    for (int i = 0; i < repeats; i++) {
        run_ours(j, i);
        if (peer[0])
            TS_TRY(run_peer(j, peer, points, i, error));
    }
    return TS_OK;
}

static ts_status add_row(ts_bench *bench, job *j, int repeats, bool with_peer, ts_error *error)
{
    char name[128], note[256];
    bool arcs = j->form.bulge != 0;
    ts_bench_row row = ts_bench_row_empty();
    snprintf(name, sizeof name, "distance to %zu %s, 1 thread", j->form.edges, arcs ? "arcs" : "edges");
    row.name = name;
    row.unit = "points/s";
    row.ours = ts_bench_median(j->rate, (size_t)repeats, &row.spread);
    row.note = note;
    if (with_peer) {
        row.peer = j->peer;
        row.peer_value = ts_bench_median(j->peer_rate, (size_t)repeats, &row.peer_spread);
        row.ratio = row.ours / row.peer_value;
        row.goal = GOAL_PEER;
        row.judged = row.ratio;
        snprintf(note, sizeof note, "ours: %s; GEOS asked by \"%s\"; means agree to %.0e",
                 ts_cpu_level_name(ts_cpu_level()), j->way,
                 fmax(fabs(j->sum[0] - j->peer_sum[0]) / (double)j->count, 1e-17));
    } else {
        snprintf(note, sizeof note, arcs ? "GEOS has no arcs" : "no peer: install libgeos-dev and build again");
    }
    return ts_bench_add(bench, &row, error);
}

/* How long it takes to get ready for queries, and what that holds. */
static ts_status add_build_rows(ts_bench *bench, const job *j, int repeats, ts_error *error)
{
    double time[REPEATS_MAX];
    size_t bytes = 0;
    for (int i = 0; i < repeats; i++) {
        ts_distance *distance;
        double begin = ts_clock_processor_seconds();
        TS_TRY(ts_distance_create(j->segment, j->form.edges, &distance, error));
        time[i] = ts_clock_processor_seconds() - begin;
        bytes = ts_distance_bytes(distance);
        ts_distance_free(distance);
    }
    char name[128];
    const char *kind = j->form.bulge != 0 ? "arcs" : "edges";
    ts_bench_row row = ts_bench_row_empty();
    snprintf(name, sizeof name, "getting ready for %zu %s", j->form.edges, kind);
    row.name = name;
    row.unit = "s";
    row.ours = ts_bench_median(time, (size_t)repeats, &row.spread);
    TS_TRY(ts_bench_add(bench, &row, error));
    row = ts_bench_row_empty();
    snprintf(name, sizeof name, "memory for %zu %s", j->form.edges, kind);
    row.name = name;
    row.unit = "bytes";
    row.ours = (double)bytes;
    return ts_bench_add(bench, &row, error);
}

ts_status ts_bench_shapes(ts_bench *bench, ts_error *error)
{
    static const outline form[] = {{8, 0}, {64, 0}, {1024, 0}, {64, 0.2}};
    const size_t forms = sizeof form / sizeof *form;
    bool quick = ts_bench_quick(bench);
    int repeats = quick ? 3 : ts_bench_full(bench) ? 11 : 5;
    char peer[4096];
    if (!ts_process_find_peer("geos", peer))
        peer[0] = 0;
    for (size_t i = 0; i < forms; i++) {
        bool arcs = form[i].bulge != 0;
        TS_AUTO(close_job) job j = {.form = form[i], .count = quick ? 20000 : 1000000};
        char what[64];
        snprintf(what, sizeof what, "%zu %s", j.form.edges, arcs ? "arcs" : "edges");
        ts_bench_report(bench, (double)i / (double)forms, what);
        TS_TRY(open_job(bench, &j, error));
        TS_TRY(measure(bench, &j, repeats, arcs ? "" : peer, error));
        TS_TRY(add_row(bench, &j, repeats, !arcs && peer[0], error));
        if (j.form.edges == 64)
            TS_TRY(add_build_rows(bench, &j, repeats, error));
    }
    return TS_OK;
}
