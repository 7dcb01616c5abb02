/* SPDX-License-Identifier: MIT */
#include "shape/sdf_mass.h"

#include "shape/mesh_iso.h"
#include "shape/superquadric.h"

/* Cells along the longest side: at least, and at most where primitives are thin, which get some cells across. */
enum { CELLS = 28, CELLS_MOST = 160, CELLS_ACROSS = 6 };
/* Sides are cut in so many parts, and points are drawn onto the surface in so many steps. */
enum { PARTS = 4, POINTS = (PARTS + 1) * (PARTS + 2) / 2, STEPS = 2 };

typedef struct surface {
    const ts_sdf *sdf;
    ts_sdf_rule rule;
    double most; /* how far a point may be drawn: the same for all, so that neighbours agree [m] */
} surface;

static double value_at(void *user, ts_vec3 point)
{
    const surface *s = user;
    return ts_sdf_at(s->sdf, &s->rule, point);
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

/* ---- Triangles in parts ----
 * Point (i, k) of a triangle is a + (i (b − a) + k (c − a)) / PARTS, i + k ≤ PARTS, rows of constant k one after the other. */

static size_t number_of(int i, int k)
{
    return (size_t)(k * (PARTS + 1) - k * (k - 1) / 2 + i);
}

static void draw(const surface *s, ts_vec3 p[POINTS])
{
    double x[POINTS], y[POINTS], z[POINTS], value[POINTS], dx[POINTS], dy[POINTS], dz[POINTS];
    ts_vec3 from[POINTS];
    for (size_t i = 0; i < POINTS; i++)
        from[i] = p[i];
    for (int step = 0; step < STEPS; step++) {
        for (size_t i = 0; i < POINTS; i++)
            x[i] = p[i].x, y[i] = p[i].y, z[i] = p[i].z;
        ts_sdf_ask(s->sdf, &s->rule, &(ts_sdf_points){POINTS, x, y, z},
                   &(ts_sdf_answers){.value = value, .gradient = {dx, dy, dz}});
        for (size_t i = 0; i < POINTS; i++) {
            const ts_vec3 slope = {dx[i], dy[i], dz[i]};
            const double square = ts_vec3_length_squared(slope);
            const ts_vec3 to = ts_vec3_add_scaled(p[i], slope, square > 0 ? -value[i] / square : 0);
            if (ts_vec3_distance(to, from[i]) <= s->most)
                p[i] = to;
        }
    }
}

static void put(ts_mesh *mesh, size_t a, size_t b, size_t c)
{
    int32_t *t = mesh->triangle[mesh->triangle_count++];
    t[0] = (int32_t)a;
    t[1] = (int32_t)b;
    t[2] = (int32_t)c;
}

/* Triangles between points that are `step` apart, for a list that begins at vertex `base`. */
static void put_triangles(ts_mesh *mesh, size_t base, int step)
{
    for (int k = 0; k < PARTS; k += step)
        for (int i = 0; i + k < PARTS; i += step) {
            const size_t here = base + number_of(i, k), right = base + number_of(i + step, k),
                         above = base + number_of(i, k + step);
            put(mesh, here, right, above);
            if (i + k + step < PARTS)
                put(mesh, right, base + number_of(i + step, k + step), above);
        }
}

/* Two soups of triangles on the same points: coarse and fine. */
static ts_status cut(const surface *s, const ts_mesh *from, ts_mesh **coarse, ts_mesh **fine, ts_error *error)
{
    const size_t n = from->triangle_count;
    TS_TRY(ts_mesh_create(n * POINTS, n * PARTS * PARTS, fine, error));
    TS_TRY(ts_mesh_create(n * POINTS, n * PARTS * PARTS / 4, coarse, error));
    (*fine)->triangle_count = (*coarse)->triangle_count = 0;
    for (size_t t = 0; t < n; t++) {
        const ts_vec3 a = from->vertex[from->triangle[t][0]];
        const ts_vec3 u = ts_vec3_sub(from->vertex[from->triangle[t][1]], a),
                      v = ts_vec3_sub(from->vertex[from->triangle[t][2]], a);
        ts_vec3 p[POINTS];
        for (int k = 0; k <= PARTS; k++)
            for (int i = 0; i + k <= PARTS; i++)
                p[number_of(i, k)] =
                    ts_vec3_add_scaled(ts_vec3_add_scaled(a, u, (double)i / PARTS), v, (double)k / PARTS);
        draw(s, p);
        for (size_t i = 0; i < POINTS; i++)
            (*fine)->vertex[t * POINTS + i] = (*coarse)->vertex[t * POINTS + i] = p[i];
        put_triangles(*fine, t * POINTS, 1);
        put_triangles(*coarse, t * POINTS, 2);
    }
    return TS_OK;
}

/* ---- Both ---- */

/* x + (x − y) / 3, for each number. */
static ts_solid_mass beyond(const ts_solid_mass *x, const ts_solid_mass *y)
{
    ts_solid_mass to = *x;
    to.volume += (x->volume - y->volume) / 3;
    to.centre = ts_vec3_add_scaled(x->centre, ts_vec3_sub(x->centre, y->centre), 1.0 / 3);
    to.inertia = ts_mat3_add(x->inertia,
                             ts_mat3_scale(ts_mat3_add(x->inertia, ts_mat3_scale(y->inertia, -1)), 1.0 / 3));
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
    TS_AUTO(ts_mesh_free_at) ts_mesh *first = NULL;
    TS_AUTO(ts_mesh_free_at) ts_mesh *coarse = NULL;
    TS_AUTO(ts_mesh_free_at) ts_mesh *fine = NULL;
    const double room = 0.05 * ts_sdf_length(sdf);
    ts_box3 box = ts_sdf_bounds(sdf);
    box.low = ts_vec3_sub(box.low, (ts_vec3){room, room, room});
    box.high = ts_vec3_add(box.high, (ts_vec3){room, room, room});
    TS_TRY(ts_mesh_iso(value_at, &s, box, cells, &first, error));
    TS_TRY(cut(&s, first, &coarse, &fine, error));
    ts_solid_mass two, four;
    TS_TRY(ts_solid_mass_of_mesh(coarse, &two, error));
    TS_TRY(ts_solid_mass_of_mesh(fine, &four, error));
    *mass = beyond(&four, &two);
    if (off)
        *off = fabs(four.volume - two.volume) / (3 * four.volume);
    return TS_OK;
}

ts_solid_mass ts_solid_mass_scaled(const ts_solid_mass *mass, double scale)
{
    const double area = scale * scale;
    return (ts_solid_mass){area * scale * mass->volume, ts_vec3_scale(mass->centre, scale),
                           ts_mat3_scale(mass->inertia, area * area * scale)};
}
