/* SPDX-License-Identifier: MIT */
/* What happens where bodies touch.
 *
 * A dynamics is one row of the table in dynamics.c: a name, and what it does with contacts. To add one, write
 * dynamics/<name>.c with a `const ts_dynamics` and add its row; the step, the scene format's "dynamics": {"kind": …}
 * and the error that lists the kinds follow by themselves.
 *
 * A dynamics reads contact batches (contact/contact.h) and frames, never shapes. */
#pragma once

#include "base/field.h"
#include "contact/find.h"
#include "dynamics/derive.h"
#include "state.h"
#include "touchstone/sim.h"
#include "warning.h"

struct ts_problem;  /* problem.h */
struct ts_touching; /* force.h */

/* Takes up to TS_BATCH contacts. */
typedef void ts_contact_sink(void *context, const ts_contact *contact, int count);

/* What a dynamics does with the bodies of one dimension. */
typedef struct ts_resolver {
    ts_contact_search search; /* which contacts it wants (model.h) */

    /* As in a model (model.h). */
    bool exact_walls;
    double map_error;

    /* Share of the smaller one's size by which bodies may overlap when a run begins; more is refused. */
    double overlap_at_start;
    /* Largest stable time step of contacts, with the body that sets it [s]; NULL: any is stable. Laws are there. */
    double (*stable_step)(const ts_model *model, int64_t *body);
    /* The longest step that suits the scene, infinite when there is none, and what sets it, for "… which `reason`" [s];
     * NULL: half of the stable one. Laws and the model's stable step are there. */
    double (*time_step)(const ts_compiling *c, const char **reason);

    /* The shortest time after which contacts are found anew where something is fast [s]; NULL: the time step. */
    double (*finest_step)(const ts_model *model);

    /* Finds the contacts of the step and leaves on each part the force that acts on it over the step (plane:
     * work->wrench, which comes zeroed), or changes velocities itself. Owns the contact history in the state. Writes
     * the same bits on any number of threads. On failure velocities are as they were. */
    ts_status (*resolve)(const ts_model *model, ts_state *state, ts_workspace *work, ts_error *error);

    /* `resolve` moves bodies on to the end of the step as well; otherwise they are advanced after it. */
    bool advances;

    /* Around a number of steps, where the contacts' history is kept in the workspace meanwhile: `end` writes it to
     * the state.
     * Both or none. */
    void (*begin)(const ts_model *model, const ts_state *state, ts_workspace *work);
    ts_status (*end)(const ts_model *model, ts_state *state, ts_workspace *work, ts_error *error);

    /* Where the step's velocities are not those at the time of its poses, because impulses at the beginning of the
     * coming step take what gravity added in this one: `hold`, after the advance, adds to the bodies' velocities what
     * contacts hold back. The next step begins with those that were (state.h: onward). `holds`: whether a model's
     * states need that. Both or none. */
    bool (*holds)(const ts_model *model);
    void (*hold)(const ts_model *model, ts_state *state, ts_workspace *work);

    /* Hands the contacts of the state as it stands, with the forces that act, to the sink, in an order that does not
     * depend on threads. Changes nothing in the state. */
    ts_status (*look)(const ts_model *model, const ts_state *state, ts_workspace *work, ts_contact_sink *sink,
                      void *context, ts_error *error);

    /* Energy stored in a contact's springs [J]; NULL: there are none. */
    double (*energy)(const ts_model *model, const ts_contact *contact);

    /* Force on a wall by the last step, and torque about its origin [N, N·m]; NULL: they are in
     * work->wall_wrench, of the plane. */
    void (*wall_force)(const ts_workspace *work, size_t wall, double force[3], double torque[3]);

    /* The contact problem that resolve would solve (problem.h); NULL: there is none. Velocities are left alone. */
    ts_status (*problem)(const ts_model *model, ts_state *state, ts_workspace *work, struct ts_problem *problem,
                         ts_error *error);

    /* Memory of its own in a workspace (work->own), if it needs any: all three or none. */
    ts_status (*open)(const ts_model *model, void **own, ts_error *error);
    void (*close)(void *own); /* NULL is fine */
    size_t (*bytes)(const void *own, const ts_model *model);
} ts_resolver;

