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

#include "placed.h"
#include "workspace.h"

/* A body as the scene has it when the run begins. */
typedef struct ts_start {
    ts_vec3 position; /* z = 0 in the plane [m] */
    ts_quat attitude; /* about z in the plane */
    double speed;     /* of its fastest point, at most [m/s] */
    double volume;    /* [m³]; in the plane its area [m²] */
    double
        inner; /* radius of its smallest disc, or of a ball or disc that fits into it: overlaps are small beside it [m] */
    double
        soft; /* what a tolerated overlap is a share of: that, or a little more where an outline has thin strokes [m] */
} ts_start;

/* Something that bodies may come to lie on: an edge of a wall or of a fixed body in the plane, the box around a piece of
 * one in space. Axis 2 is up, 0 and 1 are level; axis 1 is not used in the plane. */
typedef struct ts_ledge {
    double low[2], high[2]; /* how far it reaches along the level axes [m] */
    double height[2];       /* of its upper side at low[0] and high[0] [m] */
    double bottom;          /* its lowest point, or one a little below it [m] */
} ts_ledge;

typedef TS_ARRAY(ts_ledge) ts_ledges;

typedef struct ts_world {
    int dimension;    /* 2 or 3 */
    int q_size;       /* numbers of a body in q */
    int v_size;       /* numbers of a body in v */
    size_t body_size; /* of a body in a state [bytes] */
    const char *plot; /* for messages: "the plane", "space" */
    const char *density_unit;

    /* Before the run, from the model alone: a body at its start; how far one falls along -up before it meets a wall
     * that has no end, infinite when none is below it [m]; the ledges of all that ends and does not fall, added to
     * `to`, along three axes of which the last is up. */
    double settled_fraction; /* packing fraction that bodies settle to, roughly [1] */
    ts_start (*start)(const ts_model *model, size_t body);
    double (*fall)(const ts_model *model, size_t body, ts_vec3 up);
    ts_status (*ledges)(const ts_model *model, const ts_vec3 axis[3], ts_ledges *to, ts_error *error);

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
    /* Adds a force, while `resolve` runs, at a point of the world to what changes a body's velocity in the middle of
     * this step. In space for laws of one function alone (dynamics/force.h). */
    void (*push)(const ts_model *model, ts_state *state, ts_workspace *work, size_t body, ts_vec3 force, ts_vec3 point);
    /* Adds to `half` what springs add to velocities in half a step, with the velocities as they are: laid out as those
     * (ts_state_motion), of bodies that can move. */
    void (*pull)(const ts_model *model, const ts_state *state, double *half);
    /* After the step was counted: a body whose motion makes no sense is told by name (TS_DIVERGED). */
    ts_status (*end_step)(const ts_model *model, ts_state *state, const ts_workspace *work, ts_error *error);

    /* A body, and a wall with its motion or NULL, for looking only (placed.h); whether it is present is seen to
     * elsewhere. */
    ts_placed (*placed)(const ts_state *state, size_t body);
    ts_placed (*placed_wall)(const ts_wall *wall, const ts_motion *motion, double time);
    /* Energies and momenta of bodies and springs, added to `out`. */
    void (*measure)(const ts_model *model, const ts_state *state, ts_measures *out);
    /* Size of the smaller of two that touch: overlaps are small beside it [m]. */
    double (*contact_size)(const ts_model *model, const ts_contact *contact);
    /* A body of the model: bounding radius [m], 1 / mass or 0 where it is fixed [1/kg], index of its shape. */
    double (*radius)(const ts_model *model, size_t body);
    double (*inv_mass)(const ts_model *model, size_t body);
    int32_t (*shape)(const ts_model *model, size_t body);
    /* Moment of inertia of a body about its centre of mass, in its own frame, row-major [kg·m²]; in the plane zz
     * alone. */
    void (*inertia)(const ts_model *model, size_t body, double inertia[9]);
} ts_world;

extern const ts_world ts_world_plane, ts_world_space;

/* The functions of a row, by the names that they have in its file. */
#define TS_WORLD_FUNCTIONS                                                                                         \
    .start = start, .fall = fall, .ledges = ledges, .create_state = create_state, .get_q = get_q, .get_v = get_v,  \
    .set_q = set_q, .set_v = set_v, .open = open_work, .find_pairs = find_pairs, .advance = advance, .push = push, \
    .pull = pull, .end_step = end_step, .placed = placed, .placed_wall = placed_wall, .measure = measure_bodies,   \
    .contact_size = contact_size, .radius = radius_of, .inv_mass = inv_mass_of, .shape = shape_of,                 \
    .inertia = inertia_of
