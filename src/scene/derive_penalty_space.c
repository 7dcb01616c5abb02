/* SPDX-License-Identifier: MIT */
#include "scene/derive_penalty_space.h"

#include <math.h>

#include "scene/derive.h"
#include "scene/derive_law.h"
#include "scene/script.h"

/* Packing fraction that solids settle to, roughly. */
#define SETTLED_FRACTION 0.6

static ts_vec3 vec_of(const double v[3])
{
    return (ts_vec3){v[0], v[1], v[2]};
}

static bool is_free(const ts_model *model, size_t body)
{
    return model->body3[body].inv_mass > 0;
}

/* ---- What will happen, as far as it can be told before the run ---- */

typedef struct outlook {
    double speed;   /* fastest impact [m/s] */
    double load;    /* heaviest column of bodies, as wide as the largest [N] */
    double largest; /* largest bounding radius that moves [m] */
} outlook;

/* Axes with gravity along -up. */
typedef struct upright {
    double strength; /* [m/s²] */
    ts_vec3 up, along, across;
} upright;

static upright upright_of(const ts_model *model)
{
    upright u = {.strength = ts_vec3_length(model->gravity), .up = {0, 0, 1}};
    if (u.strength > 0)
        u.up = ts_vec3_scale(model->gravity, -1 / u.strength);
    ts_vec3_tangents(u.up, &u.along, &u.across);
    return u;
}

/* How far a body falls before it touches what is below it: a plane, or else the lowest point of the scene. */
static double height_above_floor(const ts_model *model, const upright *u, size_t i, double lowest)
{
    const ts_vec3 x = vec_of(model->body3[i].position);
    const double radius = model->body3[i].radius;
    double height = HUGE_VAL;
    for (size_t k = 0; k < model->wall_count; k++) {
        const ts_wall *wall = &model->wall[k];
        if (model->piece[wall->piece_begin].solid.kind != TS_SOLID_PLANE)
            continue;
        const ts_vec3 normal = ts_quat_apply(wall->pose.quat, (ts_vec3){0, 0, 1});
        const double slope = ts_vec3_dot(normal, u->up),
                     gap = ts_vec3_dot(ts_vec3_sub(x, wall->pose.position), normal) - radius;
        if (slope > 1e-6)
            height = fmin(height, fmax(gap, 0) / slope);
    }
    return isfinite(height) ? height : ts_vec3_dot(x, u->up) - radius - lowest;
}

/* The lowest point of bodies and of walls that end, or one below it. */
static double lowest_point(const ts_model *model, const upright *u)
{
    double lowest = HUGE_VAL;
    for (size_t i = 0; i < model->body_count; i++)
        lowest = fmin(lowest, ts_vec3_dot(vec_of(model->body3[i].position), u->up) - model->body3[i].radius);
    for (size_t k = 0; k < model->wall_count; k++) {
        const ts_wall *wall = &model->wall[k];
        for (size_t p = wall->piece_begin; p < wall->piece_begin + wall->piece_count; p++) {
            const ts_piece *piece = &model->piece[p];
            const double radius = piece->solid.kind == TS_SOLID_VESSEL
                                      ? hypot(piece->solid.radius, piece->solid.half_length)
                                      : ts_solid_radius(&piece->solid);
            if (isfinite(radius))
                lowest = fmin(lowest, ts_vec3_dot(ts_pose3_apply(wall->pose, piece->pose.position), u->up) - radius);
        }
    }
    return lowest;
}

/* An upright column of the scene, as wide as the largest body. */
typedef struct column {
    double weight;     /* of the bodies whose centre lies in it [N] */
    double volume;     /* of those bodies [m³] */
    double height;     /* of the highest one's lowest point above the floor [m] */
    double top_volume; /* of that body [m³] */
} column;

typedef struct columns {
    column *column;
    size_t along, across; /* how many */
    double low[2], width; /* [m] */
} columns;

static size_t cell_of(double at, double low, double width, double shift, size_t count)
{
    return (size_t)fmin(fmax((at - low) / width + shift, 0), (double)(count - 1));
}

static void fill_columns(const ts_model *model, const upright *u, double lowest, double shift, columns *c)
{
    for (size_t k = 0; k < c->along * c->across; k++)
        c->column[k] = (column){0};
    for (size_t i = 0; i < model->body_count; i++) {
        if (!is_free(model, i))
            continue;
        const ts_vec3 x = vec_of(model->body3[i].position);
        const double volume = model->form[model->body_form[i]].volume, height = height_above_floor(model, u, i, lowest);
        column *own = &c->column[cell_of(ts_vec3_dot(x, u->along), c->low[0], c->width, shift, c->along) * c->across +
                                 cell_of(ts_vec3_dot(x, u->across), c->low[1], c->width, shift, c->across)];
        own->weight += model->mass[i] * u->strength;
        own->volume += volume;
        if (height >= own->height) {
            own->height = height;
            own->top_volume = volume;
        }
    }
}

