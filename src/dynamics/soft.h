/* SPDX-License-Identifier: MIT */
/* Sub-stepped soft contacts, as rigid-body engines have them (Catto 2024, "soft step"; Macklin et al. 2019, "small
 * steps").
 *
 *     a step    find places ─▶ sub-step ─▶ sub-step ─▶ … ─▶ find places again, as often as motion demands ─▶ …
 *
 *     a sub-step
 *         v ← v + h g, and the impulses of the sub-step before act again
 *         push      overlaps are pushed apart as by a damped oscillator; gaps may close, but no further
 *         x ← x + h v
 *         relax     the speed of pushing apart is taken out again, and friction acts; a few passes, and more of them
 *                   where an impact is on its way from body to body (soft_pass.h)
 *                   (in space: gravity and those impulses act in halves, before and after x moves)
 *         bounce    what closed in this sub-step and bounces gets its speed back
 *
 * A contact is an oscillator of frequency ω and damping ratio ζ in implicit Euler steps. With a₁ = 2ζ + h ω and a₂ = h
 * ω a₁ its answer to an overlap d is: go apart at ω/a₁ · d, with a₂/(1 + a₂) of the mass, and give back 1/(1 + a₂) of
 * the impulse there is already. It is stable for any stiffness a sub-step can resolve; the overlap of what rests goes
 * as 1/(frequency · sub-steps)².
 *
 * What goes on as the beginning of the next sub-step is what may last: at most twice the impulse with which this one
 * began, and some weights of what lies there. The impulse of an impact must not act again: it would throw a heavy body
 * off the light one that it fell onto, and relaxing takes that back by a share of their masses only. */
#pragma once

#include <math.h>

#include "dynamics/dynamics.h"
#include "dynamics/soft_pass.h"

extern const ts_dynamics ts_soft_dynamics;
extern const ts_resolver ts_soft_in_plane, ts_soft_in_space;

/* What its keys say, and what follows from the scene: model->param. */
typedef struct ts_soft_param {
    uint64_t sub_steps;   /* of a step; 0 until it is derived */
    uint64_t relaxations; /* passes without pushing, of a sub-step; likewise */
    double frequency;     /* of contacts; 0: a fifth of the rate of sub-steps [Hz] */
    double damping_ratio; /* ζ [1] */
    double push_speed;    /* fastest that overlaps part; 0: derived [m/s] */
    double bounce_speed;  /* slower impacts do not bounce; 0: derived [m/s] */
    bool sleeping;        /* islands at rest sleep (soft_sleep.h) */
    double calm_speed;    /* derived: slower bodies may sleep; 0: none does [m/s] */
    double calm_time;     /* derived: after which they do [s] */
    double way;           /* derived: how far bodies may move against each other between two findings [m] */
    double motion_step;   /* derived: longest step that motion allows; 0: the step was given [s] */
    double fall;          /* derived: gravity, or without it the strongest pull of springs at the beginning [m/s²] */
    double pull; /* derived: that, or without it a share of what would stop the fastest in the smallest size [m/s²] */
} ts_soft_param;

/* Contacts' frequency, of the rate of sub-steps, where none is given. */
#define TS_SOFT_FREQUENCY 0.2

/* Of an impulse that lasts, what a pass may change without an impact: overlaps are pushed apart, and relaxed again. */
#define TS_SOFT_LASTING_CHANGE 0.25

/* How often the number of sub-steps may be doubled where something is fast. */
enum { TS_SOFT_MORE_MOST = 4 };

static inline const ts_soft_param *ts_soft_param_of(const ts_model *model)
{
    return model->param;
}

/* What contacts keep in ts_history.value (state.h): the forces of the last sub-step along the normal and along the
 * tangent, n turned by +90° [N], and the impulses of the whole step [N·s]. */
enum { TS_SOFT_NORMAL, TS_SOFT_TANGENT, TS_SOFT_SUM_NORMAL, TS_SOFT_SUM_TANGENT };

/* Share of a sub-step's impulse on a row that goes on as a force, `before` being the force that it had: a blow in a short
 * sub-step is no force of the longer ones that follow, which would give it again many times over. 1 where sub-steps are
 * as long as they come, `full`, and for what lasts. */
static inline double ts_soft_lasting(double impulse, double h, double full, double before)
{
    const double force = impulse / h, most = fmax(2 * before, impulse / full);
    return force > most ? most / force : 1;
}

/* What the rows of a sub-step answer by. */
typedef struct ts_soft_pace {
    double push;              /* fastest that overlaps part [m/s] */
    double bounce;            /* slower approaches do not bounce [m/s] */
    double hot;               /* what an impact changes by more than this is relaxed again (ts_soft_heat) [m/s] */
    double lasting;           /* what a force that lasts may change at once, all on the heavier body [m/s] */
    ts_soft_answer answer[2]; /* between two that can move, and against what cannot */
} ts_soft_pace;

/* Of a sub-step of h [s]. */
ts_soft_pace ts_soft_pace_of(const ts_model *model, double h);

/* Mass of the heavier one of two, of those that can move, from their inverse masses [kg]. */
static inline double ts_soft_heavier(double inv_mass_a, double inv_mass_b)
{
    return fmax(inv_mass_a > 0 ? 1 / inv_mass_a : 0, inv_mass_b > 0 ? 1 / inv_mass_b : 0);
}

/* While a scene is compiled (dynamics.h): soft.c. */
double ts_soft_time_step(const ts_compiling *c, const char **reason);
/* A sub-step of a step that has as many as there may be [s]. */
double ts_soft_finest_step(const ts_model *model);
double ts_soft_stable_step(const ts_model *model, int64_t *body);
/* Restitution of each pair of materials, in new memory, as model->law is laid out. */
ts_status ts_soft_restitutions(const ts_model *model, double **table, ts_error *error);
/* How far two go against each other in a time at this speed, at most: what falls onto something gets faster [m]. */
double ts_soft_way(const ts_model *model, double speed, double time);
/* Sub-steps of a step at this speed: more where something would go through something thin in one. */
int64_t ts_soft_sub_steps(const ts_model *model, double speed);
/* Whether the places that the state has are those of this step: nothing has moved, or will at this speed, farther than
 * they were looked for. */
bool ts_soft_places_hold(const ts_model *model, const ts_state *state, double speed);
/* Marks that no two steps share (state->places_mark). */
uint64_t ts_soft_next_mark(void);
/* Kinetic energy, that of gravity and of springs [J]. */
double ts_soft_energy(const ts_state *state);
/* The books of a step that began with this energy, in which what is driven did this work [J]. */
void ts_soft_balance(ts_state *state, double energy, double work);
