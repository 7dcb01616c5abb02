/* SPDX-License-Identifier: MIT */
/* Motions along a wall: rolling, sliding, sticking; and flying free.
 *
 * On a slope of angle a, with g the gravity and μ the friction:
 *
 *   rolling   μ > tan(a)/3    acceleration ⅔ g sin a, no slip         (the friction ⅓ m g sin a is below μ m g cos a)
 *   sliding   μ < tan(a)/3    acceleration g (sin a - μ cos a), spin grows by 2 μ g cos a / r
 *   on a level floor, from v without spin: slips for v/(3μg), then rolls at ⅔ v
 *   a body that cannot roll (two discs, rigidly side by side) stays while tan a < μ, else slides at g (sin a - μ cos a)
 *   the tangential spring: the point of contact swings at √(k_t (1/m + r²/I)) = √(3 k_t/m) */
#include "study/disc_analytic.h"

#include <stdio.h>

#include "base/memory.h"

#define RADIUS    0.1
#define STIFFNESS 1e7 /* [N/m]: a disc at rest sinks in by 3e-4 of its radius */

/* A slope through the origin that falls to the right, and where along it things are. */
typedef struct slope {
    double angle;  /* [rad] */
    double tx, ty; /* unit, downhill */
    double nx, ny; /* unit, off the slope */
} slope;

static slope slope_of(double degrees)
{
    double a = degrees * DISC_PI / 180;
    return (slope){a, cos(a), -sin(a), sin(a), cos(a)};
}

static double time_step_of(ts_study *study)
{
    /* a share of the half period of one disc on its spring */
    return DISC_PI * sqrt(disc_mass(RADIUS) / STIFFNESS) / (ts_study_full(study) ? 1000 : 200);
}

/* A scene with a slope, its material set; bodies follow. */
static ts_status open_slope(ts_study *study, slope s, double friction, ts_rig *rig, ts_error *error)
{
    TS_TRY(ts_rig_open(rig, -DISC_GRAVITY, time_step_of(study), error));
    ts_material_def material = ts_default_material();
    material.density = DISC_DENSITY;
    material.stiffness = STIFFNESS;
    material.friction = friction;
    material.restitution = 0.1;
    TS_TRY(ts_scene_set_default_material(rig->scene, &material, error));
    return ts_rig_plane(rig, 0, 0, s.nx, s.ny, error);
}

/* A disc on a slope, as deep as it rests there, so that it does not jump. */
static ts_status disc_on_slope(slope s, ts_rig *rig, ts_error *error)
{
    double depth = disc_mass(RADIUS) * DISC_GRAVITY * cos(s.angle) / STIFFNESS;
    TS_TRY(ts_rig_disc(rig, RADIUS, RADIUS * s.nx, RADIUS * s.ny, error));
    TS_TRY(ts_rig_start(rig, 1, error));
    return ts_state_set_pose(rig->state, 0, (double[]){(RADIUS - depth) * s.nx, (RADIUS - depth) * s.ny, 0}, error);
}

/* Slope of the least-squares line through points given one by one. */
typedef struct line_fit {
    double n, x, y, xx, xy;
} line_fit;

static void fit_add(line_fit *f, double x, double y)
{
    f->n += 1;
    f->x += x;
    f->y += y;
    f->xx += x * x;
    f->xy += x * y;
}

static double fit_slope(const line_fit *f)
{
    return (f->n * f->xy - f->x * f->y) / (f->n * f->xx - f->x * f->x);
}

/* Velocity downhill of body 0. */
static double downhill(const ts_rig *rig, slope s)
{
    const ts_body *b = ts_rig_body(rig, 0);
    return b->vx * s.tx + b->vy * s.ty;
}

typedef struct slide {
    double acceleration; /* downhill [m/s²] */
    double spin_up;      /* turning as it would roll downhill [rad/s²] */
    double slip;         /* of the point of contact at the end, as a share of the velocity [1] */
    double way;          /* downhill, in all [m] */
} slide;

/* Runs for `duration` and fits the second half, when the first wobble is over. */
static ts_status run_slide(ts_rig *rig, slope s, double duration, slide *out, ts_error *error)
{
    line_fit velocity = {0}, spin = {0};
    double dt = ts_model_time_step(rig->model);
    const ts_body *b = ts_rig_body(rig, 0);
    double start = b->x * s.tx + b->y * s.ty;
    uint64_t stride = (uint64_t)(duration / dt / 1000) + 1;
    while (ts_state_time(rig->state) < duration) {
        TS_TRY(ts_rig_step(rig, stride, error));
        double time = ts_state_time(rig->state);
        if (time < 0.5 * duration)
            continue;
        fit_add(&velocity, time, downhill(rig, s));
        fit_add(&spin, time, -b->spin);
    }
    out->acceleration = fit_slope(&velocity);
    out->spin_up = fit_slope(&spin);
    out->slip = 1 + b->spin * RADIUS / downhill(rig, s);
    out->way = b->x * s.tx + b->y * s.ty - start;
    return TS_OK;
}

