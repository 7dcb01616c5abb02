/* SPDX-License-Identifier: MIT */
#include "measure/profile.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "measure/edges.h"

static const size_t slices_most = 1000;  /* derived ones: a grain that flew far off must not cost memory */
static const double histogram_most = 6;  /* mean forces: beyond lie some e⁻⁶ of the contacts */
static const size_t histogram_bins = 24; /* of a quarter of the mean force */
static const size_t rose_bins = 36;      /* of 5° */

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

static const char *const kind_name[TS_PROFILE_COUNT] = {
    [TS_PROFILE_PACKING] = "packing", [TS_PROFILE_VELOCITY] = "velocity", [TS_PROFILE_STRESS] = "stress",
    [TS_PROFILE_ROSE] = "rose",       [TS_PROFILE_FORCES] = "forces",     [TS_PROFILE_SURFACE] = "surface",
    [TS_PROFILE_PILE] = "pile",
};

const char *ts_profile_name(ts_profile_kind kind)
{
    return kind < TS_PROFILE_COUNT ? kind_name[kind] : NULL;
}

/* `names` ends with NULL. */
static ts_status reserve(ts_profile *out, const char *const *names, size_t rows, ts_error *error)
{
    *out = (ts_profile){.row_count = rows};
    for (; names[out->column_count]; out->column_count++)
        out->column[out->column_count] = names[out->column_count];
    out->value = ts_alloc(rows + 1, out->column_count * sizeof *out->value);
    return out->value ? TS_OK : ts_fail_memory(error, rows * out->column_count * sizeof *out->value);
}

static double *row(ts_profile *out, size_t k)
{
    return out->value + k * out->column_count;
}

/* The cell after the last one filled. */
static double *put(double *cell, const double *value, int count)
{
    for (int i = 0; i < count; i++)
        *cell++ = value[i];
    return cell;
}

/* The edges of slice k, in the first two cells. */
static void put_edges(double *cell, const ts_snapshot *s, const ts_region *region, const ts_bins *bins, size_t k)
{
    ts_region slice = ts_bin_region(s, region, bins, k);
    cell[0] = ts_region_low(&slice, ts_bin_axis(s, bins));
    cell[1] = ts_region_high(&slice, ts_bin_axis(s, bins));
}

static ts_status packing(const ts_snapshot *s, const ts_bins *bins, ts_profile *out, ts_error *error)
{
    static const char *const names[] = {"low_m", "high_m", "packing_fraction", NULL};
    ts_region region;
    TS_TRY(ts_bins_given(s, bins, &region, error));
    TS_TRY(reserve(out, names, bins->count, error));
    double *fraction = ts_alloc_raw(bins->count, sizeof *fraction);
    if (!fraction)
        return ts_fail_memory(error, bins->count * sizeof *fraction);
    ts_status status = ts_measure_packing_profile(s, bins, fraction, error);
    for (size_t k = 0; k < bins->count && status == TS_OK; k++) {
        put_edges(row(out, k), s, &region, bins, k);
        row(out, k)[2] = fraction[k];
    }
    ts_free(fraction);
    return status;
}

