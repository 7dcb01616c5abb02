/* SPDX-License-Identifier: MIT */
/* Velocities: profiles, shear rate, granular temperature, energies.
 *
 * The profile's mean velocity of a slice stands at the mean position of the slice's grains, and is interpolated
 * linearly between slices. A uniform shear is then met exactly: it has no temperature, whatever the slices, while a
 * temperature about constants slice by slice would grow with their width (by (γ̇ h)² / 12). */
#include <math.h>
#include <string.h>

#include "base/given.h"
#include "base/memory.h"
#include "measure/edges.h"
#include "measure/motion.h"

static const double nothing = (double)NAN;

/* What a slice has besides its means. */
typedef struct slice {
    ts_fluctuation motion;
    double evenness;                  /* Σ m² / (Σ m)²: 1/n of equal grains */
    double inertia, inertia_evenness; /* Σ I [kg m²], Σ I² / (Σ I)² */
    double spin_square;               /* Σ I |ω − Ω|² over axes [kg m²/s²] */
} slice;

typedef struct profile {
    const ts_snapshot *snapshot;
    const ts_bins *bins;
    ts_region region;
    ts_velocity_bin *bin;
    slice *slice;
} profile;

static double coordinate(const profile *p, const ts_snapshot_body *body)
{
    return body->position[ts_bin_axis(p->snapshot, p->bins)];
}

static bool in_profile(const profile *p, size_t i)
{
    const ts_snapshot_body *body = &p->snapshot->body[i];
    return ts_is_grain(body) && ts_region_holds(p->snapshot, &p->region, body->position);
}

static ts_velocity_bin *bin_of(const profile *p, const ts_snapshot_body *body)
{
    return &p->bin[ts_bin_of(p->snapshot, &p->region, p->bins, body->position)];
}

/* Means of each slice. */
static void find_means(profile *p)
{
    for (size_t k = 0; k < p->bins->count; k++) {
        ts_region box = ts_bin_region(p->snapshot, &p->region, p->bins, k);
        int axis = ts_bin_axis(p->snapshot, p->bins);
        p->bin[k] = (ts_velocity_bin){.low = ts_region_low(&box, axis), .high = ts_region_high(&box, axis)};
        p->slice[k] = (slice){0};
    }
    for (size_t i = 0; i < p->snapshot->body_count; i++) {
        const ts_snapshot_body *body = &p->snapshot->body[i];
        if (!in_profile(p, i))
            continue;
        ts_velocity_bin *bin = bin_of(p, body);
        slice *of = &p->slice[bin - p->bin];
        bin->count++;
        of->motion.mass += body->mass;
        of->evenness += body->mass * body->mass;
        double inertia = ts_moment(p->snapshot, body);
        of->inertia += inertia;
        of->inertia_evenness += inertia * inertia;
        bin->at += body->mass * coordinate(p, body);
        for (int c = 0; c < 3; c++) {
            bin->velocity[c] += body->mass * body->velocity[c];
            bin->spin[c] += inertia * body->spin[c];
        }
    }
    for (size_t k = 0; k < p->bins->count; k++) {
        ts_velocity_bin *bin = &p->bin[k];
        double m = bin->count ? p->slice[k].motion.mass : nothing, j = bin->count ? p->slice[k].inertia : nothing;
        bin->at /= m;
        for (int c = 0; c < 3; c++) {
            bin->velocity[c] /= m;
            bin->spin[c] /= j;
        }
        p->slice[k].evenness /= m * m;
        p->slice[k].inertia_evenness /= j * j;
    }
}

/* The nearest slice with grains, going by `by` (±1) from k; bins->count when there is none. */
static size_t next_filled(const profile *p, size_t k, int by)
{
    for (;;) {
        if (by < 0 && k == 0)
            return p->bins->count;
        k = by < 0 ? k - 1 : k + 1;
        if (k >= p->bins->count || p->bin[k].count)
            return k;
    }
}

