/* SPDX-License-Identifier: MIT */
#include "shape/remesh_work.h"

/* Rounds of all four passes; rounds at the end in which the number of vertices stays, and tries to reach it. */
enum { ROUNDS = 8, LAST_ROUNDS = 4, TRIES = 12 };
/* Edges beyond these shares of the wished length are split or collapsed: then both halves, or the merged edges, are
 * nearer to it than before. */
static const double too_long = 4.0 / 3, too_short = 4.0 / 5;
/* φ at a vertex, over the body's length. */
static const double tolerance = 1e-11;

/* Twice as many equilateral triangles as vertices cover the area. */
static double length_of(double area, size_t vertices)
{
    return sqrt(2 * area / (sqrt(3) * (double)vertices));
}

static ts_status settle(ts_remesh_work *w, ts_error *error)
{
    ts_remesh_compact(w);
    ts_remesh_flip_pass(w);
    TS_TRY(ts_remesh_relax_pass(w, error));
    ts_remesh_flip_pass(w);
    return TS_OK;
}

/* From a lattice's surface, which has many times the vertices that are wished, to some more than that. */
static ts_status thin_out(ts_remesh_work *w, size_t wished, ts_error *error)
{
    w->length = length_of(ts_remesh_area_of(w), wished);
    const ts_remesh_guard guard = {.turn = 0.3, .facing = 0.3, .quality = 0.15, .loss = 0.4, .longest = w->length};
    for (size_t before = SIZE_MAX; w->vertices > 2 * wished && w->vertices < before;) {
        before = w->vertices;
        TS_TRY(ts_remesh_collapse_pass(w, too_short * w->length, &guard, 2 * wished, error));
    }
    return TS_OK;
}

/* About as many vertices as wished. `share`: of the length of equilateral triangles, corrected from round to round. */
static ts_status approach(ts_remesh_work *w, size_t wished, double *share, ts_error *error)
{
    ts_remesh_size_pass(w);
    w->length = *share * length_of(ts_remesh_area_of(w), wished);
    const ts_remesh_guard guard = {
        .turn = 0.3, .facing = 0.3, .quality = 0.15, .loss = 0.4, .longest = too_long * w->length};
    TS_TRY(ts_remesh_split_pass(w, too_long * w->length, SIZE_MAX, error));
    TS_TRY(ts_remesh_collapse_pass(w, too_short * w->length, &guard, 4, error));
    TS_TRY(settle(w, error));
    *share *= fmin(fmax(sqrt((double)w->vertices / (double)wished), 0.8), 1.25);
    *share = fmin(fmax(*share, 0.3), 3);
    return TS_OK;
}

/* Exactly as many, by single splits of the longest edges and collapses of the shortest. */
static ts_status reach(ts_remesh_work *w, size_t wished, ts_error *error)
{
    for (int attempt = 0; attempt < TRIES && w->vertices != wished; attempt++) {
        const bool last = attempt >= TRIES / 2; /* what could not be had with good triangles */
        const ts_remesh_guard guard = {.turn = last ? 0.05 : 0.3,
                                       .facing = 0.2,
                                       .quality = last ? 0.02 : 0.15,
                                       .loss = last ? HUGE_VAL : 0.6,
                                       .longest = HUGE_VAL};
        TS_TRY(ts_remesh_split_pass(w, 0, wished, error));
        TS_TRY(ts_remesh_collapse_pass(w, HUGE_VAL, &guard, wished, error));
        TS_TRY(settle(w, error));
    }
    if (w->vertices > wished)
        return ts_fail(
            error, TS_BAD_INPUT,
            "a mesh of %zu vertices cannot show this surface: with fewer than %zu its triangles would turn over "
            "or its parts vanish; wish for more",
            wished, w->vertices);
    if (w->vertices < wished)
        return ts_fail(error, TS_BAD_INPUT,
                       "a mesh cannot get %zu vertices: past %zu no edge can be split without a triangle turning over; "
                       "wish for fewer",
                       wished, w->vertices);
    return TS_OK;
}

/* All vertices, and their normals. */
static ts_status put_on_surface(ts_remesh_work *w, double reach, ts_error *error)
{
    ts_remesh_project(w, w->spot.item, w->spot.count, reach);
    for (size_t v = 0; v < w->spot.count; v++) {
        const ts_spot *s = &w->spot.item[v];
        if (!(ts_vec3_length_squared(s->normal) > 0))
            return ts_fail(error, TS_BAD_INPUT,
                           "no point of the surface is found near (%g, %g, %g), a vertex of its mesh; give more cells, "
                           "or more smoothing",
                           s->at.x, s->at.y, s->at.z);
    }
    return TS_OK;
}

static ts_status remesh(ts_remesh_work *w, size_t wished, ts_error *error)
{
    double share = 1;
    w->length = length_of(ts_remesh_area_of(w), w->vertices);
    TS_TRY(put_on_surface(w, 4 * w->length, error));
    TS_TRY(thin_out(w, wished, error));
    for (int round = 0; round < ROUNDS; round++)
        TS_TRY(approach(w, wished, &share, error));
    TS_TRY(reach(w, wished, error));
    for (int round = 0; round < LAST_ROUNDS; round++)
        TS_TRY(settle(w, error));
    return TS_OK;
}

ts_status ts_remesh(const ts_mesh *from, const ts_sdf *sdf, const ts_sdf_rule *rule, size_t vertices, ts_mesh **mesh,
                    ts_error *error)
{
    TS_AUTO(ts_remesh_end) ts_remesh_work w = {.sdf = sdf, .rule = *rule, .tolerance = tolerance * ts_sdf_length(sdf)};
    if (vertices < 4)
        return ts_fail(error, TS_BAD_INPUT, "a mesh of %zu vertices is wished for, but a closed one has at least 4",
                       vertices);
    TS_TRY(ts_remesh_begin(&w, from, error));
    TS_TRY(remesh(&w, vertices, error));
    return ts_remesh_give(&w, mesh, error);
}
