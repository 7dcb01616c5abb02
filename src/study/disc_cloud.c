/* SPDX-License-Identifier: MIT */
/* A cloud of discs and clusters, free in space, that fly into each other: whatever the contacts do, they do to both
 * bodies, so momentum and angular momentum stay as they were; and they only take energy, never give any. */
#include "study/disc_analytic.h"

#include "base/memory.h"

#define RADIUS 0.01
#define SPEED  1.0

typedef struct sums {
    double px, py, angular;   /* momentum, angular momentum about the origin */
    double momentum, turning; /* Σ|p|, Σ(|r × p| + |Iω|): what drifts are measured against */
    double energy;            /* kinetic, of turning, in springs */
} sums;

static ts_status sum_up(ts_rig *rig, sums *out, ts_error *error)
{
    sums s = {0};
    for (size_t i = 0; i < ts_model_body_count(rig->model); i++) {
        const ts_body *b = ts_rig_body(rig, i);
        double m = ts_model_mass(rig->model, i), inertia[9];
        ts_model_inertia(rig->model, i, inertia);
        double spin = inertia[8] * b->spin;
        double orbit = m * (b->x * b->vy - b->y * b->vx);
        s.px += m * b->vx;
        s.py += m * b->vy;
        s.angular += orbit + spin;
        s.momentum += m * hypot(b->vx, b->vy);
        s.turning += fabs(orbit) + fabs(spin);
    }
    ts_measures measures;
    TS_TRY(ts_measure(rig->model, rig->state, rig->work, &measures, error));
    s.energy = measures.kinetic + measures.rotational + measures.elastic;
    *out = s;
    return TS_OK;
}

static ts_status build(ts_study *study, size_t count, double radius, ts_rig *rig, ts_error *error)
{
    TS_TRY(ts_rig_open(rig, 0, 0, error));
    ts_settings settings = ts_scene_settings(rig->scene);
    settings.seed = ts_study_seed(study);
    TS_TRY(ts_scene_set(rig->scene, &settings, error));
    ts_dynamics_def dynamics = ts_default_dynamics();
    dynamics.expected_speed = 4 * SPEED;
    dynamics.tolerated_overlap = 0.05;
    TS_TRY(ts_scene_set_dynamics(rig->scene, &dynamics, error));
    ts_material_def material = ts_default_material();
    material.restitution = 0.8;
    TS_TRY(ts_scene_set_default_material(rig->scene, &material, error));

    const ts_disc triple[] = {{-0.8 * RADIUS, 0, RADIUS}, {0.8 * RADIUS, 0, RADIUS}, {0, RADIUS, 0.7 * RADIUS}};
    ts_shape_def cluster = ts_default_shape();
    cluster.disc = triple;
    cluster.disc_count = 3;
    ts_mix_entry mix[2] = {{.weight = 1, .scale_min = 0.5, .scale_max = 1.5},
                           {.weight = 1, .scale_min = 0.7, .scale_max = 1.2}};
    TS_TRY(ts_scene_add_disc(rig->scene, RADIUS, &mix[0].shape, error));
    TS_TRY(ts_scene_add_shape(rig->scene, &cluster, &mix[1].shape, error));
    /* a quarter of the place is filled */
    ts_generator_def fill = ts_default_generator();
    fill.fill = TS_FILL_RANDOM;
    fill.region = TS_REGION_CIRCLE;
    fill.radius = radius;
    fill.count = count;
    fill.mix = mix;
    fill.mix_count = 2;
    fill.velocity_spread = SPEED;
    return ts_scene_add_generator(rig->scene, &fill, NULL, error);
}

/* Sends all bodies towards the middle, besides the velocity they have, so that everything meets there. */
static ts_status converge(ts_rig *rig, double radius, ts_error *error)
{
    for (size_t i = 0; i < ts_model_body_count(rig->model); i++) {
        const ts_body b = *ts_rig_body(rig, i);
        double rate = 2 * SPEED / radius, spin = SPEED / RADIUS * (i % 2 ? 1 : -1);
        TS_TRY(ts_state_set_velocity(rig->state, i, (double[]){b.vx - rate * b.x, b.vy - rate * b.y, spin}, error));
    }
    return TS_OK;
}

typedef struct drifts {
    double momentum, turning; /* farthest from the start, as a share of the sums of magnitudes */
    double rise;              /* of the energy above any earlier value, as a share of the first */
    double lost;              /* of the energy, as a share of the first */
    double contacts;          /* seen at the samples */
} drifts;

static ts_status run(ts_rig *rig, double duration, drifts *out, ts_error *error)
{
    sums first, now = {0};
    drifts d = {0};
    TS_TRY(sum_up(rig, &first, error));
    double lowest = first.energy;
    while (ts_state_time(rig->state) < duration) {
        ts_measures measures;
        TS_TRY(ts_rig_step(rig, 10, error));
        TS_TRY(sum_up(rig, &now, error));
        d.momentum = fmax(d.momentum, hypot(now.px - first.px, now.py - first.py) / first.momentum);
        d.turning = fmax(d.turning, fabs(now.angular - first.angular) / first.turning);
        d.rise = fmax(d.rise, (now.energy - lowest) / first.energy);
        lowest = fmin(lowest, now.energy);
        TS_TRY(ts_measure(rig->model, rig->state, rig->work, &measures, error));
        d.contacts += (double)measures.contact_count;
    }
    d.lost = 1 - now.energy / first.energy;
    *out = d;
    return TS_OK;
}

ts_status ts_disc_clouds(ts_study *study, ts_error *error)
{
    size_t count = ts_study_full(study) ? 3000 : 300;
    double radius = sqrt((double)count / 0.25) * 1.1 * RADIUS;
    drifts d;
    TS_AUTO(ts_rig_close) ts_rig rig = {0};
    TS_TRY(build(study, count, radius, &rig, error));
    TS_TRY(ts_rig_start(&rig, ts_study_threads(study), error));
    TS_TRY(converge(&rig, radius, error));
    TS_TRY(run(&rig, 0.8 * radius / SPEED, &d, error));
    TS_TRY(ts_claim_at_least(study, d.contacts, (double)count, "1", error, "cloud: contacts seen in the samples"));
    TS_TRY(ts_claim_at_most(study, d.momentum, 1e-12, "1", error, "cloud: drift of momentum / Σ|p|"));
    TS_TRY(ts_claim_at_most(study, d.turning, 1e-12, "1", error, "cloud: drift of angular momentum / Σ|r×p|+|Iω|"));
    TS_TRY(ts_claim_at_least(study, d.lost, 0.01, "1", error, "cloud: share of the energy that was lost"));
    return ts_claim_at_most(study, d.rise, 1e-3, "1", error, "cloud: largest rise of energy / first energy");
}
