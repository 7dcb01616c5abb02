/* SPDX-License-Identifier: MIT */
/* What the penalty law derives from a scene: stiffness, laws, stable step and time step. The rules, and the reasons for
 * them, stand in docs/penalty.md. */
#include <math.h>
#include <stdio.h>

#include "dynamics/penalty.h"
#include "world.h"

/* A contact in a packing may carry this many times the load of a straight column: force chains. */
#define FORCE_CHAIN 4
/* Share of √(m/k), and of the stable limit, that a derived time step takes. The first leaves some 22 steps to the
 * shortest impact of two equal bodies, π√(m/2k). */
#define STEP_SHARE   0.1
#define STABLE_SHARE 0.5

/* ---- Stiffness ---- */

/* The stiffness by which a body overlaps others by no more than `overlap` [m]: in an impact at `speed` (½ m v² = ½ k
 * d²) and, where there is a load [N], under what force chains make of it. */
static double stiffness_for(double mass, double speed, double load, double overlap)
{
    double ratio = speed / overlap, k = mass * ratio * ratio;
    return load > 0 ? fmax(k, FORCE_CHAIN * load / overlap) : k;
}

ts_status ts_penalty_derive(ts_compiling *c, ts_error *error)
{
    ts_model *m = c->model;
    ts_penalty_param *p = c->param;
    ts_outlook *look = &c->look;
    if (p->expected_speed > 0)
        look->speed = look->usual = p->expected_speed;
    const bool nothing_happens = !(look->usual > 0) && !(look->load > 0);
    double k = 0;
    for (size_t i = 0; i < m->body_count; i++) {
        if (!ts_model_moves(m, i) && look->largest > 0)
            continue;
        const double radius = ts_model_radius(m, i), overlap = p->tolerated_overlap * m->world->start(m, i).soft;
        /* without a speed, a load or a length of time to go by: a radius in a second */
        const double speed = nothing_happens ? radius : look->usual;
        k = fmax(k, stiffness_for(m->mass[i], speed, look->load * ts_share_of_load(m, look, radius), overlap));
    }
    ts_fill_laws(c, k, p->damping_may_pull);
    for (size_t i = 0; i < m->material_count * m->material_count; i++)
        if (!isnormal(m->law[i].kn) || !isfinite(m->law[i].kt))
            return ts_fail_at(error, TS_BAD_INPUT, c->place,
                              "dynamics: the stiffness comes out as %g N/m, which cannot be computed with; give "
                              "materials a stiffness of their own",
                              m->law[i].kn);
    bool all = true;
    for (size_t i = 0; i < m->material_count; i++)
        all = all && c->material[i].stiffness == 0;
    p->derived = all && c->pair_count == 0 ? k : 0;
    return TS_OK;
}

/* ---- What a run made of it ---- */

/* Overlaps of so many times the aim prove that the stiffness was too low, and those of less than such a part that it was
 * too high: a quarter of the steps would have done. */
#define AIM_MISSED 2
#define AIM_SPARED (1. / 16)
/* Too high a stiffness costs time alone: it is told where this many steps of one body would have been saved, three
 * seconds of computing or more. A step costs as much as those of some bodies by itself. */
#define WORTH_TELLING  1e8
#define BODIES_OF_STEP 20

double ts_penalty_aimed_overlap(const ts_model *model, size_t body)
{
    const ts_penalty_param *p = ts_penalty_param_of(model);
    return p->derived > 0 ? p->tolerated_overlap * model->world->start(model, body).soft : HUGE_VAL;
}

/* An impact's overlap goes as 1/√k, that of a load as 1/k: of both the stiffness is told that keeps to the aim. The time
 * step goes as 1/√k. */
