/* SPDX-License-Identifier: MIT */
/* Bodies at the moment of an impact, for operators to be tried on without a scene.
 *
 *     ts_crowd crowd = {0};
 *     ts_crowd_ball(&crowd, x, y, vx, vy, error);  …         balls of radius ½ and mass 1
 *     ts_crowd_touch_all(&crowd, 1.000001, error);           contacts of all that stand nearer than this
 *     ts_crowd_collide(&crowd, by, &options, &report, error); from the velocities given, as often as one likes
 *     ts_crowd_free(&crowd);                                  whatever happened
 *
 * Laws are measured from bodies and contacts as given here, in metres and seconds, and not from the scaled rows that
 * operators see. */
#pragma once

#include "base/memory.h"
#include "dynamics/impact.h"

typedef struct ts_crowd_body {
    double x, y;          /* [m] */
    double v[3];          /* before: along x, along y [m/s], spin [rad/s] */
    double after[3];      /* what the last strike made of them */
    double mass, inertia; /* [kg], [kg m²] */
    int32_t twin;         /* its image in the mirror y → -y, perhaps itself; -1: none */
} ts_crowd_body;

typedef struct ts_crowd_contact {
    int32_t a, b;  /* bodies; a may be -1: a wall at rest */
    double nx, ny; /* from a to b */
    double px, py; /* where [m] */
} ts_crowd_contact;

typedef struct ts_crowd {
    TS_ARRAY(ts_crowd_body) body;
    TS_ARRAY(ts_crowd_contact) contact;

    /* as operators see it; made by ts_crowd_collide */
    TS_ARRAY(int32_t) a;
    TS_ARRAY(int32_t) b;
    TS_ARRAY(double) ga;
    TS_ARRAY(double) gb;
    TS_ARRAY(double) w;
    TS_ARRAY(double) lambda;
    ts_impact_work *work;
} ts_crowd;

ts_status ts_crowd_body_add(ts_crowd *crowd, const ts_crowd_body *body, ts_error *error);
/* A ball of mass 1 and radius ½. */
ts_status ts_crowd_ball(ts_crowd *crowd, double x, double y, double vx, double vy, ts_error *error);
/* Two balls touch on the line between their centres. */
ts_status ts_crowd_touch(ts_crowd *crowd, int32_t a, int32_t b, ts_error *error);
/* All balls whose centres are nearer than `reach`, in the order of bodies. */
ts_status ts_crowd_touch_all(ts_crowd *crowd, double reach, ts_error *error);
ts_status ts_crowd_press(ts_crowd *crowd, const ts_crowd_contact *contact, ts_error *error);
/* Finds each body's twin, by its place alone. */
void ts_crowd_find_twins(ts_crowd *crowd);
void ts_crowd_free(ts_crowd *crowd);

/* Resolves the instant from the velocities before. */
ts_status ts_crowd_collide(ts_crowd *crowd, const ts_impact_operator *by, const ts_impact_options *options,
                           ts_impact_report *report, ts_error *error);

/* What became of it, all as shares of what there was before. */
typedef struct ts_crowd_laws {
    double asymmetry; /* largest difference of twins' velocities, over the fastest body's before */
    double energy;    /* kinetic: (after - before) / before */
    double momentum; /* change of momentum over Σ m|v|, or of angular momentum over Σ(|r| m|v| + |Iω|), the larger */
    double impulse;  /* the smallest λ, over (fastest before · its mass) */
    double closing;  /* fastest contact that still closes, over the fastest body before; 0: none does */
} ts_crowd_laws;

ts_crowd_laws ts_crowd_judge(const ts_crowd *crowd);
/* The rate at which a contact opens after the last strike [m/s]. */
double ts_crowd_rate(const ts_crowd *crowd, size_t contact);

/* A row of balls along x, the first of which comes at 1 m/s; contacts 0 … count-2 from the first on. */
ts_status ts_crowd_cradle(ts_crowd *crowd, int count, ts_error *error);
/* One ball at 1 m/s against two that touch. */
ts_status ts_crowd_bernoulli(ts_crowd *crowd, ts_error *error);
/* A triangle of `rows` rows and a cue ball that strikes its tip at 1 m/s. */
ts_status ts_crowd_rack(ts_crowd *crowd, int rows, ts_error *error);
