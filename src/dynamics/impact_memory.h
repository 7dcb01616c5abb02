/* SPDX-License-Identifier: MIT */
/* What a step of impact has in hand: the contacts that it hits, as rows of an instant for operators. Nothing here knows
 * the dimension of space, nor shapes: impact_step.c fills it for the plane, impact_space.c for space, and
 * impact_solve.c resolves it for both. */
#pragma once

#include <math.h>

#include "dynamics/impact_dynamics.h"
#include "dynamics/impact_work.h"

/* Arrays that grow. */
enum {
    TS_HAND_ROWS = 4,     /* dof numbers a contact */
    TS_HAND_BLOCKS = 8,   /* dof numbers a block */
    TS_HAND_SINGLES = 16, /* one number a contact */
    TS_HAND_NUMBERS = TS_HAND_ROWS + TS_HAND_BLOCKS + TS_HAND_SINGLES,
    TS_HAND_ACROSS = 7 /* of the second tangent, which space alone has: 2 of dof numbers a contact, the others of 2 */
};

typedef struct ts_impact_scratch {
    ts_impact_work *work;
    const ts_impact_operator *by;
    int dof;             /* velocities of a block: 3 in the plane, 6 in space */
    size_t count;        /* contacts */
    size_t blocks;       /* bodies that can move and are struck */
    ts_index_array a, b; /* block of each contact; -1: what no impulse can move */
    union {
        struct {
            ts_double_array ga, gb, ta, tb; /* along the normal, and along the tangent: filled by the step */
            ts_double_array w;              /* velocities, scaled by the roots of masses: filled by the step, changed */
            ts_double_array flight; /* what half a step of gravity and springs adds to them: filled by the step */
            ts_double_array shift;  /* how bodies are moved apart: written */
            ts_double_array before; /* scratch */
            ts_double_array late; /* when in the step its island is struck, 0: at the beginning (blocks) [s]: written */
            ts_double_array lag;  /* what a body goes farther by being struck later, as `shift`: written */
            ts_double_array held, held_rub; /* what contacts hold back at its end, along normals: written; scratch */
            ts_double_array drift, slip;    /* what scripted things add to the rates: filled by the step */
            ts_double_array lambda, rub; /* impulses: filled with a guess where there are sweeps or rounds, written */
            ts_double_array mu;          /* λ bears μ λ along the tangent: filled by the step */
            ts_double_array gap;         /* at the beginning of the step [m]: filled by the step */
            ts_double_array fall;        /* what gravity and springs add to it in the step [m]: filled by the step */
            ts_double_array
                bend; /* what it lacks at the end of flight, as the surface bends to it [m]: filled by the step */
            ts_double_array room;    /* how fast it may go on closing (impact.h): filled by the step */
            ts_double_array wait;    /* how fast it may before it counts (impact.h): filled by the step */
            ts_double_array size;    /* the smaller body's radius [m]: filled by the step */
            ts_double_array inverse; /* sum of the bodies' 1/m [1/kg]: filled by the step */
            ts_double_array
                press; /* what it closes by in two steps of gravity and springs: filled by the step where `pulled`, then
                        * the most of its island (impact_solve.c) [m/s] */
            ts_double_array bound, lambda_other, rub_other; /* scratch */
        };
        ts_double_array all[TS_HAND_NUMBERS];
    };
    union { /* along the second tangent, which is at right angles to the first; empty in the plane */
        struct {
            ts_double_array xa, xb;      /* rows: filled by the step */
            ts_double_array slip_x;      /* what scripted things add to the rates: filled by the step */
            ts_double_array rub_x;       /* impulses, as `rub` */
            ts_double_array rub_x_other; /* scratch, and for both tangents one after the other: */
            ts_double_array z_both, bound_both;
        };
        ts_double_array across[TS_HAND_ACROSS];
    };
    ts_index_array left, left_a,
        left_b;                  /* scratch: contacts that sweeps leave closing (impact_left.c), and their blocks */
    ts_double_array left_number; /* likewise: what is known of them */
    TS_ARRAY(char) rubbing;      /* what sweeps of friction alone read (impact_rub.c) */
    bool pulled;                 /* by springs: `press` counts: set by the step */
    bool waits;                  /* `wait` counts: set by the step */
    bool rough;                  /* somewhere is friction, so that it matters which of several λ is taken */
    ts_impact_report report;     /* of the last step */
    ts_impact_counts count_of;
} ts_impact_scratch;

/* How to resolve it. */
typedef struct ts_impact_rules {
    double restitution;
    double correction;  /* share of an overlap that a step removes */
    uint64_t staggered; /* most rounds of normals and friction together; 0: friction once */
    uint64_t sweeps;    /* most sweeps; 0: exact programs */
    bool nearly;        /* as in impact.h */
    double time_step;   /* [s] */
    double gravity;     /* its magnitude [m/s²] */
    uint64_t seed;      /* of random orders */
    ts_pool *pool;
} ts_impact_rules;

/* What became of energy [J]. */
typedef struct ts_impact_energy {
    double work;                       /* done by what is scripted */
    double lost_normal, lost_friction; /* by impulses along normals, and along tangents */
} ts_impact_energy;