bool ts_penalty_tell(const ts_model *model, ts_warning_kind kind, const ts_tally *tally, uint64_t steps, char *text,
                     size_t capacity)
{
    const ts_penalty_param *p = ts_penalty_param_of(model);
    const double worst = tally->worst;
    const double saved = (double)steps * (1 - sqrt(fmin(worst, 1))) * ((double)model->body_count + BODIES_OF_STEP);
    if (kind == TS_WARN_STIFFNESS && worst > AIM_MISSED)
        snprintf(text, capacity,
                 "The derived stiffness of %.3g N/m was too low: the deepest overlap was %.2g times as deep as "
                 "tolerated_overlap allows. %.2g N/m would have met it, with a time step %.2g times as short: set "
                 "dynamics.stiffness to that, or raise dynamics.expected_speed.",
                 p->derived, worst, worst * worst * p->derived, worst);
    else if (kind == TS_WARN_STIFFNESS && worst > 0 && worst < AIM_SPARED && saved > WORTH_TELLING)
        snprintf(text, capacity,
                 "The derived stiffness of %.3g N/m was higher than need be: the deepest overlap was %.2g of the one "
                 "that tolerated_overlap allows. %.2g N/m would have met it, with a time step %.2g times as long.",
                 p->derived, worst, worst * p->derived, 1 / sqrt(worst));
    else
        return false;
    return true;
}

/* ---- Stable step ---- */

/* The hardest that a material meets: for each field of a law, the largest over the materials in the scene. */
static ts_contact_law hardest_law(const ts_model *m, size_t material)
{
    ts_contact_law hard = {0};
    for (size_t b = 0; b < m->material_count; b++) {
        const ts_contact_law *law = &m->law[material * m->material_count + b];
        hard.kn = fmax(hard.kn, law->kn);
        hard.kt = fmax(hard.kt, law->kt);
        hard.cn = fmax(hard.cn, law->cn);
        hard.ct = fmax(hard.ct, law->ct);
        hard.cn_mass = fmax(hard.cn_mass, law->cn_mass);
        hard.ct_mass = fmax(hard.ct_mass, law->ct_mass);
    }
    return hard;
}

/* What limits the step of one body: its own contacts, and the densest surroundings that it may have. */
typedef struct surroundings {
    double per_mass;    /* neighbours that move against it, over its mass [1/kg] */
    double per_inertia; /* neighbours that all turn the same way, times arm² over its moment of inertia [1/kg] */
    double tangents;    /* directions along a contact: 1 in the plane, 2 in space */
    bool round;         /* normal forces do not turn it */
    double
        own; /* Σ over its discs or pieces of 4 (1/m + a²/I), a: how far its surface reaches: each is a contact on two
                   sides, with a spring and dashpot of its own, against neighbours that may move the other way. A long
                   rod on a floor has as many springs under it as discs [1/kg] */
} surroundings;

/* Six equal neighbours on a triangular lattice, whose stiffest modes are known: neighbours moving against each other,
 * and all turning the same way. */
static surroundings in_plane(const ts_model *m, size_t i, double smallest)
{
    const ts_body *b = &m->body[i];
    const ts_shape *shape = &m->shape[m->body_shape[i]];
    const double neighbours = TS_PI / asin(smallest / (b->radius + smallest)); /* 6 for equal discs */
    surroundings s = {.per_mass = neighbours * b->inv_mass,
                      .per_inertia = 2 * neighbours * b->radius * b->radius * m->inv_inertia[i],
                      .tangents = 1,
                      .round = shape->disc_count == 1 && !shape->outline};
    for (size_t k = 0; k < shape->disc_count; k++) {
        double arm = m->body_scale[i] * (hypot(shape->disc[k].x, shape->disc[k].y) + shape->disc[k].radius);
        s.own += 4 * (b->inv_mass + arm * arm * m->inv_inertia[i]);
    }
    return s;
}

/* The largest arm²/I that a contact of a piece may have about one of the body's principal axes [1/kg]. About the axis of
 * a rod the moment of inertia is small, but so are the arms. */
static double turning_of(const ts_piece *piece, double radius, const ts_inertia *inertia)
{
    const ts_pose3 principal = {{0, 0, 0}, ts_quat_conjugate(inertia->axes)};
    const ts_vec3 inv_moment = inertia->inv_moment;
    const double reach = fmin(ts_vec3_length(piece->pose.position) + ts_solid_radius(&piece->solid), radius);
    const ts_box3 box = ts_solid_bounds(&piece->solid, ts_pose3_compose(principal, piece->pose));
    const double x = fmax(fabs(box.low.x), fabs(box.high.x)), y = fmax(fabs(box.low.y), fabs(box.high.y)),
                 z = fmax(fabs(box.low.z), fabs(box.high.z)), most = reach * reach;
    return fmax(fmin(y * y + z * z, most) * inv_moment.x,
                fmax(fmin(x * x + z * z, most) * inv_moment.y, fmin(x * x + y * y, most) * inv_moment.z));
}

