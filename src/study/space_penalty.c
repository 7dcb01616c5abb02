/* SPDX-License-Identifier: MIT */
/* The study `space-penalty`: what balls and boxes under the penalty law in space must do, from closed forms; and a
 * heap beside the same heap under impact. */
#include <math.h>

#include "base/memory.h"
#include "base/vec.h"
#include "study/space_rig.h"
#include "study/studies.h"

#define G         9.81
#define RADIUS    0.05 /* of the ball [m] */
#define STIFFNESS 1e5  /* [N/m] */

typedef struct law {
    const char *kind;
    double stiffness; /* 0: derived [N/m] */
    double restitution, friction, gravity;
    double step; /* 0: derived [s] */
    double duration;
    uint64_t sweeps; /* of impact */
} law;

static ts_status open_scene(ts_rig *rig, const law *l, ts_error *error)
{
    TS_TRY(ts_scene_create(&rig->scene, error));
    ts_settings settings = ts_default_settings();
    settings.time_step = l->step;
    settings.duration = l->duration > 0 ? l->duration : 1;
    TS_TRY(ts_scene_set(rig->scene, &settings, error));
    ts_space_def space = ts_default_space();
    space.gravity[2] = -l->gravity;
    TS_TRY(ts_scene_set_space(rig->scene, &space, error));
    ts_dynamics_def dynamics = ts_default_dynamics();
    dynamics.kind = l->kind ? l->kind : "penalty";
    if (l->sweeps > 0)
        ts_dynamics_set(&dynamics, "sweeps", (double)l->sweeps);
    TS_TRY(ts_scene_set_dynamics(rig->scene, &dynamics, error));
    ts_material_def material = ts_default_material();
    material.stiffness = l->stiffness;
    material.friction = l->friction;
    material.restitution = l->restitution;
    return ts_scene_set_default_material(rig->scene, &material, error);
}

static ts_status add_solid(ts_rig *rig, const ts_piece_def *piece, int32_t *solid, ts_error *error)
{
    ts_shape_def def = ts_default_shape();
    def.piece = piece;
    def.piece_count = 1;
    return ts_scene_add_shape(rig->scene, &def, solid, error);
}

static ts_status add_plane(ts_rig *rig, double slope, ts_error *error)
{
    ts_wall_def plane = ts_default_wall();
    plane.normal[0] = sin(slope);
    plane.normal[1] = 0;
    plane.normal[2] = cos(slope);
    return ts_scene_add_wall(rig->scene, &plane, NULL, error);
}

/* A ball on a plane of this slope, or a box of this height. */
typedef struct subject {
    double slope;  /* [rad] */
    double above;  /* the plane [m] */
    double height; /* of a box of 0.1 m × 0.1 m; 0: a ball [m] */
    ts_vec3 velocity, spin;
} subject;

static ts_status put_on_slope(ts_rig *rig, const law *l, const subject *s, ts_error *error)
{
    TS_TRY(open_scene(rig, l, error));
    TS_TRY(add_plane(rig, s->slope, error));
    const ts_piece_def piece = {.kind = s->height > 0 ? TS_PIECE_BOX : TS_PIECE_SPHERE,
                                .radius = RADIUS,
                                .size = {2 * RADIUS, 2 * RADIUS, s->height}};
    const double up = s->above + (s->height > 0 ? 0.5 * s->height : RADIUS);
    ts_body_def body = ts_default_body();
    TS_TRY(add_solid(rig, &piece, &body.shape, error));
    body.position[0] = up * sin(s->slope);
    body.position[2] = up * cos(s->slope);
    body.attitude[0] = cos(0.5 * s->slope);
    body.attitude[2] = sin(0.5 * s->slope);
    const double *v = &s->velocity.x, *w = &s->spin.x;
    for (int d = 0; d < 3; d++) {
        body.velocity[d] = v[d];
        body.spin[d] = w[d];
    }
    TS_TRY(ts_scene_add_body(rig->scene, &body, NULL, error));
    return ts_rig_start(rig, 1, error);
}

static ts_status go(ts_rig *rig, double seconds, ts_error *error)
{
    return ts_rig_step(rig, (uint64_t)llround(seconds / ts_model_time_step(rig->model)), error);
}

static ts_vec3 velocity_of(const ts_rig *rig, size_t body)
{
    const double *v = ts_state_bodies3(rig->state)[body].velocity;
    return (ts_vec3){v[0], v[1], v[2]};
}

