/* SPDX-License-Identifier: MIT */
#include "shape/primitive.h"

#include <assert.h>
#include <string.h>

#include "base/simd_exp.h"
#include "shape/primitive_parts.h"
#include "solve/linear.h"

/* More would only be slow: each costs an exponential at each point. */
#define COUNT_MAX 100000
/* Of sizes and positions [m]: products of a few stay within double precision's range. */
#define LENGTH_MAX     1e30
#define UNIT_TOLERANCE 1e-6
/* Nearer to 1 than that a length is 1: what was made a unit vector keeps its bits when it is read again. */
#define UNIT_ROUNDING 1e-15
/* An extent above that many times the spread of the planes' points counts as unbounded. */
#define BOUND 1e4
/* Points of a cloud whose nearest neighbour is looked for, to find its mean distance. */
#define SAMPLES 1024

static ts_status copy_vectors(const ts_vec3 *from, size_t count, ts_vec3 **to, ts_error *error)
{
    *to = NULL;
    if (!from || count == 0)
        return TS_OK;
    TS_TRY(ts_new_raw(to, count, error));
    memcpy(*to, from, count * sizeof **to);
    return TS_OK;
}

ts_status ts_primitive_copy(const ts_primitive *from, ts_primitive *to, ts_error *error)
{
    ts_primitive copy = *from;
    if (from->kind == TS_PRIMITIVE_SUPERQUADRIC)
        copy.count = 0;
    TS_TRY(copy_vectors(from->point, copy.count, &copy.point, error));
    const ts_status status = copy_vectors(from->normal, copy.count, &copy.normal, error);
    if (status != TS_OK) {
        ts_free(copy.point);
        return status;
    }
    *to = copy;
    return TS_OK;
}

void ts_primitive_release(ts_primitive *primitive)
{
    ts_free(primitive->point);
    ts_free(primitive->normal);
    primitive->point = primitive->normal = NULL;
    primitive->count = 0;
}

/* ---- Checks ---- */

static bool within(ts_vec3 v, double limit)
{
    return fabs(v.x) <= limit && fabs(v.y) <= limit && fabs(v.z) <= limit;
}

static ts_status check_pose(ts_primitive *p, ts_error *error)
{
    const double length = sqrt(ts_quat_dot(p->pose.quat, p->pose.quat));
    if (!within(p->pose.position, LENGTH_MAX))
        return ts_fail(error, TS_BAD_INPUT, "the position (%g, %g, %g) of a primitive is not finite; give it in metres",
                       p->pose.position.x, p->pose.position.y, p->pose.position.z);
    if (!(fabs(length - 1) <= UNIT_TOLERANCE))
        return ts_fail(error, TS_BAD_INPUT,
                       "the attitude of a primitive is a quaternion of length %g; divide it by its length", length);
    if (fabs(length - 1) > UNIT_ROUNDING)
        p->pose.quat = ts_quat_unit(p->pose.quat);
    return TS_OK;
}

static ts_status check_superquadric(const ts_primitive *p, ts_error *error)
{
    const double size[3] = {p->size.x, p->size.y, p->size.z};
    double least = size[0], most = size[0];
    for (int i = 0; i < 3; i++) {
        if (!(size[i] > 0 && size[i] <= LENGTH_MAX))
            return ts_fail(
                error, TS_BAD_INPUT,
                "half axis %c of a superquadric is %g m, but must be positive and finite; give a length such "
                "as 0.01",
                'a' + i, size[i]);
        least = fmin(least, size[i]);
        most = fmax(most, size[i]);
    }
    if (!(most <= 1e6 * least))
        return ts_fail(error, TS_BAD_INPUT,
                       "the half axes of a superquadric range from %g to %g m; keep their ratio below a million", least,
                       most);
    for (int i = 0; i < 2; i++)
        if (!(p->exponent[i] >= TS_EXPONENT_MIN && p->exponent[i] <= TS_EXPONENT_MAX))
            return ts_fail(
                error, TS_BAD_INPUT,
                "exponent %d of a superquadric is %g; choose one from %g (a box) to %g (nearly an octahedron)", i + 1,
                p->exponent[i], TS_EXPONENT_MIN, TS_EXPONENT_MAX);
    return TS_OK;
}

