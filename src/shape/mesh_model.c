/* SPDX-License-Identifier: MIT */
/* Models of mesh_make.h that have a form of their own: dolls, the teapot, the bunny. */
#include <string.h>

#include "base/memory.h"
#include "shape/mesh_iso.h"
#include "shape/mesh_make.h"

/* ---- Dolls ---- */

/* The doll's outline through a few points, as (distance from the axis, height) about the seam. Seen from the seam's
 * middle and from the middle of the base every point of it is in sight: so a smaller copy lies inside a larger one, on
 * a common middle or a common base. */
enum { LOWER = 4, UPPER = 6 };
/* Points of a seam between its two rims: a field that is interpolated knows its height there, and not at rims. */
enum { SEAM = 3 };
static const ts_vec2 lower_point[LOWER + 2] = {{0.13, -0.51}, {0.19, -0.4}, {0.25, -0.29},
                                               {0.29, -0.14}, {0.3, 0},     {0.29, 0.14}};
static const ts_vec2 upper_point[UPPER + 2] = {{0.275, -0.13}, {0.3, 0},     {0.275, 0.13}, {0.165, 0.25},
                                               {0.17, 0.4},    {0.12, 0.49}, {0, 0.54},     {-0.12, 0.49}};
static const double doll_base = 0.4, doll_height = 0.94;

/* Catmull and Rom's spline through the points but the first and last, at `along` in [0, 1]. */
static ts_vec2 spline(const ts_vec2 *point, int count, double along)
{
    double place = along * (count - 1);
    int i = (int)fmin(place, count - 2);
    double t = place - i, s = 1 - t;
    const ts_vec2 *p = point + i; /* between p[1] and p[2], with tangents (p[2] − p[0]) / 2 and (p[3] − p[1]) / 2 */
    double w0 = -0.5 * t * s * s, w1 = s * s * (1 + 2 * t) + 0.5 * t * t * s,
           w2 = t * t * (1 + 2 * s) + 0.5 * t * s * s, w3 = -0.5 * t * t * s;
    return (ts_vec2){w0 * p[0].x + w1 * p[1].x + w2 * p[2].x + w3 * p[3].x,
                     w0 * p[0].y + w1 * p[1].y + w2 * p[2].y + w3 * p[3].y};
}

static double doll_hollow(const ts_doll *doll)
{
    return doll->hollow != 0 ? doll->hollow : 0.86;
}

static double doll_ratio(const ts_doll *doll)
{
    return doll_hollow(doll) * (1 - (doll->slack != 0 ? doll->slack : 0.03));
}

double ts_doll_size(const ts_doll *doll, int number)
{
    return pow(doll_ratio(doll), number);
}

double ts_doll_drop(const ts_doll *doll, int number)
{
    if (number < 1)
        return 0;
    double around = doll->height / doll_height * ts_doll_size(doll, number - 1);
    return -doll_base * around * (doll_hollow(doll) - doll_ratio(doll));
}

static ts_status check_doll(const ts_doll *doll, int number, ts_error *error)
{
    double hollow = doll_hollow(doll), slack = doll->slack;
    if (!(doll->height > 0) || !isfinite(doll->height))
        return ts_fail(error, TS_BAD_INPUT, "a doll is %g m high, but must be positive", doll->height);
    if (!(hollow > 0 && hollow < 1) || !(slack >= 0 && slack < 0.5))
        return ts_fail(error, TS_BAD_INPUT,
                       "a doll's cavity has %g of its size and a slack of %g; give shares in (0, 1) and (0, 0.5)",
                       hollow, slack);
    if (doll->cells < 4 || doll->cells > TS_MESH_MAKE_CELLS_MAX)
        return ts_fail(error, TS_BAD_INPUT, "a doll has %d cells along its profile; give 4 to %d", doll->cells,
                       TS_MESH_MAKE_CELLS_MAX);
    if (number < 0 || number > 100)
        return ts_fail(error, TS_BAD_INPUT, "there is no doll number %d; give 0 to 100", number);
    return TS_OK;
}

