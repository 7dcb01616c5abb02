/* SPDX-License-Identifier: MIT */
/* Bodies of the plane and bodies of space behind one table, so that a step, a state and a workspace read the same
 * for both.
 *
 *     plane.c   64 bytes a body, three velocities, parts in slots of a pair list (contact/pairs.h)
 *     space.c   128 bytes a body, six velocities, parts in boxes (contact/near.h)
 *
 * As plain vectors, for users and for solvers, a body has
 *
 *              q                                        v
 *     plane    x, y, angle                              vx, vy, spin
 *     space    x, y, z, quaternion (w, x, y, z)         vx, vy, vz, angular velocity (world frame) */
#pragma once

#include "workspace.h"

typedef struct ts_world {
    int dimension;    /* 2 or 3 */
    int q_size;       /* numbers of a body in q */
    int v_size;       /* numbers of a body in v */
    const char *plot; /* for messages: "the plane", "space" */

    /* The bodies of a new state, scripted ones where their script has them at time 0. */
    ts_status (*create_state)(ts_state *state, ts_error *error);
    void (*get_q)(const ts_state *state, size_t body, double *q);
    void (*get_v)(const ts_state *state, size_t body, double *v);
    /* The numbers are finite, the body is there, and no script moves it. */
    ts_status (*set_q)(ts_state *state, size_t body, const double *q, ts_error *error);
    void (*set_v)(ts_state *state, size_t body, const double *v);

    /* Memory for the frames and pairs of a step; freed by ts_workspace_free. */
    ts_status (*open)(const ts_model *model, ts_workspace *work, ts_error *error);

    /* The phases of a step around `resolve` (step.c). */
    void (*drive)(const ts_model *model, ts_state *state, ts_workspace *work);
    ts_status (*find_pairs)(const ts_model *model, ts_state *state, ts_workspace *work, ts_error *error);
    ts_status (*advance)(const ts_model *model, ts_state *state, ts_workspace *work, ts_error *error);
    /* After the step was counted: a body whose motion makes no sense is told by name (TS_DIVERGED). */
    ts_status (*end_step)(const ts_model *model, ts_state *state, const ts_workspace *work, ts_error *error);

    /* Energies and momenta of bodies and springs, added to `out`. */
    void (*measure)(const ts_model *model, const ts_state *state, ts_measures *out);
    /* Size of the smaller of two that touch: overlaps are small beside it [m]. */
    double (*contact_size)(const ts_model *model, const ts_contact *contact);
    /* Moment of inertia of a body about its centre of mass, in its own frame, row-major [kg·m²]; in the plane zz
     * alone. */
    void (*inertia)(const ts_model *model, size_t body, double inertia[9]);
} ts_world;

extern const ts_world ts_world_plane, ts_world_space;