/* Finite points, and normals of unit length, which they are made exactly. */
static ts_status check_points(ts_primitive *p, const char *what, ts_error *error)
{
    for (size_t i = 0; i < p->count; i++) {
        if (!within(p->point[i], LENGTH_MAX))
            return ts_fail(error, TS_BAD_INPUT, "point %zu of a %s is not finite; leave it out", i + 1, what);
        const double length = ts_vec3_length(p->normal[i]);
        if (!(fabs(length - 1) <= UNIT_TOLERANCE))
            return ts_fail(error, TS_BAD_INPUT,
                           "normal %zu of a %s has length %g; divide it by its length, or leave it out", i + 1, what,
                           length);
        if (fabs(length - 1) > UNIT_ROUNDING)
            p->normal[i] = ts_vec3_scale(p->normal[i], 1 / length);
    }
    return TS_OK;
}

static ts_status check_count(const ts_primitive *p, size_t least, const char *what, const char *items, ts_error *error)
{
    if (p->count < least)
        return ts_fail(error, TS_BAD_INPUT, "a %s has %zu %s; give at least %zu", what, p->count, items, least);
    if (p->count > COUNT_MAX)
        return ts_fail(error, TS_BAD_INPUT, "a %s has %zu %s; keep to %d, for each is looked at for each distance",
                       what, p->count, items, COUNT_MAX);
    if (!p->point || !p->normal)
        return ts_fail(error, TS_BAD_INPUT, "a %s needs points and normals; give both", what);
    return TS_OK;
}

/* Mean of the points, and the largest coordinate from there. */
static ts_vec3 middle(const ts_primitive *p, double *spread)
{
    ts_vec3 mean = {0, 0, 0};
    for (size_t i = 0; i < p->count; i++)
        mean = ts_vec3_add_scaled(mean, p->point[i], 1 / (double)p->count);
    *spread = 0;
    for (size_t i = 0; i < p->count; i++) {
        const ts_vec3 d = ts_vec3_sub(p->point[i], mean);
        *spread = fmax(*spread, fmax(fabs(d.x), fmax(fabs(d.y), fabs(d.z))));
    }
    return mean;
}

/* Rows n·y + r ≤ n·(p - middle), lengths over the spread; r (how deep y lies) only with `ball`. */
static void rows_of(const ts_primitive *p, ts_vec3 mean, double spread, bool ball, double *row)
{
    for (size_t i = 0; i < p->count; i++) {
        const ts_vec3 n = p->normal[i];
        *row++ = n.x;
        *row++ = n.y;
        *row++ = n.z;
        if (ball)
            *row++ = 1;
        *row++ = ts_vec3_dot(n, ts_vec3_sub(p->point[i], mean)) / spread;
    }
}

ts_status ts_polyhedron_ball(const ts_primitive *p, ts_vec3 *centre, double *radius, ts_error *error)
{
    double spread;
    const ts_vec3 mean = middle(p, &spread);
    TS_AUTO_FREE double *row = NULL;
    double found[4] = {0}, goal[4] = {0, 0, 0, 1};
    ts_linear_outcome outcome;
    *radius = 0;
    *centre = mean;
    if (!(spread > 0))
        return TS_OK;
    TS_TRY(ts_new_raw(&row, 5 * p->count, error));
    rows_of(p, mean, spread, true, row);
    TS_TRY(ts_linear_solve(4, row, p->count, goal, BOUND, found, &outcome, error));
    if (outcome != TS_LINEAR_SOLVED)
        return TS_OK;
    *centre = ts_vec3_add_scaled(mean, (ts_vec3){found[0], found[1], found[2]}, spread);
    *radius = found[3] * spread;
    return TS_OK;
}

