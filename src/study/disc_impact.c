/* SPDX-License-Identifier: MIT */
/* Impacts: restitution and contact time of the linear spring and dashpot.
 *
 * With the overlap x, m x'' + c x' + k x = 0 from x = 0, x' = v; ω = √(k/m), ζ = c/(2mω), β = ζω, Ω = ω√|1 - ζ²|, and m
 * the effective mass.
 *
 *   The dashpot may pull: the contact ends when the overlap is gone.   t = π/Ω               e = exp(-βt)
 *   It may not: the contact ends when the force is gone, x'' = 0.       t = 2 acos(ζ)/Ω      e = exp(-βt)
 *                                                          for ζ > 1:  t = 2 acosh(ζ)/Ω     e = exp(-βt)
 *
 * (Schwager and Pöschel, "Coefficient of restitution and linear-dashpot model revisited", 2007.) */
#include "study/disc_analytic.h"

#include <stdio.h>

#include "base/memory.h"

#define RADIUS    0.1
#define STIFFNESS 1e7 /* [N/m] */
#define SPEED     1.0 /* of approach [m/s] */
#define SLANT     0.5 /* of the line of impact, so that no axis is special [rad] */

/* Steps in one contact. The first touch falls anywhere within a step, which leaves an error of a step or so. */
#define STEPS_QUICK 4000
#define STEPS_FULL  40000

typedef struct impact {
    double partner;     /* radius of the disc that is hit; 0: a half-plane */
    double restitution; /* given to the engine; or NaN: the dashpot is, by the next */
    double zeta;        /* damping ratio, when restitution is NaN */
    bool may_pull;
} impact;

typedef struct outcome {
    double restitution;
    double contact_time; /* [s] */
} outcome;

/* ---- Closed forms ---- */

static outcome closed_form(double zeta, double omega, bool may_pull)
{
    double damped = omega * sqrt(fabs(1 - zeta * zeta));
    outcome o;
    if (may_pull)
        o.contact_time = DISC_PI / damped;
    else
        o.contact_time = 2 * (zeta < 1 ? acos(zeta) : acosh(zeta)) / damped;
    o.restitution = exp(-zeta * omega * o.contact_time);
    return o;
}

/* The damping ratio that gives a restitution: e falls with ζ, so bisect. */
static double ratio_for(double restitution, bool may_pull)
{
    double low = 0, high = may_pull ? 1 : 100;
    for (int i = 0; i < 200; i++) {
        double middle = 0.5 * (low + high);
        if (closed_form(middle, 1, may_pull).restitution > restitution)
            low = middle;
        else
            high = middle;
    }
    return 0.5 * (low + high);
}

static double effective_mass(const impact *c)
{
    double m = disc_mass(RADIUS);
    return c->partner > 0 ? 1 / (1 / m + 1 / disc_mass(c->partner)) : m;
}

/* ---- The run ---- */

static ts_status build(const impact *c, double dashpot, double time_step, ts_rig *rig, ts_error *error)
{
    TS_TRY(ts_rig_open(rig, 0, time_step, error));
    ts_material_def material = ts_default_material();
    material.density = DISC_DENSITY;
    material.friction = 0;
    material.stiffness = STIFFNESS;
    material.restitution = c->restitution;
    if (isnan(c->restitution))
        material.normal_damping = 2 * dashpot; /* the law's force is ½ γ_n v_n */
    TS_TRY(ts_scene_set_default_material(rig->scene, &material, error));
    ts_dynamics_def dynamics = ts_default_dynamics();
    ts_dynamics_set(&dynamics, "damping_may_pull", c->may_pull);
    TS_TRY(ts_scene_set_dynamics(rig->scene, &dynamics, error));

    /* from a gap that is no whole number of steps */
    double nx = sin(SLANT), ny = cos(SLANT), gap = 10.3 * SPEED * time_step;
    double reach = RADIUS + c->partner + gap;
    TS_TRY(ts_rig_disc(rig, RADIUS, reach * nx, reach * ny, error));
    if (c->partner > 0)
        TS_TRY(ts_rig_disc(rig, c->partner, 0, 0, error));
    else
        TS_TRY(ts_rig_plane(rig, 0, 0, nx, ny, error));
    TS_TRY(ts_rig_start(rig, 1, error));
    return ts_state_set_velocity(rig->state, 0, (double[]){-SPEED * nx, -SPEED * ny, 0}, error);
}

typedef struct sample {
    double gap;   /* [m] */
    double speed; /* of parting [m/s] */
    double force; /* [N] */
} sample;

static ts_status take_sample(const impact *c, ts_rig *rig, sample *s, ts_error *error)
{
    double nx = sin(SLANT), ny = cos(SLANT);
    const ts_body *a = ts_rig_body(rig, 0);
    ts_body other = {0}; /* the half-plane's point */
    if (c->partner > 0)
        other = *ts_rig_body(rig, 1);
    s->gap = nx * (a->x - other.x) + ny * (a->y - other.y) - RADIUS - c->partner;
    s->speed = nx * (a->vx - other.vx) + ny * (a->vy - other.vy);
    ts_contact contact;
    bool found;
    TS_TRY(ts_rig_contact(rig, c->partner > 0 ? 1 : -1, 0, &contact, &found, error));
    s->force = found ? nx * contact.force[0] + ny * contact.force[1] : 0;
    return TS_OK;
}

/* Share of a step after `before` at which a quantity that goes from p to q crosses zero. */
static double crossing(double p, double q)
{
    return p / (p - q);
}