/* The heaviest column and the deepest fall. A body on top of others falls only as far as they settle under it. */
static ts_status look_down(const ts_model *model, const upright *u, outlook *out, double *fall, ts_error *error)
{
    double low[2] = {HUGE_VAL, HUGE_VAL}, high[2] = {-HUGE_VAL, -HUGE_VAL}, free_count = 0;
    for (size_t i = 0; i < model->body_count; i++) {
        if (!is_free(model, i))
            continue;
        const ts_vec3 x = vec_of(model->body3[i].position);
        const double at[2] = {ts_vec3_dot(x, u->along), ts_vec3_dot(x, u->across)};
        for (int d = 0; d < 2; d++) {
            low[d] = fmin(low[d], at[d]);
            high[d] = fmax(high[d], at[d]);
        }
        free_count++;
    }
    columns c = {.low = {low[0], low[1]}, .width = 2 * out->largest};
    /* no more columns than bodies can fill */
    c.width = fmax(c.width, fmax(high[0] - low[0], high[1] - low[1]) / (2 * free_count));
    c.width = fmax(c.width, sqrt((high[0] - low[0]) * (high[1] - low[1]) / (4 * free_count)));
    c.along = (size_t)((high[0] - low[0]) / c.width) + 2;
    c.across = (size_t)((high[1] - low[1]) / c.width) + 2;
    c.column = ts_alloc(c.along * c.across, sizeof *c.column);
    if (!c.column)
        return ts_fail_memory(error, c.along * c.across * sizeof *c.column);
    const double lowest = lowest_point(model, u);
    /* twice, half a column apart, so that a tower on the border of two is seen whole */
    for (int half = 0; half < 2; half++) {
        fill_columns(model, u, lowest, 0.5 * half, &c);
        for (size_t k = 0; k < c.along * c.across; k++) {
            const column *own = &c.column[k];
            const double settled = (own->volume - own->top_volume) / (SETTLED_FRACTION * c.width * c.width);
            out->load = fmax(out->load, own->weight);
            *fall = fmax(*fall, own->height - settled);
        }
    }
    ts_free(c.column);
    return TS_OK;
}

static ts_status look_ahead(const ts_scene *scene, const ts_model *m, outlook *out, ts_error *error)
{
    const ts_model *model = m;
    double start = 0, fall = 0;
    *out = (outlook){0};
    for (size_t i = 0; i < model->body_count; i++) {
        const ts_body3 *b = &model->body3[i];
        if (!is_free(model, i))
            continue;
        const ts_quat q = {b->attitude[0], b->attitude[1], b->attitude[2], b->attitude[3]};
        const ts_vec3 spin = ts_inertia_spin(&model->inertia[i], q, vec_of(b->angular_momentum));
        out->largest = fmax(out->largest, b->radius);
        start = fmax(start, ts_vec3_length(vec_of(b->velocity)) + ts_vec3_length(spin) * b->radius);
    }
    if (out->largest == 0)
        return TS_OK;
    const upright u = upright_of(model);
    if (u.strength > 0) {
        TS_TRY(look_down(model, &u, out, &fall, error));
        fall = fmax(fall, out->largest); /* bodies drop into gaps of their own size in the densest heap */
    }
    start += ts_script_speed(m);
    out->speed = sqrt(start * start + 2 * u.strength * fall);
    if (scene->dynamics.expected_speed > 0)
        out->speed = scene->dynamics.expected_speed;
    return TS_OK;
}

/* ---- Stiffness ---- */

