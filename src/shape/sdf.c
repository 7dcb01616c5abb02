/* SPDX-License-Identifier: MIT */
#include "shape/sdf.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/kernel.h"
#include "base/simd_exp.h"
#include "shape/primitive_parts.h"
#include "shape/sdf_kernel.h"

TS_KERNEL_CHOOSER(ts_sdf_kernels, ts_sdf)
TS_KERNEL_CHOOSER(ts_sdf_vjp_kernels, ts_sdf_vjp)

/* δ² for ε > 1, as a share of the half axis squared. It grows smoothly from 0 at ε = 1 to its full size at 1.1. */
#define SOFT       1e-8
#define SOFT_UNTIL 0.1
/* Just enough to keep log 0 away. */
#define SOFT_LEAST 1e-200

struct ts_sdf {
    ts_primitive *primitive; /* as given (count) */
    size_t count;
    ts_sdf_pack *pack; /* added, then subtracted (count) */
    double *column;    /* what packs point to (column_count) */
    size_t column_count;
    ts_sdf_packs packs;
    bool borrowed; /* points, normals and columns are another's */
    ts_box3 bounds;
    double length;
    double smoothing; /* τ of the default rule, over the length */
};

/* ---- Packing ---- */

static double soft_of(double exponent, double *slope)
{
    const double t = fmin(fmax((exponent - 1) / SOFT_UNTIL, 0), 1);
    *slope = SOFT * 6 * t * (1 - t) / SOFT_UNTIL;
    return SOFT * t * t * (3 - 2 * t);
}

static void pack_superquadric(const ts_primitive *from, ts_sdf_pack *to)
{
    const double size[3] = {from->size.x, from->size.y, from->size.z};
    double power = 0, reach = 0, least = HUGE_VAL;
    for (int i = 0; i < 3; i++) {
        to->size[i] = size[i];
        to->inverse[i] = 1 / size[i];
        least = fmin(least, size[i]);
        reach += size[i] * size[i];
    }
    reach = sqrt(reach);
    to->scale = (size[0] + size[1] + size[2]) / 3;
    for (int i = 0; i < 2; i++) {
        to->exponent[i] = from->exponent[i];
        to->inverse_exponent[i] = 1 / from->exponent[i];
        /* of two numbers a p-norm, p = 2/ε, is 2^(1/p - 1/2) of the Euclidean one where they are equal: least if p > 2, most if not */
        const double equal = ts_exp(TS_LN2 * (from->exponent[i] - 1));
        to->square_least[i] = fmin(equal, 1) * (1 - 1e-12);
        to->square_most[i] = fmax(equal, 1) * (1 + 1e-12);
    }
    to->ratio = from->exponent[1] / from->exponent[0];
    to->half = 0.5 * from->exponent[0];
    const double soft[2] = {soft_of(from->exponent[0], &to->soft_slope[0]),
                            soft_of(from->exponent[1], &to->soft_slope[1])};
    to->soft[0] = to->soft[1] = SOFT_LEAST + soft[0] + soft[1];
    to->soft[2] = SOFT_LEAST + soft[0];
    /* smooth, and near the smallest half axis: the mean of their powers -4 */
    for (int i = 0; i < 3; i++) {
        const double r = least / size[i];
        power += r * r * r * r / 3;
    }
    const double depth = TS_SDF_P0 / TS_SDF_CORE - 1, smooth = least / sqrt(sqrt(power));
    to->core = smooth / depth;
    for (int i = 0; i < 3; i++) {
        const double r = smooth / size[i];
        to->core_slope[i] = r * r * r * r * r / (3 * depth);
    }
    /* where g ≥ TS_SDF_CORE, -|y| (1 - g) / g ≥ -reach (1 - g); else by the largest of both factors of the core */
    const double inside = TS_SDF_CORE * reach;
    to->lowest = -fmax(reach * (1 - TS_SDF_CORE), sqrt(inside * inside + to->core * to->core) * depth) * (1 + 1e-9);
}

static double *pack_columns(const ts_primitive *from, ts_sdf_pack *to, double *column)
{
    double *const at = column;
    const size_t n = from->count;
    to->count = n;
    for (size_t k = 0; k < 3; k++) {
        to->normal[k] = at + k * n;
        to->point[k] = at + (3 + k) * n;
    }
    to->offset = at + 6 * n;
    for (size_t i = 0; i < n; i++) {
        const ts_vec3 p = from->point[i], u = from->normal[i];
        at[i] = u.x;
        at[n + i] = u.y;
        at[2 * n + i] = u.z;
        at[3 * n + i] = p.x;
        at[4 * n + i] = p.y;
        at[5 * n + i] = p.z;
        at[6 * n + i] = ts_vec3_dot(u, p);
    }
    return at + 7 * n;
}

