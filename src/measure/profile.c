/* SPDX-License-Identifier: MIT */
#include "measure/profile.h"

#include <math.h>

#include "base/memory.h"
#include "measure/edges.h"

static const size_t slices_most = 1000; /* derived ones: a grain that flew far off must not cost memory */
static const double histogram_most = 6; /* mean forces: beyond lie some e⁻⁶ of the contacts */

ts_bins ts_bins_of(const ts_snapshot *snapshot, const ts_measure_options *options, bool along_x)
{
    ts_bins bins = {options->region, options->bins, along_x};
    if (bins.count > 0)
        return bins;
    ts_region region = options->region ? *options->region : ts_snapshot_region(snapshot);
    double radius = 0, grains = 0;
    for (size_t i = 0; i < snapshot->body_count; i++)
        if (ts_is_grain(&snapshot->body[i])) {
            radius += snapshot->body[i].radius;
            grains++;
        }
    int axis = ts_bin_axis(snapshot, &bins);
    double extent = ts_region_high(&region, axis) - ts_region_low(&region, axis);
    double count = grains > 0 ? round(extent / (4 * radius / grains)) : 1;
    bins.count = !(count > 1) ? 1 : count < (double)slices_most ? (size_t)count : slices_most;
    return bins;
}

/* ---- Profiles ---- */

/* clang-format off */
static const char *const packing_names[] = {"low_m", "high_m", "packing_fraction", NULL};
static const char *const velocity_names[] = {
    "low_m", "high_m", "grains", "at_m", "vx_m_per_s", "vy_m_per_s", "spin_rad_per_s", "shear_rate_per_s",
    "temperature_m2_per_s2", "rotational_temperature_m2_per_s2", NULL};
static const char *const velocity_names3[] = {
    "low_m", "high_m", "grains", "at_m", "vx_m_per_s", "vy_m_per_s", "vz_m_per_s", "spin_x_rad_per_s",
    "spin_y_rad_per_s", "spin_z_rad_per_s", "shear_rate_per_s", "temperature_m2_per_s2",
    "rotational_temperature_m2_per_s2", NULL};
static const char *const stress_names[] = {
    "low_m", "high_m", "stress_xx_N_per_m", "stress_xy_N_per_m", "stress_yx_N_per_m", "stress_yy_N_per_m",
    "kinetic_stress_xx_N_per_m", "kinetic_stress_xy_N_per_m", "kinetic_stress_yy_N_per_m", NULL};
static const char *const stress_names3[] = {
    "low_m", "high_m", "stress_xx_N_per_m2", "stress_xy_N_per_m2", "stress_xz_N_per_m2", "stress_yx_N_per_m2",
    "stress_yy_N_per_m2", "stress_yz_N_per_m2", "stress_zx_N_per_m2", "stress_zy_N_per_m2", "stress_zz_N_per_m2",
    "kinetic_stress_xx_N_per_m2", "kinetic_stress_xy_N_per_m2", "kinetic_stress_xz_N_per_m2",
    "kinetic_stress_yy_N_per_m2", "kinetic_stress_yz_N_per_m2", "kinetic_stress_zz_N_per_m2", NULL};
static const char *const rose_names[] = {"angle_rad", "density_per_rad", "normal_force_N", "tangential_force_N", NULL};
static const char *const forces_names[] = {"low_over_mean", "high_over_mean", "density", NULL};
static const char *const surface_names[] = {"low_m", "high_m", "x_m", "top_m", NULL};
static const char *const pile_names[] = {"low_m", "high_m", "top_m", "mean_m", "cover", NULL};
/* clang-format on */

static const struct {
    const char *name;
    const char *const *column[2]; /* names, in the plane and in space */
    size_t size;                  /* of what is measured of a slice [bytes] */
    size_t bins;                  /* unless the options give a number; 0: slices of the region */
    bool upright;                 /* slices follow x, whatever the options say */
} kinds[TS_PROFILE_COUNT] = {
    [TS_PROFILE_PACKING] = {"packing", {packing_names, packing_names}, sizeof(double), 0, false},
    [TS_PROFILE_VELOCITY] = {"velocity", {velocity_names, velocity_names3}, sizeof(ts_velocity_bin), 0, false},
    [TS_PROFILE_STRESS] = {"stress", {stress_names, stress_names3}, sizeof(ts_stress), 0, false},
    [TS_PROFILE_ROSE] = {"rose", {rose_names, rose_names}, sizeof(ts_rose_bin), 36, false}, /* of 5° */
    /* of a quarter of the mean force */
    [TS_PROFILE_FORCES] = {"forces", {forces_names, forces_names}, sizeof(double), 24, false},
    [TS_PROFILE_SURFACE] = {"surface", {surface_names, surface_names}, sizeof(ts_surface_point), 0, true},
    [TS_PROFILE_PILE] = {"pile", {pile_names, pile_names}, sizeof(ts_pile_column), 0, true},
};

const char *ts_profile_name(ts_profile_kind kind)
{
    return kind < TS_PROFILE_COUNT ? kinds[kind].name : NULL;
}