static ts_vec3 spin_of(const ts_rig *rig, size_t body)
{
    double v[6] = {0};
    ts_error ignored;
    ts_state_velocity(rig->state, body, v, &ignored); /* there is such a body */
    return (ts_vec3){v[3], v[4], v[5]};
}

/* ---- Bounces ---- */

static ts_status claim_bounce(ts_study *study, double asked, ts_error *error)
{
    TS_AUTO(ts_rig_close) ts_rig rig = {0};
    /* the dashpot begins with a jump: where in a step the touch falls matters less in shorter ones */
    const law l = {.stiffness = STIFFNESS, .restitution = asked, .step = 2e-6};
    const subject s = {.above = 1e-3, .velocity = {0, 0, -1}};
    TS_TRY(put_on_slope(&rig, &l, &s, error));
    TS_TRY(go(&rig, 0.05, error));
    return ts_claim_near(study, velocity_of(&rig, 0).z, asked, 0.01, "1", error,
                         "a ball on a floor, restitution %g: it leaves with", asked);
}

/* ---- Slopes ---- */

/* Accelerations along the slope and about the ball's axis, between 0.1 s and 0.6 s. */
static ts_status accelerate(const law *l, const subject *s, double *along, double *turning, ts_error *error)
{
    TS_AUTO(ts_rig_close) ts_rig rig = {0};
    TS_TRY(put_on_slope(&rig, l, s, error));
    TS_TRY(go(&rig, 0.1, error));
    const double begin = ts_state_time(rig.state), v = ts_vec3_length(velocity_of(&rig, 0)), w = spin_of(&rig, 0).y;
    TS_TRY(go(&rig, 0.5, error));
    const double time = ts_state_time(rig.state) - begin;
    *along = (ts_vec3_length(velocity_of(&rig, 0)) - v) / time;
    *turning = (spin_of(&rig, 0).y - w) / time;
    return TS_OK;
}

static ts_status claim_slopes(ts_study *study, ts_error *error)
{
    const double slope = TS_PI / 6;
    double along, turning;
    const law rough = {.stiffness = STIFFNESS, .restitution = 0.3, .friction = 0.4, .gravity = G};
    law smooth = rough;
    smooth.friction = 0.05;
    TS_TRY(accelerate(&rough, &(subject){.slope = slope}, &along, &turning, error));
    TS_TRY(ts_claim_near(study, along, 5.0 / 7 * G * sin(slope), 0.005, "m/s²", error,
                         "a ball rolls down 30° at μ = 0.4 with 5/7 g sin θ"));
    TS_TRY(
        ts_claim_near(study, turning * RADIUS / along, 1, 0.005, "1", error, "and turns as it rolls: r dω/dt over it"));
    TS_TRY(accelerate(&smooth, &(subject){.slope = slope}, &along, &turning, error));
    TS_TRY(ts_claim_near(study, along, G * (sin(slope) - 0.05 * cos(slope)), 0.005, "m/s²", error,
                         "it slides down 30° at μ = 0.05 with g (sin θ − μ cos θ)"));
    TS_TRY(ts_claim_near(study, turning, 2.5 * 0.05 * G * cos(slope) / RADIUS, 0.005, "rad/s²", error,
                         "and friction alone turns it: 5 μ g cos θ / (2 r)"));
    TS_TRY(accelerate(&(law){.stiffness = STIFFNESS, .restitution = 0.3, .friction = 0.4, .gravity = G},
                      &(subject){.slope = slope, .height = 0.05}, &along, &turning, error));
    return ts_claim_near(study, along, G * (sin(slope) - 0.4 * cos(slope)), 0.01, "m/s²", error,
                         "a flat box slides down 30° at μ = 0.4 with g (sin θ − μ cos θ)");
}

/* How fast a box moves, and how far it has turned, after a second on a slope. */
static ts_status leave_box(double slope, double height, double friction, double *speed, double *turned, ts_error *error)
{
    TS_AUTO(ts_rig_close) ts_rig rig = {0};
    /* stiff: the weight comes at once, and a box that sinks in on one side leans over */
    const law l = {.stiffness = 100 * STIFFNESS, .restitution = 0.3, .friction = friction, .gravity = G};
    TS_TRY(put_on_slope(&rig, &l, &(subject){.slope = slope, .height = height}, error));
    TS_TRY(go(&rig, 1, error));
    const ts_quat q = ts_space_rig_pose(&rig, 0).quat;
    *speed = ts_vec3_length(velocity_of(&rig, 0));
    *turned = fabs(2 * atan2(q.y, q.w) - slope);
    return TS_OK;
}

