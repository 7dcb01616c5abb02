/* SPDX-License-Identifier: MIT */
/* Impact operators: what becomes of velocities at an instant at which many contacts are struck at once.
 *
 * An *rows* is a set of contacts, each a row over two blocks (bodies), in velocities that are scaled by the roots
 * of masses:
 *
 *     w = M^½ v       energy ½ |w|²       rate of contact k:  r_k = ga·w_a + gb·w_b + drift_k        r < 0: it closes
 *
 * so that nothing here knows masses, shapes or the dimension of space. `drift` is what scripted walls add to the rate.
 *
 * An operator takes velocities w⁻ to w⁺ = w⁻ + Gλ with λ ≥ 0 and all rates ≥ 0:
 *
 *     gr             Generalized Reflections: contacts that close are reflected together, then those that close because of that, …
 *     lcp            all contacts at once: 0 ≤ λ ⊥ r⁺ ≥ −c r⁻
 *     gauss-seidel   one after the other, in the order of the rows; gauss-seidel-random: in a random one
 *     jacobi         each by itself, and all are added up
 *
 * (B. Smith, D. M. Kaufman, E. Vouga, R. Tamstorf, E. Grinspun: Reflections on Simultaneous Impact, 2012.) Restitution
 * goes around any of them: *energetic* mixes the velocities after an elastic impact, by the operator, and after an
 * inelastic one, by
 * `lcp` with c = 0;
 * *newtonian* lets each reflection by itself keep c of its rate, as older methods do, and may never end (inelastic
 * collapse). */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "solve/qp.h"

typedef struct ts_rows {
    size_t count;       /* contacts */
    size_t block_count; /* bodies */
    int dof;            /* velocities of a block: 2 discs without spin, 3 in the plane, 6 in space */
    const int32_t *a;   /* block of each contact; -1: what no impulse can move (count) */
    const int32_t *b;   /* (count) */
    const double *ga;   /* (count · dof); not read where a is -1 */
    const double *gb;
    const double *drift; /* NULL: 0 (count) */
} ts_rows;

typedef enum ts_restitution { TS_RESTITUTION_ENERGETIC = 0, TS_RESTITUTION_NEWTONIAN } ts_restitution;

typedef struct ts_impact_options {
    double restitution; /* c, 0 … 1 */
    ts_restitution model;
    double
        tolerance; /* a contact closes when its rate is below −tolerance · (largest |rate| at the start); 0: 1e-10, of sweeps 1e-4 */
    uint64_t passes_max; /* 0: a generous default */
    /* When elastic passes do not end by then, the outcome is inelastic, or, with c = 1 by gr, one reflection of all
     * contacts; 0: they must end. */
    uint64_t give_up;
    bool may_lock; /* set where islands that are locked need not end (impact_check.h); passes_max is then give_up */
    uint64_t seed; /* of random orders */
    bool fair;     /* λ as symmetric as the contacts where it is not unique (solve/qp.h) */
    /* Nearly: contacts count as closing from 1e-5 of the fastest rate on, and programs are solved to fewer digits
     * yet; tolerance must be 0. */
    bool nearly;
    ts_pool *pool; /* NULL: one thread */
    /* For bodies that come to rest (impact_step.c says why). */
    const double *flight; /* added to w where an inelastic impact looks at rates; NULL: 0 (block_count · dof) */
    const double *room;   /* how fast a contact may go on closing in one, ≥ 0; NULL: 0 (count) */
    /* How fast a contact may close at any rate before it counts, ≥ 0: of one that is not struck as things stand, but
     * may be when others are; its gap over the step. It is reflected, by its whole rate, when it closes faster. Not for
     * lcp. NULL: 0 (count). */
    const double *wait;
    double rest;         /* where nothing closes faster among contacts that hang together, nothing bounces … */
    const double *press; /* … nor faster than springs press some of them; NULL: 0 (count) */
} ts_impact_options;

typedef struct ts_impact_report {
    bool
        finished; /* no contact closes any more; otherwise passes_max or the solver stopped it, and w is as far as it got */
    uint64_t passes;   /* of gr and jacobi; sweeps of gauss-seidel; 1 for lcp */
    uint64_t touched;  /* contacts worked on, added up over the passes: what it cost */
    size_t front;      /* contacts of the largest pass */
    double closing;    /* the fastest that still closes [scaled rate] */
    double residual;   /* the largest natural residual of its problems, over (1 + c) · the largest |rate| */
    uint64_t problems; /* quadratic programs that were solved */
    uint64_t iterations;
    /* of ts_impact_stagger alone */
    uint64_t rounds;     /* that it took, of the half that took more */
    bool locked;         /* give_up ended it, or islands were locked: inelastic; with c = 1, reflected once */
    bool disagreed;      /* rounds_max ended it: the best round was taken */
    double disagreement; /* how far it is from Coulomb's law, over the largest |rate|: natural residual */
    /* of a step alone */
    uint64_t corrected; /* sweeps that moved bodies apart; without sweeps: passes */
} ts_impact_report;

