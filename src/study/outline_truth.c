/* SPDX-License-Identifier: MIT */
/* the reference is in long double on purpose */
#pragma GCC diagnostic ignored "-Wdouble-promotion"
#include "study/outline_truth.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/random.h"

static const long double pi = 3.14159265358979323846264338327950288L;

/* An edge as a slow reader wants it. */
typedef struct edge {
    long double x0, y0, x1, y1;
    long double cx, cy, r;    /* of an arc; r = 0: a line */
    long double start, sweep; /* [rad] */
} edge;

typedef struct edges {
    edge *item;
    size_t count;
} edges;

/* The arc over the chord p → q with bulge b: its height over the chord is h = b c / 2, on the right of the chord for b
 * > 0, and its radius follows from (c/2)² = h (2r - h). */
static void set_arc(edge *e, long double bulge)
{
    long double dx = e->x1 - e->x0, dy = e->y1 - e->y0, c = hypotl(dx, dy), h = fabsl(bulge) * c / 2;
    long double r = (c * c / 4 + h * h) / (2 * h), side = bulge > 0 ? 1 : -1;
    /* from the middle of the chord away from the arc: to the left for positive bulges */
    e->cx = (e->x0 + e->x1) / 2 - side * (r - h) * dy / c;
    e->cy = (e->y0 + e->y1) / 2 + side * (r - h) * dx / c;
    e->r = r;
    e->start = atan2l(e->y0 - e->cy, e->x0 - e->cx);
    long double end = atan2l(e->y1 - e->cy, e->x1 - e->cx), turn = end - e->start;
    while (side * turn <= 0)
        turn += side * 2 * pi;
    e->sweep = turn;
}

/* All edges, turned about the origin by `angle`. */
static ts_status read_edges(const ts_outline *outline, long double angle, edges *out, ts_error *error)
{
    long double cosine = angle == 0 ? 1 : cosl(angle), sine = angle == 0 ? 0 : sinl(angle);
    size_t count = 0, at = 0;
    for (size_t c = 0; c < ts_outline_contour_count(outline); c++)
        count += ts_outline_get_contour(outline, c).vertex_count;
    out->item = ts_alloc(count, sizeof *out->item);
    out->count = count;
    if (!out->item)
        return ts_fail_memory(error, count * sizeof *out->item);
    for (size_t c = 0; c < ts_outline_contour_count(outline); c++) {
        ts_contour contour = ts_outline_get_contour(outline, c);
        for (size_t i = 0; i < contour.vertex_count; i++) {
            const ts_vertex *p = &contour.vertex[i], *q = &contour.vertex[(i + 1) % contour.vertex_count];
            edge *e = &out->item[at++];
            *e = (edge){.x0 = cosine * p->x - sine * p->y,
                        .y0 = sine * p->x + cosine * p->y,
                        .x1 = cosine * q->x - sine * q->y,
                        .y1 = sine * q->x + cosine * q->y};
            if (p->bulge != 0)
                set_arc(e, p->bulge);
        }
    }
    return TS_OK;
}

/* Whether a direction lies within an arc. */
static bool in_sweep(const edge *e, long double angle)
{
    long double turn = angle - e->start;
    if (e->sweep < 0)
        turn = -turn;
    turn -= 2 * pi * floorl(turn / (2 * pi));
    return turn <= fabsl(e->sweep);
}