/* How far it reaches along each axis of `turn` (columns), from the origin of its frame. */
static ts_status polyhedron_extents(const ts_primitive *p, ts_mat3 axes, double low[3], double high[3], bool *bounded,
                                    ts_error *error)
{
    double spread;
    const ts_vec3 mean = middle(p, &spread);
    TS_AUTO_FREE double *row = NULL;
    TS_TRY(ts_new_raw(&row, 4 * p->count, error));
    rows_of(p, mean, spread, false, row);
    *bounded = true;
    for (int k = 0; k < 6; k++) {
        const ts_vec3 axis = ts_mat3_column(axes, k / 2), goal = ts_vec3_scale(axis, k % 2 ? -1 : 1);
        double found[3] = {0};
        ts_linear_outcome outcome;
        TS_TRY(ts_linear_solve(3, row, p->count, (const double[3]){goal.x, goal.y, goal.z}, BOUND, found, &outcome,
                               error));
        const ts_vec3 at = {found[0], found[1], found[2]};
        if (outcome != TS_LINEAR_SOLVED || !within(at, 0.5 * BOUND))
            *bounded = false;
        const double reach = spread * ts_vec3_dot(axis, at) + ts_vec3_dot(axis, mean);
        *(k % 2 ? &low[k / 2] : &high[k / 2]) = reach;
    }
    return TS_OK;
}

static ts_status check_polyhedron(ts_primitive *p, ts_error *error)
{
    TS_TRY(check_count(p, 4, "polyhedron", "planes", error));
    TS_TRY(check_points(p, "polyhedron", error));
    double spread, radius, low[3], high[3];
    ts_vec3 centre;
    bool bounded;
    (void)middle(p, &spread);
    TS_TRY(ts_polyhedron_ball(p, &centre, &radius, error));
    if (!(radius > 1e-9 * spread))
        return ts_fail(error, TS_BAD_INPUT,
                       "no point lies below all %zu planes of a polyhedron; let the normals point outwards", p->count);
    const ts_mat3 axes = ts_mat3_diagonal((ts_vec3){1, 1, 1});
    TS_TRY(polyhedron_extents(p, axes, low, high, &bounded, error));
    if (!bounded || !(radius < 0.25 * BOUND * spread))
        return ts_fail(error, TS_BAD_INPUT,
                       "a polyhedron of %zu planes is unbounded; add planes that close it on all sides", p->count);
    return TS_OK;
}

double ts_cloud_distance(const ts_primitive *p, double width, ts_vec3 at)
{
    double nearest = HUGE_VAL, sum = 0, value = 0;
    for (size_t i = 0; i < p->count; i++)
        nearest = fmin(nearest, ts_vec3_length_squared(ts_vec3_sub(at, p->point[i])));
    for (size_t i = 0; i < p->count; i++) {
        const ts_vec3 d = ts_vec3_sub(at, p->point[i]);
        const double e = ts_exp((nearest - ts_vec3_length_squared(d)) / (2 * width * width));
        sum += e;
        value += e * ts_vec3_dot(p->normal[i], d);
    }
    return value / sum;
}

/* Mean distance to the nearest other point. */
static double neighbour_distance(const ts_primitive *p)
{
    const size_t step = p->count > SAMPLES ? p->count / SAMPLES : 1;
    double sum = 0, samples = 0;
    for (size_t i = 0; i < p->count; i += step) {
        double nearest = HUGE_VAL;
        for (size_t j = 0; j < p->count; j++)
            if (j != i)
                nearest = fmin(nearest, ts_vec3_length_squared(ts_vec3_sub(p->point[i], p->point[j])));
        sum += sqrt(nearest);
        samples += 1;
    }
    return sum / samples;
}

static ts_box3 cloud_box(const ts_primitive *p)
{
    ts_box3 box = ts_box3_none();
    for (size_t i = 0; i < p->count; i++)
        box = ts_box3_join(box, (ts_box3){p->point[i], p->point[i]});
    return box;
}

static ts_status check_cloud(ts_primitive *p, ts_error *error)
{
    TS_TRY(check_count(p, 4, "cloud", "points", error));
    TS_TRY(check_points(p, "cloud", error));
    if (p->width == 0)
        p->width = neighbour_distance(p);
    const ts_box3 box = cloud_box(p);
    const ts_vec3 span = ts_vec3_sub(box.high, box.low);
    const double length = fmax(span.x, fmax(span.y, span.z));
    if (!(p->width > 1e-6 * length && p->width <= LENGTH_MAX))
        return ts_fail(error, TS_BAD_INPUT,
                       "the width of a cloud is %g m; give about the distance between its points, which span %g m",
                       p->width, length);
    for (int k = 0; k < 8; k++) {
        const ts_vec3 corner = {k & 1 ? box.high.x + length : box.low.x - length,
                                k & 2 ? box.high.y + length : box.low.y - length,
                                k & 4 ? box.high.z + length : box.low.z - length};
        if (!(ts_cloud_distance(p, p->width, corner) > 0))
            return ts_fail(error, TS_BAD_INPUT,
                           "a cloud is inside out or open: (%g, %g, %g), far outside of it, lies below its tangent "
                           "planes; let all "
                           "normals point outwards, and cover the surface on all sides",
                           corner.x, corner.y, corner.z);
    }
    return TS_OK;
}