struct ts_dynamics {
    const char *name; /* as in a scene: "penalty" */
    /* NULL: it does not take bodies of this dimension, and a scene that has them is refused. */
    const ts_resolver *plane, *space;

    /* Its own keys in a scene's "dynamics", and the struct that they are read into: model->param, of which nobody else
     * knows anything. Values that no key sets are as in `defaults`; texts there are never NULL. */
    const ts_field *field;
    size_t field_count, param_bytes;
    const void *defaults;
    /* What a table cannot say of values; may be NULL. */
    ts_status (*check)(const ts_check *check, const void *param);

    /* While a scene is compiled, all may be NULL. `compile` checks and completes parameters: materials are known,
     * bodies are not. `derive` fills model->law when bodies are in their places; NULL: by the rules of contact/law.h,
     * with a stiffness of 1. `hash` is of all that results depend on and keys do not say. */
    ts_status (*compile)(ts_compiling *c, ts_error *error);
    ts_status (*derive)(ts_compiling *c, ts_error *error);
    uint64_t (*hash)(const ts_model *model, uint64_t before);

    /* The force on B of two that touch, for the resolvers of force.h; NULL: it has resolvers of its own. */
    ts_vec3 (*force)(const ts_model *model, const struct ts_touching *touching);
    /* Energy that such a contact stores, by its gap and never by its velocity [J]; NULL: it is not known, and nobody
     * watches that energy does not grow. */
    double (*energy)(const ts_model *model, const struct ts_touching *touching);

    /* For people. */
    bool springs; /* stiffness and damping of materials count */
    /* e of a head-on impact of two materials; NaN: it depends on their masses. NULL: there is none. */
    double (*restitution)(const ts_model *model, const ts_contact_law *law);
    /* A remark about how a scene will be run, or NULL; may be NULL itself. Lines end with \n. */
    const char *(*remark)(const ts_model *model);
    /* The sentence of a kind of warning (warning.h) that it alone can tell: what was noticed in `steps` steps; false:
     * nothing is to be told. May be NULL. */
    bool (*tell)(const ts_model *model, ts_warning_kind kind, const ts_tally *tally, uint64_t steps, char *text,
                 size_t capacity);
    /* The overlap that a body should have at most, by what the dynamics derived for the scene; infinite where it
     * derived nothing [m]. NULL: it aims at none. */
    double (*aimed_overlap)(const ts_model *model, size_t body);
    const char *against_overlap; /* what helps against too deep overlaps: "raise the stiffness" */
    const char *against_energy;  /* what helps against energy from nowhere; NULL: "shorten time_step" */
};

/* Records for a user of the contacts of a batch, with the force on B of each, (fx, fy) after (fx, fy). */
void ts_fill_contacts(const ts_model *model, const ts_workspace *work, const ts_contact_batch *batch,
                      const ts_batch_source *source, const double *force, ts_contact *contact);

/* Whether states of a model keep velocities that the next step begins with. */
static inline bool ts_model_holds(const ts_model *model)
{
    return model->resolver && model->resolver->holds && model->resolver->holds(model);
}

/* Whether the energy that contacts store is known: some may. */
static inline bool ts_dynamics_knows_energy(const ts_dynamics *d)
{
    return !d->force || d->energy;
}

/* The rows of the table, from 0; NULL after the last. */
const ts_dynamics *ts_dynamics_at(size_t index);
/* NULL when there is no such dynamics. */
const ts_dynamics *ts_dynamics_find(const char *name);
/* What a scene of this dimension has that chooses none. */
const ts_dynamics *ts_dynamics_default(int dimension);
/* NULL: it takes no such bodies. */
const ts_resolver *ts_dynamics_resolver(const ts_dynamics *dynamics, int dimension);
/* The first one that has this key of its own, or NULL. */
const ts_dynamics *ts_dynamics_of_key(const char *key);
/* Adds a row while a program runs, before scenes are read: for tests. The row must last. Returns false when there is no
 * room. */
bool ts_dynamics_add(const ts_dynamics *dynamics);
/* All names, separated by commas, for messages. Returns `text`. */
const char *ts_dynamics_names(char *text, size_t capacity);
/* The same of those that have a contact problem to be solved at once in scenes of this dimension. */
const char *ts_dynamics_with_problems(int dimension, char *text, size_t capacity);