static ts_status run_disc(ts_study *study, double degrees, double friction, ts_error *error)
{
    slope s = slope_of(degrees);
    slide measured;
    TS_AUTO(ts_rig_close) ts_rig rig = {0};
    TS_TRY(open_slope(study, s, friction, &rig, error));
    TS_TRY(disc_on_slope(s, &rig, error));
    TS_TRY(run_slide(&rig, s, 1, &measured, error));

    double g = DISC_GRAVITY;
    if (friction > tan(s.angle) / 3) {
        TS_TRY(ts_claim_near(study, measured.acceleration, 2.0 / 3 * g * sin(s.angle), DISC_TOLERANCE, "m/s²", error,
                             "rolling down %g°, μ = %g: acceleration", degrees, friction));
        TS_TRY(ts_claim_near(study, measured.spin_up, 2.0 / 3 * g * sin(s.angle) / RADIUS, DISC_TOLERANCE, "1/s²",
                             error, "rolling down %g°, μ = %g: spin-up", degrees, friction));
        return ts_claim_at_most(study, fabs(measured.slip), DISC_TOLERANCE, "1", error,
                                "rolling down %g°, μ = %g: slip / speed", degrees, friction);
    }
    TS_TRY(ts_claim_near(study, measured.acceleration, g * (sin(s.angle) - friction * cos(s.angle)), DISC_TOLERANCE,
                         "m/s²", error, "sliding down %g°, μ = %g: acceleration", degrees, friction));
    return ts_claim_near(study, measured.spin_up, 2 * friction * g * cos(s.angle) / RADIUS, DISC_TOLERANCE, "1/s²",
                         error, "sliding down %g°, μ = %g: spin-up", degrees, friction);
}

/* Thrown along a level floor without spin. */
static ts_status run_throw(ts_study *study, double speed, double friction, ts_error *error)
{
    slope s = slope_of(0);
    double slip_time = speed / (3 * friction * DISC_GRAVITY), end_of_slip = TS_NONE, final = TS_NONE;
    TS_AUTO(ts_rig_close) ts_rig rig = {0};
    TS_TRY(open_slope(study, s, friction, &rig, error));
    TS_TRY(disc_on_slope(s, &rig, error));
    TS_TRY(ts_state_set_velocity(rig.state, 0, (double[]){speed, 0, 0}, error));
    double last = speed, dt = time_step_of(study);
    while (ts_state_time(rig.state) < 2 * slip_time) {
        TS_TRY(ts_rig_step(&rig, 1, error));
        const ts_body *b = ts_rig_body(&rig, 0);
        double slip = b->vx + b->spin * RADIUS; /* of the point of contact; rolling to the right is a negative spin */
        if (isnan(end_of_slip) && slip <= 0)
            end_of_slip = ts_state_time(rig.state) - dt + dt * last / (last - slip);
        last = slip;
        final = b->vx;
    }
    TS_TRY(ts_claim_near(study, end_of_slip, slip_time, DISC_TOLERANCE, "s", error,
                         "thrown along a floor, μ = %g: slips for", friction));
    return ts_claim_near(study, final, 2.0 / 3 * speed, DISC_TOLERANCE, "m/s", error,
                         "thrown along a floor, μ = %g: rolls at", friction);
}

/* Two discs as one rigid body, side by side: a sled that cannot roll. */
static ts_status run_sled(ts_study *study, double degrees, double friction, ts_error *error)
{
    slope s = slope_of(degrees);
    const ts_disc feet[] = {{-1.5 * RADIUS, 0, RADIUS}, {1.5 * RADIUS, 0, RADIUS}};
    ts_shape_def shape = ts_default_shape();
    shape.disc = feet;
    shape.disc_count = 2;
    ts_body_def body = ts_default_body();
    body.position[0] = RADIUS * s.nx;
    body.position[1] = RADIUS * s.ny;
    body.angle = -s.angle;
    slide measured;
    TS_AUTO(ts_rig_close) ts_rig rig = {0};
    TS_TRY(open_slope(study, s, friction, &rig, error));
    TS_TRY(ts_scene_add_shape(rig.scene, &shape, &body.shape, error));
    TS_TRY(ts_scene_add_body(rig.scene, &body, NULL, error));
    TS_TRY(ts_rig_start(&rig, 1, error));
    TS_TRY(run_slide(&rig, s, 1, &measured, error));

    /* both feet carry m g cos a together, whatever each of them carries */
    double free_way = 0.5 * DISC_GRAVITY * sin(s.angle);
    if (tan(s.angle) < friction)
        return ts_claim_at_most(study, fabs(measured.way) / free_way, 1e-3, "1", error,
                                "sled on %g°, μ = %g: stays; way / free way", degrees, friction);
    return ts_claim_near(study, measured.acceleration, DISC_GRAVITY * (sin(s.angle) - friction * cos(s.angle)),
                         DISC_TOLERANCE, "m/s²", error, "sled on %g°, μ = %g: slides; acceleration", degrees, friction);
}