ts_status ts_derive_laws3(const ts_scene *scene, ts_model *m, ts_error *error)
{
    const ts_model *model = m;
    outlook look;
    TS_TRY(look_ahead(scene, m, &look, error));
    const bool nothing_happens = !(look.speed > 0) && !(look.load > 0);
    double k = 0;
    for (size_t i = 0; i < model->body_count; i++) {
        if (!is_free(model, i) && look.largest > 0)
            continue;
        const double radius = model->body3[i].radius,
                     overlap = scene->dynamics.tolerated_overlap * model->form[model->body_form[i]].inner,
                     /* a column is as wide as the largest body along both axes */
            share = look.largest > 0 ? radius / look.largest * (radius / look.largest) : 0;
        k = fmax(k,
                 ts_stiffness_for(model->mass[i], nothing_happens ? radius : look.speed, look.load * share, overlap));
    }
    ts_combine_laws(scene, m, k);
    for (size_t i = 0; i < m->material_count * m->material_count; i++)
        if (!isnormal(m->law[i].kn))
            return ts_fail_at(error, TS_BAD_INPUT, scene->dynamics_place,
                              "dynamics: the stiffness comes out as %g N/m, which cannot be computed with; give "
                              "materials a stiffness of their own",
                              m->law[i].kn);
    return TS_OK;
}

/* ---- Stable step ---- */

/* What the pieces of a compound bring in: each is a contact on two sides, with a spring and dashpot of its own at
 * its own arm, against neighbours that may move the other
 * way (derive.c). */
static double own_contacts(const ts_model *model, size_t i, double inv_inertia)
{
    const ts_form3 *form = &model->form[model->body_form[i]];
    double sum = 0;
    for (size_t k = form->piece_begin; k < form->piece_begin + form->piece_count; k++) {
        const ts_piece *piece = &model->piece[k];
        const double arm = fmin(ts_vec3_length(piece->pose.position) + ts_solid_radius(&piece->solid), form->radius);
        sum += 4 * (model->body3[i].inv_mass + arm * arm * inv_inertia);
    }
    return sum;
}

/* The limit of a body in the densest surroundings, twelve equal neighbours of a face-centred lattice, whose stiffest
 * modes are known: layers moving against each
 * other, and all bodies turning the same way. Of z neighbours spread evenly, Σ n nᵀ = z/3:
 *
 *     moving    K = 2 z/3 (k_n + 2 k_t)/m        turning    K = 4 z/3 k_t R²/I */
static double body_step_limit(const ts_model *model, size_t i, const ts_contact_law *law, double smallest)
{
    const ts_body3 *b = &model->body3[i];
    const ts_vec3 inv = model->inertia[i].inv_moment;
    const double inv_inertia = fmax(inv.x, fmax(inv.y, inv.z));
    /* neighbours by the solid angle that the smallest body takes; of equal balls 12 find room */
    const double sine = smallest / (b->radius + smallest), z = 12 * (1 - sqrt(0.75)) / (1 - sqrt(1 - sine * sine));
    const double per_mass = 2 * z / 3 * b->inv_mass, per_inertia = 4 * z / 3 * b->radius * b->radius * inv_inertia;
    const double root_mass = sqrt(0.5 / b->inv_mass); /* of the effective mass of two equal bodies */
    const double cn = law->cn + law->cn_mass * root_mass, ct = law->ct + law->ct_mass * root_mass;
    const ts_form3 *form = &model->form[model->body_form[i]];
    if (form->piece_count == 1 && model->piece[form->piece_begin].solid.kind == TS_SOLID_SPHERE)
        return fmin(ts_step_limit(per_mass * (law->kn + 2 * law->kt), per_mass * (cn + 2 * ct)),
                    ts_step_limit(per_inertia * law->kt, per_inertia * ct));
    /* normal forces turn anything else, too, so that the two modes mix: add them */
    const double own = own_contacts(model, i, inv_inertia), k = fmax(law->kn, law->kt), c = fmax(cn, ct);
    return ts_step_limit(fmax(per_mass * (law->kn + 2 * law->kt) + per_inertia * k, own * k),
                         fmax(per_mass * (cn + 2 * ct) + per_inertia * c, own * c));
}

double ts_derive_stable_contacts3(const ts_model *m, int64_t *body)
{
    const ts_model *model = m;
    double limit = HUGE_VAL, smallest = HUGE_VAL;
    *body = -1;
    if (m->contacts_at == TS_AT_END)
        return limit; /* impulses need no time */
    for (size_t i = 0; i < model->body_count; i++)
        smallest = fmin(smallest, model->body3[i].radius);
    ts_contact_law hard[TS_MATERIALS_MAX];
    for (size_t a = 0; a < m->material_count; a++)
        hard[a] = ts_hardest_law(m, a);
    for (size_t i = 0; i < model->body_count; i++) {
        const double own =
            is_free(model, i) ? body_step_limit(model, i, &hard[model->body_material[i]], smallest) : HUGE_VAL;
        if (own < limit) {
            limit = own;
            *body = (int64_t)i;
        }
    }
    return limit;
}
