/* SPDX-License-Identifier: MIT */
/* Qhull's reentrant library behind ts_hull_find_loops.
 *
 * Qhull leaves by longjmp when something is wrong; qh_new_qhull catches that itself and hands out a code. Afterwards
 * nothing of Qhull's is called that could fail, since it would then end the program: its lists are read, and freed.
 * What it prints goes to a stream in memory. */
#include "shape/hull_loops.h"

void ts_hull_loops_free(ts_hull_loops *loops)
{
    ts_array_free(&loops->corner);
    ts_array_free(&loops->begin);
}

#if TS_WITH_QHULL

#include <libqhull_r/libqhull_r.h>
#include <string.h>

/* Two ends of each corner's edges in the face at hand; -1: none. */
typedef int32_t ends[2];

static bool join(ends *end, int32_t from, int32_t to)
{
    int slot = end[from][0] < 0 ? 0 : 1;
    if (end[from][slot] >= 0)
        return false;
    end[from][slot] = to;
    return true;
}

/* Which point a vertex is; -1 when Qhull does not know. */
static int32_t index_of(qhT *qh, const vertexT *vertex, size_t count)
{
    int id = qh_pointid(qh, vertex->point);
    return id >= 0 && (size_t)id < count ? id : -1;
}

/* The other facets' ridges are the edges around a facet that was merged; between triangles there may be none. */
static bool join_ridges(qhT *qh, const facetT *facet, size_t count, ends *end)
{
    ridgeT *ridge, **ridgep;
    FOREACHridge_(facet->ridges)
    {
        if (!ridge->vertices || !SETfirst_(ridge->vertices) || !SETsecond_(ridge->vertices))
            return false;
        int32_t a = index_of(qh, SETfirst_(ridge->vertices), count);
        int32_t b = index_of(qh, SETsecond_(ridge->vertices), count);
        if (a < 0 || b < 0 || !join(end, a, b) || !join(end, b, a))
            return false;
    }
    return true;
}

static bool join_triangle(qhT *qh, const facetT *facet, size_t count, ends *end)
{
    int32_t corner[3];
    int n = 0;
    vertexT *vertex, **vertexp;
    FOREACHvertex_(facet->vertices)
    {
        if (n == 3 || (corner[n++] = index_of(qh, vertex, count)) < 0)
            return false;
    }
    for (int i = 0; i < 3 && n == 3; i++)
        if (!join(end, corner[i], corner[(i + 1) % 3]) || !join(end, corner[(i + 1) % 3], corner[i]))
            return false;
    return n == 3;
}

/* Twice the area of the loop, seen along the facet's normal: positive when its corners are counter-clockwise from
 * outside. */
static double area_along(const double *normal, const double (*point)[3], const int32_t *corner, size_t count)
{
    double sum = 0;
    const double *o = point[corner[0]];
    for (size_t i = 1; i + 1 < count; i++) {
        const double *a = point[corner[i]], *b = point[corner[i + 1]];
        double u[3] = {a[0] - o[0], a[1] - o[1], a[2] - o[2]}, v[3] = {b[0] - o[0], b[1] - o[1], b[2] - o[2]};
        sum += normal[0] * (u[1] * v[2] - u[2] * v[1]) + normal[1] * (u[2] * v[0] - u[0] * v[2]) +
               normal[2] * (u[0] * v[1] - u[1] * v[0]);
    }
    return sum;
}

/* Adds the loop around a facet. *whole: it is one loop through all corners. */
static ts_status add_loop(const facetT *facet, size_t corners, double (*point)[3], ends *end, ts_hull_loops *loops,
                          int32_t first, bool *whole, ts_error *error)
{
    size_t begin = loops->corner.count;
    int32_t before = -1, at = first;
    *whole = false;
    do {
        if (loops->corner.count - begin == corners)
            return TS_OK;
        TS_TRY(ts_array_push(&loops->corner, at, error));
        int32_t next = end[at][0] != before ? end[at][0] : end[at][1];
        if (next < 0)
            return TS_OK;
        before = at;
        at = next;
    } while (at != first);
    size_t length = loops->corner.count - begin;
    int32_t *corner = loops->corner.item + begin;
    if (length < 3 || length != corners)
        return TS_OK;
    double area = area_along(facet->normal, (const double(*)[3])point, corner, length);
    for (size_t i = 0; area < 0 && i < length / 2; i++) {
        int32_t other = corner[length - 1 - i];
        corner[length - 1 - i] = corner[i];
        corner[i] = other;
    }
    *whole = area != 0;
    return TS_OK;
}