/* The slices whose means bracket slice k: its neighbours, or itself at the ends. False when it is alone. */
static bool bracket(const profile *p, size_t k, size_t *low, size_t *high)
{
    *low = next_filled(p, k, -1);
    *high = next_filled(p, k, +1);
    if (*low >= p->bins->count)
        *low = k;
    if (*high >= p->bins->count)
        *high = k;
    return *low < *high && p->bin[*high].at > p->bin[*low].at;
}

static void find_shear(profile *p)
{
    int across = p->bins->along_x ? ts_up_of(p->snapshot) : 0;
    for (size_t k = 0; k < p->bins->count; k++) {
        size_t low, high;
        p->bin[k].shear_rate = nothing;
        if (p->bin[k].count && bracket(p, k, &low, &high))
            p->bin[k].shear_rate =
                (p->bin[high].velocity[across] - p->bin[low].velocity[across]) / (p->bin[high].at - p->bin[low].at);
    }
}

/* The profile's velocity where a grain is, and the f_i of motion.h. */
static double velocity_at(const profile *p, const ts_snapshot_body *body, double velocity[3])
{
    const ts_velocity_bin *own = bin_of(p, body);
    size_t k = (size_t)(own - p->bin), low, high;
    double at = coordinate(p, body);
    bracket(p, k, &low, &high);
    /* between the own mean and that of the neighbour on the grain's side; beyond the outermost means on the same
     * line */
    size_t i = at < own->at ? low : k, j = at < own->at ? k : high;
    if (i == j) {
        i = i == k && low < k ? low : i;
        j = j == k && high > k ? high : j;
    }
    double run = p->bin[j].at - p->bin[i].at, t = run > 0 ? (at - p->bin[i].at) / run : 0;
    for (int c = 0; c < 3; c++)
        velocity[c] = p->bin[i].velocity[c] + t * (p->bin[j].velocity[c] - p->bin[i].velocity[c]);
    size_t l = i == k ? j : i;
    double alpha = (i == k ? 1 - t : 0) + (j == k ? t : 0), beta = 1 - alpha;
    return 1 - 2 * alpha * body->mass / p->slice[k].motion.mass + alpha * alpha * p->slice[k].evenness +
           beta * beta * (l == k ? 0 : p->slice[l].evenness);
}

/* |a − b|² */
static double square_of_difference(const double a[3], const double b[3])
{
    double x = a[0] - b[0], y = a[1] - b[1], z = a[2] - b[2];
    return x * x + y * y + z * z;
}

static void find_fluctuations(profile *p)
{
    for (size_t i = 0; i < p->snapshot->body_count; i++) {
        const ts_snapshot_body *body = &p->snapshot->body[i];
        if (!in_profile(p, i))
            continue;
        ts_velocity_bin *bin = bin_of(p, body);
        if (bin->count < 2)
            continue;
        slice *of = &p->slice[bin - p->bin];
        double mean[3];
        of->motion.weight += body->mass * velocity_at(p, body, mean);
        for (int u = 0; u < 3; u++)
            for (int v = 0; v < 3; v++)
                of->motion.square[u][v] += body->mass * (body->velocity[u] - mean[u]) * (body->velocity[v] - mean[v]);
        of->spin_square += ts_moment(p->snapshot, body) * square_of_difference(body->spin, bin->spin);
    }
}

static double temperature_of(const profile *p, const ts_fluctuation *of)
{
    double trace = of->square[0][0] + of->square[1][1] + of->square[2][2];
    return of->weight > 0 ? trace / ts_dimension_of(p->snapshot) / of->weight : nothing;
}

double ts_momentum_flux(const ts_fluctuation *of, int i, int j)
{
    if (of->mass == 0)
        return 0;
    return of->weight > 0 ? of->mass * (of->square[i][j] / of->weight) : nothing;
}