/* Memory that grows with the instants it has seen. */
typedef struct ts_impact_work ts_impact_work;

/* An instant on its way from w⁻ to w⁺. */
typedef struct ts_impact {
    const ts_rows *rows;
    const ts_impact_options *options;
    ts_impact_work *work;
    double *w;                /* velocities, changed (block_count · dof) */
    double *lambda;           /* impulses (count) */
    ts_impact_report *report; /* what came of it */
} ts_impact;

typedef struct ts_impact_operator {
    const char *name; /* as in a scene */
    bool waits;       /* options.wait is heeded */
    /* Resolves an impact, elastically or with a restitution of its own for each reflection. λ, zero at first, is
     * added to. */
    ts_status (*apply)(const ts_impact *impact, ts_error *error);
} ts_impact_operator;

extern const ts_impact_operator *const ts_impact_operators[]; /* ends with NULL */
/* NULL when there is none of that name. */
const ts_impact_operator *ts_impact_find(const char *name);
/* All names, separated by commas, for messages. Returns `text`. */
const char *ts_impact_names(char *text, size_t capacity);

ts_status ts_impact_work_create(ts_impact_work **work, ts_error *error);
void ts_impact_work_free(ts_impact_work *work); /* NULL is fine */
size_t ts_impact_work_bytes(const ts_impact_work *work);

/* Resolves an instant by an operator with restitution; λ is written. Not finishing is no failure; the report says so.
 * Fails for want of memory and for numbers that are not finite. */
ts_status ts_impact_resolve(const ts_impact *impact, const ts_impact_operator *by, ts_error *error);

/* Friction after an impact: impulses along tangents, of at most μ λ each, that take as much energy as they can.
 *
 *     min ½ |w + D z|²   over  −μ λ ≤ z ≤ μ λ
 *
 * The instant has the tangents as rows, and its `lambda` are the z; `bound` has μ λ of each row (count). */
ts_status ts_impact_rub(const ts_impact *impact, const double *bound, ts_error *error);

/* Along tangents, for ts_impact_stagger and ts_impact_sweep. */
typedef struct ts_impact_friction {
    const ts_rows *tangent; /* rows of the same contacts, between the same blocks */
    const double *mu;       /* |z| ≤ μ λ (count) */
    double *z;              /* impulses, written (count) */
    uint64_t rounds_max;    /* at least 1 */
    uint64_t bounces_max;   /* likewise, of the elastic half of ts_impact_stagger; 0: rounds_max */
    bool warm;              /* of ts_impact_stagger: λ and z hold guesses */
    /* In space, where dof is 6, for ts_impact_sweep alone: a second tangent, at right angles, so that z² + z_across²
     * ≤ (μ λ)². NULL: there is none. */
    const ts_rows *across;
    double *z_across; /* its impulses: guesses, written (count) */
} ts_impact_friction;

/* Resolves normals and friction until they agree, so that friction does not close what was opened, nor goes by normal
 * impulses that it has changed itself. An inelastic impact then obeys Coulomb's law exactly, which in the plane is
 *
 *     0 ≤ λ ⊥ r⁺ ≥ 0        |z| ≤ μ λ        s⁺ > 0: z = −μ λ,   s⁺ < 0: z = μ λ        s: the rate along the tangent
 *
 * docs/impact.md says how, and what becomes of restitution. No energy is gained, whatever rounds_max. Reports as
 * ts_impact_resolve does; not agreeing is no failure either: the report says so. */
ts_status ts_impact_stagger(const ts_impact *impact, const ts_impact_operator *by, const ts_impact_friction *friction,
                            ts_error *error);

/* An inelastic impact, whatever the restitution, by at most so many sweeps over the contacts (impact_sweeps.c), and as
 * many again where a guess brought energy: Coulomb's law, as nearly as they come. λ and z (count) hold guesses, or
 * zeros. `friction` NULL: without; its own z and rounds_max are not looked at. The report has rounds, disagreed and
 * disagreement, which is by how much the last sweep still changed a rate, over the largest |rate|. */
ts_status ts_impact_sweep(const ts_impact *impact, const ts_impact_friction *friction, double *z, uint64_t sweeps_max,
                          ts_error *error);