/* The outline of a half from below: from the middle of the base to the seam, or from the seam to the crown. Returns the
 * count. */
static size_t doll_outline(const ts_doll *doll, double scale, bool upper, ts_vec2 *point)
{
    size_t count = 0;
    if (!upper)
        point[count++] = (ts_vec2){0, -doll_base * scale};
    for (int i = 0; i <= doll->cells; i++) {
        double along = (double)i / doll->cells;
        ts_vec2 p = upper ? spline(upper_point, UPPER, along) : spline(lower_point, LOWER, along);
        point[count++] = ts_vec2_scale(p, scale);
    }
    return count;
}

static ts_status doll_points(const ts_doll *doll, int number, ts_vec2 **point, ts_error *error)
{
    TS_TRY(check_doll(doll, number, error));
    size_t most = 2 * ((size_t)doll->cells + 2) + SEAM;
    *point = ts_alloc(most, sizeof **point);
    return *point ? TS_OK : ts_fail_memory(error, most * sizeof **point);
}

ts_status ts_mesh_make_doll(const ts_doll *doll, int number, bool upper, ts_mesh **mesh, ts_error *error)
{
    TS_AUTO_FREE ts_vec2 *point = NULL;
    TS_TRY(doll_points(doll, number, &point, error));
    double scale = doll->height / doll_height * ts_doll_size(doll, number);
    size_t half = doll_outline(doll, scale, upper, point);
    ts_vec2 *inner = point + half;
    doll_outline(doll, scale * doll_hollow(doll), upper, inner);
    for (size_t i = 0; i < half / 2; i++) { /* back on the inside */
        ts_vec2 other = inner[half - 1 - i];
        inner[half - 1 - i] = inner[i];
        inner[i] = other;
    }
    ts_vec2 rim = upper ? point[0] : point[half - 1], edge = upper ? inner[half - 1] : inner[0];
    ts_vec2 *seam = upper ? inner + half : inner; /* on the way back to the outside, or to the inside */
    if (!upper)
        memmove(inner + SEAM, inner, half * sizeof *inner);
    for (int i = 0; i < SEAM; i++) {
        double t = (i + 1.0) / (SEAM + 1);
        seam[i] = (ts_vec2){upper ? edge.x + t * (rim.x - edge.x) : rim.x + t * (edge.x - rim.x), rim.y};
    }
    return ts_mesh_make_lathe(point, 2 * half + SEAM, doll->sectors, mesh, error);
}

ts_status ts_mesh_make_doll_whole(const ts_doll *doll, int number, ts_mesh **mesh, ts_error *error)
{
    TS_AUTO_FREE ts_vec2 *point = NULL;
    TS_TRY(doll_points(doll, number, &point, error));
    double scale = doll->height / doll_height * ts_doll_size(doll, number);
    size_t half = doll_outline(doll, scale, false, point) - 1; /* the seam is the upper half's first */
    half += doll_outline(doll, scale, true, point + half);
    return ts_mesh_make_lathe(point, half, doll->sectors, mesh, error);
}

/* ---- Implicit bodies: negative inside, about the distance near the surface ---- */

static double ellipsoid(ts_vec3 p, ts_vec3 centre, ts_vec3 radius)
{
    ts_vec3 q = ts_vec3_sub(p, centre);
    return (ts_vec3_length((ts_vec3){q.x / radius.x, q.y / radius.y, q.z / radius.z}) - 1) *
           fmin(radius.x, fmin(radius.y, radius.z));
}

/* A rod from a to b whose radius goes from ra to rb. */
static double taper(ts_vec3 p, ts_vec3 a, ts_vec3 b, double ra, double rb)
{
    ts_vec3 along = ts_vec3_sub(b, a), q = ts_vec3_sub(p, a);
    double t = fmin(fmax(ts_vec3_dot(q, along) / ts_vec3_dot(along, along), 0), 1);
    return ts_vec3_length(ts_vec3_add_scaled(q, along, -t)) - (ra + t * (rb - ra));
}

