/* SPDX-License-Identifier: MIT */
/* The mesh in the fit's own scale, and its signed distances on a grid.
 *
 * Only nodes near the surface are asked how far it is. All others lie in regions that the surface does not cross, and one
 * question tells the side of a whole region; next to holes a region may leak, so in a flawed mesh each node is asked. */
#include <math.h>
#include <string.h>

#include "base/check.h"
#include "base/random.h"
#include "shape/fit_parts.h"
#include "shape/mesh_repair.h"

#define CELLS_WISHED 300000.0 /* in the mesh's box, when nobody says */
#define CELLS_LEAST  32
#define CELLS_MOST   160
#define MARGIN       3 /* cells around the box */

/* ---- The mesh ---- */

static ts_status check(const ts_mesh *mesh, ts_error *error)
{
    if (mesh->triangle_count == 0)
        return ts_fail(error, TS_BAD_INPUT,
                       "the mesh is empty: it has no triangles; give a surface that encloses a body");
    for (size_t i = 0; i < mesh->triangle_count; i++)
        for (int k = 0; k < 3; k++) {
            const int32_t c = mesh->triangle[i][k];
            if (c < 0 || (size_t)c >= mesh->vertex_count)
                return ts_fail(error, TS_BAD_INPUT,
                               "triangle %zu refers to vertex %d, but there are %zu; mend the mesh", i + 1, c,
                               mesh->vertex_count);
            const ts_vec3 p = mesh->vertex[c];
            if (!(fabs(p.x) < TS_MAGNITUDE_MAX && fabs(p.y) < TS_MAGNITUDE_MAX && fabs(p.z) < TS_MAGNITUDE_MAX))
                return ts_fail(error, TS_BAD_INPUT,
                               "vertex %d is (%g, %g, %g); coordinates must be finite; mend the mesh", c + 1, p.x, p.y,
                               p.z);
        }
    return TS_OK;
}

/* Of what triangles use. */
static ts_box3 box_of(const ts_mesh *mesh)
{
    ts_box3 box = ts_box3_none();
    for (size_t i = 0; i < mesh->triangle_count; i++)
        for (int k = 0; k < 3; k++) {
            const ts_vec3 p = mesh->vertex[mesh->triangle[i][k]];
            box = ts_box3_join(box, (ts_box3){p, p});
        }
    return box;
}

static double area_of(const ts_mesh *mesh)
{
    double area = 0;
    for (size_t i = 0; i < mesh->triangle_count; i++) {
        const ts_vec3 a = mesh->vertex[mesh->triangle[i][0]];
        const ts_vec3 u = ts_vec3_sub(mesh->vertex[mesh->triangle[i][1]], a);
        const ts_vec3 v = ts_vec3_sub(mesh->vertex[mesh->triangle[i][2]], a);
        area += 0.5 * ts_vec3_length(ts_vec3_cross(u, v));
    }
    return area;
}

static void turn_over(ts_mesh *mesh)
{
    for (size_t i = 0; i < mesh->triangle_count; i++) {
        const int32_t c = mesh->triangle[i][1];
        mesh->triangle[i][1] = mesh->triangle[i][2];
        mesh->triangle[i][2] = c;
    }
}

static ts_status make_tree(ts_fit_solid *solid, ts_error *error)
{
    ts_mesh *clean = NULL;
    ts_error why;
    const ts_status status = ts_mesh_repair(solid->mesh, NULL, NULL, &clean, &why);
    if (status == TS_OUT_OF_MEMORY)
        return ts_fail_memory(error, 0);
    if (status == TS_OK) {
        ts_mesh_free(solid->mesh);
        solid->mesh = clean;
        return ts_mesh_tree_create(clean, &solid->tree, error);
    }
    solid->flawed = true;
    TS_TRY(ts_mesh_tree_create_flawed(solid->mesh, &solid->tree, error));
    if (ts_mesh_tree_volume(solid->tree) >= 0)
        return TS_OK;
    turn_over(solid->mesh);
    ts_mesh_tree_free(ts_give(&solid->tree));
    return ts_mesh_tree_create_flawed(solid->mesh, &solid->tree, error);
}