/* Twelve equal neighbours of a face-centred lattice, whose stiffest modes are known: layers moving against each other,
 * and all bodies turning the same way. Of z neighbours spread evenly, Σ n nᵀ = z/3:
 *
 *     moving    K = 2 z/3 (k_n + 2 k_t)/m        turning    K = 4 z/3 k_t R²/I */
static surroundings in_space(const ts_model *m, size_t i, double smallest)
{
    const ts_body3 *b = &m->body3[i];
    const ts_form3 *form = &m->form[m->body_form[i]];
    double turning = 0; /* largest arm²/I of all pieces */
    /* neighbours by the solid angle that the smallest body takes, as far as the scene has so many; of equal balls 12
     * find room */
    const double sine = smallest / (b->radius + smallest), room = 12 * (1 - sqrt(0.75)) / (1 - sqrt(1 - sine * sine)),
                 others = (double)(m->part_count - form->piece_count), z = fmin(room, fmax(12, others));
    surroundings s = {.per_mass = 2 * z / 3 * b->inv_mass,
                      .tangents = 2,
                      .round = form->piece_count == 1 && m->piece[form->piece_begin].solid.kind == TS_SOLID_SPHERE};
    for (size_t k = form->piece_begin; k < form->piece_begin + form->piece_count; k++) {
        const double own = turning_of(&m->piece[k], form->radius, &m->inertia[i]);
        s.own += 4 * (b->inv_mass + own);
        turning = fmax(turning, own);
    }
    s.per_inertia = 4 * z / 3 * turning;
    return s;
}

static double body_step_limit(const surroundings *s, const ts_contact_law *law, double mass)
{
    const double root_mass = sqrt(0.5 * mass); /* of the effective mass of two equal bodies */
    const double cn = law->cn + law->cn_mass * root_mass, ct = law->ct + law->ct_mass * root_mass;
    const double moving_k = s->per_mass * (law->kn + s->tangents * law->kt),
                 moving_c = s->per_mass * (cn + s->tangents * ct);
    if (s->round)
        return fmin(ts_step_limit(moving_k, moving_c), ts_step_limit(s->per_inertia * law->kt, s->per_inertia * ct));
    /* normal forces turn it, too, so that the two modes mix: add them */
    const double k = fmax(law->kn, law->kt), c = fmax(cn, ct);
    return ts_step_limit(fmax(moving_k + s->per_inertia * k, s->own * k),
                         fmax(moving_c + s->per_inertia * c, s->own * c));
}

static double stable_step(const ts_model *m, surroundings (*around)(const ts_model *, size_t, double), int64_t *body)
{
    double limit = HUGE_VAL, smallest = HUGE_VAL;
    *body = -1;
    for (size_t i = 0; i < m->body_count; i++)
        smallest = fmin(smallest, ts_model_radius(m, i));
    ts_contact_law hard[UINT8_MAX + 1];
    for (size_t a = 0; a < m->material_count; a++)
        hard[a] = hardest_law(m, a);
    for (size_t i = 0; i < m->body_count; i++) {
        if (!ts_model_moves(m, i))
            continue;
        const surroundings s = around(m, i, smallest);
        const double own = body_step_limit(&s, &hard[m->body_material[i]], m->mass[i]);
        if (own < limit) {
            limit = own;
            *body = (int64_t)i;
        }
    }
    return limit;
}

double ts_penalty_stable_in_plane(const ts_model *model, int64_t *body)
{
    return stable_step(model, in_plane, body);
}

double ts_penalty_stable_in_space(const ts_model *model, int64_t *body)
{
    return stable_step(model, in_space, body);
}

/* ---- Time step ---- */

double ts_penalty_time_step(const ts_compiling *c, const char **reason)
{
    const ts_model *m = c->model;
    double k = 0, lightest = HUGE_VAL;
    for (size_t i = 0; i < m->material_count * m->material_count; i++)
        k = fmax(k, m->law[i].kn);
    for (size_t i = 0; i < m->body_count; i++)
        if (ts_model_moves(m, i))
            lightest = fmin(lightest, m->mass[i]);
    *reason = "the impact of the lightest body sets";
    return isfinite(lightest) ? fmin(STEP_SHARE * sqrt(lightest / k), STABLE_SHARE * m->stable_step) : HUGE_VAL;
}