ts_status ts_impact_scratch_create(ts_impact_scratch *scratch, const char *operator_name, int dof, ts_error *error);
void ts_impact_scratch_free(ts_impact_scratch *scratch);
size_t ts_impact_scratch_bytes(const ts_impact_scratch *scratch);
/* Room for so many contacts, each with two blocks of its own. */
ts_status ts_impact_scratch_reserve(ts_impact_scratch *scratch, size_t contacts, ts_error *error);

/* Whether contacts have two tangents. */
static inline bool ts_impact_has_across(const ts_impact_scratch *scratch)
{
    return scratch->dof == 6;
}
/* The instant along normals, along tangents, and along the second ones. */
ts_rows ts_impact_normals(const ts_impact_scratch *scratch);
ts_rows ts_impact_tangents(const ts_impact_scratch *scratch);
ts_rows ts_impact_across(const ts_impact_scratch *scratch);
/* The gap that a contact would have at the end of the step, with velocities as they are now [m]. */
double ts_impact_gap_ahead(const ts_impact_scratch *scratch, double time_step, size_t k);
/* Whether bodies can come to rest: flight and room count then. */
static inline bool ts_impact_rests(const ts_impact_rules *rules)
{
    return rules->correction > 0 && rules->restitution < 1;
}

/* What closes more slowly than gravity makes it in two steps, or springs some contact of its island, is at rest [m/s]:
 * what lies comes back with half a step's worth, and elastic impacts scatter that among grains, which a heap would creep
 * by. */
static inline double ts_impact_rest_rate(const ts_impact_scratch *scratch, const ts_impact_rules *rules, size_t k)
{
    const double fall = 2 * rules->time_step * rules->gravity;
    return scratch->pulled ? fmax(fall, scratch->press.item[k]) : fall;
}

/* Whether a step has something to tell: rounds or sweeps that end a little short of their tolerance do no harm. */
#define TS_IMPACT_TOLD 0.01
static inline bool ts_impact_unsettled(const ts_impact_report *report)
{
    return report->disagreed && report->disagreement >= TS_IMPACT_TOLD;
}

/* Time of touch (impact_late.c), around solving: `begin` carries what bounces on to the time at which its island is
 * struck, `end` carries it back to the beginning of the step, from where it flies as if it had been struck there.
 * Returns work that goes with that [J]. */
ts_status ts_impact_late_begin(ts_impact_scratch *m, const ts_impact_rules *rules, ts_error *error);
double ts_impact_late_end(ts_impact_scratch *m, const ts_impact_rules *rules);

/* A program of friction ended short of its tolerance: that counts as unsettled. */
static inline void ts_impact_note_short(ts_impact_report *to, const ts_impact_report *of)
{
    if (of->finished)
        return;
    to->disagreed = true;
    to->disagreement = to->disagreement > of->residual ? to->disagreement : of->residual;
}

/* Velocities and impulses. scratch->report.finished is false, and the rest unspecified, when no end was found. */
ts_status ts_impact_solve(ts_impact_scratch *m, const ts_impact_rules *rules, ts_impact_energy *energy,
                          ts_error *error);
/* Shifts, after ts_impact_solve has finished. For a correction above 0. */
ts_status ts_impact_correct(ts_impact_scratch *m, const ts_impact_rules *rules, ts_error *error);

/* What contacts that press hold back of the velocities at the end of the step (impact_hold.c): scratch->held, after
 * solving. Not changed by ts_impact_correct. */
ts_status ts_impact_find_held(ts_impact_scratch *m, const ts_impact_rules *rules, ts_error *error);

/* After sweeps of an inelastic impact that began with m->before: islands in which contacts still close are resolved
 * exactly, or swept on (impact_left.c). friction->rounds_max is how many sweeps there were at most. scratch->report then
 * tells what is left. */
ts_status ts_impact_settle_left(ts_impact_scratch *m, const ts_impact_options *options,
                                const ts_impact_friction *friction, ts_error *error);

/* Where friction is written: w is changed, impulses along the tangent and in space along the second one. */
typedef struct ts_impact_rubbed {
    double *w, *rub, *rub_x;
} ts_impact_rubbed;

/* Friction after an impact (impact_rub.c): scratch->bound becomes μ λ. Returns whether any is above 0. */
bool ts_impact_bound(const ts_impact_scratch *m, const double *lambda);
/* Impulses within scratch->bound that take as much energy as they can, nearly: in space by at most so many sweeps; 0,
 * and in the plane: by programs. */
ts_status ts_impact_rub_scratch(ts_impact_scratch *m, const ts_impact_options *options, uint64_t sweeps,
                                const ts_impact_rubbed *to, ts_error *error);

/* What else to try where an impact does not end, for messages: "", or "\"gr\", or ". */
const char *ts_impact_else(const ts_impact_scratch *scratch);
/* TS_DIVERGED and a sentence when an impact ended in velocities that are no numbers. */
ts_status ts_impact_tell_growth(const ts_impact_scratch *scratch, double time, ts_error *error);
/* The contact that closes fastest, and its rate, for a message. */
size_t ts_impact_worst(const ts_impact_scratch *scratch, double *rate);