/* All slices, of which `region` is the whole. */
static ts_status measure(const ts_snapshot *s, ts_profile_kind kind, const ts_bins *bins,
                         const ts_measure_options *options, void *slice, ts_region *region, ts_error *error)
{
    if (kinds[kind].bins == 0)
        TS_TRY(ts_bins_given(s, bins, region, error));
    switch (kind) {
    case TS_PROFILE_PACKING:
        return ts_measure_packing_profile(s, bins, slice, error);
    case TS_PROFILE_VELOCITY:
        return ts_measure_velocity_profile(s, bins, slice, error);
    case TS_PROFILE_STRESS:
        return ts_measure_stress_profile(s, bins, slice, error);
    case TS_PROFILE_ROSE:
        return ts_measure_rose(s, options->region, !options->no_walls, bins->count, slice, error);
    case TS_PROFILE_FORCES:
        return ts_measure_force_histogram(s, options->region, histogram_most, bins->count, slice, error);
    case TS_PROFILE_PILE:
        return ts_measure_pile(s, bins, slice, error);
    default:
        return ts_measure_surface(s, bins, slice, error);
    }
}

/* The cell after the last one filled. */
static double *put(double *cell, const double *value, int count)
{
    for (int i = 0; i < count; i++)
        *cell++ = value[i];
    return cell;
}

/* Slice k in cells, after where it begins and ends. */
static void put_slice(ts_profile_kind kind, const void *slice, size_t k, const ts_measure_kind *in, double *cell)
{
    const ts_velocity_bin *v = slice;
    const ts_stress *t = slice;
    const ts_rose_bin *r = slice;
    const ts_pile_column *c = slice;
    const ts_surface_point *p = slice;
    switch (kind) {
    case TS_PROFILE_VELOCITY:
        cell = put(cell, (const double[]){(double)v[k].count, v[k].at}, 2);
        cell = put(cell, v[k].velocity, in->axes);
        cell = put(cell, v[k].spin + 3 - in->turns, in->turns);
        put(cell, (const double[]){v[k].shear_rate, v[k].temperature, v[k].rotational}, 3);
        break;
    case TS_PROFILE_STRESS:
        for (int i = 0; i < in->axes; i++)
            cell = put(cell, t[k].contact[i], in->axes);
        for (int i = 0; i < in->axes; i++)
            cell = put(cell, t[k].kinetic[i] + i, in->axes - i);
        break;
    case TS_PROFILE_ROSE: /* around an angle */
        put(cell - 2, (const double[]){r[k].angle, r[k].density, r[k].normal, r[k].tangential}, 4);
        break;
    case TS_PROFILE_SURFACE:
        put(cell, (const double[]){p[k].x, p[k].top}, 2);
        break;
    case TS_PROFILE_PILE:
        put(cell, (const double[]){c[k].top, c[k].mean, c[k].cover}, 3);
        break;
    default:
        *cell = ((const double *)slice)[k];
    }
}

static ts_status make(const ts_snapshot *s, ts_profile_kind kind, const ts_measure_options *options, ts_profile *out,
                      ts_error *error)
{
    const ts_measure_kind *in = ts_kind_of(s);
    const char *const *names = kinds[kind].column[in->row];
    ts_bins bins = ts_bins_of(s, options, options->along_x || kinds[kind].upright);
    if (kinds[kind].bins > 0)
        bins.count = options->bins ? options->bins : kinds[kind].bins;
    *out = (ts_profile){.row_count = bins.count};
    for (; names[out->column_count]; out->column_count++)
        out->column[out->column_count] = names[out->column_count];
    out->value = ts_alloc(bins.count + 1, out->column_count * sizeof *out->value);
    TS_AUTO_FREE void *slice = ts_alloc(bins.count, kinds[kind].size);
    if (!out->value || !slice)
        return ts_fail_memory(error, bins.count * out->column_count * sizeof *out->value);
    ts_region region = {0};
    TS_TRY(measure(s, kind, &bins, options, slice, &region, error));
    for (size_t k = 0; k < bins.count; k++) {
        double *cell = out->value + k * out->column_count, width = histogram_most / (double)bins.count;
        ts_region box = ts_bin_region(s, &region, &bins, k);
        bool forces = kind == TS_PROFILE_FORCES; /* slices of forces, as multiples of their mean */
        cell[0] = forces ? (double)k * width : ts_region_low(&box, ts_bin_axis(s, &bins));
        cell[1] = forces ? (double)(k + 1) * width : ts_region_high(&box, ts_bin_axis(s, &bins));
        put_slice(kind, slice, k, in, cell + 2);
    }
    return TS_OK;
}

ts_status ts_profile_make(const ts_snapshot *snapshot, ts_profile_kind kind, const ts_measure_options *options,
                          ts_profile *out, ts_error *error)
{
    ts_profile made = {0};
    ts_status status = make(snapshot, kind, options, &made, error);
    if (status == TS_OK)
        *out = made;
    else
        ts_profile_free(&made);
    return status;
}

void ts_profile_free(ts_profile *profile)
{
    ts_free(profile->value);
    *profile = (ts_profile){0};
}