static ts_status claim_boxes(ts_study *study, ts_error *error)
{
    const double mu = 0.5, sticks = atan(mu), tips = atan(2 * RADIUS / 0.2);
    double speed, turned;
    TS_TRY(leave_box(sticks - 0.02, 0.05, mu, &speed, &turned, error));
    TS_TRY(ts_claim_at_most(study, speed, 1e-6, "m/s", error, "a flat box 0.02 rad below atan μ: its speed after 1 s"));
    TS_TRY(leave_box(sticks + 0.02, 0.05, mu, &speed, &turned, error));
    TS_TRY(ts_claim_at_least(study, speed, 0.1, "m/s", error, "0.02 rad above it"));
    TS_TRY(leave_box(tips - 0.02, 0.2, 1, &speed, &turned, error));
    TS_TRY(ts_claim_at_most(study, turned, 0.01, "rad", error,
                            "a box twice as high as wide, 0.02 rad below the slope where it tips: turned after 1 s"));
    TS_TRY(leave_box(tips + 0.02, 0.2, 1, &speed, &turned, error));
    return ts_claim_at_least(study, turned, 0.1, "rad", error, "0.02 rad above it");
}

/* ---- From spinning to rolling ---- */

static ts_status claim_spinning(ts_study *study, ts_error *error)
{
    TS_AUTO(ts_rig_close) ts_rig rig = {0};
    const double spin = 20;
    const law l = {.stiffness = STIFFNESS, .restitution = 0.3, .friction = 0.3, .gravity = G};
    TS_TRY(put_on_slope(&rig, &l, &(subject){.spin = {0, spin, 0}}, error));
    TS_TRY(go(&rig, 0.5, error));
    TS_TRY(ts_claim_near(study, velocity_of(&rig, 0).x, 2.0 / 7 * spin * RADIUS, 0.005, "m/s", error,
                         "a ball that spins with 20 rad/s rolls off at 2/7 ω r"));
    return ts_claim_near(study, spin_of(&rig, 0).y, 2.0 / 7 * spin, 0.005, "rad/s", error, "and keeps 2/7 of its spin");
}

/* ---- What is kept ---- */

/* Balls and boxes fly at each other, with friction and losses. */
static ts_status claim_momenta(ts_study *study, ts_error *error)
{
    TS_AUTO(ts_rig_close) ts_rig rig = {0};
    int32_t solid[2] = {0, 0};
    const law l = {.restitution = 0.5, .friction = 0.5};
    TS_TRY(open_scene(&rig, &l, error));
    const ts_piece_def piece[2] = {{.kind = TS_PIECE_SPHERE, .radius = RADIUS},
                                   {.kind = TS_PIECE_BOX, .size = {2 * RADIUS, 1.5 * RADIUS, RADIUS}}};
    for (int i = 0; i < 2; i++)
        TS_TRY(add_solid(&rig, &piece[i], &solid[i], error));
    for (int i = 0; i < 27; i++) {
        ts_body_def body = ts_default_body();
        body.shape = solid[i % 2];
        for (int d = 0; d < 3; d++) {
            const int at = d == 0 ? i % 3 : d == 1 ? i / 3 % 3 : i / 9;
            body.position[d] = 2.6 * RADIUS * (at - 1);
            body.velocity[d] = -10 * body.position[d] + 0.1 * sin(3.0 * i + d);
            body.spin[d] = 3 * cos(5.0 * i + 2 * d);
        }
        TS_TRY(ts_scene_add_body(rig.scene, &body, NULL, error));
    }
    TS_TRY(ts_rig_start(&rig, 1, error));
    const ts_space_sums before = ts_space_rig_sums(&rig, 0);
    /* of momentum, and of the cluster that they begin as */
    const double size = sqrt(2 * before.kinetic * 27 * ts_model_mass(rig.model, 0)), width = 7.8 * RADIUS;
    TS_TRY(go(&rig, 0.5, error));
    const ts_space_sums after = ts_space_rig_sums(&rig, 0);
    ts_measures m = {0};
    TS_TRY(ts_measure(rig.model, rig.state, rig.work, &m, error));
    const double lost = m.lost_normal + m.lost_tangential + m.lost_friction;
    TS_TRY(ts_claim_at_most(study, ts_vec3_distance(after.momentum, before.momentum) / size, 1e-12, "1", error,
                            "27 balls and boxes collide: change of momentum"));
    TS_TRY(ts_claim_at_most(study, ts_vec3_distance(after.angular, before.angular) / (size * width), 1e-12, "1", error,
                            "and of angular momentum"));
    return ts_claim_near(study, (before.kinetic - after.kinetic - m.elastic) / lost, 1, 0.02, "1", error,
                         "energy that is gone over what the budget says");
}