ts_status ts_fit_solid_make(const ts_mesh *mesh, ts_fit_solid *solid, ts_error *error)
{
    TS_TRY(check(mesh, error));
    const ts_box3 box = box_of(mesh);
    const ts_vec3 span = ts_vec3_sub(box.high, box.low);
    *solid = (ts_fit_solid){.middle = ts_vec3_scale(ts_vec3_add(box.low, box.high), 0.5),
                            .length = fmax(span.x, fmax(span.y, span.z))};
    if (!(fmin(span.x, fmin(span.y, span.z)) > 1e-9 * solid->length))
        return ts_fail(error, TS_BAD_INPUT,
                       "the mesh is flat: its box measures %g × %g × %g; give a surface that encloses a body", span.x,
                       span.y, span.z);
    TS_TRY(ts_mesh_copy(mesh, &solid->mesh, error));
    for (size_t i = 0; i < mesh->vertex_count; i++) {
        /* vertices that no triangle uses may be anywhere */
        const ts_vec3 p = ts_vec3_scale(ts_vec3_sub(mesh->vertex[i], solid->middle), 1 / solid->length);
        const bool sane = fabs(p.x) <= 1 && fabs(p.y) <= 1 && fabs(p.z) <= 1;
        solid->mesh->vertex[i] = sane ? p : (ts_vec3){0, 0, 0};
    }
    solid->area = area_of(solid->mesh);
    return make_tree(solid, error);
}

void ts_fit_solid_release(ts_fit_solid *solid)
{
    ts_mesh_free(solid->mesh);
    ts_mesh_tree_free(solid->tree);
    *solid = (ts_fit_solid){0};
}

/* ---- Points on it ---- */

/* On a flawed mesh: whether there is matter on one side only. */
static bool divides(const ts_fit_solid *solid, ts_vec3 p, ts_vec3 normal)
{
    const double away = 1e-4;
    const bool before = ts_mesh_tree_winding(solid->tree, ts_vec3_add_scaled(p, normal, away)) < 0.5;
    return before != (ts_mesh_tree_winding(solid->tree, ts_vec3_add_scaled(p, normal, -away)) < 0.5);
}

ts_status ts_fit_scatter(const ts_fit_solid *solid, size_t wanted, uint64_t seed, double *const to[3], size_t *count,
                         ts_error *error)
{
    const ts_mesh *mesh = solid->mesh;
    TS_AUTO_FREE double *until = NULL; /* area up to and with each triangle */
    TS_TRY(ts_new_raw(&until, mesh->triangle_count, error));
    double area = 0;
    for (size_t i = 0; i < mesh->triangle_count; i++) {
        const ts_vec3 a = mesh->vertex[mesh->triangle[i][0]];
        const ts_vec3 u = ts_vec3_sub(mesh->vertex[mesh->triangle[i][1]], a);
        const ts_vec3 v = ts_vec3_sub(mesh->vertex[mesh->triangle[i][2]], a);
        area += 0.5 * ts_vec3_length(ts_vec3_cross(u, v));
        until[i] = area;
    }
    ts_random random = ts_random_make(seed, 0);
    size_t triangle = 0, found = 0;
    for (size_t i = 0; i < wanted; i++) {
        /* one in each share of the area */
        const double at = ((double)i + ts_random_next_uniform(&random)) / (double)wanted * area;
        double s = ts_random_next_uniform(&random), t = ts_random_next_uniform(&random);
        while (triangle + 1 < mesh->triangle_count && until[triangle] <= at)
            triangle++;
        if (s + t > 1) {
            s = 1 - s;
            t = 1 - t;
        }
        const ts_vec3 a = mesh->vertex[mesh->triangle[triangle][0]];
        const ts_vec3 u = ts_vec3_sub(mesh->vertex[mesh->triangle[triangle][1]], a);
        const ts_vec3 v = ts_vec3_sub(mesh->vertex[mesh->triangle[triangle][2]], a);
        const ts_vec3 p = ts_vec3_add_scaled(ts_vec3_add_scaled(a, u, s), v, t);
        if (solid->flawed && !divides(solid, p, ts_vec3_unit(ts_vec3_cross(u, v))))
            continue;
        to[0][found] = p.x;
        to[1][found] = p.y;
        to[2][found++] = p.z;
    }
    *count = found;
    return TS_OK;
}

/* ---- The grid ---- */

static int32_t node_of(double x, double origin, double cell, int32_t size, bool up)
{
    const double i = up ? ceil((x - origin) / cell) : floor((x - origin) / cell);
    return i < 0 ? 0 : i > size - 1 ? size - 1 : (int32_t)i;
}

