/* SPDX-License-Identifier: MIT */
#include "shape/sdf_mass.h"

#include <string.h>

#include "shape/mesh_iso.h"
#include "shape/superquadric.h"

/* Cells along the longest side: at least, and at most where primitives are thin, which get some cells across. */
enum { CELLS = 96, CELLS_MOST = 240, CELLS_ACROSS = 6 };
/* Points that are asked about together, and steps by which one is drawn onto the surface. */
enum { BATCH = 64, STEPS = 2 };

typedef struct surface {
    const ts_sdf *sdf;
    ts_sdf_rule rule;
    double most; /* how far a point may be drawn: the same for all, so that neighbours agree [m] */
} surface;

static void values_at(void *user, const ts_vec3 *point, size_t count, double *value)
{
    const surface *s = user;
    for (size_t begin = 0; begin < count; begin += BATCH) {
        double x[BATCH], y[BATCH], z[BATCH];
        const size_t here = count - begin < BATCH ? count - begin : BATCH;
        for (size_t i = 0; i < here; i++) {
            const ts_vec3 p = point[begin + i];
            x[i] = p.x, y[i] = p.y, z[i] = p.z;
        }
        ts_sdf_ask(s->sdf, &s->rule, &(ts_sdf_points){here, x, y, z}, &(ts_sdf_answers){.value = value + begin});
    }
}

static int cells_for(const ts_sdf *sdf)
{
    double thinnest = HUGE_VAL;
    for (size_t i = 0; i < ts_sdf_count(sdf); i++) {
        const ts_box3 box = ts_primitive_bounds(ts_sdf_primitive(sdf, i));
        const ts_vec3 side = ts_vec3_sub(box.high, box.low);
        thinnest = fmin(thinnest, fmin(side.x, fmin(side.y, side.z)));
    }
    return (int)fmin(fmax(CELLS, CELLS_ACROSS * ts_sdf_length(sdf) / thinnest), CELLS_MOST);
}

/* Draws points onto the surface. What becomes of one depends on nothing but itself. */
static void draw(const surface *s, size_t count, ts_vec3 *p)
{
    double x[BATCH], y[BATCH], z[BATCH], value[BATCH], dx[BATCH], dy[BATCH], dz[BATCH];
    ts_vec3 from[BATCH];
    memcpy(from, p, count * sizeof *p);
    for (int step = 0; step < STEPS; step++) {
        for (size_t i = 0; i < count; i++)
            x[i] = p[i].x, y[i] = p[i].y, z[i] = p[i].z;
        ts_sdf_ask(s->sdf, &s->rule, &(ts_sdf_points){count, x, y, z},
                   &(ts_sdf_answers){.value = value, .gradient = {dx, dy, dz}});
        for (size_t i = 0; i < count; i++) {
            const ts_vec3 slope = {dx[i], dy[i], dz[i]};
            const double square = ts_vec3_length_squared(slope);
            const ts_vec3 to = ts_vec3_add_scaled(p[i], slope, square > 0 ? -value[i] / square : 0);
            if (ts_vec3_distance(to, from[i]) <= s->most)
                p[i] = to;
        }
    }
}

/* Four triangles of each, as a soup: first the corners, then the middles of the sides. Those of neighbours have the same
 * bits. */
static ts_status cut(const surface *s, const ts_mesh *from, ts_mesh **fine, ts_error *error)
{
    static const size_t part[4][3] = {{0, 3, 5}, {3, 1, 4}, {5, 4, 2}, {3, 4, 5}};
    const size_t n = from->triangle_count;
    TS_TRY(ts_mesh_create(6 * n, 4 * n, fine, error));
    ts_vec3 *corner = (*fine)->vertex, *middle = corner + 3 * n;
    for (size_t t = 0; t < n; t++) {
        for (size_t k = 0; k < 3; k++)
            corner[3 * t + k] = from->vertex[from->triangle[t][k]];
        for (size_t k = 0; k < 3; k++)
            middle[3 * t + k] = ts_vec3_lerp(corner[3 * t + k], corner[3 * t + (k + 1) % 3], 0.5);
        for (size_t i = 0; i < 4; i++)
            for (size_t k = 0; k < 3; k++) {
                const size_t of = part[i][k];
                (*fine)->triangle[4 * t + i][k] = (int32_t)(3 * t + (of < 3 ? of : 3 * n + of - 3));
            }
    }
    for (size_t i = 0; i < 3 * n; i += BATCH)
        draw(s, 3 * n - i < BATCH ? 3 * n - i : BATCH, middle + i);
    return TS_OK;
}

/* ---- Both ---- */

/* x + (x − y) / 3, for each number. */
static ts_solid_mass beyond(const ts_solid_mass *x, const ts_solid_mass *y)
{
    ts_solid_mass to = *x;
    to.volume += (x->volume - y->volume) / 3;
    to.centre = ts_vec3_add_scaled(x->centre, ts_vec3_sub(x->centre, y->centre), 1.0 / 3);
    to.inertia =
        ts_mat3_add(x->inertia, ts_mat3_scale(ts_mat3_add(x->inertia, ts_mat3_scale(y->inertia, -1)), 1.0 / 3));
    return to;
}

ts_status ts_sdf_mass(const ts_sdf *sdf, ts_solid_mass *mass, double *off, ts_error *error)
{
    if (ts_sdf_count(sdf) == 1 && ts_sdf_primitive(sdf, 0)->kind == TS_PRIMITIVE_SUPERQUADRIC) {
        *mass = ts_superquadric_mass(ts_sdf_primitive(sdf, 0));
        if (off)
            *off = 0;
        return TS_OK;
    }
    const int cells = cells_for(sdf);
    surface s = {sdf, ts_sdf_default_rule(sdf), 0.5 * ts_sdf_length(sdf) / cells};
    const double room = 0.05 * ts_sdf_length(sdf);
    ts_box3 box = ts_sdf_bounds(sdf);
    box.low = ts_vec3_sub(box.low, (ts_vec3){room, room, room});
    box.high = ts_vec3_add(box.high, (ts_vec3){room, room, room});
    TS_AUTO(ts_mesh_free_at) ts_mesh *coarse = NULL;
    TS_AUTO(ts_mesh_free_at) ts_mesh *fine = NULL;
    TS_TRY(ts_mesh_iso_batch(values_at, &s, box, cells, &coarse, error));
    TS_TRY(cut(&s, coarse, &fine, error));
    ts_solid_mass before, after;
    TS_TRY(ts_solid_mass_of_mesh(coarse, &before, error));
    TS_TRY(ts_solid_mass_of_mesh(fine, &after, error));
    *mass = beyond(&after, &before);
    if (off)
        *off = fabs(after.volume - before.volume) / (3 * after.volume);
    return TS_OK;
}

ts_solid_mass ts_solid_mass_scaled(const ts_solid_mass *mass, double scale)
{
    const double area = scale * scale;
    return (ts_solid_mass){area * scale * mass->volume, ts_vec3_scale(mass->centre, scale),
                           ts_mat3_scale(mass->inertia, area * area * scale)};
}