/* Σ I |ω − Ω|² / Σ m of each axis, likewise without the bias of the means: `weight` is Σ I (1 − Σ I² / (Σ I)²). */
static double rotational_of(const profile *p, double square, double weight, double inertia, double mass)
{
    return weight > 0 ? square / ts_kind_of(p->snapshot)->turns / weight * (inertia / mass) : nothing;
}

static void find_temperatures(profile *p)
{
    for (size_t k = 0; k < p->bins->count; k++) {
        const slice *of = &p->slice[k];
        bool known = p->bin[k].count > 1;
        p->bin[k].temperature = known ? temperature_of(p, &of->motion) : nothing;
        p->bin[k].rotational = known ? rotational_of(p, of->spin_square, of->inertia * (1 - of->inertia_evenness),
                                                     of->inertia, of->motion.mass)
                                     : nothing;
    }
}

static void free_profile(profile *p)
{
    ts_free(p->bin);
    ts_free(p->slice);
}

static ts_status make_profile(profile *p, ts_error *error)
{
    size_t count = p->bins->count;
    TS_TRY(ts_bins_given(p->snapshot, p->bins, &p->region, error));
    p->bin = ts_alloc(count, sizeof *p->bin);
    p->slice = ts_alloc(count, sizeof *p->slice);
    if (!p->bin || !p->slice) {
        free_profile(p);
        return ts_fail_memory(error, count * (sizeof *p->bin + sizeof *p->slice));
    }
    find_means(p);
    find_shear(p);
    find_fluctuations(p);
    find_temperatures(p);
    return TS_OK;
}

ts_status ts_measure_velocity_profile(const ts_snapshot *snapshot, const ts_bins *bins, ts_velocity_bin *out,
                                      ts_error *error)
{
    TS_GIVEN(bins, "velocity profile", error);
    TS_GIVEN(out, "velocity profile", error);
    profile p = {.snapshot = snapshot, .bins = bins};
    TS_TRY(make_profile(&p, error));
    memcpy(out, p.bin, bins->count * sizeof *out);
    free_profile(&p);
    return TS_OK;
}

static void add_fluctuation(ts_fluctuation *sum, const ts_fluctuation *one)
{
    sum->mass += one->mass;
    sum->weight += one->weight;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            sum->square[i][j] += one->square[i][j];
}

static ts_fluctuation fluctuation_of_all(const profile *p)
{
    ts_fluctuation all = {0};
    for (size_t k = 0; k < p->bins->count; k++)
        add_fluctuation(&all, &p->slice[k].motion);
    return all;
}

ts_status ts_fluctuations(const ts_snapshot *snapshot, const ts_bins *bins, ts_fluctuation *each, ts_fluctuation *all,
                          ts_error *error)
{
    profile p = {.snapshot = snapshot, .bins = bins};
    TS_TRY(make_profile(&p, error));
    for (size_t k = 0; each && k < bins->count; k++)
        each[k] = p.slice[k].motion;
    *all = fluctuation_of_all(&p);
    free_profile(&p);
    return TS_OK;
}

/* ---- As one number ---- */

/* Σ of the slices where the spin's fluctuation is known. */
static double rotational_of_all(const profile *p)
{
    double square = 0, weight = 0, inertia = 0, mass = 0;
    for (size_t k = 0; k < p->bins->count; k++) {
        const slice *of = &p->slice[k];
        if (p->bin[k].count < 2)
            continue;
        square += of->spin_square;
        weight += of->inertia * (1 - of->inertia_evenness);
        inertia += of->inertia;
        mass += of->motion.mass;
    }
    return rotational_of(p, square, weight, inertia, mass);
}

