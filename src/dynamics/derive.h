/* SPDX-License-Identifier: MIT */
/* What a dynamics gets to see while a scene is compiled, and what helps it to derive stiffness, laws and time step.
 *
 * A dynamics stands above the scene format: it reads a model, the materials and its own parameters, never a scene. */
#pragma once

#include "base/status.h"
#include "contact/law.h"
#include "model.h"

/* What the bodies will do to each other, as far as it can be told before the run. */
typedef struct ts_outlook {
    double speed;  /* fastest impact [m/s] */
    double usual;  /* fastest impact, but for those of few bodies that fall much farther than others (derive.c) [m/s] */
    double load;   /* heaviest column of bodies, as wide as the largest [N] */
    double driven; /* fastest that a script moves something [m/s] */
    double largest; /* largest bounding radius that moves; 0: nothing does [m] */
} ts_outlook;

/* A model on its way, and what is known of it besides. */
typedef struct ts_compiling {
    ts_model *model;
    void *param;                     /* the dynamics' own, model->param */
    const ts_material_def *material; /* with nothing left to inherit (model->material_count) */
    const ts_material_pair *pair;    /* pairs of materials that the scene speaks of (pair_count) */
    size_t pair_count;
    ts_place place;      /* of "dynamics" in the file, for messages */
    ts_place step_place; /* of "time_step", where it is given */
    ts_outlook look;     /* once bodies are in their places */
} ts_compiling;

/* How fast bodies get and how heavily they lie on each other. Bodies, walls and motions are in their places; scripts
 * move something by `script_speed` at most [m/s]. */
ts_status ts_look_ahead(const ts_model *model, double script_speed, ts_outlook *look, ts_error *error);
/* The part of the heaviest column's load that a body of this radius carries [1]. */
double ts_share_of_load(const ts_model *model, const ts_outlook *look, double radius);
/* Size of the smallest body that moves; infinite when none does [m]. */
double ts_smallest_free(const ts_model *model);
/* Fills model->law by the rules of combination (contact/law.h), with a stiffness for materials that leave theirs open.
 * */
void ts_fill_laws(const ts_compiling *c, double stiffness, bool may_pull);
/* Largest Δt of a leapfrog step for a mode of stiffness k and damping c per mass: k Δt² + 2 c Δt < 4. */
double ts_step_limit(double k, double c);