/* ---- A heap, beside impact ---- */

typedef struct heap {
    double height; /* of the centre of mass [m] */
    double unrest; /* kinetic energy over m g r of all [1] */
} heap;

static ts_status settle(ts_study *study, const char *kind, heap *out, ts_error *error)
{
    TS_AUTO(ts_rig_close) ts_rig rig = {0};
    const bool impact = kind[0] == 'i';
    const double side = 0.1, r = 0.01;
    const size_t count = ts_study_full(study) ? 1500 : 250;
    law l = {.kind = kind,
             .stiffness = impact ? 0 : 2e4,
             .restitution = impact ? 0 : 0.3,
             .friction = 0.4,
             .gravity = G,
             .step = impact ? 1e-3 : 0,
             .duration = 2,
             .sweeps = impact ? 100 : 0};
    TS_TRY(open_scene(&rig, &l, error));
    ts_wall_def room = ts_default_wall();
    room.kind = TS_WALL_ROOM;
    room.size[0] = room.size[1] = side;
    room.size[2] = 3 * side * (double)count / 250;
    TS_TRY(ts_scene_add_wall(rig.scene, &room, NULL, error));
    const ts_piece_def piece = {.kind = TS_PIECE_SPHERE, .radius = r};
    int32_t solid = 0;
    TS_TRY(add_solid(&rig, &piece, &solid, error));
    const ts_mix_entry mix = {.shape = solid, .weight = 1, .scale_min = 0.7, .scale_max = 1};
    ts_generator_def fill = ts_default_generator();
    fill.high[0] = fill.high[1] = side;
    fill.high[2] = room.size[2];
    fill.fill = TS_FILL_LATTICE;
    fill.count = count;
    fill.mix = &mix;
    fill.mix_count = 1;
    TS_TRY(ts_scene_add_generator(rig.scene, &fill, NULL, error));
    TS_TRY(ts_rig_start(&rig, ts_study_threads(study), error));
    TS_TRY(go(&rig, ts_study_full(study) ? 2 : 1, error));
    const ts_space_sums sums = ts_space_rig_sums(&rig, G);
    double weight = 0;
    for (size_t i = 0; i < count; i++)
        weight += ts_model_mass(rig.model, i) * G;
    *out = (heap){sums.height / weight, sums.kinetic / (weight * r)};
    return TS_OK;
}

static ts_status claim_heaps(ts_study *study, ts_error *error)
{
    heap springs = {0}, impact = {0};
    TS_TRY(settle(study, "penalty", &springs, error));
    ts_study_report(study, 0.7, "the same heap by impact");
    TS_TRY(settle(study, "impact", &impact, error));
    TS_TRY(ts_claim_at_most(study, springs.unrest, 1e-3, "1", error,
                            "a heap of balls: kinetic energy over m g r, penalty"));
    TS_TRY(ts_claim_at_most(study, impact.unrest, 1e-3, "1", error, "impact"));
    return ts_claim_near(study, springs.height / impact.height, 1, 0.04, "1", error,
                         "height of its centre of mass, penalty over impact");
}

ts_status ts_study_space_penalty(ts_study *study, ts_error *error)
{
    static const double restitution[] = {0.9, 0.5, 0.2};
    for (size_t i = 0; i < sizeof restitution / sizeof *restitution; i++)
        TS_TRY(claim_bounce(study, restitution[i], error));
    ts_study_report(study, 0.1, "slopes");
    TS_TRY(claim_slopes(study, error));
    ts_study_report(study, 0.2, "boxes");
    TS_TRY(claim_boxes(study, error));
    ts_study_report(study, 0.4, "spinning and colliding");
    TS_TRY(claim_spinning(study, error));
    TS_TRY(claim_momenta(study, error));
    ts_study_report(study, 0.5, "a heap by springs");
    return claim_heaps(study, error);
}