static ts_status velocity(const ts_snapshot *s, const ts_bins *bins, ts_profile *out, ts_error *error)
{
    static const char *const plane[] = {"low_m",
                                        "high_m",
                                        "grains",
                                        "at_m",
                                        "vx_m_per_s",
                                        "vy_m_per_s",
                                        "spin_rad_per_s",
                                        "shear_rate_per_s",
                                        "temperature_m2_per_s2",
                                        "rotational_temperature_m2_per_s2",
                                        NULL},
                             *const space[] = {"low_m",
                                               "high_m",
                                               "grains",
                                               "at_m",
                                               "vx_m_per_s",
                                               "vy_m_per_s",
                                               "vz_m_per_s",
                                               "spin_x_rad_per_s",
                                               "spin_y_rad_per_s",
                                               "spin_z_rad_per_s",
                                               "shear_rate_per_s",
                                               "temperature_m2_per_s2",
                                               "rotational_temperature_m2_per_s2",
                                               NULL};
    const int d = ts_dimension_of(s);
    TS_TRY(reserve(out, d == 3 ? space : plane, bins->count, error));
    ts_velocity_bin *bin = ts_alloc(bins->count, sizeof *bin);
    if (!bin)
        return ts_fail_memory(error, bins->count * sizeof *bin);
    ts_status status = ts_measure_velocity_profile(s, bins, bin, error);
    for (size_t k = 0; k < bins->count && status == TS_OK; k++) {
        const ts_velocity_bin *b = &bin[k];
        const double head[] = {b->low, b->high, (double)b->count, b->at},
                     tail[] = {b->shear_rate, b->temperature, b->rotational};
        double *cell = row(out, k);
        cell = put(cell, head, 4);
        cell = put(cell, b->velocity, d);
        cell = put(cell, d == 3 ? b->spin : b->spin + 2, d == 3 ? 3 : 1);
        put(cell, tail, 3);
    }
    ts_free(bin);
    return status;
}

static ts_status stress(const ts_snapshot *s, const ts_bins *bins, ts_profile *out, ts_error *error)
{
    static const char *const plane[] = {"low_m",
                                        "high_m",
                                        "stress_xx_N_per_m",
                                        "stress_xy_N_per_m",
                                        "stress_yx_N_per_m",
                                        "stress_yy_N_per_m",
                                        "kinetic_stress_xx_N_per_m",
                                        "kinetic_stress_xy_N_per_m",
                                        "kinetic_stress_yy_N_per_m",
                                        NULL},
                             *const space[] = {"low_m",
                                               "high_m",
                                               "stress_xx_N_per_m2",
                                               "stress_xy_N_per_m2",
                                               "stress_xz_N_per_m2",
                                               "stress_yx_N_per_m2",
                                               "stress_yy_N_per_m2",
                                               "stress_yz_N_per_m2",
                                               "stress_zx_N_per_m2",
                                               "stress_zy_N_per_m2",
                                               "stress_zz_N_per_m2",
                                               "kinetic_stress_xx_N_per_m2",
                                               "kinetic_stress_xy_N_per_m2",
                                               "kinetic_stress_xz_N_per_m2",
                                               "kinetic_stress_yy_N_per_m2",
                                               "kinetic_stress_yz_N_per_m2",
                                               "kinetic_stress_zz_N_per_m2",
                                               NULL};
    const int d = ts_dimension_of(s);
    ts_region region;
    TS_TRY(ts_bins_given(s, bins, &region, error));
    TS_TRY(reserve(out, d == 3 ? space : plane, bins->count, error));
    ts_stress *slice = ts_alloc(bins->count, sizeof *slice);
    if (!slice)
        return ts_fail_memory(error, bins->count * sizeof *slice);
    ts_status status = ts_measure_stress_profile(s, bins, slice, error);
    for (size_t k = 0; k < bins->count && status == TS_OK; k++) {
        const ts_stress *t = &slice[k];
        double *cell = row(out, k) + 2;
        put_edges(row(out, k), s, &region, bins, k);
        for (int i = 0; i < d; i++)
            cell = put(cell, t->contact[i], d);
        for (int i = 0; i < d; i++)
            cell = put(cell, t->kinetic[i] + i, d - i);
    }
    ts_free(slice);
    return status;
}

static ts_status rose(const ts_snapshot *s, const ts_measure_options *options, ts_profile *out, ts_error *error)
{
    static const char *const names[] = {"angle_rad", "density_per_rad", "normal_force_N", "tangential_force_N", NULL};
    size_t count = options->bins ? options->bins : rose_bins;
    TS_TRY(reserve(out, names, count, error));
    ts_rose_bin *bin = ts_alloc(count, sizeof *bin);
    if (!bin)
        return ts_fail_memory(error, count * sizeof *bin);
    ts_status status = ts_measure_rose(s, options->region, !options->no_walls, count, bin, error);
    for (size_t k = 0; k < count && status == TS_OK; k++) {
        const double cell[] = {bin[k].angle, bin[k].density, bin[k].normal, bin[k].tangential};
        memcpy(row(out, k), cell, sizeof cell);
    }
    ts_free(bin);
    return status;
}

