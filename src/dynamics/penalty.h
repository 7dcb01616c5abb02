/* SPDX-License-Identifier: MIT */
/* The penalty law: contacts as springs and dashpots (CEM paper, section 7.1 and Appendix A; after Cundall and Strack
 * 1979).
 *
 *     normal       f_n = w (k_n d - c_n ḋ')         d = -gap > 0, ḋ' the rate at which the gap grows; never below 0 unless
 *                                                   asked; w: the contact's weight, 1 but where several places touch, which
 *                                                   also feel a couple (contact/contact.h)
 *     tangential   f_t = -k_t s - c_t v_t           s: spring, grows by v_t Δt while the contact lasts
 *                  |f_t| <= μ f_n                   beyond it the spring is shortened until equality holds (partial slip),
 *                                                   or dropped when the dashpot alone exceeds the bound (full slip)
 *
 * Where energy goes in a step, each never negative but for rounding and the time step's own error:
 *
 *     normal dashpot   (k_n d - f_n) v̄_n Δt           v̄_n: the mean over the step, as far as this contact alone changes v_n
 *     sliding and      f_t v_t Δt - ½k_t (s'² - s²)    s': the spring after the step; of this, c_t v_t² Δt is the dashpot's
 *     tang. dashpot                                    unless the contact slips in full
 *
 * c_n = ½γ_n and c_t = ½γ_t in the paper's letters, with corrections for the length of a step (penalty_lanes.h). Both bodies feel the force at one point, midway between the two
 * surface points, so that linear and angular momentum are conserved to round-off. docs/penalty.md has the
 * parameters. */
#pragma once

#include "contact/contact.h"
#include "dynamics/dynamics.h"

extern const ts_dynamics ts_penalty_dynamics;

/* What its keys say: model->param. */
typedef struct ts_penalty_param {
    double tolerated_overlap; /* for derived stiffness: deepest overlap as a share of the smallest radius [1] */
    double expected_speed;    /* for derived stiffness: fastest impact; 0: from the height of fall [m/s] */
    bool damping_may_pull;    /* the dashpot may pull bodies together as they part */
    double derived;           /* stiffness, where all materials leave theirs open; otherwise 0 [N/m] */
} ts_penalty_param;

static inline const ts_penalty_param *ts_penalty_param_of(const ts_model *model)
{
    return model->param;
}

/* What contacts keep in ts_history.value (state.h): in space the tangential spring, three numbers from here on, world
 * frame [m]; in the plane, by features, its length along the tangent in value[0] [m]. */
enum { TS_KEPT_SPRING = 1 };

/* Bodies may overlap by this share of the smaller one's size when a run begins: a packing that another run has settled
 * does so by about the tolerated overlap. More is a mistake that would end in an explosion. */
#define TS_PENALTY_OVERLAP_AT_START 0.05

/* While a scene is compiled (dynamics.h): penalty_derive.c. */
ts_status ts_penalty_derive(ts_compiling *c, ts_error *error);
double ts_penalty_stable_in_plane(const ts_model *model, int64_t *body);
double ts_penalty_stable_in_space(const ts_model *model, int64_t *body);
double ts_penalty_time_step(const ts_compiling *c, const char **reason);
/* What was aimed at, and how well a run met it. */
double ts_penalty_aimed_overlap(const ts_model *model, size_t body);
bool ts_penalty_tell(const ts_model *model, ts_warning_kind kind, const ts_tally *tally, uint64_t steps, char *text,
                     size_t capacity);

/* Energy in the springs of a contact [J]. */
double ts_penalty_energy(const ts_model *model, const ts_contact *contact, double share);

/* What one call of the kernel needs besides the batch. */
typedef struct ts_penalty_task {
    const ts_frame2 *frame_a; /* frames that batch->a indexes */
    const ts_frame2 *frame_b; /* frames that batch->b indexes */
    ts_wrench *wrench_a;      /* force and torque are added here, by the same index */
    ts_wrench *wrench_b;
    const uint8_t *material_a; /* of each frame; NULL when there is one material */
    const uint8_t *material_b;
    const ts_contact_law *law; /* law[a * material_count + b] */
    size_t material_count;
    double time_step; /* by which springs grow [s]; 0: the springs stay as they are */
    bool may_pull;    /* the dashpot may exceed the spring as bodies part */
    double *lost; /* energy lost in this step is added: normal dashpots, tangential ones, sliding [J]; may be NULL */
} ts_penalty_task;

typedef struct ts_penalty_kernels {
    /* Adds the wrenches of a batch and updates its springs. When `force` is not NULL, force[2k], force[2k+1] receive
     * the force on B of contact k, and neither wrenches nor springs are touched. */
    void (*apply)(const ts_penalty_task *task, const ts_contact_batch *batch, double *spring, double *force);
} ts_penalty_kernels;

const ts_penalty_kernels *ts_penalty_choose(void);
/* A workspace of the plane uses these, not those that suit the processor best: for tests. */
void ts_penalty_use(ts_workspace *work, const ts_penalty_kernels *kernels);