/* Marks in `state` the nodes that may lie within the band about a triangle: those in its box, made larger. */
static void mark_band(const ts_fit_solid *solid, ts_fit_grid *g)
{
    const double band = TS_FIT_BAND * g->cell;
    const ts_mesh *mesh = solid->mesh;
    for (size_t t = 0; t < mesh->triangle_count; t++) {
        ts_box3 box = ts_box3_none();
        for (int k = 0; k < 3; k++) {
            const ts_vec3 p = mesh->vertex[mesh->triangle[t][k]];
            box = ts_box3_join(box, (ts_box3){p, p});
        }
        const int32_t x0 = node_of(box.low.x - band, g->origin.x, g->cell, g->size[0], true);
        const int32_t x1 = node_of(box.high.x + band, g->origin.x, g->cell, g->size[0], false);
        const int32_t y0 = node_of(box.low.y - band, g->origin.y, g->cell, g->size[1], true);
        const int32_t y1 = node_of(box.high.y + band, g->origin.y, g->cell, g->size[1], false);
        const int32_t z0 = node_of(box.low.z - band, g->origin.z, g->cell, g->size[2], true);
        const int32_t z1 = node_of(box.high.z + band, g->origin.z, g->cell, g->size[2], false);
        for (int32_t k = z0; k <= z1; k++)
            for (int32_t j = y0; j <= y1; j++)
                if (x1 >= x0)
                    memset(&g->state[ts_fit_index(g, x0, j, k)], 1, (size_t)x1 + 1 - (size_t)x0);
    }
}

typedef struct layers {
    const ts_fit_solid *solid;
    ts_fit_grid *grid;
} layers;

/* Distances in one layer of nodes; far ones of a sound mesh are left for later. */
static void fill_layer(void *context, int layer, int thread)
{
    const layers *l = context;
    ts_fit_grid *g = l->grid;
    const double band = TS_FIT_BAND * g->cell;
    int32_t near = -1;
    (void)thread;
    for (int32_t j = 0; j < g->size[1]; j++)
        for (int32_t i = 0; i < g->size[0]; i++) {
            const size_t at = ts_fit_index(g, i, j, layer);
            const ts_vec3 p = ts_fit_node(g, i, j, layer);
            double d = band;
            if (g->state[at]) {
                const ts_mesh_nearest n = ts_mesh_tree_nearest_from(l->solid->tree, p, near);
                near = n.triangle;
                d = fmin(fmax(n.distance, -band), band);
            } else if (l->solid->flawed && ts_mesh_tree_winding(l->solid->tree, p) > 0.5) {
                d = -band;
            }
            g->distance[at] = (float)d;
        }
}

/* Gives each connected region of nodes that are not marked the sign of its first one. */
static ts_status fill_regions(const ts_fit_solid *solid, ts_fit_grid *g, ts_error *error)
{
    TS_AUTO_FREE int32_t *stack = NULL;
    TS_TRY(ts_new_raw(&stack, g->count, error));
    const size_t row = (size_t)g->size[0], layer = row * (size_t)g->size[1];
    for (size_t first = 0; first < g->count; first++) {
        if (g->state[first])
            continue;
        const int32_t k = (int32_t)(first / layer), j = (int32_t)(first % layer / row), i = (int32_t)(first % row);
        const bool inside = ts_mesh_tree_nearest(solid->tree, ts_fit_node(g, i, j, k)).distance < 0;
        size_t height = 0;
        stack[height++] = (int32_t)first;
        g->state[first] = 1;
        while (height > 0) {
            const size_t at = (size_t)stack[--height];
            const size_t x = at % row, y = at % layer / row, z = at / layer;
            if (inside)
                g->distance[at] = -g->distance[at];
            const struct {
                bool there;
                size_t at;
            } next[6] = {{x > 0, at - 1},     {x + 1 < row, at + 1},
                         {y > 0, at - row},   {y + 1 < (size_t)g->size[1], at + row},
                         {z > 0, at - layer}, {z + 1 < (size_t)g->size[2], at + layer}};
            for (int n = 0; n < 6; n++)
                if (next[n].there && !g->state[next[n].at]) {
                    g->state[next[n].at] = 1;
                    stack[height++] = (int32_t)next[n].at;
                }
        }
    }
    return TS_OK;
}

static int choose_cells(const ts_fit_solid *solid)
{
    const ts_box3 box = box_of(solid->mesh);
    const ts_vec3 span = ts_vec3_sub(box.high, box.low);
    /* thin boxes count as a tenth of their length across */
    const double volume = fmax(span.x, 0.1) * fmax(span.y, 0.1) * fmax(span.z, 0.1);
    return (int)fmin(fmax(cbrt(CELLS_WISHED / volume), CELLS_LEAST), CELLS_MOST);
}

