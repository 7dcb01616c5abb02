/* SPDX-License-Identifier: MIT */
/* Velocities: profiles, shear rate, granular temperature, flow through a line, energies.
 *
 * The profile's mean velocity of a slice stands at the mean position of the slice's grains, and is interpolated linearly between
 * slices. A uniform shear is then met exactly: it has no temperature, whatever the slices, while a temperature about constants
 * slice by slice would grow with their width (by (γ̇ h)² / 12). */
#include <math.h>

#include "base/memory.h"
#include "measure/edges.h"

static const double nothing = (double)NAN;

typedef struct profile {
    const ts_snapshot *snapshot;
    const ts_bins *bins;
    ts_region region;
    ts_velocity_bin *bin;
} profile;

static double coordinate(const profile *p, const ts_snapshot_body *body)
{
    return p->bins->along_x ? body->x : body->y;
}

static bool in_profile(const profile *p, size_t i)
{
    const ts_snapshot_body *body = &p->snapshot->body[i];
    return ts_is_grain(body) && ts_region_holds(&p->region, body->x, body->y);
}

static ts_velocity_bin *bin_of(const profile *p, const ts_snapshot_body *body)
{
    return &p->bin[ts_bin_of(&p->region, p->bins, body->x, body->y)];
}

/* Means of each slice. `mass` and `inertia` have room for a number a slice. */
static void find_means(profile *p, double *mass, double *inertia)
{
    for (size_t k = 0; k < p->bins->count; k++) {
        ts_region slice = ts_bin_region(&p->region, p->bins, k);
        p->bin[k] = (ts_velocity_bin){.low = p->bins->along_x ? slice.x0 : slice.y0,
                                      .high = p->bins->along_x ? slice.x1 : slice.y1};
        mass[k] = inertia[k] = 0;
    }
    for (size_t i = 0; i < p->snapshot->body_count; i++) {
        const ts_snapshot_body *body = &p->snapshot->body[i];
        if (!in_profile(p, i))
            continue;
        ts_velocity_bin *bin = bin_of(p, body);
        bin->count++;
        mass[bin - p->bin] += body->mass;
        inertia[bin - p->bin] += body->inertia;
        bin->at += body->mass * coordinate(p, body);
        bin->velocity[0] += body->mass * body->vx;
        bin->velocity[1] += body->mass * body->vy;
        bin->spin += body->inertia * body->spin;
    }
    for (size_t k = 0; k < p->bins->count; k++) {
        ts_velocity_bin *bin = &p->bin[k];
        double m = bin->count ? mass[k] : nothing;
        bin->at /= m;
        bin->velocity[0] /= m;
        bin->velocity[1] /= m;
        bin->spin /= bin->count ? inertia[k] : nothing;
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
    int across = p->bins->along_x ? 1 : 0;
    for (size_t k = 0; k < p->bins->count; k++) {
        size_t low, high;
        p->bin[k].shear_rate = nothing;
        if (p->bin[k].count && bracket(p, k, &low, &high))
            p->bin[k].shear_rate =
                (p->bin[high].velocity[across] - p->bin[low].velocity[across]) / (p->bin[high].at - p->bin[low].at);
    }
}

/* The profile's velocity where a grain is. */
static void velocity_at(const profile *p, const ts_snapshot_body *body, double velocity[2])
{
    const ts_velocity_bin *own = bin_of(p, body);
    size_t k = (size_t)(own - p->bin), low, high;
    double at = coordinate(p, body);
    bracket(p, k, &low, &high);
    /* between the own mean and that of the neighbour on the grain's side; beyond the outermost means on the same line */
    size_t i = at < own->at ? low : k, j = at < own->at ? k : high;
    if (i == j) {
        i = i == k && low < k ? low : i;
        j = j == k && high > k ? high : j;
    }
    double run = p->bin[j].at - p->bin[i].at, t = run > 0 ? (at - p->bin[i].at) / run : 0;
    for (int c = 0; c < 2; c++)
        velocity[c] = p->bin[i].velocity[c] + t * (p->bin[j].velocity[c] - p->bin[i].velocity[c]);
}

static void find_temperatures(profile *p, const double *mass)
{
    for (size_t i = 0; i < p->snapshot->body_count; i++) {
        const ts_snapshot_body *body = &p->snapshot->body[i];
        if (!in_profile(p, i))
            continue;
        ts_velocity_bin *bin = bin_of(p, body);
        double mean[2];
        velocity_at(p, body, mean);
        double u = body->vx - mean[0], v = body->vy - mean[1], w = body->spin - bin->spin;
        bin->temperature += 0.5 * body->mass * (u * u + v * v);
        bin->rotational += body->inertia * (w * w);
    }
    for (size_t k = 0; k < p->bins->count; k++) {
        double m = p->bin[k].count ? mass[k] : nothing;
        p->bin[k].temperature /= m;
        p->bin[k].rotational /= m;
    }
}

ts_status ts_measure_velocity_profile(const ts_snapshot *snapshot, const ts_bins *bins, ts_velocity_bin *out,
                                      ts_error *error)
{
    profile p = {.snapshot = snapshot, .bins = bins, .bin = out};
    TS_TRY(ts_bins_given(snapshot, bins, &p.region, error));
    double *mass = ts_alloc_raw(bins->count, 2 * sizeof *mass);
    if (!mass)
        return ts_fail_memory(error, bins->count * 2 * sizeof *mass);
    find_means(&p, mass, mass + bins->count);
    find_shear(&p);
    find_temperatures(&p, mass);
    ts_free(mass);
    return TS_OK;
}

/* ---- As one number ---- */

static ts_motion_measures motion_of(const profile *p)
{
    ts_motion_measures m = {0};
    double mass = 0, inertia = 0, at = 0, square = 0, product = 0;
    int across = p->bins->along_x ? 1 : 0;
    for (size_t i = 0; i < p->snapshot->body_count; i++) {
        const ts_snapshot_body *body = &p->snapshot->body[i];
        if (!in_profile(p, i))
            continue;
        mass += body->mass;
        inertia += body->inertia;
        at += body->mass * coordinate(p, body);
        m.velocity[0] += body->mass * body->vx;
        m.velocity[1] += body->mass * body->vy;
        m.spin += body->inertia * body->spin;
    }
    mass = mass > 0 ? mass : nothing;
    at /= mass;
    m.velocity[0] /= mass;
    m.velocity[1] /= mass;
    m.spin = inertia > 0 ? m.spin / inertia : nothing;
    for (size_t i = 0; i < p->snapshot->body_count; i++) {
        const ts_snapshot_body *body = &p->snapshot->body[i];
        if (!in_profile(p, i))
            continue;
        const ts_velocity_bin *bin = bin_of(p, body);
        double mean[2], s = coordinate(p, body) - at;
        velocity_at(p, body, mean);
        const double local[2] = {body->vx - mean[0], body->vy - mean[1]};
        const double about[2] = {body->vx - m.velocity[0], body->vy - m.velocity[1]};
        double w = body->spin - bin->spin, w_about = body->spin - m.spin;
        m.temperature += 0.5 * body->mass * (local[0] * local[0] + local[1] * local[1]) / mass;
        m.about_mean += 0.5 * body->mass * (about[0] * about[0] + about[1] * about[1]) / mass;
        m.rotational += body->inertia * (w * w) / mass;
        m.rotational_about_mean += body->inertia * (w_about * w_about) / mass;
        square += body->mass * s * s;
        product += body->mass * s * about[across];
    }
    m.shear_rate = square > 0 ? product / square : nothing;
    if (!(mass > 0))
        m.temperature = m.about_mean = m.rotational = m.rotational_about_mean = nothing;
    return m;
}

ts_status ts_measure_motion(const ts_snapshot *snapshot, const ts_bins *bins, ts_motion_measures *out, ts_error *error)
{
    profile p = {.snapshot = snapshot, .bins = bins};
    TS_TRY(ts_bins_given(snapshot, bins, &p.region, error));
    p.bin = ts_alloc(bins->count, sizeof *p.bin);
    if (!p.bin)
        return ts_fail_memory(error, bins->count * sizeof *p.bin);
    ts_status status = ts_measure_velocity_profile(snapshot, bins, p.bin, error);
    if (status == TS_OK)
        *out = motion_of(&p);
    ts_free(p.bin);
    return status;
}

/* ---- Flow ---- */

/* +1: p → q crosses a → b from its left to its right; -1: the other way; 0: not. A point on the line is to its right, and the
 * segment holds a but not b, so that two segments end to end count every grain once. */
static int crossing(const double a[2], const double b[2], const ts_snapshot_body *p, const ts_snapshot_body *q)
{
    double dx = b[0] - a[0], dy = b[1] - a[1];
    double before = dx * (p->y - a[1]) - dy * (p->x - a[0]), after = dx * (q->y - a[1]) - dy * (q->x - a[0]);
    if ((before > 0) == (after > 0))
        return 0;
    double t = before / (before - after), x = p->x + t * (q->x - p->x), y = p->y + t * (q->y - p->y);
    double along = (dx * (x - a[0]) + dy * (y - a[1])) / (dx * dx + dy * dy);
    return !(along >= 0 && along < 1) ? 0 : before > 0 ? 1 : -1;
}

ts_status ts_measure_flow(const ts_snapshot *before, const ts_snapshot *after, const double a[2], const double b[2],
                          ts_flow *out, ts_error *error)
{
    bool finite = isfinite(a[0]) && isfinite(a[1]) && isfinite(b[0]) && isfinite(b[1]);
    if (!finite || (a[0] == b[0] && a[1] == b[1]))
        return ts_fail(error, TS_BAD_INPUT, "the line for the flow has no length; give two different points");
    if (before->body_count != after->body_count || !(before->time < after->time))
        return ts_fail(error, TS_BAD_INPUT, "a flow needs two snapshots of one run, the earlier one first");
    ts_flow flow = {0};
    for (size_t i = 0; i < after->body_count; i++) {
        const ts_snapshot_body *p = &before->body[i], *q = &after->body[i];
        if (!ts_is_grain(p) || !ts_is_grain(q))
            continue;
        int sign = crossing(a, b, p, q);
        flow.number += sign;
        flow.mass += sign * q->mass;
    }
    flow.number /= after->time - before->time;
    flow.mass /= after->time - before->time;
    *out = flow;
    return TS_OK;
}

/* ---- Energies ---- */

void ts_measure_energies(const ts_snapshot *snapshot, ts_energies *out)
{
    ts_energies e = {.elastic = snapshot->elastic,
                     .work = snapshot->work,
                     .lost_normal = snapshot->lost_normal,
                     .lost_tangential = snapshot->lost_tangential,
                     .lost_friction = snapshot->lost_friction};
    for (size_t i = 0; i < snapshot->body_count; i++) {
        const ts_snapshot_body *body = &snapshot->body[i];
        if (!ts_is_grain(body))
            continue;
        e.kinetic += 0.5 * body->mass * (body->vx * body->vx + body->vy * body->vy);
        e.rotational += 0.5 * body->inertia * (body->spin * body->spin);
        e.gravitational -= body->mass * (snapshot->gravity[0] * body->x + snapshot->gravity[1] * body->y);
    }
    e.balance = e.kinetic + e.rotational + e.gravitational + e.elastic + e.lost_normal + e.lost_tangential +
                e.lost_friction - e.work;
    *out = e;
}