/* Reads one facet. `end` is all -1 before and afterwards. */
static ts_status read_facet(qhT *qh, const facetT *facet, double (*point)[3], size_t count, ends *end,
                            ts_hull_loops *loops, bool *whole, ts_error *error)
{
    *whole = facet->normal &&
             (facet->simplicial ? join_triangle(qh, facet, count, end) : join_ridges(qh, facet, count, end));
    int32_t first = -1;
    size_t corners = 0;
    vertexT *vertex, **vertexp;
    FOREACHvertex_(facet->vertices)
    {
        int32_t i = index_of(qh, vertex, count);
        if (i >= 0)
            first = i;
        corners++;
    }
    ts_status status = TS_OK;
    if (*whole && first >= 0)
        status = add_loop(facet, corners, point, end, loops, first, whole, error);
    FOREACHvertex_(facet->vertices)
    {
        int32_t i = index_of(qh, vertex, count);
        if (i >= 0)
            end[i][0] = end[i][1] = -1;
    }
    return status;
}

static ts_status read_facets(qhT *qh, double (*point)[3], size_t count, ts_hull_loops *loops, ts_error *error)
{
    ends *end;
    TS_TRY(ts_new_raw(&end, count, error));
    memset(end, -1, count * sizeof *end);
    ts_status status = TS_OK;
    bool whole = true;
    facetT *facet;
    FORALLfacets
    {
        if ((status = ts_array_push(&loops->begin, (int32_t)loops->corner.count, error)) != TS_OK)
            break;
        status = read_facet(qh, facet, point, count, end, loops, &whole, error);
        if (status != TS_OK || !whole)
            break;
    }
    if (status == TS_OK && whole)
        status = ts_array_push(&loops->begin, (int32_t)loops->corner.count, error);
    ts_free(end);
    if (status == TS_OK && !whole)
        status = ts_fail(error, TS_BAD_INPUT, "a face of the hull has no single loop around it");
    return status;
}

/* Qhull's code as a status, with the first line of its own words. */
static ts_status fail_qhull(int code, char *words, ts_error *error)
{
    if (code == qh_ERRmem)
        return ts_fail_memory(error, 0);
    words[strcspn(words, "\n")] = 0;
    return ts_fail(error, TS_BAD_INPUT, "Qhull finds no convex hull of the points (%s)",
                   *words ? words : "it does not say why");
}

ts_status ts_hull_find_loops(double (*point)[3], size_t count, ts_hull_loops *loops, ts_error *error)
{
    /* C-0: merge what rounding has left askew; C1e-8: at the end merge what is flat but for this; Q12: faces may be
     * wide then, the caller checks; Pp: no warnings of precision. */
    char command[] = "qhull C-0 C1e-8 Q12 Pp";
    char words[512] = ""; /* what does not fit is not missed */
    FILE *stream = fmemopen(words, sizeof words - 1, "w");
    qhT *qh = ts_alloc(1, sizeof *qh);
    if (!stream || !qh) {
        if (stream)
            fclose(stream);
        ts_free(qh);
        return ts_fail_memory(error, sizeof *qh);
    }
    qh_zero(qh, stream);
    int code = qh_new_qhull(qh, 3, (int)count, point[0], False, command, NULL, stream), unfreed, bytes;
    fflush(stream);
    ts_status status = code ? fail_qhull(code, words, error) : read_facets(qh, point, count, loops, error);
    qh_freeqhull(qh, !qh_ALL);
    qh_memfreeshort(qh, &unfreed, &bytes);
    fclose(stream);
    ts_free(qh);
    return status;
}

#else

ts_status ts_hull_find_loops(double (*point)[3], size_t count, ts_hull_loops *loops, ts_error *error)
{
    (void)point, (void)count, (void)loops;
    return ts_fail(
        error, TS_UNSUPPORTED,
        "this build of Touchstone makes no convex hulls; install libqhull-dev and build with -DTS_WITH_QHULL=ON");
}

#endif