static ts_status pack_polyhedron(const ts_primitive *from, ts_sdf_pack *to, ts_error *error)
{
    ts_vec3 centre;
    TS_TRY(ts_polyhedron_ball(from, &centre, &to->ball, error));
    const double at[3] = {centre.x, centre.y, centre.z};
    memcpy(to->centre, at, sizeof at);
    ts_primitive still = *from;
    still.pose = ts_pose3_identity();
    const ts_box3 box = ts_primitive_bounds(&still);
    to->reach = ts_vec3_length(ts_vec3_max(ts_vec3_sub(box.high, centre), ts_vec3_sub(centre, box.low)));
    to->log_count = log((double)from->count);
    if (!(to->reach < HUGE_VAL))
        return ts_fail_memory(error, 0);
    return TS_OK;
}

/* All but what belongs to points and normals. */
static void pack_numbers(const ts_primitive *from, ts_sdf_pack *to)
{
    const ts_mat3 turn = ts_quat_to_matrix(from->pose.quat);
    const double position[3] = {from->pose.position.x, from->pose.position.y, from->pose.position.z};
    memcpy(to->turn, turn.m, sizeof to->turn);
    memcpy(to->position, position, sizeof position);
    if (from->kind != TS_PRIMITIVE_SUPERQUADRIC)
        return;
    pack_superquadric(from, to);
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            to->fold[i][k] = to->inverse[i] * to->turn[k][i];
}

void ts_sdf_pack_superquadric(const ts_primitive *from, ts_sdf_pack *to)
{
    pack_numbers(from, to);
}

static ts_status pack_one(const ts_primitive *from, size_t index, ts_sdf_pack *to, double **column, ts_error *error)
{
    to->kind = from->kind;
    to->index = index;
    pack_numbers(from, to);
    if (from->kind == TS_PRIMITIVE_SUPERQUADRIC)
        return TS_OK;
    *column = pack_columns(from, to, *column);
    if (from->kind == TS_PRIMITIVE_POLYHEDRON)
        return pack_polyhedron(from, to, error);
    to->precision = 1 / (from->width * from->width);
    return TS_OK;
}

static ts_status pack_all(ts_sdf *sdf, ts_error *error)
{
    for (size_t i = 0; i < sdf->count; i++)
        sdf->column_count += 7 * sdf->primitive[i].count;
    TS_TRY(ts_new(&sdf->pack, sdf->count, error));
    TS_TRY(ts_new_raw(&sdf->column, sdf->column_count, error));
    double *column = sdf->column;
    size_t next = 0;
    for (int subtract = 0; subtract < 2; subtract++)
        for (size_t i = 0; i < sdf->count; i++)
            if (sdf->primitive[i].subtract == (subtract == 1))
                TS_TRY(pack_one(&sdf->primitive[i], i, &sdf->pack[next++], &column, error));
    return TS_OK;
}

/* ---- Creation ---- */

static ts_status fill(ts_sdf *sdf, const ts_primitive *primitive, size_t count, ts_error *error)
{
    TS_TRY(ts_new(&sdf->primitive, count, error));
    size_t added = 0;
    sdf->bounds = ts_box3_none();
    for (size_t i = 0; i < count; i++) {
        TS_TRY(ts_primitive_copy(&primitive[i], &sdf->primitive[i], error));
        sdf->count++;
        TS_TRY(ts_primitive_check(&sdf->primitive[i], error));
        if (sdf->primitive[i].subtract)
            continue;
        added++;
        sdf->bounds = ts_box3_join(sdf->bounds, ts_primitive_bounds(&sdf->primitive[i]));
    }
    if (added == 0)
        return ts_fail(error, TS_BAD_INPUT,
                       "all %zu primitives are subtracted, which leaves no body; let at least one be added", count);
    const ts_vec3 span = ts_vec3_sub(sdf->bounds.high, sdf->bounds.low);
    sdf->length = fmax(span.x, fmax(span.y, span.z));
    if (!(sdf->length < HUGE_VAL))
        return ts_fail_memory(error, 0);
    TS_TRY(pack_all(sdf, error));
    const ts_vec3 far = ts_vec3_max(sdf->bounds.high, ts_vec3_neg(sdf->bounds.low));
    sdf->packs =
        (ts_sdf_packs){sdf->pack, added, count - added, 1e100 * fmax(sdf->length, fmax(far.x, fmax(far.y, far.z)))};
    return TS_OK;
}

ts_status ts_sdf_create(const ts_primitive *primitive, size_t count, ts_sdf **sdf, ts_error *error)
{
    if (count == 0)
        return ts_fail(error, TS_BAD_INPUT, "a smooth body has no primitives; give at least one");
    if (count > TS_SDF_PRIMITIVES_MAX)
        return ts_fail(error, TS_BAD_INPUT, "a smooth body has %zu primitives; keep to %d, or use a mesh", count,
                       TS_SDF_PRIMITIVES_MAX);
    TS_AUTO(ts_sdf_free_at) ts_sdf *made = NULL;
    TS_TRY(ts_new(&made, 1, error));
    TS_TRY(fill(made, primitive, count, error));
    made->smoothing = TS_SDF_SMOOTHING;
    *sdf = ts_give(&made);
    return TS_OK;
}