/* A union with a soft seam: −w log Σ exp(−f/w), at most w log count below the least. */
static double blend(const double *f, size_t count, double width)
{
    double least = f[0], sum = 0;
    for (size_t i = 1; i < count; i++)
        least = fmin(least, f[i]);
    for (size_t i = 0; i < count; i++)
        sum += exp((least - f[i]) / width);
    return least - width * log(sum);
}

/* Surfaces of both sides of y = 0 alike. */
static ts_vec3 folded(ts_vec3 p)
{
    return (ts_vec3){p.x, fabs(p.y), p.z};
}

/* ---- Teapot ---- */

static const ts_vec3 origin = {0, 0, 0}, pot_radius = {0.5, 0.5, 0.38};
static const double pot_floor = 0.3, pot_inner = 0.86, pot_inner_floor = 0.25;

static double pot_outside(void *user, ts_vec3 point)
{
    (void)user;
    ts_vec3 p = folded(point);
    const ts_vec3 spout[3] = {{0.36, 0, -0.12}, {0.62, 0, 0.08}, {0.74, 0, 0.3}}, handle = {-0.52, 0, 0.02};
    ts_vec3 q = ts_vec3_sub(p, handle);
    double ring = hypot(hypot(q.x, q.z) - 0.23, q.y) - 0.055;
    const double f[] = {
        fmax(ellipsoid(p, origin, pot_radius), -pot_floor - p.z),
        ellipsoid(p, (ts_vec3){0, 0, 0.35}, (ts_vec3){0.22, 0.22, 0.06}),   /* lid */
        ellipsoid(p, (ts_vec3){0, 0, 0.46}, (ts_vec3){0.075, 0.075, 0.06}), /* knob */
        taper(p, spout[0], spout[1], 0.12, 0.075),
        taper(p, spout[1], spout[2], 0.075, 0.055),
        ring,
    };
    return blend(f, sizeof f / sizeof *f, 0.02);
}

static double pot_inside(void *user, ts_vec3 point)
{
    (void)user;
    ts_vec3 p = folded(point);
    return fmax(ellipsoid(p, origin, ts_vec3_scale(pot_radius, pot_inner)), -pot_inner_floor - p.z);
}

static void turn_inside_out(ts_mesh *mesh)
{
    for (size_t i = 0; i < mesh->triangle_count; i++) {
        int32_t *t = mesh->triangle[i], other = t[1];
        t[1] = t[2];
        t[2] = other;
    }
}

/* Both in one mesh. */
static ts_status join(const ts_mesh *a, const ts_mesh *b, ts_mesh **mesh, ts_error *error)
{
    const ts_mesh *part[2] = {a, b};
    TS_TRY(ts_mesh_create(a->vertex_count + b->vertex_count, a->triangle_count + b->triangle_count, mesh, error));
    size_t vertices = 0, triangles = 0;
    for (int k = 0; k < 2; k++) {
        for (size_t i = 0; i < part[k]->triangle_count; i++, triangles++)
            for (int c = 0; c < 3; c++)
                (*mesh)->triangle[triangles][c] = part[k]->triangle[i][c] + (int32_t)vertices;
        for (size_t i = 0; i < part[k]->vertex_count; i++)
            (*mesh)->vertex[vertices++] = part[k]->vertex[i];
    }
    return TS_OK;
}

static ts_status check_model(double size, int cells, int least, ts_error *error)
{
    if (!(size > 0) || !isfinite(size))
        return ts_fail(error, TS_BAD_INPUT, "a model's size is %g m, but must be positive", size);
    if (cells < least || cells > TS_MESH_MAKE_CELLS_MAX / 2)
        return ts_fail(error, TS_BAD_INPUT, "a model has %d cells along it; give %d to %d", cells, least,
                       TS_MESH_MAKE_CELLS_MAX / 2);
    return TS_OK;
}

