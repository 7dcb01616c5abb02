/* SPDX-License-Identifier: MIT */
/* What happens where bodies touch.
 *
 * A dynamics is one row of the table in dynamics.c: a name, and what it does with contacts. To add one, write
 * dynamics/<name>.c with a `const ts_dynamics` and add its row; the step, the scene format's "dynamics": {"kind": …} and the
 * error that lists the kinds follow by themselves.
 *
 * A dynamics reads contact batches (contact/contact.h) and frames, never shapes. */
#pragma once

#include "contact/find.h"
#include "state.h"
#include "touchstone/sim.h"

struct ts_problem; /* problem.h */

/* Takes up to TS_BATCH contacts. */
typedef void ts_contact_sink(void *context, const ts_contact *contact, int count);

/* What a dynamics does with bodies in space. */
typedef struct ts_dynamics_space {
    /* A whole step between two drives, contacts and flight; NULL: resolve at its beginning, then flight. The state is as it was when it fails before the flight. */
    ts_status (*step)(const ts_model *model, ts_state *state, ts_workspace *work, ts_error *error);
    /* Around a number of steps, where the contacts' history is kept in the workspace meanwhile: `end` writes it to the state. Both or none. */
    void (*begin)(const ts_model *model, const ts_state *state, ts_workspace *work);
    ts_status (*end)(const ts_model *model, ts_state *state, ts_workspace *work, ts_error *error);
    /* Finds what the state's step strikes and changes momenta (and poses, to keep bodies apart). Owns the contacts' history in the state. The same
     * bits on any number of threads. On failure the state is as it was. */
    ts_status (*resolve)(const ts_model *model, ts_state *state, ts_workspace *work, ts_error *error);
    /* Contacts that touch, with the mean forces of the last step, in an order that does not depend on threads. */
    ts_status (*look)(const ts_model *model, const ts_state *state, ts_workspace *work, ts_contact3_array *to,
                      ts_error *error);
    /* Energy stored in the springs of the contacts that were looked at last [J]; NULL: none. */
    double (*energy)(const ts_workspace *work);
    /* Memory in a workspace (work->own). */
    ts_status (*open)(const ts_model *model, void **own, ts_error *error);
    void (*close)(void *own); /* NULL is fine */
    size_t (*bytes)(const void *own, const ts_model *model);
} ts_dynamics_space;

struct ts_dynamics {
    const char *name; /* as in a scene: "penalty" */

    /* When in a step contacts are looked for: TS_AT_MIDDLE or TS_AT_END (model.h). */
    double moment;

    /* Finds the contacts of the frames in `work` and leaves on each part the force that acts on it over the step
     * (work->wrench, which comes zeroed), or changes velocities itself. Owns the contact history in the state. Writes the same
     * bits on any number of threads. On failure velocities are as they were. */
    ts_status (*resolve)(const ts_model *model, ts_state *state, ts_workspace *work, ts_error *error);

    /* Hands the contacts of the frames in `work`, with the forces that act, to the sink, in an order that does not depend on
     * threads. The springs are those of the list in `work`. Changes nothing. */
    void (*look)(const ts_model *model, const double *spring, const double *wall_spring, const ts_workspace *work,
                 ts_contact_sink *sink, void *context);

    /* Energy stored in a contact's springs [J]. */
    double (*energy)(const ts_model *model, const ts_contact *contact);

    /* The contact problem that resolve would solve (problem.h); NULL: there is none. Velocities are left alone. */
    ts_status (*problem)(const ts_model *model, ts_state *state, ts_workspace *work, struct ts_problem *problem,
                         ts_error *error);

    /* Memory of its own in a workspace (work->own), if it needs any: all three or none. */
    ts_status (*open)(const ts_model *model, void **own, ts_error *error);
    void (*close)(void *own); /* NULL is fine */
    size_t (*bytes)(const void *own, const ts_model *model);

    const ts_dynamics_space *space; /* NULL: it knows the plane alone */
};

extern const ts_dynamics_space ts_impact_in_space;

/* Records for a user of the contacts of a batch, with the force on B of each, (fx, fy) after (fx, fy). */
void ts_fill_contacts(const ts_model *model, const ts_workspace *work, const ts_contact_batch *batch,
                      const ts_batch_source *source, const double *force, ts_contact *contact);

/* NULL when there is no such dynamics. */
const ts_dynamics *ts_dynamics_find(const char *name);
/* All names, separated by commas, for messages. Returns `text`. */
const char *ts_dynamics_names(char *text, size_t capacity);