ts_status ts_sdf_vary(const ts_sdf *of, ts_sdf **varied, ts_error *error)
{
    TS_AUTO(ts_sdf_free_at) ts_sdf *made = NULL;
    TS_TRY(ts_new(&made, 1, error));
    *made = *of;
    made->borrowed = true;
    made->primitive = NULL;
    made->pack = NULL;
    TS_TRY(ts_new_raw(&made->primitive, of->count, error));
    TS_TRY(ts_new_raw(&made->pack, of->count, error));
    memcpy(made->primitive, of->primitive, of->count * sizeof *of->primitive);
    memcpy(made->pack, of->pack, of->count * sizeof *of->pack);
    made->packs.pack = made->pack;
    *varied = ts_give(&made);
    return TS_OK;
}

ts_status ts_sdf_set_numbers(ts_sdf *varied, const ts_primitive_numbers *numbers, ts_error *error)
{
    assert(varied->borrowed);
    for (size_t i = 0; i < varied->count; i++) {
        ts_primitive tried = varied->primitive[i];
        TS_TRY(ts_primitive_set_numbers(&tried, &numbers[i], error));
    }
    for (size_t k = 0; k < varied->count; k++) {
        ts_primitive *primitive = &varied->primitive[varied->pack[k].index];
        TS_TRY(ts_primitive_set_numbers(primitive, &numbers[varied->pack[k].index], error));
        pack_numbers(primitive, &varied->pack[k]);
    }
    return TS_OK;
}

void ts_sdf_free(ts_sdf *sdf)
{
    if (!sdf)
        return;
    for (size_t i = 0; i < sdf->count && !sdf->borrowed; i++)
        ts_primitive_release(&sdf->primitive[i]);
    ts_free(sdf->primitive);
    ts_free(sdf->pack);
    if (!sdf->borrowed)
        ts_free(sdf->column);
    ts_free(sdf);
}

size_t ts_sdf_bytes(const ts_sdf *sdf)
{
    size_t bytes = sizeof *sdf + sdf->count * (sizeof *sdf->primitive + sizeof *sdf->pack) +
                   sdf->column_count * sizeof *sdf->column;
    for (size_t i = 0; i < sdf->count; i++)
        bytes += 2 * sdf->primitive[i].count * sizeof(ts_vec3);
    return bytes;
}

size_t ts_sdf_count(const ts_sdf *sdf)
{
    return sdf->count;
}

const ts_primitive *ts_sdf_primitive(const ts_sdf *sdf, size_t index)
{
    assert(index < sdf->count);
    return &sdf->primitive[index];
}

ts_box3 ts_sdf_bounds(const ts_sdf *sdf)
{
    return sdf->bounds;
}

double ts_sdf_length(const ts_sdf *sdf)
{
    return sdf->length;
}

ts_status ts_sdf_set_smoothing(ts_sdf *sdf, double smoothing, ts_error *error)
{
    if (!(smoothing > 0 && smoothing <= 1))
        return ts_fail(
            error, TS_BAD_INPUT,
            "the smoothing of a smooth body is %g of its length; give a number above 0, at most 1, such as %g",
            smoothing, TS_SDF_SMOOTHING);
    sdf->smoothing = smoothing;
    return TS_OK;
}

double ts_sdf_smoothing(const ts_sdf *sdf)
{
    return sdf->smoothing;
}

ts_sdf_rule ts_sdf_default_rule(const ts_sdf *sdf)
{
    return (ts_sdf_rule){.tau = sdf->smoothing * sdf->length, .normal = 1e-12};
}

const ts_sdf_packs *ts_sdf_packs_of(const ts_sdf *sdf)
{
    return &sdf->packs;
}

/* ---- Questions ---- */

void ts_sdf_ask(const ts_sdf *sdf, const ts_sdf_rule *rule, const ts_sdf_points *at, const ts_sdf_answers *to)
{
    assert(rule->tau > 0);
    ts_sdf_choose()->ask(&sdf->packs, rule, at, to);
}

double ts_sdf_at(const ts_sdf *sdf, const ts_sdf_rule *rule, ts_vec3 point)
{
    double value;
    ts_sdf_ask(sdf, rule, &(ts_sdf_points){1, &point.x, &point.y, &point.z}, &(ts_sdf_answers){.value = &value});
    return value;
}

void ts_sdf_ask_vjp(const ts_sdf *sdf, const ts_sdf_rule *rule, const ts_sdf_points *at, const ts_sdf_answers *bar,
                    double *const point_bar[3], ts_primitive_bar *primitive_bar)
{
    assert(rule->tau > 0);
    ts_sdf_vjp_choose()->ask_vjp(&sdf->packs, rule, at, bar, point_bar, primitive_bar);
}