ts_status ts_fit_grid_make(const ts_fit_solid *solid, int cells, ts_pool *pool, ts_fit_grid *grid, ts_error *error)
{
    if (cells == 0)
        cells = choose_cells(solid);
    const ts_box3 box = box_of(solid->mesh);
    const double low[3] = {box.low.x, box.low.y, box.low.z}, high[3] = {box.high.x, box.high.y, box.high.z};
    double origin[3];
    *grid = (ts_fit_grid){.cell = 1.0 / cells, .count = 1};
    for (int k = 0; k < 3; k++) {
        const int32_t inner = (int32_t)ceil((high[k] - low[k]) * cells - 1e-9);
        grid->size[k] = inner + 2 * MARGIN + 1;
        origin[k] = 0.5 * (low[k] + high[k]) - 0.5 * grid->cell * (grid->size[k] - 1);
        grid->count *= (size_t)grid->size[k];
    }
    grid->origin = ts_vec3_of(origin);
    TS_TRY(ts_new_raw(&grid->distance, grid->count, error));
    TS_TRY(ts_new(&grid->state, grid->count, error));
    TS_TRY(ts_new_raw(&grid->depth, grid->count, error));
    TS_TRY(ts_new_raw(&grid->away, grid->count, error));
    mark_band(solid, grid);
    ts_pool_run(pool, grid->size[2], fill_layer, &(layers){solid, grid});
    if (!solid->flawed)
        TS_TRY(fill_regions(solid, grid, error));
    size_t inside = 0;
    for (size_t i = 0; i < grid->count; i++) {
        grid->state[i] = grid->distance[i] < 0 ? TS_FIT_BARE : TS_FIT_OUTSIDE;
        inside += grid->distance[i] < 0;
    }
    if (inside == 0)
        return ts_fail(error, TS_BAD_INPUT,
                       "the mesh encloses no volume that a grid of %d cells can see; close it, or ask for more cells",
                       cells);
    TS_TRY(ts_fit_grid_depths(grid, TS_FIT_OUTSIDE, error));
    for (size_t i = 0; i < grid->count; i++)
        grid->away[i] = (float)(sqrt((double)grid->depth[i]) * grid->cell);
    return TS_OK;
}

void ts_fit_grid_release(ts_fit_grid *grid)
{
    ts_free(grid->away);
    ts_free(grid->distance);
    ts_free(grid->state);
    ts_free(grid->depth);
    *grid = (ts_fit_grid){0};
}

/* ---- Depths ---- */

/* Lower envelope of parabolas (Felzenszwalb and Huttenlocher, "Distance transforms of sampled functions", 2012): to[i] = min over k of
 * (i − k)² + from[k]. `at`, `edge`: scratch (count + 1). */
static void transform(const float *from, float *to, int32_t count, int32_t *at, double *edge)
{
    int32_t top = 0;
    at[0] = 0;
    edge[0] = -HUGE_VAL;
    edge[1] = HUGE_VAL;
    for (int32_t q = 1; q < count; q++) {
        double s;
        do {
            const int32_t v = at[top];
            s = ((double)from[q] - (double)from[v] + (double)q * q - (double)v * v) / (2.0 * (q - v));
        } while (s <= edge[top] && top-- > 0);
        at[++top] = q;
        edge[top] = s;
        edge[top + 1] = HUGE_VAL;
    }
    top = 0;
    for (int32_t i = 0; i < count; i++) {
        while (edge[top + 1] < i)
            top++;
        to[i] = (float)((i - at[top]) * (i - at[top])) + from[at[top]];
    }
}

ts_status ts_fit_grid_depths(ts_fit_grid *g, ts_fit_state of, ts_error *error)
{
    const int32_t longest = g->size[0] > g->size[1] ? (g->size[0] > g->size[2] ? g->size[0] : g->size[2])
                                                    : (g->size[1] > g->size[2] ? g->size[1] : g->size[2]);
    TS_AUTO_FREE float *line = NULL;
    TS_AUTO_FREE int32_t *at = NULL;
    TS_AUTO_FREE double *edge = NULL;
    TS_TRY(ts_new(&line, 2 * (size_t)longest, error));
    TS_TRY(ts_new(&at, (size_t)longest + 1, error));
    TS_TRY(ts_new(&edge, (size_t)longest + 2, error));
    for (size_t i = 0; i < g->count; i++)
        g->depth[i] = g->state[i] == of ? 1e9F : 0;
    const size_t stride[3] = {1, (size_t)g->size[0], (size_t)g->size[0] * (size_t)g->size[1]};
    for (int axis = 0; axis < 3; axis++) {
        const int u = (axis + 1) % 3, v = (axis + 2) % 3;
        for (int32_t j = 0; j < g->size[v]; j++)
            for (int32_t i = 0; i < g->size[u]; i++) {
                float *first = &g->depth[(size_t)i * stride[u] + (size_t)j * stride[v]];
                for (int32_t k = 0; k < g->size[axis]; k++)
                    line[k] = first[(size_t)k * stride[axis]];
                transform(line, line + longest, g->size[axis], at, edge);
                for (int32_t k = 0; k < g->size[axis]; k++)
                    first[(size_t)k * stride[axis]] = line[longest + k];
            }
    }
    return TS_OK;
}