/* The tangential spring by itself: pushed so gently that the contact sticks, the disc swings on it. */
static ts_status run_swing(ts_study *study, double stiffness_ratio, ts_error *error)
{
    double m = disc_mass(RADIUS), omega = sqrt(3 * stiffness_ratio * STIFFNESS / m);
    /* the spring's largest force, m ω u/3, is a tenth of the friction */
    double friction = 1, speed = 0.1 * friction * DISC_GRAVITY * 3 / omega;
    slope s = slope_of(0);
    ts_material_def undamped = ts_default_material();
    undamped.stiffness_ratio = stiffness_ratio;
    undamped.tangential_damping = 0;
    TS_AUTO(ts_rig_close) ts_rig rig = {0};
    TS_TRY(open_slope(study, s, friction, &rig, error));
    TS_TRY(ts_scene_set_default_material(rig.scene, &undamped, error));
    TS_TRY(disc_on_slope(s, &rig, error));
    TS_TRY(ts_state_set_velocity(rig.state, 0, (double[]){speed, 0, 0}, error));
    /* from the first to the 41st zero of the slip are 20 periods */
    double dt = time_step_of(study), last = speed, first_zero = TS_NONE, period = TS_NONE;
    int zeros = 0;
    while (zeros < 41 && ts_state_time(rig.state) < 100 / omega * 2 * DISC_PI) {
        TS_TRY(ts_rig_step(&rig, 1, error));
        const ts_body *b = ts_rig_body(&rig, 0);
        double slip = b->vx + b->spin * RADIUS;
        if ((slip <= 0) != (last <= 0)) {
            double time = ts_state_time(rig.state) - dt + dt * last / (last - slip);
            if (zeros++ == 0)
                first_zero = time;
            period = (time - first_zero) / (0.5 * (zeros - 1));
        }
        last = slip;
    }
    return ts_claim_near(study, zeros == 41 ? period : TS_NONE, 2 * DISC_PI / omega, DISC_TOLERANCE, "s", error,
                         "swing on a spring k_t = %.3g k_n: period", stiffness_ratio);
}

/* Thrown up at an angle, spinning: a parabola. */
static ts_status run_flight(ts_study *study, ts_error *error)
{
    double vx = 3, vy = 7, spin = 5, duration = 1;
    ts_rig rig = {0};
    ts_body end = {0};
    ts_status status = ts_rig_open(&rig, -DISC_GRAVITY, 1e-4, error);
    if (status == TS_OK)
        status = ts_rig_disc(&rig, RADIUS, 0, 0, error);
    if (status == TS_OK)
        status = ts_rig_start(&rig, 1, error);
    if (status == TS_OK)
        status = ts_state_set_velocity(rig.state, 0, (double[]){vx, vy, spin}, error);
    if (status == TS_OK)
        status = ts_rig_step(&rig, 10000, error);
    if (status == TS_OK)
        end = *ts_rig_body(&rig, 0);
    ts_rig_close(&rig);
    TS_TRY(status);
    TS_TRY(ts_claim_near(study, end.x, vx * duration, DISC_TOLERANCE, "m", error, "free flight of 1 s: x"));
    TS_TRY(ts_claim_near(study, end.y, vy * duration - 0.5 * DISC_GRAVITY * duration * duration, DISC_TOLERANCE, "m",
                         error, "free flight of 1 s: y"));
    return ts_claim_near(study, end.angle, spin * duration, DISC_TOLERANCE, "rad", error, "free flight of 1 s: angle");
}

ts_status ts_disc_motions(ts_study *study, ts_error *error)
{
    TS_TRY(run_disc(study, 10, 0.5, error));
    TS_TRY(run_disc(study, 30, 0.25, error)); /* tan(30°)/3 = 0.192 */
    TS_TRY(run_disc(study, 60, 0.6, error));  /* tan(60°)/3 = 0.577 */
    TS_TRY(run_disc(study, 30, 0.15, error));
    TS_TRY(run_disc(study, 45, 0.3, error)); /* tan(45°)/3 = 0.333 */
    TS_TRY(run_disc(study, 60, 0.1, error));
    TS_TRY(run_throw(study, 1, 0.2, error));
    TS_TRY(run_throw(study, 2, 0.5, error));
    TS_TRY(run_sled(study, 16, 0.30, error)); /* tan(16°) = 0.287 */
    TS_TRY(run_sled(study, 16, 0.28, error));
    TS_TRY(run_sled(study, 30, 0.28, error));
    TS_TRY(run_swing(study, 2.0 / 7, error));
    TS_TRY(run_swing(study, 1, error));
    return run_flight(study, error);
}
