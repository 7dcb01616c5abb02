/* SPDX-License-Identifier: MIT */
/* Impact as a dynamics: a row of the table (dynamics.h), its parameters and what it tells of its steps. */
#pragma once

#include "contact/contact.h"
#include "dynamics/dynamics.h"
#include "dynamics/impact.h"

extern const ts_dynamics ts_impact_dynamics;

/* Contacts are those that free fall to the end of a step would reach; some that are open by a little are wanted, too:
 * impulses hold bodies about a gap of zero. */
#define TS_IMPACT_SEARCH                                                   \
    {                                                                      \
        .at = 1, .falling = true, .throughout = true, .open = TS_OPEN_MOST \
    }
/* What its keys say, and what follows from the scene: model->param. */
typedef struct ts_impact_param {
    const char *operator_name; /* "gr", "lcp", … */
    double correction;         /* share of an overlap that a step removes; NaN: 0.2, or 0 for a restitution of 1 */
    uint64_t staggered;        /* most rounds of normals and friction together; 0: friction once; TS_ROUNDS_AUTO */
    uint64_t sweeps;       /* most sweeps by which inelastic impacts are resolved, nearly; 0: exactly; TS_SWEEPS_AUTO */
    double expected_speed; /* for a derived time step: fastest body; 0: from the height of fall [m/s] */
    double weight_least;   /* contacts of less weight, between smooth bodies, are left out: rows are hard or none [1] */
    double restitution;    /* of the whole system, from materials [1] */
} ts_impact_param;

/* As many as suit the scene (impact_compile.c). */
#define TS_SWEEPS_AUTO UINT64_MAX
#define TS_ROUNDS_AUTO UINT64_MAX

static inline const ts_impact_param *ts_impact_param_of(const ts_model *model)
{
    return model->param;
}

/* Whether bodies can come to rest: without restitution, or with less than 1, and where overlaps are corrected. */
static inline bool ts_impact_holds(const ts_model *model)
{
    const ts_impact_param *p = ts_impact_param_of(model);
    return p->correction > 0 && p->restitution < 1;
}

/* What contacts keep in ts_history.value (state.h), of the last step: the impulse along the normal, and from
 * TS_HELD_TANGENT on, in space the one along the surface, world frame; in the plane the whole one (x, y) and a mark of
 * where it acts (impact_history.c) [N·s]. */
enum { TS_HELD_NORMAL = 0, TS_HELD_TANGENT = 1 };

/* In space: the impulse along the surface. */
static inline ts_vec3 ts_impact_held(const ts_history *h)
{
    const double *t = h->value + TS_HELD_TANGENT;
    return (ts_vec3){t[0], t[1], t[2]};
}

/* While a scene is compiled (dynamics.h): impact_compile.c. */
ts_status ts_impact_compile(ts_compiling *c, ts_error *error);
ts_status ts_impact_derive(ts_compiling *c, ts_error *error);
uint64_t ts_impact_hash(const ts_model *model, uint64_t before);
double ts_impact_time_step_plane(const ts_compiling *c, const char **reason);
double ts_impact_time_step_space(const ts_compiling *c, const char **reason);

/* Steps since the workspace was made. */
typedef struct ts_impact_counts {
    uint64_t locked;    /* whose elastic impact did not end and was taken as inelastic */
    uint64_t unsettled; /* whose rounds or sweeps ran out, and left 1% of the fastest rate or more */
} ts_impact_counts;
ts_impact_counts ts_impact_counts_of(const ts_workspace *work);
/* What the last step's impact took, friction once after it aside; what counts work is added up over all solves of
 * the step. NULL for other dynamics. */
const ts_impact_report *ts_impact_last(const ts_workspace *work);