/* About the means of all, which are one slice without a slope. */
static void find_about_mean(const profile *p, double mass, double inertia, ts_motion_measures *m)
{
    double square = 0, spin_square = 0, evenness = 0, inertia_evenness = 0;
    size_t count = 0;
    for (size_t i = 0; i < p->snapshot->body_count; i++) {
        const ts_snapshot_body *body = &p->snapshot->body[i];
        if (!in_profile(p, i))
            continue;
        double own = ts_moment(p->snapshot, body);
        square += body->mass * square_of_difference(body->velocity, m->velocity);
        spin_square += own * square_of_difference(body->spin, m->spin);
        evenness += body->mass * body->mass / (mass * mass);
        inertia_evenness += own * own / (inertia * inertia);
        count++;
    }
    m->about_mean = count > 1 ? square / ts_dimension_of(p->snapshot) / (mass * (1 - evenness)) : nothing;
    m->rotational_about_mean =
        count > 1 ? rotational_of(p, spin_square, inertia * (1 - inertia_evenness), inertia, mass) : nothing;
}

static ts_motion_measures motion_of(const profile *p)
{
    ts_motion_measures m = {0};
    double mass = 0, inertia = 0, at = 0, square = 0, product = 0;
    int across = p->bins->along_x ? ts_up_of(p->snapshot) : 0;
    for (size_t i = 0; i < p->snapshot->body_count; i++) {
        const ts_snapshot_body *body = &p->snapshot->body[i];
        if (!in_profile(p, i))
            continue;
        mass += body->mass;
        double own = ts_moment(p->snapshot, body);
        inertia += own;
        at += body->mass * coordinate(p, body);
        for (int c = 0; c < 3; c++) {
            m.velocity[c] += body->mass * body->velocity[c];
            m.spin[c] += own * body->spin[c];
        }
    }
    mass = mass > 0 ? mass : nothing;
    at /= mass;
    for (int c = 0; c < 3; c++) {
        m.velocity[c] /= mass;
        m.spin[c] = inertia > 0 ? m.spin[c] / inertia : nothing;
    }
    for (size_t i = 0; i < p->snapshot->body_count; i++) {
        const ts_snapshot_body *body = &p->snapshot->body[i];
        if (!in_profile(p, i))
            continue;
        double s = coordinate(p, body) - at;
        square += body->mass * s * s;
        product += body->mass * s * (body->velocity[across] - m.velocity[across]);
    }
    m.shear_rate = square > 0 ? product / square : nothing;
    ts_fluctuation all = fluctuation_of_all(p);
    m.temperature = temperature_of(p, &all);
    m.rotational = rotational_of_all(p);
    find_about_mean(p, mass, inertia, &m);
    return m;
}

ts_status ts_measure_motion(const ts_snapshot *snapshot, const ts_bins *bins, ts_motion_measures *out, ts_error *error)
{
    TS_GIVEN(bins, "motion", error);
    TS_GIVEN(out, "motion", error);
    profile p = {.snapshot = snapshot, .bins = bins};
    TS_TRY(make_profile(&p, error));
    *out = motion_of(&p);
    free_profile(&p);
    return TS_OK;
}

/* ---- Energies ---- */

void ts_measure_energies(const ts_snapshot *snapshot, ts_energies *out)
{
    if (!out)
        return;
    if (!snapshot) {
        *out = (ts_energies){nothing, nothing, nothing, nothing, nothing, nothing, nothing, nothing, nothing};
        return;
    }
    ts_energies e = {.elastic = snapshot->elastic,
                     .work = snapshot->work,
                     .lost_normal = snapshot->lost_normal,
                     .lost_tangential = snapshot->lost_tangential,
                     .lost_friction = snapshot->lost_friction};
    for (size_t i = 0; i < snapshot->body_count; i++) {
        const ts_snapshot_body *body = &snapshot->body[i];
        if (!ts_is_grain(body))
            continue;
        const double *v = body->velocity, *x = body->position, *g = snapshot->gravity;
        e.kinetic += 0.5 * body->mass * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
        e.rotational = ts_kind_of(snapshot)->rotational(body, e.rotational);
        e.gravitational -= body->mass * (g[0] * x[0] + g[1] * x[1] + g[2] * x[2]);
    }
    e.balance = e.kinetic + e.rotational + e.gravitational + e.elastic + e.lost_normal + e.lost_tangential +
                e.lost_friction - e.work;
    *out = e;
}