static ts_status forces(const ts_snapshot *s, const ts_measure_options *options, ts_profile *out, ts_error *error)
{
    static const char *const names[] = {"low_over_mean", "high_over_mean", "density", NULL};
    size_t count = options->bins ? options->bins : histogram_bins;
    TS_TRY(reserve(out, names, count, error));
    double *density = ts_alloc(count, sizeof *density), width = histogram_most / (double)count;
    if (!density)
        return ts_fail_memory(error, count * sizeof *density);
    ts_status status = ts_measure_force_histogram(s, options->region, histogram_most, count, density, error);
    for (size_t k = 0; k < count && status == TS_OK; k++) {
        const double cell[] = {(double)k * width, (double)(k + 1) * width, density[k]};
        memcpy(row(out, k), cell, sizeof cell);
    }
    ts_free(density);
    return status;
}

static ts_status surface(const ts_snapshot *s, const ts_bins *bins, ts_profile *out, ts_error *error)
{
    static const char *const names[] = {"low_m", "high_m", "x_m", "top_m", NULL};
    ts_region region;
    TS_TRY(ts_bins_given(s, bins, &region, error));
    TS_TRY(reserve(out, names, bins->count, error));
    ts_surface_point *point = ts_alloc(bins->count, sizeof *point);
    if (!point)
        return ts_fail_memory(error, bins->count * sizeof *point);
    ts_status status = ts_measure_surface(s, bins, point, error);
    for (size_t k = 0; k < bins->count && status == TS_OK; k++) {
        put_edges(row(out, k), s, &region, bins, k);
        row(out, k)[2] = point[k].x;
        row(out, k)[3] = point[k].top;
    }
    ts_free(point);
    return status;
}

static ts_status pile(const ts_snapshot *s, const ts_bins *bins, ts_profile *out, ts_error *error)
{
    static const char *const names[] = {"low_m", "high_m", "top_m", "mean_m", "cover", NULL};
    ts_region region;
    TS_TRY(ts_bins_given(s, bins, &region, error));
    TS_TRY(reserve(out, names, bins->count, error));
    ts_pile_column *column = ts_alloc(bins->count, sizeof *column);
    if (!column)
        return ts_fail_memory(error, bins->count * sizeof *column);
    ts_status status = ts_measure_pile(s, bins, column, error);
    for (size_t k = 0; k < bins->count && status == TS_OK; k++) {
        const double cell[] = {column[k].top, column[k].mean, column[k].cover};
        put_edges(row(out, k), s, &region, bins, k);
        memcpy(row(out, k) + 2, cell, sizeof cell);
    }
    ts_free(column);
    return status;
}

static ts_status make(const ts_snapshot *s, ts_profile_kind kind, const ts_measure_options *options, ts_profile *out,
                      ts_error *error)
{
    ts_bins bins = ts_bins_of(s, options, options->along_x || kind == TS_PROFILE_SURFACE || kind == TS_PROFILE_PILE);
    switch (kind) {
    case TS_PROFILE_PACKING:
        return packing(s, &bins, out, error);
    case TS_PROFILE_VELOCITY:
        return velocity(s, &bins, out, error);
    case TS_PROFILE_STRESS:
        return stress(s, &bins, out, error);
    case TS_PROFILE_ROSE:
        return rose(s, options, out, error);
    case TS_PROFILE_FORCES:
        return forces(s, options, out, error);
    case TS_PROFILE_PILE:
        return pile(s, &bins, out, error);
    default:
        return surface(s, &bins, out, error);
    }
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