/* Where the horizontal line at y crosses the edges: x into `at`, room for two an edge; returns how many. */
static size_t crossings(const edges *list, long double y, double *at)
{
    size_t count = 0;
    for (size_t i = 0; i < list->count; i++) {
        const edge *e = &list->item[i];
        if (e->r == 0) {
            if ((e->y0 <= y) != (e->y1 <= y))
                at[count++] = (double)(e->x0 + (y - e->y0) / (e->y1 - e->y0) * (e->x1 - e->x0));
            continue;
        }
        long double sine = (y - e->cy) / e->r;
        if (!(fabsl(sine) < 1))
            continue;
        long double angle = asinl(sine), half = sqrtl(1 - sine * sine) * e->r;
        if (in_sweep(e, angle))
            at[count++] = (double)(e->cx + half);
        if (in_sweep(e, pi - angle))
            at[count++] = (double)(e->cx - half);
    }
    return count;
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* ---- Monte Carlo ---- */

typedef struct sums {
    double inside, x, y, square; /* of points inside, relative to the box's middle */
} sums;

typedef struct mass_job {
    edges list;
    double x, y, width, height; /* the box */
    int rows, columns;
    uint64_t seed;
    double *crossing; /* 2 · edges for each thread */
    sums *row;        /* (rows) */
} mass_job;

static void throw_row(void *context, int row, int thread)
{
    const mass_job *j = context;
    double *at = j->crossing + (size_t)thread * 2 * j->list.count;
    double cell_w = j->width / j->columns, cell_h = j->height / j->rows;
    ts_random random = ts_random_make(j->seed, (uint64_t)row);
    double y = j->y + (row + ts_random_next_uniform(&random)) * cell_h;
    size_t count = crossings(&j->list, y, at), k = 0;
    qsort(at, count, sizeof *at, by_value);
    sums s = {0};
    double middle_x = j->x + 0.5 * j->width, dy = y - (j->y + 0.5 * j->height);
    for (int i = 0; i < j->columns; i++) {
        double x = j->x + (i + ts_random_next_uniform(&random)) * cell_w;
        while (k < count && at[k] < x)
            k++;
        if (k % 2 == 0)
            continue;
        double dx = x - middle_x;
        s.inside += 1;
        s.x += dx;
        s.y += dy;
        s.square += dx * dx + dy * dy;
    }
    j->row[row] = s;
}

ts_status ts_truth_mass(const ts_outline *outline, int rows, int columns, uint64_t seed, ts_pool *pool,
                        ts_outline_mass *mass, ts_error *error)
{
    mass_job j = {.rows = rows, .columns = columns, .seed = seed};
    /* turned by any angle, so that no edge lies along the rows: all points of a row have the same height */
    double angle = ts_random_uniform(seed, 1u << 20, 0) + 0.3;
    TS_TRY(read_edges(outline, angle, &j.list, error));
    size_t threads = (size_t)ts_pool_thread_count(pool);
    j.crossing = ts_alloc(2 * j.list.count * threads, sizeof *j.crossing);
    j.row = ts_alloc((size_t)rows, sizeof *j.row);
    if (!j.crossing || !j.row) {
        ts_free(j.list.item);
        ts_free(j.crossing);
        ts_free(j.row);
        return ts_fail_memory(error, 2 * j.list.count * threads * sizeof *j.crossing);
    }
    /* the box of end points, and of whole circles where there are arcs */
    long double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
    for (size_t i = 0; i < j.list.count; i++) {
        const edge *e = &j.list.item[i];
        bool reaches[4] = {e->r > 0 && in_sweep(e, 0), e->r > 0 && in_sweep(e, pi / 2), e->r > 0 && in_sweep(e, pi),
                           e->r > 0 && in_sweep(e, -pi / 2)};
        high[0] = fmaxl(high[0], reaches[0] ? e->cx + e->r : e->x0);
        high[1] = fmaxl(high[1], reaches[1] ? e->cy + e->r : e->y0);
        low[0] = fminl(low[0], reaches[2] ? e->cx - e->r : e->x0);
        low[1] = fminl(low[1], reaches[3] ? e->cy - e->r : e->y0);
    }
    j.x = (double)low[0];
    j.y = (double)low[1];
    j.width = (double)(high[0] - low[0]);
    j.height = (double)(high[1] - low[1]);
    ts_pool_run(pool, rows, throw_row, &j);

    sums all = {0};
    for (int i = 0; i < rows; i++) {
        all.inside += j.row[i].inside;
        all.x += j.row[i].x;
        all.y += j.row[i].y;
        all.square += j.row[i].square;
    }
    double share = 1 / ((double)rows * columns), x = all.x / all.inside, y = all.y / all.inside;
    mass->area = all.inside * share * j.width * j.height;
    double middle_x = j.x + 0.5 * j.width + x, middle_y = j.y + 0.5 * j.height + y;
    mass->centre[0] = cos(angle) * middle_x + sin(angle) * middle_y;
    mass->centre[1] = cos(angle) * middle_y - sin(angle) * middle_x;
    mass->inertia = (all.square / all.inside - x * x - y * y) * mass->area;
    mass->radius = 0;
    ts_free(j.list.item);
    ts_free(j.crossing);
    ts_free(j.row);
    return TS_OK;
}

ts_status ts_truth_radius(const ts_outline *outline, double x, double y, double *radius, ts_error *error)
{
    edges list;
    TS_TRY(read_edges(outline, 0, &list, error));
    long double most = 0;
    for (size_t i = 0; i < list.count; i++) {
        const edge *e = &list.item[i];
        most = fmaxl(most, hypotl(e->x0 - x, e->y0 - y));
        /* of a whole circle the farthest point lies beyond its centre */
        if (e->r > 0 && in_sweep(e, atan2l(e->cy - y, e->cx - x)))
            most = fmaxl(most, hypotl(e->cx - x, e->cy - y) + e->r);
    }
    ts_free(list.item);
    *radius = (double)most;
    return TS_OK;
}

/* ---- Distance ---- */

/* The distance, or something that is not less than `best` when the distance is not either. */
static long double edge_distance(const edge *e, long double x, long double y, long double best)
{
    if (e->r == 0) {
        long double dx = e->x1 - e->x0, dy = e->y1 - e->y0;
        long double t = ((x - e->x0) * dx + (y - e->y0) * dy) / (dx * dx + dy * dy);
        t = t < 0 ? 0 : t > 1 ? 1 : t;
        return hypotl(x - e->x0 - t * dx, y - e->y0 - t * dy);
    }
    long double ring = fabsl(sqrtl((x - e->cx) * (x - e->cx) + (y - e->cy) * (y - e->cy)) - e->r);
    if (ring >= best || in_sweep(e, atan2l(y - e->cy, x - e->cx))) /* no point of an arc is nearer than its circle */
        return ring;
    return fminl(hypotl(x - e->x0, y - e->y0), hypotl(x - e->x1, y - e->y1));
}

enum { BLOCK = 500 };

typedef struct compare_job {
    const ts_outline *outline;
    edges list;
    ts_outline_mass mass;
    size_t count;
    uint64_t seed;
    double *crossing;        /* 2 · edges for each thread */
    ts_truth_distance *part; /* one a block */
} compare_job;

static void compare_block(void *context, int block, int thread)
{
    const compare_job *j = context;
    ts_truth_distance part = {0};
    ts_random random = ts_random_make(j->seed, (uint64_t)block);
    double x[BLOCK] = {0}, y[BLOCK] = {0}, d[BLOCK], cx[BLOCK], cy[BLOCK], radius = j->mass.radius;
    double *at = j->crossing + (size_t)thread * 2 * j->list.count;
    size_t begin = (size_t)block * BLOCK, count = j->count - begin < BLOCK ? j->count - begin : BLOCK;
    for (size_t i = 0; i < count; i++) {
        x[i] = j->mass.centre[0] + ts_random_next_range(&random, -2 * radius, 2 * radius);
        y[i] = j->mass.centre[1] + ts_random_next_range(&random, -2 * radius, 2 * radius);
        if (i % 8 == 1) { /* around vertices, where edges must agree on the sign */
            const edge *e = &j->list.item[ts_random_next_below(&random, j->list.count)];
            double away = radius * pow(10, ts_random_next_range(&random, -8, -1)),
                   turn = ts_random_next_range(&random, 0, 6.3);
            x[i] = (double)e->x0 + away * cos(turn);
            y[i] = (double)e->y0 + away * sin(turn);
        }
        if (i % 4 == 0) { /* next to the boundary, where it matters */
            ts_outline_distance(j->outline, 1, &x[i], &y[i], NULL, &cx[i], &cy[i]);
            double away = 0.02 * radius * ts_random_next_range(&random, -1, 1),
                   turn = ts_random_next_range(&random, 0, 6.3);
            x[i] = cx[i] + away * cos(turn);
            y[i] = cy[i] + away * sin(turn);
        }
    }
    ts_outline_distance(j->outline, count, x, y, d, cx, cy);
    for (size_t i = 0; i < count; i++) {
        long double best = INFINITY;
        bool arc = false;
        for (size_t k = 0; k < j->list.count; k++) {
            long double distance = edge_distance(&j->list.item[k], x[i], y[i], best);
            if (distance < best) {
                best = distance;
                arc = j->list.item[k].r > 0;
            }
        }
        size_t right = 0, crossed = crossings(&j->list, y[i], at);
        for (size_t k = 0; k < crossed; k++)
            right += at[k] > x[i];
        bool inside = right % 2 == 1;
        double error = (double)(fabsl(fabsl(d[i]) - best) / radius);
        double off = (double)(fabsl(hypotl((long double)x[i] - cx[i], (long double)y[i] - cy[i]) - best) / radius);
        *(arc ? &part.arc_error : &part.line_error) = fmax(arc ? part.arc_error : part.line_error, error);
        *(arc ? &part.arcs : &part.lines) += 1;
        part.point_error = fmax(part.point_error, off);
        part.wrong_sides += best > 1e-9L * radius && (d[i] < 0) != inside;
    }
    j->part[block] = part;
}

ts_status ts_truth_compare(const ts_outline *outline, size_t count, uint64_t seed, ts_pool *pool,
                           ts_truth_distance *result, ts_error *error)
{
    compare_job j = {.outline = outline, .mass = ts_outline_get_mass(outline), .count = count, .seed = seed};
    TS_TRY(read_edges(outline, 0, &j.list, error));
    size_t blocks = (count + BLOCK - 1) / BLOCK, threads = (size_t)ts_pool_thread_count(pool);
    j.crossing = ts_alloc(2 * j.list.count * threads, sizeof *j.crossing);
    j.part = ts_alloc(blocks, sizeof *j.part);
    bool good = j.crossing && j.part;
    *result = (ts_truth_distance){0};
    if (good)
        ts_pool_run(pool, (int)blocks, compare_block, &j);
    for (size_t i = 0; good && i < blocks; i++) {
        result->line_error = fmax(result->line_error, j.part[i].line_error);
        result->arc_error = fmax(result->arc_error, j.part[i].arc_error);
        result->point_error = fmax(result->point_error, j.part[i].point_error);
        result->wrong_sides += j.part[i].wrong_sides;
        result->lines += j.part[i].lines;
        result->arcs += j.part[i].arcs;
    }
    ts_free(j.list.item);
    ts_free(j.crossing);
    ts_free(j.part);
    return good ? TS_OK : ts_fail_memory(error, 2 * j.list.count * threads * sizeof *j.crossing);
}