ts_status ts_primitive_check(ts_primitive *primitive, ts_error *error)
{
    TS_TRY(check_pose(primitive, error));
    switch (primitive->kind) {
    case TS_PRIMITIVE_SUPERQUADRIC:
        return check_superquadric(primitive, error);
    case TS_PRIMITIVE_POLYHEDRON:
        return check_polyhedron(primitive, error);
    case TS_PRIMITIVE_CLOUD:
        return check_cloud(primitive, error);
    default:
        return ts_fail(error, TS_BAD_INPUT, "%d is no kind of primitive; choose superquadric, polyhedron or cloud",
                       (int)primitive->kind);
    }
}

ts_status ts_primitive_set_numbers(ts_primitive *primitive, const ts_primitive_numbers *numbers, ts_error *error)
{
    ts_primitive next = *primitive;
    next.pose = numbers->pose;
    TS_TRY(check_pose(&next, error));
    if (next.kind == TS_PRIMITIVE_SUPERQUADRIC) {
        next.size = numbers->size;
        memcpy(next.exponent, numbers->exponent, sizeof next.exponent);
        TS_TRY(check_superquadric(&next, error));
    }
    *primitive = next;
    return TS_OK;
}

/* ---- Bounds ---- */

/* (|a|^q + |b|^q)^(1/q) */
static double norm2(double a, double b, double q)
{
    const double high = fmax(fabs(a), fabs(b)), low = fmin(fabs(a), fabs(b));
    return low > 0 ? high * ts_exp(ts_log(1 + ts_exp(q * ts_log(low / high))) / q) : high;
}

/* How far a superquadric reaches along d: it is the unit ball of nested norms with exponents 2/ε, and their duals have
 * 2/(2 - ε). */
static double superquadric_reach(const ts_primitive *p, ts_vec3 d)
{
    const double across = norm2(p->size.x * d.x, p->size.y * d.y, 2 / (2 - p->exponent[1]));
    return norm2(across, p->size.z * d.z, 2 / (2 - p->exponent[0]));
}

ts_box3 ts_primitive_bounds(const ts_primitive *primitive)
{
    const ts_mat3 turn = ts_quat_to_matrix(primitive->pose.quat);
    const double centre[3] = {primitive->pose.position.x, primitive->pose.position.y, primitive->pose.position.z};
    double low[3] = {0}, high[3] = {0};
    if (primitive->kind == TS_PRIMITIVE_SUPERQUADRIC) {
        for (int i = 0; i < 3; i++) {
            high[i] = superquadric_reach(primitive, ts_mat3_row(turn, i));
            low[i] = -high[i];
        }
    } else if (primitive->kind == TS_PRIMITIVE_POLYHEDRON) {
        bool bounded;
        if (polyhedron_extents(primitive, ts_mat3_transpose(turn), low, high, &bounded, NULL) != TS_OK)
            return (ts_box3){{-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}, {HUGE_VAL, HUGE_VAL, HUGE_VAL}};
    } else {
        for (int i = 0; i < 3; i++) {
            low[i] = HUGE_VAL;
            high[i] = -HUGE_VAL;
        }
        for (size_t k = 0; k < primitive->count; k++)
            for (int i = 0; i < 3; i++) {
                const double at = ts_vec3_dot(ts_mat3_row(turn, i), primitive->point[k]);
                low[i] = fmin(low[i], at - 2 * primitive->width);
                high[i] = fmax(high[i], at + 2 * primitive->width);
            }
    }
    return (ts_box3){{centre[0] + low[0], centre[1] + low[1], centre[2] + low[2]},
                     {centre[0] + high[0], centre[1] + high[1], centre[2] + high[2]}};
}
