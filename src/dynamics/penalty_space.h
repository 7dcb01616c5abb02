/* SPDX-License-Identifier: MIT */
/* The penalty law in space: penalty.h with a tangential spring that is a vector.
 *
 *     normal       f_n = w (k_n d - e c_n v_n)            as in the plane; w: the contact's share, 1 where a pair touches at one point
 *     tangential   f_t = -w (k_t s + e c_t v_t)          s: spring, a vector in the tangent plane that grows by v_t Δt while the contact lasts
 *                  |f_t| <= μ f_n                        beyond it s is shortened until equality holds (partial slip), or dropped (full slip)
 *
 * Several contact points of one pair of solids share the law's stiffness by how deep they are, w_i = a_i d_i⁶ / D⁶ with D =
 * (Σ a_j d_j⁸)^⅛, which is the slope of one energy ½ k_n D²; dashpots are e = 1 / √(Σ w_j) times that share, which keeps
 * the damping ratio (docs/penalty.md). a_j is 1 but of smooth bodies, whose places stand for more or less of the
 * surface. A contact point begins and ends with nothing.
 *
 * The spring turns with its contact. Where the normal was n' and is n now, s is turned about n by the mean spin of the
 * two bodies, laid into the tangent plane of n, and made as long as it was: what is left of the turn from n' to n is an
 * error of second order in the angle of one step.
 *
 * A step is that of the plane: half of the drift, contacts there, the kick, the other half. Bodies turn by
 * ts_flight_drift in halves. Dashpots and springs see the velocities of the step's beginning, which are zero for what
 * rests; those in the middle have half of a step's gravity in them. */
#pragma once

#include "contact/verlet3.h"
#include "dynamics/dynamics.h"

extern const ts_resolver ts_penalty_in_space;

/* Force on a wall and torque about its origin by the last step [N, N·m]. */
void ts_penalty_wall_force(const ts_workspace *work, size_t wall, double force[3], double torque[3]);

/* ---- Kernels ---- */

/* How a frame moves. One cache line. */
typedef struct ts_motion6 {
    double v[3]; /* of its origin at the beginning of the step [m/s] */
    double inv_mass;
    double w[3];       /* angular velocity, world frame [rad/s] */
    double inv_moment; /* of a ball that can move; otherwise 0: attitude and turning are others' business [1/(kg m²)] */
} ts_motion6;
_Static_assert(sizeof(ts_motion6) == 64, "a cache line");

/* What else a ball that flies has. In the order of slots, so that a step goes through memory in a line: the state's
 * bodies stand in another order. They are written back after a number of steps. */
typedef struct ts_ball_state {
    double attitude[4];
    double angular_momentum[3]; /* [kg m²/s] */
    double radius;              /* [m] */
    double position[4];         /* at the end of the last step; x, y, z, unused [m] */
} ts_ball_state;

typedef struct ts_wrench3 {
    double force[4];  /* x, y, z, unused [N] */
    double torque[4]; /* about the frame's origin [N·m] */
} ts_wrench3;

/* A contact's spring, and which contact of its tile it is: loaded and stored as a vector of four. */
typedef struct ts_history3 {
    double spring[3]; /* from the pair's first to its second [m] */
    int32_t pair;     /* of the tile's pairs of balls, or of its others */
    uint32_t feature; /* of an other pair: which contact point */
} ts_history3;
_Static_assert(sizeof(ts_history3) == 32, "a vector of four");

#define TS_BATCH3 64

/* Contacts of balls, or of anything at one point each. Arrays end in room for a load of four. */
typedef struct ts_batch3 {
    int count;
    bool round; /* two balls: normal, gap and arms follow from their places, and nothing below `to_b` is read */
    ts_history3 *history;                             /* springs before the step, and after it (count) */
    int32_t a[TS_BATCH3 + 4], b[TS_BATCH3 + 4];       /* frames */
    int32_t to_a[TS_BATCH3 + 4], to_b[TS_BATCH3 + 4]; /* where forces are summed */
    double gap[TS_BATCH3 + 4];                        /* below 0 [m]; written for balls */
    double normal[3][TS_BATCH3 + 4];                  /* from A to B; written for balls */
    double arm_a[3][TS_BATCH3 + 4];                   /* from the frame's origin to the contact point [m] */
    double arm_b[3][TS_BATCH3 + 4];
    double weight[TS_BATCH3 + 4];   /* share of the pair's springs */
    double ease[TS_BATCH3 + 4];     /* by which its dashpots are weaker yet */
    double force[3][TS_BATCH3 + 4]; /* on B; written when the task asks for it [N] */
} ts_batch3;

typedef struct ts_penalty3_task {
    const ts_place3 *place;
    const ts_motion6 *motion;
    ts_wrench3 *sum;         /* forces are added here */
    const uint8_t *material; /* of each frame; NULL when there is one material */
    const ts_contact_law *law;
    size_t material_count;
    double time_step; /* by which springs grow [s]; 0: they stay */
    bool may_pull;
    bool look;    /* write normal, gap and force of each contact; nothing is summed */
    double *lost; /* energy: normal dashpots, tangential ones, sliding [J] */
} ts_penalty3_task;

/* Balls that fly: those with an inverse moment. */
typedef struct ts_advance3_task {
    ts_place3 *place;        /* in the middle of a step */
    ts_motion6 *motion;      /* likewise */
    ts_ball_state *ball;     /* of each slot */
    const ts_wrench3 *total; /* forces, of each slot from `begin` on */
    const int32_t *body_of;  /* read by `place` alone, */
    const ts_body3 *body;    /* likewise */
    double time_step;
    double gravity[4];
    size_t begin, end; /* slots */
    double most, sum;  /* written: squares of their speeds in the middle of the next step [m²/s²] */
} ts_advance3_task;

typedef struct ts_penalty3_kernels {
    /* Which of the pairs a[k], b[k] of balls overlap: their k, ascending, are written to `found` (room for count +
     * 4). Returns how many. */
    size_t (*find)(const ts_place3 *place, const int32_t *a, const int32_t *b, size_t count, int32_t *found);
    /* Adds forces of a batch and updates its springs. Returns the deepest overlap [m]. */
    double (*apply)(const ts_penalty3_task *task, ts_batch3 *batch);
    /* Takes balls from the state's bodies and puts them where they are in the middle of the step that begins there. */
    void (*place)(ts_advance3_task *task);
    /* Moves balls on: kick, half a step of flight, both halves of the step's turning; and puts them where they are
     * in the middle of the next step.
     * done[slot - begin] = 1 where it did, 0 for what is no ball, goes farther than its radius or turns too fast. */
    void (*advance)(ts_advance3_task *task, uint8_t *done);
} ts_penalty3_kernels;

const ts_penalty3_kernels *ts_penalty3_choose(void);