ts_status ts_mesh_make_teapot(double width, int cells, ts_mesh **mesh, ts_error *error)
{
    TS_TRY(check_model(width, cells, 32, error));
    const ts_box3 outer_box = {{-0.9, -0.6, -0.4}, {0.9, 0.6, 0.6}}, inner_box = {{-0.5, -0.5, -0.4}, {0.5, 0.5, 0.4}};
    ts_mesh *outer = NULL, *inner = NULL, *both = NULL;
    ts_status status = ts_mesh_iso(pot_outside, NULL, outer_box, (int)ceil(cells * 1.8 / 1.6), &outer, error);
    if (status == TS_OK)
        status = ts_mesh_iso(pot_inside, NULL, inner_box, (int)ceil(cells / 1.6), &inner, error);
    if (status == TS_OK) {
        turn_inside_out(inner);
        status = join(outer, inner, &both, error);
    }
    ts_mesh_free(outer);
    ts_mesh_free(inner);
    if (status != TS_OK)
        return status;
    ts_box3 box = ts_mesh_bounds(both);
    ts_mesh_move(both, width / (box.high.x - box.low.x), ts_pose3_identity());
    *mesh = both;
    return TS_OK;
}

/* ---- Bunny ---- */

/* Leaning back by an angle about y. */
static ts_vec3 leaning(ts_vec3 p, ts_vec3 centre, double cosine, double sine)
{
    ts_vec3 q = ts_vec3_sub(p, centre);
    return (ts_vec3){cosine * q.x + sine * q.z, q.y, cosine * q.z - sine * q.x};
}

static double bunny(void *user, ts_vec3 point)
{
    (void)user;
    ts_vec3 p = folded(point);
    const double c = 0.95, s = sqrt(1 - 0.95 * 0.95);
    const ts_vec3 ear = {0.05, 0.045, 0.19}, paw = {0.1, 0.06, 0.055}, haunch = {0.17, 0.08, 0.15};
    const double f[] = {
        ellipsoid(p, (ts_vec3){0, 0, 0.27}, (ts_vec3){0.3, 0.23, 0.26}),         /* body */
        ellipsoid(p, (ts_vec3){0.22, 0, 0.56}, (ts_vec3){0.17, 0.14, 0.14}),     /* head */
        ellipsoid(p, (ts_vec3){0.36, 0, 0.53}, (ts_vec3){0.06, 0.07, 0.055}),    /* muzzle */
        ellipsoid(p, (ts_vec3){-0.32, 0, 0.16}, (ts_vec3){0.085, 0.085, 0.085}), /* tail */
        ellipsoid(leaning(p, (ts_vec3){0.12, 0.1, 0.82}, c, s), origin, ear),
        ellipsoid(leaning(p, (ts_vec3){0.12, -0.1, 0.82}, c, s), origin, ear),
        ellipsoid(p, (ts_vec3){-0.08, 0.19, 0.18}, haunch),
        ellipsoid(p, (ts_vec3){-0.08, -0.19, 0.18}, haunch),
        ellipsoid(p, (ts_vec3){0.27, 0.11, 0.07}, paw),
        ellipsoid(p, (ts_vec3){0.27, -0.11, 0.07}, paw),
    };
    return fmax(blend(f, sizeof f / sizeof *f, 0.02), 0.02 - p.z); /* it sits on its flat underside */
}

ts_status ts_mesh_make_bunny(double height, int cells, ts_mesh **mesh, ts_error *error)
{
    TS_TRY(check_model(height, cells, 24, error));
    const ts_box3 box = {{-0.6, -0.5, -0.1}, {0.6, 0.5, 1.1}};
    ts_mesh *made;
    TS_TRY(ts_mesh_iso(bunny, NULL, box, (int)ceil(1.2 * cells), &made, error));
    ts_box3 bounds = ts_mesh_bounds(made);
    double scale = height / (bounds.high.z - bounds.low.z);
    ts_vec3 middle = ts_vec3_scale(ts_vec3_add(bounds.low, bounds.high), -0.5 * scale);
    ts_mesh_move(made, scale, (ts_pose3){{middle.x, 0, middle.z}, ts_quat_identity()});
    *mesh = made;
    return TS_OK;
}