static ts_status measure(const impact *c, ts_rig *rig, double time_step, int step_cap, outcome *out, ts_error *error)
{
    double begin = TS_NONE, end = TS_NONE;
    sample first, last, now, before_last = {0};
    TS_TRY(take_sample(c, rig, &first, error));
    last = first;
    for (int i = 1; i <= step_cap && isnan(end); i++) {
        TS_TRY(ts_rig_step(rig, 1, error));
        TS_TRY(take_sample(c, rig, &now, error));
        double time = (double)(i - 1) * time_step;
        if (isnan(begin) && now.gap <= 0)
            begin = time + time_step * crossing(last.gap, now.gap);
        else if (c->may_pull && last.gap <= 0 && now.gap > 0)
            end = time + time_step * crossing(last.gap, now.gap);
        else if (!c->may_pull && last.force > 0 && !(now.force > 0)) /* go on along the last two forces */
            end = time + time_step * crossing(last.force, 2 * last.force - before_last.force);
        before_last = last;
        last = now;
    }
    out->contact_time = end - begin;
    out->restitution = -last.speed / first.speed;
    return TS_OK;
}

static ts_status run_impact(ts_study *study, const impact *c, ts_error *error)
{
    double mass = effective_mass(c), omega = sqrt(STIFFNESS / mass);
    double zeta = isnan(c->restitution) ? c->zeta : ratio_for(c->restitution, c->may_pull);
    outcome expected = closed_form(zeta, omega, c->may_pull), measured;
    int steps = ts_study_full(study) ? STEPS_FULL : STEPS_QUICK;
    double time_step = DISC_PI / omega / steps;

    TS_AUTO(ts_rig_close) ts_rig rig = {0};
    TS_TRY(build(c, 2 * zeta * mass * omega, time_step, &rig, error));
    TS_TRY(measure(c, &rig, time_step, 10 * steps, &measured, error));

    char given[64], partner[64];
    if (isnan(c->restitution))
        snprintf(given, sizeof given, "ζ = %g", c->zeta);
    else
        snprintf(given, sizeof given, "e = %g", c->restitution);
    if (c->partner > 0)
        snprintf(partner, sizeof partner, "discs 1:%g", c->partner / RADIUS);
    else
        snprintf(partner, sizeof partner, "wall");
    const char *pull = c->may_pull ? "pulling" : "no pull";
    TS_TRY(ts_claim_near(study, measured.restitution, expected.restitution, DISC_TOLERANCE, "1", error,
                         "%s, %s, %s: restitution", partner, given, pull));
    return ts_claim_near(study, measured.contact_time, expected.contact_time, DISC_TOLERANCE, "s", error,
                         "%s, %s, %s: contact time", partner, given, pull);
}

/* ---- A disc that falls and jumps ---- */

/* From rest at height h it comes back to e²h. A stiff floor, since the law has no gravity: mg/(kδ) is 1e-4 here. */
static ts_status run_bounce(ts_study *study, ts_error *error)
{
    double height = 1, restitution = 0.7, stiffness = 1e9;
    double time_step = DISC_PI * sqrt(disc_mass(RADIUS) / stiffness) / 200, top = 0;
    TS_AUTO(ts_rig_close) ts_rig rig = {0};
    TS_TRY(ts_rig_open(&rig, -DISC_GRAVITY, time_step, error));
    ts_material_def material = ts_default_material();
    material.density = DISC_DENSITY;
    material.stiffness = stiffness;
    material.restitution = restitution;
    TS_TRY(ts_scene_set_default_material(rig.scene, &material, error));
    TS_TRY(ts_rig_disc(&rig, RADIUS, 0, RADIUS + height, error));
    TS_TRY(ts_rig_plane(&rig, 0, 0, 0, 1, error));
    TS_TRY(ts_rig_start(&rig, 1, error));
    /* to the second landing: √(2h/g) (1 + 2e), and a little less */
    double fall = sqrt(2 * height / DISC_GRAVITY), until = fall * (1 + 1.9 * restitution);
    while (ts_state_time(rig.state) < until) {
        TS_TRY(ts_rig_step(&rig, 16, error));
        if (ts_state_time(rig.state) > 1.1 * fall)
            top = fmax(top, ts_rig_body(&rig, 0)->y - RADIUS);
    }
    return ts_claim_near(study, top, restitution * restitution * height, DISC_TOLERANCE, "m", error,
                         "fall of 1 m, e = %g: height of the jump", restitution);
}

ts_status ts_disc_impacts(ts_study *study, ts_error *error)
{
    static const impact impacts[] = {
        {0, 0.9, 0, true},          {0, 0.5, 0, true},       {0, 0.1, 0, true},           {0, 0.9, 0, false},
        {0, 0.5, 0, false},         {0, 0.1, 0, false},      {RADIUS, 0.8, 0, true},      {2 * RADIUS, 0.8, 0, true},
        {5 * RADIUS, 0.3, 0, true}, {RADIUS, 0.8, 0, false}, {2 * RADIUS, 0.8, 0, false}, {5 * RADIUS, 0.3, 0, false},
    };
    static const impact by_dashpot[] = {
        {0, 0, 0, true},    {0, 0, 0.2, true},          {0, 0, 0.2, false},
        {0, 0, 1.5, false}, {2 * RADIUS, 0, 0.1, true}, {2 * RADIUS, 0, 0.6, false},
    };
    for (size_t i = 0; i < sizeof impacts / sizeof impacts[0]; i++)
        TS_TRY(run_impact(study, &impacts[i], error));
    for (size_t i = 0; i < sizeof by_dashpot / sizeof by_dashpot[0]; i++) {
        impact c = by_dashpot[i];
        c.restitution = TS_NONE;
        TS_TRY(run_impact(study, &c, error));
    }
    return run_bounce(study, error);
}
