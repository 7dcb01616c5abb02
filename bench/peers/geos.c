/* SPDX-License-Identifier: MIT */
/* The peer of `touchstone bench shapes`: signed distance of points to a polygon with GEOS, through its C interface.
 *
 *     geos FILE      FILE: vertices n, points m (uint64), then n pairs and m pairs of doubles, as this machine has them
 *
 * prints the version of GEOS, which way was the fastest, the seconds of processor time that all points took, and two
 * sums of the distances that tell whether the same work was done.
 *
 * GEOS answers one query a call. Every way of asking is tried on the first points, and the fastest is timed:
 *
 *   prepared      distance to the prepared ring, then whether the prepared polygon intersects the point
 *   contains      the same with "contains"
 *   by distance   distance to the prepared polygon, which is 0 inside; only then the distance to the ring
 *   plain         distance to the ring without an index (for few edges an index might not pay), then as in the first
 *
 * A point is made anew for every query, by GEOSGeom_createPointFromXY; through a coordinate sequence it took longer.
 * One point whose coordinates change is no way: a geometry keeps its envelope. Making and freeing points is some 30 ns
 * of each query.
 */
#include <geos_c.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

typedef struct job {
    GEOSContextHandle_t geos;
    GEOSGeometry *ring, *polygon;
    const GEOSPreparedGeometry *fast_ring, *fast_polygon;
    uint64_t count;
    const double *point; /* x, y */
    double sum[2];       /* of d, and of d · x */
} job;

enum { PREPARED, CONTAINS, BY_DISTANCE, PLAIN, WAYS };
static const char *const way_name[WAYS] = {"prepared", "contains", "by distance", "plain"};

/* Time that this thread had a processor for, as in bench/shapes.c. */
static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Inlined with a constant way, so that the choice costs nothing. */
static inline __attribute__((always_inline)) void go_through(job *j, uint64_t count, int way)
{
    double sum = 0, moment = 0;
    for (uint64_t i = 0; i < count; i++) {
        double x = j->point[2 * i], y = j->point[2 * i + 1], d = 0;
        GEOSGeometry *p = GEOSGeom_createPointFromXY_r(j->geos, x, y);
        if (way == BY_DISTANCE) {
            GEOSPreparedDistance_r(j->geos, j->fast_polygon, p, &d);
            if (!(d > 0)) {
                GEOSPreparedDistance_r(j->geos, j->fast_ring, p, &d);
                d = -d;
            }
        } else {
            if (way == PLAIN)
                GEOSDistance_r(j->geos, j->ring, p, &d);
            else
                GEOSPreparedDistance_r(j->geos, j->fast_ring, p, &d);
            char inside = way == CONTAINS ? GEOSPreparedContains_r(j->geos, j->fast_polygon, p)
                                          : GEOSPreparedIntersects_r(j->geos, j->fast_polygon, p);
            if (inside == 1)
                d = -d;
        }
        GEOSGeom_destroy_r(j->geos, p);
        sum += d;
        moment += d * x;
    }
    j->sum[0] = sum;
    j->sum[1] = moment;
}

static double time_way(job *j, uint64_t count, int way)
{
    double begin = seconds();
    if (way == PREPARED)
        go_through(j, count, PREPARED);
    else if (way == CONTAINS)
        go_through(j, count, CONTAINS);
    else if (way == BY_DISTANCE)
        go_through(j, count, BY_DISTANCE);
    else
        go_through(j, count, PLAIN);
    return seconds() - begin;
}

static int make_geometry(job *j, const double *vertex, uint64_t n)
{
    GEOSCoordSequence *sequence = GEOSCoordSeq_create_r(j->geos, (unsigned)n + 1, 2);
    if (!sequence)
        return 0;
    for (uint64_t i = 0; i <= n; i++)
        GEOSCoordSeq_setXY_r(j->geos, sequence, (unsigned)i, vertex[2 * (i % n)], vertex[2 * (i % n) + 1]);
    j->ring = GEOSGeom_createLinearRing_r(j->geos, sequence);
    GEOSGeometry *copy = j->ring ? GEOSGeom_clone_r(j->geos, j->ring) : NULL;
    j->polygon = copy ? GEOSGeom_createPolygon_r(j->geos, copy, NULL, 0) : NULL;
    if (!j->polygon)
        return 0;
    j->fast_ring = GEOSPrepare_r(j->geos, j->ring);
    j->fast_polygon = GEOSPrepare_r(j->geos, j->polygon);
    return j->fast_ring && j->fast_polygon;
}

static double *read_job(const char *path, uint64_t head[2])
{
    FILE *file = fopen(path, "rb");
    if (!file)
        return NULL;
    double *data = NULL;
    if (fread(head, sizeof *head, 2, file) == 2 && head[0] >= 3 && head[0] < 1u << 24 && head[1] < 1u << 28) {
        size_t count = 2 * (size_t)(head[0] + head[1]);
        data = malloc(count * sizeof *data);
        if (data && fread(data, sizeof *data, count, file) != count) {
            free(data);
            data = NULL;
        }
    }
    fclose(file);
    return data;
}

int main(int argc, char **argv)
{
    uint64_t head[2];
    double *data = argc == 2 ? read_job(argv[1], head) : NULL;
    if (!data) {
        fprintf(stderr, "geos: cannot read the polygon and the points; usage: geos FILE\n");
        return 1;
    }
    job j = {.geos = GEOS_init_r(), .count = head[1], .point = data + 2 * head[0]};
    if (!make_geometry(&j, data, head[0])) {
        fprintf(stderr, "geos: GEOS refuses the polygon\n");
        return 1;
    }
    /* indices are made at the first query, so every way goes twice through a few points */
    uint64_t few = j.count < 5000 ? j.count : 5000;
    int best = 0;
    double least = 0;
    for (int way = 0; way < WAYS; way++) {
        time_way(&j, few, way);
        double time = time_way(&j, few, way);
        if (way == 0 || time < least) {
            least = time;
            best = way;
        }
    }
    double time = time_way(&j, j.count, best);
    printf("version %s\nway %s\nseconds %.17g\nsum %.17g\nmoment %.17g\n", GEOSversion(), way_name[best], time,
           j.sum[0], j.sum[1]);
    GEOSPreparedGeom_destroy_r(j.geos, j.fast_ring);
    GEOSPreparedGeom_destroy_r(j.geos, j.fast_polygon);
    GEOSGeom_destroy_r(j.geos, j.ring);
    GEOSGeom_destroy_r(j.geos, j.polygon);
    GEOS_finish_r(j.geos);
    free(data);
    return 0;
}
